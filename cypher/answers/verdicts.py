"""What reviewers said of earlier answers, weighed into a new one.

A reading that was marked wrong for a question is not given for it again; one that was marked right is as sure
as a person can make it; for other questions of the kind the marks move the confidence, and more slowly for
all of one shape. Nothing else is kept: a mark that is taken back is undone.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Sequence
from functools import cached_property
from typing import Final

from cypher.answers.calibration import LEAST_WRONG, Tally, calibrated
from cypher.generation.from_rows import SHAPE as BY_MODEL
from cypher.skeleton import skeleton
from schemas.model import Frozen
from schemas.questions import Answer, Outcome, Parameter, Value

CONFIRMED: Final = 0.99
"""Confidence of a reading that a reviewer marked right for this very question."""
WEIGHT: Final = 2.0
"""Marked answers that the parser's own confidence is worth: the strength of a beta prior."""
LEAST: Final = 0.5
"""Confidence below which an answer is not given once answers of its kind were marked wrong."""
LONGEST_QUOTED: Final = 200
"""Characters of a reviewer's note that an answer shows."""

_GIVEN: Final = frozenset({Outcome.ANSWERED, Outcome.EMPTY_BUT_VALID})
_LAST_LIMIT: Final = re.compile(r"\s+LIMIT\s+\S+\s*$")
_QUOTED: Final = re.compile(r"'([^']+)'")
_NAMES: Final = re.compile(r"(?:\b(?:the|an?)\s+)?@(?:\s+@)*")


class ReviewedAnswer(Frozen):
    """An answer that was marked right or wrong."""

    number: int
    """Of its question in the ledger."""
    question: str
    """In full, where it was a follow-up."""
    query: str
    parameters: dict[str, Parameter]
    right: bool
    shape: str = ""
    """Of the question, as the answer names it."""
    explanation: str = ""
    """Of the query, in English."""
    digest: str = ""
    """Of its rows, see :func:`digest`; empty where it is not known."""
    note: str = ""
    by: str = ""
    day: str = ""
    """On which it was marked, as ISO 8601."""

    @cached_property
    def reading(self) -> tuple[str, str, frozenset[tuple[str, Parameter]]]:
        """The question with how it was read: the same for an answer that is given twice."""
        return _words(self.question), self.query, frozenset(self.parameters.items())


def digest(rows: Sequence[Sequence[Value]]) -> str:
    """The same for the same rows in any order.

    >>> digest([(1, "a"), (2, "b")]) == digest([(2, "b"), (1, "a")]), digest([]) == digest([(1,)])
    (True, False)
    """
    lines = sorted(json.dumps(row, ensure_ascii=False, default=str) for row in rows)
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16]


def weighed(answer: Answer, reviewed: Sequence[ReviewedAnswer], *, correctable: bool = True) -> Answer:
    """The answer as the marks leave it; ``reviewed`` is newest first.

    Of a ``correctable`` answer it is told how to give the right query.

    >>> answer = Answer(outcome="empty_but_valid", question="Which papers?", text="None.", cypher="MATCH")
    >>> wrong = ReviewedAnswer(number=3, question="which papers", query="MATCH", parameters={}, right=False)
    >>> weighed(answer, [wrong]).outcome.value
    'unanswerable'
    """
    if answer.outcome not in _GIVEN or not answer.cypher:
        return answer
    text = answer.resolved or answer.question
    of_kind = [r for r in reviewed if _is_of_kind(r, answer, text)]
    for mark in of_kind:
        if _words(mark.question) == _words(text) and mark.parameters == answer.parameters:
            return _marked(answer, mark, correctable=correctable)
    if (again := _same_rows(reviewed, answer, text)) is not None:
        return _withheld(
            answer, f"Not answered: these rows were marked wrong {_judged(again)}. {_read_as(answer)}"
        )
    kin = {mark.number for mark in of_kind}
    tally = _of_shape(answer, [r for r in reviewed if r.number not in kin])
    sure = calibrated(answer.confidence, tally)
    if sure < LEAST and sure < answer.confidence and tally.wrong >= LEAST_WRONG:
        said = f"{_said(tally)}, so another reading may be meant. {_read_as(answer)}"
        return _withheld(answer.model_copy(update={"confidence": sure}), f"Not answered: {said}")
    known = _noted(answer.model_copy(update={"confidence": sure}), tally) if tally.marks else answer
    return _moved(known, of_kind) if of_kind else known


def _same_rows(reviewed: Sequence[ReviewedAnswer], answer: Answer, text: str) -> ReviewedAnswer | None:
    """The latest mark on these rows as an answer to this question, where it was wrong: a chat model's query
    is spelled otherwise each time."""
    by_model = answer.shape == BY_MODEL
    asked = [r for r in reviewed if by_model and r.digest and _words(r.question) == _words(text)]
    rows = digest(answer.rows) if asked else ""
    latest = next((r for r in asked if r.digest == rows), None)
    return None if latest is None or latest.right else latest


def _judged(mark: ReviewedAnswer) -> str:
    return f"for this question by {_reviewer(mark)} (question {mark.number}){_quoted(mark)}"


def _of_shape(answer: Answer, others: Sequence[ReviewedAnswer]) -> Tally:
    """Marks on answers of the shape; of several on one reading of one question the latest counts."""
    latest: dict[tuple[object, ...], bool] = {}
    for mark in others if answer.shape else ():
        if mark.shape == answer.shape:
            latest.setdefault(mark.reading, mark.right)
    return Tally.of(latest.values())


def _said(tally: Tally) -> str:
    return f"{tally.wrong} of {tally.marks} marked answers of this shape of question were wrong"


def _noted(answer: Answer, tally: Tally) -> Answer:
    """The answer with the tally beside it, where as many were wrong as could hold an answer back."""
    if tally.wrong < LEAST_WRONG:
        return answer
    return answer.model_copy(update={"assumptions": (*answer.assumptions, f"{_said(tally)}.")})


def _read_as(answer: Answer) -> str:
    return f"It was read as: {answer.explanation or answer.cypher}"


def _is_of_kind(mark: ReviewedAnswer, answer: Answer, text: str) -> bool:
    query = _LAST_LIMIT.sub("", answer.cypher)
    same = mark.query.startswith(query) and _LAST_LIMIT.sub("", mark.query) == query
    return same and _kind(mark.question, mark.explanation) == _kind(text, answer.explanation)


def _kind(question: str, explanation: str) -> str:
    """The question without its names: an explanation quotes those that the query is about."""
    return _NAMES.sub("@", skeleton(question, _QUOTED.findall(explanation)))


def _words(question: str) -> str:
    return " ".join(question.casefold().rstrip("?!. ").split())


def _marked(answer: Answer, mark: ReviewedAnswer, *, correctable: bool) -> Answer:
    """The very question with the very query was judged before."""
    judged = f"marked {'right' if mark.right else 'wrong'} by {_reviewer(mark)} (question {mark.number})"
    if _has_changed(answer, mark):
        note = f"An earlier answer to this was {judged}{_quoted(mark)}; its rows have changed since."
        return answer.model_copy(update={"assumptions": (*answer.assumptions, note)})
    if mark.right:
        sure = max(answer.confidence, CONFIRMED)
        note = f"This answer was {judged}."
        return answer.model_copy(update={"confidence": sure, "assumptions": (*answer.assumptions, note)})
    give = f", or give the right query: `kg questions correct {mark.number}`" if correctable else ""
    return _withheld(
        answer,
        f"Not answered: this reading of the question was {judged}{_quoted(mark)}. "
        f"{_read_as(answer)} "
        f"Ask in other words{give}; "
        f"`kg questions unmark {mark.number}` takes the mark back.",
    )


def _has_changed(answer: Answer, mark: ReviewedAnswer) -> bool:
    return bool(mark.digest) and mark.query == answer.cypher and mark.digest != digest(answer.rows)


def _moved(answer: Answer, of_kind: Sequence[ReviewedAnswer]) -> Answer:
    """Questions of the kind were judged: their marks are weighed against the parser's own confidence."""
    right = sum(mark.right for mark in of_kind)
    wrong = len(of_kind) - right
    sure = (WEIGHT * answer.confidence + right) / (WEIGHT + len(of_kind))
    if not wrong:
        return answer.model_copy(update={"confidence": sure})
    said = f"{wrong} of {len(of_kind)} answers to questions of this kind were marked wrong"
    latest = next(mark for mark in of_kind if not mark.right)
    if sure < LEAST:
        return _withheld(
            answer.model_copy(update={"confidence": sure}),
            f"Not answered: {said}, the latest of them question {latest.number}{_quoted(latest)}.",
        )
    note = f"{said} (question {latest.number}{_quoted(latest)})."
    return answer.model_copy(update={"confidence": sure, "assumptions": (*answer.assumptions, note)})


def _reviewer(mark: ReviewedAnswer) -> str:
    return f"{mark.by or 'a reviewer'}{f' on {mark.day}' if mark.day else ''}"


def _quoted(mark: ReviewedAnswer) -> str:
    note = " ".join(mark.note.split())
    short = note if len(note) <= LONGEST_QUOTED else f"{note[: LONGEST_QUOTED - 1]}…"
    return f': "{short}"' if short else ""


def _withheld(answer: Answer, text: str) -> Answer:
    """The same without what it found, its query kept for whoever wants to see it."""
    return Answer(
        outcome=Outcome.UNANSWERABLE,
        question=answer.question,
        resolved=answer.resolved,
        conversation=answer.conversation,
        text=text,
        cypher=answer.cypher,
        parameters=answer.parameters,
        repairs=answer.repairs,
        explanation=answer.explanation,
        shape=answer.shape,
        confidence=min(answer.confidence, LEAST),
        seconds=answer.seconds,
        model_use=answer.model_use,
    )
