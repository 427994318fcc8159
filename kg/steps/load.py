"""Load: the canonical graph and the documents become the projection in Neo4j."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from extraction.chunks import chunk_document
from kg.corpus import encode_in_steps, entity_text
from kg.steps.context import StepContext, StepReport
from kg.store import ContentHeader, DocumentContent, GraphContent, VectorTable, graph_hash
from kg.workspace import Workspace
from schemas.graph_schema import GraphSchema
from schemas.graphs import CanonicalGraph
from schemas.ports import Embedder, Progress

if TYPE_CHECKING:
    from kg.adapters.neo4j_store import Neo4jStore


@dataclass(frozen=True, slots=True)
class DocumentStream:
    """The current documents with their passages, read one by one, as often as needed."""

    workspace: Workspace

    def __iter__(self) -> Iterator[DocumentContent]:
        for stored in self.workspace.documents():
            document = self.workspace.read_document(stored)
            yield DocumentContent(document, chunk_document(document))


def load_graph(
    context: StepContext, graph: CanonicalGraph, store: Neo4jStore, *, embedder: Embedder, fresh: bool = False
) -> StepReport:
    """Write the difference between ``graph`` and the database; nothing when there is none."""
    workspace = context.workspace
    with context.ledger.run("load") as run:
        vectors = entity_vectors(graph, workspace.schema, embedder, context.progress)
        store.migrate(workspace.schema, dimension=embedder.dimension)
        if fresh:
            store.wipe()
            store.migrate(workspace.schema, dimension=embedder.dimension)
        header = ContentHeader(
            workspace=workspace.id,
            graph_schema=workspace.schema,
            graph_hash=graph_hash(graph),
            embedding_model=embedder.model_id,
            embedding_dimension=embedder.dimension,
        )
        content = GraphContent(header, graph, DocumentStream(workspace), vectors)
        report = store.load(content, progress=context.progress)
        changes = report.nodes_created + report.nodes_updated + report.nodes_deleted
        changes += report.relations_created + report.relations_deleted
        run.counts |= {
            "entities": len(graph.entities),
            "records": len(graph.records),
            "statements": len(graph.statements),
            "written": changes,
            "vectors": report.vectors_written,
        }
    return StepReport("load", changes, int(report.unchanged), notes=(f"graph hash {header.graph_hash}",))


def entity_vectors(
    graph: CanonicalGraph, schema: GraphSchema, embedder: Embedder, progress: Progress
) -> VectorTable:
    """Vectors of the entities of types with ``embed: true``."""
    kinds = {e.name: e for e in schema.entities if e.embed}
    chosen = [e for e in graph.entities if e.type in kinds]
    texts = [entity_text(kinds[e.type], schema, e.name, e.description) for e in chosen]
    matrix = encode_in_steps(texts, embedder, progress, label="embedding entities")
    return VectorTable({e.id: row for row, e in enumerate(chosen)}, matrix)
