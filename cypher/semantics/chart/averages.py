"""Conditions on a measure: "with an average price over 7", "rated above 4 on average"."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from cypher.semantics.chart.forms import Features, Figured, Predicate, Wanted
from cypher.semantics.chart.phrases import comparison, open_ended
from cypher.semantics.chart.rates import MEASURES, measured
from cypher.semantics.chart.wordlists import FREE
from cypher.semantics.ir import Measure, Operator
from cypher.semantics.score import total

if TYPE_CHECKING:
    from cypher.semantics.chart.parser import Parser

_BEING: Final = FREE | {"is", "are", "was", "were", "of", "being", "which", "that"}
Bounds = tuple[tuple[Operator, float], ...]


def by_figure(p: Parser, at: int) -> Iterator[Predicate]:
    """What a measure over things tied to a thing is compared with, as a condition on it."""
    yield from _named(p, at)
    yield from _on_average(p, at)


def _named(p: Parser, at: int) -> Iterator[Predicate]:
    """ "(With) an average price over 7", "(whose) total quantity is at least 100"."""
    while p.word(at) in FREE:
        at += 1
    measure = MEASURES.get(p.word(at), Measure.COUNT)
    for found in measured(p, at + 1, measure) if measure is not Measure.COUNT else ():
        place = found.end
        while p.word(place) in _BEING:
            place += 1
        for bounds, end in _bounds(p, place):
            limits = tuple(Figured(found.wanted, measure, *x) for x in bounds)
            yield Predicate(end, found.label, limits, total(found.features), found.features)


def _on_average(p: Parser, at: int) -> Iterator[Predicate]:
    """ "(Are) rated above 4 on average", where what ties the things has one number of its own."""
    for lexeme in p.lattice.of(at, "relation"):
        for bounds, end in _bounds(p, lexeme.end):
            if p.lower[end : end + 2] != ("on", "average"):
                continue
            for way in p.ways.of(lexeme.name):
                told = p.vocabulary.schema.relation(way.path[0].type) if way.own else None
                numbers = [
                    x.name
                    for x in (told.properties if told else ())
                    if p.vocabulary.words.properties[way.path[0].type, x.name].numeric
                ]
                if len(numbers) == 1:
                    wanted = Wanted((), way.path[0].type, numbers[0], way.path[0])
                    limits = tuple(Figured(wanted, Measure.AVG, *x) for x in bounds)
                    features: Features = (("c_relation", lexeme.score), ("c_cue", 2.0))
                    yield Predicate(end + 2, way.start, limits, total(features), features)


def _bounds(p: Parser, at: int) -> Iterator[tuple[Bounds, int]]:
    """ "Over 7", "of 7 or more", "between 3 and 4", with where it ends."""
    told = comparison(p.lower, at)
    for number, end in _numbers(p, told.end if told else at) if not (told and told.hint) else ():
        beyond = None if told else open_ended(p.lower, end)
        operator = told.operator if told else beyond[1] if beyond else Operator.EQ
        yield ((operator, number),), beyond[0] if beyond else end
    for low, middle in _numbers(p, at + 1) if p.word(at) in ("between", "from") else ():
        for high, end in _numbers(p, middle + 1) if p.word(middle) in ("and", "to") else ():
            yield ((Operator.GE, low), (Operator.LE, high)), end


def _numbers(p: Parser, at: int) -> Iterator[tuple[float, int]]:
    for lexeme in p.lattice.of(at, "number"):
        if lexeme.number is not None:
            whole = lexeme.number == int(lexeme.number)
            yield int(lexeme.number) if whole else lexeme.number, lexeme.end
