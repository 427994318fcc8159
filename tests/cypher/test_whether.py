"""Whoever asks whether there is something reads yes or no first."""

from __future__ import annotations

import pytest

from cypher.service import QuestionService
from schemas.questions import Question


@pytest.mark.neo4j
@pytest.mark.parametrize(
    ("text", "begins"),
    [
        ("Is any value of Delta m_s above 20?", "No"),
        ("Is any value of Delta m_s above 17.7?", "Yes: 3 values"),
        ("Are there values of phi_s below -0.05 rad?", "Yes: 1 value"),
        ("Are there values of phi_s below -0.5 rad?", "No"),
        ("Does any paper measure Delta m_s above 20?", "No"),
        ("Do any decays contain a mu+ and a K+?", "Yes: 1 decay"),
        ("Is there a paper on phi_s from 2012?", "No"),
        ("Is R_K above 0.9?", "No"),
        ("Which values of Delta m_s are above 17.7?", "3 values"),
    ],
)
def test_the_answer_begins_with_yes_or_no(service: QuestionService, text: str, begins: str) -> None:
    answer = service.ask(Question(text=text, use_llm=False))
    assert answer.text.startswith(begins), (answer.text, answer.explanation)
