"""Why a question went wrong, as far as its answer and its two queries show it."""

from __future__ import annotations

from collections.abc import Collection

from cypher.evaluation.queries import names_in, structure
from schemas.evaluation import EvaluationCase, Expectation, FailureCode
from schemas.questions import Answer, Outcome

GIVEN = frozenset({Outcome.ANSWERED, Outcome.EMPTY_BUT_VALID})
"""Outcomes that state something about the graph."""
ABSTAINED = frozenset({Outcome.UNANSWERABLE, Outcome.REFUSED, Outcome.AMBIGUOUS})


def is_correct(case: EvaluationCase, answer: Answer, *, same_rows: bool) -> bool:
    """Whether a question ended as it should; ``same_rows`` counts for those with rows.

    A question that cannot be answered may be refused or called unanswerable. Asking back is right for an
    ambiguous one only.
    """
    match case.expect:
        case Expectation.ANSWER:
            return answer.outcome in GIVEN and same_rows and not answer.truncated
        case Expectation.ASK_BACK:
            return answer.outcome is Outcome.AMBIGUOUS
        case Expectation.ABSTAIN | Expectation.REFUSE:
            return answer.outcome in {Outcome.UNANSWERABLE, Outcome.REFUSED}


def failure_code(
    case: EvaluationCase, answer: Answer, *, gold_count: int, known: Collection[str]
) -> FailureCode:
    """The code of a question that went wrong; ``known`` are the names of the schema."""
    match answer.outcome:
        case Outcome.TIMEOUT:
            return FailureCode.EXE2
        case Outcome.FAILED:
            return FailureCode.EXE0
    if case.expect is Expectation.REFUSE:
        return FailureCode.SEC1
    if case.expect is Expectation.ABSTAIN:
        return FailureCode.ABS1
    if case.expect is Expectation.ASK_BACK:
        return FailureCode.ABS3 if answer.outcome in GIVEN else FailureCode.ABS2
    if answer.outcome is Outcome.AMBIGUOUS:
        return FailureCode.VAL2
    if answer.outcome in ABSTAINED:
        return FailureCode.ABS2
    return _of_rows(case, answer, gold_count=gold_count, known=known)


def _of_rows(case: EvaluationCase, answer: Answer, *, gold_count: int, known: Collection[str]) -> FailureCode:
    if answer.truncated:
        return FailureCode.EXE3
    wrong_name = _unknown_name(answer.cypher, known)
    if wrong_name is not None:
        return wrong_name
    if case.cypher and answer.cypher:
        found = _of_queries(case.cypher, answer.cypher)
        if found is not None:
            return found
    if answer.outcome is Outcome.EMPTY_BUT_VALID and gold_count:
        return FailureCode.EXE1
    return FailureCode.VAL3 if case.cypher else FailureCode.PAT2


def _unknown_name(text: str, known: Collection[str]) -> FailureCode | None:
    used = names_in(text)
    for names, code in (
        (used.labels, FailureCode.SCH1),
        (used.types, FailureCode.SCH2),
        (used.properties, FailureCode.SCH3),
    ):
        if any(n not in known for n in names):
            return code
    return None


def _of_queries(gold: str, found: str) -> FailureCode | None:
    """The first difference of structure; None where values are all that differs."""
    right, made = structure(gold), structure(found)
    if right.types != made.types:
        return FailureCode.PAT1
    if (right.negated, right.united) != (made.negated, made.united):
        return FailureCode.PAT6
    if right.aggregates != made.aggregates:
        return FailureCode.PAT3
    if right.ordered != made.ordered:
        return FailureCode.PAT4
    return FailureCode.PAT2 if right.properties != made.properties else None
