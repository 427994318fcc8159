"""Readings whose largest and smallest values are told by what is stored, text as text."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

from cypher.semantics.ir import Clause, Head, Measure, Order, Part, PropertyRef, Query, edge_of
from schemas.store_schema import PropertyType, StoreSchema

_EXTREMES = (Measure.MIN, Measure.MAX)
_Ref = TypeVar("_Ref", PropertyRef, PropertyRef | None)


def as_stored(query: Query) -> Query:
    """``query`` with plain sort keys: numbers and days in a text are ordered like any other text.

    >>> from cypher.semantics.ir import Node, Order
    >>> day = PropertyRef(0, "date", day_text=True)
    >>> newest = as_stored(Query((Node("Crime"),), order=Order(day)))
    >>> newest.order.ref == PropertyRef(0, "date")
    True

    "The latest date" is that of the first of all by date, as a plain ``ORDER BY`` finds it.

    >>> latest = Query((Node("Crime"),), head=Head.AGGREGATE, measure=Measure.MAX, measured=day)
    >>> as_stored(latest).head, as_stored(latest).order.descending
    (<Head.LIST: 'list'>, True)
    """
    ref = query.measured
    own = ref is not None and not ref.on_edge and ref.owner == query.answer
    if ref and own and query.head is Head.AGGREGATE and query.measure in _EXTREMES:
        first = Order(ref, descending=query.measure is Measure.MAX, extreme=True)
        query = replace(query, head=Head.LIST, project=(ref,), order=first, measure=None, measured=None)
    order, measured = query.order, query.measured
    if order is not None and order.measure in (None, *_EXTREMES):
        order = replace(order, ref=_plain(order.ref))
    if query.measure in _EXTREMES:
        measured = _plain(measured)
    measures = tuple(replace(m, ref=_plain(m.ref)) if m.measure in _EXTREMES else m for m in query.measures)
    clauses = tuple(_clause(c) for c in query.clauses)
    return replace(query, order=order, measured=measured, measures=measures, clauses=clauses)


def _plain(ref: _Ref) -> _Ref:
    return replace(ref, numeric_text=False, day_text=False, iso_text=False) if ref is not None else ref


def _clause(clause: Clause) -> Clause:
    parts = tuple(_part(p) for p in clause.parts)
    ref = _plain(clause.ref) if clause.measure in (None, *_EXTREMES) else clause.ref
    return replace(clause, parts=parts, ref=ref)


def _part(part: Part) -> Part:
    return replace(part, clauses=tuple(_clause(c) for c in part.clauses))


def is_temporal(query: Query, ref: PropertyRef, schema: StoreSchema) -> bool:
    """Whether a property holds days, or moments, as a type of their own."""
    return type_of(query, ref, schema) in (PropertyType.DATE, PropertyType.DATETIME)


def type_of(query: Query, ref: PropertyRef, schema: StoreSchema) -> PropertyType | None:
    """The type of a property, where the schema has it."""
    if ref.on_edge:
        ties = [schema.relation(kind) for kind in edge_of(query, ref).types]
        found = [p for x in ties if x for p in x.properties if p.name == ref.name]
    else:
        label = schema.label(query.nodes[ref.owner].label)
        found = [p for p in label.properties if p.name == ref.name] if label else []
    return found[0].type if found else None
