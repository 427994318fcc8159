"""A measurement that is asked for by its value or error is one, and no source of uncertainty."""

from __future__ import annotations

import pytest

from cypher.service import QuestionService
from schemas.questions import Answer, Outcome, Question


def ask(service: QuestionService, text: str) -> Answer:
    return service.ask(Question(text=text, use_llm=False))


@pytest.mark.neo4j
@pytest.mark.parametrize(
    ("text", "papers"),
    [
        ("Which measurement of Delta m_s has the largest systematic uncertainty?", ["1100001"]),
        ("Which Delta m_s measurement has the largest systematic uncertainty?", ["1100001"]),
        ("Which of the Delta m_s measurements has the biggest systematic uncertainty?", ["1100001"]),
        ("Which measurement of phi_s has the largest systematic uncertainty?", ["1100006"]),
        ("Which measurement of phi_s has the largest uncertainty?", ["1100006"]),
        ("Which measurement of phi_s has the largest value?", ["1100005"]),
        ("Which measurement has the smallest value of phi_s?", ["1100006"]),
    ],
)
def test_a_measurement_is_told_by_its_number(service: QuestionService, text: str, papers: list[str]) -> None:
    answer = ask(service, text)
    assert answer.outcome is Outcome.ANSWERED, answer.text
    assert [r[0] for r in answer.rows] == papers
    assert "AFFECTS" not in answer.cypher


@pytest.mark.neo4j
@pytest.mark.parametrize("what", ["value", "systematic uncertainty"])
def test_the_largest_of_all_quantities_is_none(service: QuestionService, what: str) -> None:
    answer = ask(service, f"Which measurement has the largest {what}?")
    assert answer.outcome is Outcome.UNANSWERABLE
    assert "units that cannot be compared" in answer.text


@pytest.mark.neo4j
def test_a_limit_is_no_smallest_value(service: QuestionService) -> None:
    answer = ask(service, "Which measurement of A_CP(B0 -> K+ pi-) has the smallest value?")
    assert answer.outcome is Outcome.EMPTY_BUT_VALID, answer.text


def test_by_an_unknown_number_no_measurement_is_told(dry_service: QuestionService) -> None:
    answer = ask(dry_service, "Which measurement of phi_s has the dominant systematic uncertainty?")
    assert answer.outcome is Outcome.UNANSWERABLE
    assert "asks for a measurement by its uncertainty" in answer.text


@pytest.mark.parametrize(
    "text",
    [
        "What is the largest systematic uncertainty on phi_s?",
        "Which uncertainty affects the measurement of phi_s most?",
        "What is the largest systematic uncertainty in the measurement of phi_s?",
    ],
)
def test_a_source_is_asked_for_all_the_same(dry_service: QuestionService, text: str) -> None:
    assert ask(dry_service, text).shape == "strongest"
