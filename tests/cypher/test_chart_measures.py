"""Measures for each of something, second sentences and clauses behind "where", on an invented graph."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from cypher.semantics.explain import explain
from cypher.semantics.probing import matching
from cypher.semantics.reader import SemanticReader
from cypher.semantics.values import ValueTable
from tests.cypher.small_schemas import invented_graph

SCHEMA, STORED = invented_graph("""
    Admission 50 unnamed: gender, bookingClerk, age integer, weight integer, admissionid integer
    Ward 50: wardName, colour, beds integer
    Illness 50: title
    Result 50: result, code
    Insurer 50: insurerName
    Breed 50: name, average_weight
    (Admission)-[TREATED_IN 20]->(Ward), (Admission)-[IS_MAIN_CAUSE 20]->(Illness)
    (Admission)-[IS_SIDE_CAUSE 20]->(Illness), (Admission)-[ENDED_WITH 20]->(Result)
    (Insurer)-[COVERED 20]->(Admission)

    Admission.gender: F | M
    Admission.bookingClerk: Night desk | Day desk
    Ward.wardName: Linden | Maple
    Ward.colour: green
    Illness.title: Gout | Measles
    Result.result: Sent home
    Result.code: SH
    Insurer.insurerName: Allcare
    Breed.name: Whippet
    Breed.average_weight: {12..29}
""")
READER = SemanticReader(SCHEMA, ValueTable(STORED))


@pytest.mark.parametrize(
    ("question", "cypher"),
    [
        (
            "For each ward, what is the average age of admissions treated in it?",
            "MATCH (n0:Admission)-[:TREATED_IN]->(n1:Ward) "
            "WITH n1, avg(n0.age) AS avg_age RETURN n1.wardName AS wardName, avg_age",
        ),
        (
            "For every ward, how many admissions were treated in that ward?",
            "MATCH (n0:Admission)-[:TREATED_IN]->(n1:Ward) "
            "WITH n1, count(DISTINCT n0) AS count RETURN n1.wardName AS wardName, count",
        ),
        (
            "How many admissions were treated in each ward?",
            "MATCH (n0:Admission)-[:TREATED_IN]->(n1:Ward) "
            "WITH n1, count(DISTINCT n0) AS count RETURN n1.wardName AS wardName, count",
        ),
        (
            "What is the highest weight of admissions that ended with 'Sent home', grouped by gender?",
            "MATCH (n0:Admission)-[:ENDED_WITH]->(n1:Result) WHERE n1.result = 'Sent home' "
            "RETURN n0.gender AS gender, max(n0.weight) AS max_weight",
        ),
        (
            "What is the average age of admissions, grouped by gender and booking clerk?",
            "MATCH (n0:Admission) "
            "RETURN n0.gender AS gender, n0.bookingClerk AS bookingClerk, avg(n0.age) AS avg_age",
        ),
        (
            "For admissions covered by 'Allcare', what is the count of admissions and the average age, "
            "grouped by gender?",
            "MATCH (n1:Insurer)-[:COVERED]->(n0:Admission) WHERE n1.insurerName = 'Allcare' "
            ""
            "RETURN n0.gender AS gender, count(DISTINCT n0) AS count, avg(n0.age) AS avg_age",
        ),
        (
            "What is the average weight of patients treated in Linden?",
            "MATCH (n0:Admission)-[:TREATED_IN]->(n1:Ward) WHERE n1.wardName = 'Linden' "
            "WITH DISTINCT n0 RETURN avg(n0.weight) AS avg_weight",
        ),
        (
            "What is the average weight of all breeds?",
            "MATCH (n0:Breed) RETURN avg(toFloat(replace(n0.average_weight, ',', ''))) AS avg_average_weight",
        ),
        (
            "What is the average weight of the breed named Whippet?",
            "MATCH (n0:Breed) WHERE n0.name = 'Whippet' RETURN DISTINCT n0.average_weight AS average_weight",
        ),
    ],
)
def test_measures(question: str, cypher: str, shown: Callable[[str], str]) -> None:
    assert shown(question) == cypher


@pytest.mark.parametrize(
    ("question", "cypher"),
    [
        (
            "Find all admissions covered by 'Allcare' where the gender is 'F' and the admission ended with "
            "'Sent home'. Return the admission IDs and the codes of the results.",
            "MATCH (n1:Insurer)-[:COVERED]->(n0:Admission), (n0)-[:ENDED_WITH]->(n2:Result) "
            "WHERE n1.insurerName = 'Allcare' AND n0.gender = 'F' AND n2.result = 'Sent home' "
            "RETURN DISTINCT n0.admissionid AS admissionid, n2.code AS code",
        ),
        (
            "Which illness is a main cause in the admission with admissionid 4711?",
            "MATCH (n1:Admission)-[:IS_MAIN_CAUSE]->(n0:Illness) WHERE n1.admissionid = 4711 "
            "RETURN DISTINCT n0.title AS title",
        ),
        (
            "List the IDs of admissions that ended with 'Sent home' as a result where the age is over 60.",
            "MATCH (n0:Admission)-[:ENDED_WITH]->(n1:Result) WHERE n1.result = 'Sent home' AND n0.age > 60 "
            "RETURN DISTINCT n0.admissionid AS admissionid",
        ),
    ],
)
def test_clauses_and_second_sentences(question: str, cypher: str, shown: Callable[[str], str]) -> None:
    assert shown(question) == cypher


def test_measures_are_said_in_english() -> None:
    reading = READER.read("What is the average age of admissions, grouped by gender?")
    assert reading.query is not None
    assert explain(reading.query).startswith("Avg of the admission's age for each of the admission's gender")


def test_the_order_of_measures_is_kept_where_two_are_asked(shown: Callable[[str], str]) -> None:
    text = shown("For each ward, how many admissions were treated in it and what is the average age?")
    assert text.endswith("avg(n0.age) AS avg_age RETURN n1.wardName AS wardName, count, avg_age")


def test_measures_of_nothing_have_no_rows() -> None:
    reading = READER.read("What is the average age of admissions, grouped by gender?")
    assert reading.query is not None
    text = READER.write(matching(reading.query)).text
    assert "avg" in READER.write(reading.query).text
    assert "avg" not in text
    assert "LIMIT" in text
