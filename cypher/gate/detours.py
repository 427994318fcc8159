"""Two steps in the place of an edge that the schema has not: which node can stand between its ends."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final, NamedTuple

from cypher.gate.domains import Domains
from cypher.gate.symbols import Edge, Place, place
from cypher.syntax import nodes as n
from cypher.syntax.walk import rebuild

MAX_DETOURS: Final = 12
"""Most that are tried: so many have no single meaning."""


class Steps(NamedTuple):
    """What stands between the two nodes of a pattern, as it is read from the left."""

    first: n.RelationshipPattern
    middle: n.NodePattern
    second: n.RelationshipPattern


def between(edge: Edge, domains: Domains) -> Iterator[Steps]:
    """The pairs of steps that the schema has from one end to the other, one of them of the edge's own types.

    Where the edge names no type, each pair counts; the ends keep what else the query says of them.
    """
    pattern = edge.pattern
    left, right = (edge.start, edge.end) if pattern.direction == ">" else (edge.end, edge.start)
    own = domains.of_relationship(edge.relationship) if pattern.types is not None else None
    found: set[tuple[str, str, int, str, str]] = set()
    for type_1, way_1, a, middle in _steps(domains):
        for type_2, way_2, other, b in _steps(domains):
            fits = other == middle and a in domains.of_node(left) and b in domains.of_node(right)
            if fits and (own is None or type_1 in own or type_2 in own):
                found.add((type_1, way_1, middle, type_2, way_2))
    for type_1, way_1, middle, type_2, way_2 in sorted(found)[:MAX_DETOURS]:
        keeps_first = own is not None and type_1 in own
        one, two = (pattern, n.RelationshipPattern()) if keeps_first else (n.RelationshipPattern(), pattern)
        label = min(domains.tables.sets[middle], key=lambda x: (x == "Entity", x))
        yield Steps(
            replace(one, direction=way_1, types=n.LabelName(type_1)),
            n.NodePattern(labels=n.LabelName(label)),
            replace(two, direction=way_2, types=n.LabelName(type_2)),
        )


def _steps(domains: Domains) -> Iterator[tuple[str, str, int, int]]:
    """Type, direction, and label sets of each step of the schema, both ways."""
    for kind, pairs in domains.tables.steps.items():
        for start, end in pairs:
            yield kind, ">", start, end
            yield kind, "<", end, start


def put_in(query: n.Query, at: Place, steps: Steps) -> n.Query:
    """The query with two steps in the place of one."""

    def change(node: n.Node) -> n.Node:
        if not isinstance(node, n.Path) or not any(place(e) == at for e in node.elements):
            return node
        elements: list[n.Element] = []
        for element in node.elements:
            elements.extend(steps if place(element) == at else (element,))
        return replace(node, elements=tuple(elements))

    return rebuild(query, change)
