"""The graph store: a workspace's projection in one Neo4j database."""

from __future__ import annotations

import logging
import time
from collections import defaultdict
from collections.abc import Sequence
from typing import Any, Final

from kg import queries
from kg.adapters.neo4j_connection import Connection
from kg.adapters.neo4j_write import DifferenceWriter
from kg.migrations import migrations, vector_labels
from kg.projection import decode_entity, decode_record, decode_redirect, decode_statement
from kg.projection_tables import Passages, passages_of, project, project_communities, projection_hash
from kg.queries import Label, Link
from kg.store import GraphContent, LoadReport, VectorTable, WorkspaceMarker, canonical_order
from schemas.communities import Communities, CommunityReport
from schemas.errors import DataError, EmbeddingMismatchError, StoreConflictError, WorkspaceError
from schemas.graph_schema import GraphSchema
from schemas.graphs import CanonicalGraph
from schemas.ports import Progress

log = logging.getLogger(__name__)

WIPE_BATCH: Final = 10_000
INDEX_SECONDS: Final = 300


class Neo4jStore:
    """Loads, reads and wipes one workspace. One database holds one workspace (``StoreConflictError``)."""

    def __init__(self, connection: Connection, *, workspace: str) -> None:
        self._connection, self._workspace = connection, workspace

    # --- marker and schema ----------------------------------------------------------------

    def marker(self) -> WorkspaceMarker | None:
        """What the database holds, of whatever workspace; None when it holds nothing of ours."""
        rows = self._connection.read(queries.MARKER)
        if not rows:
            return None
        return WorkspaceMarker.model_validate(
            {k: v for k, v in rows[0]["marker"].items() if k != "singleton"}
        )

    def _own_marker(self) -> WorkspaceMarker:
        marker = self.marker()
        if marker is None:
            raise WorkspaceError("this Neo4j database holds no workspace yet; run `kg load`")
        return self._checked(marker)

    def _checked(self, marker: WorkspaceMarker) -> WorkspaceMarker:
        if marker.id != self._workspace:
            raise StoreConflictError(
                f"this Neo4j database holds workspace {marker.id} "
                f"(schema {marker.schema_name or 'not loaded'}), not {self._workspace}; "
                "use another database or server, or wipe it from its own workspace"
            )
        return marker

    def _claim(self) -> WorkspaceMarker:
        marker = self.marker()
        if marker is None:
            found = self._connection.read(queries.ANY_FOREIGN)
            if found:
                raise StoreConflictError(
                    f"this Neo4j database holds nodes {':'.join(found[0]['labels'])} that no workspace "
                    "of this project owns; use an empty database"
                )
            self._connection.change_schema(queries.unique_node(Label.WORKSPACE, "singleton"))
            self._connection.write(queries.CLAIM, {"id": self._workspace})
        return self._own_marker()

    def migrate(self, schema: GraphSchema, *, dimension: int) -> None:
        """Claims the database, then creates what constraints and indexes are missing and awaits them.

        ``dimension`` is that of the embedding model, 0 for none.
        """
        marker = self._claim()
        steps = migrations(schema, dimension)
        pending = [s for s in steps if s.name not in marker.migrations]
        if pending:
            self._drop_stale_vector_indexes(schema, dimension)
        for step in pending:
            for statement in step.statements:
                self._connection.change_schema(statement)
        if pending:
            self._connection.read(
                queries.AWAIT_INDEXES, {"seconds": INDEX_SECONDS}, timeout=INDEX_SECONDS + 5
            )
            self._mark(migrations=[s.name for s in steps])
            log.info("applied %s", ", ".join(s.name for s in pending))

    def _drop_stale_vector_indexes(self, schema: GraphSchema, dimension: int) -> None:
        wanted = {queries.vector_index(label) for label in vector_labels(schema)} if dimension else set()
        for row in self._connection.read(queries.SHOW_VECTOR_INDEXES, {"prefix": queries.VECTOR_PREFIX}):
            if row["name"] not in wanted or row["dimension"] != dimension:
                self._connection.change_schema(queries.drop_index(row["name"]))

    def _mark(self, **values: object) -> None:
        self._connection.write(queries.UPDATE_MARKER, {"values": values})

    # --- writing --------------------------------------------------------------------------

    def load(self, content: GraphContent, *, progress: Progress, verify: bool = False) -> LoadReport:
        """Makes the store hold exactly ``content``, writing only what differs.

        Call :meth:`migrate` first. Nothing is even compared when the marker says that this content
        was loaded, unless ``verify``. A load that is broken off leaves the marker without its
        ``projection_hash``, and the next load completes it. Communities are not touched.
        """
        started = time.perf_counter()
        marker = self._own_marker()
        passages = passages_of(content)
        wanted = projection_hash(content, passages)
        if marker.projection_hash == wanted and not verify:
            return LoadReport(unchanged=True, seconds=time.perf_counter() - started)
        projection = project(content, passages)
        with progress.task("loading", unit="rows") as task:
            self._begin(content, marker)
            writer = DifferenceWriter(self._connection, task)
            writer.write(projection)
            if content.entity_vectors is not None:
                missing = [i for i in content.entity_vectors.ids() if i not in writer.embedded]
                writer.write_vectors(
                    Label.ENTITY, content.entity_vectors, missing, content.header.embedding_dimension
                )
            self._finish(content, wanted, passages)
        changes = writer.changes
        return LoadReport(unchanged=not changes.total(), seconds=time.perf_counter() - started, **changes)

    def _begin(self, content: GraphContent, marker: WorkspaceMarker) -> None:
        """Marks the store as unfinished, and removes vectors of another model."""
        header = content.header
        self._mark(projection_hash=None)
        if marker.embedding_model not in ("", header.embedding_model):
            for label in (Label.ENTITY, Label.CHUNK, Label.COMMUNITY):
                self._until_none(queries.drop_vectors(label), "removed")
        schema = header.graph_schema
        self._drop_undeclared(marker, schema)
        self._mark(
            schema_name=schema.name,
            schema_version=schema.version,
            schema_fingerprint=schema.fingerprint,
            embedding_model=header.embedding_model,
            embedding_dimension=header.embedding_dimension,
            entity_types=[f"{e.label}={e.name}" for e in schema.entities],
            relation_types=[r.name for r in schema.relations],
        )

    def _drop_undeclared(self, marker: WorkspaceMarker, schema: GraphSchema) -> None:
        """Removes what an earlier schema had and this one has not."""
        for label in set(marker.type_of()) - {e.label for e in schema.entities}:
            self._until_none(queries.wipe(label), "deleted")
        for relation in set(marker.relation_types) - {r.name for r in schema.relations}:
            self._until_none(queries.wipe_statements(relation.upper()), "deleted")

    def _finish(self, content: GraphContent, wanted: str, passages: Passages) -> None:
        log.info("loaded %d documents, %d statements", len(passages.documents), len(content.graph.statements))
        values = {"graph_hash": content.header.graph_hash, "projection_hash": wanted}
        self._connection.write(queries.COMMIT_MARKER, {"values": values})

    def write_communities(
        self, found: Communities, reports: Sequence[CommunityReport], vectors: VectorTable | None = None
    ) -> int:
        """Replaces the stored communities by these, writing only what differs; returns the changes."""
        marker = self._own_marker()
        writer = DifferenceWriter(self._connection, _Silent())
        writer.write(project_communities(found, reports))
        if vectors is not None:
            known = {c.id for c in found.communities}
            missing = [i for i in vectors.ids() if i in known and i not in writer.embedded]
            writer.write_vectors(Label.COMMUNITY, vectors, missing, marker.embedding_dimension)
        return writer.changes.total()

    def missing_chunk_vectors(self) -> list[tuple[str, str]]:
        """(id, text) of every chunk without an embedding, by id."""
        self._own_marker()
        return [(r["id"], r["text"]) for r in self._connection.read(queries.CHUNKS_WITHOUT_VECTOR)]

    def write_chunk_vectors(self, vectors: VectorTable) -> int:
        """Stores the vectors of some chunks; returns how many."""
        marker = self._own_marker()
        if vectors.row_of and vectors.matrix.shape[1] != marker.embedding_dimension:
            raise EmbeddingMismatchError(
                f"expected vectors of {marker.embedding_dimension} numbers "
                f"(model {marker.embedding_model!r}), found {vectors.matrix.shape[1]}; "
                "run `kg load` with the model of the workspace first"
            )
        writer = DifferenceWriter(self._connection, _Silent())
        return writer.write_vectors(Label.CHUNK, vectors, vectors.ids(), marker.embedding_dimension)

    def wipe(self) -> None:
        """Removes every node of this workspace; constraints and indexes stay."""
        marker = self.marker()
        if marker is None:
            return
        self._checked(marker)
        self._mark(projection_hash=None)
        for label in queries.WIPE_LABELS:
            self._until_none(queries.wipe(label), "deleted")

    def _until_none(self, query: str, column: str) -> None:
        while self._connection.write(query, {"batch": WIPE_BATCH})[0][0][column]:
            pass

    def document_keys(self) -> tuple[str, ...]:
        """Keys of the documents that the store holds, sorted."""
        return tuple(row["id"] for row in self._connection.read(queries.DOCUMENT_KEYS))

    # --- reading back ---------------------------------------------------------------------

    def read_graph(self) -> CanonicalGraph:
        """The canonical graph that the store holds, in :func:`~kg.store.canonical_order`.

        A store that a load left unfinished is a ``DataError``: it is nobody's graph.
        """
        marker = self._own_marker()
        if not marker.projection_hash:
            raise DataError("the last load of this database was broken off; run `kg load` to complete it")
        records_of: dict[str, list[str]] = defaultdict(list)
        for row in self._connection.stream(
            queries.read_relationships(Link.REFERS_TO, Label.RECORD, Label.ENTITY)
        ):
            records_of[row["end"]].append(row["start"])
        graph = CanonicalGraph(
            entities=tuple(
                decode_entity(row, name, records_of[row["id"]])
                for label, name in marker.type_of().items()
                for row in self._nodes(Label.ENTITY, label)
            ),
            records=tuple(decode_record(row) for row in self._nodes(Label.RECORD)),
            statements=tuple(
                decode_statement(row["properties"], name)
                for name in marker.relation_types
                for row in self._connection.stream(
                    queries.read_relationships(name.upper(), Label.ENTITY, Label.ENTITY)
                )
            ),
            redirects=tuple(decode_redirect(row) for row in self._nodes(Label.REDIRECT)),
        )
        return canonical_order(graph)

    def _nodes(self, *labels: str) -> list[dict[str, Any]]:
        return [r["properties"] for r in self._connection.stream(queries.read_nodes(labels))]


class _Silent:
    """Progress that is not shown."""

    def advance(self, count: int = 1, *, note: str = "") -> None:
        """Nothing to show."""
