"""Runs checked queries: READ transactions with a time limit, a row cap and a byte cap."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, cast

import neo4j
from neo4j.graph import Node, Path, Relationship

from kg import queries
from kg.adapters.neo4j_connection import GIVEN_UP, Connection, ReadTransaction
from kg.projection import shown_quote
from kg.queries import Label
from kg.stopping import stopped_here, within
from kg.store import WorkspaceMarker
from schemas.errors import QueryRefusedError, QueryTimeoutError
from schemas.graphs import Origin, Status
from schemas.ids import DocumentKey, canonical_json
from schemas.questions import (
    CheckedQuery,
    GraphEdge,
    GraphNode,
    PlanSummary,
    Scalar,
    Scope,
    StatementDetail,
    Subgraph,
    Value,
)
from schemas.store_schema import StoreSchema

BYTE_CAP: Final = 8_000_000
"""Most bytes of text that one result may hold; more is cut and marked."""
STATEMENT_CAP: Final = 2_000
"""Most statements whose ends are looked up for one result."""
PIN: Final = "CYPHER 5 "
"""Before every query that the gate made: a database of Neo4j 2025.06 or newer may read Cypher 25 where it is
not told, and the gate knows Cypher 5. The oldest supported server takes it, too (a test asks it). A query
itself names no language: the gate reads none."""
HIDDEN: Final = ("_nodes", "_edges")
STATEMENTS: Final = "statements"
_STATUSES: Final = frozenset(s.value for s in Status)


class Neo4jRunner:
    """``QueryRunner`` and ``StatementSource`` over one connection."""

    def __init__(self, connection: Connection, *, byte_cap: int = BYTE_CAP) -> None:
        self._connection, self._byte_cap = connection, byte_cap
        self._types = _Types({}, ())
        """As of the last read; a look-up of statements brings what they are now."""

    def explain(self, query: CheckedQuery) -> PlanSummary:
        """What the server would do; nothing is run."""
        _require_passed(query)
        text = f"{PIN}EXPLAIN {query.text}"

        def work(tx: ReadTransaction) -> neo4j.ResultSummary:
            return tx.run(text, cast(dict[str, Any], query.parameters)).consume()

        summary = self._connection.read_with(work, timeout=query.timeout)
        steps = list(_walk(summary.plan or {}))
        return PlanSummary(
            query_type=summary.query_type or "",
            operators=tuple(str(s["operatorType"]).split("@")[0] for s in steps),
            procedures=tuple(p for s in steps if (p := _procedure(s))),
            estimated_rows=_estimated(summary.plan or {}),
            most_rows=max((_estimated(s) for s in steps), default=0.0),
        )

    def run(self, query: CheckedQuery, *, stopped: Callable[[], bool] | None = None) -> Subgraph:
        """Rows with their nodes and statements, all read within the query's time limit.

        ``stopped`` ends the query on the server, at any time.

        ``QueryTimeoutError``, ``QueryFailedError`` or ``StoreUnavailableError`` when there is no result, and
        ``QueryRefusedError`` for a query that the gate did not make.
        """
        _require_passed(query)
        started, stopped = time.perf_counter(), stopped or stopped_here()
        with within(query.timeout):
            reading = self._connection.read_with(
                lambda tx: self._fetch(tx, query, stopped), timeout=query.timeout, stopped=stopped
            )
            nodes, edges = self._graph(reading, query.scope)
        return Subgraph(
            columns=reading.columns,
            rows=tuple(reading.rows),
            nodes=nodes,
            edges=edges,
            truncated=reading.truncated,
            seconds=time.perf_counter() - started,
        )

    def statements(self, ids: Sequence[str]) -> tuple[StatementDetail, ...]:
        """The statements of these ids, in their order; an id that the graph does not hold is left out."""
        return self._statements(ids, Scope.ALL)

    def _statements(self, ids: Sequence[str], scope: Scope) -> tuple[StatementDetail, ...]:
        """Those of the ids that are within a scope, with both ends: a row may name any that it likes."""
        wanted = list(dict.fromkeys(ids))
        if not wanted:
            return ()
        given = {"ids": wanted, "statuses": None if scope is Scope.ALL else list(scope.statuses)}

        def work(tx: ReadTransaction) -> dict[str, StatementDetail]:
            types = self._types
            while True:
                rows = list(tx.run(queries.statements_by_id(types.relationships), given))
                now = _Types.of(next((r["marker"] for r in rows if r["id"] is None), None))
                if now == types:
                    found = (row for row in rows if row["id"] is not None)
                    return {row["id"]: _detail(row, types.of_label) for row in found}
                self._types = types = now

        found = self._connection.read_with(work)
        return tuple(found[i] for i in wanted if i in found)

    def _fetch(
        self, tx: ReadTransaction, query: CheckedQuery, stopped: Callable[[], bool] | None
    ) -> _Reading:
        result = tx.run(PIN + query.text, cast(dict[str, Any], query.parameters))
        keys = result.keys()
        shown = Shown(query.store)
        reading = _Reading(tuple(k for k in keys if k not in HIDDEN), shown)
        size = 0
        for record in result:
            if stopped is not None and stopped():
                raise QueryTimeoutError(GIVEN_UP)
            if len(reading.rows) + 1 >= query.row_cap or size > self._byte_cap:
                reading.truncated = True
                break
            row = tuple(shown.value(record[k]) for k in reading.columns)
            size += sum(len(cell) if isinstance(cell, str) else 8 for cell in _flat(row))
            reading.rows.append(row)
            for key in keys:
                reading.collect(record[key], is_statements=key in (STATEMENTS, "_edges"))
        return reading

    def _graph(self, reading: _Reading, scope: Scope) -> tuple[tuple[GraphNode, ...], tuple[GraphEdge, ...]]:
        if reading.nodes:
            self._types = self._connection.read_with(_types)
        found = (_node(e, reading.shown, self._types.of_label) for e in reading.nodes.values())
        nodes = {n.id: n for n in found}
        details = self._statements(list(reading.statements)[:STATEMENT_CAP], scope)
        for d in details:
            for end in d.ends:
                nodes.setdefault(end.id, end)
        return tuple(nodes.values()), tuple(d.edge for d in details)


def _require_passed(query: CheckedQuery) -> None:
    if not query.passed:
        raise QueryRefusedError(
            "expected a query that the gate made, found one that was made or changed elsewhere; "
            "it was not sent: let cypher.guard.check_text make it",
            query=query.text,
        )


@dataclass(frozen=True, slots=True)
class _Types:
    """The entity type of each label, and the relationship types, of the schema that was loaded."""

    of_label: Mapping[str, str]
    relationships: tuple[str, ...]

    @classmethod
    def of(cls, marker: Mapping[str, Any] | None) -> _Types:
        """What the workspace's own node says; nothing where there is none."""
        if marker is None:
            return cls({}, ())
        found = WorkspaceMarker.model_validate({k: v for k, v in marker.items() if k != "singleton"})
        return cls(found.type_of(), tuple(r.upper() for r in found.relation_types))


def _types(tx: ReadTransaction) -> _Types:
    return _Types.of(next((record["marker"] for record in tx.run(queries.MARKER)), None))


def _detail(row: neo4j.Record, type_of: Mapping[str, str]) -> StatementDetail:
    properties, document = row["properties"], row["document"] or {}
    return StatementDetail(
        id=row["id"],
        type=row["type"].lower(),
        start_id=row["start_id"],
        start_name=row["start_name"],
        start_type=_type(row["start_labels"], type_of),
        end_id=row["end_id"],
        end_name=row["end_name"],
        end_type=_type(row["end_labels"], type_of),
        document=DocumentKey(properties["document"]),
        quote=shown_quote(properties),
        origin=Origin(properties["origin"]),
        status=Status(properties["status"]),
        superseded_by=str(properties.get("superseded_by", "")),
        **{k: v or "" for k, v in document.items()},
    )


def _type(labels: Iterable[str], type_of: Mapping[str, str]) -> str:
    """The schema's name for a node's own label; the label in lower case for the platform's nodes."""
    label = next((x for x in labels if x != Label.ENTITY), Label.ENTITY.value)
    return type_of.get(label, label.lower())


class _Reading:
    """What was fetched so far."""

    __slots__ = ("columns", "nodes", "rows", "shown", "statements", "truncated")

    def __init__(self, columns: tuple[str, ...], shown: Shown) -> None:
        self.columns, self.shown = columns, shown
        self.rows: list[tuple[Value, ...]] = []
        self.nodes: dict[str, Node] = {}
        self.statements: dict[str, None] = {}
        self.truncated = False

    def collect(self, value: object, *, is_statements: bool) -> None:
        """Keeps the graph entities of one cell, and statement ids where the column holds them."""
        if isinstance(value, Node):
            self.nodes[value.element_id] = value
        elif isinstance(value, Relationship):
            if (found := self.shown.known(value).get("id")) is not None:
                self.statements[str(found)] = None
        elif isinstance(value, Path):
            for part in (*value.nodes, *value.relationships):
                self.collect(part, is_statements=is_statements)
        elif isinstance(value, list):
            for item in value:
                self.collect(item, is_statements=is_statements)
        elif is_statements and isinstance(value, str):
            self.statements[value] = None


@dataclass(frozen=True, slots=True)
class Shown:
    """What comes back, as it is shown: of nodes and relationships nothing but what their schema names."""

    store: StoreSchema
    """What the query was checked against."""

    def known(self, entity: Node | Relationship) -> dict[str, object]:
        """The properties of an entity that a query may name."""
        if isinstance(entity, Node):
            names = self.store.node_properties(entity.labels)
        else:
            names = self.store.relation_properties(entity.type)
        return {k: v for k, v in entity.items() if k in names}

    def name(self, node: Node) -> str:
        """What a node is called; empty where nothing that may be told names it."""
        found = self.known(node)
        return str(found.get("name") or found.get("title") or found.get("id") or "")

    def told(self, node: Node) -> str:
        """What tells a node without a name: its texts, numbers and truth values; else its labels."""
        found = sorted(self.known(node).items())
        plain = {k: v for k, v in found if isinstance(v, (str, int, float, bool))}
        return canonical_json(plain) if plain else f"({''.join(f':{x}' for x in sorted(node.labels))})"

    def value(self, value: object) -> Value:
        """One cell."""
        if isinstance(value, (list, tuple)):
            return tuple(self.scalar(v) for v in value)
        return self.scalar(value)

    def scalar(self, value: object) -> Scalar:
        """One value that is no list, or stands in one."""
        if isinstance(value, float):
            return value if math.isfinite(value) else str(value)
        if value is None or isinstance(value, (str, bool, int)):
            return value
        if isinstance(value, Node):
            return self.name(value) or self.told(value)
        if isinstance(value, Relationship):
            return value.type
        if isinstance(value, Path):
            return " - ".join(self.name(n) for n in value.nodes)
        if isinstance(value, (list, dict)):
            return canonical_json(self._plain(value))
        return value.iso_format() if hasattr(value, "iso_format") else str(value)

    def _plain(self, value: object) -> object:
        if isinstance(value, list):
            return [self._plain(v) for v in value]
        if isinstance(value, dict):
            return {k: self._plain(v) for k, v in value.items()}
        return self.scalar(value)


def _node(node: Node, shown: Shown, type_of: Mapping[str, str]) -> GraphNode:
    known = shown.known(node)
    return GraphNode(
        id=str(known.get("id", node.element_id)),
        type=_type(node.labels, type_of),
        name=shown.name(node),
        status=_status(known.get("status")),
    )


def _status(found: object) -> Status:
    """How far a node is vetted; in a database of others ``status`` may say that an order is shipped."""
    return Status(found) if isinstance(found, str) and found in _STATUSES else Status.DRAFT


def _flat(row: tuple[Value, ...]) -> Iterable[Scalar]:
    for cell in row:
        yield from cell if isinstance(cell, tuple) else (cell,)


def _walk(plan: dict[str, Any]) -> Iterable[dict[str, Any]]:
    if plan:
        yield plan
    for child in plan.get("children", ()):
        yield from _walk(child)


def _estimated(step: dict[str, Any]) -> float:
    return float(step.get("args", {}).get("EstimatedRows", 0.0))


def _procedure(step: dict[str, Any]) -> str:
    """Name of the procedure that a plan step calls: ``db.index.vector.queryNodes``."""
    if not str(step["operatorType"]).startswith("ProcedureCall"):
        return ""
    details = str(step.get("args", {}).get("Details", ""))
    return details.split("(", 1)[0].strip()
