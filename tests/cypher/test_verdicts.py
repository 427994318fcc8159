"""Marks of reviewers: what they make of the next answer to the same question and to others of its kind."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cypher.answers.verdicts import CONFIRMED, LEAST, ReviewedAnswer, digest, weighed
from schemas.questions import Answer, Outcome

QUERY = "MATCH (n0:`Paper`)-[r0:`DETERMINES`]->(n1) WHERE n1.`id` IN $p0 RETURN n0 LIMIT 26"
ROWS = (("1",), ("2",))


def answer(name: str = "phi_s", *, confidence: float = 0.85, query: str = QUERY) -> Answer:
    return Answer(
        outcome=Outcome.ANSWERED,
        question=f"Which papers determine {name}?",
        text="two",
        columns=("paper",),
        rows=ROWS,
        cypher=query,
        parameters={"p0": (name,)},
        explanation="Lists papers.",
        confidence=confidence,
    )


def mark(name: str = "phi_s", *, right: bool = False, number: int = 7, query: str = QUERY) -> ReviewedAnswer:
    return ReviewedAnswer(
        number=number,
        question=f"which papers determine {name}",
        query=query,
        parameters={"p0": (name,)},
        right=right,
        digest=digest(ROWS),
        note="beta_s is meant",
        by="Ann",
        day="2026-11-01",
    )


def test_a_reading_marked_wrong_is_not_given_for_the_question_again() -> None:
    found = weighed(answer(), [mark()])
    assert (found.outcome, found.rows) == (Outcome.UNANSWERABLE, ())
    assert "marked wrong by Ann on 2026-11-01 (question 7)" in found.text
    assert "beta_s is meant" in found.text
    assert found.cypher == QUERY


@pytest.mark.parametrize(
    ("confidence", "marks", "outcome"),
    [
        (0.95, 1, Outcome.ANSWERED),
        (0.75, 1, Outcome.ANSWERED),
        (0.95, 2, Outcome.UNANSWERABLE),
        (0.74, 1, Outcome.UNANSWERABLE),
        (0.7, 1, Outcome.UNANSWERABLE),
    ],
)
def test_how_many_wrong_marks_hold_back_others_of_the_kind(
    confidence: float, marks: int, outcome: Outcome
) -> None:
    """As docs/how-to/ask-and-follow-up.md says."""
    asked = answer("R_K", confidence=confidence).model_copy(update={"explanation": "Conditions: 'R_K'."})
    of_others = [
        mark(name, number=n).model_copy(update={"explanation": f"Conditions: '{name}'."})
        for n, name in enumerate(("phi_s", "gamma")[:marks])
    ]
    assert weighed(asked, of_others).outcome is outcome


def test_the_latest_mark_counts() -> None:
    found = weighed(answer(), [mark(right=True, number=8), mark()])
    assert (found.outcome, found.confidence) == (Outcome.ANSWERED, CONFIRMED)
    assert found.assumptions == ("This answer was marked right by Ann on 2026-11-01 (question 8).",)


def test_an_answer_that_has_changed_since_is_given_with_the_mark_beside_it() -> None:
    changed = answer().model_copy(update={"rows": (("1",), ("3",))})
    found = weighed(changed, [mark()])
    assert (found.outcome, found.rows, found.confidence) == (Outcome.ANSWERED, changed.rows, 0.85)
    assert "its rows have changed since" in found.assumptions[-1]


def test_another_number_of_rows_to_show_is_the_same_reading() -> None:
    longer = answer(query=QUERY.replace("LIMIT 26", "LIMIT 101")).model_copy(update={"rows": (*ROWS, ("3",))})
    assert weighed(longer, [mark()]).outcome is Outcome.UNANSWERABLE


def test_marks_move_the_confidence_of_other_questions_of_the_kind() -> None:
    raised = weighed(answer("R_K"), [mark("B0", right=True), mark("B_s0", right=True)])
    assert raised.confidence == pytest.approx((2 * 0.85 + 2) / 4)
    assert raised.assumptions == ()
    lowered = weighed(answer("R_K"), [mark("B0")])
    assert lowered.confidence == pytest.approx(1.7 / 3)
    assert "1 of 1 answers to questions of this kind were marked wrong" in lowered.assumptions[-1]


def test_questions_are_of_a_kind_whatever_their_names_look_like() -> None:
    told = "Lists papers. Conditions: the observable is '{}'."
    asked = answer("the B_s0 mean life").model_copy(update={"explanation": told.format("B_s0 mean life")})
    marked = mark("Delta m_s").model_copy(update={"explanation": told.format("Delta m_s")})
    assert weighed(asked, [marked]).confidence == pytest.approx(1.7 / 3)


def test_a_kind_that_was_mostly_wrong_is_not_answered() -> None:
    found = weighed(answer("R_K"), [mark("B0"), mark("B_s0", number=9)])
    assert found.outcome is Outcome.UNANSWERABLE
    assert "2 of 2" in found.text
    assert found.confidence < LEAST


@pytest.mark.parametrize(
    "other",
    [
        mark(query="MATCH (n0:`Paper`) RETURN n0 LIMIT 26"),
        ReviewedAnswer(number=1, question="Who wrote on phi_s?", query=QUERY, parameters={}, right=False),
    ],
)
def test_other_queries_and_other_kinds_of_question_are_not_touched(other: ReviewedAnswer) -> None:
    assert weighed(answer(), [other]) == answer()


def test_what_was_not_answered_stays_as_it_was() -> None:
    asked = Answer(outcome=Outcome.AMBIGUOUS, question="Which papers determine phi_s?", text="Which?")
    assert weighed(asked, [mark()]) is asked


@given(st.lists(st.booleans(), max_size=12), st.floats(0, 1))
def test_confidence_stays_a_chance_and_follows_the_marks(verdicts: list[bool], confidence: float) -> None:
    marks = [mark(f"B{n}", right=right, number=n + 1) for n, right in enumerate(verdicts)]
    before = answer("R_K", confidence=confidence)
    found = weighed(before, marks)
    assert 0 <= found.confidence <= 1
    if marks and all(verdicts):
        assert found.confidence >= before.confidence
    more = weighed(before, [mark("B99", right=False, number=99), *marks])
    assert more.confidence <= found.confidence
    if found.outcome is Outcome.UNANSWERABLE:
        assert more.outcome is Outcome.UNANSWERABLE
