"""Rankings, the first few, and properties of relationships, over an invented graph of songs."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from cypher.guard import check_text
from cypher.semantics.explain import explain
from cypher.semantics.reader import SemanticReader
from cypher.semantics.values import ValueTable
from cypher.semantics.way import Way
from cypher.semantics.write import write
from tests.cypher.small_schemas import invented_graph

SCHEMA, STORED = invented_graph("""
    Person 50: name, born integer
    Song 50: title, motto, year integer, price float, withdrawn boolean
    Studio 5: name, code
    (Person)-[SANG_IN 20: parts string list]->(Song), (Person)-[COMPOSED 20]->(Song)
    (Person)-[RATED 20: stars integer, remark]->(Song), (Person)-[TEACHES 20]->(Person)
    (Song)-[RELEASED_BY 20]->(Studio)

    Person.name: Ida Berg
    Song.title: Grey Harbour
    Song.motto: All that they have is theirs together | One of Their Own
    Studio.name: Fjord Sound | Grey Songs
    Studio.code: 3
    RATED.remark: Warm, if slow
""")
READER = SemanticReader(SCHEMA, ValueTable(STORED))


READINGS: dict[str, str] = {
    "Who are the top 3 composers of songs released by Fjord Sound?": (
        "MATCH (n0:Person)-[:COMPOSED]->(n1:Song), (n1)-[:RELEASED_BY]->(n2:Studio) WHERE n2.name "
        "= 'Fjord Sound' WITH n0, count(DISTINCT n1) AS counted RETURN DISTINCT n0.name AS name, "
        "counted AS count ORDER BY counted DESC LIMIT 3"
    ),
    "List the top 5 singers by number of songs.": (
        "MATCH (n0:Person)-[:SANG_IN]->(n1:Song) WITH n0, count(DISTINCT n1) AS counted RETURN "
        "DISTINCT n0.name AS name, counted AS count ORDER BY counted DESC LIMIT 5"
    ),
    "Show the top 5 people by the number of songs they have composed.": (
        "MATCH (n0:Person)-[:COMPOSED]->(n1:Song) WITH n0, count(DISTINCT n1) AS counted RETURN "
        "DISTINCT n0.name AS name, counted AS count ORDER BY counted DESC LIMIT 5"
    ),
    "What are the 3 oldest songs composed by Ida Berg?": (
        "MATCH (n1:Person)-[:COMPOSED]->(n0:Song) WHERE n1.name = 'Ida Berg' WITH DISTINCT n0, "
        "n0.year AS sorted WHERE sorted IS NOT NULL RETURN n0.title AS title, n0.year AS year "
        "ORDER BY sorted LIMIT 3"
    ),
    "List the top 4 songs by price.": (
        "MATCH (n0:Song) WITH DISTINCT n0, n0.price AS sorted WHERE sorted IS NOT NULL RETURN "
        "n0.title AS title, n0.price AS price ORDER BY sorted DESC LIMIT 4"
    ),
    "List the names of 2 people who were born after 1970.": (
        "MATCH (n0:Person) WHERE n0.born > 1970 RETURN DISTINCT n0.name AS name LIMIT 2"
    ),
    "Who are the first 3 singers born before 1950?": (
        "MATCH (n0:Person)-[:SANG_IN]->(n1:Song) WHERE n0.born < 1950 RETURN DISTINCT n0.name AS name LIMIT 3"
    ),
    "What songs do they have together?": ("MATCH (n0:Song) RETURN DISTINCT n0.title AS title"),
    "Which songs have been rated with more than 4 stars?": (
        "MATCH (n1:Person)-[r0:RATED]->(n0:Song) WHERE r0.stars > 4 RETURN DISTINCT n0.title AS title"
    ),
    "Which people rated songs with stars below 2?": (
        "MATCH (n0:Person)-[r0:RATED]->(n1:Song) WHERE r0.stars < 2 RETURN DISTINCT n0.name AS name"
    ),
    "What are the parts of singers in 'Grey Harbour'?": (
        "MATCH (n0:Person)-[r0:SANG_IN]->(n1:Song) WHERE n1.title = 'Grey Harbour' RETURN "
        "DISTINCT n0.name AS name, r0.parts AS parts"
    ),
    "What is the average stars of songs composed by Ida Berg?": (
        "MATCH (n1:Person)-[:COMPOSED]->(n0:Song), (n2:Person)-[r1:RATED]->(n0) WHERE n1.name = "
        "'Ida Berg' RETURN avg(r1.stars) AS avg_stars"
    ),
    "What are the most common parts in songs released by Fjord Sound?": (
        "MATCH (n0:Song)-[:RELEASED_BY]->(n1:Studio), (n2:Person)-[r1:SANG_IN]->(n0) WHERE "
        "n1.name = 'Fjord Sound' AND r1.parts IS NOT NULL UNWIND r1.parts AS item RETURN item AS "
        "parts, count(DISTINCT r1) AS count ORDER BY count DESC"
    ),
    "What are the 3 most common remarks?": (
        "MATCH (n0:Person)-[r0:RATED]->(n1:Song) WHERE r0.remark IS NOT NULL RETURN r0.remark AS "
        "remark, count(DISTINCT r0) AS count ORDER BY count DESC LIMIT 3"
    ),
    "List the 3 songs with the highest average stars.": (
        "MATCH (n1:Person)-[r0:RATED]->(n0:Song) WITH n0, avg(r0.stars) AS counted RETURN "
        "DISTINCT n0.title AS title, counted AS avg_stars ORDER BY counted DESC LIMIT 3"
    ),
    "Which 3 singers have the most diverse parts?": (
        "MATCH (n0:Person)-[r0:SANG_IN]->(n1:Song) UNWIND r0.parts AS item WITH n0, "
        "count(DISTINCT item) AS counted RETURN DISTINCT n0.name AS name, counted AS count_parts "
        "ORDER BY counted DESC LIMIT 3"
    ),
    "Who composed and sang in the same song?": (
        "MATCH (n0:Person)-[:COMPOSED]->(n1:Song), (n0)-[:SANG_IN]->(n1) RETURN DISTINCT n0.name "
        "AS name, n1.title AS title"
    ),
    "Which songs have been both composed and rated by the same person?": (
        "MATCH (n1:Person)-[:COMPOSED]->(n0:Song), (n1)-[:RATED]->(n0) RETURN DISTINCT n0.title "
        "AS title, n1.name AS name"
    ),
    "Who rated the song with the highest stars?": (
        "MATCH (n0:Person)-[r0:RATED]->(n1:Song) WITH max(r0.stars) AS best MATCH "
        "(n0:Person)-[r0:RATED]->(n1:Song) WHERE r0.stars = best RETURN DISTINCT n0.name AS name"
    ),
    "Which people who rated songs with more than 3 stars teach more than 2 people?": (
        "MATCH (n0:Person)-[r0:RATED]->(n1:Song), (n0)-[:TEACHES]->(n2:Person) WHERE r0.stars > 3 "
        "WITH n0, count(DISTINCT n2) AS counted WHERE counted > 2 RETURN DISTINCT n0.name AS "
        "name, counted AS count"
    ),
    "Which studios have the highest average price of songs?": (
        "MATCH (n1:Song)-[:RELEASED_BY]->(n0:Studio) WITH n0, avg(n1.price) AS counted RETURN "
        "DISTINCT n0.name AS name, counted AS avg_price ORDER BY counted DESC LIMIT 1"
    ),
    "Which people have not rated songs with more than 3 stars?": (
        "MATCH (n0:Person) WHERE NOT EXISTS { MATCH (n0)-[r1000:RATED]->(n1:Song) WHERE "
        "r1000.stars > 3 } RETURN DISTINCT n0.name AS name"
    ),
    "Which 3 studios have the most songs?": (
        "MATCH (n1:Song)-[:RELEASED_BY]->(n0:Studio) WITH n0, count(DISTINCT n1) AS counted "
        "RETURN DISTINCT n0.name AS name, counted AS count ORDER BY counted DESC LIMIT 3"
    ),
    "List the withdrawn songs released by Fjord Sound.": (
        "MATCH (n0:Song)-[:RELEASED_BY]->(n1:Studio) WHERE n0.withdrawn = True AND n1.name = "
        "'Fjord Sound' RETURN DISTINCT n0.title AS title"
    ),
    "Which studios have released no withdrawn songs?": (
        "MATCH (n0:Studio) WHERE NOT EXISTS { MATCH (n1:Song)-[:RELEASED_BY]->(n0) WHERE "
        "n1.withdrawn = True } RETURN DISTINCT n0.name AS name"
    ),
    "Which songs of the 'Grey Songs' studio are not withdrawn?": (
        "MATCH (n0:Song)-[:RELEASED_BY]->(n1:Studio) WHERE n1.name = 'Grey Songs' AND "
        "n0.withdrawn = False RETURN DISTINCT n0.title AS title"
    ),
    "List the top 3 studios by the average price of their songs.": (
        "MATCH (n1:Song)-[:RELEASED_BY]->(n0:Studio) WITH n0, avg(n1.price) AS counted RETURN "
        "DISTINCT n0.name AS name, counted AS avg_price ORDER BY counted DESC LIMIT 3"
    ),
    "Name 3 songs rated with more than 4 stars.": (
        "MATCH (n1:Person)-[r0:RATED]->(n0:Song) WHERE r0.stars > 4 RETURN DISTINCT n0.title AS title LIMIT 3"
    ),
    "Which songs have never been withdrawn?": (
        "MATCH (n0:Song) WHERE n0.withdrawn = False RETURN DISTINCT n0.title AS title"
    ),
    "List all people born before 1950.": (
        "MATCH (n0:Person) WHERE n0.born < 1950 RETURN DISTINCT n0 AS person"
    ),
    "Who composed and sang in the same song released by Fjord Sound?": (
        "MATCH (n0:Person)-[:COMPOSED]->(n1:Song), (n0)-[:SANG_IN]->(n1), "
        "(n1)-[:RELEASED_BY]->(n2:Studio) WHERE n2.name = 'Fjord Sound' RETURN DISTINCT n0.name "
        "AS name, n1.title AS title"
    ),
    "Who are the first 3 singers to have composed a song?": (
        "MATCH (n0:Person)-[:SANG_IN]->(n1:Song), (n0)-[:COMPOSED]->(n2:Song) RETURN DISTINCT "
        "n0.name AS name LIMIT 3"
    ),
    "List the people born in the 1960s who have composed a song.": (
        "MATCH (n0:Person)-[:COMPOSED]->(n1:Song) WHERE n0.born >= 1960 AND n0.born <= 1969 "
        "RETURN DISTINCT n0.name AS name"
    ),
    "Which songs have a motto mentioning 'rain'?": (
        "MATCH (n0:Song) WHERE n0.motto CONTAINS 'rain' RETURN DISTINCT n0.title AS title"
    ),
    "Who are the top 3 singers in terms of songs sung in after 1990?": (
        "MATCH (n0:Person)-[:SANG_IN]->(n1:Song) WHERE n1.year > 1990 WITH n0, count(DISTINCT n1) "
        "AS counted RETURN DISTINCT n0.name AS name, counted AS count ORDER BY counted DESC LIMIT "
        "3"
    ),
    "Show the top 5 songs by the number of ratings they received.": (
        "MATCH (n1:Person)-[r0:RATED]->(n0:Song) WITH n0, count(DISTINCT r0) AS counted RETURN "
        "DISTINCT n0.title AS title, counted AS count ORDER BY counted DESC LIMIT 5"
    ),
    "List the 3 most rated songs.": (
        "MATCH (n1:Person)-[:RATED]->(n0:Song) WITH n0, count(DISTINCT n1) AS counted RETURN "
        "DISTINCT n0.title AS title, counted AS count ORDER BY counted DESC LIMIT 3"
    ),
    "What are the parts of Ida Berg in songs released by Fjord Sound?": (
        "MATCH (n0:Person)-[r0:SANG_IN]->(n1:Song), (n1)-[:RELEASED_BY]->(n2:Studio) WHERE "
        "n0.name = 'Ida Berg' AND n2.name = 'Fjord Sound' RETURN DISTINCT n1.title AS title, "
        "r0.parts AS parts"
    ),
    "Which singers have sung in the most songs with a motto?": (
        "MATCH (n0:Person)-[:SANG_IN]->(n1:Song) WHERE n1.motto IS NOT NULL WITH n0, "
        "count(DISTINCT n1) AS counted RETURN DISTINCT n0.name AS name, counted AS count ORDER BY "
        "counted DESC LIMIT 1"
    ),
    "Which songs have been rated with more than 4 stars and who rated them?": (
        "MATCH (n1:Person)-[r0:RATED]->(n0:Song) WHERE r0.stars > 4 RETURN DISTINCT n0.title AS "
        "title, n1.name AS name"
    ),
    "Which songs were released by Fjord Sound and who are their composers?": (
        "MATCH (n0:Song)-[:RELEASED_BY]->(n1:Studio), (n2:Person)-[:COMPOSED]->(n0) WHERE n1.name "
        "= 'Fjord Sound' RETURN DISTINCT n0.title AS title, n2.name AS name"
    ),
    "Which songs have been released by Fjord Sound with their singers?": (
        "MATCH (n0:Song)-[:RELEASED_BY]->(n1:Studio), (n2:Person)-[:SANG_IN]->(n0) WHERE n1.name "
        "= 'Fjord Sound' RETURN DISTINCT n0.title AS title, n2.name AS name"
    ),
    "Which person has the highest number of teachers?": (
        "MATCH (n1:Person)-[:TEACHES]->(n0:Person) WITH n0, count(DISTINCT n1) AS counted RETURN "
        "DISTINCT n0.name AS name, counted AS count ORDER BY counted DESC LIMIT 1"
    ),
    "List the 3 songs with the lowest average stars in the RATED relationship.": (
        "MATCH (n1:Person)-[r0:RATED]->(n0:Song) WITH n0, avg(r0.stars) AS counted RETURN "
        "DISTINCT n0.title AS title, counted AS avg_stars ORDER BY counted LIMIT 3"
    ),
    "Which 3 composers have composed songs with the most distinct mottos?": (
        "MATCH (n0:Person)-[:COMPOSED]->(n1:Song) WITH n0, count(DISTINCT n1.motto) AS counted "
        "RETURN DISTINCT n0.name AS name, counted AS count_motto ORDER BY counted DESC LIMIT 3"
    ),
    "Name 3 songs with the highest stars in ratings.": (
        "MATCH (n1:Person)-[r0:RATED]->(n0:Song) WITH DISTINCT n0, r0, r0.stars AS sorted WHERE "
        "sorted IS NOT NULL RETURN n0.title AS title, r0.stars AS stars ORDER BY sorted DESC "
        "LIMIT 3"
    ),
    "Which songs have a price less than $10?": (
        "MATCH (n0:Song) WHERE n0.price < 10 RETURN DISTINCT n0.title AS title"
    ),
    "Which songs have a year of 1990 or later?": (
        "MATCH (n0:Song) WHERE n0.year >= 1990 RETURN DISTINCT n0.title AS title"
    ),
    "What are the 3 highest-rated songs?": (
        "MATCH (n1:Person)-[r0:RATED]->(n0:Song) WITH n0, avg(r0.stars) AS counted RETURN "
        "DISTINCT n0.title AS title, counted AS avg_stars ORDER BY counted DESC LIMIT 3"
    ),
    "List the top 3 songs by stars given.": (
        "MATCH (n1:Person)-[r0:RATED]->(n0:Song) WITH n0, sum(r0.stars) AS counted RETURN "
        "DISTINCT n0.title AS title, counted AS sum_stars ORDER BY counted DESC LIMIT 3"
    ),
    "Which songs have been rated more than 5 times?": (
        "MATCH (n1:Person)-[r0:RATED]->(n0:Song) WITH n0, count(DISTINCT r0) AS counted WHERE "
        "counted > 5 RETURN DISTINCT n0.title AS title, counted AS count"
    ),
    "Which songs were rated the most often?": (
        "MATCH (n1:Person)-[r0:RATED]->(n0:Song) WITH n0, count(DISTINCT r0) AS counted RETURN "
        "DISTINCT n0.title AS title, counted AS count ORDER BY counted DESC LIMIT 1"
    ),
    "Which songs have a withdrawn status of false?": (
        "MATCH (n0:Song) WHERE n0.withdrawn = False RETURN DISTINCT n0.title AS title"
    ),
    "Which studios have released songs with a price of zero?": (
        "MATCH (n1:Song)-[:RELEASED_BY]->(n0:Studio) WHERE n1.price = 0 RETURN DISTINCT n0.name AS name"
    ),
    "List the top 3 songs by number of parts in the 'SANG_IN' relationship.": (
        "MATCH (n1:Person)-[r0:SANG_IN]->(n0:Song) UNWIND r0.parts AS item WITH n0, count(item) "
        "AS counted RETURN DISTINCT n0.title AS title, counted AS count_parts ORDER BY counted "
        "DESC LIMIT 3"
    ),
    "List all songs composed by people born after 1960, limited to the top 5.": (
        "MATCH (n1:Person)-[:COMPOSED]->(n0:Song) WHERE n1.born > 1960 RETURN DISTINCT n0.title "
        "AS title LIMIT 5"
    ),
    "Which songs with a price above 3 were released by Fjord Sound and are withdrawn?": (
        "MATCH (n0:Song)-[:RELEASED_BY]->(n1:Studio) WHERE n0.price > 3 AND n1.name = 'Fjord "
        "Sound' AND n0.withdrawn = True RETURN DISTINCT n0.title AS title"
    ),
    "Which songs are most frequently rated?": (
        "MATCH (n1:Person)-[r0:RATED]->(n0:Song) WITH n0, count(DISTINCT r0) AS counted RETURN "
        "DISTINCT n0.title AS title, counted AS count ORDER BY counted DESC LIMIT 1"
    ),
    "Which 3 studios have the highest average price per song?": (
        "MATCH (n1:Song)-[:RELEASED_BY]->(n0:Studio) WITH n0, avg(n1.price) AS counted RETURN "
        "DISTINCT n0.name AS name, counted AS avg_price ORDER BY counted DESC LIMIT 3"
    ),
    "List the songs rated with more than 3 stars and were released by Fjord Sound.": (
        "MATCH (n1:Person)-[r0:RATED]->(n0:Song), (n0)-[:RELEASED_BY]->(n2:Studio) WHERE n2.name "
        "= 'Fjord Sound' AND r0.stars > 3 RETURN DISTINCT n0.title AS title"
    ),
}


@pytest.mark.parametrize("question", READINGS)
def test_question_is_read_as_meant(question: str, shown: Callable[[str], str]) -> None:
    assert shown(question) == READINGS[question]


@pytest.mark.parametrize("question", READINGS)
def test_every_ranked_reading_passes_the_gate_and_has_a_sentence(question: str) -> None:
    for candidate in READER.read(question).candidates:
        written = READER.write(candidate.query)
        assert check_text(written.text, SCHEMA, parameters=written.parameters).text
        assert explain(candidate.query).endswith(".")


def test_one_of_several_best_is_returned_where_that_is_the_way() -> None:
    query = READER.read("What is the cheapest song composed by Ida Berg?").query
    assert query is not None
    every, one = write(query, SCHEMA), write(query, SCHEMA, Way(one=True))
    assert "min(n0.`price`) AS best" in every.text
    assert "best" not in one.text
    assert "ORDER BY sorted LIMIT $p1" in one.text
    assert one.parameters["p1"] == 1


def test_relationships_are_matched_in_both_directions_where_that_is_the_way() -> None:
    query = READER.read("Who teaches a person that composed 'Grey Harbour'?").query
    assert query is not None
    directed, both = write(query, SCHEMA).text, write(query, SCHEMA, Way(undirected=True)).text
    assert directed.count("->") == 2
    assert both == directed.replace("->", "-")


def test_a_reader_writes_in_its_way() -> None:
    reader = SemanticReader(SCHEMA, ValueTable([]), way=Way(undirected=True))
    written = reader.read("Which people teach people?").written
    assert written is not None
    assert "->" not in written.text
