"""Which paper replaced whose values: told by the voice of the verb, never the wrong way round."""

from __future__ import annotations

import pytest

from cypher.service import QuestionService
from schemas.questions import Outcome, Question

BR = "BR(B_s0 -> mu+ mu-)"
OLD, NEW = "1100002", "1100008"
"""The paper whose value was replaced, and the one that replaced it."""


@pytest.mark.neo4j
@pytest.mark.parametrize(
    "text",
    [
        f"Which papers replaced values of {OLD}?",
        f"Which papers replaced the values of {OLD}?",
        f"Which paper superseded {OLD}?",
        f"What replaced {OLD}?",
        f"Which papers have replaced a value of {OLD}?",
        f"Which paper replaced the {BR} value of {OLD}?",
        f"Which papers supersede measurements of {BR}?",
        f"Which papers replaced a measurement of {BR}?",
        f"{OLD} was superseded by which paper?",
        f"By which paper was {OLD} replaced?",
    ],
)
def test_the_replacing_paper_is_asked_for(service: QuestionService, text: str) -> None:
    answer = service.ask(Question(text=text, use_llm=False))
    assert answer.outcome is Outcome.ANSWERED, answer.text
    assert answer.rows == ((NEW, 1),), answer.explanation


@pytest.mark.neo4j
@pytest.mark.parametrize(
    ("text", "first"),
    [
        (f"Whose values did {NEW} replace?", OLD),
        (f"What values did {NEW} replace?", OLD),
        (f"Which values did the paper {NEW} replace?", OLD),
        (f"Which papers did {NEW} supersede?", OLD),
        (f"Which papers were superseded by {NEW}?", OLD),
        (f"Which values were replaced by {NEW}?", OLD),
        (f"Which observables does {NEW} supersede?", BR),
        (f"How many values did {NEW} replace?", 1),
        (f"Did {NEW} supersede {OLD}?", BR),
        (f"Which values of {BR} were replaced by {NEW}?", OLD),
    ],
)
def test_a_paper_that_replaced_is_not_the_one_that_was_replaced(
    service: QuestionService, text: str, first: object
) -> None:
    answer = service.ask(Question(text=text, use_llm=False))
    assert answer.outcome is Outcome.ANSWERED, answer.text
    assert len(answer.rows) == 1
    assert first in answer.rows[0], answer.explanation
    assert f"the value was replaced by '{NEW}'" in answer.explanation


@pytest.mark.neo4j
@pytest.mark.parametrize(
    "text",
    [
        f"Which values did {OLD} replace?",
        f"Which papers were superseded by {OLD}?",
        f"Which papers replaced values of {NEW}?",
        f"Which observables did {OLD} supersede?",
    ],
)
def test_the_other_way_round_there_is_nothing(service: QuestionService, text: str) -> None:
    answer = service.ask(Question(text=text, use_llm=False))
    assert answer.outcome is Outcome.EMPTY_BUT_VALID, answer.text


@pytest.mark.neo4j
@pytest.mark.parametrize(
    "text",
    [
        f"Which values of {OLD} were replaced?",
        f"Which replaced values does {OLD} have?",
        f"superseded values of {BR}",
        f"Which measurements of {BR} have been superseded?",
        "Which papers have superseded values?",
    ],
)
def test_what_became_of_a_value_is_still_a_state_of_it(service: QuestionService, text: str) -> None:
    answer = service.ask(Question(text=text, use_llm=False))
    assert answer.outcome is Outcome.ANSWERED, answer.text
    assert len(answer.rows) == 1
    assert {OLD, BR} & set(answer.rows[0]), answer.explanation
    assert "the value was replaced by a later paper" in answer.explanation
