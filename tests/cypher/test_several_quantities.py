"""Several quantities of one thing, told one by one; a bound of which not all measurements are."""

from __future__ import annotations

import pytest

from cypher.service import QuestionService
from schemas.questions import Answer, Outcome, Question


def ask(service: QuestionService, text: str) -> Answer:
    return service.ask(Question(text=text))


@pytest.mark.parametrize("joined", ["mass and lifetime", "mass, width and lifetime"])
def test_each_is_answered_by_itself(service: QuestionService, joined: str) -> None:
    answer = ask(service, f"What are the {joined} of the B_s0?")
    for one in joined.replace(" and ", ", ").split(", "):
        assert f"What is the {one} of the B_s0?" in answer.text
    assert answer.outcome is Outcome.ANSWERED
    assert "What are the" not in answer.text


def test_attributes_of_a_paper_stay_in_one_row(service: QuestionService) -> None:
    (name,) = (str(r[0]) for r in ask(service, "Which papers determine Delta m_s?").rows[:1])
    answer = ask(service, f"What are the year and title of {name}?")
    assert answer.outcome is Outcome.ANSWERED, answer.text
    assert {"year", "title"} <= set(answer.columns)


def test_of_values_on_both_sides_of_a_bound_it_is_told_how_many(service: QuestionService) -> None:
    values = ask(service, "What are the values of phi_s?")
    at = values.columns.index("value")
    numbers = sorted(v for r in values.rows if isinstance(v := r[at], int | float))
    middle = (numbers[0] + numbers[-1]) / 2
    for word in ("larger", "smaller"):
        answer = ask(service, f"Is phi_s {word} than {middle} rad?")
        assert answer.outcome is Outcome.ANSWERED, answer.text
        assert answer.text.startswith(f"{len(answer.rows)} of {len(numbers)} statements say so, the others")


def test_what_a_kind_of_thing_is_made_of_is_no_question_to_the_graph(service: QuestionService) -> None:
    answer = ask(service, "What properties does a paper have?")
    assert answer.outcome is Outcome.UNANSWERABLE
    assert "kg schema show" in answer.text
