"""Everyday questions: what somebody did, the largest, numbers that are kept, numbers before nouns, flags."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from cypher.semantics.decide import Verdict, decide
from cypher.semantics.reader import SemanticReader
from cypher.semantics.values import ValueTable
from tests.cypher.small_schemas import invented_graph

SCHEMA, STORED = invented_graph("""
    Tram 20: name, seats integer, model, fleetNo integer
    Line 6: name, lineNo integer, length_km float
    Stop 30: name, zone integer, hasShelter boolean, daily_boardings integer
    Repair 50: code, fault_type, closed_on, material
    Mechanic 12: name, hired_on, birth_year integer, rating float, town, union_member boolean
    Inspection 9: code
    Inspector 3: fullname
    (Inspection)-[CONCERNS 9]->(Tram), (Inspector)-[MADE 9]->(Inspection)
    (Tram)-[RUNS_ON 25: trips_per_week integer]->(Line), (Line)-[CALLS_AT 60]->(Stop)
    (Repair)-[DONE_ON 50]->(Tram), (Mechanic)-[GAVE 40]->(Repair), (Mechanic)-[TAUGHT 9]->(Mechanic)

    Inspection.code: I-7 | I-8
    Inspector.fullname: Ada Moss | Finn Rook
    Tram.name: Merlin | Otter
    Tram.model: Comet | Dray
    Line.name: Canal Line | Ridge Line
    Stop.name: Kiln Road | Alder Cross
    Repair.code: R-1 | R-2
    Repair.fault_type: door jam | brake wear
    Repair.closed_on: 2020-01-05 | 2021-03-02
    Repair.material: brass | felt
    Mechanic.name: Rosa Stroud | Hamish Tuck
    Mechanic.town: Malmo | Lund
    Mechanic.hired_on: 2001-04-01 | 2012-09-01
""")
READER = SemanticReader(SCHEMA, ValueTable(STORED))


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What did Rosa Stroud give?", "(n1:Mechanic)-[:GAVE]->(n0:Repair) WHERE n1.name = 'Rosa Stroud'"),
        ("What has Rosa Stroud given?", "(n1:Mechanic)-[:GAVE]->(n0:Repair) WHERE n1.name = 'Rosa Stroud'"),
        (
            "What was given by Rosa Stroud?",
            "(n1:Mechanic)-[:GAVE]->(n0:Repair) WHERE n1.name = 'Rosa Stroud'",
        ),
        (
            "Who did Rosa Stroud teach?",
            "(n1:Mechanic)-[:TAUGHT]->(n0:Mechanic) WHERE n1.name = 'Rosa Stroud'",
        ),
        (
            "Who are the pupils of Rosa Stroud?",
            "(n1:Mechanic)-[:TAUGHT]->(n0:Mechanic) WHERE n1.name = 'Rosa Stroud'",
        ),
        ("Who is the teacher of Rosa Stroud?", "(n0:Mechanic)-[:TAUGHT]->(n1:Mechanic)"),
    ],
)
def test_what_somebody_did(question: str, expected: str, shown: Callable[[str], str]) -> None:
    assert expected in shown(question)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("How many seats does Merlin have?", "WHERE n0.name = 'Merlin' RETURN DISTINCT n0.seats"),
        ("How many seats do the Comets have together?", "sum(n0.seats)"),
        ("How many different seats do the Comets have?", "count(DISTINCT n0.seats)"),
        ("How many trips per week does Merlin make on the Canal Line?", "RETURN DISTINCT r0.trips_per_week"),
        ("How many trips per week does Merlin make?", "sum(r0.trips_per_week)"),
        ("What is the average number of daily boardings?", "avg(n0.daily_boardings)"),
        ("How many trams are there?", "count(DISTINCT n0)"),
    ],
)
def test_numbers_that_are_kept_are_not_counted(
    question: str, expected: str, shown: Callable[[str], str]
) -> None:
    assert expected in shown(question)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Which is the longest line?", "max(n0.length_km) AS best"),
        ("Which line is the longest?", "max(n0.length_km) AS best"),
        ("Which mechanic is the best?", "max(n0.rating) AS best"),
        ("Which mechanic has the worst rating?", "min(n0.rating) AS best"),
        ("Which zone 4 stops have no shelter?", "n0.zone = 4 AND n0.hasShelter = False"),
        ("Which stops in zone 4 have a shelter?", "n0.zone = 4 AND n0.hasShelter = True"),
        ("How many repairs have not been closed yet?", "(n0:Repair) WHERE n0.closed_on IS NULL"),
        ("Which repairs were already closed?", "(n0:Repair) WHERE n0.closed_on IS NOT NULL"),
        ("How many repairs were there for each kind of fault?", "RETURN n0.fault_type AS fault_type, count("),
        ("Which mechanics were born between 1960 and 1970?", "n0.birth_year >= 1960 AND n0.birth_year <="),
        ("Which mechanics were hired before 2005?", "n0.hired_on < '2005"),
        ("What is repair R-1 made of?", "RETURN DISTINCT n0.material"),
        ("Which repairs closed after 3 May 2020?", "n0.closed_on > '2020-05-03'"),
        ("Which mechanics come from Malmo?", "(n0:Mechanic) WHERE n0.town = 'Malmo'"),
        ("How many union members are from Malmo?", "n0.union_member = True"),
        ("Which union members come from Malmo?", "n0.union_member = True AND n0.town = 'Malmo'"),
    ],
)
def test_everyday_conditions(question: str, expected: str, shown: Callable[[str], str]) -> None:
    assert expected in shown(question)


def test_verbs_that_things_are_called_after(shown: Callable[[str], str]) -> None:
    told = shown("Which trams have never been inspected?")
    assert "NOT EXISTS { MATCH (n1:Inspection)-[:CONCERNS]->(n0)" in told
    assert "(n0:Inspector)-[:MADE]->(n1:Inspection) WHERE n1.code = 'I-7'" in shown("Who inspected I-7?")


def test_a_superlative_that_nothing_answers_gives_no_answer() -> None:
    reading = READER.read("Which repair is the largest?")
    assert decide(reading, SCHEMA).verdict is Verdict.ABSTAIN
