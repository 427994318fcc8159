"""Who is pointed at in a second sentence, and what was made by whom, on invented workshops."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from cypher.semantics.reader import SemanticReader
from cypher.semantics.values import ValueTable
from tests.cypher.small_schemas import invented_graph

SCHEMA, STORED = invented_graph("""
    Person 80: name, surname
    Clock 50: number, make, year integer
    Shop 20: name
    Town 9: name
    (Person)-[TEACHES 40]->(Person), (Person)-[OWNS 60]->(Clock), (Person)-[MADE 60]->(Clock)
    (Person)-[LIVES_IN 80]->(Town), (Clock)-[SOLD_AT 40]->(Shop)

    Person.name: Ann | Ben
    Person.surname: Vesper | Lund
    Clock.number: C-1
    Clock.make: Vesper | Corvin
    Town.name: Wexcombe
""")
READER = SemanticReader(SCHEMA, ValueTable(STORED))


@pytest.mark.parametrize(
    ("question", "cypher"),
    [
        # "this someone" is not the owner, "those people" not the residents
        (
            "The owner of the clock C-1 teaches someone. In which town does this someone live?",
            "MATCH (n1:Person)-[:LIVES_IN]->(n0:Town), (n2:Person)-[:TEACHES]->(n1), (n2)-[:OWNS]->"
            "(n3:Clock) WHERE n3.number = 'C-1' RETURN DISTINCT n0.name AS name",
        ),
        (
            "Residents of Wexcombe teach some people: list the clocks of those people.",
            "MATCH (n1:Person)-[:OWNS]->(n0:Clock), (n2:Person)-[:TEACHES]->(n1), (n2)-[:LIVES_IN]->"
            "(n3:Town) WHERE n3.name = 'Wexcombe' RETURN DISTINCT n0.number AS number",
        ),
        # a make is what made it, though people of that name made others
        (
            "Which clocks made by Corvin were sold at a shop?",
            "MATCH (n0:Clock)-[:SOLD_AT]->(n1:Shop) WHERE n0.make = 'Corvin' "
            "RETURN DISTINCT n0.number AS number",
        ),
        (
            "Who owns a clock manufactured by Corvin?",
            "MATCH (n0:Person)-[:OWNS]->(n1:Clock) WHERE n1.make = 'Corvin' RETURN DISTINCT n0.name AS name",
        ),
        (
            "List each make with its number of clocks sold at a shop.",
            "MATCH (n0:Clock)-[:SOLD_AT]->(n1:Shop) RETURN n0.make AS make, count(DISTINCT n0) AS count",
        ),
    ],
)
def test_question_is_read_as_meant(shown: Callable[[str], str], question: str, cypher: str) -> None:
    assert shown(question) == cypher


@pytest.mark.parametrize(
    ("question", "conditions"),
    [
        (
            "Which clocks of the make Corvin from 1990 or from 1995 were sold at a shop?",
            "n0.make = 'Corvin' AND n0.year IN (1990, 1995)",
        ),
        (
            "Which clocks are owned by a person named Ann or Ben who lives in Wexcombe?",
            "n1.name IN ('Ann', 'Ben') AND n2.name = 'Wexcombe'",
        ),
        (
            "How many clocks does any person called Ann or Ben own who lives in Wexcombe?",
            "n1.name IN ('Ann', 'Ben') AND n2.name = 'Wexcombe'",
        ),
    ],
)
def test_or_joins_what_is_said_alike(shown: Callable[[str], str], question: str, conditions: str) -> None:
    assert conditions in shown(question)
