"""What a question says of a reading more closely: both of two values, by which figure, whose day."""

from __future__ import annotations

import pytest

from cypher.semantics.decide import Verdict, decide
from cypher.semantics.explain import explain
from cypher.semantics.reader import SemanticReader
from cypher.semantics.values import ValueTable
from tests.cypher.small_schemas import invented_graph

SCHEMA, STORED = invented_graph("""
    Surgeon 12: name, languages string list, on_call boolean, hired_on date
    Operation 31: op_no, status, scheduled_on date
    Patient 20: name, born date
    Nurse 8: name, licence_expires date
    Trip 24: code, fuelLitres float
    Species 8: commonName
    Vessel 9: name
    Port 6: name
    Ward 4: name, floor
    (Surgeon)-[ASSIGNED_TO 40: role]->(Operation), (Operation)-[ON_PATIENT 31]->(Patient)
    (Surgeon)-[HEADS 4]->(Ward), (Surgeon)-[TRAINED 9]->(Surgeon), (Surgeon)-[WORKS_AT 12]->(Ward)
    (Nurse)-[SCRUBBED_FOR 30]->(Operation), (Trip)-[CAUGHT 40: weightKg float]->(Species)
    (Vessel)-[MADE 24]->(Trip), (Trip)-[LANDED_AT 24]->(Port), (Vessel)-[HOME_PORT 9]->(Port)

    Surgeon.name: Anna Berg | Luis Ortega
    Surgeon.languages: English | Swedish | Arabic
    Operation.status: completed | cancelled | scheduled
    Patient.name: Rosa Lindqvist | Ahmed Nasser
    Nurse.name: Petra Voss | Aoife Byrne
    Trip.code: T01 | T02
    Species.commonName: Haddock | Cod
""")
READER = SemanticReader(SCHEMA, ValueTable(STORED))


def answered(question: str) -> str:
    """The reading that would be answered, in English; empty where none would."""
    decision = decide(READER.read(question), SCHEMA)
    sure = decision.verdict is Verdict.ANSWER and not decision.unexplained
    return explain(decision.reading.query) if sure and decision.reading.query else ""


@pytest.mark.parametrize("both", ["both English and Swedish", "English and Swedish"])
def test_a_list_holds_each_value_that_is_said(both: str) -> None:
    told = answered(f"Which surgeons speak {both}?")
    assert "languages is 'English', the surgeon's languages is 'Swedish'" in told


def test_either_of_two_values_is_any() -> None:
    assert "one of 'English', 'Swedish'" in answered("Which surgeons speak English or Swedish?")
    assert "one of 'completed', 'cancelled'" in answered("Which operations are completed or cancelled?")


def test_nothing_is_both_of_two_values_of_which_it_can_have_one() -> None:
    assert answered("Which operations were both completed and cancelled?") == ""


@pytest.mark.parametrize("more", ["but are on call", "and are on call"])
def test_what_follows_neither_and_nor_is_not_denied(more: str) -> None:
    told = answered(f"Which surgeons speak neither Swedish nor Arabic {more}?")
    assert told.startswith("Surgeon, where the surgeon's on call is True, it is not so that")
    assert told.count("on call") == 1


@pytest.mark.parametrize(
    ("question", "day"),
    [
        ("Which surgeon operated on Rosa Lindqvist most recently?", "operation's scheduled on is largest"),
        ("Which surgeon was hired most recently?", "surgeon's hired on is largest"),
        ("What is the most recent operation?", "operation's scheduled on is largest"),
    ],
)
def test_what_was_done_most_recently_goes_by_the_day_of_the_deed(question: str, day: str) -> None:
    assert day in answered(question)


@pytest.mark.parametrize("question", ["Which nurse scrubbed most recently?", "Which nurse scrubbed last?"])
def test_a_day_of_something_else_ranks_no_deed(question: str) -> None:
    assert answered(question) == ""


@pytest.mark.parametrize(
    "question", ["Which species was caught the most by weight?", "Which trip caught the most by weight?"]
)
def test_the_most_by_a_figure_is_its_sum(question: str) -> None:
    assert "sorted by sum of the CAUGHT's weight kg, largest first" in answered(question)


def test_an_average_of_each_thing_alone_is_over_all() -> None:
    assert answered("What is the average fuel per trip?") == "Avg of the trip's fuel litres."
    assert answered("What is the total fuel per trip?") == "Sum of the trip's fuel litres for each of trip."


def test_their_own_is_tied_to_them() -> None:
    told = answered("Which trips landed at their vessel's home port?")
    assert told == "Trip, where trip LANDED_AT port, vessel HOME_PORT port, vessel MADE trip."


def test_nothing_is_denied_of_anybodys_in_place_of_their_own() -> None:
    assert answered("Which trips landed at a port other than the vessel's home port?") == ""


def test_a_different_one_is_not_the_same() -> None:
    told = answered("Which surgeons who work at a ward trained a surgeon who heads a different ward?")
    assert told.endswith("the ward 2's name is not the ward 1's name.")
    assert answered("Which surgeons trained someone who works at a different ward?") == ""
    assert answered("How many different wards are there?") == "Number of ward."


def test_one_of_each_is_not_either() -> None:
    assert "one of" not in answered("Which trips caught a haddock and a cod?")
    assert "one of 'Haddock', 'Cod'" in answered("Which trips caught haddock or cod?")


def test_what_is_denied_twice_is_told() -> None:
    reading = READER.read("Which surgeons have never no ward?")
    assert reading.query is not None
    assert "it is not so that it is not so that" in explain(reading.query)
