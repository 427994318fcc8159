"""Figures over counts, periods of days, places behind the first, and other everyday requests."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from cypher.guard import check_text
from cypher.semantics.explain import explain
from cypher.semantics.reader import SemanticReader
from cypher.semantics.rephrased import rephrased
from cypher.semantics.values import ValueTable
from cypher.semantics.wrapped import unwrapped
from cypher.store_ties import left_out, widened
from tests.cypher.small_schemas import READERS_AND_ORDERS, invented_graph

SCHEMA, STORED = invented_graph(READERS_AND_ORDERS)
READER = SemanticReader(SCHEMA, ValueTable(STORED))

READINGS: dict[str, str] = {
    "What is the average number of items per kind?": (
        "MATCH (n0:Item)-[:OF_KIND]->(n1:Kind) WITH n1 AS key0, count(DISTINCT n0) AS counted "
        "RETURN avg(counted) AS avg_count"
    ),
    "On average, how many orders does a client have?": (
        "MATCH (n1:Client)-[:PLACED]->(n0:Order) WITH n1 AS key0, count(DISTINCT n0) AS counted "
        "RETURN avg(counted) AS avg_count"
    ),
    "How many items does an order contain on average?": (
        "MATCH (n1:Order)-[:CONTAINS]->(n0:Item) WITH n1 AS key0, count(DISTINCT n0) AS counted "
        "RETURN avg(counted) AS avg_count"
    ),
    "What is the average number of items that a reader has written?": (
        "MATCH (n1:Reader)-[:WROTE]->(n0:Item) WITH n1 AS key0, count(DISTINCT n0) AS counted "
        "RETURN avg(counted) AS avg_count"
    ),
    "What is the maximum number of orders per client?": (
        "MATCH (n1:Client)-[:PLACED]->(n0:Order) WITH n1 AS key0, count(DISTINCT n0) AS counted "
        "RETURN max(counted) AS max_count"
    ),
    "How many items are there in each decade?": (
        "MATCH (n0:Item) RETURN toInteger(n0.year) / 10 * 10 AS decade, count(DISTINCT n0) AS count"
    ),
    "Which decade has the most items?": (
        "MATCH (n0:Item) WHERE toInteger(n0.year) / 10 * 10 IS NOT NULL RETURN toInteger(n0.year) "
        "/ 10 * 10 AS decade, count(DISTINCT n0) AS count ORDER BY count DESC LIMIT 1"
    ),
    "How many orders were placed per month?": (
        "MATCH (n0:Order) RETURN left(n0.placedOn, 7) AS month, count(DISTINCT n0) AS count"
    ),
    "How many orders were shipped per year?": (
        "MATCH (n0:Order) RETURN toInteger(left(n0.shippedOn, 4)) AS year, count(DISTINCT n0) AS count"
    ),
    "Which item has the second highest price?": (
        "MATCH (n0:Item) WITH DISTINCT n0.price AS best WHERE best IS NOT NULL WITH best ORDER BY "
        "best DESC SKIP 1 LIMIT 1 MATCH (n0:Item) WHERE n0.price = best RETURN DISTINCT n0.title "
        "AS title, n0.price AS price"
    ),
    "Which client has the third most orders?": (
        "MATCH (n0:Client)-[:PLACED]->(n1:Order) WITH n0, count(DISTINCT n1) AS counted RETURN "
        "DISTINCT n0.name AS name, counted AS count ORDER BY counted DESC SKIP 2 LIMIT 1"
    ),
    "Number of clients per country, sorted by number in descending order": (
        "MATCH (n0:Client) WHERE n0.country IS NOT NULL RETURN n0.country AS country, "
        "count(DISTINCT n0) AS count ORDER BY count DESC"
    ),
    "Number of items per kind, fewest first": (
        "MATCH (n0:Item)-[:OF_KIND]->(n1:Kind) WITH n1, count(DISTINCT n0) AS count RETURN "
        "n1.label AS label, count ORDER BY count"
    ),
    "How many orders were placed per month, in descending order?": (
        "MATCH (n0:Order) WHERE left(n0.placedOn, 7) IS NOT NULL RETURN left(n0.placedOn, 7) AS month, "
        "count(DISTINCT n0) AS count ORDER BY count DESC"
    ),
    "Which orders were placed on 4 July 1996?": (
        "MATCH (n0:Order) WHERE left(n0.placedOn, 10) = '1996-07-04' RETURN DISTINCT n0 AS node"
    ),
    "Which orders were placed after 4 July 1996?": (
        "MATCH (n0:Order) WHERE left(n0.placedOn, 10) > '1996-07-04' RETURN DISTINCT n0 AS node"
    ),
    "Which orders were placed in 1996?": (
        "MATCH (n0:Order) WHERE (left(n0.placedOn, 10) >= '1996-01-01' AND left(n0.placedOn, 10) "
        "<= '1996-12-31') RETURN DISTINCT n0 AS node"
    ),
    "Which two kinds have the most items?": (
        "MATCH (n1:Item)-[:OF_KIND]->(n0:Kind) WITH n0, count(DISTINCT n1) AS counted RETURN "
        "DISTINCT n0.label AS label, counted AS count ORDER BY counted DESC LIMIT 2"
    ),
    "How many items are of each kind?": (
        "MATCH (n0:Item)-[:OF_KIND]->(n1:Kind) WITH n1, count(DISTINCT n0) AS count RETURN "
        "n1.label AS label, count"
    ),
    "List the first 5 clients in alphabetical order.": (
        "MATCH (n0:Client) WITH DISTINCT n0, n0.name AS sorted WHERE sorted IS NOT NULL RETURN "
        "n0.name AS name ORDER BY sorted LIMIT 5"
    ),
    "List the clients in reverse alphabetical order.": (
        "MATCH (n0:Client) WITH DISTINCT n0, n0.name AS sorted WHERE sorted IS NOT NULL RETURN "
        "n0.name AS name ORDER BY sorted DESC"
    ),
    "Which three countries received the most orders?": (
        "MATCH (n1:Client)-[:PLACED]->(n0:Order) WHERE n1.country IS NOT NULL RETURN n1.country "
        "AS country, count(DISTINCT n0) AS count ORDER BY count DESC LIMIT 3"
    ),
    "Who is both a writer and an editor?": (
        "MATCH (n0:Reader)-[:WROTE]->(n1:Item), (n0)-[:EDITED]->(n2:Item) RETURN DISTINCT n0.name AS name"
    ),
    "What score did Cleo Finn give to Grey Owl?": (
        "MATCH (n1:Reader)-[r0:RATED]->(n0:Item) WHERE n0.title = 'Grey Owl' AND n1.name = 'Cleo "
        "Finn' RETURN DISTINCT n0.title AS title, r0.score AS score"
    ),
    "What is the average discount given on items?": (
        "MATCH (n1:Order)-[r0:CONTAINS]->(n0:Item) RETURN avg(r0.discount) AS avg_discount"
    ),
    "What is the largest quantity of Grey Owl in one order?": (
        "MATCH (n1:Order)-[r0:CONTAINS]->(n0:Item) WHERE n0.title = 'Grey Owl' RETURN "
        "max(r0.quantity) AS max_quantity"
    ),
    "For a report on our clients, I need to see the clients from Ghana.": (
        "MATCH (n0:Client) WHERE n0.country = 'Ghana' RETURN DISTINCT n0.name AS name"
    ),
    "Which clients have no fax recorded?": (
        "MATCH (n0:Client) WHERE n0.fax IS NULL RETURN DISTINCT n0.name AS name"
    ),
}


@pytest.mark.parametrize("question", READINGS)
def test_question_is_read_as_meant(question: str, shown: Callable[[str], str]) -> None:
    assert shown(question) == READINGS[question]


@pytest.mark.parametrize(
    "question",
    [
        "What is the average price of items?",
        "How many orders does Ada Moor have?",
        "Which client has the most orders?",
        "Which items are second?",
        "Items sorted by price in descending order",
    ],
)
def test_a_question_without_a_figure_over_another_is_not_taken_apart(question: str) -> None:
    found = unwrapped(question)
    inner = READER.read(found.text).query if found is not None and found.text != question else None
    assert inner is None or found is None or found.around(inner, lambda _query, _ref: None) is None


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("What is the average number of items per kind?", "Average over the counts: number of item"),
        ("How many items are there in each decade?", "for each of the decade of the item's year"),
        ("How many orders were placed per month?", "the month of the order's placed on"),
        ("Which item has the second highest price?", "number 2 from the top"),
        ("Which client has the third most orders?", "number 3 from the top"),
    ],
)
def test_the_explanation_tells_the_figure(question: str, said: str) -> None:
    query = READER.read(question).query
    assert query is not None
    assert said.lower() in explain(query).lower(), explain(query)


def test_a_place_behind_the_first_is_not_widened_to_those_that_share_the_first() -> None:
    query = READER.read("Which client has the third most orders?").query
    assert query is not None
    assert query.place == 3
    assert widened(query) is None


@pytest.mark.parametrize("question", ["Which item has the tenth highest price?", "the 2nd best of all"])
def test_a_place_that_nothing_is_sorted_for_changes_nothing(question: str) -> None:
    reading = READER.read(question)
    assert reading.query is None or reading.query.place == 1


@pytest.mark.parametrize(
    ("said", "plain"),
    [
        ("Which clients have no date of birth recorded?", "Which clients have no birth date?"),
        (
            "I am preparing a talk on music, and I would like to know who wrote it",
            "I would like to know who wrote it",
        ),
        ("List all items, since we want to check them later.", "List all items."),
        ("Show the items alphabetically", "Show the items sorted by name"),
        ("average fee charged for loans", "average fee of loans"),
        ("in one of the ports", "in one of the ports"),
        ("those who are both tall and young", "those who are both tall and young"),
        ("people who are both actors and directors", "actors who are also directors"),
        ("List items in alphabetical order of price", "List items in alphabetical order of price"),
        (
            "each port in which we have ships together with the number of ships there",
            "the number of ships per port",
        ),
    ],
)
def test_what_stands_around_a_question_is_left_out(said: str, plain: str) -> None:
    assert rephrased(said) == plain


def test_every_reading_passes_the_gate() -> None:
    for question in READINGS:
        written = READER.read(question).written
        assert written is not None
        assert check_text(written.text, SCHEMA, parameters=written.parameters).columns == written.columns


def test_a_breakdown_says_what_it_is_sorted_by() -> None:
    query = READER.read("Number of clients per country, sorted by number in descending order").query
    assert query is not None
    assert explain(query).endswith("; sorted by the count, largest first.")


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("What is the average number of items per kind?", "Those with none do not count."),
        ("What is the average number of items per year?", ""),
        ("How many items are of each kind?", "Those with none are not listed."),
    ],
)
def test_who_is_not_in_a_figure_is_told(question: str, said: str) -> None:
    query = READER.read(question).query
    assert query is not None
    assert left_out(query) == said


@pytest.mark.parametrize(
    ("behind", "descending"),
    [
        ("sorted by number from most to least", True),
        ("sorted by number in ascending order", False),
        ("fewest first", False),
        ("with the countries having the fewest clients at the top of the list", False),
        ("with the countries having the most clients at the top", True),
    ],
)
def test_which_end_of_a_breakdown_comes_first(behind: str, descending: bool) -> None:
    query = READER.read(f"Number of clients per country, {behind}").query
    assert query is not None
    assert query.order is not None
    assert query.order.descending is descending
