"""Literals become parameters, and the result has an upper bound of rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from cypher.syntax import nodes as n
from cypher.syntax.walk import rebuild
from schemas.questions import Parameter


@dataclass(slots=True)
class Lifting:
    """Collects the literals of a query as parameters; equal ones of one type share a name."""

    given: Mapping[str, Parameter]
    parameters: dict[str, Parameter] = field(default_factory=dict)
    _names: dict[tuple[type, str], str] = field(default_factory=dict)

    def lifted(self, query: n.Query) -> n.Query:
        """The query without numbers and texts; bounds of paths stay, they are checked whole numbers."""
        return rebuild(rebuild(query, _signed), self._change)

    def _change(self, node: n.Node) -> n.Node:
        if not isinstance(node, n.Literal) or node.value is None or isinstance(node.value, bool):
            return node
        key = type(node.value), repr(node.value)
        if key not in self._names:
            self._names[key] = self._fresh()
            self.parameters[self._names[key]] = node.value
        return n.Parameter(self._names[key], span=node.span)

    def _fresh(self) -> str:
        number = len(self._names)
        while f"p{number}" in self.given or f"p{number}" in self.parameters:
            number += 1
        return f"p{number}"


def _signed(node: n.Node) -> n.Node:
    """``-5`` is one number."""
    if isinstance(node, n.Sign) and isinstance(node.operand, n.Literal):
        value = node.operand.value
        if isinstance(value, int | float) and not isinstance(value, bool):
            return n.Literal(-value if node.operator == "-" else value, span=node.span)
    return node


def limited(query: n.Query, cap: int, parameters: Mapping[str, Parameter]) -> n.Query:
    """The query with at most ``cap`` rows: the smaller of its own limit and the cap."""
    if len(query.branches) == 1:
        *before, last = query.branches[0].clauses
        if not isinstance(last, n.Return):
            return query
        limit = _smaller(last.projection.limit, cap, parameters)
        last = replace(last, projection=replace(last.projection, limit=limit))
        return replace(query, branches=(replace(query.branches[0], clauses=(*before, last)),))
    columns = _columns(query)
    if not columns:
        return query
    inner = n.CallSubquery(query, imports=())
    items = tuple(n.Item(n.Variable(c)) for c in columns)
    last = n.Return(n.Projection(items, limit=n.Literal(cap)))
    return n.Query((n.SingleQuery((inner, last)),))


def _columns(query: n.Query) -> list[str]:
    last = query.branches[0].clauses[-1]
    if not isinstance(last, n.Return):
        return []
    return [
        i.alias or (i.expression.name if isinstance(i.expression, n.Variable) else "")
        for i in last.projection.items
    ]


def _smaller(limit: n.Expression | None, cap: int, parameters: Mapping[str, Parameter]) -> n.Expression:
    if limit is None:
        return n.Literal(cap)
    value: object = limit.value if isinstance(limit, n.Literal) else None
    if isinstance(limit, n.Parameter):
        value = parameters.get(limit.name)
    if isinstance(value, int) and not isinstance(value, bool):
        return n.Literal(max(0, min(value, cap)))
    return n.Case(
        None,
        (n.When((n.Comparison(limit, (n.Operation("<", n.Literal(cap)),)),), limit),),
        n.Literal(cap),
    )
