"""Tied in any way: "who is connected to the film" asks for whatever ties people to films."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from cypher.semantics.ir import Clause, Edge, Part, Query
from cypher.semantics.mentions import Linked
from schemas.store_schema import StoreSchema

_ANYHOW: Final = frozenset(
    {
        *("connected", "linked", "related", "associated", "involved", "affiliated", "attached"),
        *("connection", "connections", "relationship", "relationships", "involvement", "association"),
    }
)


def connected(linked: Linked, query: Query, schema: StoreSchema) -> Query:
    """The reading with every type of relationship where a question says only that things are connected.

    Where it speaks of any type, or the word itself is one of the schema's, the reading stays as it is.
    """
    said = [i for i, w in enumerate(linked.words) if w.lower in _ANYHOW]
    named = {i for m in linked.mentions if m.terms for i in range(m.start, m.end)}
    if not said or linked.relations or named.intersection(said):
        return query
    edges = tuple(_any_type(e, query, schema) for e in query.edges)
    return replace(query, edges=edges, clauses=tuple(_clause(c, query, schema) for c in query.clauses))


def _clause(clause: Clause, query: Query, schema: StoreSchema) -> Clause:
    return replace(clause, parts=tuple(_part(p, query, schema) for p in clause.parts))


def _part(part: Part, query: Query, schema: StoreSchema) -> Part:
    edges = tuple(_any_type(e, query, schema) for e in part.edges)
    clauses = tuple(_clause(c, query, schema) for c in part.clauses)
    return replace(part, edges=edges, clauses=clauses)


def _any_type(edge: Edge, query: Query, schema: StoreSchema) -> Edge:
    ends = query.nodes[edge.start].label, query.nodes[edge.end].label
    types = tuple(dict.fromkeys(t.type for t in schema.triples if (t.start, t.end) == ends))
    return replace(edge, types=types) if set(edge.types) < set(types) else edge
