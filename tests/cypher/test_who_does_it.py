"""Who does something to somebody: "who staged Ann" is a person who staged a play that Ann is in."""

from __future__ import annotations

import pytest

from cypher.semantics.reader import SemanticReader
from cypher.semantics.rephrased import rephrased
from cypher.semantics.values import ValueTable
from tests.cypher.small_schemas import invented_graph

SCHEMA, STORED = invented_graph("""
    Person 90: name, born integer
    Play 60: title, year integer
    (Person)-[PERFORMED_IN 200]->(Play), (Person)-[DIRECTED 60]->(Play), (Person)-[FUNDED 20]->(Play)

    Person.name: Ada Moor | Ben Vale | Cleo Finn
    Play.title: Grey Owl | Old Mill
""")
READER = SemanticReader(SCHEMA, ValueTable(STORED))
HER_DIRECTORS = (
    "MATCH (n0:Person)-[:DIRECTED]->(n1:Play), (n2:Person)-[:PERFORMED_IN]->(n1) "
    "WHERE n2.name = 'Ada Moor' RETURN DISTINCT n0.name AS name"
)
HER_CAST = (
    "MATCH (n0:Person)-[:PERFORMED_IN]->(n1:Play), (n2:Person)-[:DIRECTED]->(n1) "
    "WHERE n2.name = 'Ada Moor' RETURN DISTINCT n0.name AS name"
)
DIRECTORS = (
    "MATCH (n0:Person)-[:DIRECTED]->(n1:Play) WHERE n1.title = 'Grey Owl' RETURN DISTINCT n0.name AS name"
)


@pytest.mark.parametrize(
    ("question", "cypher"),
    [
        ("Who directed Ada Moor?", HER_DIRECTORS),
        ("Who has directed Ada Moor?", HER_DIRECTORS),
        ("Who was directed by Ada Moor?", HER_CAST),
        ("Who has been directed by Ada Moor?", HER_CAST),
        ("Who directed Grey Owl?", DIRECTORS),
        ("Who has directed Grey Owl?", DIRECTORS),
    ],
)
def test_who_is_a_person_on_the_side_of_the_verb(question: str, cypher: str) -> None:
    """ "Who directed Ann" was answered with the plays that Ann directed."""
    written = READER.read(question).written
    assert written is not None
    text = written.text.replace("$p0", repr(written.parameters["p0"]))
    assert text.replace("`", "").replace("\n", " ") == cypher


@pytest.mark.parametrize(
    ("said", "plain"),
    [
        (
            "Who wrote and staged the same play, along with the play title?",
            "Who wrote and staged the same play?",
        ),
        ("Which were sent after the day on which they were due?",) * 2,
        (
            "Which were sent after the date by which they were required?",
            "Which were sent after the required date?",
        ),
    ],
)
def test_what_is_shown_or_said_in_a_clause(said: str, plain: str) -> None:
    assert rephrased(said) == plain
