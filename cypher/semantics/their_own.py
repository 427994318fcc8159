"""Whose thing it is: "their vessel's home port" is that of the vessel which made the trip, not of any."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from cypher.semantics.ir import Edge, Query
from cypher.semantics.mentions import Linked
from schemas.store_schema import StoreSchema

_THEIR: Final = frozenset({"their", "its", "his", "her"})
_OF_ONE: Final = re.compile(r"\bthe (?P<noun>[a-z]+)'s? ", re.IGNORECASE)


def with_their_own(linked: Linked, query: Query, schema: StoreSchema) -> Query:
    """The reading in which a thing called "their ..." is tied to what is asked for, if in one way."""
    for node in _strangers(linked, query):
        tie = _tie(query, node, schema)
        if node not in query.inner and tie is not None:
            query = replace(query, edges=(*query.edges, tie))
    return query


def denies_anybodys(linked: Linked, query: Query) -> bool:
    """Whether a thing called "their ..." is denied of anybody's: "a port other than their ship's home"."""
    return any(node in query.inner for node in _strangers(linked, query))


def _strangers(linked: Linked, query: Query) -> Iterator[int]:
    """Nodes of a label that the question calls "their ..." and that nothing ties to what is asked for."""
    labels = _called_theirs(linked) - {query.nodes[query.answer].label}
    edges = [*query.edges, *(e for c in query.clauses for p in c.parts for e in p.edges)]
    near = {i for e in edges if query.answer in (e.start, e.end) for i in (e.start, e.end)}
    named = {f.ref.owner for f in query.filters if not f.ref.on_edge}
    met = {i for e in edges for i in (e.start, e.end)} - near - named
    yield from (i for i in sorted(met) if query.nodes[i].label in labels)


def _called_theirs(linked: Linked) -> set[str]:
    of_one = {m["noun"].lower() for m in _OF_ONE.finditer(linked.text)}
    return {
        term.name
        for m in linked.mentions
        for term in m.terms
        if term.kind == "label" and m.start
        if linked.words[m.start - 1].lower in _THEIR or linked.words[m.end - 1].lower.split("'")[0] in of_one
    }


def _tie(query: Query, node: int, schema: StoreSchema) -> Edge | None:
    """The one relationship that could tie a node to what is asked for."""
    own, asked = query.nodes[node].label, query.nodes[query.answer].label
    ends = {(own, asked): (node, query.answer), (asked, own): (query.answer, node)}
    found = [Edge(*ends[t.start, t.end], (t.type,)) for t in schema.triples if (t.start, t.end) in ends]
    return found[0] if len(found) == 1 else None
