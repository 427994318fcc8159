"""Relationships of a real Neo4j in memory: as the server has them, kept until it changes, and asked first."""

from __future__ import annotations

import io
import logging
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from cypher.guard import check_text
from cypher.semantics.held_graph import HeldGraph
from cypher.semantics.ir import Edge, Filter, Node, Operator, PropertyRef, Query
from cypher.semantics.probing import matching
from cypher.semantics.reader import SemanticReader
from cypher.semantics.values import ValueTable
from cypher.semantics.way import Way
from cypher.semantics.weighing import Row
from cypher.semantics.write import Written
from cypher.store_service import Looks, StoreQuestionService
from kg.adapters import neo4j_ties
from kg.adapters.neo4j_connection import Connection, connect
from kg.adapters.neo4j_introspection import infer_schema, read_values
from kg.adapters.neo4j_runner import Neo4jRunner
from kg.adapters.neo4j_ties import read_ties
from kg.neo4j_server import Neo4jEndpoint
from kg.store_ties import store_ties
from schemas.errors import QueryTimeoutError
from schemas.questions import CheckedQuery, Outcome, Question, Scope, Subgraph
from schemas.store_schema import StoreSchema
from schemas.store_ties import Places, StoreTies


def _places(*places: int) -> Places:
    return np.array(places, dtype=np.int32)


HARBOUR = """
CREATE (a:Ship {name: 'Alma', flag: 'green', tons: 40}), (b:Ship {name: 'Bris', flag: 'red', tons: 90}),
       (c:Ship {name: 'Cera', flag: 'red', tons: 12}),
       (p:Port:Place {name: 'Skagen', depth: 4}), (q:Port:Place {name: 'Dragor', depth: 2}),
       (r:Port:Place {name: 'Hals', depth: 9}),
       (a)-[:AT]->(p), (b)-[:AT]->(p), (c)-[:BUILT_AT]->(q), (c)-[:BUILT_AT]->(q), (a)-[:BUILT_AT]->(r),
       (p)-[:NEAR]->(q), (q)-[:NEAR]->(q)
"""


@pytest.fixture(scope="module")
def harbour(neo4j_endpoint: Neo4jEndpoint) -> Iterator[Connection]:
    e = neo4j_endpoint
    with connect(e.uri, e.username, e.password, database=e.database) as connection:
        connection.write(HARBOUR)
        yield connection


@pytest.fixture(scope="module")
def schema(harbour: Connection) -> StoreSchema:
    return infer_schema(harbour)


def _ties(harbour: Connection, schema: StoreSchema) -> StoreTies:
    found = read_ties(harbour, schema)
    assert found is not None
    return found


@dataclass
class _Server:
    """Runs what it is given, and notes it."""

    connection: Connection
    asked: list[str] = field(default_factory=list)

    def rows(self, written: Written, *, most: int, timeout: float) -> list[Row]:
        self.asked.append(written.text)

        def work(tx: object) -> list[Row]:
            return [tuple(r.values()) for r in tx.run(written.text, written.parameters)]  # type: ignore[attr-defined]

        return self.connection.read_with(work, timeout=timeout)[:most]


def test_they_are_read_as_the_server_has_them(harbour: Connection, schema: StoreSchema) -> None:
    ties = _ties(harbour, schema)
    assert {label: len(places) for label, places in ties.labels.items()} == {"Ship": 3, "Port": 3, "Place": 3}
    sizes = {kind: (len(starts), len(ends)) for kind, (starts, ends) in ties.relations.items()}
    assert sizes == {"AT": (2, 2), "BUILT_AT": (3, 3), "NEAR": (2, 2)}
    starts, ends = ties.relations["AT"]
    assert set(starts) <= set(ties.labels["Ship"])
    assert len(set(ends)) == 1
    assert len(ties) == len(set(ties.elements)) == 6


def test_what_the_schema_does_not_name_is_left_out(harbour: Connection, schema: StoreSchema) -> None:
    ships = schema.model_copy(update={"labels": (schema.label("Ship"),)})
    ties = _ties(harbour, ships)
    assert (len(ties), list(ties.labels)) == (3, ["Ship"])
    assert all(not len(starts) for starts, _ in ties.relations.values())


CONDITIONS = st.one_of(
    st.builds(
        Filter,
        st.just(PropertyRef(0, "name")),
        st.sampled_from([Operator.EQ, Operator.CONTAINS]),
        st.sampled_from(["Alma", "Skagen", "a"]),
    ),
    st.just(Filter(PropertyRef(0, "tons"), Operator.GT, 30)),
    st.just(Filter(PropertyRef(0, "depth"), Operator.KNOWN)),
)


@st.composite
def queries(draw: st.DrawFn) -> Query:
    nodes = tuple(
        Node(draw(st.sampled_from(["Ship", "Port", "Place"]))) for _ in range(draw(st.integers(1, 3)))
    )
    place = st.integers(0, len(nodes) - 1)
    types = st.sampled_from([("AT",), ("BUILT_AT",), ("NEAR",), ("AT", "BUILT_AT")])
    edges = tuple(draw(st.lists(st.builds(Edge, place, place, types), max_size=3)))
    filters = tuple(_on(draw(place), draw(CONDITIONS)) for _ in range(draw(st.integers(0, 2))))
    again = draw(st.frozensets(st.integers(1, len(edges) - 1))) if len(edges) > 1 else frozenset[int]()
    return matching(Query(nodes, edges, filters, again=again))


def _on(node: int, condition: Filter) -> Filter:
    return Filter(PropertyRef(node, condition.ref.name), condition.operator, condition.value)


@pytest.mark.parametrize("way", [Way(), Way(undirected=True, apart=True, stored=True)])
def test_they_tell_what_the_server_tells(harbour: Connection, schema: StoreSchema, way: Way) -> None:
    reader = SemanticReader(schema, ValueTable(read_values(harbour, schema)), way=way)
    held, server = HeldGraph(_ties(harbour, schema), reader), _Server(harbour)
    told = set[bool]()

    @settings(max_examples=40)
    @given(queries())
    def agree(query: Query) -> None:
        rows = server.rows(reader.write(query), most=1, timeout=60.0)
        found = held.matches(query, server, timeout=60.0)
        assert found is bool(rows)
        told.add(found)

    agree()
    assert told == {True, False}


def test_a_condition_is_asked_once(harbour: Connection, schema: StoreSchema) -> None:
    reader = SemanticReader(schema, ValueTable(read_values(harbour, schema)))
    held, server = HeldGraph(_ties(harbour, schema), reader), _Server(harbour)
    alma = Filter(PropertyRef(0, "name"), Operator.EQ, "Alma")
    ship, at = (Node("Ship"), Node("Port")), (Edge(0, 1, ("AT",)),)
    assert held.matches(Query(ship, at, (alma,)), server, timeout=9.0) is True
    assert held.matches(Query(ship, (Edge(0, 1, ("NEAR",)),), (alma,)), server, timeout=9.0) is False
    turned = Query((Node("Port"), Node("Ship")), (Edge(1, 0, ("BUILT_AT",)),), (_on(1, alma),))
    assert held.matches(turned, server, timeout=9.0) is True
    assert len(server.asked) == 1
    late = Query(ship, at, (Filter(PropertyRef(0, "name"), Operator.EQ, "Bris"),))
    assert held.matches(late, server, timeout=0.0) is None
    assert len(server.asked) == 1


def test_they_are_kept_until_the_database_changes(
    harbour: Connection, schema: StoreSchema, tmp_path: Path
) -> None:
    first = store_ties(harbour, schema, tmp_path, seconds=60)
    assert first is not None
    [file] = tmp_path.iterdir()
    assert file.stat().st_mode & 0o077 == 0
    assert _told(store_ties(harbour, schema, tmp_path, seconds=0)) == _told(first)
    fewer = schema.model_copy(update={"relations": schema.relations[:1]})
    assert list(_told(store_ties(harbour, fewer, tmp_path, seconds=60))[1]) == ["AT"]
    harbour.write("MATCH (s:Ship {name: 'Bris'}), (p:Port {name: 'Hals'}) CREATE (s)-[:AT]->(p)")
    try:
        assert store_ties(harbour, schema, tmp_path, seconds=0) is None
        again = store_ties(harbour, schema, tmp_path, seconds=60)
        assert again is not None
        assert len(again.relations["AT"][0]) == 3
    finally:
        harbour.write("MATCH (:Ship {name: 'Bris'})-[r:AT]->(:Port {name: 'Hals'}) DELETE r")


def _told(ties: StoreTies | None) -> tuple[dict[str, list[int]], dict[str, list[list[int]]]]:
    assert ties is not None
    labels = {label: places.tolist() for label, places in ties.labels.items()}
    return labels, {kind: [column.tolist() for column in columns] for kind, columns in ties.relations.items()}


def test_a_damaged_file_is_read_again(
    harbour: Connection, schema: StoreSchema, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    first = _told(store_ties(harbour, schema, tmp_path, seconds=60))
    [file] = tmp_path.iterdir()
    for damaged in (b"no arrays", file.read_bytes()[:200]):
        file.write_bytes(damaged)
        with caplog.at_level(logging.INFO):
            assert _told(store_ties(harbour, schema, tmp_path, seconds=60)) == first
        assert "read again" in caplog.text


@pytest.mark.parametrize("column", [_places(9, 9, 9), _places(-1, 0, 0), _places(0, 0), np.zeros(3), None])
def test_columns_that_do_not_fit_are_read_again(
    harbour: Connection, schema: StoreSchema, tmp_path: Path, column: NDArray[Any] | None
) -> None:
    first = _told(store_ties(harbour, schema, tmp_path, seconds=60))
    [file] = tmp_path.iterdir()
    kept = dict(np.load(io.BytesIO(file.read_bytes())))
    place = next(name for name in kept if name.startswith("starts") and len(kept[name]) == 3)
    kept = {name: column if name == place else x for name, x in kept.items()}
    data = io.BytesIO()
    np.savez(data, **{name: x for name, x in kept.items() if x is not None})
    file.write_bytes(data.getvalue())
    assert _told(store_ties(harbour, schema, tmp_path, seconds=60)) == first


def test_what_took_too_long_is_tried_again_with_more_time_alone(
    harbour: Connection, schema: StoreSchema, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried = list[float]()

    def slow(connection: Connection, schema: StoreSchema, *, timeout: float) -> StoreTies | None:
        tried.append(timeout)
        if timeout < 5:
            raise QueryTimeoutError("it took too long")
        return read_ties(connection, schema, timeout=timeout)

    monkeypatch.setattr("kg.store_ties.read_ties", slow)
    found = [store_ties(harbour, schema, tmp_path, seconds=s) for s in (2.0, 2.0, 2.9, 4.0, 60.0, 2.0)]
    assert tried == [2.0, 4.0, 60.0]
    assert [ties is not None for ties in found] == [False, False, False, False, True, True]


def test_too_many_are_left_at_the_server(
    harbour: Connection, schema: StoreSchema, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(neo4j_ties, "MOST_TIES", 5)
    assert store_ties(harbour, schema, tmp_path, seconds=60) is None
    assert not list(tmp_path.iterdir())


@dataclass
class _Noting:
    """A runner that notes which queries it runs."""

    runner: Neo4jRunner
    ran: list[str] = field(default_factory=list)

    def __getattr__(self, name: str) -> object:
        return getattr(self.runner, name)

    def run(self, query: CheckedQuery) -> Subgraph:
        self.ran.append(query.text)
        return self.runner.run(query)


@pytest.mark.parametrize("scope", list(Scope))
def test_near_readings_are_told_apart_in_memory(
    harbour: Connection, schema: StoreSchema, scope: Scope
) -> None:
    values = read_values(harbour, schema)

    def ran(ties: StoreTies | None) -> list[str]:
        runner = _Noting(Neo4jRunner(harbour))
        service = StoreQuestionService(schema, values, runner, looks=Looks(30.0, ties))  # type: ignore[arg-type]
        answer = service.ask(Question(text="Ships of Skagen", scope=scope))
        if scope is Scope.ALL:
            assert answer.outcome is Outcome.ANSWERED, answer.text
            assert {row[0] for row in answer.rows} == {"Alma", "Bris"}
        return runner.ran

    without, with_ties = ran(None), ran(_ties(harbour, schema))
    in_memory = any("elementId" in text for text in with_ties)
    assert in_memory is (scope is Scope.ALL)
    if scope is not Scope.ALL:
        assert with_ties == without


def test_the_ids_of_what_meets_a_condition_pass_the_gate(schema: StoreSchema) -> None:
    reader = SemanticReader(schema, ValueTable([]))
    written = reader.elements("Ship", (Filter(PropertyRef(0, "tons"), Operator.GT, 30),))
    checked = check_text(written.text, schema, parameters=written.parameters)
    assert "elementId" in checked.text
