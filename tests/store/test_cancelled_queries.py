"""Queries that nobody waits for end on the server, also before their first row; and stores that go away."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import neo4j
import pytest

from cypher.guard import check_plan, check_text
from kg.adapters import neo4j_connection
from kg.adapters.neo4j_connection import Connection, ReadTransaction, connect
from kg.adapters.neo4j_runner import Neo4jRunner
from kg.neo4j_server import Neo4jEndpoint
from kg.stopping import stoppable, within
from schemas.errors import QueryFailedError, QueryTimeoutError, StoreUnavailableError
from schemas.questions import CheckedQuery
from schemas.store_schema import PropertyType, StoreLabel, StoreProperty, StoreSchema
from tests.wire import Wire

SCHEMA = StoreSchema(
    labels=(StoreLabel(name="Grain", properties=(StoreProperty(name="n", type=PropertyType.INTEGER),)),)
)
NODES = 400
SLOW = (
    "MATCH (a:Grain) WITH a MATCH (b:Grain) WITH a, b MATCH (c:Grain) WITH a, b, c MATCH (d:Grain) "
    "WHERE a.n + b.n + c.n + d.n < 0 RETURN count(*) AS n"
)
"""Goes through 2.6e10 rows before its first one."""
RUNNING = (
    "SHOW TRANSACTIONS YIELD currentQuery WHERE currentQuery STARTS WITH 'CYPHER 5 MATCH (a:Grain)' "
    "RETURN count(*)"
)
COUNT = "MATCH (g:Grain) RETURN count(*) AS n"


def slow(timeout: float = 100.0) -> CheckedQuery:
    return check_text(SLOW, SCHEMA, timeout=timeout)


@pytest.fixture(scope="module")
def store(neo4j_endpoint: Neo4jEndpoint) -> Iterator[Connection]:
    e = neo4j_endpoint
    with connect(e.uri, e.username, e.password, database=e.database) as connection:
        connection.write(f"UNWIND range(1, {NODES}) AS i CREATE (:Grain {{n: i}})")  # type: ignore[arg-type]
        yield connection


def running(store: Connection) -> int:
    """How many of the slow queries the server works on."""
    with store.driver.session(database=store.database) as session:
        record = session.run(RUNNING).single(strict=True)
    return int(record[0])


@pytest.fixture(autouse=True)
def _short_retries(monkeypatch: pytest.MonkeyPatch) -> None:
    """What nobody waits for any more tries again for a second and not for ten."""
    monkeypatch.setattr(neo4j_connection, "RETRY_SECONDS", 0.5)


def until(condition: Callable[[], bool]) -> bool:
    """Whether a condition comes true; the limit is that of a very busy machine."""
    for _ in range(600):
        if condition():
            return True
        time.sleep(0.05)
    return False


def test_a_query_that_nobody_waits_for_ends_before_its_first_row(store: Connection) -> None:
    gone = threading.Event()
    threading.Thread(target=lambda: until(lambda: running(store) == 1) and gone.set(), daemon=True).start()
    with pytest.raises(QueryTimeoutError, match="nobody waits"):
        Neo4jRunner(store).run(slow(), stopped=gone.is_set)
    assert gone.is_set()
    assert until(lambda: running(store) == 0)


def test_whoever_is_in_the_way_of_the_work_can_end_it(store: Connection) -> None:
    gone = threading.Event()
    threading.Thread(target=lambda: until(lambda: running(store) == 1) and gone.set(), daemon=True).start()
    with stoppable(gone.is_set), pytest.raises(QueryTimeoutError, match="nobody waits"):
        Neo4jRunner(store).run(slow())
    assert until(lambda: running(store) == 0)


def test_one_that_is_wanted_runs_to_its_end(store: Connection) -> None:
    query = check_text("MATCH (g:Grain) RETURN count(*) AS n", SCHEMA)
    found = Neo4jRunner(store).run(query, stopped=lambda: False)
    assert found.rows == ((NODES,),)


def test_a_query_that_fills_the_memory_is_not_tried_again(store: Connection) -> None:
    calls = []

    def work(tx: ReadTransaction) -> None:
        calls.append(tx)
        error = neo4j.exceptions.TransientError("too much")
        error._neo4j_code = "Neo.TransientError.General.MemoryPoolOutOfMemoryError"
        raise error

    with pytest.raises(QueryFailedError, match="memory"):
        store.read_with(work)
    assert len(calls) == 1


@contextmanager
def cuttable(endpoint: Neo4jEndpoint) -> Iterator[tuple[Connection, Wire]]:
    host, _, port = endpoint.uri.partition("//")[2].partition(":")
    with (
        Wire(host, int(port)) as wire,
        connect(
            f"bolt://127.0.0.1:{wire.port}", endpoint.username, endpoint.password, database=endpoint.database
        ) as connection,
    ):
        yield connection, wire


def test_a_store_that_goes_away_between_plan_and_run_is_said(
    store: Connection, neo4j_endpoint: Neo4jEndpoint
) -> None:
    del store
    query = check_text("MATCH (g:Grain) RETURN count(*) AS n", SCHEMA)
    with cuttable(neo4j_endpoint) as (connection, wire):
        runner = Neo4jRunner(connection)
        check_plan(runner.explain(query))
        wire.cut()
        with pytest.raises(StoreUnavailableError, match=r"(?s)cannot be reached.*kg neo4j start"):
            runner.run(query)


def test_a_connection_that_the_store_has_closed_is_opened_again(
    store: Connection, neo4j_endpoint: Neo4jEndpoint
) -> None:
    del store
    with cuttable(neo4j_endpoint) as (connection, wire):
        assert connection.read(COUNT) == [{"n": NODES}]
        wire.drop()
        assert connection.read(COUNT) == [{"n": NODES}]


def test_a_read_that_fails_for_a_while_is_tried_again_in_one_transaction(store: Connection) -> None:
    tried: list[ReadTransaction] = []

    def work(tx: ReadTransaction) -> int:
        tried.append(tx)
        if len(tried) < 3:
            error = neo4j.exceptions.TransientError("busy")
            error._neo4j_code = "Neo.TransientError.Transaction.DeadlockDetected"
            raise error
        return int(tx.run(COUNT).single(strict=True)[0])

    assert store.read_with(work) == NODES
    assert [isinstance(tx, neo4j.ManagedTransaction) for tx in tried] == [False, True, True]


def in_use(connection: Connection) -> int:
    """Connections that are out of the driver's pool."""
    pool = connection.driver._pool
    return sum(pool.in_use_connection_count(address) for address in pool.connections)


def test_a_frozen_store_is_waited_for_as_long_as_was_asked(
    store: Connection, neo4j_endpoint: Neo4jEndpoint
) -> None:
    del store
    query = check_text(COUNT, SCHEMA, timeout=100)
    with cuttable(neo4j_endpoint) as (connection, wire):
        runner = Neo4jRunner(connection)
        assert runner.run(query).rows == ((NODES,),)
        wire.flows.clear()
        for _ in range(5):
            with within(0.2), pytest.raises(QueryTimeoutError, match="did not answer within 0"):
                runner.run(query)
        with within(0.2), pytest.raises(QueryTimeoutError):
            runner.explain(query)
        with within(0.2), pytest.raises(QueryTimeoutError, match="did not answer within 0"):
            connection.state()
        assert in_use(connection) >= 1
        wire.flows.set()
        assert until(lambda: in_use(connection) == 0)
        with within(100):
            assert runner.run(query).rows == ((NODES,),)
            assert connection.state()


def test_a_driver_is_closed_after_the_reads_that_were_given_up(
    store: Connection, neo4j_endpoint: Neo4jEndpoint
) -> None:
    """Its goodbye once met a thread that was writing to the same connection (`BufferError`)."""
    del store
    read: list[int] = []

    def work(tx: ReadTransaction) -> None:
        read.extend(int(tx.run(COUNT).single(strict=True)[0]) for _ in range(2))

    with cuttable(neo4j_endpoint) as (connection, wire):
        connection.read("RETURN 1")
        wire.flows.clear()
        with within(0.2), pytest.raises(QueryTimeoutError):
            connection.read_with(work)
        threading.Timer(0.2, wire.flows.set).start()
        calls = connection.calls
    assert read == [NODES, NODES]
    assert calls.left(0) == 0


def test_reads_share_the_limit_around_them(store: Connection) -> None:
    with within(100), within(-1), pytest.raises(QueryTimeoutError, match="passed before"):
        store.read("RETURN 1")
    with within(-1), within(100), pytest.raises(QueryTimeoutError, match="passed before"):
        store.read("RETURN 1")
    assert store.read("RETURN 1 AS n") == [{"n": 1}]


def test_whoever_leaves_a_frozen_store_is_let_go(store: Connection, neo4j_endpoint: Neo4jEndpoint) -> None:
    del store
    with cuttable(neo4j_endpoint) as (connection, wire):
        connection.read("RETURN 1")
        wire.flows.clear()
        with within(0.5), stoppable(lambda: True), pytest.raises(QueryTimeoutError):
            connection.read("RETURN 1")


def test_a_store_that_is_frozen_from_the_start_is_said(
    neo4j_endpoint: Neo4jEndpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(neo4j_connection, "CONNECT_SECONDS", 0.5)
    e = neo4j_endpoint
    host, _, port = e.uri.partition("//")[2].partition(":")
    with Wire(host, int(port)) as wire:
        wire.flows.clear()
        with pytest.raises(StoreUnavailableError), connect(f"bolt://127.0.0.1:{wire.port}", "a", "b"):
            pass
