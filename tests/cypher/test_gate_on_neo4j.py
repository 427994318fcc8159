"""The gate against a real server: what it accepts is planned, and a scope hides what is outside of it."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import neo4j
import pytest

from benchmarks.random_cypher import RandomQueries, small_schema
from cypher.gate.operators import OPERATORS
from cypher.guard import report_on
from kg.neo4j_server import Neo4jEndpoint
from schemas.questions import CheckedQuery, Scope

pytestmark = pytest.mark.neo4j
STATUSES = ("draft", "vetted", "published")
COUNT = 60


@pytest.fixture(scope="module")
def session(neo4j_endpoint: Neo4jEndpoint) -> Iterator[neo4j.Session]:
    """A session on a random graph."""
    e = neo4j_endpoint
    with (
        neo4j.GraphDatabase.driver(
            e.uri, auth=(e.username, e.password), notifications_min_severity="OFF"
        ) as driver,
        driver.session(database=e.database) as opened,
    ):
        rng = random.Random(5)
        for i in range(14):
            label = rng.choice(["A", "B", "Source"])
            status = "" if label == "Source" else f", status: '{rng.choice(STATUSES)}'"
            opened.run(f"CREATE (:{label} {{id: {i}, x: {rng.randint(0, 5)}{status}}})").consume()
        for i in range(40):
            a, b, kind = rng.randrange(14), rng.randrange(14), rng.choice("RS")
            opened.run(
                f"MATCH (a {{id: {a}}}), (b {{id: {b}}}) WHERE NOT a:Source AND NOT b:Source "
                f"CREATE (a)-[:{kind} {{id: {100 + i}, status: '{rng.choice(STATUSES)}'}}]->(b)"
            ).consume()
        opened.run("MATCH (a:A), (s:Source) WHERE a.x <> s.x CREATE (a)-[:FROM]->(s)").consume()
        yield opened


def accepted(scope: Scope) -> list[CheckedQuery]:
    """Random queries that the gate accepts."""
    source, found = RandomQueries(11), []
    while len(found) < COUNT:
        report = report_on(source.query(), small_schema(), scope=scope)
        if report.query is not None:
            found.append(report.query)
    return found


def result(session: neo4j.Session, query: CheckedQuery) -> Counter[str]:
    """The rows, without their order."""
    parameters: dict[str, Any] = {
        k: list(v) if isinstance(v, tuple) else v for k, v in query.parameters.items()
    }
    return Counter(repr(r.values()) for r in session.run(query.text, parameters))  # type: ignore[arg-type]


@pytest.mark.parametrize("scope", [Scope.ALL, Scope.VETTED])
def test_the_server_plans_whatever_the_gate_accepts(session: neo4j.Session, scope: Scope) -> None:
    for query in accepted(scope):
        parameters = {k: list(v) if isinstance(v, tuple) else v for k, v in query.parameters.items()}
        summary = session.run("EXPLAIN " + query.text, parameters).consume()  # type: ignore[arg-type]
        assert summary.query_type == "r", query.text
        stack, operators = [summary.plan or {}], set()
        while stack:
            step = stack.pop()
            operators.add(str(step["operatorType"]).split("@")[0])
            stack.extend(step.get("children", ()))
        assert operators <= OPERATORS, (operators - OPERATORS, query.text)


def test_a_scoped_result_is_that_of_the_graph_without_the_rest(session: neo4j.Session) -> None:
    queries = accepted(Scope.VETTED)
    unscoped = [report_on(q, small_schema()).query for q in _texts()]
    before = [result(session, q) for q in queries]
    session.run("MATCH ()-[r]->() WHERE r.status = 'draft' DELETE r").consume()
    session.run("MATCH (n) WHERE n.status = 'draft' DETACH DELETE n").consume()
    for query, plain, rows in zip(queries, unscoped, before, strict=True):
        assert plain is not None
        assert rows == result(session, plain), query.text
    assert sum(bool(rows) for rows in before) > COUNT // 4


def _texts() -> list[str]:
    """The texts of ``accepted``, as they were drawn."""
    source, found = RandomQueries(11), []
    while len(found) < COUNT:
        text = source.query()
        if report_on(text, small_schema(), scope=Scope.VETTED).query is not None:
            found.append(text)
    return found
