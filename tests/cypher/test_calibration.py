"""Marks on answers of one shape: what they make of the confidence of the others, and how it is undone."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cypher.answers.calibration import LEAST_WRONG, Tally, calibrated
from cypher.answers.verdicts import LEAST, ReviewedAnswer, weighed
from kg.ledger import Ledger
from kg.question_log import QuestionLog
from kg.question_rows import Verdict
from kg.reviewed import ReviewedAnswers
from schemas.questions import Answer, Outcome, Question

PRIORS = st.floats(0, 1)
COUNTS = st.integers(0, 400)


@given(PRIORS)
def test_without_marks_it_is_the_prior(prior: float) -> None:
    assert calibrated(prior, Tally()) == pytest.approx(prior)


@given(PRIORS, COUNTS, COUNTS)
def test_it_is_a_chance_between_the_prior_and_the_share(prior: float, right: int, wrong: int) -> None:
    found = calibrated(prior, Tally(right, wrong))
    assert 0 <= found <= 1
    share = right / (right + wrong) if right + wrong else prior
    assert min(prior, share) - 1e-9 <= found <= max(prior, share) + 1e-9


@given(PRIORS, COUNTS, COUNTS)
def test_it_follows_the_marks(prior: float, right: int, wrong: int) -> None:
    found = calibrated(prior, Tally(right, wrong))
    assert calibrated(prior, Tally(right + 1, wrong)) >= found - 1e-12
    assert calibrated(prior, Tally(right, wrong + 1)) <= found + 1e-12


@given(PRIORS, PRIORS, COUNTS, COUNTS)
def test_what_was_surer_stays_surer(one: float, other: float, right: int, wrong: int) -> None:
    low, high = sorted((one, other))
    tally = Tally(right, wrong)
    assert calibrated(low, tally) <= calibrated(high, tally)


def answer(confidence: float = 0.75, *, name: str = "R_K", shape: str = "entities") -> Answer:
    return Answer(
        outcome=Outcome.ANSWERED,
        question=f"Which papers determine {name}?",
        text="two",
        columns=("paper",),
        rows=(("1",), ("2",)),
        cypher="MATCH (n0:`Paper`)-[r0:`DETERMINES`]->(n1) WHERE n1.`id` IN $p0 RETURN n0",
        parameters={"p0": (name,)},
        explanation="Lists papers.",
        shape=shape,
        confidence=confidence,
    )


def mark(number: int, *, right: bool, shape: str = "entities", about: int | None = None) -> ReviewedAnswer:
    """A mark on another question of the shape, with a query of its own."""
    key = number if about is None else about
    return ReviewedAnswer(
        number=number,
        question=f"which decays contain particle {key}",
        query="MATCH (d:`Decay`) WHERE d.`id` IN $p0 RETURN d",
        parameters={"p0": (str(key),)},
        right=right,
        shape=shape,
    )


def marks(right: int, wrong: int) -> list[ReviewedAnswer]:
    return [mark(n + 1, right=n < right) for n in range(right + wrong)]


@given(st.floats(0, 1), st.integers(0, 25), st.integers(0, 25))
def test_marks_on_a_shape_move_its_answers(confidence: float, right: int, wrong: int) -> None:
    asked = answer(confidence)
    found = weighed(asked, marks(right, wrong))
    assert found.confidence == pytest.approx(
        min(calibrated(confidence, Tally(right, wrong)), 1.0 if found.rows else LEAST)
    )
    if not right + wrong:
        assert found == asked
    one_more = weighed(asked, marks(right + 1, wrong))
    assert one_more.confidence >= found.confidence - 1e-12
    if found.outcome is Outcome.ANSWERED:
        assert one_more.outcome is Outcome.ANSWERED


def test_few_wrong_marks_hold_no_shape_back_and_many_do() -> None:
    few = weighed(answer(0.55), marks(0, LEAST_WRONG - 1))
    assert (few.outcome, few.assumptions) == (Outcome.ANSWERED, ())
    many = weighed(answer(0.55), marks(1, LEAST_WRONG))
    assert (many.outcome, many.rows) == (Outcome.UNANSWERABLE, ())
    assert "5 of 6 marked answers of this shape of question were wrong" in many.text
    assert "It was read as: Lists papers." in many.text
    told = weighed(answer(0.95), marks(20, LEAST_WRONG))
    assert told.outcome is Outcome.ANSWERED
    assert told.assumptions == ("5 of 25 marked answers of this shape of question were wrong.",)


def test_another_shape_and_no_shape_are_left_alone() -> None:
    others = [mark(n, right=False, shape="count") for n in range(1, 9)]
    assert weighed(answer(), others) == answer()
    assert weighed(answer(shape=""), [mark(1, right=False, shape="")]) == answer(shape="")


def test_one_question_that_was_asked_often_counts_once() -> None:
    same = [mark(n, right=n == 9, about=1) for n in range(9, 0, -1)]
    assert weighed(answer(), same).confidence == pytest.approx(calibrated(0.75, Tally(1, 0)))


def test_a_mark_that_is_taken_back_is_undone(tmp_path: Path) -> None:
    with Ledger(tmp_path / "ledger.db") as ledger:
        log = QuestionLog(ledger)
        reviewed = ReviewedAnswers(log)
        before = reviewed.weighed(answer())
        numbers = []
        for n in range(8):
            other = answer(name=f"x{n}").model_copy(
                update={
                    "question": f"Which decays contain x{n}?",
                    "cypher": f"MATCH (d{n}:`Decay`) RETURN d{n}",
                }
            )
            numbers.append(log.add(Question(text=other.question), other))
            log.mark(numbers[-1], Verdict.WRONG)
        assert reviewed.weighed(answer()).outcome is Outcome.UNANSWERABLE
        for number in numbers:
            log.unmark(number)
        assert reviewed.weighed(answer()) == before == answer()
