"""What a part of a query says of a variable stays in that part, and hidden properties stay unreachable."""

from __future__ import annotations

import re

import pytest

from benchmarks.random_cypher import small_schema
from cypher.guard import report_on
from schemas.errors import QueryRefusedError
from schemas.questions import Scope
from schemas.store_schema import StoreLabel, StoreProperty, StoreRelation, StoreSchema, StoreTriple

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


HIDDEN = small_schema().model_copy(update={"hidden_labels": ("Secret",)})


@pytest.mark.parametrize(
    "text",
    [
        "MATCH (n) RETURN labels(n) AS l",
        "MATCH (n:!A) RETURN labels(n) AS l",
        "MATCH () RETURN count(*) AS c",
        "OPTIONAL MATCH (n) WHERE n.x > 1 RETURN n.id AS id",
        "MATCH p = (n)-[*0..2]-(m) RETURN labels(n) AS l",
        "MATCH (n) ((a)-->(b)){0,2} (m) RETURN labels(n) AS l",
        "RETURN COUNT { (n) } AS c",
        "CALL () { MATCH (n) RETURN labels(n) AS l } RETURN l",
        "MATCH (a:A) RETURN [(n)-[*0..1]-(a) | labels(n)] AS l",
    ],
)
def test_no_pattern_reaches_a_hidden_label(text: str) -> None:
    report = report_on(text, HIDDEN)
    assert report.query is not None, report.findings
    assert re.search(r"\w+:!Secret\b", report.query.text), report.query.text


@pytest.mark.parametrize(
    "text",
    [
        "MATCH (n:A) RETURN labels(n) AS l",
        "MATCH (n)-[r]->(m) RETURN labels(n) AS l",
        "MATCH (n:A|B) RETURN n.id AS id",
    ],
)
def test_patterns_that_reach_no_hidden_label_stay(text: str) -> None:
    report = report_on(text, HIDDEN)
    assert report.query is not None, report.findings
    assert "Secret" not in report.query.text


def test_a_hidden_label_cannot_be_named() -> None:
    assert report_on("MATCH (n:Secret) RETURN n.id AS id", HIDDEN).query is None


def test_a_scope_needs_a_status() -> None:
    schema = small_schema().model_copy(update={"scope_property": ""})
    with pytest.raises(QueryRefusedError, match="no status"):
        report_on("MATCH (n:A) RETURN n.id AS id", schema, scope=Scope.PUBLISHED)


PARTLY = StoreSchema(
    labels=(
        StoreLabel(name="Cook", properties=(StoreProperty(name="name"), StoreProperty(name="wage"))),
        StoreLabel(name="Robot", properties=(StoreProperty(name="name"),), hidden=("wage",)),
    ),
    relations=(
        StoreRelation(type="HELPS", properties=(StoreProperty(name="note"),)),
        StoreRelation(type="KNOWS", hidden=("note",)),
    ),
    triples=(
        StoreTriple(start="Cook", type="HELPS", end="Cook"),
        StoreTriple(start="Cook", type="KNOWS", end="Robot"),
    ),
)
"""A schema in which one name is shown on one label or type and hidden on another."""


@pytest.mark.parametrize(
    "text",
    [
        "MATCH (n) RETURN n.wage AS w",
        "MATCH (n:Cook|Robot) WHERE n.wage > 1 RETURN n.name AS w",
        "MATCH (c:Cook)-[r]->() RETURN r.note AS w",
        "MATCH (n) UNWIND [n] AS x RETURN x.wage AS w",
        "MATCH (n) RETURN n {.wage} AS w",
    ],
)
def test_what_is_hidden_on_one_label_is_not_told_by_anothers(text: str) -> None:
    report = report_on(text, PARTLY)
    assert report.query is None, report.query
    assert [f.code for f in report.findings] == ["SCH3"]
    assert re.search(r"may be of (Robot|KNOWS).* say that \w+ is of (Cook|HELPS)", report.findings[0].message)


def test_a_label_that_shows_a_property_may_be_asked_for_it() -> None:
    assert report_on("MATCH (n:Cook) RETURN n.wage AS w, properties(n) AS p", PARTLY).query is not None
    assert report_on("MATCH ()-[r:HELPS]->() RETURN r.note AS w", PARTLY).query is not None
    every = report_on("MATCH (n) RETURN properties(n) AS p", PARTLY).query
    assert every is not None
    assert "wage" not in every.text
