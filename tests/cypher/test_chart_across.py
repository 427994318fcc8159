"""What is counted over all of several things, ranked in other words, or fetched with all that is known."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from cypher.semantics.reader import SemanticReader
from cypher.semantics.unheard import unheard
from cypher.semantics.values import ValueTable
from tests.cypher.small_schemas import invented_graph

SCHEMA, STORED = invented_graph("""
    Singer 40: name, id integer, born integer
    Song 60: title, id integer, year integer, length float, revenue float, vote_count integer, average_vote float, tags string list, lyrics, status, released
    Hall 9: name, id
    Choir 9: name, id integer
    Label 9: name, id integer
    Genre 9: name, id integer
    Prize 9: name, id integer
    Festival 9: name, id integer
    Studio 9: name, id
    Village 9: name, id
    Listener 30 unnamed: id integer
    Ticket 30: code
    (Singer)-[PERFORMED 90]->(Song), (Singer)-[COMPOSED 20]->(Song), (Song)-[PLAYED_IN 60]->(Hall), (Listener)-[RATED 60: rating float]->(Song)

    Singer.name: Ann | Ben
    Song.title: Slow River
    Song.lyrics: by the slow river
    Song.status: Released | Planned
    Song.released: spring of 1991
    Hall.name: Old Hall | Lund Hall
""")  # noqa: E501
READER = SemanticReader(SCHEMA, ValueTable(STORED))


@pytest.mark.parametrize(
    "question",
    ["Which singers performed songs in more than two halls?", "Who performed songs in more than two halls?"],
)
def test_halls_of_all_songs_are_counted(shown: Callable[[str], str], question: str) -> None:
    assert shown(question) == (
        "MATCH (n0:Singer)-[:PERFORMED]->(n1:Song), (n1)-[:PLAYED_IN]->(n2:Hall) "
        "WITH n0, count(DISTINCT n2) AS counted WHERE counted > 2 "
        "RETURN DISTINCT n0.name AS name, counted AS count"
    )


@pytest.mark.parametrize(
    "question",
    [
        "Which singers performed a song in more than two halls?",
        "Which singers performed songs played in more than two halls?",
    ],
)
def test_halls_of_one_song_are_counted(shown: Callable[[str], str], question: str) -> None:
    assert "COUNT { MATCH (n1)-[:PLAYED_IN]->(n2:Hall) RETURN DISTINCT n2 } > 2" in shown(question)


@pytest.mark.parametrize(
    ("question", "plain"),
    [
        (
            "Who are the top 3 singers by the number of songs performed in 'Old Hall'?",
            "Who are the top 3 singers by the number of songs in 'Old Hall' that they performed in?",
        ),
        (
            "Which three singers have the longest average song length?",
            "Which three singers have the highest average song length?",
        ),
        (
            "Which 3 singers have the longest cumulative length of all songs they've performed?",
            "Which 3 singers have the highest total length of songs they have performed?",
        ),
        ("Which 3 halls have the most number of songs?", "Which 3 halls have the most songs?"),
        ("Which songs have lyrics mentioning 'river'?", "Which songs have lyrics containing 'river'?"),
        (
            "Which halls have the most songs featuring a length over 5?",
            "Which halls have the most songs with a length over 5?",
        ),
        ("Which songs have a status listed?", "Which songs have a status?"),
        ("What are the top 3 highest-grossing songs?", "What are the top 3 songs with the highest revenue?"),
        (
            "What are the top 3 songs by length in descending order?",
            "What are the top 3 songs with the highest length?",
        ),
        (
            "What are the top 3 songs by length, in ascending order?",
            "What are the 3 songs with the lowest length?",
        ),
        ("Which 3 halls have the most associated songs?", "Which 3 halls have the most songs?"),
        ("Which song has the most detailed lyrics?", "Which song has the longest lyrics?"),
    ],
)
def test_read_like_the_plainer_words(shown: Callable[[str], str], question: str, plain: str) -> None:
    assert shown(question) == shown(plain)
    assert READER.read(question).linked.unexplained == ()


def test_what_is_counted_by_a_property_is_that_property(shown: Callable[[str], str]) -> None:
    assert "n0.vote_count AS sorted" in shown("What are the top 3 songs with the most votes?")
    assert "n0.average_vote AS sorted" in shown("What are the top 3 songs with the highest average vote?")


def test_an_identifier_belongs_to_the_nearest_noun_of_many_labels(shown: Callable[[str], str]) -> None:
    assert "WHERE n1.id = 1 " in shown("Which songs were rated by the listener with ID 1?")


def test_things_are_fetched_whole(shown: Callable[[str], str]) -> None:
    assert shown("Find all songs in Old Hall.").endswith(
        "WHERE n1.name = 'Old Hall' RETURN DISTINCT n0 AS song"
    )
    assert shown("List all songs with a length over 5.").endswith("RETURN DISTINCT n0 AS song")
    assert shown("Find all tickets.").endswith("RETURN DISTINCT n0.code AS code")  # no node is shown by that
    assert shown("Find the titles of songs in Old Hall.").endswith("RETURN DISTINCT n0.title AS title")
    assert shown("Which songs are in Old Hall?").endswith("RETURN DISTINCT n0.title AS title")


def test_what_is_ranked_keeps_name_and_key_when_fetched(shown: Callable[[str], str]) -> None:
    assert "RETURN DISTINCT n0.title AS title" in shown("Find the longest song.")


def test_names_of_the_first_few_are_told_apart(shown: Callable[[str], str]) -> None:
    found = shown("What are the titles of the top 3 songs with the highest revenue?")
    assert "RETURN n0.title AS title, n0.revenue AS revenue" in found
    assert "revenue AS revenue" not in shown("What is the title of the song with the highest revenue?")


def test_a_decade_is_no_text_to_look_for(shown: Callable[[str], str]) -> None:
    found = shown("Which singer performed the most songs released in the 1990s?")
    assert "n1.year >= 1990 AND n1.year <= 1999" in found


def test_what_was_released_somewhere_has_no_such_status(shown: Callable[[str], str]) -> None:
    assert "status" not in shown("Which songs were released in Old Hall?")
    assert "n0.status = 'Released'" in shown("Which songs are released?")


def test_the_average_of_a_list_is_that_of_its_entries(shown: Callable[[str], str]) -> None:
    assert "avg(size(n0.tags))" in shown("What is the average number of tags per song?")


def test_a_song_is_added_up_once(shown: Callable[[str], str]) -> None:
    assert shown("Which 3 singers have the highest total length of songs they have performed?") == (
        "MATCH (n0:Singer)-[:PERFORMED]->(n1:Song) WITH n0, sum(n1.length) AS counted "
        "RETURN DISTINCT n0.name AS name, counted AS sum_length ORDER BY counted DESC LIMIT 3"
    )


def test_a_property_that_is_an_average_itself_leaves_nothing_unheard() -> None:
    reading = READER.read("List the top 3 songs with the highest average vote.")
    assert reading.query is not None
    assert not any(unheard(reading.linked, reading.query).values())
