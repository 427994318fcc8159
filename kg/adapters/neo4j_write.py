"""Writes the difference between wanted rows and stored rows, in batches of managed transactions.

The store is read as a stream and compared row by row; nothing is written that is already there. A
relationship that differs in anything is deleted and created again.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, Final, LiteralString

import numpy as np
import orjson

from kg import queries
from kg.adapters.neo4j_connection import Connection, in_batches
from kg.projection import Edge, EdgeTable, NodeTable, Projection
from kg.store import VectorTable
from schemas.errors import DataError, EmbeddingMismatchError
from schemas.ports import ProgressTask

BATCH: Final = 5_000
VECTOR_BATCH: Final = 2_000
TEXT_OF_VECTOR: Final = ("name", "description", "title", "summary", "text")
"""Properties whose change makes a stored embedding stale."""


def edge_digest(start: str, end: str, properties: dict[str, Any]) -> bytes:
    """16 bytes that say whether two relationships are the same."""
    content = orjson.dumps([start, end, properties], option=orjson.OPT_SORT_KEYS)
    return hashlib.blake2b(content, digest_size=16).digest()


class DifferenceWriter:
    """Brings tables of the store to their wanted rows and counts what it changed."""

    def __init__(self, connection: Connection, task: ProgressTask) -> None:
        self._connection, self._task = connection, task
        self.changes: Counter[str] = Counter()
        self.embedded: set[str] = set()
        """Ids of nodes that keep a stored embedding."""

    def write(self, projection: Projection) -> None:
        """Nodes first (deleted, updated, created), then relationships."""
        plans = [(table, self._compare_nodes(table)) for table in projection.nodes]
        for table, plan in plans:
            self._delete_nodes(table, plan.surplus)
        for table, plan in plans:
            self._write_nodes(table, plan)
        for edges in projection.edges:
            self._write_edges(edges)

    def _compare_nodes(self, table: NodeTable) -> _NodePlan:
        plan = _NodePlan()
        seen: set[str] = set()
        for record in self._connection.stream(queries.read_nodes(table.labels)):
            stored = record["properties"]
            embedded = stored.pop("embedding")
            node_id = stored.get("id")
            if node_id not in table.ids:
                plan.surplus.append(node_id)
                continue
            seen.add(node_id)
            change = _changed(stored, table.properties(node_id))
            if embedded and not change.keys().isdisjoint(TEXT_OF_VECTOR):
                change["embedding"] = None
            elif embedded:
                self.embedded.add(node_id)
            if change:
                plan.updates.append({"id": node_id, "set": change})
        plan.missing = [i for i in table.ids if i not in seen]
        return plan

    def _delete_nodes(self, table: NodeTable, surplus: list[str]) -> None:
        label = table.labels[0]
        if None in surplus:
            raise DataError(
                f"the database holds {label} nodes without an id, which this project never writes; "
                "remove them or use another database"
            )
        self._batches(queries.delete_nodes(label), surplus, "nodes_deleted")

    def _write_nodes(self, table: NodeTable, plan: _NodePlan) -> None:
        self._batches(queries.update_nodes(table.labels[0]), plan.updates, "nodes_updated")
        create = queries.create_nodes(table.labels)
        for ids in in_batches(plan.missing, BATCH):
            self._batches(create, [table.properties(i) for i in ids], "nodes_created")

    def _write_edges(self, table: EdgeTable) -> None:
        surplus, kept = self._compare_edges(table)
        self._batches(queries.DELETE_RELATIONSHIPS, surplus, "relations_deleted")
        create = queries.create_relationships(table.type, table.start, table.end)
        batch: list[Edge] = []
        for edge in self._missing_edges(table, kept):
            batch.append(edge)
            if len(batch) == BATCH:
                self._create_edges(create, table, batch)
                batch = []
        self._create_edges(create, table, batch)

    def _compare_edges(self, table: EdgeTable) -> tuple[list[str], set[bytes]]:
        """Element ids to delete (used at once, never kept) and digests of what stays."""
        wanted: set[bytes] | None = None
        surplus: list[str] = []
        kept: set[bytes] = set()
        query = queries.read_relationships(table.type, table.start, table.end)
        for record in self._connection.stream(query):
            if wanted is None:
                wanted = {edge_digest(*edge) for edge in table.rows()}
            digest = edge_digest(record["start"], record["end"], record["properties"])
            if digest in wanted and digest not in kept:
                kept.add(digest)
            else:
                surplus.append(record["element"])
        return surplus, kept

    def _missing_edges(self, table: EdgeTable, kept: set[bytes]) -> Iterator[Edge]:
        for edge in table.rows():
            if not kept or edge_digest(*edge) not in kept:
                yield edge

    def _create_edges(self, query: LiteralString, table: EdgeTable, batch: list[Edge]) -> None:
        if not batch:
            return
        rows, _ = self._connection.write(query, {"rows": batch})
        if rows[0]["created"] != len(batch):
            raise DataError(
                f"expected {len(batch)} relationships {table.type}, created {rows[0]['created']}: "
                "an end is missing; load again"
            )
        self.changes["relations_created"] += len(batch)
        self._task.advance(len(batch), note=table.type)

    def _batches(self, query: LiteralString, rows: list[Any], counter: str) -> None:
        for batch in in_batches(rows, BATCH):
            self._connection.write(query, {"rows": batch})
            self.changes[counter] += len(batch)
            self._task.advance(len(batch), note=counter.replace("_", " "))

    def write_vectors(self, label: str, vectors: VectorTable, ids: Iterable[str], dimension: int) -> int:
        """Stores the vectors of these ids; returns how many."""
        if dimension and vectors.row_of and vectors.matrix.shape[1] != dimension:
            raise EmbeddingMismatchError(
                f"expected vectors of {dimension} numbers, found {vectors.matrix.shape[1]}; "
                "load again with the embedding model of the workspace"
            )
        query, written = queries.set_vectors(label), 0
        for batch in in_batches(list(ids), VECTOR_BATCH):
            block = np.asarray(vectors.matrix[[vectors.row_of[i] for i in batch]], dtype=np.float32).tolist()
            self._connection.write(query, {"rows": list(zip(batch, block, strict=True))})
            written += len(batch)
            self._task.advance(len(batch), note="vectors")
        self.changes["vectors_written"] += written
        return written


class _NodePlan:
    """What one table of nodes needs."""

    __slots__ = ("missing", "surplus", "updates")

    def __init__(self) -> None:
        self.missing: list[str] = []
        self.surplus: list[Any] = []
        self.updates: list[dict[str, Any]] = []


def _same(a: object, b: object) -> bool:
    """Equal in value and type: 1, 1.0 and true are three values to Neo4j."""
    if type(a) is not type(b):
        return False
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(_same(x, y) for x, y in zip(a, b, strict=True))
    return a == b


def _changed(stored: dict[str, Any], wanted: dict[str, Any]) -> dict[str, Any]:
    """Properties to set; null for those to remove."""
    change = {k: v for k, v in wanted.items() if not _same(stored.get(k), v)}
    return change | {k: None for k in stored if k not in wanted}
