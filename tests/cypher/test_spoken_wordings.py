"""What people say in place of plain questions, brought into those."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cypher.semantics.decide import Verdict, decide
from cypher.semantics.lightly import LIGHT, lightened
from cypher.semantics.reader import SemanticReader
from cypher.semantics.rephrased import rephrased
from cypher.semantics.rephrasing.screen import on_screen, rules_for
from cypher.semantics.text import stem
from cypher.semantics.values import StoredValue, ValueTable
from schemas.store_schema import (
    PropertyType,
    StoreLabel,
    StoreProperty,
    StoreRelation,
    StoreSchema,
    StoreTriple,
)

FILMS = StoreSchema(
    labels=(
        StoreLabel(
            name="Film",
            properties=(
                StoreProperty(name="title", type=PropertyType.STRING),
                StoreProperty(name="released", type=PropertyType.INTEGER),
            ),
            name_property="title",
        ),
        StoreLabel(
            name="Person",
            properties=(
                StoreProperty(name="name", type=PropertyType.STRING),
                StoreProperty(name="born", type=PropertyType.INTEGER),
            ),
            name_property="name",
        ),
    ),
    relations=(StoreRelation(type="ACTED_IN"), StoreRelation(type="DIRECTED")),
    triples=(
        StoreTriple(start="Person", type="ACTED_IN", end="Film"),
        StoreTriple(start="Person", type="DIRECTED", end="Film"),
    ),
)
NAMES = ValueTable(
    [
        *(StoredValue("Film", "title", title) for title in ("Harbour", "Harbour Two", "Night Ferry")),
        *(StoredValue("Person", "name", name) for name in ("Ada Berg", "Olaf Lind")),
    ]
)
READER = SemanticReader(FILMS, NAMES)


@pytest.mark.parametrize(
    ("said", "plain"),
    [
        ("pls list the ships of Ann", "list the ships of Ann"),
        ("I am looking for the ships that Ann owns. Which are they?", "the ships that Ann owns"),
        ("ships, tonnage < 10", "ships with tonnage below 10"),
        ("ports, country = Norway", "ports with country Norway"),
        ("ship count by port", "the number of ships per port"),
        ("ports with their ship counts", "the number of ships per port"),
        ("how are the ships distributed across ports?", "the number of ships per port"),
        ("which ships cost the most", "what is the most expensive ships?"),
        ("which ship is older than all the others?", "which ship is the oldest?"),
        ("who has more ships than any other?", "who has the most ships?"),
        ("ports that have a ship count above 3", "ports with more than 3 ships"),
        ("ports for whom the number of ships registered is greater than 3", "ports with more than 3 ships"),
        ("the most old ship", "the oldest ship"),
        ("ships built 1990-1996", "ships built between 1990 and 1996"),
        ("ships built in a year before 1990", "ships built before 1990"),
        ("ships, except those in Norway and those in Sweden", "ships, that are not in Norway or Sweden"),
        ("unrated films", "films that were not rated"),
        ("how much ships does Ann own?", "how many ships does Ann own?"),
        ("From which port comes the ship Vega?", "which port does the ship Vega come from?"),
    ],
)
def test_what_is_said_becomes_plain(said: str, plain: str) -> None:
    assert rephrased(said).rstrip("?") == plain.rstrip("?")


@pytest.mark.parametrize(
    ("said", "read"),
    [
        (
            "Identify the top 5 ships with the lowest tonnage.",
            "Identify the top 5 ships with the lowest tonnage.",
        ),
        (
            "Who are the top 3 builders by number of ships built?",
            "Who are the top 3 builders by number of ships they built?",
        ),
        (
            "List 3 people who built and sold at least one ship each.",
            "List 3 people who built and sold at least one ship each.",
        ),
        ("the ships built from 1990 to 2000", "the ships built from 1990 to 2000"),
    ],
)
def test_what_others_read_is_left_to_them(said: str, read: str) -> None:
    """ "Identify" asks for things, "built" tells what is counted, "each" of what, "from ... to" is plain."""
    assert rephrased(said) == read


@pytest.mark.parametrize(
    "plain",
    [
        "How large is the tonnage of Vega?",
        "Which ships are based at Hull Bay?",
        "For each company, show the ships it owns.",
        "Which films mention Please Please Me?",
        "What is the total order count of Ann?",
        "Do we have a ship of Ann?",
    ],
)
def test_what_is_plain_keeps_what_it_asks(plain: str) -> None:
    words = {w.strip("?.").lower() for w in plain.split() if w[0].isupper() or len(w) > 5}
    kept = {w.strip("?.").lower() for w in rephrased(plain).split()}
    assert words - {"for", "do", "what", "which", "how"} <= kept | {"company,"}


@pytest.mark.parametrize(
    ("said", "plain"),
    [
        ("Harbour cast list", "who acted in Harbour?"),
        ("Ada Berg's filmography", "which movies did Ada Berg act in?"),
        ("castmates of Ada Berg", "people who acted with Ada Berg"),
        ("films with a cast bigger than 5", "films with more than 5 actors"),
        ("In what year did Harbour come out?", "when was Harbour released?"),
        ("films in which Ada Berg has an acting credit", "films in which Ada Berg acted"),
    ],
)
def test_the_screen_has_its_own_words(said: str, plain: str) -> None:
    known = {(stem("actors"),), (stem("released"),), (stem("movies"),)}
    assert on_screen(said, rules_for(known)) == plain
    assert on_screen(said, rules_for(set())) == said


def test_movies_are_not_spoken_of_where_a_graph_has_none() -> None:
    said = "Ada Berg's filmography"
    assert on_screen(said, rules_for({(stem("actors"),)})) == said
    assert on_screen(said, rules_for({(stem("movies"),)})) == said


def test_where_a_graph_knows_where_things_are_based_that_is_kept() -> None:
    said = "ships based in Hull"
    assert on_screen(said, rules_for({(stem("based"), "at")})) == said
    assert on_screen(said, rules_for({(stem("ship"),)})) == "ships in Hull"


@pytest.mark.parametrize(
    "text",
    [
        "Kindly compile the films that Ada Berg directed",
        "Which existing films did Ada Berg direct?",
        "who's in the cast of Harbour",
        "year of Harbour's release",
    ],
)
def test_talk_around_a_question_does_not_stop_it(text: str) -> None:
    decision = decide(READER.read(text), FILMS)
    assert decision.verdict is Verdict.ANSWER, decision


def test_a_whole_name_is_not_asked_back_for_a_part_of_longer_ones() -> None:
    decision = decide(READER.read("Which actors of Harbour were born after 1965?"), FILMS)
    assert decision.verdict is Verdict.ANSWER
    query = decision.reading.query
    assert query is not None
    assert {f.value for f in query.filters} == {"Harbour", 1965}


@pytest.mark.parametrize(
    "word", ["not", "only", "both", "same", "other", "more", "never", "without", "their", "exactly"]
)
def test_words_that_change_what_is_asked_are_never_light(word: str) -> None:
    assert word not in LIGHT


def test_only_words_that_nothing_explains_are_left_out() -> None:
    linked = READER.read("Which films did Ada Berg direct?").linked
    assert lightened(linked, FILMS) is None
    strange = replace(linked, unexplained=("films", "Berg"))
    assert lightened(strange, FILMS) is None
    talk = replace(linked, text="Which films did Ada Berg direct", unexplained=("Which",))
    assert lightened(talk, FILMS) is None
    told = READER.read("Kindly which films zorg did Ada Berg direct?").linked
    assert "zorg" in told.unexplained
    assert "zorg" in (lightened(told, FILMS) or told.text)


def test_every_film_is_no_question_about_each() -> None:
    reading = READER.read("List every film whose year of release is later than 1990.")
    assert decide(reading, FILMS).verdict is Verdict.ANSWER
    asked = READER.read("List the films of Ada Berg, counted for every year.")
    assert ("unheard_each", 1.0) in asked.doubts
    assert decide(asked, FILMS).verdict is Verdict.ABSTAIN


def _shown(question: str) -> str:
    written = READER.read(question).written
    assert written is not None
    return written.text.rpartition("RETURN ")[2]


def test_figures_of_several_are_told_with_their_names() -> None:
    assert _shown("What are the release years of Harbour Two and Night Ferry?") == (
        "n0.`title` AS `title`, n0.`released` AS `released`"
    )


@pytest.mark.parametrize(
    ("question", "column"),
    [
        ("What is the release year of Night Ferry?", "released"),
        ("What are the titles of Harbour Two and Night Ferry?", "title"),
        ("What are the release years of Harbour Two or Night Ferry?", "released"),
    ],
)
def test_what_is_said_of_one_or_the_other_stands_alone(question: str, column: str) -> None:
    assert _shown(question) == f"DISTINCT n0.`{column}` AS `{column}`"
