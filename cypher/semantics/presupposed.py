"""What is taken for granted: "which resident of OL6 made the longest call" says that one of them did."""

from __future__ import annotations

from dataclasses import replace

from cypher.semantics.ir import Clause, ClauseKind, Filter, Head, Node, PropertyRef, Query


def best_among_answers(query: Query) -> Query | None:
    """The reading with its superlative taken among the things that fit the rest of the question.

    For a listing that asks for the best of all things of a label (the longest call of all) and nothing
    fits: the best of those that do is meant then. Where something fits, both list the same. ``None`` where
    the question has no such superlative, more than one, or a condition on a relationship.

    >>> from cypher.semantics.ir import Edge, Operator, Part
    >>> longest = Clause(ClauseKind.BEST, (Part(nodes=(2,)),), node=1, ref=PropertyRef(1, "length"), copy=2)
    >>> query = Query(
    ...     (Node("Person"), Node("Call"), Node("Call")),
    ...     (Edge(0, 1, ("MADE",)),),
    ...     (Filter(PropertyRef(0, "town"), Operator.EQ, "Lund"),),
    ...     clauses=(longest,),
    ...     inner=frozenset({2}),
    ... )
    >>> among = best_among_answers(query)
    >>> among.clauses[0].parts[0].edges
    (Edge(start=3, end=2, types=('MADE',), negated=False, both=False, optional=False, mark=0),)
    """
    bests = [c for c in query.clauses if c.kind is ClauseKind.BEST]
    if query.head is not Head.LIST or len(bests) != 1 or not _is_of_all(bests[0], query):
        return None
    best = bests[0]
    copies = {best.node: best.copy}
    nodes = list(query.nodes)
    for i in range(len(query.nodes)):
        if i != best.node and i not in query.inner:
            copies[i] = len(nodes)
            nodes.append(Node(query.nodes[i].label))
    new = tuple(copies[i] for i in copies if i != best.node)
    own = best.parts[0]
    part = replace(
        own,
        edges=tuple(replace(e, start=copies[e.start], end=copies[e.end]) for e in query.edges),
        filters=tuple(dict.fromkeys((*own.filters, *(_moved(f, copies) for f in query.filters)))),
        nodes=(*own.nodes, *new),
    )
    clauses = tuple(replace(c, parts=(part,)) if c is best else c for c in query.clauses)
    return replace(query, nodes=tuple(nodes), clauses=clauses, inner=query.inner | {*new})


def _is_of_all(best: Clause, query: Query) -> bool:
    """Whether it is taken among things that nothing but their own values limits, and more is asked."""
    plain = not best.parts[0].edges and not best.parts[0].clauses
    marked = any(f.ref.on_edge or (f.other is not None and f.other.on_edge) for f in query.filters)
    odd = any(e.negated or e.optional for e in query.edges)
    return plain and bool(query.edges) and not marked and not odd and query.having is None


def _moved(condition: Filter, copies: dict[int, int]) -> Filter:
    other = condition.other
    return replace(
        condition, ref=_of(condition.ref, copies), other=_of(other, copies) if other is not None else None
    )


def _of(ref: PropertyRef, copies: dict[int, int]) -> PropertyRef:
    return replace(ref, owner=copies[ref.owner])
