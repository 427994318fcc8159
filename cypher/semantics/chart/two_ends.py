"""Things with two ends of one kind: "calls between Ann and Ben", "flights between Oslo and Lund"."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import TYPE_CHECKING, Final

from cypher.semantics.chart.forms import AnyOf, Features, Linked, Noun, Predicate, Thing
from cypher.semantics.schema_paths import Path, Step
from cypher.semantics.score import total

if TYPE_CHECKING:
    from cypher.semantics.chart.parser import Parser

CUE: Final = 2.0
"""What speaks for two ends where a kind has just two relations to one other."""


def between_two(p: Parser, at: int) -> Iterator[Predicate]:
    """ "Between Ann and Ben": one at either end, whichever way round."""
    if p.word(at) != "between":
        return
    for first in filter(_is_plain, p.nouns(at + 1)):
        for second in filter(_is_plain, p.nouns(first.end + 1)) if p.word(first.end) == "and" else ():
            for label, ends in _two_ended(p):
                yield from _both(p, label, ends, first, second)


def _is_plain(noun: Noun) -> bool:
    return not (noun.quantity or noun.wanted or noun.also or noun.either)


def _two_ended(p: Parser) -> Iterator[tuple[str, tuple[Step, Step]]]:
    """Labels with just two types of relationship to another label."""
    triples = sorted((t.start, t.end, t.type) for t in p.vocabulary.schema.triples if t.start != t.end)
    for (start, end), group in groupby(triples, key=lambda t: t[:2]):
        types = [kind for *_, kind in group]
        if len(types) == 2:
            yield start, (Step(types[0], True, end), Step(types[1], True, end))


def _both(p: Parser, label: str, ends: tuple[Step, Step], first: Noun, second: Noun) -> Iterator[Predicate]:
    for one, cost in _at_end(p, ends[0].to, first):
        for other, more in _at_end(p, ends[0].to, second):
            here, there = ((step,) for step in ends)
            ways = tuple((Linked(a, one), Linked(b, other)) for a, b in ((here, there), (there, here)))
            features: Features = (
                *first.features,
                *second.features,
                ("c_cue", CUE),
                ("c_bridge", cost + more),
            )
            yield Predicate(second.end, label, (AnyOf(ways),), total(features), features)


def _at_end(p: Parser, label: str, noun: Noun) -> Iterator[tuple[Thing, float]]:
    """The noun as a thing at one end: itself, or what is tied to it, with what that costs."""
    bridges: tuple[tuple[Path, float], ...] = p.ways.bridges(label, noun.thing.label)
    for path, cost in bridges[:1]:
        yield (Thing(label, (Linked(path, noun.thing),)) if path else noun.thing), cost
