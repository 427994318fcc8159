"""Writes patterns and label expressions; see ``write``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeAlias

from cypher.syntax import nodes as n
from cypher.syntax.names import name

Write: TypeAlias = Callable[[n.Node], str]


def _label(node: n.LabelExpression, write: Write, *, inside: bool = False) -> str:
    """A label expression as part of a larger one: joined ones in brackets."""
    text = write(node)
    return f"({text})" if isinstance(node, n.LabelOr) or (inside and isinstance(node, n.LabelAnd)) else text


def _label_or(node: n.LabelOr, write: Write) -> str:
    return "|".join(_label(o, write) for o in node.operands)


def _label_and(node: n.LabelAnd, write: Write) -> str:
    return "&".join(_label(o, write, inside=True) for o in node.operands)


def _label_not(node: n.LabelNot, write: Write) -> str:
    return f"!{_label(node.operand, write, inside=True)}"


def _filler(labels: str, properties: n.Node | None, where: n.Node | None, write: Write) -> list[str]:
    parts = [labels] if labels else []
    if properties is not None:
        parts.append(write(properties))
    if where is not None:
        parts.append(f"WHERE {write(where)}")
    return parts


def _node(node: n.NodePattern, write: Write) -> str:
    labels = f":{write(node.labels)}" if node.labels is not None else ""
    head = (name(node.variable) if node.variable is not None else "") + labels
    return f"({' '.join(_filler(head, node.properties, node.where, write))})"


def _relationship(node: n.RelationshipPattern, write: Write) -> str:
    head = name(node.variable) if node.variable is not None else ""
    head += f":{write(node.types)}" if node.types is not None else ""
    head += _length(node.length) if node.length is not None else ""
    body = " ".join(_filler(head, node.properties, node.where, write))
    left, right = "<" if node.direction == "<" else "", ">" if node.direction == ">" else ""
    quantifier = write(node.quantifier) if node.quantifier is not None else ""
    return f"{left}-{f'[{body}]' if body else ''}-{right}{quantifier}"


def _length(bounds: n.Quantifier) -> str:
    lower, upper = bounds.lower, bounds.upper
    if upper is None:
        return "*" if lower == 1 else f"*{lower}.."
    return f"*{lower}" if lower == upper else f"*{lower}..{upper}"


def _quantifier(node: n.Quantifier, _: Write) -> str:
    if node.upper is None:
        return {0: "*", 1: "+"}.get(node.lower, f"{{{node.lower},}}")
    return f"{{{node.lower}}}" if node.lower == node.upper else f"{{{node.lower},{node.upper}}}"


def _group(node: n.GroupPattern, write: Write) -> str:
    where = f" WHERE {write(node.where)}" if node.where is not None else ""
    quantifier = write(node.quantifier) if node.quantifier is not None else ""
    return f"({write(node.path)}{where}){quantifier}"


def _selector(node: n.Selector, _: Write) -> str:
    count = f" {node.count}" if node.count is not None else ""
    return f"{node.kind}{count}{' GROUPS' if node.groups else ''}"


def _path(node: n.Path, write: Write) -> str:
    variable = f"{name(node.variable)} = " if node.variable is not None else ""
    selector = f"{write(node.selector)} " if node.selector is not None else ""
    parts: list[str] = []
    for before, element in zip((None, *node.elements), node.elements, strict=False):
        touching = isinstance(before, n.GroupPattern) or isinstance(element, n.GroupPattern)
        parts.append((" " if touching and before is not None else "") + write(element))
    text = "".join(parts)
    return variable + selector + (f"{node.function}({text})" if node.function else text)


PATTERN_WRITERS: Final[dict[type, Callable[[Any, Write], str]]] = {
    n.LabelName: lambda x, _: name(x.name),
    n.LabelWildcard: lambda _x, _: "%",
    n.DynamicLabel: lambda x, write: f"${x.kind}({write(x.expression)})",
    n.LabelNot: _label_not,
    n.LabelAnd: _label_and,
    n.LabelOr: _label_or,
    n.Quantifier: _quantifier,
    n.NodePattern: _node,
    n.RelationshipPattern: _relationship,
    n.GroupPattern: _group,
    n.Selector: _selector,
    n.Path: _path,
}
