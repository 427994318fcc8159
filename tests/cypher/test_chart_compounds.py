"""Small words and compounds that change what is asked for, on sirens and their calls (invented values)."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from cypher.semantics.lexicon import Verbalisation
from cypher.semantics.reader import SemanticReader
from cypher.semantics.values import ValueTable
from tests.cypher.small_schemas import invented_graph

SCHEMA, STORED = invented_graph("""
    Warden 40: name, surname, grade
    Siren 20: serial
    SirenCall 30 unnamed: day date, length integer
    Mail 20: address
    (Warden)-[HAS_SIREN 20]->(Siren), (SirenCall)-[CALLER 30]->(Siren), (SirenCall)-[CALLED 30]->(Siren)
    (Warden)-[HAS_MAIL 20]->(Mail), (Warden)-[KNOWS 20]->(Warden), (Warden)-[KNOWS_SIREN 20]->(Warden)

    Warden.name: Ann | Ben
    Warden.surname: Moss | Hale
    Warden.grade: captain | watcher
    Siren.serial: 555-01
""")
WORDS = Verbalisation.model_validate(
    {
        "labels": {"SirenCall": ["siren call", "call"]},
        "properties": {"length": ["lasting", "seconds"], "serial": ["siren number", "number"]},
        "relations": {
            "HAS_SIREN": {"forward": ["has", "owns"], "inverse": ["in the name of", "belongs to"]},
            "HAS_MAIL": {"forward": ["has", "owns"], "inverse": ["in the name of", "belongs to"]},
            "CALLER": {"forward": ["made by", "from", "call from"], "inverse": ["called", "calls", "made"]},
            "CALLED": {"forward": ["received by", "to", "call to"], "inverse": ["received"]},
            "KNOWS_SIREN": {"forward": ["knows the siren number of", "knows the siren of"]},
        },
    }
)
READER = SemanticReader(SCHEMA, ValueTable(STORED), WORDS)


def test_calls_of_a_kind_are_no_things_that_call(shown: Callable[[str], str]) -> None:
    found = shown("Siren calls lasting 30 seconds to 555-01")
    assert found.startswith("MATCH (n0:SirenCall)-[:CALLED]->(n1:Siren) WHERE n0.length = 30")


def test_get_lists(shown: Callable[[str], str]) -> None:
    assert shown("Get the wardens with the grade captain") == (
        "MATCH (n0:Warden) WHERE n0.grade = 'captain' RETURN DISTINCT n0.name AS name"
    )


@pytest.mark.parametrize(
    "said", ["What is the number of Ann Moss's siren?", "The number of Ann Moss's siren"]
)
def test_the_number_of_one_thing_is_its_own(shown: Callable[[str], str], said: str) -> None:
    assert shown(said) == (
        "MATCH (n1:Warden)-[:HAS_SIREN]->(n0:Siren) WHERE n1.name = 'Ann' AND n1.surname = 'Moss' "
        "RETURN DISTINCT n0.serial AS serial"
    )


def test_a_name_is_no_word_for_whose_it_is(shown: Callable[[str], str]) -> None:
    found = shown(
        "What are the names of the wardens whose siren number is known by someone with the surname Hale?"
    )
    assert found.startswith("MATCH (n1:Warden)-[:KNOWS_SIREN]->(n0:Warden) WHERE n1.surname = 'Hale'")
    assert "RETURN DISTINCT n0.name AS name" in found
