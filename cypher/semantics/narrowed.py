"""Relationships that nobody spoke of, beside one that was, between the same two things."""

from __future__ import annotations

from dataclasses import replace

from cypher.semantics.ir import Edge, Query
from cypher.semantics.meeting import refs_of
from cypher.semantics.mentions import Linked


def narrowed(linked: Linked, query: Query) -> Query:
    """The reading with one relationship between two things where a second was only bridged.

    "The total length of the songs they sang" ties songs to people by whatever there is, and by singing: who
    also wrote a song would have its length counted twice, and songs not written by them would be left out.
    """
    if any(ref.on_edge for ref in refs_of(query)):
        return query  # its relationships are told by their places
    said = frozenset(t.name for m in linked.relations for t in m.terms if t.kind == "relation")
    kept = tuple(e for e in query.edges if not any(_says_more(other, e, said) for other in query.edges))
    return replace(query, edges=kept) if len(kept) < len(query.edges) else query


def _says_more(one: Edge, other: Edge, said: frozenset[str]) -> bool:
    """Whether ``one`` ties the same things as ``other`` by fewer types, or by one that was spoken of."""
    if {one.start, one.end} != {other.start, other.end} or any(e.negated or e.optional for e in (one, other)):
        return False
    own, others = frozenset(one.types), frozenset(other.types)
    return own < others or (bool(own & said) and not others & said)
