"""Ways that meet in one place: crimes "in the area where Ann lives" may have happened at her own address."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from typing import Final

from cypher.semantics.ir import Edge, Head, PropertyRef, Query
from cypher.semantics.mentions import Linked

_OTHERS: Final = frozenset({"other", "others", "another", "else", "further", "additional", "besides"})
"""Words with which what is named does not count."""
NAMED: Final = 0.8
"""Least weight of a word that names a kind."""


def meeting(linked: Linked, query: Query) -> Query:
    """The reading with the relationships told that may be the same as one before them.

    Two relationships of one ``MATCH`` are never the same in Cypher. That is meant of what a question names
    ("another crime at the location"), not of what it leaves out: the address of a crime and that of a person,
    both in one area, may well be one. So of two relationships of a type to one thing, from things that are
    neither named nor told of, the second is kept apart. So is one to what is counted: of "who in Red Dawn was
    in only one film" Red Dawn is that film.
    """
    silent = _silent(linked, query)
    pairs = list(combinations([(i, e) for i, e in enumerate(query.edges) if not e.negated], 2))
    again = {j for (_, one), (j, other) in pairs if _meet(one, other, query, silent)}
    if not _OTHERS & {w.lower for w in linked.words}:
        counted = {query.having.node} if query.having else set()
        again |= {j for (_, one), (j, other) in pairs if _counts_too(one, other, query, counted)}
    return replace(query, again=frozenset(again)) if again else query


def says_together(linked: Linked, query: Query) -> bool:
    """Whether things did something "together" that nobody names, and the reading has each by itself."""
    words = [w.lower for w in linked.words]
    if "together" not in words or "with" in words or query.head is not Head.LIST:
        return False
    label = query.nodes[query.answer].label
    named = sum(bool(m.values) for m in linked.mentions) > 1
    behind_verb = any(m.end <= words.index("together") for m in linked.relations)
    return behind_verb and not named and sum(n.label == label for n in query.nodes) < 2


def _meet(one: Edge, other: Edge, query: Query, silent: frozenset[int]) -> bool:
    if one.types != other.types or one.both or other.both:
        return False
    ends = {one.start, other.start} if one.end == other.end else {one.end, other.end}
    joined = (one.end == other.end) != (one.start == other.start)
    return joined and ends <= silent and len({query.nodes[i].label for i in ends}) == 1


def _counts_too(one: Edge, other: Edge, query: Query, counted: set[int]) -> bool:
    """Whether the second leads from where the first does to what is counted, the first to one of these."""
    if one.types != other.types or one.both or other.both:
        return False
    joined = (one.end == other.end) != (one.start == other.start)
    ends = (one.start, other.start) if one.end == other.end else (one.end, other.end)
    return joined and ends[1] in counted and query.nodes[ends[0]].label == query.nodes[ends[1]].label


def _silent(linked: Linked, query: Query) -> frozenset[int]:
    """Nodes of which a question says nothing: neither their kind nor a property."""
    said = {t.name for m in linked.mentions for t in m.terms if t.kind == "label" and t.weight >= NAMED}
    told = {query.answer} | {ref.owner for ref in refs_of(query) if not ref.on_edge} | _counted(query)
    return frozenset(
        i for i, node in enumerate(query.nodes) if node.label not in said and i not in told | query.inner
    )


def refs_of(query: Query) -> list[PropertyRef]:
    """Properties that a reading returns, compares or ranks by."""
    refs = [f.ref for f in query.filters] + [f.other for f in query.filters if f.other]
    refs += [*query.project, *query.keys, *(m.ref for m in query.measures)]
    refs += [x for x in (query.measured, query.group, query.order and query.order.ref) if x]
    return refs + [c.ref for c in query.clauses if c.ref]


def _counted(query: Query) -> set[int]:
    found = {c.node for c in query.clauses} | ({query.having.node} if query.having else set())
    return found | ({query.order.count_of} if query.order and query.order.count_of is not None else set())
