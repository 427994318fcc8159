"""Bad input to the gate: hidden properties in all places of a query, tricks of characters, size, depth."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.harbour import GIVEN, harbour_schema
from benchmarks.random_grammar import GrammarQueries
from cypher.guard import report_on
from schemas.errors import QueryRefusedError
from schemas.questions import GateReport, Parameter

HIDDEN = "vector"
PLACES = (
    "MATCH p = (n:Port)-[r]->(m) RETURN {x} AS x",
    "MATCH p = (n:Port)-[r]->(m) RETURN DISTINCT {x} AS x",
    "MATCH p = (n:Port)-[r]->(m) RETURN n.name AS x ORDER BY {x}",
    "MATCH p = (n:Port)-[r]->(m) WHERE {x} IS NOT NULL RETURN n.name AS x",
    "MATCH p = (n:Port)-[r]->(m) WITH {x} AS y RETURN y AS x",
    "MATCH p = (n:Port)-[r]->(m) WITH n WHERE size({x}) > 1 RETURN n.name AS x",
    "MATCH p = (n:Port)-[r]->(m) UNWIND {x} AS y RETURN y AS x",
    "MATCH p = (n:Port)-[r]->(m) RETURN count({x}) AS x",
    "MATCH p = (n:Port)-[r]->(m) RETURN collect(DISTINCT {x}) AS x",
    "MATCH p = (n:Port)-[r]->(m) RETURN CASE WHEN {x} = 1 THEN 2 END AS x",
    "MATCH p = (n:Port)-[r]->(m) RETURN CASE n.name WHEN 'a' THEN {x} END AS x",
    "MATCH p = (n:Port)-[r]->(m) RETURN CASE {x} WHEN 1 THEN 2 END AS x",
    "MATCH p = (n:Port)-[r]->(m) RETURN [y IN [1] | {x}] AS x",
    "MATCH p = (n:Port)-[r]->(m) RETURN [y IN {x} | y] AS x",
    "MATCH p = (n:Port)-[r]->(m) RETURN [y IN [1] WHERE {x} = y] AS x",
    "MATCH p = (n:Port)-[r]->(m) RETURN any(y IN {x} WHERE y > 1) AS x",
    "MATCH p = (n:Port)-[r]->(m) RETURN reduce(s = 0, y IN {x} | s + y) AS x",
    "MATCH p = (n:Port)-[r]->(m) RETURN reduce(s = {x}, y IN [1] | s) AS x",
    "MATCH p = (n:Port)-[r]->(m) RETURN [(n)--(k) | {x}] AS x",
    "MATCH p = (n:Port)-[r]->(m) RETURN [(n)--(k) WHERE {x} = 1 | k.name] AS x",
    "MATCH p = (n:Port)-[r]->(m) RETURN EXISTS {{ (n)--(k) WHERE {x} = 1 }} AS x",
    "MATCH p = (n:Port)-[r]->(m) RETURN COUNT {{ MATCH (n)--(k) WHERE {x} = k.name }} AS x",
    "MATCH p = (n:Port)-[r]->(m) RETURN COLLECT {{ MATCH (n)--(k) RETURN {x} AS y }} AS x",
    "MATCH p = (n:Port)-[r]->(m) CALL (n, r, p) {{ RETURN {x} AS y }} RETURN y AS x",
    "MATCH p = (n:Port)-[r]->(m) CALL {{ WITH n, r, p RETURN {x} AS y }} RETURN y AS x",
    "MATCH p = (n:Port)-[r]->(m) RETURN {{a: {x}}} AS x",
    "MATCH p = (n:Port)-[r]->(m) RETURN m {{.name, a: {x}}} AS x",
    "MATCH p = (n:Port)-[r]->(m) RETURN coalesce({x}, 1) AS x",
    "MATCH p = (n:Port)-[r]->(m) RETURN toString({x}[0]) AS x",
    "MATCH p = (n:Port)-[r]->(m) RETURN {x}[0..2] AS x",
    "MATCH p = (n:Port)-[r]->(m) RETURN 'a' IN {x} AS x",
    "MATCH p = (n:Port)-[r]->(m) MATCH (k:Ship {{name: {x}}}) RETURN k.name AS x",
    "MATCH p = (n:Port)-[r]->(m) MATCH (k:Ship WHERE k.name = {x}) RETURN k.name AS x",
    "MATCH p = (n:Port)-[r]->(m) MATCH (k:Ship)-[q:MOORED_AT {{hours: {x}}}]->(l) RETURN k.name AS x",
    "MATCH p = (n:Port)-[r]->(m) RETURN vector.similarity.cosine({x}, $numbers) AS x",
    "MATCH p = (n:Port)-[r]->(m) RETURN 1 AS x UNION MATCH p = (n:Port)-[r]->(m) RETURN {x} AS x",
)
WAYS = (
    "n.vector",
    "n.`vector`",
    "n['vector']",
    "n[$key]",
    "n['vec' + 'tor']",
    "m.vector",
    "nodes(p)[0].vector",
    "head(nodes(p)).vector",
    "startNode(r).vector",
    "[n, m][0].vector",
    "coalesce(n, m).vector",
    "{a: n}.a.vector",
    "properties(n).vector",
    "properties(n)['vector']",
    "(CASE WHEN true THEN n END).vector",
)


def gate(text: str) -> GateReport:
    given: dict[str, Parameter] = {**GIVEN, "key": HIDDEN}
    try:
        return report_on(text, harbour_schema(), parameters=given)
    except QueryRefusedError as e:
        return GateReport(findings=e.findings)


def reaches_hidden(report: GateReport) -> bool:
    """Whether what would run reads a hidden property of a node."""
    if report.query is None:
        return False
    text = report.query.text.replace("}.vector", "")  # of a map whose entries are listed
    whole = any(form in text for form in ("properties(n)", ".*", "n[", "nodes(p)[0]["))
    return ".vector" in text.replace("vector.similarity", "") or "`vector`" in text or whole


@pytest.mark.parametrize("way", WAYS)
def test_a_hidden_property_is_reached_from_nowhere(way: str) -> None:
    for place in PLACES:
        report = gate(place.format(x=way))
        assert not reaches_hidden(report), (place, report.query)
        if "properties(n)" not in way:
            assert report.query is None, place


@pytest.mark.parametrize(
    "whole", ["n {.*}", "n {.*, a: 1}", "properties(n)", "m {.*}", "properties(startNode(r))"]
)
def test_maps_of_a_node_leave_it_out_everywhere(whole: str) -> None:
    accepted = 0
    for place in PLACES:
        report = gate(place.format(x=whole))
        assert not reaches_hidden(report), (place, report.query)
        accepted += report.query is not None
    assert accepted > 8


def test_the_names_of_properties_leave_it_out() -> None:
    report = gate("MATCH (n:Port) RETURN keys(n) AS k, [x IN keys(n) WHERE x STARTS WITH 'v'] AS v")
    assert report.query is not None
    assert HIDDEN not in report.query.parameters.values()
    assert report.query.text.count("WHERE __key IN [") == 2


TRICKS = (
    "MATCH (n:Port) RETURN n.\uff56ector AS x",
    "MATCH (n:Port) RETURN n.vect\u043er AS x",
    "MATCH (n:Port) RETURN n.vec\u200btor AS x",
    "MATCH (n:Port) RETURN n.`vec\u200btor` AS x",
    "MATCH (n:Port) RETURN n.vector\u0301 AS x",
    "MATCH (n:Port) RETURN n.\\u0076ector AS x",
    "MATCH (n:Port) RETURN n['\\u0076ector'] AS x",
    "MATCH (n:Port) RETURN n.`\\u0076ector` AS x",
    "MATCH (n:Port)\u202e RETURN n.name AS x",
    "MATCH (n:Port) RETURN n.name AS x //\u2028 DELETE n",
    "MATCH (n:Port) \uff24\uff25\uff2c\uff25\uff34\uff25 n",
    "MATCH (n:Port) D\u0415LETE n",
    "MATCH (n:Port) RETURN n.name AS x\x00",
    "MATCH (n:Port) RETURN 'a\ud800' AS x",
    "\ufeffCREATE (n:Port)",
    "MATCH (n:P\u043ert) DETACH DELETE n RETURN 1 AS x",
    "MATCH (n:`Port`` DETACH DELETE n //`) RETURN 1 AS x",
    "MATCH (n:Port {name: '\\'}) DETACH DELETE n //'}) RETURN 1 AS x",
    "MATCH (n:Port) /* */ /* */ DELETE /**/ n",
)


@pytest.mark.parametrize("text", TRICKS)
def test_tricks_of_characters_end_in_a_reason(text: str) -> None:
    report = gate(text)
    if report.query is None:
        assert report.findings
        return
    assert "DELETE" not in report.query.text.upper()
    assert not reaches_hidden(report)
    assert not {"\u200b", "\u202e", "\x00", "\u2028"} & set(report.query.text)


DEEP = (
    "RETURN " + "[" * 400 + "1" + "]" * 400 + " AS x",
    "RETURN " + "{a: " * 400 + "1" + "}" * 400 + " AS x",
    "RETURN " + "abs(" * 400 + "1" + ")" * 400 + " AS x",
    "RETURN " + "COLLECT { MATCH (n:Port) RETURN " * 90 + "1 AS q" + "}" * 90 + " AS x",
    "MATCH (n:Port) " + "CALL (n) { " * 200 + "RETURN 1 AS x" + " }" * 200 + " RETURN 1 AS x",
    "RETURN " + "[y IN [1] | " * 200 + "1" + "]" * 200 + " AS x",
    "RETURN reduce(s = 0, y IN [1] | " * 1 + "reduce(s = 0, y IN [1] | " * 200 + "1" + ")" * 201 + " AS x",
    "MATCH " + "(" * 300 + "(a)-->(b)" + ")" * 300 + " RETURN a",
    "MATCH (n:" + "(" * 300 + "Port" + ")" * 300 + ") RETURN n",
    "RETURN 1 AS x" + " UNION RETURN 1 AS x" * 5_000,
    "MATCH (a:Port)" + "-->(:Port)" * 5_000 + " RETURN a",
    "RETURN [" + "1," * 1_000_000 + "1] AS x",
    "MATCH (n) RETURN n // " + "\u00e9" * 10_000_000,
    " " * 10_000_000,
)


@pytest.mark.parametrize("text", DEEP, ids=range(len(DEEP)))
def test_large_and_deep_queries_end_in_a_reason(text: str) -> None:
    report = gate(text)
    assert report.query is None
    assert report.findings
    assert all(len(f.message) < 2_000 for f in report.findings)


@given(st.integers(0, 10**9), st.integers(0, 400), st.text(max_size=12))
def test_a_damaged_query_passes_or_is_refused_with_a_place(seed: int, at: int, noise: str) -> None:
    text = GrammarQueries(seed, wrong=0.05).query()
    damaged = text[:at] + noise + text[at + 1 :]
    report = gate(damaged)
    if report.query is None:
        assert report.findings
        assert all(0 <= f.place.start <= len(damaged) for f in report.findings)
