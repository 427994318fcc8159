"""What relationships tell of themselves, fellows, lengths of text and years, on inspected ships."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from cypher.semantics.reader import SemanticReader
from cypher.semantics.values import ValueTable
from tests.cypher.small_schemas import invented_graph

SCHEMA, STORED = invented_graph("""
    Sailor 40: name, born integer
    Ship 40: name, built integer, motto
    Port 40: name, country
    (Sailor)-[INSPECTED 20: grade integer, remark]->(Ship), (Sailor)-[SERVED_ON 20: duty]->(Ship)
    (Sailor)-[DESIGNED 20]->(Ship), (Ship)-[REGISTERED_IN 20]->(Port)

    Sailor.name: Ines Falk | Odd Berg
    Ship.name: Aurora
    Port.country: Norway
""")
READER = SemanticReader(SCHEMA, ValueTable(STORED))


@pytest.mark.parametrize(
    ("question", "cypher"),
    [
        (
            "Who designed ships that were inspected with a grade above 8?",
            "(n0:Sailor)-[:DESIGNED]->(n1:Ship), (n2:Sailor)-[r1:INSPECTED]->(n1) WHERE r1.grade > 8",
        ),
        (
            "Who designed a ship with a grade of at least 8?",
            "(n0:Sailor)-[:DESIGNED]->(n1:Ship), (n2:Sailor)-[r1:INSPECTED]->(n1) WHERE r1.grade >= 8",
        ),
        (
            "List the ships where the inspector gave a grade below 4.",
            "MATCH (n1:Sailor)-[r0:INSPECTED]->(n0:Ship) WHERE r0.grade < 4 RETURN DISTINCT n0.name",
        ),
        (
            "Which ships are there where the designers were born before 1950?",
            "MATCH (n1:Sailor)-[:DESIGNED]->(n0:Ship) WHERE n1.born < 1950 RETURN DISTINCT n0.name",
        ),
        (
            "List all inspectors along with their grades in 'Aurora'.",
            "(n0:Sailor)-[r0:INSPECTED]->(n1:Ship) WHERE n1.name = 'Aurora' "
            "RETURN DISTINCT n0.name AS name, r0.grade AS grade",
        ),
        (
            "Show the remarks given by Ines Falk.",
            "(n0:Sailor)-[r0:INSPECTED]->(n1:Ship) WHERE n0.name = 'Ines Falk' "
            "RETURN DISTINCT n0.name AS name, r0.remark AS remark",
        ),
        ("What is the lowest grade given to a ship?", "RETURN min(r0.grade) AS min_grade"),
        ("What is the lowest grade in the INSPECTED relationship?", "RETURN min(r0.grade) AS min_grade"),
        (
            "What are the top 3 ships with the most inspectors in the INSPECTED relationship?",
            "(n1:Sailor)-[:INSPECTED]->(n0:Ship) WITH n0, count(DISTINCT n1) AS counted "
            "RETURN DISTINCT n0.name AS name, counted AS count ORDER BY counted DESC LIMIT 3",
        ),
        (
            "What are the top 2 most frequently appearing inspection remarks?",
            "RETURN r0.remark AS remark, count(DISTINCT r0) AS count ORDER BY count DESC LIMIT 2",
        ),
    ],
)
def test_what_relationships_tell(shown: Callable[[str], str], question: str, cypher: str) -> None:
    assert cypher in shown(question)


@pytest.mark.parametrize(
    ("question", "cypher"),
    [
        (
            "Which sailors served with Odd Berg?",
            "(n0:Sailor)-[:SERVED_ON]->(n1:Ship), (n2:Sailor)-[:SERVED_ON]->(n1) WHERE n2.name = 'Odd Berg'",
        ),
        (
            "Who has the most designed ships?",
            "(n0:Sailor)-[:DESIGNED]->(n1:Ship) WITH n0, count(DISTINCT n1) AS counted",
        ),
        (
            "Which sailors with three designed ships were born after 1960?",
            "(n0:Sailor)-[:DESIGNED]->(n1:Ship) WHERE n0.born > 1960 "
            "WITH n0, count(DISTINCT n1) AS counted WHERE counted = 3",
        ),
    ],
)
def test_fellows_and_what_is_done(shown: Callable[[str], str], question: str, cypher: str) -> None:
    assert cypher in shown(question)


@pytest.mark.parametrize(
    ("question", "cypher"),
    [
        (
            "Which 2 ships have the longest mottos?",
            "WITH DISTINCT n0, size(n0.motto) AS sorted WHERE sorted IS NOT NULL "
            "RETURN n0.name AS name, n0.motto AS motto ORDER BY sorted DESC LIMIT 2",
        ),
        ("Which ship has the shortest name?", "WITH min(size(n0.name)) AS best"),
        ("Which 2 ships have the longest names?", "RETURN n0.name AS name ORDER BY sorted DESC LIMIT 2"),
    ],
)
def test_texts_are_ranked_by_length(shown: Callable[[str], str], question: str, cypher: str) -> None:
    assert cypher in shown(question)


@pytest.mark.parametrize(
    ("question", "cypher"),
    [
        (
            "Which country has the most ports?",
            "RETURN n0.country AS country, count(DISTINCT n0) AS count ORDER BY count DESC LIMIT 1",
        ),
        (
            "What are the top 3 years with the most ships built?",
            "RETURN n0.built AS built, count(DISTINCT n0) AS count ORDER BY count DESC LIMIT 3",
        ),
        (
            "In which year were the most ships built?",
            "RETURN n0.built AS built, count(DISTINCT n0) AS count ORDER BY count DESC LIMIT 1",
        ),
        ("How many ships were built in each year?", "RETURN n0.built AS built, count(DISTINCT n0) AS count"),
        ("List the sailors and their birth years.", "RETURN n0.name AS name, n0.born AS born"),
        ("Who were the sailors and what were their birth years?", "RETURN n0.name AS name, n0.born AS born"),
        ("List all ships sorted by year of building.", "n0.built AS sorted"),
        (
            "Which ships were built in the same year as the Aurora?",
            "MATCH (n0:Ship), (n1:Ship) WHERE n1.name = 'Aurora' AND n0.built = n1.built AND n0 <> n1",
        ),
    ],
)
def test_values_with_most_things_and_years(shown: Callable[[str], str], question: str, cypher: str) -> None:
    assert cypher in shown(question)


@pytest.mark.parametrize(
    ("question", "cypher"),
    [
        (
            "Which ships was Ines Falk credited as a designer of?",
            "(n1:Sailor)-[:DESIGNED]->(n0:Ship) WHERE n1.name = 'Ines Falk' RETURN DISTINCT n0.name",
        ),
        ("Who worked as an inspector of the Aurora?", "(n0:Sailor)-[:INSPECTED]->(n1:Ship) WHERE n1.name"),
        ("Which ships do not have a motto?", "(n0:Ship) WHERE n0.motto IS NULL RETURN"),
        ("Which ships have a motto?", "(n0:Ship) WHERE n0.motto IS NOT NULL RETURN"),
        ("List ships with the word 'sea' in the motto.", "(n0:Ship) WHERE n0.motto CONTAINS 'sea' RETURN"),
        (
            "Which ships have 'rust' mentioned in the remark?",
            "(n1:Sailor)-[r0:INSPECTED]->(n0:Ship) WHERE r0.remark CONTAINS 'rust' RETURN",
        ),
    ],
)
def test_roles_and_texts(shown: Callable[[str], str], question: str, cypher: str) -> None:
    assert cypher in shown(question)
