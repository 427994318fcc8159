"""Two quantities of one thing are both meant, and what only occurs in lists has no quantities of its own."""

from __future__ import annotations

import pytest

from cypher.answers.follow_up import resolve
from cypher.service import QuestionService
from schemas.questions import Answer, Outcome, Question
from tests.cypher.conftest import Graph, make_graph

WIDTH, MODE = "Y_c1 width", "Y_c1 mass from J/psi mode"


@pytest.fixture(scope="module")
def small_graph() -> Graph:
    graph = make_graph()
    graph.node("observable", WIDTH, kind="width", particle="Y_c1")
    graph.node("observable", MODE, kind="mass", particle="Y_c1")
    graph.edge("1100005", "paper:1100005", "determines", f"observable:{WIDTH}", value=1.2, value_text="1.2")
    graph.edge(
        "1100005", "paper:1100005", "determines", "observable:B_s0 mass", value=5366.9, value_text="5366.9"
    )
    return graph


def ask(service: QuestionService, text: str) -> Answer:
    return service.ask(Question(text=text))


@pytest.mark.parametrize(
    "text",
    [
        "values of the B_s0 mass and lifetime",
        "values of the B_s0 meson mass and mean life",
    ],
)
def test_the_values_of_both_quantities(service: QuestionService, text: str) -> None:
    answer = ask(service, text)
    assert answer.outcome is Outcome.ANSWERED
    assert {"B_s0 mass", "B_s0 mean life"} <= {str(c) for row in answer.rows for c in row}


def test_both_quantities_in_one_paper(service: QuestionService) -> None:
    answer = ask(service, "Which papers determine the B_s0 mass and lifetime?")
    assert {row[0] for row in answer.rows} == {"1100005"}


@pytest.mark.parametrize(
    "text",
    [
        "values of the Y_c1 width and mass",
        "What is the lifetime of the mu+?",
        "What is the mass of the K+?",
        "Which papers determine the lifetime of the muon?",
    ],
)
def test_what_is_no_quantity_of_the_thing_is_no_condition(service: QuestionService, text: str) -> None:
    assert ask(service, text).outcome is Outcome.UNANSWERABLE


def test_each_of_two_quantities_is_told_by_itself(service: QuestionService) -> None:
    answer = ask(service, "What is the mass and width of the Y_c1?")
    assert all(f"What is the {one} of the Y_c1?" in answer.text for one in ("mass", "width"))


def test_it_is_said_that_there_is_no_such_quantity(service: QuestionService) -> None:
    answer = ask(service, "What is the lifetime of the mu+?")
    assert answer.text == "The graph knows no lifetime of 'mu+', which is only among the children of a decay."


@pytest.mark.parametrize("text", ["Which papers determine phi s?", "Which papers determine Delta m s?"])
def test_an_index_apart_is_one(service: QuestionService, text: str) -> None:
    answer = ask(service, text)
    wanted = ask(service, text.replace(" s?", "_s?"))
    assert wanted.rows
    assert answer.rows == wanted.rows


def test_more_products_are_told(service: QuestionService) -> None:
    told = "Decays with more products are included; 'to exactly' those products leaves them out."
    answer = ask(service, "Which particles decay to mu+ mu-?")
    assert {row[0] for row in answer.rows} == {"B_s0", "B+"}
    assert told in answer.assumptions
    exact = ask(service, "Which particles decay to exactly mu+ mu-?")
    assert {row[0] for row in exact.rows} == {"B_s0"}
    assert told not in exact.assumptions


@pytest.mark.parametrize(
    "text",
    ["Which has more papers, phi_s or Delta m_s?", "Which of these papers, 1100001 or 1100002, is older?"],
)
def test_two_things_in_a_question_are_no_follow_up(service: QuestionService, text: str) -> None:
    assert resolve(text, "", service).text == text
