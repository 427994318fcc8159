"""Words of time that go with a property: "release year", "year of birth", "which year"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from cypher.semantics.chart.lexemes import Lattice, Lexeme
from cypher.semantics.cues import FLIPPED
from cypher.semantics.kept_as import is_kept_as_day
from cypher.semantics.numbers import hinted, tells_end
from cypher.semantics.text import identifier_words, stem
from schemas.store_schema import PropertyType

if TYPE_CHECKING:
    from cypher.semantics.chart.lexemes import Vocabulary
    from cypher.semantics.lexicon import PropertyInfo

_HEADS: Final = frozenset({"year", "years", "date", "dates"})
_YEARS: Final = frozenset({"year", "years"})
_TELLING: Final = frozenset({"each", "every", "per", "which", "what", "same", "top", "by"})
"""Words before "year" that make it a property that things are told apart by."""
HEADED: Final = 0.3
"""What the word for the kind of property adds to its score."""


def add_times(lattice: Lattice, known: Sequence[PropertyInfo]) -> None:
    """Adds properties said with a word of time, and those ``known`` to hold a year for the word alone."""
    for at, lexeme in [*_headed(lattice), *_years(lattice, known)]:
        lattice.add(at, lexeme)


def holds_year(info: PropertyInfo) -> bool:
    """Whether a property holds a year as a number."""
    return info.type is PropertyType.INTEGER and bool(FLIPPED & set(identifier_words(info.name)))


def years_known(vocabulary: Vocabulary) -> tuple[PropertyInfo, ...]:
    """Properties of things that hold a year, and days of others, those first that they are dated by."""
    infos = vocabulary.words.properties.values()
    out = []
    for label in vocabulary.schema.labels:
        own = [x for x in infos if x.owner == label.name]
        days = [x for x in own if is_kept_as_day(x)]
        main = hinted(days, "date")
        out += [x for x in own if holds_year(x)] or sorted(
            days, key=lambda x: (x is not main, tells_end(x.name))
        )
    return tuple(out)


def _is_said_of(lattice: Lattice, at: int) -> bool:
    """Whether a word has a meaning for what is spoken of; a ``year`` of other things is none."""
    own = (set(x.owners) & lattice.said for x in lattice.of(at, "property"))
    return any(own) or any(x.kind != "property" for x in lattice.at(at))


def _dated_by(lattice: Lattice, known: Sequence[PropertyInfo]) -> Iterator[PropertyInfo]:
    """Of each thing spoken of its years, or the day that is meant: the ``shippedDate`` of what shipped."""
    said = {stem(w) for w in lattice.lower}
    for owner in dict.fromkeys(x.owner for x in known if x.owner in lattice.said):
        own = [x for x in known if x.owner == owner]
        if holds_year(own[0]):
            yield from own
        else:
            kind = {stem(w) for w in identifier_words(owner)}
            named = (x for x in own if {stem(w) for w in identifier_words(x.name)} & said - kind)
            yield next(named, own[0])


def _headed(lattice: Lattice) -> Iterator[tuple[int, Lexeme]]:
    """ "Release year", "year of birth": the word of time says no more than what the property is."""
    for at, word in enumerate(lattice.lower):
        if word not in _HEADS or lattice.of(at, "property"):
            continue
        for before in range(max(0, at - 3), at):
            for x in lattice.of(before, "property"):
                if x.end == at:
                    yield before, replace(x, end=at + 1, score=x.score + HEADED)
        if lattice.lower[at + 1 : at + 2] == ("of",):
            for x in lattice.of(at + 2, "property"):
                yield at, replace(x, score=x.score + HEADED)


def _years(lattice: Lattice, known: Sequence[PropertyInfo]) -> Iterator[tuple[int, Lexeme]]:
    """Years of what is spoken of: flights "per year" are not told apart by when their pilots were born."""
    for at, word in enumerate(lattice.lower):
        if word not in _YEARS or _is_said_of(lattice, at):
            continue
        before = lattice.lower[at - 1] if at else ""
        if before in _TELLING or before.isdigit():
            for info in _dated_by(lattice, known):
                yield at, Lexeme("property", at + 1, 0.8, info.name, (info.owner,))
