"""Everyday wordings of plain questions: contractions, asides, kinds in capitals; on an invented graph."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from cypher.semantics.reader import SemanticReader
from cypher.semantics.values import ValueTable
from tests.cypher.small_schemas import invented_graph

SCHEMA, STORED = invented_graph("""
    Person 400: name, surname, licence_no
    Parcel 400: number, parcel_type, date, last_status, weight integer
    Depot 400: title, address
    Lorry 400: plate, model
    Line 400: line_number
    Ring 400: length integer, ring_date
    (Parcel)-[CARRIED_BY 300]->(Person), (Parcel)-[KEPT_AT 300]->(Depot), (Person)-[HAS_LORRY 300]->(Lorry)
    (Person)-[FRIEND_OF 300]->(Person), (Depot)-[MANAGED_BY 300]->(Person), (Ring)-[CALLER 300]->(Line)
    (Ring)-[CALLED 300]->(Line)

    Person.name: Bo | Ida | Otto | Bear | Moss | Name{0..79}
    Person.surname: Moss | Lind | Bo | Sur{0..79}
    Person.licence_no: {10..89}-70
    Parcel.number: P{0..79}
    Parcel.parcel_type: RETURN | BOX | Fragile goods
    Parcel.date: {1..28}/03/2019
    Parcel.last_status: Lost | Delivered
    Depot.title: Northgate | Southgate
    Depot.address: {0..79} Mill Lane
    Lorry.plate: LOR {0..79}
    Ring.ring_date: 0{1..8}/03/2019
    Line.line_number: 555-01{00..79}
    Lorry.model: Giant | Runner
""")
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
            "MATCH (n1:Person)-[:FRIEND_OF]-(n0:Person) WHERE n1.name = 'Ida'",
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
            "(n1:Person)-[:FRIEND_OF]-(n0:Person), (n2:Parcel)-[:CARRIED_BY]->(n0)",
        ),
        ("Is there any list of the parcels of Ida?", "RETURN DISTINCT n0.number AS number"),
        (
            "Which parcel carriers are friends of Otto?",
            "(n1:Parcel)-[:CARRIED_BY]->(n0:Person), (n2:Person)-[:FRIEND_OF]-(n0) WHERE n2.name = 'Otto'",
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
