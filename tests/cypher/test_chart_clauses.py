"""Clauses with their prepositions in front, what one knows of another, people told of by a clause alone."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from cypher.semantics.held import Held, held
from cypher.semantics.ir import Head
from cypher.semantics.reader import SemanticReader
from cypher.semantics.values import ValueTable
from tests.cypher.small_schemas import invented_graph

SCHEMA, STORED = invented_graph("""
    Person 40: name, age integer
    Diary 40: title
    Parcel 40: code, posting_date date, note
    Depot 40: name
    Ride 40: number
    House 40: address
    Van 40: plate
    (Parcel)-[SENT_FROM 30]->(Depot), (Parcel)-[SENT_TO 30]->(Depot), (Van)-[CARRIES 30]->(Parcel)
    (Person)-[LODGES_WITH 30]->(Person), (Person)-[SEES_DIARY 30]->(Person), (Person)-[OWNS 30]->(Diary)
    (Person)-[NEIGHBOUR 30]->(Person), (Person)-[DRIVES 30]->(Van), (Ride)-[DRIVER 30]->(Person)
    (Ride)-[DRIVEN 30]->(Person), (Person)-[LIVES_AT 30]->(House)

    Person.name: Ada | Otto | Ida
    Diary.title: Winter Notes | Harbour Days
    Parcel.code: PX11 | PX12
    Parcel.note: Delivery complete; nothing broken | Lost
    House.address: 12 Elm Walk | 9 Mill Row
    Depot.name: Nordal | Ashdale
    Van.plate: KL 204 | KL 377
""")
READER = SemanticReader(SCHEMA, ValueTable(STORED))


_SEEN = "(n1:Person)-[:SEES_DIARY]->(n0:Person) WHERE n1.name = 'Ada'"
_SEES = "(n0:Person)-[:SEES_DIARY]->(n1:Person) WHERE n1.name = 'Ada'"


@pytest.mark.parametrize(
    ("question", "where"),
    [
        ("List the people whose diary Ada sees.", _SEEN),
        ("List the people whose diary is seen by Ada.", _SEEN),
        ("Which people have their diary seen by Ada?", _SEEN),
        ("Who sees Ada's diary?", _SEES),
        ("Who sees the diary of Ada?", _SEES),
        (
            "List the people whose diary is not seen by Ada.",
            "(n0:Person) WHERE NOT EXISTS { MATCH (n1:Person)-[:SEES_DIARY]->(n0) WHERE n1.name = 'Ada' }",
        ),
        ("Who owns 'Winter Notes'?", "(n0:Person)-[:OWNS]->(n1:Diary) WHERE n1.title = 'Winter Notes'"),
    ],
)
def test_what_one_sees_of_another_is_one_relationship(
    question: str, where: str, shown: Callable[[str], str]
) -> None:
    assert shown(question).split(" RETURN ")[0].removeprefix("MATCH ") == where


def test_only_types_that_name_what_another_has_are_said_that_way() -> None:
    assert held(SCHEMA) == (Held("SEES_DIARY", "see", "Diary"),)


@pytest.mark.parametrize(
    ("question", "where"),
    [
        (
            "List the depots from which PX11 was sent.",
            "(n1:Parcel)-[:SENT_FROM]->(n0:Depot) WHERE n1.code = 'PX11'",
        ),
        (
            "List the depots to which PX11 was sent.",
            "(n1:Parcel)-[:SENT_TO]->(n0:Depot) WHERE n1.code = 'PX11'",
        ),
        ("From which depots was PX11 sent?", "(n1:Parcel)-[:SENT_FROM]->(n0:Depot) WHERE n1.code = 'PX11'"),
        ("To which depots was PX11 sent?", "(n1:Parcel)-[:SENT_TO]->(n0:Depot) WHERE n1.code = 'PX11'"),
        (
            "Which depots are there from which a parcel was sent on 3 May 2001?",
            "(n1:Parcel)-[:SENT_FROM]->(n0:Depot) WHERE n1.posting_date = date('2001-05-03')",
        ),
        (
            "List the people with whom another person lodges.",
            "(n1:Person)-[:LODGES_WITH]->(n0:Person)",
        ),
        ("List the parcels for which the note reads 'Lost'.", "(n0:Parcel) WHERE n0.note = 'Lost'"),
    ],
)
def test_a_preposition_in_front_belongs_to_the_verb(
    question: str, where: str, shown: Callable[[str], str]
) -> None:
    assert shown(question).split(" RETURN ")[0].removeprefix("MATCH ") == where


@pytest.mark.parametrize(
    ("question", "where"),
    [
        (
            "Give the age of whoever lodges with Ada.",
            "(n0:Person)-[:LODGES_WITH]->(n1:Person) WHERE n1.name = 'Ada'",
        ),
        ("List those who lodge with Ada.", "(n0:Person)-[:LODGES_WITH]->(n1:Person) WHERE n1.name = 'Ada'"),
        ("List the vans used to carry PX11.", "(n0:Van)-[:CARRIES]->(n1:Parcel) WHERE n1.code = 'PX11'"),
        ("Who is a neighbour of Otto?", "(n0:Person)-[:NEIGHBOUR]-(n1:Person) WHERE n1.name = 'Otto'"),
        ("List the neighbours of Otto.", "(n1:Person)-[:NEIGHBOUR]-(n0:Person) WHERE n1.name = 'Otto'"),
        (
            "I'm after the vans driven by the owner of 'Winter Notes' or of 'Harbour Days'.",
            "(n1:Person)-[:DRIVES]->(n0:Van), (n1)-[:OWNS]->(n2:Diary) "
            "WHERE n2.title IN ('Winter Notes', 'Harbour Days')",
        ),
    ],
)
def test_people_told_of_by_a_clause(question: str, where: str, shown: Callable[[str], str]) -> None:
    assert shown(question).split(" RETURN ")[0].removeprefix("MATCH ") == where


@pytest.mark.parametrize(
    ("question", "where"),
    [
        ("Who lives at 12 Elm Walk?", "(n0:Person)-[:LIVES_AT]->(n1:House) WHERE n1.address = '12 Elm Walk'"),
        (
            "List the vans driven by a resident of 12 Elm Walk.",
            "(n1:Person)-[:DRIVES]->(n0:Van), (n1)-[:LIVES_AT]->(n2:House) WHERE n2.address = '12 Elm Walk'",
        ),
        (
            "List the parcels where the delivery is complete and nothing was broken.",
            "(n0:Parcel) WHERE n0.note = 'Delivery complete; nothing broken'",
        ),
        (
            "How many depots are there from which PX11 or PX12 was sent?",
            "(n1:Parcel)-[:SENT_FROM]->(n0:Depot) WHERE n1.code IN ('PX11', 'PX12')",
        ),
        (
            "Which people live in a house and drive at least one van?",
            "(n0:Person)-[:LIVES_AT]->(n1:House), (n0)-[:DRIVES]->(n2:Van)",
        ),
        (
            "What's the number of vans that those who lodge with Ada drive?",
            "(n1:Person)-[:DRIVES]->(n0:Van), (n1)-[:LODGES_WITH]->(n2:Person) WHERE n2.name = 'Ada'",
        ),
        (
            "What codes do the parcels from 2001 go by?",
            "(n0:Parcel) WHERE (n0.posting_date >= date('2001-01-01') "
            "AND n0.posting_date <= date('2001-12-31'))",
        ),
    ],
)
def test_values_of_several_words_and_quantities(
    question: str, where: str, shown: Callable[[str], str]
) -> None:
    assert shown(question).split(" RETURN ")[0].removeprefix("MATCH ") == where


@pytest.mark.parametrize(
    ("question", "where"),
    [
        (
            "Which parcels are dated either 3 May 2001 or 4 May 2001?",
            "(n0:Parcel) WHERE ((n0.posting_date = date('2001-05-03')) "
            "OR (n0.posting_date = date('2001-05-04')))",
        ),
        (
            "How many vans got no parcel?",
            "(n0:Van) WHERE NOT EXISTS { MATCH (n0)-[:CARRIES]->(n1:Parcel) }",
        ),
        (
            "List the depots from which a parcel was sent that is carried by KL 204.",
            "(n1:Parcel)-[:SENT_FROM]->(n0:Depot), (n2:Van)-[:CARRIES]->(n1) WHERE n2.plate = 'KL 204'",
        ),
        (
            "List the people whose own diary is 'Harbour Days'.",
            "(n0:Person)-[:OWNS]->(n1:Diary) WHERE n1.title = 'Harbour Days'",
        ),
        (
            "List the parcels that were carried by a van that Ada drives and that were sent to Nordal.",
            "(n1:Van)-[:CARRIES]->(n0:Parcel), (n2:Person)-[:DRIVES]->(n1), (n0)-[:SENT_TO]->(n3:Depot) "
            "WHERE n2.name = 'Ada' AND n3.name = 'Nordal'",
        ),
        (
            "Who lives in the same house that Ada lives in?",
            "(n0:Person)-[:LIVES_AT]->(n1:House), (n2:Person)-[:LIVES_AT]->(n1) WHERE n2.name = 'Ada'",
        ),
    ],
)
def test_days_and_kinds_behind_or(question: str, where: str, shown: Callable[[str], str]) -> None:
    assert shown(question).split(" RETURN ")[0].removeprefix("MATCH ") == where


def test_the_number_of_one_thing_is_no_count() -> None:
    one = READER.read("What is the number of the ride driven by Ada?").query
    many = READER.read("What is the number of rides driven by Ada?").query
    assert one is not None
    assert many is not None
    assert (one.head, many.head) == (Head.LIST, Head.COUNT)
