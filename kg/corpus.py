"""The corpus in memory: all current graphs, as columns for resolution and as one canonical graph."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from canonicalize.merge import canonical_graph
from kg.review_log import ReviewLog
from schemas.graph_schema import EntityType, GraphSchema
from schemas.graphs import CanonicalGraph, DocumentGraph, Record, RecordColumns
from schemas.ids import EntityId, RecordId
from schemas.model import AttributeValue
from schemas.ports import Embedder, Progress
from schemas.review import Group, Resolution

TEXT_LIMIT = 240
"""Characters of a text to embed: about what the default model reads without loss of speed."""


def entity_text(entity: EntityType, schema: GraphSchema, name: str, description: str) -> str:
    """What is embedded for an entity: its description for documents, else name and description."""
    if entity.name == schema.document_type:
        return (description or name)[:TEXT_LIMIT]
    return (f"{name}: {description}" if description and description != name else name)[:TEXT_LIMIT]


def record_columns(
    graphs: Iterable[DocumentGraph],
    schema: GraphSchema,
    embedder: Embedder | None,
    *,
    progress: Progress,
    embedded: Set[str] | None = None,
) -> tuple[RecordColumns, ...]:
    """All records by type, sorted by id, with vectors for types that merge by similarity.

    ``embedded`` names the types with vectors, where other records decided that.
    """
    by_type: dict[str, list[Record]] = {e.name: [] for e in schema.entities}
    for graph in graphs:
        for record in graph.records:
            by_type[record.type].append(record)
    shown = _Embedding(embedder, progress, embedded)
    return tuple(
        _columns(schema.entity(name), schema, records, shown) for name, records in by_type.items() if records
    )


@dataclass(frozen=True, slots=True)
class _Embedding:
    """What makes vectors, if anything, and for which types."""

    embedder: Embedder | None
    progress: Progress
    types: Set[str] | None

    def wanted(self, entity: EntityType, keys: Sequence[tuple[str, ...]]) -> bool:
        """Whether records of the type need vectors: some have no key and may merge by similarity."""
        if self.types is not None:
            return entity.name in self.types
        return entity.embed and entity.canonicalization.similarity and not all(keys)

    def vectors(self, texts: Sequence[str]) -> NDArray[np.float32] | None:
        """One vector per text."""
        return None if self.embedder is None else _vectors(texts, self.embedder, self.progress)


def _columns(
    entity: EntityType, schema: GraphSchema, records: list[Record], embedding: _Embedding
) -> RecordColumns:
    records.sort(key=lambda r: r.id)
    identity = entity.canonicalization.identity
    keys = tuple(tuple(f"{k}={r.attributes[k]}" for k in identity if r.attributes.get(k)) for r in records)
    texts = [entity_text(entity, schema, r.name, r.description) for r in records]
    return RecordColumns(
        type=entity.name,
        ids=tuple(r.id for r in records),
        documents=tuple(r.document for r in records),
        names=tuple(r.name for r in records),
        descriptions=tuple(r.description for r in records),
        aliases=tuple(r.aliases for r in records),
        keys=keys,
        vectors=embedding.vectors(texts) if embedding.wanted(entity, keys) else None,
        attributes=_attribute_columns(entity, records),
    )


def _attribute_columns(
    entity: EntityType, records: Sequence[Record]
) -> dict[str, tuple[AttributeValue | None, ...]]:
    """The attributes that some record has, in the schema's order."""
    present = {name for record in records for name in record.attributes}
    return {
        a.name: tuple(record.attributes.get(a.name) for record in records)
        for a in entity.attributes
        if a.name in present
    }


def _vectors(texts: Sequence[str], embedder: Embedder, progress: Progress) -> NDArray[np.float32]:
    """One vector per text; equal texts are embedded once."""
    distinct = sorted(set(texts))
    place = {text: i for i, text in enumerate(distinct)}
    vectors = encode_in_steps(distinct, embedder, progress, label="embedding records")
    return vectors[np.fromiter((place[t] for t in texts), dtype=np.int64, count=len(texts))]


def encode_in_steps(
    texts: Sequence[str], embedder: Embedder, progress: Progress, *, label: str, step: int = 512
) -> NDArray[np.float32]:
    """(n_texts, dimension) float32; shows progress, and what is done is cached if this is broken off."""
    out = np.zeros((len(texts), embedder.dimension), dtype=np.float32)
    with progress.task(label, total=len(texts), unit="texts") as task:
        for start in range(0, len(texts), step):
            part = texts[start : start + step]
            out[start : start + len(part)] = embedder.encode(part)
            task.advance(len(part))
    return out


def resolution_in_force(graphs: Sequence[DocumentGraph], log: ReviewLog) -> Resolution:
    """The partition that the log describes, restricted to the records that exist now."""
    prior, shown = log.prior_ids(), log.shown()
    groups: dict[EntityId, list[RecordId]] = {}
    types: dict[EntityId, str] = {}
    for graph in graphs:
        for record in graph.records:
            entity = prior.entity_of.get(record.id, EntityId(record.id))
            groups.setdefault(entity, []).append(record.id)
            types[entity] = record.type
    return Resolution(
        groups=tuple(
            Group(
                id=e, type=types[e], records=tuple(sorted(groups[e])), name=chosen[0], description=chosen[1]
            )
            for e in sorted(groups)
            for chosen in [shown.get(e, ("", ""))]
        ),
        redirects=dict(prior.redirects),
    )


def corpus_graph(graphs: Sequence[DocumentGraph], schema: GraphSchema, log: ReviewLog) -> CanonicalGraph:
    """The canonical graph of the corpus as the log resolves it."""
    resolution = resolution_in_force(graphs, log)
    return canonical_graph(graphs, resolution, schema, redirects=resolution.redirects)
