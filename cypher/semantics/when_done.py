"""When something was done: a relationship's own day, not somebody's birthday."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from cypher.semantics.ir import Head, PropertyRef, Query
from cypher.semantics.lives import holds_day_of_life, speaks_of_lives
from cypher.semantics.mentions import Linked
from cypher.semantics.own_days import WHEN
from cypher.semantics.text import identifier_words
from schemas.store_schema import PropertyType, StoreSchema

_DAYS: Final = ("since", "from", "start", "started", "began", "on", "date", "day", "year", "when", "at")
"""Words of properties that say when a relationship began or was made, likeliest first."""
_MOMENTS: Final = (PropertyType.DATE, PropertyType.DATETIME, PropertyType.INTEGER, PropertyType.STRING)


def when_done(linked: Linked, query: Query, schema: StoreSchema) -> Query:
    """The reading with the day of the deed that is asked for, where it had somebody's birth or death."""
    if not asks_when_done(linked, query):
        return query
    said = _said(linked)
    for i, edge in enumerate(query.edges):
        if set(edge.types) & said and not edge.negated and (name := _day(edge.types, schema)):
            return replace(query, project=(PropertyRef(i, name, on_edge=True),))
    return query


def asks_when_done(linked: Linked, query: Query) -> bool:
    """Whether it is asked when somebody did something, and a birth or a death would be the answer."""
    lives = [r for r in query.project if not r.on_edge and holds_day_of_life(r.name)]
    plain = query.head is Head.LIST and len(query.project) == len(lives) == 1
    spoken = speaks_of_lives({w.lower for w in linked.words})
    tied = any(set(e.types) & _said(linked) for e in query.edges)
    return plain and tied and not spoken and bool(WHEN.search(linked.text))


def _said(linked: Linked) -> frozenset[str]:
    terms = (t for m in (*linked.mentions, *linked.relations) for t in m.terms)
    return frozenset(t.name for t in terms if t.kind == "relation")


def _day(types: tuple[str, ...], schema: StoreSchema) -> str:
    """The property of all of these relationships that says when they began."""
    kinds = [schema.relation(t) for t in types]
    names = [
        {p.name for p in k.properties if p.type in _MOMENTS and not p.many} if k else set() for k in kinds
    ]
    shared = set.intersection(*names) if names else set()
    ranked = sorted((min(map(_DAYS.index, words)), n) for n in shared if (words := _words(n)))
    return ranked[0][1] if ranked else ""


def _words(name: str) -> list[str]:
    return [w for w in identifier_words(name) if w in _DAYS]
