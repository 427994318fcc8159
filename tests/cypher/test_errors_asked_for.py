"""Errors of measured values, lists of products, numbers of rows, and why an answer is empty."""

from __future__ import annotations

import pytest

from cypher.general.answer import amount
from cypher.service import QuestionService
from schemas.questions import Outcome, Question


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("What is the systematic error of the latest value of phi_s?", 0.022),
        ("What is the statistical error of the latest value of phi_s?", 0.041),
    ],
)
def test_an_error_of_one_value_is_its_number(service: QuestionService, text: str, error: float) -> None:
    answer = service.ask(Question(text=text))
    assert answer.outcome is Outcome.ANSWERED, answer.text
    assert len(answer.rows) == 1
    assert error in answer.rows[0]
    assert f"error {error:g} rad" in answer.text


def test_the_errors_of_all_values_are_listed(service: QuestionService) -> None:
    answer = service.ask(Question(text="What is the statistical error of Delta m_s?"))
    at = answer.columns.index("statistical error")
    assert {row[at] for row in answer.rows} == {0.10, 0.023}


def test_an_error_of_the_most_precise_value(service: QuestionService) -> None:
    answer = service.ask(
        Question(text="What is the systematic uncertainty of the most precise measurement of Delta m_s?")
    )
    assert answer.outcome is not Outcome.EMPTY_BUT_VALID


@pytest.mark.parametrize(
    "text",
    [
        "What are the decay products of B_s0 -> mu+ mu-?",
        "Which decay products does B_s0 -> mu+ mu- have?",
        "Decay products of B_s0 -> mu+ mu-",
    ],
)
def test_products_of_a_decay(service: QuestionService, text: str) -> None:
    answer = service.ask(Question(text=text))
    assert answer.rows == (("B_s0 -> mu+ mu-", ("mu+", "mu-")),)


def test_products_of_several_decays_are_counted_each(service: QuestionService) -> None:
    answer = service.ask(Question(text="What are the decay products of B_s0?"))
    assert answer.outcome is Outcome.ANSWERED, answer.text
    assert dict(answer.rows) == {
        "J/psi(1S)": 2, "D_s-": 1, "K+": 1, "K-": 1, "mu+": 1, "mu-": 1, "phi(1020)": 1, "pi+": 1,
    }  # fmt: skip


def test_an_emptied_answer_names_the_condition_of_its_only_clause(service: QuestionService) -> None:
    answer = service.ask(
        Question(
            text="Which papers published a measurement of phi_s with a total error above 5 rad?", timeout=100
        )
    )
    assert answer.outcome is Outcome.EMPTY_BUT_VALID, answer.text
    assert answer.shape == "general"
    assert "Without one of these conditions there would be results: " in answer.text
    assert "total error" in answer.text


def test_a_list_that_is_cut_does_not_say_that_it_is_all(service: QuestionService) -> None:
    answer = service.ask(Question(text="Which papers published fewer than 9 measurements?", limit=2))
    assert answer.truncated
    assert answer.shape == "general"
    assert not answer.text.startswith("2 papers")
    assert amount(2, truncated=True) == "at least 3"
