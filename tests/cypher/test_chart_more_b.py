"""What calls are sent to, what is commonest, lists before a noun and "or" behind it, on an invented coast."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from cypher.semantics.reader import SemanticReader
from cypher.semantics.values import StoredValue, ValueTable
from tests.cypher.test_chart_particles import RECEIVED, SCHEMA, SENT, STORED

READER = SemanticReader(
    SCHEMA,
    ValueTable(
        [
            *STORED,
            StoredValue("Mishap", "kind", "Fire"),
            StoredValue("Mishap", "kind", "Collision"),
            StoredValue("RadioCall", "date", "04/09/2021"),
        ]
    ),
)


@pytest.mark.parametrize(
    ("question", "cypher"),
    [
        ("Which radio calls were sent to Tove?", RECEIVED),
        ("Which radio calls were sent from Tove's radio?", SENT),
        ("Which radio calls were sent by Tove?", SENT),
    ],
)
def test_what_is_sent_to_somebody_is_received(
    shown: Callable[[str], str], question: str, cypher: str
) -> None:
    assert shown(question).startswith(cypher)


@pytest.mark.parametrize("verb", ["have called", "had called"])
def test_who_has_called_is_not_so_named(shown: Callable[[str], str], verb: str) -> None:
    found = shown(f"Which radios {verb} Tove Dahl?")
    assert found.startswith(
        "MATCH (n1:RadioCall)-[:CALLER]->(n0:Radio), (n1)-[:CALLED]->(n2:Radio), "
        "(n3:Sailor)-[:HAS_RADIO]->(n2) WHERE n3.name = 'Tove' AND n3.surname = 'Dahl'"
    )
