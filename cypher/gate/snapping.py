"""Names in quotes that no node has, written as the one that is stored: ``'lhcb'`` for ``'LHCb'``.

Only where a value is asked for by ``=`` or in a pattern, and only where one stored name is nearest; the
change is reported. What is stored is asked of the schema (properties with few values) or of whoever knows the
graph.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

from cypher.gate.check import Checked
from cypher.gate.report import nearest
from cypher.gate.symbols import Kind, Place, Symbol, place
from cypher.syntax import nodes as n
from cypher.syntax.walk import rebuild, walk
from schemas.findings import Repair
from schemas.store_schema import StoreLabel, StoreSchema

Names: TypeAlias = Callable[[str, str], tuple[str, ...]]
"""Label and text to the stored names that it may mean: itself alone where it is one of them."""


def snapped(checked: Checked, schema: StoreSchema, names: Names | None) -> tuple[n.Query, tuple[Repair, ...]]:
    """The query with stored names, and what was changed."""
    changes: dict[Place, str] = {}
    repairs: list[Repair] = []
    for at, symbol, key, literal in _asked(checked):
        stored = _stored(symbol, key, str(literal.value), checked, schema, names)
        if stored and stored != literal.value:
            changes[at] = stored
            message = f"nothing is called {literal.value!r}; read as the only near name {stored!r}"
            before, after = f"{key} = {literal.value!r}", f"{key} = {stored!r}"
            repairs.append(Repair(code="VAL1", message=message, before=before, after=after))

    def change(node: n.Node) -> n.Node:
        found = changes.get(place(node)) if isinstance(node, n.Literal) else None
        return n.Literal(found, span=node.span) if found is not None else node

    return (rebuild(checked.query, change) if changes else checked.query), tuple(repairs)


def _asked(checked: Checked) -> Iterator[tuple[Place, Symbol, str, n.Literal]]:
    """Every text that a property of a node must equal, with its place."""
    uses = {(u.span.start, u.span.end): u.symbol for u in checked.analysis.uses if u.symbol is not None}
    for node in walk(checked.query):
        pairs: list[tuple[n.Node, str, n.Expression]] = []
        if isinstance(node, n.Comparison) and len(node.rest) == 1 and node.rest[0].operator == "=":
            sides = (node.first, node.rest[0].operand)
            pairs = [(a, a.name, b) for a, b in (sides, sides[::-1]) if isinstance(a, n.Property)]
        elif isinstance(node, n.NodePattern) and isinstance(node.properties, n.MapLiteral):
            pairs = [(e, e.key, e.value) for e in node.properties.entries]
        for holder, key, value in pairs:
            symbol = uses.get(place(holder))
            is_text = isinstance(value, n.Literal) and isinstance(value.value, str) and value.value
            if symbol is not None and symbol.kind is Kind.NODE and is_text and isinstance(value, n.Literal):
                yield place(value), symbol, key, value


def _stored(
    symbol: Symbol, key: str, text: str, checked: Checked, schema: StoreSchema, names: Names | None
) -> str:
    """The one stored name that a text means; empty where there is none or several."""
    found: set[str] = set()
    for label in _labels(symbol, checked, schema):
        declared = next((p for p in label.properties if p.name == key), None)
        if declared is not None and declared.values:
            if text in declared.values:
                return text
            found.update(nearest(text, declared.values))
        elif names is not None and key == label.name_property:
            found.update(names(label.name, text))
    return text if text in found else found.pop() if len(found) == 1 else ""


def _labels(symbol: Symbol, checked: Checked, schema: StoreSchema) -> Iterator[StoreLabel]:
    names = {x for i in checked.domains.of_node(symbol) for x in checked.domains.tables.sets[i]}
    yield from (label for label in schema.labels if label.name in names)
