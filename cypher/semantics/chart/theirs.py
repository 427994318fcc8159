"""Whom or what one has, by a relation's noun: "(has) siblings", "(has) the most owners named Ann"."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from cypher.semantics.chart.forms import Features, Linked, Noun, Predicate
from cypher.semantics.chart.owners import mutual
from cypher.semantics.chart.quantities import quantified
from cypher.semantics.chart.wanting import quantities
from cypher.semantics.chart.wordlists import TIES
from cypher.semantics.score import total

if TYPE_CHECKING:
    from cypher.semantics.chart.parser import Parser


def had_of_theirs(p: Parser, at: int) -> Iterator[Predicate]:
    """ "(Has) siblings", "(has) friends who live in Lund": whom somebody has by a relation's noun."""
    for found in p.owned(at):
        owned = mutual(p, at, found)
        had_alone = p.ways.owning(owned.path) and owned.path[0].forward
        if owned.thing.limits or (had_alone and p.word(owned.end + 1) not in ("a", "an")):
            kind = (*owned.features, ("c_have", 1.0))
            yield Predicate(found.end, found.owner, (Linked(found.path, found.thing),), total(kind), kind)
        first = Noun(owned.end, owned.thing, owned.score, owned.features)
        tie: Features = (("c_second", 1.0),) if p.word(owned.end - 1) in TIES else ()
        for modifier in p.modifiers(owned.end):
            for noun in p.attach(first, modifier, *tie):
                linked = Linked(owned.path, noun.thing)
                yield Predicate(noun.end, owned.owner, (linked,), noun.score, noun.features)


def counted_of_theirs(p: Parser, at: int) -> Iterator[Predicate]:
    """ "(Has) more than three friends", "(has) the fewest owners named Ann"."""
    for end, quantity in quantities(p, at):
        for owned in p.owned(end):
            bare = Noun(owned.end, owned.thing, owned.score, owned.features)
            told = (noun for found in p.modifiers(owned.end) for noun in p.attach(bare, found))
            for noun in (bare, *told):
                features: Features = (*noun.features, ("c_cue", 1.0))
                limit = quantified(owned.path, noun.thing, quantity)
                yield Predicate(noun.end, owned.owner, (limit,), total(features), features)
