"""What a part of a query says of a variable stays in that part, and hidden properties stay unreachable."""

from __future__ import annotations

import re

import pytest

from benchmarks.random_cypher import small_schema
from cypher.guard import report_on
from schemas.questions import Scope

LIMITED = re.compile(r"(?<![.\w])(?:\(a:Source OR )?a\.status IN \$scope")


@pytest.mark.parametrize(
    "text",
    [
        "MATCH (a) WHERE NOT EXISTS { (a:Source) } RETURN a.id AS id",
        "MATCH (a) WHERE EXISTS { (a:Source) } OR a.x > 1 RETURN a.id AS id",
        "MATCH (a) OPTIONAL MATCH (a:Source)<--(b) RETURN a.id AS id",
        "MATCH (a) OPTIONAL MATCH (a)<--(b) WHERE a:Source RETURN a.id AS id",
        "MATCH (a) RETURN a.id AS id, size([(a:Source)<--(b) | b]) AS n",
        "MATCH (a) RETURN a.id AS id, (a:Source)<--() AS n",
        "MATCH (a) WITH collect(a.id) AS ids, head(collect(a)) AS h WHERE h:Source RETURN ids",
        "MATCH (a) WITH collect(a) AS all UNWIND all AS x MATCH (x:Source) RETURN size(all) AS n",
        "MATCH (a) WHERE NOT EXISTS { MATCH (a:Source) RETURN a UNION MATCH (a) RETURN a } RETURN a.id AS id",
        "MATCH (a) CALL (a) { OPTIONAL MATCH (a:Source)<--(b) RETURN count(b) AS n } RETURN a.id AS id, n",
    ],
)
def test_a_condition_frees_no_variable_of_its_scope(text: str) -> None:
    report = report_on(text, small_schema(), scope=Scope.VETTED)
    assert report.query is not None, report.findings
    assert LIMITED.search(report.query.text), report.query.text


def test_a_pattern_in_a_condition_narrows_no_relationship_outside() -> None:
    text = "MATCH (a)<-[r]-(b) WHERE EXISTS { (a)-->() } OR a.x > 1 RETURN a.id AS id"
    report = report_on(text, small_schema(), scope=Scope.VETTED)
    assert report.query is not None
    assert "r:`FROM` OR r.status" in report.query.text


@pytest.mark.parametrize(
    "text",
    [
        "MATCH (n) RETURN n.embedding AS e",
        "MATCH (n) RETURN n['embedding'] AS e",
        "MATCH (n) RETURN n[$key] AS e",
        "MATCH (n) RETURN n {.embedding} AS e",
        "MATCH (n {embedding: $key}) RETURN n.id AS e",
        "MATCH (n) RETURN coalesce($nothing, n).embedding AS e",
        "MATCH (n) RETURN coalesce({}, n).embedding AS e",
        "MATCH (n) RETURN reduce(x = {}, y IN [n, n] | coalesce(x.embedding, y)) AS e",
        "CALL { RETURN {id: 1} AS x UNION MATCH (n) RETURN n AS x } RETURN x.embedding AS e",
        "MATCH (n) UNWIND [{id: 1}, n] AS x RETURN x.embedding AS e",
        "MATCH (n) RETURN {a: n}.a.embedding AS e",
        "MATCH p = (n)-->() RETURN nodes(p)[0].embedding AS e",
        "MATCH (n) RETURN [x IN [n] | x.embedding] AS e",
        "MATCH (n) ORDER BY n.embedding RETURN n.id AS e",
        "MATCH (n) RETURN CASE WHEN true THEN n END.embedding AS e",
    ],
)
def test_no_way_leads_to_a_hidden_property(text: str) -> None:
    report = report_on(text, small_schema(), parameters={"key": "embedding", "nothing": None})
    assert report.query is None, report.query


@pytest.mark.parametrize(
    "value",
    [
        "properties(n)",
        "n {.*}",
        "properties(coalesce($nothing, n))",
        "keys(n)",
        "properties({a: n}.a)",
        "properties([{id: 1}, n][1])",
    ],
)
def test_maps_of_a_node_hold_known_properties_only(value: str) -> None:
    report = report_on(f"MATCH (n) RETURN {value} AS e", small_schema(), parameters={"nothing": None})
    assert report.query is not None, report.findings
    shown = report.query.text
    assert "properties(" not in shown
    assert ".*" not in shown
    assert "keys(" not in shown or "IN [$p" in shown
