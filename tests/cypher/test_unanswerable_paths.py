"""However a question comes to be unanswerable, three close ones are told that have an answer."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from cypher.answers.asker import Asker
from cypher.answers.verdicts import ReviewedAnswer, weighed
from cypher.near_questions import MOST
from cypher.service import QuestionService
from schemas.errors import StoreUnavailableError
from schemas.questions import Answer, Outcome, Question
from tests.cypher.conftest import RecordingRunner

pytestmark = pytest.mark.neo4j
PHI = "Which papers determine phi_s?"
PATHS = {
    "empty": "",
    "no words": " ?! ",
    "no question": "hello there",
    "unknown name": "Which papers determine phi_d?",
    "nothing known": "zork",
    "kind of question": "Who won the match?",
    "counted back": "Which papers of the last three years determine phi_s?",
    "unit of a list": "What are the values of B_s0 mean life in GeV?",
    "unit of a value": "What is the value of R_K in MeV?",
    "unit of a count": "How many papers determine phi_s in rad?",
    "unit of a limit": "What are the limits on A_CP(B0 -> K+ pi-) in GeV?",
    "number on two scales": "Which measurements of phi_s or B_s0 mean life have a value above 1?",
    "papers by a number on two scales": "Which papers have values of phi_s or B_s0 mean life above 1?",
    "number that nothing reaches": "Which measurements have a value above 1000?",
    "papers by a number that nothing reaches": "Which papers have a measurement with a value above 1000?",
    "units that differ": "Which observables have the largest values?",
    "half of two": "How many papers determine phi_s and how many determine mugwump?",
    "fragment": "and for R_K?",
    "points back": "which paper is that from?",
}
ASKED_BEFORE = {
    "order of nothing": (PHI, "sort by colour"),
    "all there are": ("Which papers are there?", "which methods?"),
    "after no answer": ("Who won the match?", "and for R_K?"),
}


@pytest.fixture(scope="module")
def given(service: QuestionService) -> Callable[[str], Outcome]:
    """How a question ends, asked once."""
    known: dict[str, Outcome] = {}

    def ask(text: str) -> Outcome:
        if text not in known:
            known[text] = service.ask(Question(text=text, timeout=60)).outcome
        return known[text]

    return ask


def _has_three(answer: Answer, given: Callable[[str], Outcome]) -> None:
    assert answer.outcome is Outcome.UNANSWERABLE, (answer.outcome, answer.text)
    assert len(set(answer.suggestions)) == MOST, answer.suggestions
    assert answer.question not in answer.suggestions
    assert {s: given(s) for s in answer.suggestions} == dict.fromkeys(answer.suggestions, Outcome.ANSWERED)


@pytest.mark.parametrize("path", PATHS)
def test_three_close_questions_are_told_and_answered(
    service: QuestionService, given: Callable[[str], Outcome], path: str
) -> None:
    _has_three(Asker(service).ask(Question(text=PATHS[path], timeout=60)), given)


@pytest.mark.parametrize("path", ASKED_BEFORE)
def test_so_they_are_for_a_follow_up(
    service: QuestionService, given: Callable[[str], Outcome], path: str
) -> None:
    before, text = ASKED_BEFORE[path]
    answer = Asker(service).ask(Question(text=text, timeout=60), before=before)
    _has_three(answer, given)
    assert (before in answer.suggestions) == (given(before) is Outcome.ANSWERED)


def test_what_is_asked_for_in_a_wrong_unit_is_offered_without_it(service: QuestionService) -> None:
    answer = service.ask(Question(text=PATHS["unit of a list"], timeout=60))
    assert all("B_s0 mean life" in s for s in answer.suggestions), answer.suggestions


def test_an_answer_that_marks_hold_back_offers_only_what_they_do_not(service: QuestionService) -> None:
    found = service.ask(Question(text=PHI, timeout=60))
    marks = [
        ReviewedAnswer(
            number=n,
            question=f"which papers determine {name}",
            query=found.cypher,
            parameters={**found.parameters, "p1": (f"observable:{name}",)} if n else found.parameters,
            right=False,
            explanation=found.explanation.replace("phi_s", name),
        )
        for n, name in enumerate(("phi_s", "R_K", "B_s0 mass", "B+ mass"))
    ]
    asker = Asker(service, weigh=lambda answer: weighed(answer, marks))
    answer = asker.ask(Question(text=PHI, timeout=60))
    assert "marked wrong" in answer.text
    assert len(answer.suggestions) == MOST
    for text in answer.suggestions:
        assert asker.ask(Question(text=text, timeout=60)).outcome is Outcome.ANSWERED, text
    assert PHI not in answer.suggestions


def test_without_the_graph_an_empty_question_still_is_one(
    dry_service: QuestionService, recording: RecordingRunner
) -> None:
    def gone(_query: object) -> None:
        raise StoreUnavailableError("gone")

    recording.run = gone  # type: ignore[method-assign,assignment]
    answer = Asker(dry_service).ask(Question(text=""))
    assert (answer.outcome, answer.text, answer.suggestions) == (
        Outcome.UNANSWERABLE,
        "The question is empty.",
        (),
    )
