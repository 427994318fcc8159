"""Nothing outside of a scope is told or counted, and what the gate adds takes no name of the query."""

from __future__ import annotations

import re

import pytest

from benchmarks.random_cypher import small_schema
from cypher.gate.hiding import revealed
from cypher.guard import report_on
from schemas.questions import CheckedQuery, Scope
from schemas.store_schema import StoreSchema

INDEXED = small_schema().model_copy(update={"fulltext_indexes": ("words",)})
FULLTEXT = "CALL db.index.fulltext.query{}('words', 'x')"


def checked(text: str, schema: StoreSchema = INDEXED, scope: Scope = Scope.PUBLISHED) -> CheckedQuery:
    report = report_on(text, schema, scope=scope)
    assert report.query is not None, report.findings
    return report.query


@pytest.mark.parametrize(
    ("text", "yielded"),
    [
        (f"{FULLTEXT.format('Nodes')} YIELD score RETURN count(*) AS c, max(score) AS m", "node AS __v1"),
        (f"{FULLTEXT.format('Nodes')} YIELD score WHERE score > 1 RETURN score", "node AS __v1"),
        (f"{FULLTEXT.format('Nodes')} YIELD score AS __v1 RETURN __v1", "node AS __v2"),
        (f"{FULLTEXT.format('Relationships')} YIELD score RETURN count(*) AS c", "relationship AS __v1"),
        (f"RETURN COUNT {{ {FULLTEXT.format('Nodes')} YIELD score RETURN score }} AS c", "node AS __v1"),
    ],
)
def test_a_search_that_yields_its_scores_alone_is_limited(text: str, yielded: str) -> None:
    query = checked(text)
    name = yielded.rsplit(maxsplit=1)[-1]
    assert re.search(rf"YIELD score( AS __v1)?, {yielded} WHERE .*\b{name}\.status IN \$scope", query.text)
    assert query.parameters["scope"] == ("published",)


def test_a_search_that_yields_its_nodes_takes_no_further_name() -> None:
    query = checked(f"{FULLTEXT.format('Nodes')} YIELD node AS x, score RETURN x.id AS id, score")
    assert "YIELD node AS x, score WHERE x:Source OR x.status IN $scope" in query.text


@pytest.mark.parametrize(
    "text",
    [
        "MATCH (a:A) WITH a, 1 AS __v1 MATCH (:B) RETURN a.id AS id",
        "MATCH (a:A) CALL (a) { MATCH (:B) RETURN 1 AS __v1 } RETURN a.id AS id, __v1",
        f"MATCH (a:A) {FULLTEXT.format('Nodes')} YIELD node AS __v1 MATCH (:B) RETURN a.id AS id",
        "MATCH (a:A) RETURN a.id AS id, reduce(__v1 = 0, x IN [1] | __v1 + COUNT { (:B) }) AS n",
    ],
)
def test_a_name_of_the_query_is_not_taken_again(text: str) -> None:
    assert "(__v2:B)" in checked(text).text


def test_a_condition_on_hidden_labels_takes_no_name_of_the_query() -> None:
    hiding = INDEXED.model_copy(update={"hidden_labels": ("Secret",)})
    text = "MATCH (a:A) WITH a, 1 AS __h1 MATCH () RETURN a.id AS id"
    assert "(__h2) WHERE __h2:!Secret" in checked(text, hiding, Scope.ALL).text


HIDING = small_schema().model_copy(update={"hidden_labels": ("Secret", "Vault")})


@pytest.mark.parametrize(
    "text",
    [
        "MATCH (n:!(A|B)) RETURN labels(n) AS l, n.id AS id",
        "MATCH (n) WHERE n:!(A|B) RETURN labels(n) AS l, n.id AS id",
        "MATCH (n) RETURN labels(n) AS l, n.id AS id",
        "MATCH p = (n:!(A|B))-[*0..1]-() RETURN labels(n) AS l, n.id AS id",
        "MATCH p = ANY SHORTEST (n:!(A|B))-[*0..1]-() RETURN labels(n) AS l, n.id AS id",
    ],
)
@pytest.mark.parametrize("scope", list(Scope))
def test_no_scope_reaches_a_hidden_label(text: str, scope: Scope) -> None:
    assert "n:!(Secret|Vault)" in checked(text, HIDING, scope).text


def test_a_count_in_a_scope_counts_no_hidden_label() -> None:
    text = checked("RETURN COUNT { (:!(A|B)) } AS c", HIDING).text
    assert "(__v1:!(A|B)) WHERE (__v1:Source OR __v1.status IN $scope) AND __v1:!(Secret|Vault)" in text


def test_what_only_refuses_labels_is_limited_to_those_without_a_status() -> None:
    """A node of a label that the schema does not know, or of none, fulfils the pattern too."""
    assert "n:Source OR n.status IN $scope" in checked("MATCH (n:!(A|B)) RETURN n.id AS id").text
    assert "r:`FROM` OR r.status IN $scope" in checked("MATCH (a:A)-[r:!(R|S)]->() RETURN a.id AS id").text
    assert "scope" not in checked("MATCH (n:Source) RETURN n.id AS id").text


def test_a_scoped_query_passes_again_once_its_hiding_is_taken_out() -> None:
    first = checked("MATCH (n)-[:R*0..1]-(m) RETURN n.id AS id", HIDING)
    text = revealed(first.text, HIDING.hidden_labels)
    assert "Secret" not in text
    again = report_on(text, HIDING, scope=Scope.PUBLISHED, parameters=first.parameters).query
    assert again is not None
    assert again.text.count("n:!(Secret|Vault)") == 1
