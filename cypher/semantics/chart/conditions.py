"""Conditions told as sentences of their own: "... where the age is above 60 and the case ended in Lund"."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from cypher.semantics.chart.forms import Features, Has, Limit, Loose, Predicate, Thing
from cypher.semantics.chart.settle import WHERE
from cypher.semantics.chart.wordlists import FREE
from cypher.semantics.score import total
from cypher.semantics.values import SENTENCE

if TYPE_CHECKING:
    from cypher.semantics.chart.parser import Parser

MOST_TOLD: Final = 6
MOST_CLAUSES: Final = 4


def told(p: Parser, at: int) -> Iterator[Predicate]:
    """Clauses behind "where", joined by "and"; each may name what it is laid on, or a thing tied to it."""
    stack = [(first, 1) for first in _one(p, at)]
    while stack:
        clause, size = stack.pop()
        yield clause
        after = clause.end
        while p.word(after) in (",", "and"):
            after += 1
        if size == MOST_CLAUSES or after == clause.end:
            continue
        for other in _one(p, after + (p.word(after) == WHERE)):
            features = (*clause.features, *other.features, ("c_and", 1.0))
            limits = (*_freed(clause), *_freed(other))
            stack.append((Predicate(other.end, "", limits, total(features), features), size + 1))


def _freed(clause: Predicate) -> tuple[Limit, ...]:
    """What is said of things of one label, as a tie to such a thing."""
    if not clause.label:
        return clause.limits
    return (Loose(Thing(clause.label, clause.limits), WHERE),)


def _one(p: Parser, at: int) -> list[Predicate]:
    found = [*_of_property(p, at), *_of_thing(p, at)]
    return sorted(found, key=lambda c: -c.score)[:MOST_TOLD]


def _of_property(p: Parser, at: int) -> Iterator[Predicate]:
    """ "(where) the age is above 60", "the case's age is above 60"."""
    yield from p.limits(at)
    while p.word(at) in FREE | {"their", "its", "his", "her"}:
        at += 1
    for noun in p.cores(at):
        after = noun.end + (p.word(noun.end) == "'")
        if not noun.bare or noun.thing.limits or not p.possessive(noun.end):
            continue
        for limit in p.limits(after):
            if limit.label in ("", noun.thing.label):
                features: Features = (*noun.features, *limit.features)
                yield Predicate(limit.end, noun.thing.label, limit.limits, total(features), features)


def _of_thing(p: Parser, at: int) -> Iterator[Predicate]:
    """ "(where) the case ended in Lund": the same sort of thing, or one tied to it, named anew."""
    for noun in p.cores(at):
        if noun.wanted or noun.quantity or noun.also or noun.either:
            continue
        if noun.end - at >= SENTENCE and all(isinstance(x, Has) for x in noun.thing.limits):
            yield Predicate(noun.end, noun.thing.label, noun.thing.limits, noun.score, noun.features)
        for predicate in p.predicates(noun.end):
            for longer in p.attach(noun, predicate):
                yield Predicate(
                    longer.end, noun.thing.label, longer.thing.limits, longer.score, longer.features
                )
