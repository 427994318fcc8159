"""The gate: what it lets through, what it refuses, and who may make a checked query."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cypher.guard import check_plan, check_text, report_on
from cypher.identifiers import quote
from cypher.own_store import fact_store
from cypher.service import QuestionService
from schemas.errors import QueryRefusedError
from schemas.graph_schema import GraphSchema
from schemas.questions import CheckedQuery, PlanSummary, Question, Scope

ROOT = Path(__file__).resolve().parents[2]
GOOD = "MATCH (n0:Entity&Paper) WHERE n0.status IN $scope RETURN n0.name AS paper LIMIT 5"
SCOPE = {"scope": ("draft", "vetted", "published")}


def checked(
    text: str, schema: GraphSchema, parameters: dict[str, Any] | None = None, **changes: Any
) -> CheckedQuery:
    options = {"row_cap": 5, "timeout": 1.0} | changes
    given = SCOPE if parameters is None else parameters
    return check_text(text, fact_store(schema), parameters=given, **options)


def test_a_scoped_read_passes(particle_schema: GraphSchema) -> None:
    query = checked(GOOD, particle_schema)
    assert (query.text, query.columns) == (GOOD, ("paper",))


@pytest.mark.parametrize(
    "text",
    [
        GOOD.replace("MATCH", "CREATE", 1),
        GOOD.replace(" RETURN", " DETACH DELETE n0 RETURN"),
        GOOD.replace(" RETURN", " SET n0.name = $scope RETURN"),
        GOOD.replace(" RETURN", " CALL db.labels() YIELD label RETURN"),
        GOOD.replace("Paper", "Workspace"),
        GOOD.replace("n0.name", "n0.embedding"),
        GOOD.replace("n0.name", "n0['embedding']"),
        GOOD.replace("n0.name", "n0['embed' + 'ding']"),
        GOOD.replace("n0.name", "[x IN [n0] | x.embedding]"),
        GOOD.replace("n0.name", "n0 {.embedding}"),
        GOOD + "; MATCH (n1) RETURN n1 LIMIT 5",
        GOOD.replace("MATCH", "EXPLAIN MATCH", 1),
        GOOD.replace("MATCH", "CYPHER runtime=parallel MATCH", 1),
        GOOD.replace("MATCH", "M\u0410TCH", 1),
        GOOD.replace(" RETURN", " \\u0044ELETE n0 RETURN"),
        GOOD.replace("Paper", "`Paper`` DETACH`"),
        GOOD.replace(" RETURN", " UNION RETURN"),
        GOOD.replace("RETURN", "WITH n0 RETURN n0 RETURN"),
        GOOD + " " * 9_000,
        "MATCH (a), (b), (c) RETURN count(*) AS n",
        "MATCH p = (a)-[*]-(b) RETURN p",
        "MATCH (a:Paper)-[:DETERMINES*1..99]->(b) RETURN b",
        "RETURN apoc.version() AS v",
    ],
)
def test_everything_else_is_refused(particle_schema: GraphSchema, text: str) -> None:
    assert text != GOOD
    with pytest.raises(QueryRefusedError) as caught:
        checked(text, particle_schema)
    assert caught.value.findings


def test_literals_become_parameters_and_rows_are_bounded(particle_schema: GraphSchema) -> None:
    text = "MATCH (p:Paper) WHERE p.name CONTAINS 'DELETE' AND p.name <> 'x' RETURN p.name, 7 AS n LIMIT 500"
    query = checked(text, particle_schema, {}, row_cap=26)
    assert query.text == (
        "MATCH (p:Paper) WHERE p.name CONTAINS $p0 AND p.name <> $p1 "
        "RETURN p.name AS `p.name`, $p2 AS n LIMIT 26"
    )
    assert query.parameters == {"p0": "DELETE", "p1": "x", "p2": 7}
    assert query.columns == ("p.name", "n")


def test_hidden_properties_do_not_exist(particle_schema: GraphSchema) -> None:
    query = checked("MATCH (p:Paper) RETURN properties(p) AS all, p {.*} AS map", particle_schema, {})
    assert "embedding" not in query.text
    assert ".name" in query.text
    assert ".*" not in query.text


@pytest.mark.parametrize("scope", [Scope.VETTED, Scope.PUBLISHED])
@pytest.mark.parametrize(
    ("text", "times"),
    [
        ("MATCH (p:Paper) RETURN p.name", 1),
        ("MATCH (p:Paper)-->() RETURN p.name", 3),
        ("MATCH (p:Paper) WHERE (p)-->() RETURN p.name", 4),
        ("MATCH (p:Paper) WHERE NOT EXISTS { (p)-->() } RETURN p.name", 4),
        ("MATCH (p:Paper) RETURN COUNT { (p)-->() } AS n, [(p)-->(q) | q.name] AS l", 7),
        ("MATCH (p:Paper)-[*1..3]->(q) RETURN q.name", 2),
        ("MATCH (p:Paper) ((a)-[r]->(b)){1,2} (q) RETURN q.name", 2),
        ("MATCH (p:Paper) OPTIONAL MATCH (p)-->(q) RETURN q.name", 4),
        ("MATCH (p:Paper) CALL (p) { MATCH (p)-->(q) RETURN q } RETURN q.name", 4),
        ("CALL db.index.fulltext.queryNodes('x', 'y') YIELD node RETURN node.name AS n", 1),
        ("CALL db.index.fulltext.queryRelationships('x', 'y')", 3),
    ],
)
def test_every_pattern_is_limited_to_the_scope(
    particle_schema: GraphSchema, text: str, times: int, scope: Scope
) -> None:
    query = checked(text, particle_schema, {}, scope=scope)
    assert query.text.count("status IN $scope") == times
    assert query.parameters["scope"] == tuple(
        s for s in ("vetted", "published") if scope is Scope.VETTED or s == "published"
    )


def test_a_query_cannot_choose_its_own_scope(particle_schema: GraphSchema) -> None:
    with pytest.raises(QueryRefusedError, match="scope"):
        checked(GOOD, particle_schema, SCOPE, scope=Scope.PUBLISHED)


@pytest.mark.parametrize(
    ("text", "expected", "code"),
    [
        ("MATCH (p:Papers) RETURN p.name AS n", "(p:Paper)", "SCH1"),
        ("MATCH (p:Paper)-[:DETERMINE]->(o) RETURN o.name AS n", "[:DETERMINES]", "SCH2"),
        ("MATCH (p:Paper) RETURN p.nmae AS n", "p.name", "SCH3"),
        ("MATCH (p:Paper)<-[:DETERMINES]-(o:Observable) RETURN o.name AS n", "-[:DETERMINES]->", "SCH4"),
        ("MATCH (p:Paper) WHERE size((p)-->()) > 1 RETURN p.name AS n", "COUNT { MATCH (p)-->() }", "SEM2"),
        ("MATCH (p:Paper)-[:DETERMINES*]->(o) RETURN o.name AS n", "*1..6", "COST"),
    ],
)
def test_the_only_repair_is_made_and_told(
    particle_schema: GraphSchema, text: str, expected: str, code: str
) -> None:
    report = report_on(text, fact_store(particle_schema))
    assert report.query is not None
    assert expected in report.query.text
    assert [r.code for r in report.repairs] == [code]


@pytest.mark.parametrize(
    ("text", "code", "words"),
    [
        ("MATCH (p:Paper) RETURN q.name AS n", "SEM1", "not defined here; known here: p"),
        ("MATCH (p:Paper) WITH p.name AS x RETURN p.name AS n", "SEM1", "lost at WITH"),
        ("MATCH (p:Paper) WITH p.name RETURN 1 AS n", "SEM2", "needs a name after WITH"),
        ("MATCH (p:Paper) RETURN p.year + count(*) AS n", "SEM2", "beside an aggregate"),
        ("MATCH (p:Paper) WHERE (p)-->(q) RETURN p", "SEM1", "brings no new ones"),
        ("MATCH (p:Paper) RETURN p.xyzzy AS n", "SCH3", "p (Paper) has no property xyzzy"),
        ("MATCH (x)-[:AFFECTS]->(u)-[:AFFECTS]->(o) RETURN o.name AS n", "SCH4", "there is (:"),
        ("MATCH (p:Paper) RETURN p.name AS n LIMIT $l", "SEM1", "$l has no value"),
        ("MATCH (p:Paper) RETURN toInt(p.name) AS n", "SEC1", "toInteger"),
    ],
)
def test_findings_say_what_the_graph_has(
    particle_schema: GraphSchema, text: str, code: str, words: str
) -> None:
    report = report_on(text, fact_store(particle_schema))
    assert report.query is None
    assert code in [f.code for f in report.findings]
    assert any(words in f.message for f in report.findings), report.findings


def test_the_plan_must_be_a_known_read() -> None:
    good = PlanSummary(query_type="r", operators=("ProduceResults", "NodeByLabelScan"))
    check_plan(good)
    for change in (
        {"query_type": "rw"},
        {"operators": ("ProduceResults", "LoadCSV")},
        {"procedures": ("apoc.load.json",)},
        {"estimated_rows": 1e15},
        {"estimated_rows": 1.0, "most_rows": 2e10},
    ):
        with pytest.raises(QueryRefusedError):
            check_plan(good.model_copy(update=change))
    check_plan(good.model_copy(update={"procedures": ("db.index.vector.queryNodes",)}))


@pytest.mark.parametrize(
    ("operators", "query_type"), [(("SubqueryForeach", "Create"), "r"), (("SubqueryForeach",), "rw")]
)
def test_a_subquery_for_its_effects_may_only_read(operators: tuple[str, ...], query_type: str) -> None:
    check_plan(PlanSummary(query_type="r", operators=("SubqueryForeach", "NodeByLabelScan")))
    with pytest.raises(QueryRefusedError, match="as a plain read"):
        check_plan(PlanSummary(query_type=query_type, operators=operators))


@pytest.mark.parametrize(
    ("parameters", "changes"),
    [
        ({"scope": ("x",) * 9_000}, {}),
        ({"scope": "x" * 5_000}, {}),
        (SCOPE, {"timeout": 0.0}),
        (SCOPE, {"timeout": 1e6}),
        (SCOPE, {"row_cap": 0}),
        (SCOPE, {"row_cap": 10_000}),
    ],
)
def test_parameters_rows_and_time_are_bounded(
    particle_schema: GraphSchema, parameters: dict[str, Any], changes: dict[str, Any]
) -> None:
    with pytest.raises(QueryRefusedError):
        checked(GOOD, particle_schema, parameters, **changes)


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (2**63, "64 bits"),
        (-(2**63) - 1, "64 bits"),
        ((1, 99999999999999999999999), "64 bits"),
        (float("nan"), "NaN"),
        ("a\ud800b", "whole characters"),
        (("a", "\udfff"), "whole characters"),
        (float("inf"), "NaN"),
        ((0.5, float("-inf")), "NaN"),
    ],
)
def test_numbers_that_the_server_cannot_hold_are_refused(
    particle_schema: GraphSchema, value: Any, said: str
) -> None:
    with pytest.raises(QueryRefusedError, match=said):
        checked("UNWIND $y AS x RETURN x", particle_schema, {"y": value})


def test_numbers_that_the_server_can_hold_pass(particle_schema: GraphSchema) -> None:
    given = {"y": (2**63 - 1, -(2**63), 1e308)}
    assert checked("UNWIND $y AS x RETURN x", particle_schema, given).parameters["y"] == given["y"]


@pytest.mark.parametrize(
    "query",
    [
        "RETURN -(-9223372036854775808) AS x",
        "RETURN 1.0/-(-9223372036854775808) AS x",
        "UNWIND [-(-0x8000000000000000)] AS x RETURN x",
        "RETURN -(+(-9223372036854775808)) AS x",
        "RETURN -(-(-9223372036854775808)) AS x",
        "RETURN {a: -$smallest} AS x",
        "MATCH (p:Paper) WHERE p.year < -(-9223372036854775808) RETURN p.name AS x",
    ],
)
def test_signs_make_no_number_that_the_server_cannot_hold(particle_schema: GraphSchema, query: str) -> None:
    report = report_on(query, fact_store(particle_schema), parameters={"smallest": -(2**63)})
    assert report.query is None
    [found] = report.findings
    assert found.message == "expected a whole number of at most 64 bits, found 9223372036854775808"
    assert query[found.place.start] == "-"


@pytest.mark.parametrize(
    ("said", "number"),
    [("-(-5)", 5), ("-(-9223372036854775807)", 2**63 - 1), ("-9223372036854775808", -(2**63))],
)
def test_signs_before_numbers_that_the_server_holds_are_part_of_them(
    particle_schema: GraphSchema, said: str, number: int
) -> None:
    assert checked(f"RETURN {said} AS x", particle_schema, {}).parameters == {"p0": number}


@pytest.mark.parametrize(
    "number", ["99999999999999999999999", "9" * 5_000, "-" + "9" * 5_000, "[1, {a: 1e999}]"]
)
def test_large_numbers_in_the_text_are_refused_with_their_place(
    particle_schema: GraphSchema, number: str
) -> None:
    report = report_on(f"RETURN {number} AS x", fact_store(particle_schema))
    assert report.query is None
    assert [f.code for f in report.findings] == ["SYN1"]


@pytest.mark.parametrize("name", ["Paper`", "Nobody", "", "Paper) DETACH DELETE (n"])
def test_only_schema_names_are_quoted(name: str) -> None:
    with pytest.raises(QueryRefusedError):
        quote(name, frozenset({"Paper"}))


PHRASES = (
    "which|papers|determine|phi_s|Delta m_s|decays|most|how many|by year|of|LHCb|2022|`|'|}|)|//|doi|title"
)
WORDS = st.sampled_from([*PHRASES.split("|"), "values", "latest", "x" * 30, "$p0", "K+", "or", '"'])


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.one_of(st.lists(WORDS, max_size=9).map(" ".join), st.text(max_size=80)),
    st.text(min_size=3, max_size=12),
)
def test_no_text_of_the_asker_enters_a_query(
    dry_service: QuestionService, recording: Any, particle_schema: GraphSchema, text: str, secret: str
) -> None:
    recording.queries.clear()
    dry_service.ask(Question(text=f"{text} doi {secret}"))
    dry_service.ask(Question(text=text))
    for query in recording.queries:
        again = check_text(
            query.text,
            fact_store(particle_schema),
            parameters=query.parameters,
            row_cap=query.row_cap,
            timeout=query.timeout,
        )
        assert again.text == query.text
