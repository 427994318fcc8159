"""Days of relationships: "when was Ann's ship based at Hull", "since when has Ann mentored Ben"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from cypher.semantics.chart.auxiliaries import auxiliary
from cypher.semantics.chart.dated_ties import ENDS, days_of
from cypher.semantics.chart.forms import Asked, Linked, Noun, Wanted
from cypher.semantics.chart.wholes import whole
from cypher.semantics.ir import Head

if TYPE_CHECKING:
    from cypher.semantics.chart.parser import Parser

SAID: Final = 0.9
"""Score of a relationship's own day behind "when"."""


def lasting(p: Parser, at: int) -> Iterator[Asked]:
    """ "Since when has Ann mentored Ben", "until when was it lent to her"."""
    if p.word(at) in ENDS and p.word(at + 1) == "when":
        yield from days_asked(p, auxiliary(p, at + 2).end, p.word(at))


def days_asked(p: Parser, at: int, end: str = "") -> Iterator[Asked]:
    """ "(When was) the ship based at Hull": what the relationship itself says of when it was."""
    for told in _clauses(p, at):
        for limit in told.last:
            if isinstance(limit, Linked) and len(limit.path) == 1:
                step = limit.path[0]
                for info in days_of(p.vocabulary, step.type, end)[:1]:
                    done = replace(told, wanted=(Wanted((), step.type, info.name, step),))
                    yield from whole(p, done, Head.LIST, ("c_main", 1.0), ("c_property", SAID))


def _clauses(p: Parser, at: int) -> Iterator[Noun]:
    """Subjects with what a verb that names a relation says of them."""
    for noun in p.nouns(at):
        if noun.wanted or noun.quantity or noun.also or noun.either:
            continue
        for predicate in p.predicates(noun.end):
            if any(name == "c_relation" for name, _ in predicate.features):
                yield from p.attach(noun, predicate)
