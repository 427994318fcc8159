"""Who does it and to whom it is done, what happens where, and other words for both, on wardens' huts."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from cypher.semantics.lexicon import RelationWords, Verbalisation
from cypher.semantics.reader import SemanticReader
from cypher.semantics.values import ValueTable
from tests.cypher.small_schemas import invented_graph

SCHEMA, STORED = invented_graph("""
    Person 40: name, surname
    Radio 40: serial
    Raid 40: code, date, kind
    Hut 40: title
    Valley 40: title
    Trail 40: number
    Tool 40: brand
    RadioCall 40 unnamed: call_kind, call_date
    (Person)-[KNOWS 20]->(Person), (Person)-[KNOWS_RADIO 20]->(Person)
    (Person)-[KIN_REL 20: kin_kind]->(Person), (Person)-[HAS_RADIO 20]->(Radio)
    (Person)-[PARTY_TO 20]->(Raid), (Raid)-[OCCURRED_AT 20]->(Hut), (Hut)-[HUT_IN_VALLEY 20]->(Valley)
    (Trail)-[TRAIL_IN_VALLEY 20]->(Valley), (Hut)-[HAS_TRAIL 20]->(Trail), (Tool)-[INVOLVED_IN 20]->(Raid)
    (RadioCall)-[CALLER 20]->(Radio), (RadioCall)-[CALLED 20]->(Radio)

    Person.name: Orsolya
    Person.surname: Veress
    Radio.serial: R-204
    Hut.title: Low Pass
    Valley.title: Kestrel Dale
    Tool.brand: Kestrel Dale
    Trail.number: T9
    Raid.date: 03/09/2021 | 17/10/2021
    Raid.kind: Arson
    RadioCall.call_date: 03/09/2021
    RadioCall.call_kind: Voice
    KIN_REL.kin_kind: sibling
""")
WORDS = Verbalisation(
    labels={"RadioCall": ("call", "radio call"), "Hut": ("building",)},
    relations={
        "KNOWS": RelationWords(forward=("knows", "familiar with"), inverse=("known to", "known by")),
        "CALLER": RelationWords(inverse=("called", "rang")),
        "CALLED": RelationWords(inverse=("rung by", "got")),
        "HAS_TRAIL": RelationWords(forward=("comes under",)),
        "PARTY_TO": RelationWords(forward=("linked to", "committed")),
    },
)
READER = SemanticReader(SCHEMA, ValueTable(STORED), WORDS)
_AT = "split(n0.date, '/')[2] + '-' + right('0' + split(n0.date, '/')[1], 2) + '-' + right('0' + split(n0.date, '/')[0], 2)"  # noqa: E501
_KNOWN = "(n1:Person)-[:KNOWS]->(n0:Person) WHERE n1.name = 'Orsolya' RETURN DISTINCT n0.name AS name"
_KNOWER = "(n0:Person)-[:KNOWS]->(n1:Person) WHERE n1.name = 'Orsolya' RETURN DISTINCT n0.name AS name"


@pytest.mark.parametrize(
    ("question", "cypher"),
    [
        (
            "Which huts were hit by a raid?",
            "(n1:Raid)-[:OCCURRED_AT]->(n0:Hut) RETURN DISTINCT n0.title AS title",
        ),
        (
            "Which raids struck Low Pass?",
            "(n0:Raid)-[:OCCURRED_AT]->(n1:Hut) WHERE n1.title = 'Low Pass' RETURN DISTINCT n0.code AS code",
        ),
        (
            "How often did raids strike at Low Pass?",
            "(n0:Raid)-[:OCCURRED_AT]->(n1:Hut) WHERE n1.title = 'Low Pass' RETURN count(DISTINCT n0) "
            "AS count",
        ),
        (
            "Which valley was hit by the most raids?",
            "(n1:Hut)-[:HUT_IN_VALLEY]->(n0:Valley), (n2:Raid)-[:OCCURRED_AT]->(n1) WITH n0, "
            "count(DISTINCT n2) AS counted RETURN DISTINCT n0.title AS title, counted AS count "
            "ORDER BY counted DESC LIMIT 1",
        ),
        (
            "Which valley suffered more than 5 raids?",
            "(n1:Hut)-[:HUT_IN_VALLEY]->(n0:Valley), (n2:Raid)-[:OCCURRED_AT]->(n1) WITH n0, "
            "count(DISTINCT n2) AS counted WHERE counted > 5 RETURN DISTINCT n0.title AS title, "
            "counted AS count",
        ),
        (
            "Which raids hit a building in Kestrel Dale?",
            "(n0:Raid)-[:OCCURRED_AT]->(n1:Hut), (n1)-[:HUT_IN_VALLEY]->(n2:Valley) WHERE n2.title = "
            "'Kestrel Dale' RETURN DISTINCT n0.code AS code",
        ),
        (
            "List the raid scenes of raids of kind Arson.",
            "(n1:Raid)-[:OCCURRED_AT]->(n0:Hut) WHERE n1.kind = 'Arson' RETURN DISTINCT n0.title AS title",
        ),
        (
            "How many raids in Kestrel Dale were there?",
            "(n0:Raid)-[:OCCURRED_AT]->(n1:Hut), (n1)-[:HUT_IN_VALLEY]->(n2:Valley) WHERE n2.title = "
            "'Kestrel Dale' RETURN count(DISTINCT n0) AS count",
        ),
        (
            "Which trails come under Kestrel Dale?",
            "(n0:Trail)-[:TRAIL_IN_VALLEY]->(n1:Valley) WHERE n1.title = 'Kestrel Dale' RETURN DISTINCT "
            "n0.number AS number",
        ),
        (
            "Which valley holds the most huts?",
            "(n1:Hut)-[:HUT_IN_VALLEY]->(n0:Valley) WITH n0, count(DISTINCT n1) AS counted RETURN "
            "DISTINCT n0.title AS title, counted AS count ORDER BY counted DESC LIMIT 1",
        ),
    ],
)
def test_what_happens_somewhere_and_what_lies_there(
    question: str, cypher: str, shown: Callable[[str], str]
) -> None:
    assert shown(question).removeprefix("MATCH ") == cypher


@pytest.mark.parametrize(
    ("question", "cypher"),
    [
        (
            "Which raids were committed before 17 October 2021?",
            f"(n0:Raid) WHERE {_AT} < '2021-10-17' RETURN DISTINCT n0.code AS code",
        ),
        (
            "Which raids were committed by Orsolya before 17 October 2021?",
            f"(n1:Person)-[:PARTY_TO]->(n0:Raid) WHERE n1.name = 'Orsolya' AND {_AT} < '2021-10-17' "
            "RETURN DISTINCT n0.code AS code",
        ),
        (
            "Which raids took place by 17 October 2021?",
            f"(n0:Raid) WHERE {_AT} <= '2021-10-17' RETURN DISTINCT n0.code AS code",
        ),
    ],
)
def test_a_deed_told_by_its_day_needs_no_doer(
    question: str, cypher: str, shown: Callable[[str], str]
) -> None:
    assert shown(question).removeprefix("MATCH ") == cypher


@pytest.mark.parametrize(
    ("question", "cypher"),
    [
        ("Who claims to know Orsolya?", _KNOWER),
        ("Who can say they know Orsolya?", _KNOWER),
        ("Who has a 'knows' link to Orsolya?", _KNOWER),
        ("Whom does Orsolya report knowing?", _KNOWN),
        ("Who is familiar to Orsolya?", _KNOWN),
        ("Who is no stranger to Orsolya?", _KNOWN),
        ("Who is linked to Orsolya by kin?", _KNOWER.replace("KNOWS", "KIN_REL")),
        ("To whom is Orsolya's radio known?", _KNOWER.replace("KNOWS", "KNOWS_RADIO")),
        (
            "List the people to whom the radio of Orsolya is familiar.",
            _KNOWER.replace("KNOWS", "KNOWS_RADIO"),
        ),
        ("Who has a note of the radio of Orsolya?", _KNOWER.replace("KNOWS", "KNOWS_RADIO")),
        ("Whose radio is familiar to Orsolya?", _KNOWN.replace("KNOWS", "KNOWS_RADIO")),
        ("Who holds Orsolya's radio?", _KNOWER.replace("KNOWS", "KNOWS_RADIO")),
        ("Whose radio has Orsolya got?", _KNOWN.replace("KNOWS", "KNOWS_RADIO")),
    ],
)
def test_who_knows_whom(question: str, cypher: str, shown: Callable[[str], str]) -> None:
    assert shown(question).removeprefix("MATCH ") == cypher


@pytest.mark.parametrize("question", ["Who are Orsolya's siblings?", "Who is a sibling of Orsolya?"])
def test_a_mutual_kind_is_told_of_who_is_asked_about(question: str, shown: Callable[[str], str]) -> None:
    assert shown(question) == (
        "MATCH (n0:Person)-[r0:KIN_REL]->(n1:Person) WHERE n1.name = 'Orsolya' AND "
        "r0.kin_kind = 'sibling' RETURN DISTINCT n0.name AS name"
    )


@pytest.mark.parametrize(
    ("question", "cypher"),
    [
        (
            "Which radios did Orsolya ring?",
            "(n1:RadioCall)-[:CALLED]->(n0:Radio), (n1)-[:CALLER]->(n2:Radio), "
            "(n3:Person)-[:HAS_RADIO]->(n2) WHERE n3.name = 'Orsolya' RETURN DISTINCT n0.serial AS serial",
        ),
        (
            "List the radios from which a call was made to Orsolya.",
            "(n1:RadioCall)-[:CALLER]->(n0:Radio), (n1)-[:CALLED]->(n2:Radio), "
            "(n3:Person)-[:HAS_RADIO]->(n2) WHERE n3.name = 'Orsolya' RETURN DISTINCT n0.serial AS serial",
        ),
        (
            "List the outgoing calls of Orsolya.",
            "(n0:RadioCall)-[:CALLER]->(n1:Radio), (n2:Person)-[:HAS_RADIO]->(n1) WHERE "
            "n2.name = 'Orsolya' RETURN DISTINCT n0 AS node",
        ),
        (
            "List the incoming calls to R-204.",
            "(n0:RadioCall)-[:CALLED]->(n1:Radio) WHERE n1.serial = 'R-204' RETURN DISTINCT n0 AS node",
        ),
        (
            "List the calls from R-204 to Orsolya.",
            "(n0:RadioCall)-[:CALLER]->(n1:Radio), (n0)-[:CALLED]->(n2:Radio), "
            "(n3:Person)-[:HAS_RADIO]->(n2) WHERE n1.serial = 'R-204' AND n3.name = 'Orsolya' RETURN "
            "DISTINCT n0 AS node",
        ),
        (
            "How many calls did Orsolya get?",
            "(n0:RadioCall)-[:CALLED]->(n1:Radio), (n2:Person)-[:HAS_RADIO]->(n1) WHERE "
            "n2.name = 'Orsolya' RETURN count(DISTINCT n0) AS count",
        ),
        (
            "Which calls were made by people never involved in a raid?",
            "(n0:RadioCall)-[:CALLER]->(n1:Radio), (n2:Person)-[:HAS_RADIO]->(n1) WHERE NOT EXISTS { "
            "MATCH (n2)-[:PARTY_TO]->(n3:Raid) } RETURN DISTINCT n0 AS node",
        ),
        (
            "Who called the radio on file for Orsolya?",
            "(n0:Person)-[:HAS_RADIO]->(n1:Radio), (n2:RadioCall)-[:CALLER]->(n1), "
            "(n2)-[:CALLED]->(n3:Radio), (n4:Person)-[:HAS_RADIO]->(n3) WHERE n4.name = 'Orsolya' "
            "RETURN DISTINCT n0.name AS name",
        ),
    ],
)
def test_who_calls_and_who_is_called(question: str, cypher: str, shown: Callable[[str], str]) -> None:
    assert shown(question).removeprefix("MATCH ") == cypher


@pytest.mark.parametrize(
    ("question", "limits"),
    [
        ("Which people carry the surname Veress?", "n0.surname = 'Veress'"),
        ("Who answers to the surname Veress?", "n0.surname = 'Veress'"),
        ("Which people go by the name Orsolya Veress?", "n0.name = 'Orsolya' AND n0.surname = 'Veress'"),
    ],
)
def test_ways_to_bear_a_name(question: str, limits: str, shown: Callable[[str], str]) -> None:
    assert shown(question) == f"MATCH (n0:Person) WHERE {limits} RETURN DISTINCT n0.name AS name"


@pytest.mark.parametrize(
    ("question", "cypher"),
    [
        (
            "Which raids hit the hut known as 'Low Pass'?",
            "(n0:Raid)-[:OCCURRED_AT]->(n1:Hut) WHERE n1.title = 'Low Pass' RETURN DISTINCT n0.code AS code",
        ),
        ("Who knows the person known as Orsolya?", _KNOWER),
        (
            "Which people are listed as party to a raid?",
            "(n0:Person)-[:PARTY_TO]->(n1:Raid) RETURN DISTINCT n0.name AS name",
        ),
        (
            "List the radios whose owner appears as a party to a raid of 03/09/2021.",
            "(n2:Person)-[:HAS_RADIO]->(n0:Radio), (n2)-[:PARTY_TO]->(n1:Raid) WHERE n1.date = "
            "'03/09/2021' RETURN DISTINCT n0.serial AS serial",
        ),
        (
            "Who knows people with Veress as their surname?",
            "(n0:Person)-[:KNOWS]->(n1:Person) WHERE n1.surname = 'Veress' RETURN DISTINCT n0.name AS name",
        ),
        (
            "Which raids are booked as Arson?",
            "(n0:Raid) WHERE n0.kind = 'Arson' RETURN DISTINCT n0.code AS code",
        ),
        (
            "Which valley comprises the hut whose text is 'Low Pass'?",
            "(n1:Hut)-[:HUT_IN_VALLEY]->(n0:Valley) WHERE n1.title = 'Low Pass' RETURN DISTINCT n0.title "
            "AS title",
        ),
        (
            "Who knows the owner of the radio reachable under R-204?",
            "(n0:Person)-[:KNOWS]->(n1:Person), (n1)-[:HAS_RADIO]->(n2:Radio) WHERE n2.serial = 'R-204' "
            "RETURN DISTINCT n0.name AS name",
        ),
        (
            "Of the huts, how many are in the same valley as the hut with 'Low Pass' as its title?",
            "(n0:Hut)-[:HUT_IN_VALLEY]->(n1:Valley), (n2:Hut)-[:HUT_IN_VALLEY]->(n1) WHERE n2.title = "
            "'Low Pass' RETURN count(DISTINCT n0) AS count",
        ),
        (
            "Which people know a man or woman who was party to a raid?",
            "(n0:Person)-[:KNOWS]->(n1:Person), (n1)-[:PARTY_TO]->(n2:Raid) RETURN DISTINCT n0.name AS name",
        ),
        (
            "Who knows the person in whose name the radio R-204 is registered?",
            "(n0:Person)-[:KNOWS]->(n1:Person), (n1)-[:HAS_RADIO]->(n2:Radio) WHERE n2.serial = 'R-204' "
            "RETURN DISTINCT n0.name AS name",
        ),
    ],
)
def test_what_things_are_known_and_listed_as(question: str, cypher: str, shown: Callable[[str], str]) -> None:
    assert shown(question).removeprefix("MATCH ") == cypher
