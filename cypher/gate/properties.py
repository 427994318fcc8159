"""Property check: a property must be one that the variable can have, compared with a value of its type."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from cypher.gate.domains import Domains
from cypher.gate.report import few, finding, nearest
from cypher.gate.symbols import Analysis, Kind, Symbol, Use
from cypher.gate.types import is_value
from cypher.syntax import nodes as n
from schemas.findings import Finding
from schemas.questions import Parameter
from schemas.store_schema import PropertyType, StoreLabel, StoreProperty, StoreRelation, StoreSchema

_COMPONENTS: Final = """
year quarter month week weekYear dayOfQuarter quarterDay dayOfWeek weekDay day ordinalDay hour minute
second millisecond microsecond nanosecond timezone offset offsetMinutes offsetSeconds epochMillis
epochSeconds years quarters months weeks days hours minutes seconds milliseconds microseconds nanoseconds
x y z longitude latitude height crs srid
"""
COMPONENTS: Final = frozenset(_COMPONENTS.split())
"""Parts of dates, times, durations and points."""
_KINDS: Final = {
    PropertyType.STRING: (str,),
    PropertyType.INTEGER: (int, float),
    PropertyType.FLOAT: (int, float),
    PropertyType.BOOLEAN: (bool,),
}


_TIMES: Final = {PropertyType.DATE: "date", PropertyType.DATETIME: "datetime", PropertyType.TIME: "time"}
"""Functions that make a value of a type from its text."""
_ISO: Final = re.compile(
    r"\d{4}(-\d\d(-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?)?)?|\d\d:\d\d(:\d\d)?"
)
_YEAR: Final = "year"


def properties_of(symbol: Symbol | None, domains: Domains, schema: StoreSchema) -> dict[str, StoreProperty]:
    """Properties that a symbol may have; every one of the schema where nothing is known of it.

    A name that is hidden in any set of labels the symbol can have is none: its value there would be told.
    """
    holders = _holders(symbol, domains, schema)
    hidden = {name for holder in holders for name in holder.hidden}
    return {p.name: p for holder in holders for p in holder.properties if p.name not in hidden}


def _holders(
    symbol: Symbol | None, domains: Domains, schema: StoreSchema
) -> list[StoreLabel | StoreRelation]:
    """The labels and types that a symbol can have."""
    if symbol is not None and symbol.kind is Kind.NODE:
        names = {label for i in domains.of_node(symbol) for label in domains.tables.sets[i]}
        return [label for label in schema.labels if label.name in names]
    if symbol is not None and symbol.kind is Kind.RELATIONSHIP:
        types = domains.of_relationship(symbol)
        return [r for r in schema.relations if r.type in types]
    return [*schema.labels, *schema.relations]


def check_properties(analysis: Analysis, domains: Domains, schema: StoreSchema) -> Iterator[Finding]:
    """Findings ``SCH3`` for unknown properties and ``SCH5`` for values of another type."""
    seen: set[tuple[int, str, int]] = set()
    for use in analysis.uses:
        symbol = use.symbol
        if symbol is not None and symbol.kind is Kind.MAP:
            continue
        known = properties_of(symbol, domains, schema)
        is_graph = symbol is not None and symbol.kind in {Kind.NODE, Kind.RELATIONSHIP}
        if use.name in known:
            if is_graph and use.value is not None:
                yield from _check_type(use, known[use.name], domains)
            continue
        if not is_graph and use.name in COMPONENTS and is_value(use.types):
            continue
        key = (id(symbol), use.name, use.span.start)
        if key not in seen:
            seen.add(key)
            yield _hidden_for(use, symbol, domains, schema) or _unknown(use, list(known), symbol, domains)
    yield from _spread(analysis, domains, schema)


def _spread(analysis: Analysis, domains: Domains, schema: StoreSchema) -> Iterator[Finding]:
    """Calls that would tell a hidden property with the name of a component, if they are given a node."""
    if not any(COMPONENTS.intersection(x.hidden) for x in _holders(None, domains, schema)):
        return
    for call in analysis.spread:
        message = f"{call.name}() may be given a node or relationship here; name what it is made of"
        yield finding("SCH3", message, call.span, f"{call.name}({{...}})")


def _hidden_for(use: Use, symbol: Symbol | None, domains: Domains, schema: StoreSchema) -> Finding | None:
    """The finding for a property that only some of what a variable can be shows, or ``None``."""
    can_be = _label_sets(symbol, domains, schema)
    shown = [names for names, visible in can_be if use.name in visible]
    hiding = {_name_of(h) for h in _holders(symbol, domains, schema) if use.name in h.hidden}
    if not shown or not hiding:
        return None
    kept = frozenset[str]().union(*shown).difference(*(names for names, _ in can_be if names & hiding))
    who = symbol.name if symbol is not None and symbol.name else "it"
    message = f"{who} may be of {few(hiding)} too, which has no property {use.name}"
    told = f"of {few(kept)}" if kept else f"not of {few(hiding)}"
    return finding("SCH3", f"{message}; say that {who} is {told}", use.span)


def _label_sets(
    symbol: Symbol | None, domains: Domains, schema: StoreSchema
) -> list[tuple[frozenset[str], frozenset[str]]]:
    """Labels, or the type, that a symbol can have together, with the properties that are visible then."""
    sets, types = frozenset(range(len(domains.tables.sets))), domains.tables.types
    if symbol is not None and symbol.kind is Kind.NODE:
        sets, types = domains.of_node(symbol), frozenset()
    elif symbol is not None and symbol.kind is Kind.RELATIONSHIP:
        sets, types = frozenset(), domains.of_relationship(symbol)
    nodes = (domains.tables.sets[i] for i in sets)
    found = [(labels, schema.node_properties(labels)) for labels in nodes]
    return found + [(frozenset({t}), schema.relation_properties(t)) for t in types]


def _name_of(holder: StoreLabel | StoreRelation) -> str:
    return holder.name if isinstance(holder, StoreLabel) else holder.type


def _unknown(use: Use, known: list[str], symbol: Symbol | None, domains: Domains) -> Finding:
    holder = _holder(symbol, domains)
    if not holder and use.name in COMPONENTS:
        message = f".{use.name} is read of what may be a node here, and this graph has no such property"
        return finding("SCH3", f"{message}; write it right after the date, time or point", use.span)
    near = nearest(use.name, sorted(known))
    said = f"{holder} has no property {use.name}" if holder else f"this graph has no property {use.name}"
    hint = f"; did you mean {' or '.join(near)}?" if near else f"; it has {few(known)}"
    return finding("SCH3", f"{said}{hint if known else ''}", use.span, *near)


def _holder(symbol: Symbol | None, domains: Domains) -> str:
    """What a property is asked of; empty where that is not known."""
    if symbol is None or symbol.kind not in {Kind.NODE, Kind.RELATIONSHIP}:
        return ""
    if symbol.kind is Kind.NODE:
        names = {
            min(domains.tables.sets[i], key=lambda x: (x == "Entity", x)) for i in domains.of_node(symbol)
        }
    else:
        names = set(domains.of_relationship(symbol))
    who = f"{symbol.name} " if symbol.name else ""
    return f"{who}({' or '.join(sorted(names))})" if len(names) <= 3 else (who.strip() or "a node")


def _check_type(use: Use, declared: StoreProperty, domains: Domains) -> Iterator[Finding]:
    value = literal_value(use.value, domains)
    if declared.type in _TIMES and not declared.many and isinstance(value, str | int | float):
        yield from _check_time(use, declared.type, value)
        return
    wanted = _KINDS.get(declared.type)
    if value is None or wanted is None or declared.many or isinstance(value, tuple):
        return
    fits = isinstance(value, wanted) and (isinstance(value, bool) == (declared.type is PropertyType.BOOLEAN))
    if not fits:
        message = f"{use.name} holds values of type {declared.type.value}; it is compared with {value!r}"
        yield finding("SCH5", message, use.span, *_converted(value, declared.type))


def _check_time(use: Use, wanted: PropertyType, value: str | int | float) -> Iterator[Finding]:
    message = f"{use.name} holds values of type {wanted.value}; it is compared with {value!r}"
    tried: tuple[str, ...] = ()
    if isinstance(value, str) and _ISO.fullmatch(value.strip()):
        tried = (f"{_TIMES[wanted]}('{value.strip()}')",)
    elif isinstance(value, int) and not isinstance(value, bool) and 1000 <= value <= 9999:
        tried = (f".{_YEAR}",) if wanted is not PropertyType.TIME else ()
    yield finding("SCH5", message, use.span, *tried)


def _converted(value: object, wanted: PropertyType) -> tuple[str, ...]:
    if wanted is PropertyType.STRING and isinstance(value, int | float) and not isinstance(value, bool):
        return (f"'{value}'",)
    if wanted in {PropertyType.INTEGER, PropertyType.FLOAT} and isinstance(value, str):
        try:
            number = float(value)
        except ValueError:
            return ()
        return (str(int(number)) if number == int(number) else str(number),)
    return ()


def literal_value(node: n.Expression | None, domains: Domains) -> Parameter:
    """The value of a literal or a parameter, ``None`` where it is not known."""
    if isinstance(node, n.Literal):
        return node.value
    if isinstance(node, n.Parameter):
        return domains.parameters.get(node.name)
    if isinstance(node, n.Sign) and isinstance(node.operand, n.Literal):
        value = node.operand.value
        return -value if isinstance(value, int | float) and node.operator == "-" else value
    return None
