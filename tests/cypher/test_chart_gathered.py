"""Names told further behind a comma, and several things told of the one place that something has."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from cypher.semantics.reader import SemanticReader
from cypher.semantics.values import ValueTable
from tests.cypher.small_schemas import invented_graph

SCHEMA, STORED = invented_graph("""
    Raid 90: code, day date, kind
    Berth 50: number, surface
    Port 9: name
    Bosun 40: name, age integer
    Radio 40: number
    (Raid)-[HAPPENED_AT 90]->(Berth), (Berth)-[PART_OF 50]->(Port), (Bosun)-[MOORS_AT 40]->(Berth)
    (Bosun)-[HAS_RADIO 40]->(Radio), (Bosun)-[KNOWS 70]->(Bosun), (Bosun)-[RAIDED 70]->(Raid)

    Raid.kind: theft | arson
    Berth.number: B-1 | B-2
    Berth.surface: gravel | oak
    Port.name: Hull | Lund
    Bosun.name: Ann | Ben
    Radio.number: R-1 | R-2
""")
READER = SemanticReader(SCHEMA, ValueTable(STORED))


def test_a_place_in_a_place_is_one(shown: Callable[[str], str]) -> None:
    assert shown("Which raids happened in Hull at a gravel berth?") == (
        "MATCH (n0:Raid)-[:HAPPENED_AT]->(n1:Berth), (n1)-[:PART_OF]->(n2:Port) "
        "WHERE n2.name = 'Hull' AND n1.surface = 'gravel' RETURN DISTINCT n0.code AS code"
    )


def test_many_relations_of_a_kind_stay_apart(shown: Callable[[str], str]) -> None:
    found = shown("Which bosuns who know Ann know somebody who moors in Hull?")
    assert "(n0)-[:KNOWS]->(n1:Bosun)" in found or "(n0:Bosun)-[:KNOWS]->(n1:Bosun)" in found
    assert found.count("[:KNOWS]") == 2


@pytest.mark.parametrize(
    "question",
    [
        "How old is the owner of R-1, the radio of Ann?",
        "How old is the owner of R-1, the radio that Ann has?",
    ],
)
def test_a_name_is_told_further(shown: Callable[[str], str], question: str) -> None:
    found = shown(question)
    assert "n1.number = 'R-1'" in found
    assert "(n2:Bosun)-[:HAS_RADIO]->(n1)" in found


def test_the_one_that_is_a_name_told_further(shown: Callable[[str], str]) -> None:
    found = shown("Which raids happened at B-1, the one that is part of Hull?")
    assert "(n0:Raid)-[:HAPPENED_AT]->(n1:Berth), (n1)-[:PART_OF]->(n2:Port)" in found
    assert "n1.number = 'B-1'" in found


@pytest.mark.parametrize(
    "question",
    [
        "Which bosuns raided a raid in Hull and also raided one dated 2021-03-05?",
        "Which bosuns raided a raid in Hull and another dated 2021-03-05?",
    ],
)
def test_one_stands_for_another_of_a_kind(shown: Callable[[str], str], question: str) -> None:
    found = shown(question)
    assert found.count("(n0)-[:RAIDED]->") + found.count("(n0:Bosun)-[:RAIDED]->") == 2
    assert "day = date('2021-03-05')" in found or "'2021-03-05'" in found


def test_which_of_two_values_is_asked_for(shown: Callable[[str], str]) -> None:
    assert shown("Was the raid at B-1 a theft or an arson?") == (
        "MATCH (n0:Raid)-[:HAPPENED_AT]->(n1:Berth) WHERE n1.number = 'B-1' RETURN DISTINCT n0.kind AS kind"
    )


def test_either_of_two_values_is_a_condition(shown: Callable[[str], str]) -> None:
    found = shown("Was the raid at B-1 either a theft or an arson?")
    assert "n0.kind IN ('theft', 'arson')" in found
    assert found.endswith("RETURN count(*) > 0 AS answer")
