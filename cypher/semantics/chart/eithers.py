"""What is said behind either of two: "a theft or an arson at the harbour"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from cypher.semantics.chart.forms import AnyOf, Features, Has, Noun, Thing, Wanted
from cypher.semantics.ir import Operator

if TYPE_CHECKING:
    from cypher.semantics.chart.parser import Parser


def told_of_either(p: Parser, noun: Noun) -> Iterator[Noun]:
    """Things that may have either value of one property, with what stands behind the last of them."""
    for kind in _folded(noun):
        for modifier in p.modifiers(noun.end):
            yield from p.attach(kind, modifier)


def which_of(p: Parser, subject: Noun) -> Iterator[tuple[Noun, Features]]:
    """ "(Was) the raid a theft or an arson": what asks which of the values it has, not whether any."""
    if subject.wanted or p.word(subject.end) == "either":
        return
    for other in p.nouns(subject.end):
        values = _values(other)
        names = {x.name for x in values}
        if len(values) > 1 and len(names) == 1 and other.thing.label == subject.thing.label:
            wanted = (Wanted((), subject.thing.label, values[0].name),)
            said: Features = (*other.features, ("c_main", 1.0), ("c_cue", 4.0))
            yield replace(subject, end=other.end, wanted=wanted, quantity=None), said


def _values(noun: Noun) -> list[Has]:
    """The values of one property that each of several things is told by alone; else none."""
    things = (noun.thing, *noun.either)
    told = [x.limits[0] for x in things if len(x.limits) == 1]
    values = [x for x in told if isinstance(x, Has) and x.operator is Operator.EQ]
    alike = len(values) == len(things) and len({x.name for x in values}) == 1
    return values if alike and not (noun.also or noun.wanted or noun.quantity) else []


def _folded(noun: Noun) -> Iterator[Noun]:
    """The things as those of one kind, where each is told by its value alone."""
    if len(values := _values(noun)) > 1:
        limit = AnyOf(tuple((x,) for x in values))
        yield replace(noun, thing=Thing(noun.thing.label, (limit,)), either=(), named=False)
