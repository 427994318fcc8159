"""Why a question went wrong, as far as its answer and its two queries show it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from cypher.evaluation.fits import fit_of
from cypher.evaluation.queries import compared_times, structure
from cypher.not_understood import KNOWS_NOTHING
from schemas.evaluation import EvaluationCase, Expectation, FailureCode
from schemas.questions import Answer, Outcome
from schemas.store_schema import PropertyType, StoreSchema

GIVEN = frozenset({Outcome.ANSWERED, Outcome.EMPTY_BUT_VALID})
"""Outcomes that state something about the graph."""
_TIMES: Final = frozenset(
    {PropertyType.DATE, PropertyType.DATETIME, PropertyType.TIME, PropertyType.DURATION}
)
_TIME_WORD: Final = re.compile(r"(?:^|_|(?<=[a-z]))(?:year|month|day|date|time)$", re.IGNORECASE)
ABSTAINED = frozenset({Outcome.UNANSWERABLE, Outcome.REFUSED})
"""Outcomes that say that there is no answer; one that asks back leaves it open."""
_QUOTED: Final = re.compile(r"(['\"])[^'\"]+\1")


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
            return answer.outcome in ABSTAINED


def failure_code(
    case: EvaluationCase, answer: Answer, *, gold_count: int, schema: StoreSchema
) -> FailureCode:
    """The code of a question that went wrong, its query held against the schema."""
    match answer.outcome:
        case Outcome.TIMEOUT:
            return FailureCode.EXE2
        case Outcome.FAILED:
            return FailureCode.EXE0
        case Outcome.AMBIGUOUS:
            one_name = case.expect is Expectation.ANSWER and _differ_in_a_name(answer.suggestions)
            return FailureCode.VAL2 if one_name else FailureCode.ABS4
    match case.expect:
        case Expectation.REFUSE:
            return FailureCode.SEC1
        case Expectation.ABSTAIN:
            return FailureCode.ABS1
    if answer.outcome is Outcome.REFUSED:
        return FailureCode.SEC2
    if answer.outcome is Outcome.UNANSWERABLE:
        return FailureCode.VAL1 if KNOWS_NOTHING in answer.text else FailureCode.ABS2
    if case.expect is Expectation.ASK_BACK:
        return FailureCode.ABS3
    return _of_rows(case, answer, gold_count=gold_count, schema=schema)


def _differ_in_a_name(readings: Sequence[str]) -> bool:
    """Whether the readings that were offered say the same of things of other names."""
    return len(set(readings)) > 1 and len({_QUOTED.sub("''", r) for r in readings}) == 1


def _of_rows(case: EvaluationCase, answer: Answer, *, gold_count: int, schema: StoreSchema) -> FailureCode:
    if answer.truncated:
        return FailureCode.EXE3
    fit = fit_of(answer, schema)
    if fit is not None and fit.code is not None:
        return fit.code
    if case.cypher and answer.cypher:
        found = _of_queries(case.cypher, answer.cypher, schema)
        if found is not None:
            return found
    if answer.outcome is Outcome.EMPTY_BUT_VALID and gold_count:
        return FailureCode.EXE1
    return FailureCode.VAL3 if case.cypher else FailureCode.PAT2


def _temporal(schema: StoreSchema) -> frozenset[str]:
    """Names of properties that hold a time: by their type, or by a word for one at the end of the name."""
    every = [p for x in schema.labels for p in x.properties]
    every += [p for x in schema.relations for p in x.properties]
    return frozenset(p.name for p in every if p.type in _TIMES or _TIME_WORD.search(p.name))


def _of_queries(gold: str, found: str, schema: StoreSchema) -> FailureCode | None:
    """The first difference of structure; None where values are all that differs."""
    right, made = structure(gold), structure(found)
    temporal = _temporal(schema)
    if right.types != made.types:
        return FailureCode.PAT1
    if compared_times(gold, temporal) != compared_times(found, temporal):
        return FailureCode.PAT5
    if (right.negated, right.united) != (made.negated, made.united):
        return FailureCode.PAT6
    if right.aggregates != made.aggregates:
        return FailureCode.PAT3
    if right.ordered != made.ordered:
        return FailureCode.PAT4
    return FailureCode.PAT2 if right.properties != made.properties else None
