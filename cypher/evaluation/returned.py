"""What a query in Cypher returns, found in its syntax tree."""

from __future__ import annotations

from collections.abc import Mapping

from cypher.semantics.returning import Column
from cypher.syntax import nodes as n
from cypher.syntax.expressions import Expression
from cypher.syntax.parse import parse
from cypher.syntax.walk import walk


def returned_in(text: str) -> tuple[Column, ...] | None:
    """What a query returns; ``None`` where any of it is no node, property or count of nodes with a label.

    Raises ``QueryRefusedError`` for no read query.

    >>> returned_in("MATCH (s:Ship)-[:IN]->(p:Port) RETURN DISTINCT s.name, count(p) AS n")
    (Column(label='Ship', property='name', counted=False), Column(label='Port', property='', counted=True))
    >>> returned_in("MATCH (s:Ship) RETURN avg(s.length)") is None
    True
    """
    query = parse(text)
    last = query.branches[-1].clauses[-1]
    if not isinstance(last, n.Return) or last.projection.star:
        return None
    labels = _labels(query)
    found = [_column(item.expression, labels) for item in last.projection.items]
    columns = tuple(c for c in found if c is not None)
    return columns if len(columns) == len(found) else None


def _labels(query: n.Query) -> Mapping[str, str]:
    """The label of every variable that stands beside one alone."""
    return {
        node.variable: node.labels.name
        for node in walk(query)
        if isinstance(node, n.NodePattern) and node.variable and isinstance(node.labels, n.LabelName)
    }


def _column(expression: Expression, labels: Mapping[str, str]) -> Column | None:
    match expression:
        case n.Variable(name=name) if name in labels:
            return Column(labels[name])
        case n.Property(target=n.Variable(name=name), name=of) if name in labels:
            return Column(labels[name], of)
        case n.FunctionCall(name=function, arguments=(n.Variable(name=name),)) if name in labels:
            return Column(labels[name], counted=True) if function.lower() == "count" else None
    return None
