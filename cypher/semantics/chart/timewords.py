"""Words of time that go with a property: "release year", "year of birth", "which year"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from cypher.semantics.cues import FLIPPED
from cypher.semantics.text import identifier_words
from schemas.store_schema import PropertyType

if TYPE_CHECKING:
    from cypher.semantics.chart.lexemes import Lattice, Lexeme
    from cypher.semantics.lexicon import PropertyInfo

_HEADS: Final = frozenset({"year", "years", "date", "dates"})
_YEARS: Final = frozenset({"year", "years"})
_TELLING: Final = frozenset({"each", "every", "per", "which", "what", "same", "top", "by"})
"""Words before "year" that make it a property that things are told apart by."""
HEADED: Final = 0.3
"""What the word for the kind of property adds to its score."""


def headed(lattice: Lattice) -> Iterator[tuple[int, Lexeme]]:
    """Properties with a word of time that says no more than what they are, by where they start."""
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


def holds_year(info: PropertyInfo) -> bool:
    """Whether a property holds a year as a number."""
    return info.type is PropertyType.INTEGER and bool(FLIPPED & set(identifier_words(info.name)))


def years(lattice: Lattice, known: Sequence[PropertyInfo]) -> Iterator[tuple[int, PropertyInfo]]:
    """Where "year" stands for the properties that hold one."""
    for at, word in enumerate(lattice.lower):
        if word not in _YEARS or lattice.at(at):
            continue
        before = lattice.lower[at - 1] if at else ""
        if before in _TELLING or before.isdigit():
            yield from ((at, info) for info in known)
