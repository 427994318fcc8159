"""A number without a unit is compared as listed, and the answer says in which unit."""

from __future__ import annotations

import pytest

from cypher.service import QuestionService
from schemas.questions import Question


@pytest.mark.neo4j
@pytest.mark.parametrize(
    ("text", "note"),
    [
        ("Which measurements of B_s0 mean life have a total error below 0.011?", "in ps."),
        ("Which measurements of phi_s have a systematic uncertainty below 0.03?", "in rad."),
        ("Which papers on phi_s have a statistical uncertainty below 0.05?", "in rad."),
        ("Which measurements of B_s0 mean life have a value above 1.5?", "in ps."),
        ("Which measurements of B_s0 mean life have a value above 1500?", "in ps."),
    ],
)
def test_the_unit_of_a_bare_number_is_said(service: QuestionService, text: str, note: str) -> None:
    answer = service.ask(Question(text=text, use_llm=False))
    (said,) = [a for a in answer.assumptions if "has no unit" in a]
    assert note in said, answer.explanation


@pytest.mark.neo4j
@pytest.mark.parametrize(
    "text",
    [
        "Which measurements of B_s0 mean life have a value above 1.5 ps?",
        "Which measurements of Delta m_s have a systematic uncertainty below 0.03?",
        "Which papers on Delta m_s appeared after 2015?",
    ],
)
def test_nothing_is_said_of_units_where_there_is_no_doubt(service: QuestionService, text: str) -> None:
    answer = service.ask(Question(text=text, use_llm=False))
    assert answer.rows
    assert not [a for a in answer.assumptions if "has no unit" in a]
