"""Walks over a tree and rebuilds it, without recursion where trees may be deep."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from typing import Any, Final, TypeVar

from cypher.syntax.nodes import Node

N = TypeVar("N", bound=Node)


_KNOWN: Final[dict[type[Node], tuple[str, ...]]] = {}


def _fields(kind: type[Node]) -> tuple[str, ...]:
    """Names of the fields of a class that may hold nodes."""
    known = _KNOWN.get(kind)
    if known is None:
        known = _KNOWN[kind] = _find_fields(kind)
    return known


def _find_fields(kind: type[Node]) -> tuple[str, ...]:
    plain = {"span", "name", "alias", "source", "value", "operator", "kind", "negated", "form", "distinct"}
    plain |= {"direction", "optional", "mode", "hints", "star", "union_all", "imports", "lower", "upper"}
    plain |= {"descending", "groups", "count", "side", "key"}
    holds_node = {("MapEntry", "value"), ("Trim", "source"), ("Normalize", "source"), ("Reduce", "source")}
    holds_node |= {("ListComprehension", "source"), ("ListPredicate", "source")}
    return tuple(f.name for f in fields(kind) if f.name not in plain or (kind.__name__, f.name) in holds_node)


def children(node: Node) -> list[Node]:
    """The nodes right below a node, in the order of the text."""
    found: list[Node] = []
    for name in _fields(type(node)):
        value = getattr(node, name)
        if value.__class__ is tuple:
            found += [v for v in value if isinstance(v, Node)]
        elif isinstance(value, Node):
            found.append(value)
    return found


def walk(node: Node) -> Iterator[Node]:
    """A node and all below it, each before what is below it, in the order of the text."""
    stack = [node]
    while stack:
        here = stack.pop()
        yield here
        stack += reversed(children(here))


def rebuild(node: N, change: Callable[[Node], Node]) -> N:
    """The tree with every node replaced by ``change(node)``, from the leaves up; equal parts stay."""
    changes: dict[str, Any] = {}
    for name in _fields(type(node)):
        value = getattr(node, name)
        if isinstance(value, Node):
            new = rebuild(value, change)
            if new is not value:
                changes[name] = new
        elif isinstance(value, tuple) and value and any(isinstance(v, Node) for v in value):
            items = tuple(rebuild(v, change) if isinstance(v, Node) else v for v in value)
            if any(a is not b for a, b in zip(items, value, strict=True)):
                changes[name] = items
    return change(replace(node, **changes) if changes else node)  # type: ignore[return-value]
