"""A query is read as Cypher 5, whatever language the database has by default."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from cypher.guard import check_plan, check_text
from kg.adapters.neo4j_connection import Connection, connect
from kg.adapters.neo4j_runner import Neo4jRunner
from kg.neo4j_server import Neo4jEndpoint
from schemas.errors import QueryFailedError
from schemas.questions import CheckedQuery
from schemas.store_schema import StoreLabel, StoreSchema


@pytest.fixture
def connection(neo4j_endpoint: Neo4jEndpoint) -> Iterator[Connection]:
    e = neo4j_endpoint
    with connect(e.uri, e.username, e.password, database=e.database) as opened:
        yield opened


def passed(text: str) -> CheckedQuery:
    """A query with the mark of the gate, for texts that it refuses."""
    made = CheckedQuery(text=text, parameters={}, columns=(), row_cap=11, timeout=5.0)
    made._by_guard = True
    return made


def test_the_server_is_told_the_language_of_a_query(connection: Connection) -> None:
    running = "SHOW TRANSACTIONS YIELD currentQuery WHERE currentQuery CONTAINS 'sHoW' RETURN currentQuery"
    asked = running.replace("SHOW", "sHoW", 1)
    found = Neo4jRunner(connection).run(passed(asked))
    assert ("CYPHER 5 " + asked,) in found.rows


def test_a_plan_is_that_of_the_query_in_its_language(connection: Connection) -> None:
    schema = StoreSchema(labels=(StoreLabel(name="Ship"),))
    query = check_text("MATCH (s:Ship) WITH s ORDER BY elementId(s) LIMIT 3 RETURN count(s) AS n", schema)
    plan = Neo4jRunner(connection).explain(query)
    check_plan(plan)
    assert plan.query_type == "r"
    assert {"ProduceResults", "EagerAggregation", "NodeByLabelScan"} <= set(plan.operators)
    assert not plan.procedures
    assert Neo4jRunner(connection).run(query).rows == ((0,),)


def test_a_language_that_the_text_names_itself_is_none(connection: Connection) -> None:
    for text in ("CYPHER 25 RETURN 1 AS n", "EXPLAIN CYPHER 25 RETURN 1 AS n"):
        with pytest.raises(QueryFailedError):
            Neo4jRunner(connection).run(passed(text))
