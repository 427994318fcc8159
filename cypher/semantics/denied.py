"""Which nodes of a reading stand only where something is denied."""

from __future__ import annotations

from cypher.semantics.ir import Edge, Query


def denied_nodes(query: Query) -> set[int]:
    """Nodes that a denied edge alone, or a chain behind it, ties to the answer."""
    behind: set[int] = set()
    for edge in query.edges:
        if edge.negated:
            behind |= _reached(query, edge.end if edge.start == query.answer else edge.start, edge)
            behind |= _reached(query, edge.end, edge)
    return behind - _reached(query, query.answer, None)


def _reached(query: Query, start: int, without: Edge | None) -> set[int]:
    """Nodes joined to ``start`` by edges that are not denied."""
    found = {start}
    grown = True
    while grown:
        more = {
            n
            for e in query.edges
            if not e.negated and e is not without and {e.start, e.end} & found
            for n in (e.start, e.end)
        }
        grown = not more <= found
        found |= more
    return found
