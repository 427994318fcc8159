"""Relationships that hold both ways whichever way they are kept: whoever is married is so to somebody."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from cypher.semantics.ir import Clause, Edge, Part, Query
from cypher.semantics.text import identifier_words
from schemas.store_schema import StoreSchema

MUTUAL: Final = frozenset(
    {
        *("married", "spouse", "wed", "engaged", "divorced", "dating", "dated", "partner", "partners"),
        *("sibling", "siblings", "twin", "twins", "cousin", "cousins", "roommate", "roommates", "flatmate"),
        *("friend", "friends", "colleague", "colleagues", "classmate", "classmates", "coauthor", "coworker"),
        *("neighbour", "neighbours", "neighbor", "neighbors", "borders", "bordering", "adjacent"),
        *("brother", "brothers", "sister", "sisters", "rival", "rivals", "teammate", "teammates"),
        *("connected", "connects", "linked", "joined", "adjoins", "meets"),
    }
)
"""Words of relationship types between things of one label that are true of both of them alike."""


def mutual(query: Query, schema: StoreSchema) -> Query:
    """The reading with relationships that hold both ways, by the words of their types, read either way.

    Not where pairs are listed: each of them would be there twice.

    >>> from cypher.semantics.ir import Node
    >>> two, empty = (Node("Person"), Node("Person")), StoreSchema()
    >>> [mutual(Query(two, (Edge(0, 1, (x,)),)), empty).edges[0].both for x in ("MARRIED_TO", "FOLLOWS")]
    [True, False]
    """
    listed = {query.answer, *(r.owner for r in query.project if not r.on_edge)}
    edges = tuple(e if {e.start, e.end} <= listed else _either(e, query, schema) for e in query.edges)
    return replace(query, edges=edges, clauses=tuple(_clause(c, query, schema) for c in query.clauses))


def _clause(clause: Clause, query: Query, schema: StoreSchema) -> Clause:
    return replace(clause, parts=tuple(_part(p, query, schema) for p in clause.parts))


def _part(part: Part, query: Query, schema: StoreSchema) -> Part:
    edges = tuple(_either(e, query, schema) for e in part.edges)
    return replace(part, edges=edges, clauses=tuple(_clause(c, query, schema) for c in part.clauses))


def _either(edge: Edge, query: Query, schema: StoreSchema) -> Edge:
    ends = {query.nodes[edge.start].label, query.nodes[edge.end].label}
    alike = len(ends) == 1 or any(ends <= labels for labels in schema.node_sets)
    holds = alike and all(MUTUAL & set(identifier_words(kind)) for kind in edge.types)
    return replace(edge, both=True) if holds else edge
