"""Words that one name has beside all those of another: "amplitude model composition", "amplitude model"."""

from __future__ import annotations

import re
from collections.abc import Set

_WORD = re.compile(r"[^\W\d_]{3,}")
_CAPITALS = re.compile(r"[A-Z][A-Za-z]*[A-Z][A-Za-z]*")
_STEM = 5
"""Letters that two words share at their start where they are forms of one word."""


def adds_words(left: str, right: str, *, written: tuple[str, str], plain: Set[str]) -> bool:
    """Whether one normal form has all the words of the other, and a word that says more.

    ``plain`` words say nothing by themselves. An acronym of either name as ``written`` could stand for any
    of the other's words: then nothing is certain, and the answer is no. Symmetric.

    >>> adds_words("amplitude model", "amplitude composition model", written=("", ""), plain=set())
    True
    >>> adds_words("amplitude model", "amplitude fit model", written=("", ""), plain={"fit"})
    False
    >>> adds_words("mass model", "mass modelling", written=("", ""), plain=set())
    False
    """
    a, b = frozenset(_WORD.findall(left.lower())), frozenset(_WORD.findall(right.lower()))
    only_a, only_b = _unmatched(a - b, b), _unmatched(b - a, a)
    if bool(only_a) == bool(only_b):
        return False
    added = only_a or only_b
    acronyms = {word.lower() for name in written for word in _CAPITALS.findall(name)}
    return acronyms.isdisjoint(a ^ b) and not added <= plain


def _unmatched(words: Set[str], others: Set[str]) -> frozenset[str]:
    """The words of which the others have no other form."""
    stems = {word[:_STEM] for word in others if len(word) >= _STEM}
    return frozenset(word for word in words if word[:_STEM] not in stems)
