"""Values by how often they occur: "the most common motto"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from cypher.semantics.chart.firsts import is_cut
from cypher.semantics.chart.forms import Asked, Features, Loose, Noun, Thing
from cypher.semantics.chart.lexemes import Lexeme
from cypher.semantics.chart.phrases import most_common
from cypher.semantics.chart.wanting import (
    joining,
    measured_property,
    past,
    past_relation,
    property_words,
    wants,
)
from cypher.semantics.chart.wholes import whole
from cypher.semantics.chart.wordlists import COMMANDS, FREE
from cypher.semantics.ir import Head, Measure

if TYPE_CHECKING:
    from cypher.semantics.chart.parser import Parser


def commonest(p: Parser, start: int) -> Iterator[Asked]:
    """ "The 3 most common mottos of songs": values of a property with how often they occur."""
    at = start
    while p.word(at) in COMMANDS | FREE:
        at += 1
    at += p.word(at) in ("top", "first")
    number = next((x for x in p.lattice.of(at, "number") if x.number == int(x.number or 0)), None)
    found = most_common(p.lower, number.end if number else at)
    if found is None:
        return
    for names, end, score in _properties(p, past(p, found[0])):
        many = p.word(end - 1).endswith("s")
        limit = int(number.number or 1) if number else None if many else 1
        for said, more in _owners(p, names, end):
            noun, at_owner = _on_owner(p, said, names)
            wanted, cost = wants(p, noun.thing.label, names)
            cost += at_owner
            if len(wanted) != 1 or noun.wanted or is_cut(noun) or noun.quantity:
                continue
            features = (*property_words(names, score), ("c_bridge", cost), ("c_cue", 2.0), *more)
            for asked in whole(p, noun, Head.COUNT, *features):
                yield replace(
                    asked, head=Head.GROUP, measure=Measure.COUNT, group=wanted[0], limit=limit,
                    descending=found[1],
                )  # fmt: skip


def _properties(p: Parser, at: int) -> Iterator[tuple[tuple[Lexeme, ...], int, float]]:
    """One property, or one behind the label that has it: "crime type"."""
    yield from (x for x in measured_property(p, at) if len(x[0]) == 1)
    for relation in p.lattice.of(at, "relation"):
        for prop in p.lattice.of(relation.end, "property"):
            if relation.name in prop.owners and p.vocabulary.schema.relation(relation.name):
                yield (replace(prop, owners=(relation.name,)),), prop.end, prop.score + relation.score / 2


def _on_owner(p: Parser, noun: Noun, names: tuple[Lexeme, ...]) -> tuple[Noun, float]:
    """ "(the commonest rank) in Lund": what has the property, as that is counted, tied to the noun."""
    owners = [o for o in names[0].owners if p.vocabulary.schema.label(o)]
    if noun.wanted or not owners or noun.thing.label in owners:
        return noun, 0.0
    ways = [
        (cost, Thing(owner, settled))
        for owner in owners
        for settled, cost in p.settler.settle((Loose(noun.thing, "in"),), owner)[:1]
    ]
    if not ways:
        return noun, 0.0
    cost, thing = min(ways, key=lambda x: x[0])
    return replace(noun, thing=thing), cost


def _owners(p: Parser, names: tuple[Lexeme, ...], end: int) -> Iterator[tuple[Noun, Features]]:
    places = [*joining(p, end), *((end + 2,) if p.word(end + 1) in ("in", "among", "of") else ())]
    for place in places:
        yield from ((noun, ()) for noun in p.nouns(place))
    labels: list[str] = []
    for owner in names[0].owners:
        if p.vocabulary.schema.label(owner):
            labels.append(owner)
        elif p.vocabulary.schema.relation(owner):
            labels += [way.start for way in p.ways.of(owner) if way.own and way.forward]
    ends = [end, *(x for owner in names[0].owners for x in past_relation(p, end, owner))]
    for label in dict.fromkeys(labels):
        for stop in dict.fromkeys(ends):
            yield Noun(stop, Thing(label), 0.0), (("c_owner", 0.3 * len(labels)),)
