"""An attribute that is known of few things: what is counted by it is said to be of those alone."""

from __future__ import annotations

import pytest

from cypher.service import QuestionService
from schemas.questions import Answer, Outcome, Question
from tests.cypher.conftest import Graph, make_graph

TOLD = "The data-taking period is known of 2 of the {} papers of the whole graph."


@pytest.fixture(scope="module")
def small_graph() -> Graph:
    graph = make_graph()
    for number, period in enumerate(("run 2", "run 1", "", "")):
        known = {"run_period": period} if period else {}
        graph.node("paper", f"NOTE 202{number}", **known)
    return graph


def ask(service: QuestionService, text: str) -> Answer:
    return service.ask(Question(text=text))


@pytest.mark.parametrize("text", ["How many papers are from Run 2?", "papers from Run 2"])
def test_it_is_told_of_how_many_it_is_known(service: QuestionService, text: str) -> None:
    answer = ask(service, text)
    (there,) = ask(service, "How many papers are there?").rows[0]
    assert answer.outcome is Outcome.ANSWERED
    assert TOLD.format(there) in answer.assumptions


def test_nothing_is_told_of_what_is_known_of_all(service: QuestionService) -> None:
    answer = ask(service, "How many decays are there with a K+?")
    assert answer.outcome is Outcome.ANSWERED
    assert not any("is known of" in a for a in answer.assumptions)


def test_nothing_is_told_where_it_is_no_condition(service: QuestionService) -> None:
    answer = ask(service, "How many papers are there?")
    assert not any("is known of" in a for a in answer.assumptions)
