"""Cypher of a property: as it is stored, as it is compared and sorted, and of the period it lies in."""

from __future__ import annotations

import re
from typing import Final

from cypher.semantics.grouped import quoted
from cypher.semantics.ir import Filter, Operator, Period, PropertyRef, Query
from cypher.semantics.stored import type_of
from schemas.store_schema import PropertyType, StoreSchema

_PLAIN: Final = re.compile(r"[\w ]+")
_TEMPORAL: Final = frozenset({PropertyType.DATE, PropertyType.DATETIME})


def plain(ref: PropertyRef) -> str:
    """The property as it is stored.

    >>> plain(PropertyRef(1, "born"))
    'n1.`born`'
    """
    return f"{'r' if ref.on_edge else 'n'}{ref.owner}.{quoted(ref.name)}"


def alone(condition: Filter, query: Query, schema: StoreSchema) -> str | None:
    """A condition that compares nothing: that a property is known, that a node has labels.

    Where no node has a label beside the node's own, that is asked of its labels as texts: a pattern of both
    is no query of the graph, the answer that there are none is one.

    >>> from cypher.semantics.ir import Node
    >>> sets = (("Cook", "Person"), ("Person", "Pilot"))
    >>> is_not = Filter(PropertyRef(0, ""), Operator.IS_NOT, ("Pilot", "Cook"))
    >>> alone(is_not, Query((Node("Person"),)), StoreSchema(label_sets=sets))
    'NOT (n0:`Pilot` OR n0:`Cook`)'
    >>> alone(Filter(PropertyRef(0, "born"), Operator.KNOWN), Query((Node("Person"),)), StoreSchema())
    'n0.`born` IS NOT NULL'
    """
    if condition.operator in (Operator.KNOWN, Operator.UNKNOWN):
        return f"{plain(condition.ref)} {condition.operator.value}"
    if condition.ref.period is Period.CALENDAR_MONTH:
        text = plain(condition.ref)
        temporal = type_of(query, condition.ref, schema) in _TEMPORAL
        month = f"{text}.month" if temporal else f"toInteger(substring({text}, 5, 2))"
        return f"{month} {condition.operator.value} {condition.value}"
    if condition.operator not in (Operator.IS, Operator.IS_NOT) or not isinstance(condition.value, tuple):
        return None
    node = condition.ref.owner
    beside = schema.beside(query.nodes[node].label)
    apart = {x for x in condition.value if x not in beside and _PLAIN.fullmatch(str(x))}
    each = (
        f"'{x}' IN labels(n{node})" if x in apart else f"n{node}:{quoted(str(x))}" for x in condition.value
    )
    return f"{'NOT ' * (condition.operator is Operator.IS_NOT)}({' OR '.join(each)})"


def value(ref: PropertyRef) -> str:
    """What is compared and sorted: numbers and days that a text holds, or how long it is.

    >>> value(PropertyRef(0, "price", numeric_text=True))
    "toFloat(replace(n0.`price`, ',', ''))"
    """
    if not ref.name:
        return f"n{ref.owner}"
    text = plain(ref)
    if ref.day_text:
        parts = f"split({text}, '/')"
        return f"{parts}[2] + '-' + right('0' + {parts}[1], 2) + '-' + right('0' + {parts}[0], 2)"
    if ref.sized:
        return f"size({text})"
    return f"toFloat(replace({text}, ',', ''))" if ref.numeric_text else text


def day(ref: PropertyRef, query: Query, schema: StoreSchema) -> str:
    """What is compared with a day: of a moment, and of a text that a time of day follows, the day alone.

    >>> from cypher.semantics.ir import Node
    >>> day(PropertyRef(0, "placed", iso_text=True, clock=True), Query((Node("Order"),)), StoreSchema())
    'left(n0.`placed`, 10)'
    """
    if type_of(query, ref, schema) is PropertyType.DATETIME:
        return f"date({plain(ref)})"
    return f"left({plain(ref)}, 10)" if ref.clock else value(ref)


def key(ref: PropertyRef, query: Query, schema: StoreSchema) -> str:
    """What rows are told apart by: the value, or the period in which it lies.

    >>> from cypher.semantics.ir import Node
    >>> made = PropertyRef(0, "made", iso_text=True, period=Period.MONTH)
    >>> key(made, Query((Node("Film"),)), StoreSchema())
    'left(n0.`made`, 7)'
    """
    if ref.period is None:
        return plain(ref)
    kind = type_of(query, ref, schema)
    if kind in (PropertyType.INTEGER, PropertyType.FLOAT):
        return f"toInteger({plain(ref)}) / 10 * 10" if ref.period is Period.DECADE else plain(ref)
    text = f"toString({plain(ref)})" if kind in _TEMPORAL else value(ref)
    if ref.period is Period.MONTH:
        return f"left({text}, 7)"
    decade = ref.period is Period.DECADE
    return f"toInteger(left({text}, {3 if decade else 4})){' * 10' if decade else ''}"


def keyed(ref: PropertyRef, query: Query, schema: StoreSchema) -> tuple[str, str]:
    """What the column of a key is called, and the key."""
    return ref.period.value if ref.period else ref.name, key(ref, query, schema)
