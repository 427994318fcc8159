"""What "or" goes with, what is the most of a day, and other plain wordings, on an invented coast."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from cypher.semantics.reader import SemanticReader
from cypher.semantics.values import ValueTable
from tests.cypher.small_schemas import invented_graph

SCHEMA, STORED = invented_graph("""
    Sailor 40: name, surname
    Radio 40: tag
    RadioCall 40 unnamed: date, time, duration integer, kind
    Mishap 40 unnamed: kind, date
    Harbour 40: name, latitude float, draught integer
    Warden 40: name, rank
    Coast 40: name
    Boat 40: name, year integer
    (Sailor)-[KNOWS 20]->(Sailor), (Sailor)-[HAS_RADIO 20]->(Radio), (RadioCall)-[CALLER 20]->(Radio)
    (RadioCall)-[CALLED 20]->(Radio), (Sailor)-[PARTY_TO 20]->(Mishap), (Mishap)-[OCCURRED_AT 20]->(Harbour)
    (Mishap)-[INVESTIGATED_BY 20]->(Warden), (Harbour)-[LOCATED_IN 20]->(Coast)
    (Boat)-[INVOLVED_IN 20]->(Mishap), (Sailor)-[LIVES_AT 20]->(Harbour)

    Sailor.name: Tove | Arne | Rose
    Sailor.surname: Dahl | Krog | Rose
    Radio.tag: R-19
    RadioCall.date: 03/09/2021 | 04/09/2021
    RadioCall.time: 09:15 | 21:40
    RadioCall.kind: Distress
    Mishap.kind: Grounding | Fire
    Mishap.date: 03/09/2021 | 04/09/2021
    Harbour.name: Skarvik
    Warden.name: Sten
    Warden.rank: Bosun
    Coast.name: Ytre
    Boat.name: Petrel
""")
READER = SemanticReader(SCHEMA, ValueTable(STORED))


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Who knows a Tove or a Rose?", "name IN ('Tove', 'Rose')"),
        ("Which sailors live at Skarvik and know somebody with the surname Dahl or Krog?", "surname IN"),
        (
            "Which radios belong to sailors who know a sailor named Dahl or Krog?",
            "surname IN ('Dahl', 'Krog')",
        ),
        ("Which radios belong to sailors known by somebody called Tove or Arne?", "name IN ('Tove', 'Arne')"),
    ],
)
def test_a_name_behind_or_goes_with_the_name_before(
    shown: Callable[[str], str], question: str, names: str
) -> None:
    assert names in shown(question).replace("[", "(").replace("]", ")")


@pytest.mark.parametrize("joined", ["Dahl or Krog", "Tove or Arne"])
def test_the_same_place_as_either_of_two(shown: Callable[[str], str], joined: str) -> None:
    found = shown(f"Who lives at the same harbour as {joined}?").replace("[", "(").replace("]", ")")
    first, other = joined.split(" or ")
    assert f"IN ('{first}', '{other}')" in found
