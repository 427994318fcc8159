"""Random queries over the whole grammar: the server plans whatever the gate accepts (``make fuzz``: more)."""

from __future__ import annotations

from collections.abc import Iterator

import neo4j
import pytest

from benchmarks.gate_differential import compare, drop_indexes, fill_database, refused_by_server
from benchmarks.harbour import GIVEN, harbour_schema
from benchmarks.random_grammar import GrammarQueries
from cypher.guard import report_on
from cypher.syntax.parse import parse
from cypher.syntax.write import write
from kg.neo4j_server import Neo4jEndpoint
from schemas.errors import QueryRefusedError
from schemas.questions import Scope


@pytest.fixture(scope="module")
def session(neo4j_endpoint: Neo4jEndpoint) -> Iterator[neo4j.Session]:
    """A session on the harbour graph with its indexes."""
    e = neo4j_endpoint
    with (
        neo4j.GraphDatabase.driver(
            e.uri, auth=(e.username, e.password), notifications_min_severity="OFF"
        ) as driver,
        driver.session(database=e.database) as opened,
    ):
        fill_database(opened)
        yield opened
        drop_indexes(opened)


def test_the_server_plans_whatever_the_gate_accepts(session: neo4j.Session) -> None:
    *_, found = compare(session, seed=7, accepted=250)
    assert found.faults == []
    assert found.compared >= 15
    assert found.accepted > found.drawn // 2
    assert all(found.scopes[scope] > 50 for scope in Scope), found.scopes
    assert found.likened > 3


def test_what_is_printed_reads_back_as_the_same_tree() -> None:
    source, count = GrammarQueries(19, wrong=0.05), 0
    for _ in range(400):
        text = source.query()
        try:
            tree = parse(text)
        except QueryRefusedError:
            continue
        printed = write(tree)
        assert parse(printed) == tree, text
        assert write(parse(printed)) == printed
        count += 1
    assert count > 350


ACCEPTED = (
    "MATCH (a:Port) RETURN DISTINCT ['a', 'b'][-1] + a.name AS x",
    "MATCH (a:Port) WHERE NOT [1] = a.depths RETURN a",
    "MATCH (a:Port) RETURN CASE [1] WHEN a.depths THEN 1 END AS x",
    "MATCH (a:Port) RETURN [a.name IS NORMALIZED] AS x, (a.name IS NOT NFC NORMALIZED) AS y",
    "MATCH (a:Port) RETURN CASE a.name WHEN IS NORMALIZED THEN 1 END AS x",
    "OPTIONAL MATCH (a:Port) MATCH (b:Ship) RETURN a, b LIMIT 1",
    "MATCH (a:Port) WITH a.name AS n WHERE a.berths > 1 RETURN n",
    "MATCH (a:Port) CALL (a) { WITH 1 AS c RETURN a.name + c AS b } RETURN b",
    "MATCH (a:Port) RETURN EXISTS { MATCH (b:Ship) WITH b WHERE b.tons > a.tons RETURN b } AS x",
    "MATCH (a:Port) WITH a, count(*) AS c ORDER BY count(*) RETURN a, c",
    "MATCH (a:Port) RETURN a.name, count(*) AS c ORDER BY a.name",
    "MATCH (a:Port) WITH a.name AS n, count(*) AS c WHERE a.name IS NOT NULL RETURN n, c",
    "MATCH (a:Port) RETURN reduce(s = 0, x IN a.depths | s + 1.5) AS x",
    "MATCH (a:Port) FINISH UNION MATCH (b:Ship) FINISH",
    "CALL db.index.fulltext.queryNodes('words', 'x') YIELD * RETURN node",
    "MATCH (a:Port)-[r:SAILS_TO*1..2]->(b:Port)-[:SAILS_TO]->{1,2}(c) RETURN size(r) AS n",
    "MATCH (a:Port)-[:SAILS_TO]->{1,2}(c) WHERE (a)-[*1..2]-(:Ship) RETURN a",
    "MATCH (a:Port) WHERE (a)-[:SAILS_TO]->{1,2}() RETURN a",
    "MATCH (a:Port) RETURN (a)-->() AS x, exists(a.name) AS y, size((a)--()) AS z, exists((a)--()) AS w",
    "MATCH DIFFERENT RELATIONSHIPS (a:Port)-->(b) RETURN b",
    "MATCH (a:Port) CALL { MATCH (b:Ship) FINISH } RETURN a",
    "MATCH (a:Port) CALL (a) { MATCH (b:Ship) FINISH } RETURN a",
    "MATCH (a:Port) RETURN -9223372036854775808 AS x, [1, -0x8000000000000000] AS y",
    "WITH * RETURN 1 AS x",
    "WITH * MATCH (a:Port) WITH * RETURN a",
    "MATCH (a:Port) RETURN COLLECT { UNWIND [1, 2] AS b RETURN b } AS x",
    "MATCH (a:Port) RETURN EXISTS { UNWIND [1] AS b MATCH (a)-->() RETURN b } AS x",
    "MATCH (a:Port) RETURN EXISTS { unwind = (a)-->() } AS x",
    "MATCH (a:Port) RETURN date() + duration('P1D') AS d, [1] + 'x' AS l, 'a' + 1 AS t",
)


@pytest.mark.parametrize("text", ACCEPTED)
def test_what_the_server_takes_is_taken(session: neo4j.Session, text: str) -> None:
    report = report_on(text, harbour_schema(), parameters=GIVEN)
    assert report.query is not None, report.findings
    assert refused_by_server(session, report.query) == ""


REFUSED = (
    (
        "MATCH (a:Port) RETURN EXISTS { MATCH (b:Ship) WHERE any(a IN [1] WHERE a > 0) } AS x",
        "outside of this",
    ),
    ("MATCH (a:Port) RETURN COLLECT { MATCH (b:Ship) RETURN [a IN [1] | a] AS y } AS x", "outside of this"),
    ("MATCH (a:Port) RETURN COUNT { MATCH (b:Ship) WHERE [a = (b)-->() | 1] = [] } AS x", "outside of this"),
    ("MATCH (a:Port) UNWIND [a.berths, 7] + [1, 2] AS c MATCH (c)-->() RETURN c", "c is a value of any type"),
    ("MATCH (a:Port) WHERE a RETURN a", "WHERE takes a condition"),
    ("MATCH p = (a:Port)-->() WHERE p RETURN p", "length(p)"),
    ("MATCH p = (a:Port)-->() RETURN size(p) AS x", "size() takes a list or a text"),
    ("MATCH p = (a:Port)-->() RETURN p.name AS x", "p is a path"),
    ("MATCH (a:Port)-[r:SAILS_TO*1..2]->() RETURN r.hours AS x", "r is a list"),
    ("MATCH (a:Port) RETURN a + 1 AS x", "no a node + a whole number"),
    ("MATCH (a:Port) RETURN true + 1 AS x", "no a condition + a whole number"),
    ("MATCH (a:Port) RETURN 'a' * 2 AS x", "no a text * a whole number"),
    ("WITH 'a' AS t MATCH (a:Port) RETURN t * 2 AS x", "no a text * a whole number"),
    ("UNWIND ['a', 'b'] AS t RETURN abs(t) AS x", "abs() takes a number"),
    ("MATCH (a:Port) RETURN left(a.name) AS x", "left() takes 2 values"),
    ("MATCH (a:Port) RETURN abs(DISTINCT a.tons) AS x", "DISTINCT belongs into"),
    ("MATCH (a:Port) RETURN a.name IN 'abc' AS x", "IN takes a list"),
    ("MATCH (a:Port) RETURN a.name =~ 3 AS x", "=~ takes a text"),
    ("MATCH (a:Port) RETURN 'abc'[0] AS x", "[0] takes a list"),
    ("MATCH (a:Port) RETURN a.flags['x'] AS x", "a place in a.flags"),
    ("MATCH (a:Port) RETURN point({east: 1}) AS x", "x and y"),
    ("MATCH (a:Port) RETURN all(x IN [1]) AS x", "needs a condition"),
    ("MATCH (a:Port) RETURN reduce(s = 0, x IN [1] | s + 'a') AS x", "reduce from 0"),
    ("MATCH (a:Port) RETURN count(max(a.tons)) AS x", "inside another aggregate"),
    ("MATCH (a:Port) RETURN [x IN [1] | count(*)] AS x", "over a list"),
    ("MATCH (a:Port) WHERE count(*) > 1 RETURN a", "collects rows"),
    ("MATCH (a:Port) RETURN a {.name, c: count(*)} AS x", "beside an aggregate"),
    ("MATCH (a:Port) RETURN count(*) > COUNT { (a)--() } AS x", "beside an aggregate"),
    ("MATCH (a:Port) RETURN DISTINCT a.name AS n ORDER BY a.berths", "sees columns only"),
    ("MATCH (a:Port) RETURN count(*) AS c ORDER BY a.name", "sees columns only"),
    ("MATCH (a:Port) WITH a ORDER BY count(*) RETURN a", "only where one is returned"),
    ("MATCH p = (a:Port)-->() RETURN p, count(*) AS c ORDER BY p", "cannot be sorted by"),
    ("MATCH (a:Port) WITH a LIMIT -1 RETURN a", "LIMIT takes a whole number"),
    ("MATCH (a:Port) WITH a SKIP 1.5 RETURN a", "SKIP takes a whole number"),
    ("MATCH (a:Port) RETURN a LIMIT $text", "LIMIT takes a whole number"),
    ("MATCH (a:Port) WITH a LIMIT COUNT { (b:Ship) } RETURN a", "known before"),
    ("MATCH p = shortestPath((a:Port)-[:SAILS_TO*2..4]->(b:Port)) RETURN p", "begin at 0 or 1"),
    ("MATCH p = shortestPath((a:Port)-->(b:Port)-->(c)) RETURN p", "one relationship"),
    ("MATCH p = shortestPath((a:Port)-[:!FOR_SHIP]->(b:Port)) RETURN p", "joined by |"),
    ("MATCH p = shortestPath((a:Port)-[:SAILS_TO* {hours: 3}]->(b:Port)) RETURN p", "no properties"),
    ("MATCH p = shortestPath((a:Port)-[:SAILS_TO*]->(a)) RETURN p", "two different nodes"),
    ("MATCH p = ANY SHORTEST (a:Port)-->+(b:Port), (b)-->(c) RETURN p", "MATCH of its own"),
    (
        "MATCH p = ANY SHORTEST (a:Port)-->+(b:Port) MATCH q = shortestPath((a)-[*..3]-(b)) RETURN p",
        "not stand in one query",
    ),
    ("MATCH (a:Port)-[r:SAILS_TO*1..2 WHERE true]->(b) RETURN a", "no condition inside"),
    ("MATCH (a:Port) (()){1,3} (b:Port) RETURN a", "needs a relationship"),
    ("MATCH (a:Port) ((x)-->(y) (()-->()){1,2} ()-->()){1,2} (b:Port) RETURN a", "repeated itself"),
    ("MATCH (a:Port) MATCH ((a)-[:SAILS_TO]->(b)){1,2} RETURN b", "inside and outside"),
    ("MATCH (a:Port)-[:SAILS_TO]->{0}(b) RETURN a", "not 0 times"),
    ("MATCH (a:Port $numbers) RETURN a", "properties by name"),
    ("MATCH (a:Port) WHERE a:$($label) RETURN a", "in a pattern only"),
    ("MATCH (a:Port) RETURN [(a)-[:SAILS_TO]->{1,2}(b) | b.name] AS x", "COLLECT does"),
    ("MATCH (a:Port) RETURN COLLECT { MATCH (a)--(b) RETURN b.name AS x, b.tons AS y } AS z", "one column"),
    ("MATCH (a:Port) CALL (a) { WITH 1 AS a RETURN a AS b } RETURN b", "outside of this subquery"),
    ("MATCH (a:Port) CALL { WITH a WHERE a.tons > 1 RETURN a.name AS b } RETURN b", "second WITH"),
    ("MATCH (a:Port) CALL { MATCH (b:Ship) RETURN b.name } RETURN a", "needs a name in CALL"),
    ("MATCH (a:Port) CALL db.index.fulltext.queryNodes('words', 'x') RETURN a", "what it yields"),
    ("CALL db.index.fulltext.queryNodes('words') YIELD node RETURN node", "takes 2 to 3 values"),
    ("CALL db.index.fulltext.queryNodes('words', 1) YIELD node RETURN node", "takes a text"),
    ("MATCH (a:Port) RETURN a.name IS :: INTEGER NOT NULL | STRING AS x", "NOT NULL"),
)


def test_a_column_is_sorted_by_under_its_former_name() -> None:
    text = "MATCH (a:Port) WITH a, count(*) AS c RETURN DISTINCT a.name AS n, c AS calls ORDER BY c"
    assert report_on(text, harbour_schema()).findings == ()


@pytest.mark.parametrize(("text", "words"), REFUSED)
def test_what_the_server_would_refuse_is_said_before(text: str, words: str) -> None:
    report = report_on(text, harbour_schema(), parameters=GIVEN)
    assert report.query is None, report.query
    said = " ".join(
        (*(f.message for f in report.findings), *(s for f in report.findings for s in f.suggestions))
    )
    assert words in said, report.findings
