"""Things by how often a clause holds of them: "which radio does Ann hail most often"."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from cypher.semantics.lexicon import Verbalisation
from cypher.semantics.reader import SemanticReader
from cypher.semantics.values import ValueTable
from tests.cypher.small_schemas import invented_graph

SCHEMA, STORED = invented_graph("""
    Sailor 50: name, age integer
    Radio 50: number
    Signal 90 unnamed: day date, length integer
    Berth 90: number
    Port 9: name
    Raid 30: code, day date, kind
    Boat 9: name, motto
    (Sailor)-[HAS_RADIO 50]->(Radio), (Signal)-[HAILER 90]->(Radio), (Signal)-[HAILED 90]->(Radio)
    (Sailor)-[MOORS_AT 50]->(Berth), (Berth)-[PART_OF 90]->(Port), (Raid)-[HIT 30]->(Berth)
    (Boat)-[JOINED 30]->(Raid), (Sailor)-[KNOWS 20]->(Sailor)

    Sailor.name: Ann | Ben
    Radio.number: R-1 | R-2
    Port.name: Hull
    Raid.kind: theft | arson
""")
WORDS = Verbalisation.model_validate(
    {
        "relations": {
            "HAILER": {"forward": ["sent from", "sent by"], "inverse": ["sent", "hailed"]},
            "HAILED": {
                "forward": ["received by", "sent to", "hailed by"],
                "inverse": ["received", "was hailed by"],
            },
            "HIT": {"forward": ["hits", "happened at"], "inverse": ["was hit by"]},
        }
    }
)
READER = SemanticReader(SCHEMA, ValueTable(STORED), WORDS)


@pytest.mark.parametrize(
    "question",
    ["Which radios are most often hailed by Ann?", "Which radio was hailed most often by Ann?"],
)
def test_what_happened_is_counted_not_who_did_it(shown: Callable[[str], str], question: str) -> None:
    found = shown(question)
    assert "(n1:Signal)-[:HAILED]->(n0:Radio), (n1)-[:HAILER]->(n2:Radio)" in found
    assert "WITH n0, count(DISTINCT n1) AS counted" in found


def test_things_of_a_kind_are_counted(shown: Callable[[str], str]) -> None:
    assert shown("In which port do thefts happen most often?") == (
        "MATCH (n1:Berth)-[:PART_OF]->(n0:Port), (n2:Raid)-[:HIT]->(n1) WHERE n2.kind = 'theft' "
        "WITH n0, count(DISTINCT n2) AS counted "
        "RETURN DISTINCT n0.name AS name, counted AS count ORDER BY counted DESC LIMIT 1"
    )


def test_the_least_often_comes_last(shown: Callable[[str], str]) -> None:
    assert "ORDER BY counted LIMIT 1" in shown("In which port do thefts happen least often?")


def test_no_name_is_counted_once_for_each_that_has_it(shown: Callable[[str], str]) -> None:
    found = shown("Which radio number does Ann hail most often?")
    assert "count(DISTINCT n1)" in found
    assert "(n1:Signal)-[:HAILED]->(n0:Radio)" in found


def test_values_are_counted_by_what_has_them(shown: Callable[[str], str]) -> None:
    found = shown("Which boat motto joined thefts most often?")
    assert "n0.motto AS motto, count(DISTINCT n0) AS count ORDER BY count DESC LIMIT 1" in found


@pytest.mark.parametrize(
    "question",
    ["Which port do both Ann and Ben moor in?", "In which port do Ann and Ben moor?"],
)
def test_two_people_are_each_tied_by_a_thing_of_their_own(shown: Callable[[str], str], question: str) -> None:
    found = shown(question)
    assert "(n2:Sailor)-[:MOORS_AT]->(n1)" in found
    assert "(n4:Sailor)-[:MOORS_AT]->(n3:Berth) MATCH (n3)-[:PART_OF]->(n0)" in found
