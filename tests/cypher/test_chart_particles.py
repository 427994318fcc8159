"""Verbs with particles, things that are had to do with others, and events counted, on an invented coast."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from cypher.semantics.reader import SemanticReader
from cypher.semantics.values import ValueTable
from tests.cypher.small_schemas import invented_graph

SCHEMA, STORED = invented_graph("""
    Sailor 40: name, surname
    Radio 40: tag
    RadioCall 40 unnamed: date, duration integer
    Mishap 40 unnamed: kind
    Harbour 40: name, draught integer
    Warden 40: name
    Coast 40: name
    (Sailor)-[KNOWS 20]->(Sailor), (Sailor)-[HAS_RADIO 20]->(Radio), (RadioCall)-[CALLER 20]->(Radio)
    (RadioCall)-[CALLED 20]->(Radio), (Sailor)-[PARTY_TO 20]->(Mishap), (Mishap)-[OCCURRED_AT 20]->(Harbour)
    (Mishap)-[INVESTIGATED_BY 20]->(Warden), (Harbour)-[LOCATED_IN 20]->(Coast)

    Sailor.name: Tove | Arne
    Sailor.surname: Dahl | Krog
    Radio.tag: R-19
    RadioCall.date: 03/09/2021
    Mishap.kind: Grounding
    Harbour.name: Skarvik
    Warden.name: Sten
    Coast.name: Ytre
""")
READER = SemanticReader(SCHEMA, ValueTable(STORED))
RECEIVED = (
    "MATCH (n0:RadioCall)-[:CALLED]->(n1:Radio), (n2:Sailor)-[:HAS_RADIO]->(n1) WHERE n2.name = 'Tove' "
)
SENT = "MATCH (n0:RadioCall)-[:CALLER]->(n1:Radio), (n2:Sailor)-[:HAS_RADIO]->(n1) WHERE n2.name = 'Tove' "


@pytest.mark.parametrize(
    ("question", "cypher"),
    [
        ("Which radio calls came through to Tove?", RECEIVED),
        ("Which radio calls came in on the radio of Tove?", RECEIVED),
        ("Which incoming radio calls did Tove get?", RECEIVED),
        ("Which radio calls went out from the radio of Tove?", SENT),
        ("Which outgoing radio calls of Tove are there?", SENT),
    ],
)
def test_a_particle_belongs_to_the_verb_before_it(
    shown: Callable[[str], str], question: str, cypher: str
) -> None:
    assert shown(question).startswith(cypher)


@pytest.mark.parametrize(
    "question", ["Which mishaps went on at Skarvik?", "Which mishaps came about in Skarvik?"]
)
def test_what_went_on_at_a_place(shown: Callable[[str], str], question: str) -> None:
    expected = "MATCH (n0:Mishap)-[:OCCURRED_AT]->(n1:Harbour) WHERE n1.name = 'Skarvik'"
    assert shown(question).startswith(expected)


@pytest.mark.parametrize("verb", ["were taken on by", "are in the hands of"])
def test_who_took_a_mishap_on(shown: Callable[[str], str], verb: str) -> None:
    expected = "MATCH (n0:Mishap)-[:INVESTIGATED_BY]->(n1:Warden) WHERE n1.name = 'Sten'"
    assert shown(f"Which mishaps {verb} Sten?").startswith(expected)


@pytest.mark.parametrize(
    "said", ["had to do", "had something to do", "has a link", "had a connection", "has dealings"]
)
def test_what_is_had_to_do_with_things(shown: Callable[[str], str], said: str) -> None:
    word = "to" if said == "has a link" else "with"
    expected = "MATCH (n0:Sailor)-[:PARTY_TO]->(n1:Mishap) WHERE n1.kind = 'Grounding'"
    assert shown(f"Which sailors {said} {word} a grounding mishap?").startswith(expected)


def test_nothing_to_do_with_things(shown: Callable[[str], str]) -> None:
    found = shown("Which sailors had nothing to do with a grounding mishap?")
    assert "NOT EXISTS { MATCH (n0)-[:PARTY_TO]->(n1:Mishap) WHERE n1.kind = 'Grounding' }" in found


@pytest.mark.parametrize(
    ("question", "cypher"),
    [
        ("How often did Tove call?", SENT),
        ("How many times did Tove call?", SENT),
        ("How often was Tove called?", RECEIVED),
    ],
)
def test_how_often_counts_what_happened(shown: Callable[[str], str], question: str, cypher: str) -> None:
    assert shown(question) == f"{cypher}RETURN count(DISTINCT n0) AS count"


def test_how_often_somebody_called_somebody(shown: Callable[[str], str]) -> None:
    found = shown("How often did Tove call Arne?")
    assert found.startswith(SENT.split(" WHERE", maxsplit=1)[0])
    assert "(n0)-[:CALLED]->(n3:Radio), (n4:Sailor)-[:HAS_RADIO]->(n3)" in found
    assert found.endswith("RETURN count(DISTINCT n0) AS count")


@pytest.mark.parametrize("verb", ["ran for", "went on for", "lasted"])
def test_how_long_something_runs(shown: Callable[[str], str], verb: str) -> None:
    expected = "MATCH (n0:RadioCall) WHERE n0.duration < 15 "
    assert shown(f"Which radio calls {verb} less than 15 seconds?").startswith(expected)


@pytest.mark.parametrize(
    "said",
    [
        "with either of the surnames Dahl and Krog",
        "who have Dahl or Krog for a surname",
        "with Dahl or Krog as their surname",
    ],
)
def test_either_of_two_surnames(shown: Callable[[str], str], said: str) -> None:
    expected = "MATCH (n0:Sailor) WHERE n0.surname IN ('Dahl', 'Krog') RETURN"
    found = shown(f"List the sailors {said}.")
    assert found.replace("[", "(").replace("]", ")").startswith(expected)


def test_two_words_for_one_kind(shown: Callable[[str], str]) -> None:
    assert shown("Which sailor or sailors know Tove?") == shown("Which sailors know Tove?")


def test_a_number_sign_denies_nothing(shown: Callable[[str], str]) -> None:
    assert shown("Which radio calls were made from radio no. R-19?").endswith(
        "WHERE n1.tag = 'R-19' RETURN DISTINCT n0 AS node"
    )


@pytest.mark.parametrize("said", ["claims to know", "can say she knows"])
def test_who_says_that_she_knows_somebody(shown: Callable[[str], str], said: str) -> None:
    expected = "MATCH (n0:Sailor)-[:KNOWS]->(n1:Sailor) WHERE n1.name = 'Tove'"
    assert shown(f"Who {said} Tove?").startswith(expected)


@pytest.mark.parametrize(
    ("question", "cypher"),
    [
        ("Which mishaps blighted the coast Ytre?", "(n2:Coast) WHERE n2.name = 'Ytre'"),
        ("Which harbours are the pride and joy within the coast Ytre?", "WHERE n1.name = 'Ytre'"),
        ("Which sailors were in at the deep end for a grounding mishap?", "WHERE n1.kind = 'Grounding'"),
    ],
)
def test_words_that_say_nothing_tie_what_they_stand_between(
    shown: Callable[[str], str], question: str, cypher: str
) -> None:
    assert cypher in shown(question)


def test_words_that_say_nothing_are_not_passed_over_in_silence() -> None:
    reading = READER.read("Which mishaps utterly blighted the poor old coast Ytre?")
    assert {"utterly", "blighted"} & set(reading.linked.unexplained)
    assert reading.confidence < READER.read("Which mishaps occurred on the coast Ytre?").confidence


@pytest.mark.parametrize("front", ["in which a sailor came up", "in which a sailor got caught up"])
def test_a_clause_whose_verb_tells_nothing(shown: Callable[[str], str], front: str) -> None:
    assert "(n1:Sailor)-[:PARTY_TO]->(n0:Mishap)" in shown(f"Which are the mishaps {front}?")


@pytest.mark.parametrize(
    ("question", "operator"),
    [
        ("ended in under 93 seconds", "< 93"),
        ("finished within 93 seconds", "<= 93"),
        ("ended after 93 seconds", "= 93"),
    ],
)
def test_how_soon_something_ended(shown: Callable[[str], str], question: str, operator: str) -> None:
    assert f"WHERE n0.duration {operator} " in shown(f"Which radio calls {question}?")


def test_a_full_name_behind_the_name(shown: Callable[[str], str]) -> None:
    found = shown("Which radios belong to the sailor whose name is Tove Dahl?")
    assert "WHERE n1.name = 'Tove' AND n1.surname = 'Dahl'" in found


def test_what_lies_behind_a_place_is_counted_over_all_places(shown: Callable[[str], str]) -> None:
    found = shown("Which coasts saw the most mishaps?")
    assert found.startswith(
        "MATCH (n1:Harbour)-[:LOCATED_IN]->(n0:Coast), (n2:Mishap)-[:OCCURRED_AT]->(n1) "
        "WITH n0, count(DISTINCT n2) AS counted"
    )


@pytest.mark.parametrize("joined", ["and with", "and also with"])
def test_another_person_is_not_the_first_one(shown: Callable[[str], str], joined: str) -> None:
    question = (
        f"Which sailors are acquainted with somebody named Tove {joined} somebody whose surname is Dahl?"
    )
    found = shown(question)
    assert "(n0)-[:KNOWS]->(n2:Sailor) WHERE n1.name = 'Tove' AND n2.surname = 'Dahl'" in found
