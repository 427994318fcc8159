"""The part of a graph's schema that a question is about, as text for a prompt."""

from __future__ import annotations

from collections.abc import Iterable

from schemas.prompts import one_line
from schemas.store_schema import (
    StoreProperty,
    StoreSchema,
)

MOST_LABELS = 25
MOST_PROPERTIES = 30
MOST_VALUES = 8


def pruned(schema: StoreSchema, labels: Iterable[str]) -> StoreSchema:
    """The labels, their neighbours over one relation, and what leads between any two of these.

    All of the schema where no label is given.
    """
    wanted = {name for name in labels if schema.label(name)}
    if not wanted:
        return schema
    near = {t.start for t in schema.triples if t.end in wanted} | {
        t.end for t in schema.triples if t.start in wanted
    }
    kept = wanted | near
    triples = tuple(t for t in schema.triples if {t.start, t.end} <= kept)
    types = {t.type for t in triples}
    return StoreSchema(
        labels=tuple(x for x in schema.labels if x.name in kept),
        relations=tuple(r for r in schema.relations if r.type in types),
        triples=triples,
        scope_property=schema.scope_property,
    )


def describe(schema: StoreSchema) -> str:
    """Labels with properties, and relationships with their directions, one a line."""
    lines = [f"(:{x.name} {_properties(x.properties)})" for x in schema.labels[:MOST_LABELS]]
    shown = {x.name for x in schema.labels[:MOST_LABELS]}
    for t in schema.triples:
        relation = schema.relation(t.type)
        if {t.start, t.end} <= shown:
            held = f" {_properties(relation.properties)}" if relation and relation.properties else ""
            lines.append(f"(:{t.start})-[:{t.type}{held}]->(:{t.end})")
    return "\n".join(lines)


def _properties(found: tuple[StoreProperty, ...]) -> str:
    parts = []
    for p in found[:MOST_PROPERTIES]:
        kind = f"list of {p.type.value}" if p.many else p.type.value
        values = ", ".join(f"'{one_line(v, 40)}'" for v in p.values[:MOST_VALUES])
        parts.append(f"{p.name}: {kind}" + (f" of {values}" if values else ""))
    return "{" + ", ".join(parts) + "}"
