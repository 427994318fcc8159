"""Relationships that hold both ways whichever way they are kept: whoever is married is so to somebody."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from cypher.semantics.ir import Clause, Edge, Part, Query
from cypher.semantics.text import identifier_words

MUTUAL: Final = frozenset(
    {
        *("married", "spouse", "wed", "engaged", "divorced", "dating", "dated", "partner", "partners"),
        *("sibling", "siblings", "twin", "twins", "cousin", "cousins", "roommate", "roommates", "flatmate"),
        *("friend", "friends", "colleague", "colleagues", "classmate", "classmates", "coauthor", "coworker"),
        *("neighbour", "neighbours", "neighbor", "neighbors", "borders", "bordering", "adjacent"),
    }
)
"""Words of relationship types between things of one label that are true of both of them alike."""


def mutual(query: Query) -> Query:
    """The reading with relationships that hold both ways, by the words of their types, read either way.

    Not where pairs are listed: each of them would be there twice.

    >>> from cypher.semantics.ir import Node
    >>> two = (Node("Person"), Node("Person"))
    >>> [mutual(Query(two, (Edge(0, 1, (kind,)),))).edges[0].both for kind in ("MARRIED_TO", "FOLLOWS")]
    [True, False]
    """
    listed = {query.answer, *(r.owner for r in query.project if not r.on_edge)}
    edges = tuple(e if {e.start, e.end} <= listed else _either(e, query) for e in query.edges)
    return replace(query, edges=edges, clauses=tuple(_clause(c, query) for c in query.clauses))


def _clause(clause: Clause, query: Query) -> Clause:
    return replace(clause, parts=tuple(_part(p, query) for p in clause.parts))


def _part(part: Part, query: Query) -> Part:
    edges = tuple(_either(e, query) for e in part.edges)
    return replace(part, edges=edges, clauses=tuple(_clause(c, query) for c in part.clauses))


def _either(edge: Edge, query: Query) -> Edge:
    alike = query.nodes[edge.start].label == query.nodes[edge.end].label
    holds = alike and all(MUTUAL & set(identifier_words(kind)) for kind in edge.types)
    return replace(edge, both=True) if holds else edge
