"""Names that are mistyped: which one is meant for sure, and which are near enough to be shown."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import Final

from schemas.language.names import name_key
from schemas.questions import EntityMatch

_CLOSE: Final = 0.6
"""Spellings less alike than this are no help to who mistyped a name."""


def sure_match(phrase: str, matches: Sequence[EntityMatch]) -> EntityMatch | None:
    """The one entity whose name differs from the phrase by slips of the pen only.

    Words of four letters or fewer, and words with digits or signs, must be equal: ``B_s0`` is not ``B_d0``.
    Longer words start alike and differ in one letter (two from nine letters on).

    >>> m = EntityMatch(id="1", type="observable", name="B_s0 mean life", score=0.9, via="fulltext")
    >>> sure_match("B_s0 maen life", [m]) is None, sure_match("B_s0 mean lfe", [m]) is None
    (True, True)
    >>> t = EntityMatch(id="2", type="source", name="trigger efficiency", score=0.9, via="fulltext")
    >>> sure_match("triger efficiency", [t]).name
    'trigger efficiency'
    """
    close = {m.id: m for m in matches if _same_but_for_slips(name_key(phrase), name_key(m.name))}
    return next(iter(close.values())) if len(close) == 1 else None


def _same_but_for_slips(a: str, b: str) -> bool:
    left, right = a.split(), b.split()
    return len(left) == len(right) and all(map(near_word, left, right))


def alike(phrase: str, name: str) -> bool:
    """Whether a name is near enough to a phrase to help whoever mistyped it."""
    return SequenceMatcher(None, name_key(phrase), name_key(name)).ratio() >= _CLOSE


def near_word(a: str, b: str) -> bool:
    """Whether two words are one but for a slip of the pen.

    >>> near_word("liftime", "lifetime"), near_word("mass", "mess"), near_word("liftime", "wifetime")
    (True, False, False)
    """
    if a == b:
        return True
    if min(len(a), len(b)) <= 4 or not (a.isalpha() and b.isalpha()) or a[0] != b[0]:
        return False
    return _distance(a, b) <= (2 if min(len(a), len(b)) >= 9 else 1)


def _distance(a: str, b: str) -> int:
    """Edits between two words (insert, delete, replace)."""
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, start=1):
        previous, row[0] = row[0], i
        for j, y in enumerate(b, start=1):
            previous, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, previous + (x != y))
    return row[-1]
