"""Parts that nothing connects and long patterns that begin nowhere are refused; what people write is not."""

from __future__ import annotations

from collections.abc import Iterator

import neo4j
import pytest

from benchmarks.gate_differential import drop_indexes, fill_database
from benchmarks.harbour import GIVEN, harbour_schema
from cypher.gate.cost import MAX_HOPS
from cypher.guard import check_plan, check_text, report_on
from kg.adapters.neo4j_connection import connect
from kg.adapters.neo4j_runner import Neo4jRunner
from kg.neo4j_server import Neo4jEndpoint
from schemas.errors import QueryRefusedError
from schemas.questions import CheckedQuery

CONNECT, BEGIN = "share no variable", "to begin at"


def said(text: str) -> str:
    """The messages of the findings ``COST``."""
    report = report_on(text, harbour_schema(), parameters=GIVEN)
    assert all(f.code == "COST" for f in report.findings), report.findings
    return "; ".join(f.message for f in report.findings)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("MATCH (a) MATCH (b) RETURN count(*) AS n", CONNECT),
        ("MATCH (a), (b) RETURN count(*) AS n", CONNECT),
        ("MATCH (a) OPTIONAL MATCH (b) RETURN count(*) AS n", CONNECT),
        ("MATCH (a) WITH a MATCH (b) RETURN count(*) AS n", CONNECT),
        ("MATCH (a)-->(x) UNWIND [1, 2] AS i MATCH (b)-->(y) RETURN count(*) AS n", CONNECT),
        ("MATCH (p:Port) RETURN COUNT { MATCH (a) MATCH (b) } AS n", CONNECT),
        ("CALL () { MATCH (a) MATCH (b) RETURN count(*) AS n } RETURN n", CONNECT),
        (
            "MATCH (a:Port) MATCH (b:Ship) MATCH (c:Order) MATCH (d:Port) MATCH (e:Ship) RETURN 1 AS n",
            CONNECT,
        ),
        ("MATCH (a)-->(b)-->(c)-->(d)-->(e) RETURN count(*) AS n", BEGIN),
        ("MATCH (a)-->(b) MATCH (b)-->(c)-->(d)-->(e) RETURN count(*) AS n", BEGIN),
        ("MATCH ((x)-->(y))+ RETURN count(*) AS n", BEGIN),
        ("MATCH (a) ((x)-->(y)){1,4} (b) RETURN count(*) AS n", BEGIN),
        ("MATCH (a)-->{2,}(b) RETURN count(*) AS n", BEGIN),
        ("MATCH (a)-[*1..5]->(b) RETURN count(*) AS n", BEGIN),
    ],
)
def test_what_multiplies_without_end_is_refused(text: str, words: str) -> None:
    assert words in said(text)


@pytest.mark.parametrize(
    ("text", "most"),
    [
        ("MATCH (a:Port)-[*1..16]->(b) RETURN b.name AS n", 16),
        ("MATCH (a:Port)-[*16..]->(b) RETURN b.name AS n", 16),
        ("MATCH (a:Port)-->{40,}(b) RETURN b.name AS n", 40),
        ("MATCH (a:Port) ((x)-->(y)){16,} (b) RETURN b.name AS n", 16),
        ("MATCH (a:Port) ((x)-->(y)-->(z)){1,6} (b) RETURN b.name AS n", 12),
        ("MATCH (a:Port) ((w)-->(x)-->(y)-->(z)){6} (b) RETURN b.name AS n", 18),
    ],
)
def test_a_path_has_fifteen_steps_at_most(text: str, most: int) -> None:
    words = f"a path may have 15 steps; this one has up to {most}"
    assert words in said(text) if most > MAX_HOPS else not said(text)


def test_a_group_without_an_upper_bound_has_as_few() -> None:
    report = report_on(
        "MATCH (a:Port) ((w)-->(x)-->(y)-->(z)){1,} (b) RETURN b.name AS n",
        harbour_schema(),
        parameters=GIVEN,
    )
    assert report.query is not None
    assert "{1,5}" in report.query.text


@pytest.mark.parametrize(
    "text",
    [
        "MATCH (a) RETURN count(*) AS n",
        "MATCH (a:Port) MATCH (b:Ship) RETURN count(*) AS n",
        "MATCH (a) MATCH (a)-->(b) MATCH (b)-->(c) RETURN count(*) AS n",
        "MATCH (a) WITH count(*) AS m MATCH (b) RETURN m, count(*) AS n",
        "MATCH (a) WITH a LIMIT 1 MATCH (b) RETURN count(*) AS n",
        "MATCH (a)-[r]->() MATCH ()-[r]->(b) RETURN count(*) AS n",
        "MATCH ()-[r:SAILS_TO]->() MATCH ()-[s:MOORED_AT]->() RETURN count(r) AS n",
        "MATCH (a:Port)-->(b) RETURN COUNT { (a)-->() } + COUNT { (b)-->() } AS n",
        "MATCH (a:Port) CALL (a) { MATCH (a)-->(b)-->(c)-->(d)-->(e) RETURN count(*) AS n } RETURN n",
        "MATCH p = (:Port)-->() UNWIND nodes(p) AS v MATCH (v)-->(c) MATCH (d)-->(v) RETURN count(*) AS n",
        "MATCH (a {name: 'x'}) MATCH (b {name: 'y'}) MATCH (c {name: 'z'}) MATCH (d {name: 'u'})"
        " MATCH (e {name: 'v'}) RETURN a, b, c, d, e",
        "MATCH (a)-[*1..3]->(b) RETURN count(*) AS n",
        "MATCH (a)-[:SAILS_TO*1..5]->(b) RETURN count(*) AS n",
        "MATCH (a)-[*1..5]->(b) WHERE elementId(a) = '4:x:1' RETURN count(*) AS n",
        "MATCH (a)-[*1..5]->(b) WHERE 'Port' IN labels(a) RETURN count(*) AS n",
        "MATCH (a)-[*1..5]->(b) WHERE a:Port OR a:Ship RETURN count(*) AS n",
        "MATCH (a:Port) ((x)-->(y))+ (b) RETURN count(*) AS n",
        "MATCH (a) ((x:Ship)-->(y))+ (b) RETURN count(*) AS n",
        "CALL db.index.fulltext.queryNodes('words', 'x') YIELD node MATCH (node)-[*1..5]->(b) RETURN b",
    ],
)
def test_what_begins_somewhere_is_taken(text: str) -> None:
    assert said(text) == ""


@pytest.fixture(scope="module")
def runner(neo4j_endpoint: Neo4jEndpoint) -> Iterator[Neo4jRunner]:
    """A runner on the harbour graph."""
    e = neo4j_endpoint
    with (
        neo4j.GraphDatabase.driver(
            e.uri, auth=(e.username, e.password), notifications_min_severity="OFF"
        ) as driver,
        driver.session(database=e.database) as session,
    ):
        fill_database(session)
        with connect(e.uri, e.username, e.password, database=e.database) as connection:
            yield Neo4jRunner(connection)
        drop_indexes(session)


def test_the_servers_estimate_of_every_step_counts(runner: Neo4jRunner) -> None:
    parts = " ".join(f"MATCH ({x})" for x in "abcdefgh")
    with pytest.raises(QueryRefusedError, match=CONNECT):
        check_text(f"{parts} RETURN count(*) AS n", harbour_schema())
    query = CheckedQuery(
        text=f"{parts} RETURN count(*) AS n LIMIT 10", parameters={}, columns=("n",), row_cap=10, timeout=60.0
    )
    query._by_guard = True
    many = runner.explain(query)
    assert many.estimated_rows == 1.0
    with pytest.raises(QueryRefusedError, match="connect the parts"):
        check_plan(many)
    two = check_text("MATCH (a:Port) MATCH (b:Ship) RETURN count(*) AS n", harbour_schema(), timeout=60.0)
    check_plan(runner.explain(two))
