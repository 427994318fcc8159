"""What the top few are ranked by, and what amounts are compared with, over an invented graph of bakeries."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from cypher.semantics.reader import SemanticReader
from cypher.semantics.values import ValueTable
from tests.cypher.small_schemas import invented_graph

SCHEMA, STORED = invented_graph("""
    Baker 40: name, born integer
    Cake 60: name, price float, cost float, popularity float, launch_date date, status, flavours string list
    Pastry 30: name, price float, popularity float
    Fair 9: name, year integer
    Range 5: name
    Language 9: name
    (Baker)-[BAKED_IN 90: note]->(Cake), (Baker)-[SOLD_IN 50: note]->(Cake), (Cake)-[SHOWN_AT 90]->(Fair)
    (Pastry)-[SHOWN_AT 30]->(Fair), (Pastry)-[IN_RANGE 30]->(Range)
    (Cake)-[LABELLED_IN 50]->(Language), (Cake)-[PRINTED_IN 50]->(Language)

    Baker.name: Ada Moor
    Cake.name: Opera | Sacher
    Cake.status: Launched
    Fair.name: Ghent
    Range.name: Classics
""")
READER = SemanticReader(SCHEMA, ValueTable(STORED))

READINGS: dict[str, str] = {
    # by how often it holds, where nothing else is said
    "What are the top 3 fairs that showed cakes launched after 2010?": (
        "MATCH (n1:Cake)-[:SHOWN_AT]->(n0:Fair) WHERE n1.launch_date > date('2010-12-31') WITH n0, "
        "count(DISTINCT n1) AS counted RETURN DISTINCT n0.name AS name, counted AS count ORDER BY "
        "counted DESC LIMIT 3"
    ),
    "Who are the top 2 bakers who both baked and sold the same cake?": (
        "MATCH (n0:Baker)-[:BAKED_IN]->(n1:Cake), (n0)-[:SOLD_IN]->(n1) WITH n0, count(DISTINCT n1) AS "
        "counted RETURN DISTINCT n0.name AS name, counted AS count ORDER BY counted DESC LIMIT 2"
    ),
    # but not where it holds once
    "List the top 3 cakes shown at Ghent.": (
        "MATCH (n0:Cake)-[:SHOWN_AT]->(n1:Fair) WHERE n1.name = 'Ghent' RETURN DISTINCT n0.name AS name "
        "LIMIT 3"
    ),
    # by the amount that is compared
    "List the top 3 cakes with a price over 20.": (
        "MATCH (n0:Cake) WHERE n0.price > 20 WITH DISTINCT n0, n0.price AS sorted WHERE sorted IS NOT "
        "NULL RETURN n0.name AS name, n0.price AS price ORDER BY sorted DESC LIMIT 3"
    ),
    "List the top 3 cakes with a price under 20.": (
        "MATCH (n0:Cake) WHERE n0.price < 20 WITH DISTINCT n0, n0.price AS sorted WHERE sorted IS NOT "
        "NULL RETURN n0.name AS name, n0.price AS price ORDER BY sorted LIMIT 3"
    ),
    # by what an adjective is made of
    "What are the 3 most popular cakes?": (
        "MATCH (n0:Cake) WITH DISTINCT n0, n0.popularity AS sorted WHERE sorted IS NOT NULL RETURN "
        "n0.name AS name, n0.popularity AS popularity ORDER BY sorted DESC LIMIT 3"
    ),
    "What are the top 3 most popular cakes according to their popularity score?": (
        "MATCH (n0:Cake) WITH DISTINCT n0, n0.popularity AS sorted WHERE sorted IS NOT NULL RETURN "
        "n0.name AS name, n0.popularity AS popularity ORDER BY sorted DESC LIMIT 3"
    ),
    # by how common it is
    "What are the 2 most common languages among cakes with a price over 9?": (
        "MATCH (n1:Cake)-[:LABELLED_IN]->(n0:Language) WHERE n1.price > 9 WITH n0, count(DISTINCT n1) AS "
        "counted RETURN DISTINCT n0.name AS name, counted AS count ORDER BY counted DESC LIMIT 2"
    ),
    "What are the top 2 most frequently printed languages in cakes?": (
        "MATCH (n1:Cake)-[:PRINTED_IN]->(n0:Language) WITH n0, count(DISTINCT n1) AS counted RETURN "
        "DISTINCT n0.name AS name, counted AS count ORDER BY counted DESC LIMIT 2"
    ),
    # by the average of the kind that is named, of two that have the property
    "Which 2 fairs have shown cakes with the highest average price?": (
        "MATCH (n1:Cake)-[:SHOWN_AT]->(n0:Fair) WITH n0, avg(n1.price) AS counted RETURN DISTINCT "
        "n0.name AS name, counted AS avg_price ORDER BY counted DESC LIMIT 2"
    ),
    "What are the top 2 fairs based on average pastry popularity?": (
        "MATCH (n1:Pastry)-[:SHOWN_AT]->(n0:Fair) WITH n0, avg(n1.popularity) AS counted RETURN DISTINCT "
        "n0.name AS name, counted AS avg_popularity ORDER BY counted DESC LIMIT 2"
    ),
    # the best with its size
    "Which cake has the highest price?": (
        "MATCH (n0:Cake) WITH max(n0.price) AS best MATCH (n0:Cake) WHERE n0.price = best RETURN "
        "DISTINCT n0.name AS name, n0.price AS price"
    ),
    "Which cakes have the most flavours?": (
        "MATCH (n0:Cake) WITH max(size(n0.flavours)) AS best MATCH (n0:Cake) WHERE size(n0.flavours) = best "
        "RETURN DISTINCT n0.name AS name, size(n0.flavours) AS size_flavours"
    ),
    "What are the 3 lowest-cost cakes?": (
        "MATCH (n0:Cake) WITH DISTINCT n0, n0.cost AS sorted WHERE sorted IS NOT NULL RETURN n0.name AS "
        "name, n0.cost AS cost ORDER BY sorted LIMIT 3"
    ),
    # what is found in something is tied to it in whichever way is nearest
    "What are the top 2 languages found in cakes?": (
        "MATCH (n1:Cake)-[:LABELLED_IN]->(n0:Language) WITH n0, count(DISTINCT n1) AS counted RETURN "
        "DISTINCT n0.name AS name, counted AS count ORDER BY counted DESC LIMIT 2"
    ),
    # what kinds are called after is what they have done
    "Which 2 bakers have the most cakes with a price under 8?": (
        "MATCH (n0:Baker)-[:BAKED_IN]->(n1:Cake) WHERE n1.price < 8 WITH n0, "
        "count(DISTINCT n1) AS counted RETURN DISTINCT n0.name AS name, counted AS count ORDER BY "
        "counted DESC LIMIT 2"
    ),
    # names alone
    "What are the names of bakers who have sold more than 5 cakes?": (
        "MATCH (n0:Baker)-[:SOLD_IN]->(n1:Cake) WITH n0, count(DISTINCT n1) AS counted WHERE counted > 5 "
        "RETURN DISTINCT n0.name AS name"
    ),
    # what is in something is contained in it, and part of it
    "Which 2 ranges contain the most pastries?": (
        "MATCH (n1:Pastry)-[:IN_RANGE]->(n0:Range) WITH n0, count(DISTINCT n1) AS counted RETURN DISTINCT "
        "n0.name AS name, counted AS count ORDER BY counted DESC LIMIT 2"
    ),
    "Which pastries are part of the range 'Classics'?": (
        "MATCH (n0:Pastry)-[:IN_RANGE]->(n1:Range) WHERE n1.name = 'Classics' RETURN DISTINCT n0.name AS name"
    ),
    # two properties of one thing
    "Which cakes have a price lower than their cost?": (
        "MATCH (n0:Cake) WHERE n0.price < n0.cost RETURN DISTINCT n0.name AS name"
    ),
    # any of several that are named, each told by its name
    "What are the prices of the cakes named 'Opera' and 'Sacher'?": (
        "MATCH (n0:Cake) WHERE n0.name IN ('Opera', 'Sacher') WITH DISTINCT n0 "
        "RETURN n0.name AS name, n0.price AS price"
    ),
    # amounts as people write them
    "Which cakes have a price over 1,500 euros?": (
        "MATCH (n0:Cake) WHERE n0.price > 1500 RETURN DISTINCT n0.name AS name"
    ),
    # when, not a state of that name
    "Which cakes were launched before 2000?": (
        "MATCH (n0:Cake) WHERE n0.launch_date < date('2000-01-01') RETURN DISTINCT n0.name AS name"
    ),
    "Which cakes are Launched?": (
        "MATCH (n0:Cake) WHERE n0.status = 'Launched' RETURN DISTINCT n0.name AS name"
    ),
}


def test_a_large_amount_is_no_age() -> None:
    """ "Over 5 million" of an unknown property was read as a year before 5,000,000."""
    reading = READER.read("Which bakers made over 5 million?")
    assert all(f.value != 5_000_000 for c in reading.candidates for f in c.query.filters)


@pytest.mark.parametrize("question", READINGS)
def test_question_is_read_as_meant(question: str, shown: Callable[[str], str]) -> None:
    assert shown(question) == READINGS[question]
