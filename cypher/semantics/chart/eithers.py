"""What is said behind either of two: "a theft or an arson at the harbour"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from cypher.semantics.chart.forms import AnyOf, Has, Noun, Thing
from cypher.semantics.ir import Operator

if TYPE_CHECKING:
    from cypher.semantics.chart.parser import Parser


def told_of_either(p: Parser, noun: Noun) -> Iterator[Noun]:
    """Things that may have either value of one property, with what stands behind the last of them."""
    for kind in _folded(noun):
        for modifier in p.modifiers(noun.end):
            yield from p.attach(kind, modifier)


def _folded(noun: Noun) -> Iterator[Noun]:
    """The things as those of one kind, where each is told by its value alone."""
    things = (noun.thing, *noun.either)
    told = [x.limits[0] for x in things if len(x.limits) == 1]
    values = [x for x in told if isinstance(x, Has) and x.operator is Operator.EQ]
    same = len(values) == len(things) > 1 and len({x.name for x in values}) == 1
    if same and not (noun.also or noun.wanted or noun.quantity):
        limit = AnyOf(tuple((x,) for x in values))
        yield replace(noun, thing=Thing(noun.thing.label, (limit,)), either=(), named=False)
