"""Slips of the pen in names: a letter wrong, missing, too many, or exchanged with the next.

A name that differs in more is another name: nobody is answered for Jim who is asked about Kim. Four in five
misspelled words have one such slip (Damerau 1964, doi:10.1145/363958.363994). The first letter of each word
stays, as do digits, and short words are not mended at all, as there another name is as likely.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rapidfuzz import fuzz
from rapidfuzz.distance import DamerauLevenshtein

from cypher.semantics.text import Word, words

SHORTEST: Final = 5
"""Letters of a word at least that may have a slip."""
LONG: Final = 9
"""Letters from which on a word may have two."""
PART: Final = 0.6
"""Share of a name's letters at least, where some of its words are left out."""


def likeness(said: str, stored: str) -> float:
    """How alike two names are, 0 to 1; 0 where one is no slip for the other.

    >>> round(likeness("nordwnd", "nordwind"), 2), likeness("jim lind", "kim lind")
    (0.86, 0.0)
    >>> likeness("solar", "polar"), likeness("nw1110", "nw110"), likeness("iris hale", "iris vale")
    (0.0, 0.0, 0.0)
    >>> likeness("kestrel opera", "the kestrel opera house") >= PART
    True
    """
    ours, theirs = said.split(), stored.split()
    if len(ours) == len(theirs):
        slips = [_slips(a, b) for a, b in zip(ours, theirs, strict=True)]
        wrong = sum(s for s in slips if s is not None)
        return 0.0 if None in slips else 1 - wrong / max(len(said), 1)
    few, many = sorted((ours, theirs), key=len)
    kept = [w for w in many if w in few]
    share = len("".join(few)) / len("".join(many))
    return share if kept == few and share >= PART else 0.0


def _slips(said: str, stored: str) -> int | None:
    """Slips in a word; ``None`` where it is another word."""
    if said == stored:
        return 0
    shortest = min(len(said), len(stored))
    if shortest < SHORTEST or said[0] != stored[0] or any(c.isdigit() for c in said + stored):
        return None
    most = 2 if shortest >= LONG else 1
    distance = DamerauLevenshtein.distance(said, stored, score_cutoff=most)
    return distance if distance <= most else None


def likest(text: str, tokens: Sequence[Word], wanted: str, covered: set[int]) -> tuple[int, int]:
    """The words most like a text, as first and behind the last; the last one where none is like it."""
    best, place = 0.0, (max(len(tokens) - 1, 0), len(tokens))
    size = max(1, len(words(wanted)))
    for length in range(1, size + 3):
        for start in range(len(tokens) - length + 1):
            if covered & set(range(start, start + length)):
                continue
            span = text[tokens[start].start : tokens[start + length - 1].end]
            score = fuzz.ratio(span.lower(), wanted.lower())
            if score > best:
                best, place = score, (start, start + length)
    return place
