"""Nouns with a year in front: "a 1995 car", "1995 Kestrels"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from cypher.semantics.chart.forms import Features, Has, Noun
from cypher.semantics.ir import Operator
from cypher.semantics.score import total

if TYPE_CHECKING:
    from cypher.semantics.chart.parser import Parser

EARLIEST: Final = 1500
LATEST: Final = 2100


def of_year(p: Parser, at: int, begin: Features) -> Iterator[Noun]:
    """Things with a property for a year, of the year named in front of them."""
    for number in p.lattice.of(at, "number"):
        year = number.number or 0.0
        if not EARLIEST <= year <= LATEST or year != int(year) or not p.word(at).isdigit():
            continue
        for core in p.cores(number.end):
            info = p.settler.property_for(core.thing.label, "", is_year=True)
            if info is None or core.quantity or core.wanted or core.thing.label == "":
                continue
            more: Features = (*begin, ("c_cue", 1.5))
            thing = core.thing.plus(Has(info.name, Operator.EQ, int(year)))
            yield replace(
                core, thing=thing, score=core.score + total(more), features=more + core.features, bare=False
            )
