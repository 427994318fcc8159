""" "Who" asks for somebody: of a question about a ship and its crew the ship is no answer."""

from __future__ import annotations

from cypher.semantics.compose import Candidate
from cypher.semantics.ir import Head, Query
from cypher.semantics.mentions import Linked


def with_somebody(
    linked: Linked, candidates: tuple[Candidate, ...], nobody: frozenset[str]
) -> tuple[Candidate, ...]:
    """The readings of a question for somebody without those that list what is nobody, where there are others.

    ``nobody`` are labels of things that no question says "who" of.
    """
    if not nobody or not linked.words or linked.words[0].lower not in ("who", "whom"):
        return candidates
    return tuple(c for c in candidates if not lists_nobody(c.query, nobody)) or candidates


def lists_nobody(query: Query, nobody: frozenset[str]) -> bool:
    """Whether things are listed that are nobody."""
    listed = {query.answer} if not query.project else {r.owner for r in query.project if not r.on_edge}
    return query.head is Head.LIST and bool(listed) and all(query.nodes[i].label in nobody for i in listed)
