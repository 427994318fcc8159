"""What a reading returns, and the readings that match the same and return something else."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from cypher.semantics.ir import Head, PropertyRef, Query
from schemas.store_schema import StoreSchema

LIKELY: Final = -1.5
"""Log-odds from which on a property is worth a reading that returns it."""


@dataclass(frozen=True, slots=True)
class Column:
    """One thing that a query returns: nodes, a property of them, or how many there are."""

    label: str
    property: str = ""
    """Empty for the nodes themselves."""
    counted: bool = False


def column_elements(columns: Iterable[Column], schema: StoreSchema) -> frozenset[str]:
    """What is learned of columns: the label, and what of it; nodes and their names are the same.

    >>> from schemas.store_schema import StoreLabel
    >>> ships = StoreSchema(labels=(StoreLabel(name="Ship", name_property="title"),))
    >>> sorted(column_elements([Column("Ship", "title"), Column("Ship", "flag")], ships))
    ['>Ship', '>Ship.', '>Ship.flag']
    >>> sorted(column_elements([Column("Ship", counted=True)], ships))
    ['>Ship', '>Ship#']
    """
    found = set[str]()
    for column in columns:
        label = schema.label(column.label)
        by_name = label is not None and column.property == label.name_property
        found.add(f">{column.label}")
        found.add(f">{column.label}#" if column.counted else _of(column.label, column.property, by_name))
    return frozenset(found)


def _of(label: str, name: str, by_name: bool) -> str:
    return f">{label}.{'' if by_name else name}"


def columns_of(query: Query) -> tuple[Column, ...] | None:
    """What a reading returns; ``None`` where that is a figure, a yes or no, or is told apart by something."""
    if query.head not in (Head.LIST, Head.COUNT) or query.pooled or query.keys or query.measures:
        return None
    if query.group is not None or query.measured is not None or any(r.on_edge for r in query.project):
        return None
    label = query.nodes[query.answer].label
    if query.head is Head.COUNT:
        return (Column(label, counted=True),)
    named = tuple(Column(query.nodes[r.owner].label, r.name) for r in query.project)
    return named or (Column(label),)


def returning_otherwise(query: Query, schema: StoreSchema, odds: Mapping[str, float]) -> Iterator[Query]:
    """Readings that match the same and return other nodes, or a property of some that the words speak for.

    ``odds`` are those of :meth:`cypher.semantics.evidence.Evidence.of`. Only of readings that return one
    thing, and neither choose nor rank by how many there are of another.
    """
    if not _is_plain(query):
        return
    known = columns_of(query)
    for name in dict.fromkeys(node.label for node in query.nodes):
        for other in _asking_for(query, _meant(query, name), name, schema, odds):
            if columns_of(other) != known:
                yield other


def _meant(query: Query, name: str) -> int:
    """Of the nodes of a label the one that is returned, else ranked, else the first that is not limited."""
    places = [i for i, node in enumerate(query.nodes) if node.label == name]
    ranked = query.order.ref.owner if query.order is not None and query.order.ref is not None else None
    limited = {f.ref.owner for f in query.filters if not f.ref.on_edge}
    return min(places, key=lambda i: (i != query.answer, i != ranked, i in limited, i))


def _is_plain(query: Query) -> bool:
    if columns_of(query) is None or len(query.project) > 1 or query.clauses or query.inner or query.having:
        return False
    order = query.order
    return order is None or (order.ref is not None and not order.ref.on_edge and order.within is None)


def _asking_for(
    query: Query, asked: int, name: str, schema: StoreSchema, odds: Mapping[str, float]
) -> Iterator[Query]:
    yield replace(query, answer=asked, project=(), whole=False)
    label = schema.label(name)
    if label is None or query.head is Head.COUNT:
        return
    for prop in label.properties:
        if prop.name != label.name_property and odds.get(f">{name}.{prop.name}", LIKELY) > LIKELY:
            yield replace(query, answer=asked, project=(PropertyRef(asked, prop.name),), whole=False)
