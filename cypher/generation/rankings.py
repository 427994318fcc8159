"""What a superlative asks of the order of a query's rows: by which measure, and from which end.

"The largest branching fraction" begins with the largest value, not with the smallest, and not with the
largest error; "the most papers" with the largest count. What is ranked is read from the words behind the
superlative, else from the rest of the question.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from cypher.generation.effects import Effects, Rank
from cypher.schema_graph import (
    LIMIT,
    VALUE,
    attribute,
    error_attributes,
    strength_attributes,
    valued_relation,
)
from cypher.words import NUMBERS, stems
from schemas.graph_schema import GraphSchema

_NUMERIC: Final = frozenset({"number", "integer"})
_TIME: Final = re.compile(r"year|date|time", re.IGNORECASE)
_LARGE: Final = frozenset(
    {
        "largest",
        "biggest",
        "highest",
        "greatest",
        "longest",
        "heaviest",
        "maximum",
        "maximal",
        "top",
        "dominant",
        "leading",
        "main",
    }
)
_SMALL: Final = frozenset({"smallest", "lowest", "shortest", "lightest", "fewest", "minimum", "minimal"})
_LATE: Final = frozenset({"latest", "newest", "recent", "recently", "last"})
_EARLY: Final = frozenset({"first", "earliest", "oldest"})
_DEGREE: Final = {"most": True, "least": False}
_PRECISE: Final = frozenset({"precise", "precisely", "accurate", "accurately"})
_STRONG: Final = frozenset({"strongest", "tightest", "stringent", "restrictive"})
_OFTEN: Final = frozenset({"often", "frequent", "frequently", "common", "commonly", "number", "count"})
_LIMITS: Final = frozenset({"limit", "limits", "bound", "bounds", "constraint", "constraints"})
_ERRORS: Final = frozenset({"error", "errors", "uncertainty", "uncertainties"})
_PRECISION: Final = frozenset({"precision", "accuracy"})
_SIDES: Final = {"statistical": "stat_", "stat": "stat_", "systematic": "syst_", "syst": "syst_"}
_GRADED: Final = frozenset({"important", "significant", "dominant"})
SUPERLATIVES: Final = _LARGE | _SMALL | _LATE | _EARLY | _DEGREE.keys() | {"best"}
"""Words that rank where they do not begin a name."""
_ENDS: Final = frozenset(
    {
        "of",
        "in",
        "for",
        "on",
        "with",
        "that",
        "which",
        "who",
        "whose",
        "is",
        "are",
        "was",
        "were",
        "has",
        "have",
        "had",
        "do",
        "does",
        "did",
        "by",
        "from",
        "at",
        "among",
        "to",
        "and",
        "or",
    }
)


class Measure(StrEnum):
    """By what rows are ranked."""

    COUNT = "how many there are"
    ERROR = "the total error"
    TIME = "the year"
    SIZE = "the size of the value"
    LIMIT = "the value of the limit"
    NAMED = "the property that is named"
    ANY = "what is asked"


@dataclass(frozen=True, slots=True)
class Measures:
    """Properties of a schema by what they measure."""

    named: Mapping[str, tuple[tuple[str, ...], ...]] = field(default_factory=dict)
    """Stems of the phrases for each numeric property."""
    errors: frozenset[str] = frozenset()
    sizes: frozenset[str] = frozenset()
    """What "large" means where nothing else is said."""
    strengths: frozenset[str] = frozenset()
    """Sizes of relations that hold no measured value."""
    ranks: frozenset[str] = frozenset()
    """Properties whose smallest number stands for the largest thing."""
    times: frozenset[str] = frozenset()
    ages: frozenset[str] = frozenset()
    """Numbers that are larger the earlier something began."""
    limited: bool = False
    """Whether a value may be a limit."""
    fixed: frozenset[tuple[str, ...]] = frozenset()
    """Stems of names that begin with a superlative and rank nothing: "last name"."""
    things: frozenset[str] | None = None
    """Stems of what can be counted; None where all may be. "Most expensive" counts nothing."""

    @classmethod
    def of(cls, schema: GraphSchema) -> Measures:
        """From the types, the roles and the verbalisations of attributes."""
        declared = [a for e in schema.entities for a in e.attributes]
        declared += [a for r in schema.relations for a in r.attributes]
        numeric = [a for a in declared if a.type in _NUMERIC]
        valued = valued_relation(schema)
        others = [r for r in schema.relations if r is not valued]
        strengths = {name for r in others for name in strength_attributes(r)}
        times = {a.name for a in numeric if _TIME.search(a.name)}
        own = {a.name for e in schema.entities for a in e.attributes if a.type in _NUMERIC} - times
        named: dict[str, tuple[tuple[str, ...], ...]] = {}
        for a in numeric:
            phrases = (a.name.replace("_", " "), *a.verbalisations)
            named[a.name] = (*named.get(a.name, ()), *(stems(p.lower()) for p in phrases))
        return cls(
            named=named,
            errors=error_attributes(valued) if valued else frozenset(),
            sizes=frozenset(own | strengths | ({VALUE} if valued else set())),
            strengths=frozenset(strengths),
            ranks=frozenset(
                a.name for r in others for a in r.attributes if a.type == "integer" and a.derived
            ),
            times=frozenset(times),
            limited=valued is not None and attribute(valued, LIMIT) is not None,
        )

    def called(self, words: Sequence[str]) -> frozenset[str]:
        """Properties whose longest phrase is among the words."""
        said = [s for w in words for s in stems(w)]
        found = {
            name: max((len(p) for p in phrases if _within(p, said)), default=0)
            for name, phrases in self.named.items()
        }
        most = max(found.values(), default=0)
        return frozenset(name for name, length in found.items() if length == most and most)


def _within(phrase: Sequence[str], words: Sequence[str]) -> bool:
    return any(tuple(words[i : i + len(phrase)]) == tuple(phrase) for i in range(len(words)))


@dataclass(frozen=True, slots=True)
class Ranking:
    """What rows are to be sorted by, and whether the largest come first."""

    measure: Measure
    descending: bool
    kinds: frozenset[str] = frozenset()
    """Properties (NAMED), or how the property of an error begins (ERROR)."""

    def met(self, effects: Effects, measures: Measures) -> bool:
        """Whether the rows of a query are chosen or sorted so."""
        return any(self._fits(r, measures) and not self._mixed(r, effects, measures) for r in effects.ranks)

    def told(self) -> str:
        """What the query has to do."""
        by = f"{self.measure.value}{': ' if self.kinds else ''}{', '.join(sorted(self.kinds))}"
        said = f"sort by {by}, {'largest' if self.descending else 'smallest'} first, before anything else"
        return said + ("; leave limits out" if self.measure is Measure.SIZE else "")

    def _mixed(self, rank: Rank, effects: Effects, measures: Measures) -> bool:
        """Whether limits stand among the values that are ranked."""
        by_value = self.measure is Measure.SIZE and VALUE in rank.properties
        return by_value and measures.limited and LIMIT not in effects.properties

    def _fits(self, rank: Rank, measures: Measures) -> bool:
        turned = measures.ages if self.measure is Measure.TIME else measures.ranks
        descending = rank.descending is not bool(rank.properties & turned)
        return descending is self.descending and self._measured(rank, measures)

    def _measured(self, rank: Rank, measures: Measures) -> bool:
        known = rank.properties
        match self.measure:
            case Measure.COUNT:
                return rank.counts
            case Measure.ERROR:
                return self._of_errors(known & measures.errors, measures) or bool(known & measures.strengths)
            case Measure.TIME:
                dated = measures.times | measures.ages
                return bool(known & dated) or (not dated and bool(_TIME.search(rank.text)))
            case Measure.LIMIT:
                return VALUE in known
            case Measure.NAMED:
                return bool(known & self.kinds)
            case Measure.SIZE:
                return not rank.counts and (
                    bool(known) and known <= measures.sizes if measures.sizes else not rank.plain
                )
            case Measure.ANY:
                return not rank.plain

    def _of_errors(self, used: frozenset[str], measures: Measures) -> bool:
        """Whether these are the errors that are meant: one kind alone, or all of them."""
        kinds = {name.partition("_")[0] + "_" for name in used}
        if self.kinds:
            return kinds == self.kinds
        split = {"stat_", "syst_"} & {name.partition("_")[0] + "_" for name in measures.errors}
        return bool(kinds) and ("total_" in kinds or split <= kinds)


def rankings(words: Sequence[str], measures: Measures) -> dict[int, Ranking]:
    """What the superlatives among the words of a question ask for, by the places of their words."""
    said = [w.lower() for w in words]
    found: dict[int, Ranking] = {}
    for at, word in enumerate(said):
        if at in found or said[max(0, at - 1) : at] == ["at"] or _is_name(said[at:], measures):
            continue
        behind = _behind(said, at)
        ranking = _ranking(word, behind, said, measures)
        if ranking is not None:
            taken = _FOLLOWERS & set(behind[:1]) | {"number"} & set(behind[:2])
            found |= {at: ranking} | {at + 1 + i: ranking for i, w in enumerate(behind[:2]) if w in taken}
    return found


def _is_name(words: Sequence[str], measures: Measures) -> bool:
    return any(stems(" ".join(words[: len(p)])) == p for p in measures.fixed)


_FOLLOWERS: Final = _PRECISE | _LATE | _STRONG | _OFTEN | _GRADED


def _behind(words: Sequence[str], at: int) -> list[str]:
    """The words of the thing that is ranked: up to the next preposition, verb or mark."""
    found: list[str] = []
    for word in words[at + 1 : at + 8]:
        if word in _ENDS and not (word == "of" and found[-1:] == ["number"]):
            break
        if not any(c.isalnum() for c in word):
            break
        found.append(word)
    return found


def _ranking(word: str, behind: list[str], said: Sequence[str], measures: Measures) -> Ranking | None:
    if word in _LATE | _EARLY:
        return Ranking(Measure.TIME, word in _LATE)
    if word in _DEGREE:
        return _of_degree(behind, said, measures, most=_DEGREE[word])
    if word in _STRONG:
        if _LIMITS & set(behind) or word != "strongest":
            return Ranking(Measure.LIMIT, "lower" in said) if measures.limited else _errors(behind)
        return Ranking(Measure.SIZE, True)
    if word == "best":
        limit = bool(_LIMITS & set(behind))
        return Ranking(Measure.LIMIT, "lower" in said) if limit else Ranking(Measure.ERROR, False)
    if word == "fewest":
        return Ranking(Measure.COUNT, False)
    if word in _LARGE | _SMALL:
        if word == "top":
            return Ranking(Measure.ANY, True)
        return _of_size(behind or [w for w in said if w != word], measures, large=word in _LARGE)
    return None


def _of_degree(behind: list[str], said: Sequence[str], measures: Measures, *, most: bool) -> Ranking:
    """ "most precise", "most recent", "most papers", "the most"."""
    first = next(iter(behind), "")
    if first in _PRECISE:
        return Ranking(Measure.ERROR, not most)
    if first in _LATE:
        return Ranking(Measure.TIME, most)
    if first in _STRONG:
        return Ranking(Measure.LIMIT, ("lower" in said) is most)
    if first in _GRADED:
        return Ranking(Measure.SIZE, most)
    if behind and measures.things is not None and not measures.things & set(stems(first)):
        return Ranking(Measure.COUNT if first in _OFTEN else Measure.ANY, most)
    if first in _OFTEN or behind:
        return Ranking(Measure.COUNT, most)
    return Ranking(Measure.ANY, most)


def _of_size(behind: list[str], measures: Measures, *, large: bool) -> Ranking:
    """ "largest number of papers", "smallest statistical error", "highest confidence level"."""
    said = set(behind)
    if said & {"number", "count"}:
        return Ranking(Measure.COUNT, large)
    if said & _LIMITS and measures.limited:
        return Ranking(Measure.LIMIT, large)
    if said & _PRECISION:
        return Ranking(Measure.ERROR, not large)
    if said & _ERRORS and measures.errors and not said & {"source", "sources"}:
        sides = frozenset(_SIDES[w] for w in behind if w in _SIDES)
        return Ranking(Measure.ERROR, large, sides if len(sides) == 1 else frozenset())
    named = measures.called([w for w in behind if w not in NUMBERS]) - measures.sizes
    if named:
        return Ranking(Measure.NAMED, large, named)
    return Ranking(Measure.SIZE, large)


def _errors(behind: Sequence[str]) -> Ranking:
    sides = frozenset(_SIDES[w] for w in behind if w in _SIDES)
    return Ranking(Measure.ERROR, False, sides)
