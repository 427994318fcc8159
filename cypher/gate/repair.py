"""Repairs that are the only ones: a change that alone makes a finding go away is made, and reported.

Tried, in this order of findings: the nearest label, type or property; an edge turned round; a property moved
to the only neighbour that has it; a value given in the form of the property's type; the only node put in that
leads from one end of an edge to the other. Two changes that would do
are none: the asker chooses.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from cypher.gate.check import Checked, check_tree
from cypher.gate.detours import between, put_in
from cypher.gate.properties import properties_of
from cypher.gate.rewording import reworded
from cypher.gate.symbols import Kind, Use, place
from cypher.syntax import nodes as n
from cypher.syntax.parse import parse
from cypher.syntax.walk import rebuild
from cypher.syntax.write import write
from schemas.errors import QueryRefusedError
from schemas.findings import Finding, Repair
from schemas.questions import Parameter
from schemas.store_schema import StoreSchema

MAX_REPAIRS: Final = 5
"""Most repairs of one query; what needs more was meant for another graph."""
_CODES: Final = frozenset({"SCH1", "SCH2", "SCH3", "SCH4", "SCH5"})


@dataclass(frozen=True, slots=True)
class Mended:
    """A checked query with what was changed."""

    checked: Checked
    repairs: tuple[Repair, ...]


def mend(query: n.Query, schema: StoreSchema, parameters: Mapping[str, Parameter]) -> Mended:
    """The query with every repair that is unique; what remains is in its findings."""
    query, repairs = reworded(query)
    if repairs:
        query = parse(write(query))
    checked = check_tree(query, schema, parameters)
    while len(repairs) < MAX_REPAIRS:
        step = _step(checked, schema, parameters)
        if step is None:
            break
        checked, repair = step
        repairs.append(repair)
    return Mended(checked, tuple(repairs))


def _step(
    checked: Checked, schema: StoreSchema, parameters: Mapping[str, Parameter]
) -> tuple[Checked, Repair] | None:
    for found in checked.findings:
        if found.code not in _CODES:
            continue
        fitting: dict[str, tuple[Checked, n.Query]] = {}
        for tier in (_candidates, _longer):
            for candidate in tier(found, checked, schema) if not fitting else ():
                tried = _tried(candidate, checked, found, schema, parameters)
                if tried is not None:
                    fitting.setdefault(write(candidate), (tried, candidate))
        if len(fitting) == 1:
            ((text, (after, _)),) = fitting.items()
            before = write(checked.query)
            message = f"{found.message}; changed, because only this fits the graph"
            return after, Repair(code=found.code, message=message, before=before, after=text)
    return None


def _tried(
    candidate: n.Query,
    checked: Checked,
    found: Finding,
    schema: StoreSchema,
    parameters: Mapping[str, Parameter],
) -> Checked | None:
    """The candidate with its findings, if the one to mend is gone and nothing new came."""
    try:
        after = check_tree(parse(write(candidate)), schema, parameters)
    except QueryRefusedError:
        return None
    before = [(f.code, f.message) for f in checked.findings]
    now = [(f.code, f.message) for f in after.findings]
    gone = (found.code, found.message) not in now
    return after if gone and len(now) < len(before) and set(now) <= set(before) else None


def _candidates(found: Finding, checked: Checked, schema: StoreSchema) -> Iterator[n.Query]:
    at = found.place.start, found.place.end
    if found.code in {"SCH1", "SCH2"}:
        for name in found.suggestions:
            yield _replaced(checked.query, at, n.LabelName, name)
    elif found.code == "SCH3":
        for name in found.suggestions:
            yield _renamed(checked.query, at, name)
        if not found.suggestions:
            yield from _moved(found, checked, schema)
    elif found.code == "SCH4":
        for edge in checked.analysis.edges:
            if edge.pattern.direction:
                yield _turned(checked.query, place(edge.pattern))
    elif found.code == "SCH5":
        yield from _coerced(found, checked, schema)


def _longer(found: Finding, checked: Checked, schema: StoreSchema) -> Iterator[n.Query]:
    """The edge with the only node put in that its two ends have between them."""
    del schema
    at = found.place.start, found.place.end
    for edge in checked.analysis.edges if found.code == "SCH4" else ():
        if place(edge.pattern) == at and not edge.repeated and edge.pattern.direction:
            for steps in between(edge, checked.domains):
                yield put_in(checked.query, at, steps)


def _replaced(query: n.Query, at: tuple[int, int], kind: type[n.LabelName], name: str) -> n.Query:
    def change(node: n.Node) -> n.Node:
        return replace(node, name=name) if isinstance(node, kind) and place(node) == at else node

    return rebuild(query, change)


def _renamed(query: n.Query, at: tuple[int, int], name: str) -> n.Query:
    def change(node: n.Node) -> n.Node:
        if place(node) != at:
            return node
        if isinstance(node, n.Property | n.PropertySelector):
            return replace(node, name=name)
        return replace(node, key=name) if isinstance(node, n.MapEntry) else node

    return rebuild(query, change)


def _turned(query: n.Query, at: tuple[int, int]) -> n.Query:
    other = {">": "<", "<": ">", "": ""}

    def change(node: n.Node) -> n.Node:
        if isinstance(node, n.RelationshipPattern) and place(node) == at:
            return replace(node, direction=other[node.direction])
        return node

    return rebuild(query, change)


def _moved(found: Finding, checked: Checked, schema: StoreSchema) -> Iterator[n.Query]:
    """A property read of the wrong end or of the relationship: the only named neighbour that has it."""
    use = next(
        (u for u in checked.analysis.uses if place_of(u) == (found.place.start, found.place.end)), None
    )
    if use is None or use.symbol is None:
        return
    for edge in checked.analysis.edges:
        symbols = (edge.start, edge.relationship, edge.end)
        if use.symbol not in symbols or edge.repeated:
            continue
        for other in symbols:
            if other is use.symbol or not other.name or other.kind is Kind.UNKNOWN:
                continue
            if use.name in properties_of(other, checked.domains, schema):
                yield _read_of(checked.query, place_of(use), other.name)


def place_of(use: Use) -> tuple[int, int]:
    """The place of a use."""
    return use.span.start, use.span.end


def _read_of(query: n.Query, at: tuple[int, int], variable: str) -> n.Query:
    def change(node: n.Node) -> n.Node:
        if isinstance(node, n.Property) and place(node) == at and isinstance(node.target, n.Variable):
            return replace(node, target=n.Variable(variable))
        return node

    return rebuild(query, change)


def _coerced(found: Finding, checked: Checked, schema: StoreSchema) -> Iterator[n.Query]:
    """``year = '2020'``: the same value as a number, or the other way round."""
    del schema
    if not found.suggestions:
        return
    at = found.place.start, found.place.end
    use = next((u for u in checked.analysis.uses if u.value is not None and place_of(u) == at), None)
    if use is None or not isinstance(use.value, n.Literal):
        return
    text, where = found.suggestions[0], place(use.value)
    if text.startswith("."):
        yield _part_of(checked.query, at, text[1:])
        return
    value = _value(text, use.value)

    def change(node: n.Node) -> n.Node:
        return value if isinstance(node, n.Literal) and place(node) == where else node

    yield rebuild(checked.query, change)


def _value(text: str, literal: n.Literal) -> n.Expression:
    """The expression that a suggestion stands for: a number, a text, or a date made from the text."""
    name, bracket, _ = text.partition("(")
    if bracket:
        return n.FunctionCall(name, (literal,))
    return n.Literal(text[1:-1] if text.startswith("'") else float(text) if "." in text else int(text))


def _part_of(query: n.Query, at: tuple[int, int], name: str) -> n.Query:
    """``n.built = 2020`` as ``n.built.year = 2020``; not where the property is a key of a pattern."""

    def change(node: n.Node) -> n.Node:
        return n.Property(node, name) if isinstance(node, n.Property) and place(node) == at else node

    return rebuild(query, change)
