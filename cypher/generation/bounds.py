"""The bounds that words put on a number, and the comparisons that say the same."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

_MORE: Final = ("more", "greater", "larger", "higher", "bigger", "longer", "later")
_LESS: Final = ("fewer", "less", "smaller", "lower", "shorter", "earlier")
_OVER: Final = ("over", "above", "exceeding", "exceeds", "exceed", "exceeded", "after")
_UNDER: Final = ("under", "below", "before")
_OR_EQUAL: Final = ("or", "equal", "to")
_BEFORE: Final[Mapping[tuple[str, ...], str]] = {
    **{(w, "than"): ">" for w in _MORE},
    **{(w, "than"): "<" for w in _LESS},
    **{(w, "than", *_OR_EQUAL): ">=" for w in _MORE},
    **{(w, "than", *_OR_EQUAL): "<=" for w in _LESS},
    **{(no, w, "than"): "<=" for no in ("no", "not") for w in _MORE},
    **{(no, w, "than"): ">=" for no in ("no", "not") for w in _LESS},
    **{(no, w): "<=" for no in ("no", "not") for w in _OVER},
    **{(no, w): ">=" for no in ("no", "not") for w in _UNDER},
    **{(at, "or", w): ">=" for at in ("in", "on", "at") for w in ("after", "since")},
    **{(at, "or", "before"): "<=" for at in ("in", "on", "at")},
    **{(w,): ">" for w in _OVER},
    **{(w,): "<" for w in _UNDER},
    **dict.fromkeys((("at", "least"), ("minimum", "of"), ("since",)), ">="),
    **dict.fromkeys((("at", "most"), ("maximum", "of"), ("up", "to")), "<="),
    **dict.fromkeys((("exactly",), ("precisely",), ("only",), ("just",)), "="),
}
"""Operators by the words before a number."""
_BEHIND: Final[Mapping[tuple[str, ...], str]] = {
    **{("or", w): ">=" for w in (*_MORE, "over", "above", "after", "newer")},
    **{("or", w): "<=" for w in (*_LESS, "under", "below", "before")},
}
"""Operators by the words behind it."""
_LONGEST: Final = 5
_NEXT: Final = {">": (">=", 1), ">=": (">", -1), "<": ("<=", -1), "<=": ("<", 1)}
"""Another way to write a bound on a whole number, and by how much its number differs."""
OPPOSITE: Final = {"<": ">=", ">=": "<", ">": "<=", "<=": ">", "=": "<>", "<>": "="}
"""What a comparison is when it is denied."""
_DENIALS: Final = frozenset({"not", "no", "never", "none", "nobody", "nothing", "nor", "neither", "without"})
_AROUND: Final = 6
"""Words before a bound in which a denial may stand that turns it."""
_YEAR: Final = re.compile(r"1[5-9]\d\d|20\d\d")
_IN: Final = frozenset({"in", "since", "before", "after", "until", "till", "during", "from", "of"})
_NOUNS: Final = re.compile(r"\w{3,}s")


@dataclass(frozen=True, slots=True)
class Bound:
    """What words say of a number: an operator, empty for none."""

    sign: str = ""
    denied: bool = False
    """Whether words before them deny it."""
    places: range = range(0)
    """Where the words stand."""


def bound_of(words: Sequence[str], start: int, end: int) -> Bound:
    """How the words around a number bound it.

    >>> bound_of("papers with no more than 3 results".split(), 5, 6)
    Bound(sign='<=', denied=False, places=range(2, 5))
    >>> bound_of("papers with no value above 3".split(), 5, 6)
    Bound(sign='>', denied=True, places=range(4, 5))
    """
    start -= words[start - 1 : start] == ("a",)
    for length in range(min(_LONGEST, start), 0, -1):
        first = start - length
        if (sign := _BEFORE.get(tuple(words[first:start]))) is not None:
            denied = any(map(_denies, words[max(0, first - _AROUND) : first]))
            return Bound(sign, denied, range(first, start))
    behind = _BEHIND.get(tuple(words[end : end + 2]), "")
    return Bound(behind, places=range(end, end + 2)) if behind else Bound()


def _denies(word: str) -> bool:
    return word in _DENIALS or word.endswith("n't")


def is_year(words: Sequence[str], at: int) -> bool:
    """Whether a number stands where a year does, so that it says no number of things.

    >>> is_year("papers in 2015".split(), 2), is_year("one of 2015 papers".split(), 2)
    (True, False)
    """
    counted = any(_NOUNS.fullmatch(w) for w in words[at + 1 : at + 2])
    return at > 0 and words[at - 1] in _IN and _YEAR.fullmatch(words[at]) is not None and not counted


def says(bound: str, limit: float, operator: str, value: float, *, whole: bool) -> bool:
    """Whether a comparison says what a bound does; of whole numbers ``>= 4`` says what ``> 3`` does.

    >>> says(">", 3, ">=", 4, whole=True), says(">", 3, ">=", 4, whole=False)
    (True, False)
    """
    if value == limit:
        return not bound or operator == bound or (bound == "=" and not operator)
    sign, more = _NEXT.get(bound, ("", 0))
    return whole and (operator, value) == (sign, limit + more)
