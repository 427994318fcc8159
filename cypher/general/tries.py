"""Phrases that speak of one event share its things: a growing tree that becomes a part of a plan."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Final

from cypher.form import Op
from cypher.general.kinds import Form, Kind, KindGraph, value
from cypher.general.plan import Branch, Contrast, Test, Tree
from cypher.schema_graph import LIMIT, VALUE

_NAMING: Final = frozenset({Op.IS, Op.ONE_OF})


class NoPlanError(Exception):
    """The phrases do not join as the schema does; never leaves this package."""


@dataclass(slots=True)
class Node:
    """A thing under construction; ``event`` tells apart what different clauses say."""

    kind: Kind
    event: int
    tests: list[Test] = field(default_factory=list)
    contrasts: list[Contrast] = field(default_factory=list)
    branches: list[Branch] = field(default_factory=list)
    children: list[Node] = field(default_factory=list)
    counted: bool = False

    def has_counted(self) -> bool:
        """Whether anything here or below is counted."""
        return self.counted or any(c.has_counted() for c in self.children)

    def add_tests(self, tests: tuple[Test, ...]) -> None:
        """Further conditions; two names for one thing contradict each other."""
        if any(t.op is Op.KNOWN for t in tests) and self.tests:
            return
        if any(t.op in _NAMING for t in tests) and any(t.op in _NAMING for t in self.tests):
            if tests != tuple(self.tests):
                raise NoPlanError("one thing has two names")
            return
        self.tests.extend(tests)


class Grower:
    """Adds paths to nodes and freezes them."""

    def __init__(self, graph: KindGraph) -> None:
        self.graph = graph

    def reach(self, root: Node, target: Kind, *, event: int, relation: str, fresh: bool) -> tuple[Node, int]:
        """The node of a kind at the end of a shortest path, with its steps; ``fresh``: a new thing of it."""
        path = self._path(root.kind, target, relation)
        node = root
        for i, step in enumerate(path):
            last = i == len(path) - 1
            node = self._child(node, step, event=event, fresh=fresh and last)
        return node, len(path)

    def _path(self, start: Kind, end: Kind, relation: str) -> tuple[Kind, ...]:
        found = self.graph.paths(start, end)
        if relation:
            hinted = tuple(
                p for p in found if any(k.form is Form.STATEMENT and k.owner == relation for k in (start, *p))
            )
            found = hinted or found
        if len(found) != 1:
            raise NoPlanError(f"{len(found)} paths from {start.owner} to {end.owner}")
        return found[0]

    def _child(self, node: Node, step: Kind, *, event: int, fresh: bool) -> Node:
        single = self.graph.step_is_one(node.kind, step)
        for known in node.children:
            if known.kind == step and (single or (known.event == event and not fresh)):
                return known
        made = Node(step, event)
        node.children.append(made)
        return made

    def freeze(self, node: Node) -> Tree:
        """The tree; measured values that are compared or ordered are no limits unless limits are meant."""
        if node.kind.form is Form.STATEMENT and self._is_measured(node):
            limit = value(node.kind.owner, LIMIT)
            if not any(c.kind == limit for c in node.children):
                node.children.append(Node(limit, node.event, [Test(Op.UNKNOWN)]))
        return Tree(
            node.kind,
            tuple(node.tests),
            tuple(node.contrasts),
            tuple(self.freeze(c) for c in node.children),
            tuple(node.branches),
            node.counted,
        )

    def by_number(self, tree: Tree) -> Tree:
        """What orders by a number, where measured values were named and not their number: "largest value"."""
        children = tuple(map(self.by_number, tree.children))
        number = value(tree.kind.owner, VALUE)
        measured = tree.kind.form is Form.STATEMENT and self.graph.attribute(number) is not None
        if not (tree.counted and measured):
            return replace(tree, children=children)
        limit, orders = value(tree.kind.owner, LIMIT), Tree(number, counted=True)
        meant = any(c.kind == limit for c in children) or self.graph.attribute(limit) is None
        none = () if meant else (Tree(limit, (Test(Op.UNKNOWN),)),)
        return replace(tree, children=(*children, orders, *none), counted=False)

    def _is_measured(self, node: Node) -> bool:
        declared = self.graph.attribute(value(node.kind.owner, LIMIT))
        numbers = [c for c in node.children if c.kind.attribute == VALUE or c.kind.derived]
        return declared is not None and bool(node.contrasts or any(c.tests or c.counted for c in numbers))
