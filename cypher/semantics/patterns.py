"""Patterns of readings compared: which are one, and which hold another.

Readings of one question often match the same and return something else, or match the same and more. So one
look into the graph tells of several: what holds a pattern that matches nothing matches nothing, and a pattern
that is part of one that matches something matches something.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from cypher.semantics.ir import Filter, Query

MOST_NODES: Final = 10
"""Patterns with more nodes are not compared: how many ways there are to compare them grows fast."""


def in_order(query: Query) -> Query:
    """A pattern with its nodes, relationships and conditions in an order that depends on nothing but these.

    Colours are refined, and where several nodes have one the first of them gets its own (McKay 1981). So
    patterns that are the same but for their order become equal, with few exceptions (nodes that only a
    longer way round tells apart). The answer is the first node. A pattern with clauses, counts, conditions on
    relationships or relationships that are or may be lacking stays as it is.

    >>> from cypher.semantics.ir import Edge, Node, Query
    >>> one = Query((Node("Ship"), Node("Port")), (Edge(0, 1, ("AT",)),))
    >>> other = Query((Node("Port"), Node("Ship")), (Edge(1, 0, ("AT",)),), answer=1)
    >>> in_order(one) == in_order(other)
    True
    """
    if not _is_plain(query) or len(query.nodes) > MOST_NODES:
        return query
    place = _places(query)
    nodes = sorted(range(len(query.nodes)), key=place.__getitem__)
    edges = (replace(e, start=place[e.start], end=place[e.end]) for e in query.edges)
    filters = (_moved(f, place) for f in query.filters)
    return replace(
        query,
        nodes=tuple(query.nodes[i] for i in nodes),
        edges=tuple(sorted(edges, key=repr)),
        filters=tuple(sorted(filters, key=repr)),
        answer=0,
    )


def holds(whole: Query, part: Query) -> bool:
    """Whether every match of ``whole`` holds one of ``part``; False also where that is not known.

    So it is where the nodes of the part stand for different nodes of the whole, and its relationships and
    conditions are found there.

    >>> from cypher.semantics.ir import Edge, Node, Query
    >>> ships = Query((Node("Ship"), Node("Port")), (Edge(0, 1, ("AT",)),))
    >>> holds(ships, Query((Node("Port"),)))
    True
    """
    sizes = len(part.nodes), len(whole.nodes)
    if not (_is_plain(whole) and _is_plain(part)) or sizes[0] > sizes[1] or sizes[1] > MOST_NODES:
        return False
    if Counter(n.label for n in part.nodes) - Counter(n.label for n in whole.nodes):
        return False
    return _maps(whole, part, ())


def _is_plain(query: Query) -> bool:
    told = all(not f.ref.on_edge and f.other is None for f in query.filters)
    matched = all(not (e.negated or e.optional) for e in query.edges)
    return (
        told and matched and not (query.clauses or query.inner or query.again or query.having or query.pooled)
    )


def _maps(whole: Query, part: Query, found: tuple[int, ...]) -> bool:
    """Whether the first nodes of the part, which stand for ``found``, can be gone on from."""
    at = len(found)
    if at == len(part.nodes):
        return True
    return any(
        _fits(whole, part, (*found, node)) and _maps(whole, part, (*found, node))
        for node in range(len(whole.nodes))
        if node not in found and whole.nodes[node] == part.nodes[at]
    )


def _fits(whole: Query, part: Query, found: Sequence[int]) -> bool:
    """Whether what the part says of its last node that stands for one is said of that."""
    place = dict(enumerate(found))
    last = len(found) - 1
    edges = [e for e in part.edges if last in (e.start, e.end) and {e.start, e.end} <= place.keys()]
    filters = (f for f in part.filters if f.ref.owner == last)
    there = Counter(whole.edges)
    moved = Counter(replace(e, start=place[e.start], end=place[e.end]) for e in edges)
    return not moved - there and all(_moved(f, place) in whole.filters for f in filters)


def _moved(old: Filter, place: Mapping[int, int]) -> Filter:
    return replace(old, ref=replace(old.ref, owner=place[old.ref.owner]))


def _places(query: Query) -> dict[int, int]:
    """The place of every node in the order."""
    own = {
        i: (n.label, *sorted(repr(_moved(f, {i: 0})) for f in query.filters if f.ref.owner == i))
        for i, n in enumerate(query.nodes)
    }
    colours = _refined(query, _ranks(own))
    while len(set(colours.values())) < len(colours):
        times = Counter(colours.values())
        chosen = min((colour, node) for node, colour in colours.items() if times[colour] > 1)[1]
        apart = {node: (colour, node != chosen) for node, colour in colours.items()}
        colours = _refined(query, _ranks(apart))
    return colours


def _refined(query: Query, colours: dict[int, int]) -> dict[int, int]:
    """Colours by which nodes that are tied to others differ, too."""
    while True:
        told: dict[int, list[tuple[object, ...]]] = {node: [] for node in colours}
        for edge in query.edges:
            told[edge.start].append((edge.types, edge.both, True, colours[edge.end]))
            told[edge.end].append((edge.types, edge.both, False, colours[edge.start]))
        finer = _ranks({node: (colours[node], *sorted(map(repr, told[node]))) for node in told})
        if len(set(finer.values())) == len(set(colours.values())):
            return finer
        colours = finer


def _ranks(keys: Mapping[int, tuple[object, ...]]) -> dict[int, int]:
    order = {key: rank for rank, key in enumerate(sorted(set(keys.values()), key=repr))}
    return {node: order[key] for node, key in keys.items()}
