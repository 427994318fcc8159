"""Things counted by a participle in front of them: "who has the most directed films"."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from cypher.semantics.chart.forms import Features, Predicate
from cypher.semantics.chart.quantities import quantified
from cypher.semantics.chart.wanting import is_participle, quantities
from cypher.semantics.score import total

if TYPE_CHECKING:
    from cypher.semantics.chart.parser import Parser

_WITHOUT: Final = frozenset({"none", "only"})


def done_ones(p: Parser, at: int) -> Iterator[Predicate]:
    """ "(Has) the most directed films", "(with) three written books": tied by the participle's relation."""
    for end, quantity in quantities(p, at):
        if quantity.kind in _WITHOUT or not is_participle(p.word(end)) or p.lattice.of(end, "value"):
            continue
        for lexeme in p.lattice.of(end, "relation"):
            for noun in p.cores(lexeme.end):
                if noun.wanted or noun.quantity or noun.named:
                    continue
                more: Features = (*noun.features, ("c_relation", lexeme.score), ("c_cue", 2.0))
                for way in p.ways.of(lexeme.name):
                    if way.own and way.end == noun.thing.label and way.forward:
                        limit = quantified(way.path, noun.thing, quantity)
                        yield Predicate(noun.end, way.start, (limit,), total(more), more)
