"""Close questions in a scope: a graph of drafts with one vetted fact, and one where all are drafts."""

from __future__ import annotations

import pytest

from kg.wiring import Platform
from schemas.graphs import Status
from schemas.questions import Answer, Outcome, Question, Scope

pytestmark = pytest.mark.neo4j
PATIENT = 60
VETTED = """
MATCH (p:Paper {name: '2001003'})-[d:DETERMINES]->(o:Observable {name: 'CKM angle gamma'})
SET p.status = 'vetted', d.status = 'vetted', o.status = 'vetted'
"""


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy machine plans queries slowly."""
    monkeypatch.setattr("cypher.close_questions.MOST_SECONDS", 30.0)


def asked(platform: Platform, text: str, scope: Scope) -> Answer:
    return platform.questions.ask(Question(text=text, scope=scope, timeout=PATIENT))


@pytest.fixture(scope="module")
def vetted(worked: Platform) -> Platform:
    """The worked graph, all of it drafts but for one fact and its ends."""
    worked.connection.write(VETTED, {})
    return worked


@pytest.mark.parametrize(
    "question",
    [
        "Which papers determine Delta m_s?",
        "Which papers cite CKM angle gamma?",
        "Who is it?",
        "How many decays are there?",
    ],
)
def test_each_has_an_answer_in_the_scope(vetted: Platform, question: str) -> None:
    answer = asked(vetted, question, Scope.VETTED)
    assert answer.outcome is not Outcome.ANSWERED
    assert len(answer.suggestions) == 3
    for close in answer.suggestions:
        assert asked(vetted, close, Scope.VETTED).outcome is Outcome.ANSWERED, close
        assert "Delta m_s" not in close


def test_what_there_is_no_time_to_try_is_not_told(vetted: Platform, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cypher.close_questions.MOST_SECONDS", 0.0)
    assert asked(vetted, "Which papers determine Delta m_s?", Scope.VETTED).suggestions == ()


def test_there_are_none_where_the_scope_holds_nothing(vetted: Platform) -> None:
    answer = asked(vetted, "Which papers determine CKM angle gamma?", Scope.PUBLISHED)
    assert answer.outcome is Outcome.EMPTY_BUT_VALID
    assert answer.suggestions == ()
    assert Status.PUBLISHED.value in answer.text
