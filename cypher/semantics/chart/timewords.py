"""Words of time that go with a property: "release year", "year of birth", "which year"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from cypher.semantics.chart.lexemes import Lattice, Lexeme
from cypher.semantics.cues import FLIPPED
from cypher.semantics.text import identifier_words
from schemas.store_schema import PropertyType

if TYPE_CHECKING:
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
        if word not in _YEARS or lattice.at(at):
            continue
        before = lattice.lower[at - 1] if at else ""
        if before in _TELLING or before.isdigit():
            for info in (x for x in known if x.owner in lattice.said):
                yield at, Lexeme("property", at + 1, 0.8, info.name, (info.owner,))
