"""Names of relationships in a written query: only of those of which something is said."""

from __future__ import annotations

from cypher.semantics.ir import Query


def edge_name(query: Query, i: int) -> str:
    """The name of relationship number ``i``, empty where neither a property nor a count needs it.

    >>> from cypher.semantics.ir import Edge, Filter, Node, Operator, PropertyRef
    >>> since = Filter(PropertyRef(0, "since", on_edge=True), Operator.KNOWN)
    >>> two = (Node("Person"), Node("Club")), (Edge(0, 1, ("PLAYS_FOR",)),)
    >>> edge_name(Query(*two, (since,)), 0), edge_name(Query(*two), 0)
    ('r0', '')
    """
    refs = [f.ref for f in query.filters] + [f.other for f in query.filters if f.other]
    refs += [*query.project, *filter(None, (query.measured, query.group))]
    refs += [*query.keys, *(m.ref for m in query.measures)]
    if query.order and query.order.ref:
        refs.append(query.order.ref)
    counted = {query.order.count_edge if query.order else None, query.having.edge if query.having else None}
    told = i in counted or any(r and r.on_edge and r.owner == i for r in refs)
    return f"r{i}" if told else ""
