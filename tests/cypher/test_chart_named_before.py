"""Pronouns for somebody who was named before: "who lives with Ann but does not know her"."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from cypher.semantics.reader import SemanticReader
from cypher.semantics.values import ValueTable
from tests.cypher.small_schemas import invented_graph

SCHEMA, STORED = invented_graph("""
    Sailor 50: name, age integer
    Ship 50: name, kind
    Port 9: name
    (Ship)-[BUILT_IN 40]->(Port), (Sailor)-[LIVES_IN 40]->(Port)
    (Sailor)-[KNOWS 20]->(Sailor), (Sailor)-[HELPED 20]->(Sailor), (Sailor)-[OWNS 20]->(Ship)

    Sailor.name: Ann | Ben
    Ship.name: Kestrel | Osprey
    Ship.kind: ferry | trawler
    Port.name: Hull
""")
READER = SemanticReader(SCHEMA, ValueTable(STORED))


@pytest.mark.parametrize(
    ("question", "query"),
    [
        (
            "Which sailors helped Ann but do not know her?",
            "MATCH (n0:Sailor)-[:HELPED]->(n1:Sailor) WHERE n1.name = 'Ann' AND NOT EXISTS { MATCH "
            "(n0)-[:KNOWS]->(n2:Sailor) WHERE n2.name = 'Ann' } RETURN DISTINCT n0.name AS name",
        ),
        (
            "Which people know Ben and helped him?",
            "MATCH (n0:Sailor)-[:KNOWS]->(n1:Sailor), (n0)-[:HELPED]->(n2:Sailor) WHERE n1.name = 'Ben' "
            "AND n2.name = 'Ben' RETURN DISTINCT n0.name AS name",
        ),
        (
            "Which sailors called Ben know somebody who helped him?",
            "MATCH (n0:Sailor)-[:KNOWS]->(n1:Sailor), (n1)-[:HELPED]->(n0) WHERE n0.name = 'Ben' "
            "RETURN DISTINCT n0.name AS name",
        ),
    ],
)
def test_a_pronoun_stands_for_who_was_named(shown: Callable[[str], str], question: str, query: str) -> None:
    assert shown(question) == query


def test_nobody_is_denied_to_know_himself(shown: Callable[[str], str]) -> None:
    assert "(n0)-[:KNOWS]->(n0)" not in shown("Which sailors own the Kestrel but do not know him?")


def test_the_kind_said_again_is_the_one_that_is_asked_for(shown: Callable[[str], str]) -> None:
    assert shown("Which ships were built in the port where an owner of the ship lives?") == (
        "MATCH (n0:Ship)-[:BUILT_IN]->(n1:Port), (n2:Sailor)-[:LIVES_IN]->(n1), (n2)-[:OWNS]->(n0) "
        "RETURN DISTINCT n0.name AS name"
    )


def test_a_kind_said_again_with_more_is_another(shown: Callable[[str], str]) -> None:
    assert shown("Which sailors know the sailor who owns the Kestrel?") == (
        "MATCH (n0:Sailor)-[:KNOWS]->(n1:Sailor), (n1)-[:OWNS]->(n2:Ship) WHERE n2.name = 'Kestrel' "
        "RETURN DISTINCT n0.name AS name"
    )
