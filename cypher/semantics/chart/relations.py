"""Conditions on properties of relationships, said of the things that they join."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from cypher.semantics.chart.forms import AnyOf, Denied, Extreme, Has, Limit, Predicate, Ranked, Told, Wanted
from cypher.semantics.chart.wanting import past_relation
from cypher.semantics.ir import Measure, Operator
from cypher.semantics.schema_paths import Step

if TYPE_CHECKING:
    from cypher.semantics.chart.parser import Parser

_OPPOSITE: Final = {
    Operator.EQ: Operator.NE,
    Operator.GT: Operator.LE,
    Operator.GE: Operator.LT,
    Operator.LT: Operator.GE,
    Operator.LE: Operator.GT,
    Operator.KNOWN: Operator.UNKNOWN,
    Operator.UNKNOWN: Operator.KNOWN,
}


def on_relation(p: Parser, found: Predicate) -> Iterator[Predicate]:
    """ "A rating above 80": a condition on a relationship as one on the things at either end of it."""
    for way in p.ways.of(found.label):
        if not way.own:
            continue
        limits = [_told(x, way.path[0]) for x in found.limits]
        if all(x is not None for x in limits):
            told = replace(found, label=way.start, limits=tuple(x for x in limits if x is not None))
            for end in (found.end, *past_relation(p, found.end, found.label)):
                yield replace(told, end=end)


def _told(limit: Limit, step: Step) -> Limit | None:
    if isinstance(limit, Has):
        return Told(step, limit)
    if isinstance(limit, Extreme):
        measure = Measure.SUM if limit.added else Measure.MAX if limit.descending else Measure.MIN
        return Ranked(Wanted((), step.type, limit.name, step), measure, limit.descending)
    if isinstance(limit, Denied) and len(limit.limits) == 1 and isinstance(limit.limits[0], Has):
        has = limit.limits[0]
        return (
            Told(step, replace(has, operator=_OPPOSITE[has.operator])) if has.operator in _OPPOSITE else None
        )
    if isinstance(limit, AnyOf):
        values = [group[0] for group in limit.options if len(group) == 1]
        texts = [x.value for x in values if isinstance(x, Has) and x.operator is Operator.EQ]
        if len(texts) == len(limit.options) and isinstance(values[0], Has):
            plain = tuple(t for t in texts if isinstance(t, (str, int, float)))
            return Told(step, Has(values[0].name, Operator.IN, plain))
    return None
