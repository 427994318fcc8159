"""Everyday wordings of plain questions: contractions, asides, kinds in capitals; on an invented graph."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from cypher.semantics.reader import SemanticReader
from cypher.semantics.values import StoredValue, ValueTable
from schemas.store_schema import (
    PropertyType,
    StoreLabel,
    StoreProperty,
    StoreRelation,
    StoreSchema,
    StoreTriple,
)

_TEXT, _INT = PropertyType.STRING, PropertyType.INTEGER


def _label(name: str, /, **types: PropertyType) -> StoreLabel:
    properties = tuple(StoreProperty(name=n, type=t) for n, t in types.items())
    return StoreLabel(name=name, properties=properties, name_property=properties[0].name, count=400)


SCHEMA = StoreSchema(
    labels=(
        _label("Person", name=_TEXT, surname=_TEXT, licence_no=_TEXT),
        _label("Parcel", number=_TEXT, parcel_type=_TEXT, date=_TEXT, last_status=_TEXT, weight=_INT),
        _label("Depot", title=_TEXT, address=_TEXT),
        _label("Lorry", plate=_TEXT, model=_TEXT),
        _label("Line", line_number=_TEXT),
        _label("Ring", length=_INT, ring_date=_TEXT),
    ),
    relations=tuple(
        StoreRelation(type=t)
        for t in ("CARRIED_BY", "KEPT_AT", "HAS_LORRY", "FRIEND_OF", "MANAGED_BY", "CALLER", "CALLED")
    ),
    triples=(
        StoreTriple(start="Parcel", type="CARRIED_BY", end="Person", count=300),
        StoreTriple(start="Parcel", type="KEPT_AT", end="Depot", count=300),
        StoreTriple(start="Person", type="HAS_LORRY", end="Lorry", count=300),
        StoreTriple(start="Person", type="FRIEND_OF", end="Person", count=300),
        StoreTriple(start="Depot", type="MANAGED_BY", end="Person", count=300),
        StoreTriple(start="Ring", type="CALLER", end="Line", count=300),
        StoreTriple(start="Ring", type="CALLED", end="Line", count=300),
    ),
)
_NAMES = ("Bo", "Ida", "Otto", "Bear", "Moss", *(f"Name{i}" for i in range(80)))
STORED = [
    *(StoredValue("Person", "name", n) for n in _NAMES),
    *(StoredValue("Person", "surname", n) for n in ("Moss", "Lind", "Bo", *(f"Sur{i}" for i in range(80)))),
    *(StoredValue("Person", "licence_no", f"{i}-70") for i in range(10, 90)),
    *(StoredValue("Parcel", "number", f"P{i}") for i in range(80)),
    *(StoredValue("Parcel", "parcel_type", t) for t in ("RETURN", "BOX", "Fragile goods")),
    *(StoredValue("Parcel", "date", f"{i}/03/2019") for i in range(1, 29)),
    *(StoredValue("Parcel", "last_status", s) for s in ("Lost", "Delivered")),
    *(StoredValue("Depot", "title", t) for t in ("Northgate", "Southgate")),
    *(StoredValue("Depot", "address", f"{i} Mill Lane") for i in range(80)),
    *(StoredValue("Lorry", "plate", f"LOR {i}") for i in range(80)),
    *(StoredValue("Ring", "ring_date", f"0{i}/03/2019") for i in range(1, 9)),
    *(StoredValue("Line", "line_number", f"555-01{i:02}") for i in range(80)),
    *(StoredValue("Lorry", "model", m) for m in ("Giant", "Runner")),
]
READER = SemanticReader(SCHEMA, ValueTable(STORED))


@pytest.mark.parametrize(
    ("question", "where"),
    [
        (
            "Which of our parcels weren't carried by Ida?",
            "(n0:Parcel) WHERE NOT EXISTS { MATCH (n0)-[:CARRIED_BY]->(n1:Person) WHERE n1.name = 'Ida' }",
        ),
        (
            "Which depots don't keep any parcel?",
            "(n0:Depot) WHERE NOT EXISTS { MATCH (n1:Parcel)-[:KEPT_AT]->(n0) }",
        ),
        ("List the parcels dated March 4, 2019.", "(n0:Parcel) WHERE n0.date = '4/03/2019'"),
        ("How many parcels are of type RETURN?", "(n0:Parcel) WHERE n0.parcel_type = 'RETURN'"),
        ("Which person bears licence 12-70?", "(n0:Person) WHERE n0.licence_no = '12-70'"),
        (
            "Which parcels were carried by someone named Moss, surname that is?",
            "(n1:Person) WHERE n1.surname = 'Moss'",
        ),
        ("Which parcels did a person called Bo (surname) carry?", "(n1:Person) WHERE n1.surname = 'Bo'"),
        ("Which parcels were carried by somebody called Moss by surname?", "WHERE n1.surname = 'Moss'"),
        (
            "List the parcels kept at either Northgate or Southgate.",
            "WHERE n1.title IN ('Northgate', 'Southgate')",
        ),
        (
            "Which people carried either a box or a parcel of the type 'Fragile goods'?",
            "WHERE n1.parcel_type IN ('BOX', 'Fragile goods')",
        ),
        (
            "Is there a list of people that Ida has as friends?",
            "MATCH (n1:Person)-[:FRIEND_OF]->(n0:Person) WHERE n1.name = 'Ida'",
        ),
        (
            "Name the depots under Ida's management.",
            "(n0:Depot)-[:MANAGED_BY]->(n1:Person) WHERE n1.name = 'Ida'",
        ),
        (
            "Which parcels did the holder of LOR 7 carry?",
            "(n1:Person), (n1)-[:HAS_LORRY]->(n2:Lorry) WHERE n2.plate = 'LOR 7'",
        ),
        (
            "How many people surnamed Bo carry parcels?",
            "(n1:Parcel)-[:CARRIED_BY]->(n0:Person) WHERE n0.surname = 'Bo'",
        ),
        (
            "Which depots keep both of the parcels P1 and P2?",
            "(n1:Parcel)-[:KEPT_AT]->(n0:Depot), (n2:Parcel)-[:KEPT_AT]->(n0) WHERE n1.number = 'P1'",
        ),
        ("Please pull the parcels that Ida carried.", "(n0:Parcel)-[:CARRIED_BY]->(n1:Person)"),
    ],
)
def test_everyday_wordings(question: str, where: str, shown: Callable[[str], str]) -> None:
    assert where in shown(question)


@pytest.mark.parametrize(
    ("question", "returned"),
    [
        (
            "What are the latest statuses of the parcels of Ida?",
            "RETURN DISTINCT n0.last_status AS last_status",
        ),
        ("Which parcels did Ida carry? Just the weights, please.", "RETURN DISTINCT n0.weight AS weight"),
        ("What status is recorded for the parcels of Ida?", "RETURN DISTINCT n0.last_status AS last_status"),
        (
            "Who carried parcels kept by those whom Ida befriended?",
            "RETURN DISTINCT n0.name AS name",
        ),
        (
            "Who are the friends of someone with the last name Lind?",
            "n1.surname = 'Lind' RETURN DISTINCT n0.name AS name",
        ),
        (
            "Who are the friends of Otto who carry boxes?",
            "(n1:Person)-[:FRIEND_OF]->(n0:Person), (n2:Parcel)-[:CARRIED_BY]->(n0)",
        ),
        ("Is there any list of the parcels of Ida?", "RETURN DISTINCT n0.number AS number"),
        (
            "Which parcel carriers are friends of Otto?",
            "(n1:Parcel)-[:CARRIED_BY]->(n0:Person), (n2:Person)-[:FRIEND_OF]->(n0) WHERE n2.name = 'Otto'",
        ),
    ],
)
def test_what_is_returned(question: str, returned: str, shown: Callable[[str], str]) -> None:
    assert returned in shown(question)


@pytest.mark.parametrize(
    ("question", "caller", "called"),
    [
        ("Which lines did 555-0107 ring?", "n2", "n0"),
        ("Which lines rang 555-0107?", "n0", "n2"),
        ("Which lines called 555-0107?", "n0", "n2"),
        ("Which lines were rung from 555-0107?", "n2", "n0"),
    ],
)
def test_who_rings_and_who_is_rung(
    question: str, caller: str, called: str, shown: Callable[[str], str]
) -> None:
    found = shown(question)
    assert f"(n1:Ring)-[:CALLER]->({caller}:Line)" in found or f"(n1)-[:CALLER]->({caller}:Line)" in found
    assert f"(n1:Ring)-[:CALLED]->({called}:Line)" in found or f"(n1)-[:CALLED]->({called}:Line)" in found
    assert "n2.line_number = '555-0107'" in found


def test_the_day_of_what_a_clause_tells_of(shown: Callable[[str], str]) -> None:
    found = shown("When did 555-0107 ring 555-0109?")
    assert "(n0:Ring)-[:CALLER]->(n1:Line), (n0)-[:CALLED]->(n2:Line)" in found
    assert "n1.line_number = '555-0107' AND n2.line_number = '555-0109'" in found
    assert "RETURN DISTINCT n0.ring_date" in found


def test_a_name_is_not_told_apart_by_a_clause(shown: Callable[[str], str]) -> None:
    found = shown("List the people of Northgate who carried a box.")
    assert "(n2:Parcel)-[:CARRIED_BY]->(n0)" in found


@pytest.mark.parametrize(
    "question",
    [
        "Do any parcels carried by Ida exist?",
        "Does any parcel carried by Ida exist?",
        "Is there such a thing as a parcel carried by Ida?",
    ],
)
def test_whether_there_is_such_a_thing(question: str, shown: Callable[[str], str]) -> None:
    found = shown(question)
    assert "(n0:Parcel)-[:CARRIED_BY]->(n1:Person) WHERE n1.name = 'Ida'" in found
    assert found.endswith("RETURN count(*) > 0 AS answer")


@pytest.mark.parametrize(
    "question",
    ["Which parcels are said to be carried by Ida?", "Which parcels are recorded as being carried by Ida?"],
)
def test_hearsay_says_no_more(question: str, shown: Callable[[str], str]) -> None:
    assert shown(question) == shown("Which parcels are carried by Ida?")
