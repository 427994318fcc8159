"""Conditions that stand beside a question, and numbers behind what they are numbers of."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from cypher.guard import check_text
from cypher.semantics.counted_through import counted_through, numbers_of
from cypher.semantics.decide import Verdict, decide
from cypher.semantics.excepting import Excepting
from cypher.semantics.ir import Edge, Node, PropertyRef, Query
from cypher.semantics.reader import SemanticReader
from cypher.semantics.unheard import unheard
from cypher.semantics.values import ValueTable
from tests.cypher.small_schemas import invented_graph

SCHEMA, STORED = invented_graph("""
    Operator 4: name
    Depot 4: name
    Critic 3: name
    Truck 5: name
    Outing 9: name
    Part 20: name, toxic boolean
    Employee 30: name, born date, gender, pay integer, languages string list
    Line 9: name, colour, length float
    Stop 20: name, zone integer, floor integer, passengersPerDay integer, accessible boolean
    (Operator)-[OPERATES 9]->(Line), (Employee)-[EMPLOYED_BY 30]->(Operator)
    (Employee)-[WORKS_AT 40: until date]->(Depot), (Employee)-[MARRIED_TO 9: since integer]->(Employee)
    (Employee)-[LEADS 4]->(Depot), (Truck)-[KEPT_AT 5]->(Depot), (Truck)-[USED_IN 9]->(Outing)
    (Employee)-[JOINED 20]->(Outing), (Depot)-[HOLDS 20]->(Part)
    (Employee)-[TRAINED 9: year integer]->(Employee), (Critic)-[REVIEWED 30: times integer]->(Line)
    (Employee)-[DRIVES 40: shift]->(Line), (Line)-[CALLS_AT 60]->(Stop), (Employee)-[FOLLOWS 20]->(Employee)
    (Line)-[RIVAL_OF 3]->(Line)

    Depot.name: Northgate | Yard
    Employee.gender: male | female
    Operator.name: Tramco | Railways
    Employee.name: Ann Lee | Ben Vale
    Employee.languages: French | German
    Line.name: Line 1 | Bus 7
    Line.colour: red | blue
    Stop.name: Zoo | Old Depot
    DRIVES.shift: night | day
""")
READER = SemanticReader(SCHEMA, ValueTable(STORED))


@pytest.mark.parametrize(
    ("question", "pattern"),
    [
        ("Who operates Bus 7?", "MATCH (n0:Operator)-[:OPERATES]->(n1:Line) WHERE n1.name = 'Bus 7'"),
        ("Who is the rival of Bus 7?", "(n1:Line)-[:RIVAL_OF]-(n0:Line) WHERE n1.name = 'Bus 7'"),
        ("Which stops are in zone 2 or 3?", "WHERE n0.zone IN (2, 3)"),
        ("Which stops are on the third floor?", "WHERE n0.floor = 3"),
        ("Which stops are outside zone 1?", "WHERE n0.zone <> 1"),
        ("Which stops are in the same zone as Zoo?", "n0.zone = n1.zone AND n0 <> n1"),
        ("Which stops have fewer than 5000 passengers per day?", "WHERE n0.passengersPerDay < 5000"),
        ("Who drives Line 1 at night?", "WHERE n1.name = 'Line 1' AND r0.shift = 'night'"),
        ("Which lines are driven at night?", "WHERE r0.shift = 'night'"),
        ("Who was born in December?", "WHERE n0.born.month = 12"),
        ("When did Ann Lee marry?", "RETURN DISTINCT r0.since AS since"),
        ("Who is the wife of Ben Vale?", "n0.gender = 'female' AND n1.name = 'Ben Vale'"),
        ("Who works at Northgate?", "n1.name = 'Northgate' AND r0.until IS NULL"),
        ("Where does Ann Lee work?", "r0.until IS NULL"),
        ("Which employees speak French?", "any(x IN n0.languages WHERE x = 'French')"),
        ("Which critic reviewed Line 1 most often?", "sum(r0.times) AS counted"),
        (
            "Which depots hold no toxic parts?",
            "NOT EXISTS { MATCH (n0)-[:HOLDS]->(n1:Part) WHERE n1.toxic = True }",
        ),
        (
            "Which employees were born in the first quarter of 1990?",
            "WHERE n0.born >= date('1990-01-01') AND n0.born <= date('1990-03-31')",
        ),
    ],
)
def test_words_are_read_by_the_schema(shown: Callable[[str], str], question: str, pattern: str) -> None:
    assert pattern in shown(question)


@pytest.mark.parametrize(
    "question", ["Who was born in December?", "Which employees have a pay above the average?"]
)
def test_a_number_that_stands_in_is_not_missed(question: str) -> None:
    reading = READER.read(question)
    assert reading.query is not None
    assert not unheard(reading.linked, reading.query)["unheard_number"]


def test_a_month_that_is_denied_is_no_condition() -> None:
    assert decide(READER.read("Who was not born in December?"), SCHEMA).verdict is not Verdict.ANSWER


def test_nothing_else_is_denied_in_the_place_of_the_name(shown: Callable[[str], str]) -> None:
    assert shown("Who drives only Bus 7?") == (
        "MATCH (n0:Employee)-[:DRIVES]->(n1:Line) WHERE n1.name = 'Bus 7' AND NOT EXISTS { MATCH "
        "(n0)-[:DRIVES]->(n2:Line) WHERE n2.name <> 'Bus 7' } RETURN DISTINCT n0.name AS name"
    )
    spoken = shown("Which employees have only the language French?")
    assert "any(x IN n0.languages WHERE x = 'French')" in spoken
    assert "NOT (any(x IN n0.languages WHERE x <> 'French'))" in spoken


def test_a_list_without_one_entry(shown: Callable[[str], str]) -> None:
    text = shown("Which employees have the language French but not German?")
    assert "any(x IN n0.languages WHERE x = 'French')" in text
    assert "NOT (any(x IN n0.languages WHERE x = 'German'))" in text


def test_neither_of_two_values_is_unequal_to_both(shown: Callable[[str], str]) -> None:
    assert "WHERE n0.colour <> 'red' AND n0.colour <> 'blue'" in shown(
        "Which lines are neither red nor blue?"
    )


@pytest.mark.parametrize(
    "question",
    [
        "What is the colour and the length of the lines that call at neither Zoo nor Old Depot?",
        "What is the average pay of employees who drive neither Line 1 nor Bus 7?",
        "How many employees by gender drive neither Line 1 nor Bus 7?",
        "Which parts of depots that hold no toxic parts are there, and which depots?",
        "List the name of the depots that hold no toxic parts with their parts.",
    ],
)
def test_what_is_returned_beside_is_no_crash(question: str) -> None:
    written = READER.read(question).written
    assert written is not None
    check_text(written.text, SCHEMA, parameters=written.parameters)


def test_neither_of_two_is_no_reading_where_the_other_end_is_returned() -> None:
    two = (Node("Line"), Node("Stop"))
    one, other = (
        Query(two, (Edge(0, 1, (kind,)),), project=(PropertyRef(1, "name"),))
        for kind in ("CALLS_AT", "PASSES")
    )
    neither = Excepting("", ("a", "b"))
    assert neither.around(None, (one, other)) is None
    assert neither.around(None, (replace(one, project=()), replace(other, project=()))) is not None


def test_neither_of_two_deeds(shown: Callable[[str], str]) -> None:
    text = shown("Who neither drives nor follows?")
    assert text.count("NOT EXISTS") == 2
    assert "DRIVES" in text
    assert "FOLLOWS" in text


def test_numbers_joined_by_and_are_not_either_of_them() -> None:
    assert counted_through("Which lines call in zones 2 and 3?", numbers_of(SCHEMA)) == (
        "Which lines call in zones 2 and 3?"
    )


def test_each_other_needs_both_ways(shown: Callable[[str], str]) -> None:
    text = shown("Which employees follow each other?")
    assert "(n0:Employee)-[:FOLLOWS]->(n1:Employee), (n1)-[:FOLLOWS]->(n0)" in text


def test_the_longer_of_two_is_sought_among_them(shown: Callable[[str], str]) -> None:
    text = shown("Which is longer, Line 1 or Bus 7?")
    assert text.count("n0.name IN ('Line 1', 'Bus 7')") == 2
    assert "max(n0.length) AS best" in text


def test_what_somebody_has_done_may_be_over(shown: Callable[[str], str]) -> None:
    assert "until" not in shown("Who has worked at Northgate?")
    assert "until" not in shown("Who worked at Northgate in 1990?")


@pytest.mark.parametrize(
    "question",
    [
        "Which lines did both critics review?",
        "Who drives all of Line 1?",
        "When was Ann Lee followed?",
        "Who led the most outings?",
        "In what year did Ann Lee marry?",
    ],
)
def test_what_no_reading_hears_is_not_answered(question: str) -> None:
    assert decide(READER.read(question), SCHEMA).verdict is not Verdict.ANSWER


@pytest.mark.parametrize(
    "question",
    ["Which lines call only at accessible stops?", "Which employees not in zone 1 have a shift?"],
)
def test_a_lost_only_or_not_is_no_answer(question: str) -> None:
    reading = READER.read(question)
    told = decide(reading, SCHEMA)
    assert told.verdict is not Verdict.ANSWER or told.unexplained


@pytest.mark.parametrize(
    "question", ["Which is the only line that calls at Zoo?", "Which line calls at only two stops?"]
)
def test_only_that_restricts_nothing_named_is_no_loss(question: str) -> None:
    assert decide(READER.read(question), SCHEMA).verdict is Verdict.ANSWER
