"""To which thing a condition belongs that follows another, and what small words must not change."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from cypher.semantics.lexicon import Verbalisation
from cypher.semantics.reader import SemanticReader
from cypher.semantics.values import ValueTable
from tests.cypher.small_schemas import invented_graph

SCHEMA, STORED = invented_graph("""
    Fire 90: code, kind, stage
    Warden 40: name, surname, grade
    Site 40: address
    Engine 40: plate, model, year integer
    Siren 20: number
    SirenCall 30 unnamed: day date, length integer
    (Fire)-[WATCHED_BY 90]->(Warden), (Fire)-[BROKE_OUT_AT 90]->(Site), (Engine)-[SENT_TO 60]->(Fire)
    (Warden)-[HAS_SIREN 20]->(Siren), (SirenCall)-[CALLER 30]->(Siren), (SirenCall)-[CALLED 30]->(Siren)

    Fire.code: F-1
    Fire.kind: heath | barn
    Fire.stage: put out | burning
    Warden.name: Ann | Ben
    Warden.surname: Moss | Hale
    Warden.grade: captain | watcher
    Site.address: 5 Mill Lane
    Engine.plate: E-7
    Engine.model: Tarn
    Siren.number: 555-01
""")
WORDS = Verbalisation.model_validate(
    {
        "relations": {
            "WATCHED_BY": {"forward": ["watched by", "in the name of"], "inverse": ["watches", "watched"]},
            "BROKE_OUT_AT": {"forward": ["broke out at"], "inverse": ["scene of"]},
            "CALLER": {"forward": ["made from", "from"], "inverse": ["called", "calls"]},
            "CALLED": {"forward": ["received by", "to"], "inverse": ["received"]},
            "SENT_TO": {"forward": ["sent to"], "inverse": ["involving", "involves"]},
        }
    }
)
READER = SemanticReader(SCHEMA, ValueTable(STORED), WORDS)
WATCHED = "MATCH (n0:Fire)-[:WATCHED_BY]->(n1:Warden) WHERE n1.name = 'Ann' AND n1.surname = 'Moss'"


@pytest.mark.parametrize(
    "question",
    [
        "Which fires watched by Ann Moss have the kind barn?",
        "Which fires are watched by Ann Moss with the kind barn?",
        "List the fires watched by Ann Moss with kind barn.",
    ],
)
def test_a_property_is_told_of_the_thing_that_has_it(shown: Callable[[str], str], question: str) -> None:
    assert shown(question) == f"{WATCHED} AND n0.kind = 'barn' RETURN DISTINCT n0.code AS code"


def test_so_it_is_where_more_is_told_of_that_thing(shown: Callable[[str], str]) -> None:
    found = shown("How many fires broke out at 5 Mill Lane with the kind barn watched by Ben Hale?")
    assert found == (
        "MATCH (n0:Fire)-[:BROKE_OUT_AT]->(n1:Site), (n0)-[:WATCHED_BY]->(n2:Warden) "
        "WHERE n1.address = '5 Mill Lane' AND n0.kind = 'barn' AND n2.name = 'Ben' AND n2.surname = 'Hale' "
        "RETURN count(DISTINCT n0) AS count"
    )


def test_a_noun_of_its_own_is_another_thing(shown: Callable[[str], str]) -> None:
    found = shown("Which fires were watched by a warden who watched a fire of kind barn?")
    assert "(n2:Fire)-[:WATCHED_BY]->(n1)" in found
    assert "n2.kind = 'barn'" in found


@pytest.mark.parametrize("joined", ["and a", "as well as a", "and also a"])
def test_two_things_with_articles_are_two(shown: Callable[[str], str], joined: str) -> None:
    assert shown(f"Which wardens watched a heath fire {joined} barn fire?") == (
        "MATCH (n1:Fire)-[:WATCHED_BY]->(n0:Warden), (n2:Fire)-[:WATCHED_BY]->(n0) "
        "WHERE n1.kind = 'heath' AND n2.kind = 'barn' RETURN DISTINCT n0.name AS name"
    )


def test_who_did_it_is_no_key_of_a_count(shown: Callable[[str], str]) -> None:
    assert shown("How many engines were sent to fires watched by a warden?") == (
        "MATCH (n0:Engine)-[:SENT_TO]->(n1:Fire), (n1)-[:WATCHED_BY]->(n2:Warden) "
        "RETURN count(DISTINCT n0) AS count"
    )


@pytest.mark.parametrize(
    "question",
    [
        "What is the number of fire that involves the engine E-7?",
        "Give the total of fires that involve the engine E-7.",
        "Tally the fires that involve the engine E-7.",
    ],
)
def test_counts_in_other_words(shown: Callable[[str], str], question: str) -> None:
    assert shown(question) == (
        "MATCH (n1:Engine)-[:SENT_TO]->(n0:Fire) WHERE n1.plate = 'E-7' RETURN count(DISTINCT n0) AS count"
    )


@pytest.mark.parametrize(
    "question", ["What is the number of each siren of Ann?", "What is the number of Ann's siren?"]
)
def test_the_number_of_one_thing_is_a_property(shown: Callable[[str], str], question: str) -> None:
    assert "count" not in shown(question)
    assert shown(question).endswith("RETURN DISTINCT n0.number AS number")


def test_get_is_no_auxiliary(shown: Callable[[str], str]) -> None:
    assert shown("Get the grades of all wardens") == "MATCH (n0:Warden) RETURN DISTINCT n0.grade AS grade"


def test_names_are_not_the_name_in_a_phrase(shown: Callable[[str], str]) -> None:
    assert shown("What are the names of the wardens?") == (
        "MATCH (n0:Warden) RETURN DISTINCT n0.name AS name"
    )


@pytest.mark.parametrize(
    ("age", "measure"),
    [("oldest", "min"), ("newest", "max"), ("latest", "max"), ("first", "min"), ("most recent", "max")],
)
def test_years_have_an_oldest(shown: Callable[[str], str], age: str, measure: str) -> None:
    found = shown(f"What is the {age} year of the engines of model Tarn?")
    assert found == f"MATCH (n0:Engine) WHERE n0.model = 'Tarn' RETURN {measure}(n0.year) AS {measure}_year"


def test_so_it_is_with_a_thing_on_the_way(shown: Callable[[str], str]) -> None:
    found = shown("Which engines were sent to fires of kind barn at 5 Mill Lane in the stage burning?")
    assert found == (
        "MATCH (n0:Engine)-[:SENT_TO]->(n1:Fire), (n1)-[:BROKE_OUT_AT]->(n2:Site) "
        "WHERE n1.kind = 'barn' AND n2.address = '5 Mill Lane' AND n1.stage = 'burning' "
        "RETURN DISTINCT n0.plate AS plate"
    )


def test_a_property_behind_a_name_is_that_of_who_has_it(shown: Callable[[str], str]) -> None:
    found = shown("Which fires are watched by a warden with the siren 555-01 with the surname Moss?")
    assert found == (
        "MATCH (n0:Fire)-[:WATCHED_BY]->(n1:Warden), (n1)-[:HAS_SIREN]->(n2:Siren) "
        "WHERE n2.number = '555-01' AND n1.surname = 'Moss' RETURN DISTINCT n0.code AS code"
    )


@pytest.mark.parametrize("behind", ["to", "received by"])
def test_calls_to_somebody_are_no_callers(shown: Callable[[str], str], behind: str) -> None:
    assert shown(f"What are the siren calls {behind} the siren 555-01?") == (
        "MATCH (n0:SirenCall)-[:CALLED]->(n1:Siren) WHERE n1.number = '555-01' RETURN DISTINCT n0 AS node"
    )


def test_what_calls_something_calls(shown: Callable[[str], str]) -> None:
    found = shown("Which siren calls 555-01?")
    assert found.startswith("MATCH (n1:SirenCall)-[:CALLER]->(n0:Siren), (n1)-[:CALLED]->(n2:Siren)")


@pytest.mark.parametrize("end", ["called the number 555-01", "called the siren with the number 555-01"])
def test_the_ends_of_an_event_are_two_things(shown: Callable[[str], str], end: str) -> None:
    found = shown(f"Which sirens {end}?")
    assert "(n1)-[:CALLED]->(n2:Siren) WHERE n2.number = '555-01'" in found


def test_the_ends_of_an_event_are_not_held_for_one() -> None:
    best = READER.read("Which sirens called the number 555-01?").candidates[0]
    assert "r_retold" not in dict(best.features)
