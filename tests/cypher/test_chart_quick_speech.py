"""Questions as people type them in a hurry: clipped, turned round, with "the one" and "no" for a number."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from cypher.semantics.lexicon import Verbalisation
from cypher.semantics.reader import SemanticReader
from cypher.semantics.values import ValueTable
from tests.cypher.small_schemas import invented_graph

SCHEMA, STORED = invented_graph("""
    Sailor 50: name, surname, age integer, badge
    Radio 50: number
    Mishap 90: code, kind, day date
    Boat 40: reg, maker
    Harbour 20: name
    (Sailor)-[HAS_RADIO 50]->(Radio), (Sailor)-[BUNKS_WITH 30]->(Sailor), (Sailor)-[KNOWS 30]->(Sailor)
    (Boat)-[MIXED_UP_IN 80]->(Mishap), (Mishap)-[LOGGED_BY 90]->(Sailor), (Mishap)-[OCCURRED_AT 90]->(Harbour)

    Sailor.name: Ann | Ben | Cleo
    Sailor.surname: Dahl | Moss | Rook
    Sailor.badge: B-101-7 | B-202-9
    Radio.number: 4-5550-1 | 4-5550-2
    Mishap.code: M-1 | M-2
    Mishap.kind: boat mishap | grounding
    Boat.reg: XK-11 | XK-12
    Boat.maker: Comet | Dray
    Harbour.name: Hull | Visby
""")
WORDS = Verbalisation.model_validate(
    {
        "labels": {"Mishap": ["accident"], "Sailor": ["person", "guy"]},
        "relations": {
            "BUNKS_WITH": {"forward": ["lives with", "living with", "bunkmate"]},
            "KNOWS": {"forward": ["knows", "acquainted with"], "inverse": ["known by", "known to"]},
            "HAS_RADIO": {"forward": ["has", "owns"], "inverse": ["belongs to"]},
            "MIXED_UP_IN": {"forward": ["mixed up in", "involved in"], "inverse": ["involving"]},
            "LOGGED_BY": {"forward": ["logged by"], "inverse": ["logs", "logged"]},
            "OCCURRED_AT": {"forward": ["happened at", "occurred at", "at"]},
        },
    }
)
READER = SemanticReader(SCHEMA, ValueTable(STORED), WORDS)


@pytest.mark.parametrize(
    "question",
    [
        "who owns the radio with no 4-5550-1",
        "look up who owns the radio with no. 4-5550-1",
        "who has 4-5550-1 as the radio number",
    ],
)
def test_no_before_a_number_denies_nothing(shown: Callable[[str], str], question: str) -> None:
    assert shown(question) == (
        "MATCH (n0:Sailor)-[:HAS_RADIO]->(n1:Radio) WHERE n1.number = '4-5550-1' "
        "RETURN DISTINCT n0.name AS name"
    )


def test_no_still_denies(shown: Callable[[str], str]) -> None:
    assert "NOT EXISTS" in shown("Which sailors have no radio?")


@pytest.mark.parametrize(
    "question",
    [
        "the people Ann Dahl lives with",
        "people that Ann Dahl lives with",
        "Ann Dahl, who does she live with?",
    ],
)
def test_the_people_somebody_lives_with_are_others(shown: Callable[[str], str], question: str) -> None:
    assert shown(question) == (
        "MATCH (n1:Sailor)-[:BUNKS_WITH]->(n0:Sailor) WHERE n1.name = 'Ann' AND n1.surname = 'Dahl' "
        "RETURN DISTINCT n0.name AS name"
    )


@pytest.mark.parametrize(
    "question",
    [
        "Ann Dahl, who lives with her?",
        "the one living with Ann Dahl",
        "the ones who live with Ann Dahl",
        "find the one who lives with Ann Dahl",
    ],
)
def test_who_lives_with_her_is_not_she(shown: Callable[[str], str], question: str) -> None:
    assert shown(question).startswith(
        "MATCH (n0:Sailor)-[:BUNKS_WITH]->(n1:Sailor) WHERE n1.name = 'Ann' AND n1.surname = 'Dahl' RETURN"
    )


@pytest.mark.parametrize("said", ["those acquainted with Ann Dahl", "Who is acquainted with Ann Dahl?"])
def test_those_acquainted_are_asked_for(shown: Callable[[str], str], said: str) -> None:
    assert shown(said) == (
        "MATCH (n0:Sailor)-[:KNOWS]->(n1:Sailor) WHERE n1.name = 'Ann' AND n1.surname = 'Dahl' "
        "RETURN DISTINCT n0.name AS name"
    )


@pytest.mark.parametrize("said", ["How many know Ann Dahl?", "By what number of people is Ann Dahl known?"])
def test_how_many_do_something(shown: Callable[[str], str], said: str) -> None:
    assert shown(said) == (
        "MATCH (n0:Sailor)-[:KNOWS]->(n1:Sailor) WHERE n1.name = 'Ann' AND n1.surname = 'Dahl' "
        "RETURN count(DISTINCT n0) AS count"
    )


@pytest.mark.parametrize(
    "said", ["Who knows the one with badge B-101-7?", "The one with badge B-101-7 is known by whom?"]
)
def test_the_one_is_of_the_kind_that_has_what_is_told(shown: Callable[[str], str], said: str) -> None:
    assert shown(said) == (
        "MATCH (n0:Sailor)-[:KNOWS]->(n1:Sailor) WHERE n1.badge = 'B-101-7' RETURN DISTINCT n0.name AS name"
    )


@pytest.mark.parametrize(
    "said",
    [
        "mishaps a boat made by Dray was mixed up in",
        "mishaps the boat of maker Dray was mixed up in",
        "mishaps with a boat of maker Dray mixed up in them",
    ],
)
def test_a_clause_may_open_with_an_article(shown: Callable[[str], str], said: str) -> None:
    found = shown(said)
    assert found.startswith("MATCH (n1:Boat)-[:MIXED_UP_IN]->(n0:Mishap) WHERE n1.maker = 'Dray' RETURN")


@pytest.mark.parametrize(
    "said",
    [
        "mishaps in which a boat of maker Dray was involved or mixed up",
        "mishaps that a boat of maker Dray was involved or mixed up in",
    ],
)
def test_two_verbs_for_one_relation_have_one_subject(shown: Callable[[str], str], said: str) -> None:
    assert shown(said) == (
        "MATCH (n1:Boat)-[:MIXED_UP_IN]->(n0:Mishap) WHERE n1.maker = 'Dray' RETURN DISTINCT n0.code AS code"
    )


def test_two_nouns_with_an_article_between_are_no_kind(shown: Callable[[str], str]) -> None:
    assert "boat mishap" not in shown("mishaps of the boat XK-11")


@pytest.mark.parametrize(
    "said", ["mishaps that happened 3/05/2017", "the 3/05/2017 mishaps", "mishaps which occurred 3/05/2017"]
)
def test_a_day_without_on(shown: Callable[[str], str], said: str) -> None:
    assert (
        shown(said) == "MATCH (n0:Mishap) WHERE n0.day = date('2017-05-03') RETURN DISTINCT n0.code AS code"
    )


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (
            "Where did accidents happen that Ann Dahl logged?",
            "MATCH (n1:Mishap)-[:OCCURRED_AT]->(n0:Harbour), (n1)-[:LOGGED_BY]->(n2:Sailor) "
            "WHERE n2.name = 'Ann' AND n2.surname = 'Dahl' RETURN DISTINCT n0.name AS name",
        ),
        (
            "Ann Dahl knows some people, list their badge",
            "MATCH (n1:Sailor)-[:KNOWS]->(n0:Sailor) WHERE n1.name = 'Ann' AND n1.surname = 'Dahl' "
            "RETURN DISTINCT n0.badge AS badge",
        ),
        (
            "boats where the maker is Dray, I want to see them all",
            "MATCH (n0:Boat) WHERE n0.maker = 'Dray' RETURN DISTINCT n0.reg AS reg",
        ),
    ],
)
def test_turned_round(shown: Callable[[str], str], said: str, expected: str) -> None:
    assert shown(said) == expected


def test_the_oldest_of_them_is_of_the_many(shown: Callable[[str], str]) -> None:
    found = shown("Ann Dahl knows some people. Which is the oldest of them?")
    assert "(n1:Sailor)-[:KNOWS]->(n0:Sailor) WHERE n1.name = 'Ann'" in found
    assert "max(n0.age)" in found
