"""The gate against a real server: what it accepts is planned, and a scope hides what is outside of it."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import neo4j
import pytest

from benchmarks.random_cypher import INDEX, WORDS, RandomQueries, small_schema
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
        opened.run(
            f"CREATE FULLTEXT INDEX {INDEX} IF NOT EXISTS FOR (n:A|B|Source) ON EACH [n.name]"
        ).consume()
        opened.run("CALL db.awaitIndexes(60)").consume()
        draw_graph(opened, 5)
        yield opened
        opened.run(f"DROP INDEX {INDEX}").consume()


def draw_graph(session: neo4j.Session, seed: int) -> None:
    """Another random graph in the place of what is there: nodes and relationships of all statuses."""
    rng = random.Random(seed)
    session.run("MATCH (n) DETACH DELETE n").consume()
    for i in range(14):
        label = rng.choice(["A", "B", "Source"])
        status = "" if label == "Source" else f", status: '{rng.choice(STATUSES)}'"
        name = rng.choice(WORDS)
        made = f"id: {i}, x: {rng.randint(0, 5)}, name: '{name}'{status}"
        session.run(f"CREATE (:{label} {{{made}}})").consume()
    for i in range(40):
        a, b, kind = rng.randrange(14), rng.randrange(14), rng.choice("RS")
        session.run(
            f"MATCH (a {{id: {a}}}), (b {{id: {b}}}) WHERE NOT a:Source AND NOT b:Source "
            f"CREATE (a)-[:{kind} {{id: {100 + i}, status: '{rng.choice(STATUSES)}'}}]->(b)"
        ).consume()
    session.run("MATCH (a:A), (s:Source) WHERE a.x <> s.x CREATE (a)-[:FROM]->(s)").consume()


def accepted(scope: Scope, seed: int = 11) -> list[tuple[str, CheckedQuery]]:
    """Random queries that the gate accepts, with their texts."""
    source, found = RandomQueries(seed), []
    while len(found) < COUNT:
        text = source.query()
        report = report_on(text, small_schema(), scope=scope)
        if report.query is not None:
            found.append((text, report.query))
    return found


def result(session: neo4j.Session, query: CheckedQuery) -> Counter[str]:
    """The rows, without their order."""
    parameters: dict[str, Any] = {
        k: list(v) if isinstance(v, tuple) else v for k, v in query.parameters.items()
    }
    return Counter(repr(r.values()) for r in session.run(query.text, parameters))  # type: ignore[arg-type]


@pytest.mark.parametrize("scope", [Scope.ALL, Scope.VETTED])
def test_the_server_plans_whatever_the_gate_accepts(session: neo4j.Session, scope: Scope) -> None:
    for _, query in accepted(scope):
        parameters = {k: list(v) if isinstance(v, tuple) else v for k, v in query.parameters.items()}
        summary = session.run("EXPLAIN " + query.text, parameters).consume()  # type: ignore[arg-type]
        assert summary.query_type == "r", query.text
        stack, operators = [summary.plan or {}], set()
        while stack:
            step = stack.pop()
            operators.add(str(step["operatorType"]).split("@")[0])
            stack.extend(step.get("children", ()))
        assert operators <= OPERATORS, (operators - OPERATORS, query.text)


@pytest.mark.parametrize("scope", [Scope.VETTED, Scope.PUBLISHED])
@pytest.mark.parametrize("seed", [11, 12])
def test_a_scoped_result_is_that_of_the_graph_without_the_rest(
    session: neo4j.Session, scope: Scope, seed: int
) -> None:
    draw_graph(session, seed)
    queries = accepted(scope, seed)
    before = [result(session, q) for _, q in queries]
    outside = "['draft']" if scope is Scope.VETTED else "['draft', 'vetted']"
    session.run(f"MATCH ()-[r]->() WHERE r.status IN {outside} DELETE r").consume()
    session.run(f"MATCH (n) WHERE n.status IN {outside} DETACH DELETE n").consume()
    for (text, query), rows in zip(queries, before, strict=True):
        plain = report_on(text, small_schema()).query
        assert plain is not None
        assert rows == result(session, plain), query.text
    assert sum(bool(rows) for rows in before) > COUNT // 5
    assert sum("SHORTEST" in text.upper() or " ANY " in text for text, _ in queries) > COUNT // 10
    for drawn in ("COLLECT {", "fulltext", "_u.x <"):
        assert any(drawn in text for text, _ in queries), drawn
