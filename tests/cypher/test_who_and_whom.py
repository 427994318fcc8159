"""At which end of a relationship between things of one kind somebody is, and what a word for a kind says."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from cypher.semantics.decide import Verdict, decide
from cypher.semantics.reader import SemanticReader
from cypher.semantics.values import ValueTable
from tests.cypher.small_schemas import invented_graph

SCHEMA, STORED = invented_graph("""
    Queen 24: code, line
    Team 7: name, office
    Engineer 24: name, title, onCall boolean
    Service 9: name, sloPercent float
    Deployment 30: number, status
    Incident 18: title
    (Queen)-[DAUGHTER_OF 12]->(Queen), (Engineer)-[MENTOR_OF 8]->(Engineer)
    (Engineer)-[MEMBER_OF 30: role]->(Team)
    (Engineer)-[TRAINED 9: year integer]->(Engineer), (Engineer)-[RESPONDED_TO 40: role]->(Incident)
    (Team)-[OWNS 9]->(Service), (Deployment)-[RELEASED 30]->(Service)

    Queen.code: Q21 | Q22
    Team.name: Payments | Labs
    Engineer.name: Ann Lee | Ben Vale
    Engineer.title: Engineer | Senior Engineer
    MEMBER_OF.role: member | lead
    RESPONDED_TO.role: commander | responder
    Service.name: ledger | reporting
    Deployment.status: succeeded | failed
""")
READER = SemanticReader(SCHEMA, ValueTable(STORED))


@pytest.fixture
def shown() -> Callable[[str], str]:
    def show(question: str) -> str:
        reading = READER.read(question)
        assert decide(reading, SCHEMA).verdict is Verdict.ANSWER, question
        assert reading.written is not None
        text = reading.written.text.replace("`", "")
        for name, value in reading.written.parameters.items():
            text = text.replace(f"${name}", repr(value))
        return " ".join(text.split())

    return show


@pytest.mark.parametrize(
    ("question", "pattern"),
    [
        ("Who are the daughters of Q21?", "(n0:Queen)-[:DAUGHTER_OF]->(n1:Queen) WHERE n1.code = 'Q21'"),
        ("How many daughters does Q21 have?", "(n0:Queen)-[:DAUGHTER_OF]->(n1:Queen) WHERE n1.code = 'Q21'"),
        (
            "Who is a mentor of Ann Lee?",
            "(n0:Engineer)-[:MENTOR_OF]->(n1:Engineer) WHERE n1.name = 'Ann Lee'",
        ),
        (
            "Whose mentor is Ann Lee?",
            "(n1:Engineer)-[:MENTOR_OF]->(n0:Engineer) WHERE n1.name = 'Ann Lee'",
        ),
        (
            "Is Ann Lee the mentor of Ben Vale?",
            "(n0:Engineer)-[:MENTOR_OF]->(n1:Engineer) WHERE n0.name = 'Ann Lee' AND n1.name = 'Ben Vale'",
        ),
        ("Which queens have no daughters?", "NOT EXISTS { MATCH (n1:Queen)-[:DAUGHTER_OF]->(n0) }"),
    ],
)
def test_who_is_called_by_a_relationship_is_where_it_starts(
    shown: Callable[[str], str], question: str, pattern: str
) -> None:
    assert pattern in shown(question)


@pytest.mark.parametrize(
    ("question", "pattern"),
    [
        ("When was Ann Lee trained?", "-[r0:TRAINED]->(n0:Engineer) WHERE n0.name = 'Ann Lee'"),
        ("Was Ann Lee trained?", "-[:TRAINED]->(n0:Engineer) WHERE n0.name = 'Ann Lee'"),
        ("Which engineers were never trained?", "NOT EXISTS { MATCH (n1:Engineer)-[:TRAINED]->(n0) }"),
        ("How many engineers were trained in 2020?", "(n1:Engineer)-[r0:TRAINED]->(n0:Engineer)"),
        ("Which engineers were trained more than once?", "count(DISTINCT r0) AS counted WHERE counted > 1"),
        (
            "Which engineers were trained by at least two engineers?",
            "count(DISTINCT n1) AS counted WHERE counted >= 2",
        ),
    ],
)
def test_who_was_trained_is_where_the_training_ends(
    shown: Callable[[str], str], question: str, pattern: str
) -> None:
    assert pattern in shown(question)


def test_who_did_it_stays_where_it_starts(shown: Callable[[str], str]) -> None:
    assert "(n0:Engineer)-[:TRAINED]->(n1:Engineer) WHERE n1.name = 'Ann Lee'" in shown(
        "Who trained Ann Lee?"
    )
    by = shown("When was Ann Lee trained by Ben Vale?")
    assert (
        "(n1:Engineer)-[r0:TRAINED]->(n0:Engineer) WHERE n0.name = 'Ann Lee' AND n1.name = 'Ben Vale'" in by
    )


@pytest.mark.parametrize("question", ["How many engineers are on call?", "Which engineers are on call?"])
def test_a_word_for_the_label_is_no_title(shown: Callable[[str], str], question: str) -> None:
    assert "title" not in shown(question)


def test_a_title_that_is_said_is_one(shown: Callable[[str], str]) -> None:
    assert "n0.title = 'Engineer'" in shown("Which engineers have the title Engineer?")
    assert "n0.title = 'Senior Engineer'" in shown("Which senior engineers are on call?")


def test_members_are_not_those_with_the_role_of_a_member(shown: Callable[[str], str]) -> None:
    assert "role" not in shown("How many members does each team have?")
    assert "r0.role = 'member'" in shown("Who is a member of Payments?")


def test_how_often_is_heard_in_every_reading() -> None:
    reading = READER.read("Which engineers have been incident commander at least twice?")
    assert reading.candidates
    assert all(c.query.having is not None and c.query.having.value == 2 for c in reading.candidates)


@pytest.mark.parametrize(
    "question",
    ["What percentage of deployments failed?", "who uses both reporting and ledger?"],
)
def test_a_share_of_things_and_another_verb_are_not_answered(question: str) -> None:
    assert decide(READER.read(question), SCHEMA).verdict is not Verdict.ANSWER
