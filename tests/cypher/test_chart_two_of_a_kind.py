"""Questions that speak of one more thing of a kind: "another raid, dated 3 May", "at the port of another"."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from cypher.semantics.lexicon import Verbalisation
from cypher.semantics.reader import SemanticReader
from cypher.semantics.values import ValueTable
from tests.cypher.small_schemas import invented_graph

SCHEMA, STORED = invented_graph("""
    Sailor 50: name, surname, badge
    Radio 50: number
    Message 90: kind, seconds, day date
    Raid 90: code, kind, day date
    Boat 40: reg, maker
    Port 20: name
    Squire 20: name, surname
    (Sailor)-[HAS_RADIO 50]->(Radio), (Sailor)-[KNOWS 30]->(Sailor), (Sailor)-[BUNKS_WITH 30]->(Sailor)
    (Sailor)-[TOOK_PART_IN 60]->(Raid), (Boat)-[MIXED_UP_IN 80]->(Raid), (Raid)-[LOGGED_BY 90]->(Squire)
    (Raid)-[OCCURRED_AT 90]->(Port), (Message)-[SENDER 90]->(Radio), (Message)-[RECEIVER 90]->(Radio)

    Sailor.name: Ann | Ben | Cleo
    Sailor.surname: Dahl | Moss | Rook
    Sailor.badge: B-101-7 | B-202-9
    Radio.number: 4-5550-1 | 4-5550-2 | 7-(243)275-1135
    Message.kind: ALARM | CHAT
    Message.seconds: 37 | 69
    Raid.code: R-1 | R-2
    Raid.kind: ambush | theft
    Raid.day: 2020-05-03 | 2020-05-04
    Boat.reg: XK-11 | XK-12
    Boat.maker: Comet | Dray
    Port.name: Hull | Visby
    Squire.name: Ida
    Squire.surname: Falk
""")
WORDS = Verbalisation.model_validate(
    {
        "labels": {"Sailor": ["person"]},
        "properties": {"Message.seconds": ["lasting", "seconds", "duration"]},
        "relations": {
            "HAS_RADIO": {"forward": ["has", "owns", "owner of"], "inverse": ["belongs to", "of"]},
            "KNOWS": {"forward": ["knows", "acquainted with"], "inverse": ["known by"]},
            "BUNKS_WITH": {"forward": ["lives with", "bunkmate", "bunkmates"]},
            "TOOK_PART_IN": {"forward": ["took part in", "party to"], "inverse": ["involving"]},
            "MIXED_UP_IN": {"forward": ["involved in", "committed with"], "inverse": ["involving"]},
            "LOGGED_BY": {"forward": ["logged by"], "inverse": ["logs", "logged"]},
            "OCCURRED_AT": {
                "forward": ["happened at", "occurred at", "took place at", "took place", "committed at"]
            },
            "SENDER": {"forward": ["sent from", "made from", "called by"], "inverse": ["sent", "made"]},
            "RECEIVER": {"forward": ["received by", "made to"], "inverse": ["received", "got"]},
        },
    }
)
READER = SemanticReader(SCHEMA, ValueTable(STORED), WORDS)

RIGHT = {
    "Which raids took place at the same port as another raid that took place on 2020-05-03?": (
        "(n0:Raid)-[:OCCURRED_AT]->(n1:Port), (n2:Raid)-[:OCCURRED_AT]->(n1) "
        "WHERE n2.day = date('2020-05-03')"
    ),
    "Count the raids that share their port with another raid, dated 2020-05-03.": (
        "(n0:Raid)-[:OCCURRED_AT]->(n1:Port), (n2:Raid)-[:OCCURRED_AT]->(n1) "
        "WHERE n2.day = date('2020-05-03')"
    ),
    "Which messages were made from a radio that also received another message, one of kind ALARM?": (
        "(n0:Message)-[:SENDER]->(n1:Radio), (n2:Message)-[:RECEIVER]->(n1) WHERE n2.kind = 'ALARM'"
    ),
    "Which messages were made from a radio that also received another message, of kind ALARM?": (
        "(n0:Message)-[:SENDER]->(n1:Radio), (n2:Message)-[:RECEIVER]->(n1) WHERE n2.kind = 'ALARM'"
    ),
    "Which messages were made from a radio that also received another, of kind ALARM?": (
        "(n0:Message)-[:SENDER]->(n1:Radio), (n2:Message)-[:RECEIVER]->(n1) WHERE n2.kind = 'ALARM'"
    ),
    "Which messages were made from a radio that also received another message, made from 4-5550-1?": (
        "(n0:Message)-[:SENDER]->(n1:Radio), (n2:Message)-[:RECEIVER]->(n1), (n2)-[:SENDER]->(n3:Radio) "
        "WHERE n3.number = '4-5550-1'"
    ),
    "Which squires logged a raid with a boat at a port named Hull and also have one whose kind is theft?": (
        "(n1:Raid)-[:LOGGED_BY]->(n0:Squire), (n2:Boat)-[:MIXED_UP_IN]->(n1), "
        "(n1)-[:OCCURRED_AT]->(n3:Port), (n4:Raid)-[:LOGGED_BY]->(n0) "
        "WHERE n3.name = 'Hull' AND n4.kind = 'theft'"
    ),
    "What is the number of raids whose squire also logged another raid, of the kind theft?": (
        "(n0:Raid)-[:LOGGED_BY]->(n1:Squire), (n2:Raid)-[:LOGGED_BY]->(n1) WHERE n2.kind = 'theft'"
    ),
    "Which boats are involved in a raid that took place at the same port as a different raid, a theft?": (
        "(n0:Boat)-[:MIXED_UP_IN]->(n1:Raid), (n1)-[:OCCURRED_AT]->(n2:Port), (n3:Raid)-[:OCCURRED_AT]->(n2) "
        "WHERE n3.kind = 'theft'"
    ),
    "Which squires logged a raid at the same port as another, of kind theft?": (
        "(n1:Raid)-[:LOGGED_BY]->(n0:Squire), (n1)-[:OCCURRED_AT]->(n2:Port), (n3:Raid)-[:OCCURRED_AT]->(n2) "
        "WHERE n3.kind = 'theft'"
    ),
    "Which boats were involved in a raid at a port where a different raid, a theft, occurred?": (
        "(n0:Boat)-[:MIXED_UP_IN]->(n1:Raid), (n1)-[:OCCURRED_AT]->(n2:Port), (n3:Raid)-[:OCCURRED_AT]->(n2) "
        "WHERE n3.kind = 'theft'"
    ),
    "Which raids occurred at the same port as another raid, logged by Ida Falk?": (
        "(n0:Raid)-[:OCCURRED_AT]->(n1:Port), (n2:Raid)-[:OCCURRED_AT]->(n1), "
        "(n2)-[:LOGGED_BY]->(n3:Squire) WHERE n3.name = 'Ida' AND n3.surname = 'Falk'"
    ),
    "How many sailors took part both in a theft and in another raid of 2020-05-03?": (
        "(n0:Sailor)-[:TOOK_PART_IN]->(n1:Raid), (n0)-[:TOOK_PART_IN]->(n2:Raid) "
        "WHERE n1.kind = 'theft' AND n2.day = date('2020-05-03')"
    ),
    "Which raids were logged by the same squire as a different raid, the port of which was Hull?": (
        "(n0:Raid)-[:LOGGED_BY]->(n1:Squire), (n2:Raid)-[:LOGGED_BY]->(n1), (n2)-[:OCCURRED_AT]->(n3:Port) "
        "WHERE n3.name = 'Hull'"
    ),
}
NEAR = {
    "Who knows another person with the surname Moss who took part in a theft?": (
        "(n0:Sailor)-[:KNOWS]->(n1:Sailor), (n1)-[:TOOK_PART_IN]->(n2:Raid) "
        "WHERE n1.surname = 'Moss' AND n2.kind = 'theft'"
    ),
    "How many messages were made from radios called by 4-5550-1?": (
        "(n0:Message)-[:SENDER]->(n1:Radio), (n2:Message)-[:RECEIVER]->(n1), (n2)-[:SENDER]->(n3:Radio) "
        "WHERE n3.number = '4-5550-1'"
    ),
    "Which messages sent from radios called by 4-5550-1 are of kind ALARM?": (
        "(n0:Message)-[:SENDER]->(n1:Radio), (n2:Message)-[:RECEIVER]->(n1), (n2)-[:SENDER]->(n3:Radio) "
        "WHERE n3.number = '4-5550-1' AND n0.kind = 'ALARM'"
    ),
    "How many sailors who know another person acquainted with Ann Dahl are there?": (
        "(n0:Sailor)-[:KNOWS]->(n1:Sailor), (n1)-[:KNOWS]->(n2:Sailor) "
        "WHERE n2.name = 'Ann' AND n2.surname = 'Dahl'"
    ),
    "Where was a theft involving a boat made by Dray committed?": (
        "(n1:Raid)-[:OCCURRED_AT]->(n0:Port), (n2:Boat)-[:MIXED_UP_IN]->(n1) "
        "WHERE n1.kind = 'theft' AND n2.maker = 'Dray'"
    ),
    "Which messages were sent from a radio that received a message lasting 37 seconds?": (
        "(n0:Message)-[:SENDER]->(n1:Radio), (n2:Message)-[:RECEIVER]->(n1) WHERE n2.seconds = '37'"
    ),
}
TURNED = {
    "Which radio's owner knows Ann Dahl?": (
        "(n1:Sailor)-[:HAS_RADIO]->(n0:Radio), (n1)-[:KNOWS]->(n2:Sailor) "
        "WHERE n2.name = 'Ann' AND n2.surname = 'Dahl' RETURN DISTINCT n0"
    ),
    "Whom does a person know whose radio is 4-5550-1?": (
        "(n1:Sailor)-[:KNOWS]->(n0:Sailor), (n1)-[:HAS_RADIO]->(n2:Radio) WHERE n2.number = '4-5550-1'"
    ),
    "By whom is the person known that has the radio 4-5550-1?": (
        "(n0:Sailor)-[:KNOWS]->(n1:Sailor), (n1)-[:HAS_RADIO]->(n2:Radio) WHERE n2.number = '4-5550-1'"
    ),
    "By whom is Ann Dahl known?": (
        "(n0:Sailor)-[:KNOWS]->(n1:Sailor) WHERE n1.name = 'Ann' AND n1.surname = 'Dahl'"
    ),
    "Which sailors' radios sent a message of kind ALARM?": (
        "(n0:Sailor)-[:HAS_RADIO]->(n1:Radio), (n2:Message)-[:SENDER]->(n1) WHERE n2.kind = 'ALARM' "
        "RETURN DISTINCT n0"
    ),
    "Which raids involve someone by whom Ann Dahl is known?": (
        "(n1:Sailor)-[:TOOK_PART_IN]->(n0:Raid), (n1)-[:KNOWS]->(n2:Sailor) "
        "WHERE n2.name = 'Ann' AND n2.surname = 'Dahl'"
    ),
    "On which day was the latest raid recorded that was logged by Ida Falk?": (
        "(n0:Raid)-[:LOGGED_BY]->(n1:Squire) WHERE n1.name = 'Ida' AND n1.surname = 'Falk' "
        "WITH max(n0.day) AS best"
    ),
    "On which radios were 7-(243)275-1135's messages received?": (
        "(n1:Message)-[:RECEIVER]->(n0:Radio), (n1)-[:SENDER]->(n2:Radio) WHERE n2.number = '7-(243)275-1135'"
    ),
}
POINTING = {
    "Ann Dahl knows some people, and in how many raids did they take part?": (
        "(n1:Sailor)-[:TOOK_PART_IN]->(n0:Raid), (n2:Sailor)-[:KNOWS]->(n1) "
        "WHERE n2.name = 'Ann' AND n2.surname = 'Dahl'"
    ),
    "The person who has the radio 4-5550-1 knows some people. Which badge does each of them have?": (
        "(n1:Sailor)-[:KNOWS]->(n0:Sailor), (n1)-[:HAS_RADIO]->(n2:Radio) WHERE n2.number = '4-5550-1'"
    ),
    "Ann Dahl has some bunkmates. In which raids did these bunkmates take part?": (
        "(n1:Sailor)-[:TOOK_PART_IN]->(n0:Raid), (n2:Sailor)-[:BUNKS_WITH]->(n1) "
        "WHERE n2.name = 'Ann' AND n2.surname = 'Dahl'"
    ),
    "A theft occurred at the same port as another raid; which boats were involved in this other raid?": (
        "(n0:Boat)-[:MIXED_UP_IN]->(n1:Raid), (n1)-[:OCCURRED_AT]->(n2:Port), (n3:Raid)-[:OCCURRED_AT]->(n2) "
        "WHERE n3.kind = 'theft'"
    ),
    "A theft occurred at the same port as another raid; which boats were involved in the latter raid?": (
        "(n0:Boat)-[:MIXED_UP_IN]->(n1:Raid), (n1)-[:OCCURRED_AT]->(n2:Port), (n3:Raid)-[:OCCURRED_AT]->(n2) "
        "WHERE n3.kind = 'theft'"
    ),
    "Ida Falk logged a theft and another raid too; which boats were involved in this second raid?": (
        "(n0:Boat)-[:MIXED_UP_IN]->(n1:Raid), (n1)-[:LOGGED_BY]->(n2:Squire), (n3:Raid)-[:LOGGED_BY]->(n2) "
        "WHERE n2.name = 'Ida' AND n2.surname = 'Falk' AND n3.kind = 'theft'"
    ),
    "Some people took part in a theft. In which other raids did these people take part?": (
        "(n1:Sailor)-[:TOOK_PART_IN]->(n0:Raid), (n1)-[:TOOK_PART_IN]->(n2:Raid) WHERE n2.kind = 'theft'"
    ),
    "A theft occurred at some port, and who took part there?": (
        "(n0:Sailor)-[:TOOK_PART_IN]->(n1:Raid), (n1)-[:OCCURRED_AT]->(n2:Port) WHERE n1.kind = 'theft'"
    ),
}


@pytest.mark.parametrize(("question", "expected"), POINTING.items())
def test_what_a_sentence_before_told_of(shown: Callable[[str], str], question: str, expected: str) -> None:
    assert f"MATCH {expected} RETURN" in shown(question)


@pytest.mark.parametrize(("question", "expected"), RIGHT.items())
def test_one_more_of_a_kind(shown: Callable[[str], str], question: str, expected: str) -> None:
    assert f"MATCH {expected} RETURN" in shown(question)


@pytest.mark.parametrize(("question", "expected"), NEAR.items())
def test_what_is_said_last_is_told_of_what_is_near(
    shown: Callable[[str], str], question: str, expected: str
) -> None:
    assert f"MATCH {expected} RETURN" in shown(question)


@pytest.mark.parametrize(("question", "expected"), TURNED.items())
def test_turned_round(shown: Callable[[str], str], question: str, expected: str) -> None:
    assert f"MATCH {expected}" in shown(question)


def test_a_comma_alone_makes_no_choice(shown: Callable[[str], str]) -> None:
    told = shown("How many raids were logged by a squire who logged another raid, of kind theft?")
    assert "OR" not in told
    assert "n2.kind = 'theft'" in told
    either = shown("Which sailors know Ann Dahl, Ben Moss or Cleo Rook?")
    assert either.count("EXISTS") == 3


def test_a_person_may_know_two_who_are_told_apart(shown: Callable[[str], str]) -> None:
    found = shown("Whom does a different person whose badge is B-101-7 know?")
    assert "MATCH (n1:Sailor)-[:KNOWS]->(n0:Sailor) WHERE n1.badge = 'B-101-7'" in found
