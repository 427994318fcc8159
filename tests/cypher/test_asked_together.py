"""What is asked of several things at once, and counted years."""

from __future__ import annotations

import pytest

from cypher.asked_together import of_each, with_mean
from cypher.paraphrase import settled
from cypher.recent_years import counted_back
from cypher.service import QuestionService
from schemas.questions import Outcome, Question


@pytest.mark.parametrize(
    "text", ["titles of the papers on A or B", "papers on A and B", "title of A", "'title of A and B'"]
)
def test_one_question_is_left_whole(text: str) -> None:
    assert of_each(text) is None or not of_each(text)[0].startswith("title")  # type: ignore[index]
    assert with_mean(text) is None


@pytest.mark.neo4j
@pytest.mark.parametrize(
    ("text", "column", "expected"),
    [
        ("years of 1100001 and 1100003", "year", [2012, 2015]),
        ("What are the years of 1100001, 1100003 and 1100009?", "year", [2012, 2015, 2022]),
        ("title of 1100004 and 1100002", "title", ["Dimuons again", "A first look at rare dimuons"]),
    ],
)
def test_an_attribute_of_each_of_several_papers(
    service: QuestionService, text: str, column: str, expected: list[object]
) -> None:
    answer = service.ask(Question(text=text))
    assert answer.outcome is Outcome.ANSWERED, answer.text
    assert [row[answer.columns.index(column)] for row in answer.rows] == expected


@pytest.mark.neo4j
def test_values_and_their_mean_are_both_told(service: QuestionService) -> None:
    answer = service.ask(Question(text="List the values of phi_s and give me their mean"))
    assert answer.outcome is Outcome.ANSWERED, answer.text
    at = answer.columns.index("value")
    assert sorted(row[at] for row in answer.rows) == pytest.approx([-0.081, -0.061, -0.041])  # type: ignore[type-var]
    assert "mean" in answer.text
    assert answer.text.startswith("List the values of phi_s: 2 values")


@pytest.mark.parametrize(
    ("said", "plain"),
    [
        (
            "papers measuring at least one mass and one width",
            "papers measuring at least one mass and at least one width",
        ),
        (
            "papers with more than 2 masses and 3 widths",
            "papers with more than 2 masses and more than 3 widths",
        ),
        ("at least two papers and one of the limits", "at least two papers and one of the limits"),
        ("decays of B+ with three particles in the final state", "decays of B+ with three products"),
        ("DOIs of A", "DOI of A"),
    ],
)
def test_what_is_settled_before_reading(said: str, plain: str) -> None:
    assert settled(said) == plain


def test_at_least_reaches_both(dry_service: QuestionService) -> None:
    answer = dry_service.ask(Question(text="papers measuring at least one mass and one width"))
    assert answer.explanation.count("at least 1") == 2, answer.explanation
    assert "exactly" not in answer.explanation


def test_particles_in_the_final_state_are_products(dry_service: QuestionService) -> None:
    answer = dry_service.ask(Question(text="decays with exactly three particles in the final state"))
    assert "number of children is 3" in answer.explanation, answer.text


@pytest.mark.parametrize(
    "text", ["papers published exactly 10 years before 2022", "papers from two years after 2012"]
)
def test_years_counted_from_a_year_are_refused(dry_service: QuestionService, text: str) -> None:
    answer = dry_service.ask(Question(text=text))
    assert answer.outcome is Outcome.UNANSWERABLE
    assert "counts years from a year" in answer.text
    assert not counted_back("papers before 2022")


@pytest.mark.parametrize(
    "text", ["which papers do both phi_s and Delta m_s or R_K", "papers on phi_s or Delta m_s and R_K"]
)
def test_and_mixed_with_or_between_names_is_refused(dry_service: QuestionService, text: str) -> None:
    answer = dry_service.ask(Question(text=text))
    assert answer.outcome is Outcome.UNANSWERABLE
    assert "'and' and 'or' together" in answer.text
