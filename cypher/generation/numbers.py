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
from cypher.generation.bounds import OPPOSITE, bound_of, is_year, says
from cypher.generation.figures import Figure, Place
from cypher.semantics.spoken_numbers import POWERS
from cypher.word_lists import NUMBERS

_DIGITS: Final = re.compile(r"[-+]?\d+(?:,\d{3})*(?:\.\d+)?(?:[eE][-+]?\d+)?")
_WORDS: Final[Mapping[str, float]] = {**NUMBERS, **TIMES, **POWERS, "zero": 0, "dozen": 12}
_UNSAID: Final = frozenset({"one", "once"})
"""Number words that often count nothing: "which one", "once known"."""
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
_WHETHER: Final = re.compile(r"(?:is|are|was|were|does|do|did|has|have|had)\b")
_FIRST: Final = re.compile(
    r"\b(?!(?:interest|request|forest|harvest|contest|protest|suggest|digest|manifest|conquest|invest|honest"
    r"|arrest|priest|modest)s?\b)\w{3,}est\b"
    r"|(?<!\bat )\b(?:most|least)\b"
    r"|\b(?:worst|best|first|last|top|final|second|third|maximum|minimum)\b"
)
"""Words of questions for what comes first, also those that rank by nothing known: "cheapest"."""
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
    denied: bool = False
    """Whether the bound stands behind a denial: "no value above 3" may be written as ``<= 3``."""
    year: bool = False
    """Whether it stands where a year does, so that it is no number of things."""

    def met_by(self, figures: Sequence[Figure]) -> bool:
        """Whether a number of the query is this one, under the bound that is said."""
        return any(self.is_in(f) for f in figures)

    def is_in(self, figure: Figure) -> bool:
        """Whether a number of the query is this one: ``> 3`` or ``>= 4`` for "more than three" things."""
        cuts = figure.place in {Place.LIMIT, Place.LAST_LIMIT, Place.SKIP}
        if figure.place is Place.CONSTANT or (self.bound and cuts):
            return figure.length == self.value > 0
        if self.year and (cuts or figure.counts):
            return False
        if figure.place is not Place.COMPARED or figure.built:
            return figure.value == self.value
        alone = (self.bound, self.value) == ("=", 1) and figure.counts
        return (alone and (figure.operator, figure.value) in _ALONE) or any(
            says(bound, self.value, figure.operator, figure.value, whole=figure.whole)
            for bound in self._bounds()
        )

    def bounds(self, figures: Sequence[Figure]) -> bool:
        """Whether a comparison holds it under its bound, so that the words of the bound are honoured."""
        return any(self.is_in(f) for f in figures if f.place is Place.COMPARED and not f.built)

    def told(self) -> str:
        """The comparison that is asked for; empty for a number without a bound."""
        return f"compare with {self.bound} {self.value:g}" if self.bound else ""

    def _bounds(self) -> tuple[str, ...]:
        return (self.bound, OPPOSITE[self.bound]) if self.denied and self.bound else (self.bound,)


@dataclass(frozen=True, slots=True)
class Said:
    """The numbers of a question by the places of their words."""

    words: tuple[str, ...]
    numbers: Mapping[int, Spoken]
    around: Mapping[int, Spoken]
    """By the places of the words that bound them: "more than"."""

    @classmethod
    def of(cls, words: Sequence[str]) -> Said:
        """From the words of a question.

        >>> Said.of("papers with more than twenty five results".split()).numbers[4]
        Spoken(value=25, bound='>', needed=True, denied=False, year=False)
        """
        low = tuple(w.lower() for w in words)
        found: dict[int, Spoken] = {}
        around: dict[int, Spoken] = {}
        for at, word in enumerate(low):
            if at in found or (whole := _number(low, at)) is None:
                continue
            value, length = whole
            bound = bound_of(low, at, at + length)
            vague = word in _UNSAID and length == 1 and (not bound.sign or (bound.sign, value) == (">=", 1))
            spoken = Spoken(value, bound.sign, not vague, bound.denied, is_year(low, at))
            found |= dict.fromkeys(range(at, at + length), spoken)
            around |= dict.fromkeys(bound.places, spoken)
        return cls(low, found, around)

    def made_up(self, figure: Figure, figures: Sequence[Figure], rows: int, *, ranked: bool = False) -> bool:
        """Whether the query's number is nowhere in the question and changes what the query finds.

        ``rows`` are shown: more may be read. ``ranked`` is whether the question asks for what comes first. A
        number that is said with another bound is left out rather than made up.
        """
        if any(s.is_in(figure) or (s.needed and s.value == figure.value) for s in self.numbers.values()):
            return False
        match figure.place:
            case Place.LIMIT if figure.value == 1:
                return not self._asks_for_one(figure, figures, ranked=ranked)
            case Place.LIMIT:
                return figure.value <= rows or figure.gathered
            case Place.LAST_LIMIT | Place.PATH:
                return False
            case Place.SKIP:
                return figure.value != 0
            case Place.INDEX:
                first = figure.value in {0, -1}
                return not first or not self._asks_for_one(figure, figures, ranked=ranked)
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

    def _asks_for_one(self, figure: Figure, figures: Sequence[Figure], *, ranked: bool) -> bool:
        """Whether the question is answered by one of several, and what is left out is not counted."""
        text = " ".join(self.words)
        if figure.cut:
            compared = [(f.operator, f.value) in _SOME for f in figures if f.counts]
            return _WHETHER.match(text) is not None and bool(compared) and all(compared)
        return ranked or any(p.search(text) for p in (_ONE_OF, _FIRST))

    def _asked(self, figure: Figure, figures: Sequence[Figure]) -> bool:
        """Whether words ask for a comparison without its number."""
        test, words = (figure.operator, figure.value), set(self.words)
        if test == ("<>", 0):
            return True
        if not figure.counts:
            return figure.operator in {"=", "<>", ""} and figure.value in _FLAGS
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
