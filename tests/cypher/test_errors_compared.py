"""Which error is the larger one, and values asked for with both of them."""

from __future__ import annotations

import pytest

from cypher.paraphrase import settled
from cypher.service import QuestionService
from cypher.ways.decisive import decisive
from schemas.questions import Answer, Outcome, Question

SMALLER = "systematic error is below statistical error"
LARGER = "systematic error is above statistical error"


def ask(service: QuestionService, text: str) -> Answer:
    return service.ask(Question(text=text))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Which measurements of phi_s have a statistical error larger than the systematic error?", SMALLER),
        ("Which measurements of phi_s have a statistical error smaller than the systematic one?", LARGER),
        ("Which measurements of phi_s have a systematic error larger than the statistical error?", LARGER),
        ("Which measurements of phi_s are dominated by systematic uncertainties?", LARGER),
        ("Which measurements of phi_s are limited by statistics?", SMALLER),
        ("Which measurements of phi_s are statistically limited?", SMALLER),
        ("How many measurements of phi_s are systematics dominated?", LARGER),
    ],
)
def test_the_larger_error_is_the_one_that_is_named(service: QuestionService, text: str, said: str) -> None:
    answer = ask(service, text)
    assert said in answer.explanation, answer.text
    assert (SMALLER in answer.explanation) != (LARGER in answer.explanation)


@pytest.mark.parametrize(
    "text",
    [
        "What are the stat and syst errors of phi_s?",
        "What are the statistical and systematic uncertainties of the phi_s measurements?",
        "statistical and systematic error of phi_s",
        "stat. and syst. errors on phi_s",
    ],
)
def test_both_errors_are_asked_for_with_all_values(service: QuestionService, text: str) -> None:
    answer, values = ask(service, text), ask(service, "What are the values of phi_s?")
    assert answer.outcome is Outcome.ANSWERED, answer.text
    assert len(answer.rows) == len(values.rows) > 1
    assert any("errors are printed with each value" in a for a in answer.assumptions)


def test_no_wording_with_the_errors_the_other_way_round_decides() -> None:
    ways = ("stat error > syst error", "syst error > stat error", "stat and syst errors")
    said = [decisive(way) for way in ways]
    assert len(set(said)) == len(said)


def test_a_year_with_the_most_measurements_is_of_the_quantity_that_is_named() -> None:
    plain = settled("In which year was gamma measured most often?")
    assert plain == "which year has the most measurements of gamma?"


@pytest.mark.parametrize("when", ["since 2020", "in 2021", "by LHCb"])
def test_what_is_said_behind_the_comparison_is_a_condition(service: QuestionService, when: str) -> None:
    answer = ask(
        service, f"Which measurements have a systematic error larger than the statistical error {when}?"
    )
    assert LARGER in answer.explanation, answer.text
    assert when.rsplit(maxsplit=1)[-1] in answer.explanation
