"""Rewrites that say the same in a form that can be checked: stars become names, what is hidden stays so."""

from __future__ import annotations

from dataclasses import replace

from cypher.gate.check import Checked
from cypher.gate.properties import properties_of
from cypher.gate.scopes import column_of
from cypher.gate.symbols import Kind, place
from cypher.syntax import nodes as n
from cypher.syntax.walk import rebuild
from schemas.store_schema import StoreSchema

MAX_COLUMN = 80
"""Longest name that a column takes from the text of its expression."""


def name_everything(checked: Checked, schema: StoreSchema) -> n.Query:
    """The query with ``*`` written out, and with maps of all properties holding those of the schema only."""

    def known(node: n.Node) -> list[str] | None:
        symbol = checked.analysis.maps.get(place(node))
        if symbol is None or symbol.kind is Kind.MAP:
            return None
        return sorted(properties_of(symbol, checked.domains, schema))

    def change(node: n.Node) -> n.Node:
        if isinstance(node, n.Projection) and node.star:
            names = checked.analysis.stars.get(place(node), ())
            if not names and not node.items:
                return node
            items = tuple(n.Item(n.Variable(x)) for x in names)
            return replace(node, star=False, items=(*items, *node.items))
        if isinstance(node, n.CallProcedure) and node.star:
            return _yielding(node)
        if isinstance(node, n.MapProjection):
            names_of = known(node)
            return node if names_of is None else _selected(node, names_of)
        if isinstance(node, n.FunctionCall) and node.name.lower() in {"properties", "keys"}:
            names_of = known(node)
            return node if names_of is None else _visible(node, names_of)
        return node

    return _columns_named(rebuild(checked.query, change))


def _selected(node: n.MapProjection, names: list[str]) -> n.MapProjection:
    if not any(isinstance(i, n.AllProperties) for i in node.items):
        return node
    selectors = tuple(n.PropertySelector(x) for x in names)
    items: list[n.MapEntry | n.PropertySelector | n.VariableSelector | n.AllProperties] = []
    for item in node.items:
        items.extend(selectors if isinstance(item, n.AllProperties) else (item,))
    return replace(node, items=tuple(dict.fromkeys(items)))


def _visible(node: n.FunctionCall, names: list[str]) -> n.Expression:
    argument = node.arguments[0] if node.arguments else n.Literal(None)
    if node.name.lower() == "properties":
        if isinstance(argument, n.Variable):
            return n.MapProjection(argument.name, tuple(n.PropertySelector(x) for x in names))
        entries = tuple(n.MapEntry(x, n.Property(argument, x)) for x in names)
        return n.MapLiteral(entries)
    listed = n.ListLiteral(tuple(n.Literal(x) for x in names))
    return n.ListComprehension("__key", node, n.Test("IN", n.Variable("__key"), listed), None)


def _columns_named(query: n.Query) -> n.Query:
    """Columns keep the names that the text gives them, whatever becomes of their expressions."""
    branches = []
    for branch in query.branches:
        *before, last = branch.clauses
        if isinstance(last, n.Return):
            items = tuple(_named(i) for i in last.projection.items)
            last = replace(last, projection=replace(last.projection, items=items))
        elif isinstance(last, n.CallProcedure) and not before:
            before, last = [_yielding(last)], n.Return(n.Projection(_yielded(last)))
        branches.append(replace(branch, clauses=(*before, last)))
    return replace(query, branches=tuple(branches))


def _named(item: n.Item) -> n.Item:
    if item.alias is not None or isinstance(item.expression, n.Variable):
        return item
    return replace(item, alias=" ".join(column_of(item).split())[:MAX_COLUMN])


def _yielding(call: n.CallProcedure) -> n.CallProcedure:
    from cypher.gate.allowed import PROCEDURES

    if call.items:
        return call
    items = tuple(n.Yield(x) for x in PROCEDURES.get(call.name.lower(), ()))
    return replace(call, items=items, star=False, arguments=call.arguments or ())


def _yielded(call: n.CallProcedure) -> tuple[n.Item, ...]:
    return tuple(n.Item(n.Variable(i.alias or i.name)) for i in _yielding(call).items)
