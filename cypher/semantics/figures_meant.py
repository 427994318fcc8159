"""Figures as they are meant: the most "by weight" is no count, and an average per trip is over all trips."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from cypher.semantics.ir import Head, Measure, Order, PropertyRef, Query
from cypher.semantics.mentions import Linked, Mention
from schemas.store_schema import PropertyType, StoreSchema

_NUMERIC: Final = frozenset({PropertyType.INTEGER, PropertyType.FLOAT})
_MOST: Final = frozenset({"most", "least", "fewest"})
_SAYING_TOTAL: Final = frozenset({"total", "combined", "overall", "their", "the", "its"})


def by_figure(linked: Linked, query: Query, schema: StoreSchema) -> Query:
    """The reading ranked by a sum where it counts: "the species caught the most by weight"."""
    order, said = query.order, _behind_by(linked)
    if said is None or order is None or order.count_of is None:
        return query
    found = list(dict.fromkeys(_figures(said, query, schema)))
    if len(found) != 1:
        return query
    told = Order(found[0], descending=order.descending, extreme=order.extreme, measure=Measure.SUM)
    return replace(query, order=told)


def counts_for_figure(linked: Linked, query: Query) -> bool:
    """Whether things are counted though the most "by" a figure is asked for."""
    return _behind_by(linked) is not None and query.order is not None and query.order.count_of is not None


def over_all(query: Query) -> Query:
    """The average over all things where it was one for each: of one thing there is but one figure.

    >>> from cypher.semantics.ir import Measured, Node
    >>> fuel = Measured(Measure.AVG, PropertyRef(0, "fuel"))
    >>> each = Query((Node("Trip"),), head=Head.GROUP, measures=(fuel,), keys=(PropertyRef(0, ""),))
    >>> over_all(each).head, over_all(each).measured
    (<Head.AGGREGATE: 'aggregate'>, PropertyRef(owner=0, name='fuel', on_edge=False, numeric_text=False, \
many=False, day_text=False, iso_text=False, clock=False, sized=False, period=None))
    """
    if query.head is not Head.GROUP or len(query.measures) != 1 or len(query.keys) != 1 or query.order:
        return query
    (measured,), (key,) = query.measures, query.keys
    itself = not (measured.ref.on_edge or key.on_edge or key.name) and measured.ref.owner == key.owner
    if measured.measure is not Measure.AVG or not itself or query.having or query.over or measured.ref.many:
        return query
    return replace(
        query, head=Head.AGGREGATE, measure=Measure.AVG, measured=measured.ref, measures=(), keys=()
    )


def _behind_by(linked: Linked) -> Mention | None:
    """The property behind "the most ... by", at the question's end."""
    words = [w.lower for w in linked.words]
    if not _MOST & set(words) or "by" not in words:
        return None
    at = len(words) - words[::-1].index("by")
    while at < len(words) and words[at] in _SAYING_TOTAL:
        at += 1
    found = next((m for m in linked.mentions if m.start == at), None)
    plain = found is not None and not found.values and any(t.kind == "property" for t in found.terms)
    ends = found is not None and not any(map(str.isalnum, words[found.end :]))
    return found if plain and ends else None


def _figures(said: Mention, query: Query, schema: StoreSchema) -> list[PropertyRef]:
    """The numbers of that name on the relationships and things of a reading, its answer aside."""
    names = {(owner, t.name) for t in said.terms if t.kind == "property" for owner in t.owners}
    edges = [(i, kind, True) for i, e in enumerate(query.edges) for kind in e.types if not e.negated]
    nodes = [(i, n.label, False) for i, n in enumerate(query.nodes) if i not in query.inner | {query.answer}]
    return [
        PropertyRef(i, name, on_edge)
        for i, holder, on_edge in (*edges, *nodes)
        for owner, name in sorted(names)
        if owner == holder and _is_number(holder, name, schema)
    ]


def _is_number(holder: str, name: str, schema: StoreSchema) -> bool:
    known = schema.relation(holder) or schema.label(holder)
    listed = known.properties if known else ()
    return any(p.name == name and p.type in _NUMERIC and not p.many for p in listed)
