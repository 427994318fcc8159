"""A name stands for one kind of thing: node, relationship, list of relationships, path or value."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from types import SimpleNamespace

import pytest
from typer.testing import CliRunner

import kg.commands.cypher as commands
from benchmarks.harbour import GIVEN, harbour_schema
from cypher.guard import report_on
from kg.cli import app
from schemas.errors import QueryFailedError, QueryTimeoutError

BOUND = {
    "a node": "MATCH (v:Port)",
    "a relationship": "MATCH (:Ship)-[v:MOORED_AT]->()",
    "a list of relationships": "MATCH (:Port)-[v:SAILS_TO*1..2]->()",
    "a list of nodes": "MATCH (:Port) ((v)-[:SAILS_TO]->()){1,2} ()",
    "a path": "MATCH v = (:Port)-[:SAILS_TO]->()",
    "a text": "UNWIND ['x'] AS v",
    "a whole number": "WITH 1 AS v",
    "the value of a property": "MATCH (q:Port) WITH q.name AS v",
    "a condition": "MATCH (q:Port) WITH EXISTS { (q)-->() } AS v",
    "a date or time": "WITH date() AS v",
}
"""What a name stands for, and how it came to."""
TAKEN = {
    "a node": "(v)-->()",
    "a relationship": "()-[v]->()",
    "a list of relationships": "()-[v*1..2]->()",
}
"""What a pattern takes a name for."""
AROUND = (
    "MATCH {} RETURN 1 AS one",
    "OPTIONAL MATCH {} RETURN 1 AS one",
    "RETURN EXISTS {{ {} }} AS one",
    "RETURN COUNT {{ MATCH {} }} AS one",
    "RETURN COLLECT {{ MATCH {} RETURN 1 AS two }} AS one",
    "CALL (v) {{ MATCH {} RETURN 1 AS two }} RETURN two",
    "CALL {{ WITH v MATCH {} RETURN 1 AS two }} RETURN two",
    "RETURN [{} | 1] AS one",
    "RETURN [x IN [1] | [{} | x]] AS one",
)
"""Where a pattern can stand."""


def said(text: str) -> str:
    """All messages of a query; empty if it may run."""
    report = report_on(text, harbour_schema(), parameters=GIVEN)
    assert (report.query is None) == bool(report.findings)
    return "; ".join(f.message for f in report.findings)


@pytest.mark.parametrize("around", AROUND)
@pytest.mark.parametrize(("wanted", "pattern"), TAKEN.items())
@pytest.mark.parametrize(("found", "clause"), BOUND.items())
def test_a_name_of_another_kind_is_refused(
    found: str, clause: str, wanted: str, pattern: str, around: str
) -> None:
    text = f"{clause} {around.format(pattern)}"
    if found == wanted:
        assert said(text) == ""
    else:
        assert f"expected {wanted} here; v is {found}" in said(text)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("UNWIND ['x'] AS p MATCH (p:Paper) RETURN p", "expected a node here; p is a text"),
        ("WITH 1 AS r MATCH (a:Port)-[r]->(b) RETURN a", "expected a relationship here; r is a whole number"),
        (
            "MATCH (a:Port)-[r]->(b)-[r*1..2]->(c) RETURN a",
            "expected a list of relationships here; r is a re",
        ),
        ("MATCH p = (a:Port)-->() MATCH p = (a)-->() RETURN p", "p is already in use here: it is a path"),
        ("MATCH (a:Port) MATCH a = ()-->() RETURN 1 AS x", "a is already in use here: it is a node"),
        ("MATCH (a:Port)-[r]->() MATCH (a)-[r:SAILS_TO]->{1,2}() RETURN a", "r stands for a relationship"),
        ("MATCH (a:Port) UNWIND a.flags AS f MATCH (f) RETURN f", "expected a node here; f is "),
        ("UNWIND [1, 2] AS l MATCH (l) RETURN l", "expected a node here; l is a whole number"),
        ("MATCH (a:Port) WITH [a.open] AS l MATCH ()-[l*1..2]->() RETURN l", "l is a list"),
        ("MATCH (a:Port), (b:Ship) UNWIND [a, b] AS v MATCH ()-[v]->() RETURN v", "v is a node"),
        ("MATCH (a:Port) WITH collect(a)[0..2] AS l UNWIND l AS v MATCH ()-[v]->() RETURN v", "v is a node"),
        ("MATCH (a:Port) RETURN labels(a.name) AS l", "labels() takes a node; a.name is the value of a prop"),
        ("MATCH (a:Port) RETURN [x IN a.flags | labels(x)] AS l", "labels() takes a node"),
        ("UNWIND $texts AS v RETURN labels(v) AS l", "labels() takes a node; v is a text"),
        (
            "CALL db.index.fulltext.queryNodes('words', 'x') YIELD node, score MATCH (score) RETURN node",
            "expected a node here; score is a number",
        ),
        ("CALL { MATCH (a:Port) RETURN a AS v UNION RETURN 1 AS v } MATCH ()-[v]->() RETURN v", "v is "),
    ],
)
def test_what_is_known_of_a_value_is_known_where_its_name_is_used(text: str, words: str) -> None:
    assert words in said(text)


@pytest.mark.parametrize(
    "text",
    [
        "MATCH (a:Port)-[r]->() MATCH (a)-[r]->(b) RETURN b",
        "MATCH (a:Port)-[r]->() WITH collect(r) AS rs MATCH ()-[rs*1..2]->() RETURN 1 AS x",
        "MATCH (a:Port) WITH head(collect(a)) AS v MATCH (v)-->(b) RETURN b",
        "MATCH p = (:Port)-->() UNWIND nodes(p) + nodes(p) AS v MATCH (v)-->(b) RETURN b",
        "MATCH (a:Port), (b:Ship) UNWIND [a, b] AS v MATCH (v)-->(c) RETURN c",
        "MATCH (a:Port) RETURN [a = (:Ship)-->(b) | length(a)] AS x",
        "MATCH (a:Port) RETURN [x IN nodes(shortestPath((a)-[*..3]-(:Ship))) | EXISTS { (x)-->() }] AS x",
        "WITH {a: 1} AS m WITH m.a AS v MATCH (v) RETURN v",
        "WITH null AS v OPTIONAL MATCH (v)-->() RETURN v",
        "MATCH (a:Port) WITH a.built AS d, a.tons AS t RETURN d.year AS y, -t AS z, d + duration('P1D') AS e",
    ],
)
def test_a_name_is_used_again_as_what_it_is(text: str) -> None:
    assert said(text) == ""


@contextmanager
def _opened(runner: object) -> Iterator[SimpleNamespace]:
    yield SimpleNamespace(runner=runner)


@pytest.mark.parametrize(
    "error", [QueryFailedError("Neo4j could not run the query"), QueryTimeoutError("late")]
)
def test_what_the_server_refuses_is_reported(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    class Refusing:
        def explain(self, _: object) -> None:
            raise error

    monkeypatch.setattr(commands, "platform", lambda _: _opened(Refusing()))
    monkeypatch.setattr(commands, "check_query", lambda _, r: report_on(r.cypher, harbour_schema()))
    shown = CliRunner().invoke(app, ["cypher", "check", "MATCH (a:Port) RETURN a"])
    assert shown.exit_code == 1
    assert f"plan     refused: {error}" in shown.output
    assert "runs     MATCH (a:Port) RETURN a" in shown.output
    as_json = CliRunner().invoke(app, ["cypher", "check", "--json", "MATCH (a:Port) RETURN a"])
    assert json.loads(as_json.stdout)["plan_refused"] == str(error)
