"""The numbers of a question in its query: none left out, none made up.

"More than three" is honoured by a comparison with 3, as "more than 3" is. A number that the question does not
say may stand where it changes nothing or where the words ask for it without a number: ``LIMIT 1`` under an
order, ``> 0`` on a count, ``> 1`` for "several", the length of the list that is compared with, a half in a
mean.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from cypher.general.english import TIMES
from cypher.generation.figures import Figure, Place
from cypher.semantics.spoken_numbers import POWERS
from cypher.word_lists import NUMBERS

_DIGITS: Final = re.compile(r"[-+]?\d+(?:,\d{3})*(?:\.\d+)?(?:[eE][-+]?\d+)?")
_WORDS: Final[Mapping[str, float]] = {**NUMBERS, **TIMES, **POWERS, "zero": 0, "dozen": 12}
_UNSAID: Final = frozenset({"one", "once"})
"""Number words that often count nothing: "which one", "once known"."""
_BOUNDS: Final[Mapping[tuple[str, ...], str]] = {
    **{(w, "than"): ">" for w in ("more", "greater", "larger", "higher")},
    **{(w, "than"): "<" for w in ("fewer", "less", "smaller", "lower")},
    **dict.fromkeys((("over",), ("above",), ("exceeding",)), ">"),
    **dict.fromkeys((("under",), ("below",)), "<"),
    **dict.fromkeys((("at", "least"), ("no", "fewer", "than"), ("no", "less", "than")), ">="),
    **dict.fromkeys((("at", "most"), ("up", "to"), ("no", "more", "than"), ("not", "more", "than")), "<="),
    **dict.fromkeys((("exactly",), ("precisely",), ("only",), ("just",)), "="),
}
_BEHIND: Final[Mapping[tuple[str, ...], str]] = {
    ("or", "more"): ">=",
    ("or", "fewer"): "<=",
    ("or", "less"): "<=",
}
_LONGEST: Final = 3
_NEXT: Final = {">": (">=", 1), ">=": (">", -1), "<": ("<=", -1), "<=": ("<", 1)}
"""Another way to write a bound on a count, and by how much its number differs."""
_SOME: Final = frozenset({(">", 0), (">=", 1), ("<>", 0), ("=", 0), ("<", 1), ("<=", 0)})
"""Whether there is any."""
_ALONE: Final = frozenset({("=", 1), ("<=", 1), ("<", 2)})
_ALONE_WORDS: Final = frozenset({"only", "single", "alone", "solely", "just", "exclusively", "one", "once"})
_SEVERAL: Final = frozenset({(">", 1), (">=", 2)})
_SEVERAL_WORDS: Final = frozenset(
    {"several", "multiple", "many", "both", "share", "shares", "shared", "common", "same", "repeatedly"}
    | {"different", "various", "again", "duplicate", "duplicates", "repeated", "pair", "pairs"}
)
_FLAGS: Final = frozenset({0, 1})
"""Numbers that stand for no and yes."""
_ONE_OF: Final = re.compile(
    r"^(?:is|are|was|were|does|do|did|has|have|had)\b"
    r"|\b(?:give|show|name|find|tell|get|list)(?: (?:me|us))? (?:an?|any|one)\b|\b(?:which|what) one\b"
)
"""Words of questions for one of several, and for whether there is one."""
_UNITS: Final = frozenset({7, 24, 60, 100, 365, 1_000, 3_600})
"""By which one unit is put into another."""
_CONSTANTS: Final = frozenset({0, 1, 2, 0.5}) | _UNITS
"""Of means, roots and medians."""
_FACTORS: Final = frozenset({0, 1}) | _UNITS
"""Of what is compared: "twice as large" has to be said."""


@dataclass(frozen=True, slots=True)
class Spoken:
    """A number of a question, and the bound that the words make it: "more than three" is ``>`` 3."""

    value: float
    bound: str = ""
    needed: bool = True
    """Whether a query must hold it."""

    def met_by(self, figures: Sequence[Figure]) -> bool:
        """Whether a number of the query is this one, or bounds a count alike."""
        return any(self._is(f) or self.equals(f) for f in figures)

    def _is(self, figure: Figure) -> bool:
        cuts = figure.place in {Place.LIMIT, Place.LAST_LIMIT, Place.SKIP}
        if figure.place is Place.CONSTANT or (self.bound and cuts):
            return figure.length == self.value > 0
        return figure.value == self.value

    def equals(self, figure: Figure) -> bool:
        """Whether it bounds a count as these words do, in other figures: ``>= 4`` for "more than three"."""
        sign, more = _NEXT.get(self.bound, ("", 0))
        return figure.counts and (figure.operator, figure.value) == (sign, self.value + more)


@dataclass(frozen=True, slots=True)
class Said:
    """The numbers of a question by the places of their words."""

    words: tuple[str, ...]
    numbers: Mapping[int, Spoken]

    @classmethod
    def of(cls, words: Sequence[str]) -> Said:
        """From the words of a question.

        >>> Said.of("papers with more than twenty five results".split()).numbers[4]
        Spoken(value=25, bound='>', needed=True)
        """
        low = tuple(w.lower() for w in words)
        found: dict[int, Spoken] = {}
        for at, word in enumerate(low):
            if at in found or (whole := _number(low, at)) is None:
                continue
            value, length = whole
            bound = _bound(low, at, at + length)
            vague = word in _UNSAID and length == 1 and (not bound or (bound, value) == (">=", 1))
            spoken = Spoken(value, bound, needed=not vague)
            found |= dict.fromkeys(range(at, at + length), spoken)
        return cls(low, found)

    def made_up(self, figure: Figure, figures: Sequence[Figure], rows: int) -> bool:
        """Whether the query's number is nowhere in the question and changes what the query finds.

        ``rows`` are shown: more may be read.
        """
        if any(s.value == figure.value or s.equals(figure) for s in self.numbers.values()):
            return False
        match figure.place:
            case Place.LIMIT:
                return figure.value != 1 and (figure.value <= rows or figure.gathered)
            case Place.LAST_LIMIT | Place.PATH:
                return False
            case Place.SKIP:
                return figure.value != 0
            case Place.INDEX:
                return figure.value not in {0, -1}
            case Place.CONSTANT:
                return figure.value not in _CONSTANTS
            case Place.FACTOR:
                return figure.value not in _FACTORS
            case Place.COMPARED:
                return not self._asked(figure, figures)

    def most(self, figures: Sequence[Figure], rows: int, *, ranked: bool) -> int | None:
        """The rows at which the query is cut off although the question does not say so; None for no such end.

        ``ranked`` is whether the question asks for what comes first.
        """
        one = ranked or _ONE_OF.search(" ".join(self.words)) is not None
        said = {s.value for s in self.numbers.values()}
        ends = [f.value for f in figures if f.place is Place.LAST_LIMIT]
        cut = [int(v) for v in ends if v not in said and v <= rows and not (v == 1 and one)]
        return min(cut, default=None)

    def _asked(self, figure: Figure, figures: Sequence[Figure]) -> bool:
        """Whether words ask for a comparison without its number."""
        test, words = (figure.operator, figure.value), set(self.words)
        if test == ("<>", 0):
            return True
        if not figure.counts:
            return figure.operator in {"=", ""} and figure.value in _FLAGS
        listed = any(f.length == figure.value for f in figures) and figure.operator in {"=", ">="}
        alone, several = words & _ALONE_WORDS, words & _SEVERAL_WORDS
        return (
            listed
            or test in _SOME
            or (test in _ALONE and bool(alone))
            or (test in _SEVERAL and bool(several))
            or (test == ("=", 2) and "both" in words)
        )


def _number(words: Sequence[str], at: int) -> tuple[float, int] | None:
    """The number that begins at a word, with how many words it has."""
    value = _plain(words[at])
    after = words[at + 1] if at + 1 < len(words) else ""
    if words[at] == "half" and words[at + 1 : at + 3] == ("a", "dozen"):
        return 6, 3
    if value is None:
        return None
    if words[at] in NUMBERS and value >= 20 and (ones := NUMBERS.get(after, 99)) < 10:
        return value + ones, 2
    if after in POWERS or after == "dozen":
        return value * _WORDS[after], 2
    return value, 1


def _plain(word: str) -> float | None:
    """The number that one word is."""
    if word in _WORDS:
        return _WORDS[word]
    tens, _, ones = word.partition("-")
    if tens in NUMBERS and NUMBERS[tens] >= 20 and NUMBERS.get(ones, 99) < 10:
        return NUMBERS[tens] + NUMBERS[ones]
    bare = word.removesuffix("%")
    return abs(float(bare.replace(",", ""))) if _DIGITS.fullmatch(bare) else None


def _bound(words: Sequence[str], start: int, end: int) -> str:
    """How the words around a number bound it, as the operator that says so."""
    start -= words[start - 1 : start] == ("a",)
    for length in range(_LONGEST, 0, -1):
        before = tuple(words[max(0, start - length) : start])
        if before in _BOUNDS:
            return _BOUNDS[before]
    return _BEHIND.get(tuple(words[end : end + 2]), "")
