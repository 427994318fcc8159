"""What a query of our own graph may name: the facts of its schema, and the documents that they were read in.

Labels, types and properties are those of the projection (``kg.projection``). Embeddings, JSON bookkeeping and
the nodes of redirects and of the workspace are left out, so no query can name them.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from cypher.own_store import STATUS, KeyedSchema, fact_store
from kg.migrations import ENTITY_PROPERTIES, STATEMENT_PROPERTIES
from kg.queries import BOOKKEEPING, FULLTEXT_CHUNK, FULLTEXT_ENTITY, Label, Link, vector_index
from schemas.graph_schema import GraphSchema
from schemas.store_schema import (
    PropertyType,
    StoreLabel,
    StoreProperty,
    StoreRelation,
    StoreSchema,
    StoreTriple,
)

_NUMBERS: Final = {"start", "end", "order", "level", "year", "size"}
_LISTS: Final = {"aliases", "other_keys"}
_PROPERTIES: Final = {
    Label.RECORD: "id document type name origin extractor confidence status quote start end description"
    " aliases",
    Label.DOCUMENT: "id version kind title arxiv inspire doi experiment other_keys attribution licence year",
    Label.SECTION: "id title level order start end",
    Label.CHUNK: "id document order start end text",
    Label.COMMUNITY: "id level size title summary summarizer status",
}
_WITHOUT_STATUS: Final = {Label.SECTION, Label.CHUNK}
"""The words of a document, which has facts of every status: with a community they are outside every scope but
``all``. They carry no status of their own, and the schema names one nevertheless."""
_LINKS: Final = (
    (Label.RECORD, Link.REFERS_TO, Label.ENTITY),
    (Label.RECORD, Link.FROM, Label.DOCUMENT),
    (Label.RECORD, Link.MENTIONED_IN, Label.CHUNK),
    (Label.DOCUMENT, Link.HAS_SECTION, Label.SECTION),
    (Label.SECTION, Link.HAS_SECTION, Label.SECTION),
    (Label.SECTION, Link.HAS_CHUNK, Label.CHUNK),
    (Label.ENTITY, Link.HAS_DOCUMENT, Label.DOCUMENT),
    (Label.ENTITY, Link.IN_COMMUNITY, Label.COMMUNITY),
    (Label.COMMUNITY, Link.PART_OF, Label.COMMUNITY),
)
_LINK_PROPERTIES: Final = {Link.MENTIONED_IN: "start end quote"}
_VECTOR: Final = "embedding"
_HIDDEN: Final = {
    Label.RECORD: ("attributes", "more_evidence"),
    Label.CHUNK: (_VECTOR,),
    Label.COMMUNITY: (_VECTOR,),
}
"""What the projection writes for itself; entities and statements have theirs in ``kg.migrations``."""


def own_store_schema(schema: GraphSchema) -> StoreSchema:
    """The store schema of a graph that ``kg load`` wrote; kept by the schema's fingerprint."""
    return _store_schema(KeyedSchema(schema))


@lru_cache(maxsize=8)
def _store_schema(keyed: KeyedSchema) -> StoreSchema:
    schema = keyed.schema
    facts = fact_store(schema)
    embedded = {e.label for e in schema.entities if e.embed}
    labels = [_kept(x, embedded=x.name in embedded) for x in facts.labels]
    labels += [
        StoreLabel(
            name=k.value,
            properties=_properties(f"{v} {STATUS}" if k in _WITHOUT_STATUS else v),
            hidden=_HIDDEN.get(k, ()),
        )
        for k, v in _PROPERTIES.items()
    ]
    links = {link for _, link, _ in _LINKS}
    relations = [
        StoreRelation(type=x.value, properties=_properties(_LINK_PROPERTIES.get(x, "")))
        for x in sorted(links)
    ]
    triples = [StoreTriple(start=a.value, type=link.value, end=b.value) for a, link, b in _LINKS]
    return StoreSchema(
        labels=tuple(labels),
        relations=(*(_kept_statement(x) for x in facts.relations), *relations),
        triples=(*facts.triples, *triples),
        label_sets=(*facts.label_sets, *((k.value,) for k in _PROPERTIES)),
        fulltext_indexes=(FULLTEXT_CHUNK, FULLTEXT_ENTITY),
        hidden_labels=tuple(sorted(x.value for x in BOOKKEEPING)),
        scope_property=STATUS,
    )


def _kept(label: StoreLabel, *, embedded: bool) -> StoreLabel:
    """A label of entities, with what the projection adds."""
    names = {"vector_property": _VECTOR, "vector_index": vector_index(label.name)} if embedded else {}
    hidden = _left_out(ENTITY_PROPERTIES, label.properties)
    return StoreLabel(**{**label.model_dump(), **names, "hidden": hidden})


def _kept_statement(relation: StoreRelation) -> StoreRelation:
    hidden = _left_out(STATEMENT_PROPERTIES, relation.properties)
    return StoreRelation(**{**relation.model_dump(), "hidden": hidden})


def _left_out(written: frozenset[str], shown: tuple[StoreProperty, ...]) -> tuple[str, ...]:
    return tuple(sorted(written - {p.name for p in shown}))


def _properties(names: str) -> tuple[StoreProperty, ...]:
    return tuple(StoreProperty(name=x, type=_type(x), many=x in _LISTS) for x in names.split())


def _type(name: str) -> PropertyType:
    if name in _NUMBERS:
        return PropertyType.INTEGER
    return PropertyType.FLOAT if name == "confidence" else PropertyType.STRING
