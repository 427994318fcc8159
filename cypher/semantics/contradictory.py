"""Readings that nobody can mean: a relationship required and denied, one counted beside its like."""

from __future__ import annotations

from cypher.semantics.ir import ClauseKind, Operator, Query


def denies_what_it_requires(query: Query) -> bool:
    """Whether a reading wants a relationship of a thing, and that it has none of that type.

    >>> from cypher.semantics.ir import Clause, Edge, Node, Part
    >>> done, none = Edge(1, 0, ("INSPECTED",)), Edge(2, 0, ("INSPECTED",))
    >>> nodes = (Node("Object"), Node("Person"), Node("Person"))
    >>> denied = Clause(ClauseKind.ABSENT, (Part((none,), nodes=(2,)),))
    >>> denies_what_it_requires(Query(nodes, (done,), clauses=(denied,), inner=frozenset({2})))
    True
    """
    required = {
        (end, e.types, end == e.start, query.nodes[e.end if end == e.start else e.start].label)
        for e in query.edges
        if not (e.negated or e.optional)
        for end in (e.start, e.end)
    }
    for clause in query.clauses:
        part = clause.parts[0]
        if clause.kind is ClauseKind.ABSENT and len(part.edges) == 1 and not (part.filters or part.clauses):
            edge = part.edges[0]
            outer = [n for n in (edge.start, edge.end) if n not in query.inner]
            others = [query.nodes[edge.end if n == edge.start else edge.start].label for n in outer]
            if len(outer) == 1 and (outer[0], edge.types, outer[0] == edge.start, others[0]) in required:
                return True
    return False


def counts_beside(query: Query) -> bool:
    """Whether one is counted beside another of its kind that is tied in the same way: "at one fair".

    >>> from cypher.semantics.ir import CountFilter, Edge, Node, Operator
    >>> sold = tuple(Edge(0, i, ("SOLD_AT",)) for i in (1, 2))
    >>> nodes = (Node("Keeper"), Node("Fair"), Node("Fair"))
    >>> counts_beside(Query(nodes, sold, having=CountFilter(2, Operator.EQ, 1)))
    True
    """
    if query.having is None or query.having.edge is not None:
        return False
    counted = query.having.node
    named = {f.ref.owner for f in query.filters if not f.ref.on_edge}
    ways = {(e.types, e.start, e.start == counted) for e in query.edges if e.end == counted}
    others = ((e.types, e.start, False) for e in query.edges if e.end not in {counted} | named)
    alike = any(way in ways for way in others)
    return alike and query.having.value == 1 and query.having.operator is Operator.EQ
