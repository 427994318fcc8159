"""The gate: what it lets through, what it refuses, and who may make a checked query."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cypher.guard import FUNCTIONS, KEYWORDS, check
from cypher.identifiers import Identifiers, quote
from cypher.service import QuestionService
from schemas.errors import QueryRefusedError
from schemas.graph_schema import GraphSchema
from schemas.questions import CheckedQuery, Question

ROOT = Path(__file__).resolve().parents[2]
GOOD = "MATCH (n0:`Entity`:`Paper`) WHERE n0.`status` IN $scope RETURN n0.`name` AS `paper` LIMIT 5"
SCOPE = {"scope": ("draft",)}


def checked(
    text: str, schema: GraphSchema, parameters: dict[str, Any] | None = None, **changes: Any
) -> CheckedQuery:
    options = {"columns": ("paper",), "row_cap": 5, "timeout": 1.0} | changes
    return check(text, SCOPE if parameters is None else parameters, names=Identifiers.of(schema), **options)


def test_a_scoped_read_passes(particle_schema: GraphSchema) -> None:
    assert checked(GOOD, particle_schema).text == GOOD


@pytest.mark.parametrize(
    "text",
    [
        GOOD.replace("MATCH", "CREATE", 1),
        GOOD.replace(" RETURN", " DETACH DELETE n0 RETURN"),
        GOOD.replace(" RETURN", " SET n0.`name` = $scope RETURN"),
        GOOD.replace(" RETURN", " CALL db.labels() RETURN"),
        GOOD.replace("`Paper`", "`Workspace`"),
        GOOD.replace("`name`", "`embedding`"),
        GOOD.replace("n0.`name`", "'text'"),
        GOOD.replace("n0.`name`", "7"),
        GOOD.replace("WHERE n0.`status` IN $scope ", ""),
        GOOD.replace("LIMIT 5", "LIMIT 50"),
        GOOD.replace(" LIMIT 5", ""),
        GOOD + "; MATCH (n1) RETURN n1 LIMIT 5",
        GOOD + " // comment",
        GOOD.replace("MATCH", "EXPLAIN MATCH", 1),
        GOOD.replace("MATCH", "CYPHER runtime=parallel MATCH", 1),
        GOOD.replace("MATCH", "M\u0410TCH", 1),
        GOOD.replace(" RETURN", " \\u0044ELETE n0 RETURN"),
        GOOD.replace("`Paper`", "`Paper`` DETACH`"),
        GOOD.replace(" RETURN", " UNION RETURN"),
        GOOD.replace("RETURN", "WITH n0 RETURN n0 RETURN"),
        GOOD + " " * 9_000,
    ],
)
def test_everything_else_is_refused(particle_schema: GraphSchema, text: str) -> None:
    assert text != GOOD
    with pytest.raises(QueryRefusedError):
        checked(text, particle_schema)


@pytest.mark.parametrize(
    ("parameters", "changes"),
    [
        ({}, {}),
        (SCOPE | {"p1": 1}, {}),
        ({"scope": ("x",) * 500}, {}),
        ({"scope": "x" * 5_000}, {}),
        (SCOPE, {"columns": ("embedding",)}),
        (SCOPE, {"timeout": 0.0}),
        (SCOPE, {"timeout": 1e6}),
    ],
)
def test_parameters_columns_and_time_are_bounded(
    particle_schema: GraphSchema, parameters: dict[str, Any], changes: dict[str, Any]
) -> None:
    with pytest.raises(QueryRefusedError):
        checked(GOOD, particle_schema, parameters, **changes)


@pytest.mark.parametrize("name", ["Paper`", "Nobody", "", "Paper) DETACH DELETE (n"])
def test_only_schema_names_are_quoted(name: str) -> None:
    with pytest.raises(QueryRefusedError):
        quote(name, frozenset({"Paper"}))


def test_no_write_word_is_allowed() -> None:
    writes = {
        "CREATE",
        "MERGE",
        "SET",
        "REMOVE",
        "DELETE",
        "DETACH",
        "FOREACH",
        "LOAD",
        "CALL",
        "INSERT",
        "USE",
        "DROP",
    }
    assert not writes & {w.upper() for w in KEYWORDS | FUNCTIONS}


def test_only_the_guard_makes_checked_queries() -> None:
    makers = set()
    for package in ("api", "kg", "extraction", "canonicalize", "cypher", "schemas"):
        for path in (ROOT / package).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                if isinstance(node, ast.Call) and "CheckedQuery" in ast.unparse(node.func):
                    makers.add(path.relative_to(ROOT).as_posix())
    assert makers == {"cypher/guard.py"}


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
        again = check(
            query.text,
            query.parameters,
            columns=query.columns,
            row_cap=query.row_cap,
            timeout=query.timeout,
            names=Identifiers.of(particle_schema),
        )
        assert again.text == query.text
