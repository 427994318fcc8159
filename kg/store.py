"""What the graph store takes and gives back, and the hash that says two graphs are the same."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from schemas.documents import Chunk, Document
from schemas.errors import DataError, EmbeddingMismatchError
from schemas.graph_schema import GraphSchema
from schemas.graphs import Attributes, CanonicalGraph, Entity, Evidence, Record, Statement
from schemas.ids import canonical_json
from schemas.model import Frozen


class ContentHeader(Frozen):
    """What a :class:`GraphContent` is: whose, under which schema and embedding model."""

    workspace: str
    """Id of the workspace; one database holds one workspace."""
    graph_schema: GraphSchema
    graph_hash: str
    """:func:`graph_hash` of the graph."""
    embedding_model: str = ""
    """``Embedder.model_id``; empty without vectors."""
    embedding_dimension: int = 0


@dataclass(frozen=True, slots=True)
class DocumentContent:
    """A document and the passages it was cut into."""

    document: Document
    chunks: tuple[Chunk, ...] = ()


@dataclass(frozen=True, slots=True)
class VectorTable:
    """Vectors by id: ``matrix[row_of[id]]``, float32, (n, dimension), rows L2-normalised.

    A row of zeros means "no vector" (the text was empty) and is not stored.
    """

    row_of: Mapping[str, int]
    matrix: NDArray[np.float32]

    def __post_init__(self) -> None:
        if self.matrix.ndim != 2:
            raise EmbeddingMismatchError(
                f"expected a matrix of vectors, one row each; found {self.matrix.ndim} dimension(s)"
            )
        if self.row_of and max(self.row_of.values()) >= len(self.matrix):
            raise DataError(f"an id names a row beyond the {len(self.matrix)} rows of the matrix")
        if not np.isfinite(self.matrix).all():
            raise DataError("expected finite numbers in every vector; found NaN or infinity: encode again")

    def ids(self) -> Iterator[str]:
        """The ids with a vector that is not zero."""
        present = (self.matrix != 0).any(axis=1).tolist()
        return (i for i, row in self.row_of.items() if present[row])


@dataclass(frozen=True, slots=True)
class GraphContent:
    """Everything that one load puts into the store; ``documents`` is read once."""

    header: ContentHeader
    graph: CanonicalGraph
    documents: Iterable[DocumentContent] = ()
    entity_vectors: VectorTable | None = None
    events: Mapping[str, str] = field(default_factory=dict)
    """Record id to the id of the log event that assigned it to its entity, where there is one."""


class WorkspaceMarker(Frozen):
    """The one node that says what a database holds."""

    id: str
    schema_name: str = ""
    schema_version: str = ""
    schema_fingerprint: str = ""
    graph_hash: str = ""
    projection_hash: str = ""
    """Empty while a load is under way, and after one was broken off."""
    embedding_model: str = ""
    embedding_dimension: int = 0
    loaded_at: str = ""
    """ISO 8601, UTC."""
    migrations: tuple[str, ...] = ()
    """Names of the migrations that were applied."""
    entity_types: tuple[str, ...] = ()
    """``Label=type`` for every entity type of the schema that was loaded."""
    relation_types: tuple[str, ...] = ()

    def type_of(self) -> dict[str, str]:
        """Entity type by node label."""
        return dict(pair.split("=", 1) for pair in self.entity_types)


class LoadReport(Frozen):
    """What a load changed."""

    unchanged: bool
    """True when the store already held this content and nothing was written."""
    nodes_created: int = 0
    nodes_updated: int = 0
    nodes_deleted: int = 0
    relations_created: int = 0
    relations_deleted: int = 0
    """A changed relation is deleted and created again under its id."""
    vectors_written: int = 0
    seconds: float = 0.0


def canonical_order(graph: CanonicalGraph) -> CanonicalGraph:
    """The same graph with everything sorted by id: what reading it back from the store gives."""
    return CanonicalGraph(
        entities=tuple(
            e.model_copy(update={"records": tuple(sorted(e.records))})
            for e in sorted(graph.entities, key=lambda e: e.id)
        ),
        records=tuple(sorted(graph.records, key=lambda r: r.id)),
        statements=tuple(sorted(graph.statements, key=lambda s: s.id)),
        redirects=tuple(sorted(graph.redirects, key=lambda r: r.old)),
    )


def _attributes(attributes: Attributes) -> dict[str, object]:
    return {k: list(v) if isinstance(v, tuple) else v for k, v in attributes.items()}


def _evidence(evidence: tuple[Evidence, ...]) -> list[list[object]]:
    return [[e.start, e.end, e.quote] for e in evidence]


def entity_json(entity: Entity) -> dict[str, object]:
    """An entity as plain JSON values, records sorted."""
    return {
        "id": entity.id,
        "type": entity.type,
        "name": entity.name,
        "description": entity.description,
        "aliases": list(entity.aliases),
        "attributes": _attributes(entity.attributes),
        "records": sorted(entity.records),
        "status": entity.status.value,
    }


def record_json(record: Record) -> dict[str, object]:
    """A record as plain JSON values; evidence as [start, end, quote]."""
    return {
        "id": record.id,
        "document": record.document,
        "type": record.type,
        "name": record.name,
        "description": record.description,
        "aliases": list(record.aliases),
        "attributes": _attributes(record.attributes),
        "evidence": _evidence(record.evidence),
        "origin": record.origin.value,
        "extractor": record.extractor,
        "confidence": record.confidence,
        "status": record.status.value,
    }


def statement_json(statement: Statement) -> dict[str, object]:
    """A statement as plain JSON values; evidence as [start, end, quote]."""
    return {
        "id": statement.id,
        "document": statement.document,
        "subject": statement.subject,
        "type": statement.type,
        "object": statement.object,
        "attributes": _attributes(statement.attributes),
        "evidence": _evidence(statement.evidence),
        "origin": statement.origin.value,
        "extractor": statement.extractor,
        "confidence": statement.confidence,
        "status": statement.status.value,
    }


def graph_lines(graph: CanonicalGraph) -> Iterator[tuple[str, dict[str, object]]]:
    """Every part of the graph as (kind, JSON object), sorted by kind and id: hash and export use it."""
    for entity in sorted(graph.entities, key=lambda e: e.id):
        yield "entity", entity_json(entity)
    for record in sorted(graph.records, key=lambda r: r.id):
        yield "record", record_json(record)
    for statement in sorted(graph.statements, key=lambda s: s.id):
        yield "statement", statement_json(statement)
    for redirect in sorted(graph.redirects, key=lambda r: r.old):
        yield "redirect", {"old": redirect.old, "new": redirect.new}


def graph_hash(graph: CanonicalGraph) -> str:
    """SHA-256 (64 hexadecimal digits) over the sorted canonical JSON of the graph.

    It depends on entities, records, statements and redirects and on nothing else: not on their
    order, on embeddings, scores, times, run ids or communities. A number that JSON cannot say (NaN)
    is a ``DataError``.

    >>> graph_hash(CanonicalGraph(entities=(), records=(), statements=()))[:12]
    'e3b0c44298fc'
    """
    digest = hashlib.sha256()
    for kind, line in graph_lines(graph):
        try:
            digest.update(f"{kind} {canonical_json(line)}\n".encode("utf-8", "surrogatepass"))
        except ValueError as e:
            raise DataError(
                f"{kind} {line.get('id', line.get('old'))} holds a number that is not finite; "
                "leave the attribute out instead"
            ) from e
    return digest.hexdigest()
