"""Constraints and indexes of the database, as named steps that are recorded once applied."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, LiteralString

from kg import queries
from kg.queries import Label
from schemas.errors import SchemaError
from schemas.graph_schema import GraphSchema
from schemas.ids import content_hash

ENTITY_PROPERTIES: Final = frozenset(
    {"id", "name", "name_key", "description", "aliases", "embedding", "status"}
)
"""Property names of every entity; no attribute of an entity type may have one of them."""
STATEMENT_PROPERTIES: Final = frozenset(
    {
        "id", "document", "subject_record", "object_record", "quote", "start", "end",
        "more_evidence", "status", "origin", "extractor", "confidence",
    }
)  # fmt: skip
"""Property names of every statement; no attribute of a relation may have one of them."""


@dataclass(frozen=True, slots=True)
class Migration:
    """A named step; its statements may be repeated without harm."""

    name: str
    statements: tuple[LiteralString, ...]


def check_names(schema: GraphSchema) -> None:
    """Refuses a schema whose names collide with those that every workspace has (``SchemaError``)."""
    for entity in schema.entities:
        if entity.label in {label.value for label in Label}:
            raise SchemaError(f"label {entity.label!r} is used for the platform's own nodes; choose another")
        _refuse(entity.name, [a.name for a in entity.attributes], ENTITY_PROPERTIES)
    for relation in schema.relations:
        _refuse(relation.name, [a.name for a in relation.attributes], STATEMENT_PROPERTIES)


def _refuse(owner: str, attributes: list[str], reserved: frozenset[str]) -> None:
    taken = sorted(reserved.intersection(attributes))
    if taken:
        raise SchemaError(
            f"{owner} declares {', '.join(taken)}, which every node or relation of its kind already has; "
            f"rename it (reserved: {', '.join(sorted(reserved))})"
        )


def vector_labels(schema: GraphSchema) -> tuple[str, ...]:
    """Labels that carry a vector index: types with ``embed: true``, chunks and communities."""
    return (*(e.label for e in schema.entities if e.embed), Label.CHUNK.value, Label.COMMUNITY.value)


def migrations(schema: GraphSchema, dimension: int) -> tuple[Migration, ...]:
    """All steps for a schema and an embedding dimension (0: no vector indexes), in order."""
    check_names(schema)
    identified = [label.value for label in Label if label is not Label.WORKSPACE]
    relations = tuple(queries.unique_relationship(r.neo4j_type) for r in schema.relations)
    vectors = tuple(queries.vector_index_on(label, dimension) for label in vector_labels(schema))
    steps = [
        Migration("0001-identity", tuple(queries.unique_node(label) for label in identified)),
        Migration(
            "0002-lookup",
            (
                queries.range_index(Label.ENTITY, "name_key"),
                queries.range_index(Label.RECORD, "document"),
                queries.range_index(Label.COMMUNITY, "level"),
            ),
        ),
        Migration(
            "0003-fulltext",
            (
                queries.fulltext_index(queries.FULLTEXT_ENTITY, Label.ENTITY, ("name", "aliases")),
                queries.fulltext_index(queries.FULLTEXT_CHUNK, Label.CHUNK, ("text",)),
            ),
        ),
        Migration(f"statements-{content_hash(*relations)[:8]}", relations),
    ]
    if dimension:
        steps.append(Migration(f"vectors-{content_hash(*vectors)[:8]}", vectors))
    return tuple(steps)
