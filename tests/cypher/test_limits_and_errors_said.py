"""Quantities that are limits or none, and values with their errors: neither is a source of uncertainty."""

from __future__ import annotations

import pytest

from cypher.are_limits import SaidLimits, split_limits
from cypher.service import QuestionService
from cypher.ways.decisive import decisive
from schemas.graph_schema import GraphSchema
from schemas.questions import Outcome, Question
from tests.cypher.test_other_values import CLOCKS


@pytest.mark.parametrize(
    ("text", "limits"),
    [
        ("which branching fractions are not limits", "the value is not a limit"),
        ("Which measurements are not limits?", "limit is not given"),
        ("branching fractions excluding limits", "the value is not a limit"),
        ("branching fractions that are limits", "the value is a limit"),
        ("How many branching fractions are limits?", "limit is known"),
        ("How many branching fractions are not limits?", "limit is not given"),
    ],
)
def test_limits_are_a_noun_there(dry_service: QuestionService, text: str, limits: str) -> None:
    answer = dry_service.ask(Question(text=text))
    assert limits in answer.explanation, answer.explanation or answer.text
    assert "affects" not in answer.explanation.lower()
    assert "not (" not in answer.explanation


@pytest.mark.neo4j
@pytest.mark.parametrize(
    ("text", "limits"),
    [
        ("measured branching fractions that aren't limits for B_s0", "the value is not a limit"),
        ("B_s0 branching fractions that are not limits", "the value is not a limit"),
        ("B_s0 branching fractions that are limits", "the value is a limit"),
    ],
)
def test_what_is_denied_of_the_values_is_not_denied_of_the_particle(
    service: QuestionService, text: str, limits: str
) -> None:
    answer = service.ask(Question(text=text))
    assert "the particle of the observable is 'B_s0'" in answer.explanation, answer.text
    assert limits in answer.explanation
    assert "affects" not in answer.explanation.lower()


@pytest.mark.neo4j
@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("Which measurements are not limits?", 14),
        ("Which asymmetries are limits?", 1),
        ("B_s0 branching fractions excluding limits", 4),
    ],
)
def test_values_that_are_limits_or_none(service: QuestionService, text: str, count: int) -> None:
    answer = service.ask(Question(text=text))
    assert answer.outcome is Outcome.ANSWERED, answer.text
    assert len(answer.rows) == count, answer.explanation


@pytest.mark.parametrize(
    "text",
    [
        "list the B_s0 mass values with their stat and syst errors",
        "B_s0 mass: stat and syst uncertainty please",
        "show B_s0 mass values and their systematic errors",
        "What is the B_s0 mass with its statistical and systematic uncertainties?",
    ],
)
def test_values_with_their_errors_have_no_condition_on_them(dry_service: QuestionService, text: str) -> None:
    answer = dry_service.ask(Question(text=text))
    assert answer.explanation.endswith("Conditions: the observable is 'B_s0 mass'."), answer.explanation
    assert any("errors are printed" in a for a in answer.assumptions)


@pytest.mark.parametrize(
    "text",
    [
        "which measurements of Delta m_s quote a stat and a syst error",
        "Values of Delta m_s with statistical and systematic uncertainties",
    ],
)
def test_an_error_that_is_quoted_is_known(dry_service: QuestionService, text: str) -> None:
    answer = dry_service.ask(Question(text=text))
    assert "the stat plus or the stat minus of" in answer.explanation, answer.explanation
    assert "the syst plus or the syst minus of" in answer.explanation
    assert "above" not in answer.explanation
    assert "uncertainty source" not in answer.explanation


@pytest.mark.neo4j
def test_values_without_both_errors_are_left_out_where_they_are_asked_for(service: QuestionService) -> None:
    answer = service.ask(Question(text="which measurements of Delta m_s quote a stat and a syst error"))
    assert {row[0] for row in answer.rows} == {"1100001", "1100003"}
    every = service.ask(Question(text="list the values of Delta m_s with their stat and syst errors"))
    assert len(every.rows) == 3


def test_a_way_of_asking_with_a_comparison_stands_for_no_question_without_one() -> None:
    bigger = decisive("{Q} measurements with a bigger systematic than statistical error")
    assert bigger != decisive("{Q} measurements with their stat and syst errors")


@pytest.mark.parametrize(
    ("text", "rest", "said"),
    [
        (
            "which branching fractions are not limits",
            "which branching fractions are there",
            SaidLimits(none=True),
        ),
        (
            "branching ratios that aren't limits for Lambda_b0",
            "branching ratios for Lambda_b0",
            SaidLimits(none=True),
        ),
        (
            "How many branching fractions are upper limits?",
            "How many branching fractions are there",
            SaidLimits(none=False, which="upper"),
        ),
        ("Which papers are limits?", "Which papers are limits?", None),
        ("Which analyses are limits?", "Which analyses are limits?", None),
        ("Which uncertainties are limits?", "Which uncertainties are limits?", None),
        ("Which experiments are limits?", "Which experiments are limits?", None),
        ("Which methods are limits?", "Which methods are limits?", None),
    ],
)
def test_only_quantities_are_limits(
    particle_schema: GraphSchema, text: str, rest: str, said: SaidLimits | None
) -> None:
    assert split_limits(text, particle_schema) == (rest, said)


def test_what_gives_values_is_no_limit_in_any_schema() -> None:
    text = "Which workshops are limits?"
    assert split_limits(text, CLOCKS) == (text, None)
    rest, said = split_limits("Which papers are limits?", CLOCKS)
    assert (rest, said) == ("Which papers are there", SaidLimits(none=False))
