"""Who does something to one, as what one has: "(makers who) have a teacher", "had a mentor"."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from cypher.semantics.chart.forms import Features, Limit, Linked, Predicate, Thing
from cypher.semantics.chart.wordlists import FREE
from cypher.semantics.score import total

if TYPE_CHECKING:
    from cypher.semantics.chart.parser import Parser


def had_doers(p: Parser, at: int) -> Iterator[Predicate]:
    """ "(Has) a teacher": tied by what such people do, where they are of the same kind as who has them."""
    while p.word(at) in FREE:
        at += 1
    for lexeme in p.lattice.of(at, "agent"):
        for way in p.ways.of(lexeme.name):
            if way.own and way.start == way.end and way.forward == (lexeme.side == 1):
                features: Features = (("c_relation", lexeme.score), ("c_have", 1.0))
                limits: tuple[Limit, ...] = (Linked(p.ways.back(way.path, way.start), Thing(way.start)),)
                yield Predicate(lexeme.end, way.end, limits, total(features), features)
