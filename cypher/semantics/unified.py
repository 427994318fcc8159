"""Things of which there can be but one are one: a crime that was committed at two places has one place.

Where nothing in a graph has two relationships of a type to things of a kind, two nodes that a reading reaches
so from one node are the same node, or the reading matches nothing: the chase with equality-generating
dependencies (Beeri and Vardi 1984, doi:10.1145/1634.1636) on a conjunctive query.

A node that nothing is said of, and whose one relationship says no more than another of the reading's, is that
other node: "the areas where a crime happened, of any crime" is about one crime. It is the first step to the
core of a conjunctive query (Chandra and Merlin 1977, doi:10.1145/800105.803397); longer spare parts stay.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from itertools import combinations
from typing import Final

from cypher.semantics.ir import Edge, Filter, Measured, Order, PropertyRef, Query
from cypher.semantics.meeting import refs_of
from cypher.semantics.mentions import Linked
from schemas.store_schema import StoreSchema

_APART: Final = frozenset(
    {
        *("other", "others", "another", "else", "different", "further", "additional", "besides"),
        *("same", "share", "shares", "shared", "sharing", "common", "both", "also", "too", "fellow"),
        *("together", "alongside", "jointly", "next", "two", "second", "separate", "additionally"),
    }
)
"""Words with which two things of a kind are meant, or one that two have."""


def unified(linked: Linked, query: Query, schema: StoreSchema) -> Query:
    """The reading with those of its nodes made one that can be but one, or of which one asks nothing.

    Not where it has clauses, whose nodes are others; where a question speaks of what two have in common or of
    others; and not of what is asked for with what is named, or a question would answer itself.
    """
    if query.clauses or query.inner or _APART & {w.lower for w in linked.words}:
        return query
    while (pair := next(_pairs(query, schema), None) or next(_idle(query), None)) is not None:
        query = _merged(query, *pair)
    return query


def _pairs(query: Query, schema: StoreSchema) -> Iterator[tuple[int, int]]:
    """Pairs of nodes that can be but one, the smaller number first."""
    for one, other, edge in _beside(query):
        triple = schema.triple(*_labels(query, edge))
        most = (
            (triple.most_from_start if edge.start not in (one, other) else triple.most_to_end)
            if triple
            else 0
        )
        if most == 1 and _may_be_one(query, one, other):
            yield one, other


def _idle(query: Query) -> Iterator[tuple[int, int]]:
    """A node that asks nothing with the one that it may be, the smaller number first."""
    ends = Counter(node for e in query.edges for node in (e.start, e.end))
    said = {ref.owner for ref in refs_of(query) if not ref.on_edge} | {query.answer}
    for one, other, _ in _beside(query):
        idle = any(ends[node] == 1 and node not in said for node in (one, other))
        if idle and not {one, other} & _counted(query):
            yield one, other


def _beside(query: Query) -> Iterator[tuple[int, int, Edge]]:
    """Two nodes that are tied alike to a third of another kind, the smaller number first, and a tie."""
    edges = (e for i, e in enumerate(query.edges) if i not in query.again)
    plain = [e for e in edges if len(e.types) == 1 and not (e.negated or e.both or e.optional)]
    for one, other in combinations(plain, 2):
        start, kind, end = _labels(query, one)
        if start == end or (start, kind, end) != _labels(query, other):
            continue
        if one.start == other.start and one.end != other.end:
            yield min(one.end, other.end), max(one.end, other.end), one
        elif one.end == other.end and one.start != other.start:
            yield min(one.start, other.start), max(one.start, other.start), one


def _labels(query: Query, edge: Edge) -> tuple[str, str, str]:
    return query.nodes[edge.start].label, edge.types[0], query.nodes[edge.end].label


def _may_be_one(query: Query, one: int, other: int) -> bool:
    if {one, other} & _counted(query):
        return False
    first, second = (_told(query, node) for node in (one, other))
    if query.answer in (one, other) and (second if query.answer == one else first):
        return False
    return all(first[name] == second[name] for name in first.keys() & second.keys())


def _counted(query: Query) -> set[int]:
    """Nodes of which it counts how many there are: "in only one film" is said of those in a film, too."""
    found = {query.having.node} if query.having else set[int]()
    return found | ({query.order.count_of} if query.order and query.order.count_of is not None else set())


def _told(query: Query, node: int) -> Mapping[str, Filter]:
    """Its conditions by property, without the number of the node."""
    return {
        f.ref.name: replace(f, ref=replace(f.ref, owner=0))
        for f in query.filters
        if f.ref.owner == node and not f.ref.on_edge
    }


def _merged(query: Query, kept: int, dropped: int) -> Query:
    """The query with one node in place of two; relationships that become one are one."""

    def node(number: int) -> int:
        return kept if number == dropped else number - (number > dropped)

    moved = [replace(e, start=node(e.start), end=node(e.end)) for e in query.edges]
    edges = list(dict.fromkeys(moved))

    def ref(old: PropertyRef) -> PropertyRef:
        owner = edges.index(moved[old.owner]) if old.on_edge else node(old.owner)
        return replace(old, owner=owner)

    return replace(
        query,
        nodes=tuple(n for i, n in enumerate(query.nodes) if i != dropped),
        edges=tuple(edges),
        filters=tuple(dict.fromkeys(_filter(f, ref) for f in query.filters)),
        answer=node(query.answer),
        project=tuple(dict.fromkeys(map(ref, query.project))),
        measured=ref(query.measured) if query.measured else None,
        group=ref(query.group) if query.group else None,
        having=replace(query.having, node=node(query.having.node)) if query.having else None,
        order=_order(query.order, node, ref) if query.order else None,
        measures=tuple(Measured(m.measure, ref(m.ref)) for m in query.measures),
        keys=tuple(map(ref, query.keys)),
        again=frozenset(edges.index(moved[i]) for i in query.again),
    )


def _filter(old: Filter, ref: Callable[[PropertyRef], PropertyRef]) -> Filter:
    return replace(old, ref=ref(old.ref), other=ref(old.other) if old.other else None)


def _order(old: Order, node: Callable[[int], int], ref: Callable[[PropertyRef], PropertyRef]) -> Order:
    return replace(
        old,
        ref=ref(old.ref) if old.ref else None,
        count_of=None if old.count_of is None else node(old.count_of),
        within=None if old.within is None else node(old.within),
    )
