"""Two questions in one text, quantities that are described and named, and words that point."""

from __future__ import annotations

import pytest

from cypher.described import descriptions
from cypher.in_turn import halves
from cypher.service import QuestionService
from schemas.questions import Outcome, Question
from schemas.schema_files import load_schema


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        (
            "Which decays measure X? What are the main sources for that measurement?",
            "What are the main sources for {}",
        ),
        ("Which decay gives the best X, and which sources dominate there?", "which sources dominate {}"),
        ("Which decays measure X; which sources limit it?", "which sources limit {}"),
        ("What decay should I use for X? What sources dominate my analysis?", "What sources dominate {}"),
    ],
)
def test_the_second_question_points_at_the_first(text: str, parts: str) -> None:
    found = halves(text)
    assert found is not None
    assert found[1] == parts


@pytest.mark.parametrize(
    "text",
    [
        "Which papers determine X?",
        "Which papers determine X and which determine Y?",
        "What are the main sources for that measurement?",
        "Which papers determine 'X and which sources limit it'?",
        "Which is first? Which is second? Which sources limit it?",
        "Which decays measure X? How many of them?",
    ],
)
def test_other_texts_are_not_two_such_questions(text: str) -> None:
    assert halves(text) is None


def test_descriptions_are_words_that_a_name_follows() -> None:
    found = descriptions(load_schema("particle_physics"))
    assert {"cp violating phase", "ckm angle", "weak phase"} <= found
    assert not {d for d in found if d.endswith(" of") or len(d.split()) < 2}


@pytest.mark.parametrize(
    "text",
    [
        "What are the dominant systematic uncertainties for that measurement?",
        "What sources of systematic uncertainty will dominate my analysis?",
        "Which papers determine that observable?",
        "Which papers cite phi_s? What are the dominant systematic uncertainties for that measurement?",
        "Which papers will determine phi_s?",
        "Which papers determine the weak phase of the tau, phi_s?",
    ],
)
def test_what_points_outside_is_still_refused(dry_service: QuestionService, text: str) -> None:
    assert dry_service.ask(Question(text=text)).outcome is Outcome.UNANSWERABLE
