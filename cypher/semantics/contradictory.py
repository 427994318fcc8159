"""Readings that nothing can fit: the same relationship is required and denied."""

from __future__ import annotations

from cypher.semantics.ir import ClauseKind, Query


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
