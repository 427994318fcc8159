"""The store schema of a graph schema's own facts: entities, each under ``Entity`` too, and statements."""

from __future__ import annotations

from functools import lru_cache

from cypher.identifiers import ENTITY
from schemas.graph_schema import AttributeType, GraphSchema
from schemas.store_schema import (
    PropertyType,
    StoreLabel,
    StoreProperty,
    StoreRelation,
    StoreSchema,
    StoreTriple,
)

STATUS = "status"
_TYPES = {
    "string": PropertyType.STRING,
    "strings": PropertyType.STRING,
    "integer": PropertyType.INTEGER,
    "number": PropertyType.FLOAT,
    "boolean": PropertyType.BOOLEAN,
}
_ENTITY = ("id", "name", "description", "aliases", STATUS)
_STATEMENT = ("id", "document", "origin", "extractor", "confidence", STATUS, "quote")
_OTHER = {"confidence": PropertyType.FLOAT}


def fact_store(schema: GraphSchema) -> StoreSchema:
    """What a query over entities and statements may name; kept by the schema's fingerprint."""
    return _fact_store(KeyedSchema(schema))


class _Same:
    """A schema that is looked up by its identity: it is frozen, so one object has one fingerprint."""

    __slots__ = ("schema",)

    def __init__(self, schema: GraphSchema) -> None:
        self.schema = schema

    def __hash__(self) -> int:
        return id(self.schema)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and other.schema is self.schema


@lru_cache(maxsize=16)
def _fingerprint(same: _Same) -> str:
    return same.schema.fingerprint


def fingerprint_of(schema: GraphSchema) -> str:
    """The schema's fingerprint, computed once for each object (it takes milliseconds)."""
    return _fingerprint(_Same(schema))


class KeyedSchema:
    """A schema that is looked up by its fingerprint."""

    __slots__ = ("key", "schema")

    def __init__(self, schema: GraphSchema) -> None:
        self.schema, self.key = schema, fingerprint_of(schema)

    def __hash__(self) -> int:
        return hash(self.key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, KeyedSchema) and other.key == self.key


def described_store(schema: GraphSchema) -> StoreSchema:
    """The same without the graph's own bookkeeping: what a prompt tells of it."""
    return _built(schema, entity=("name",), statement=())


@lru_cache(maxsize=16)
def _fact_store(keyed: KeyedSchema) -> StoreSchema:
    made = _built(keyed.schema, entity=_ENTITY, statement=_STATEMENT)
    every = StoreLabel(name=ENTITY, properties=_fixed(_ENTITY), name_property="name")
    sets = tuple(tuple(sorted((ENTITY, label.name))) for label in made.labels)
    return StoreSchema(
        labels=(every, *made.labels),
        relations=made.relations,
        triples=made.triples,
        label_sets=sets,
        scope_property=STATUS,
    )


def _built(schema: GraphSchema, *, entity: tuple[str, ...], statement: tuple[str, ...]) -> StoreSchema:
    """Types, relations and their attributes, with the named properties of the projection."""
    labels = [
        StoreLabel(name=e.label, properties=_merged(_fixed(entity), e.attributes), name_property="name")
        for e in schema.entities
    ]
    relations = [
        StoreRelation(type=r.neo4j_type, properties=_merged(_fixed(statement), r.attributes))
        for r in schema.relations
    ]
    triples = [
        StoreTriple(start=schema.entity(s).label, type=r.neo4j_type, end=schema.entity(o).label)
        for r in schema.relations
        for s in r.subjects
        for o in r.objects
    ]
    return StoreSchema(
        labels=tuple(labels), relations=tuple(relations), triples=tuple(triples), scope_property=STATUS
    )


def _fixed(names: tuple[str, ...]) -> tuple[StoreProperty, ...]:
    return tuple(
        StoreProperty(name=x, type=_OTHER.get(x, PropertyType.STRING), many=x == "aliases") for x in names
    )


def _merged(
    fixed: tuple[StoreProperty, ...], attributes: tuple[AttributeType, ...]
) -> tuple[StoreProperty, ...]:
    own = {
        a.name: StoreProperty(
            name=a.name,
            type=_TYPES[a.type],
            many=a.type == "strings",
            values=a.enum,
            description=a.description,
        )
        for a in attributes
    }
    return (*(p for p in fixed if p.name not in own), *own.values())
