"""Numbers that stand in a query, or come with it, before it runs."""

from __future__ import annotations

import operator as op
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from cypher.gate.allowed import MACRO
from cypher.gate.report import finding
from cypher.syntax import nodes as n
from cypher.syntax.tokens import INT64
from cypher.syntax.walk import walk
from schemas.findings import Finding
from schemas.questions import Parameter

_NO_NAMES: Final[Mapping[str, float]] = MappingProxyType({})
_APPLIED: Final[Mapping[str, Callable[[float, float], Any]]] = MappingProxyType(
    {"+": op.add, "-": op.sub, "*": op.mul, "/": op.truediv, "%": op.mod, "^": op.pow}
)


def is_similarity(node: n.Node) -> bool:
    """Whether a node is a call of ``similarity``."""
    return isinstance(node, n.FunctionCall) and node.name.lower() == MACRO


def number_of(
    node: n.Expression, parameters: Mapping[str, Parameter], names: Mapping[str, float] = _NO_NAMES
) -> float | None:
    """The number that an expression is for certain, sums and products of numbers worked out; else ``None``.

    ``names`` holds numbers that variables stand for.

    >>> number_of(n.Sign("-", n.Literal(3)), {})
    -3
    """
    match node:
        case n.Sign(operator=sign, operand=operand):
            inner = number_of(operand, parameters, names)
            return -inner if inner is not None and sign == "-" else inner
        case n.Variable(name=name):
            return names.get(name)
        case n.Arithmetic(first=first, rest=rest):
            return _worked_out(
                number_of(first, parameters, names),
                [(r.operator, number_of(r.operand, parameters, names)) for r in rest],
            )
        case n.Literal(value=value):
            return _number(value)
        case n.Parameter(name=name):
            return _number(parameters.get(name))
    return None


def check_numbers(query: n.Query, parameters: Mapping[str, Parameter]) -> list[Finding]:
    """A finding for each whole number that the server cannot hold: signs and repairs make such ones."""
    return [
        finding("SYN1", f"expected a whole number of at most 64 bits, found {value}", node.span)
        for node in walk(query)
        if isinstance(node, n.Sign | n.Literal)
        and (value := _whole(node, parameters)) is not None
        and not -INT64 <= value < INT64
    ]


def _whole(node: n.Expression, parameters: Mapping[str, Parameter]) -> int | None:
    """The whole number that a literal or a parameter is, with the signs before it."""
    if isinstance(node, n.Sign):
        inner = _whole(node.operand, parameters)
        return -inner if inner is not None and node.operator == "-" else inner
    value: object = node.value if isinstance(node, n.Literal) else None
    if isinstance(node, n.Parameter):
        value = parameters.get(node.name)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _number(value: Parameter) -> float | None:
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def _worked_out(total: float | None, rest: Sequence[tuple[str, float | None]]) -> float | None:
    """Operators of one rank, from left to right, in floating point: whole numbers may grow without end."""
    for operator, value in rest:
        apply = _APPLIED.get(operator)
        if total is None or value is None or apply is None:
            return None
        try:
            total = _number(apply(float(total), float(value)))
        except (OverflowError, ZeroDivisionError):
            return None  # the server says what is wrong with it
    return total
