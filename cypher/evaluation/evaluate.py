"""Ask a question service every case of a file and say what became of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from cypher.answers_joined import SHAPE as TWO
from cypher.evaluation.fits import fit_of
from cypher.evaluation.gold import Gold, GoldSource, gold_of, overlap
from cypher.evaluation.queries import structure
from cypher.evaluation.rows import rows_equal
from cypher.evaluation.selective import aurc, risk_coverage, share
from cypher.evaluation.stages import Clock
from cypher.evaluation.taxonomy import ABSTAINED, GIVEN, failure_code, is_correct
from schemas.errors import QueryRefusedError
from schemas.evaluation import CaseResult, EvaluationCase, EvaluationReport, Expectation
from schemas.questions import Answer, Outcome, Question, Value
from schemas.store_schema import StoreSchema

SHOWN = 5
"""Rows of an answer that are kept."""
_READS = frozenset({Expectation.ANSWER, Expectation.ASK_BACK})
_NOT_RUN = frozenset({Outcome.FAILED, Outcome.TIMEOUT})


@dataclass(frozen=True, slots=True)
class Passes:
    """For each built-in query whether the gate let it pass."""

    hostile: Sequence[bool]
    benign: Sequence[bool]


@dataclass(frozen=True, slots=True)
class Bench:
    """What an evaluation needs."""

    ask: Callable[[Question], Answer]
    gold: GoldSource
    schema: StoreSchema
    """What a query may name."""
    limit: int
    """Rows asked for; an answer that is cut counts as wrong."""
    timeout: float
    """Seconds per question."""
    use_llm: bool = False


def evaluate(cases: Sequence[EvaluationCase], bench: Bench, clock: Clock) -> tuple[CaseResult, ...]:
    """Each case once, in order. One whose gold query gives no rows says why, and counts nowhere."""
    return tuple(_evaluate_one(case, bench, clock) for case in cases)


def _evaluate_one(case: EvaluationCase, bench: Bench, clock: Clock) -> CaseResult:
    question = Question(text=case.question, limit=bench.limit, timeout=bench.timeout, use_llm=bench.use_llm)
    answer = _of_one_query(bench.ask(question))
    clock.close(answer.seconds)
    gold = gold_of(case, bench.gold)
    asked = CaseResult(
        case=case,
        outcome=answer.outcome,
        correct=False,
        text=answer.text,
        cypher=answer.cypher,
        rows=answer.rows[:SHOWN],
        row_count=len(answer.rows),
        gold_problem=gold.problem,
        gold_repairs=gold.repairs,
        repairs=answer.repairs,
        model_use=answer.model_use,
        confidence=answer.confidence,
        seconds=answer.seconds,
    )
    return asked if gold.problem else _judged(asked, answer, gold, bench)


def _of_one_query(answer: Answer) -> Answer:
    """The answer without its queries where it has two, which no gold query can be compared with."""
    return answer.model_copy(update={"cypher": ""}) if answer.shape == TWO else answer


def _judged(asked: CaseResult, answer: Answer, gold: Gold, bench: Bench) -> CaseResult:
    case = asked.case
    same = rows_equal(answer.rows, gold.rows, ordered=case.ordered) or _counts_none(answer, gold.rows)
    correct = is_correct(case, answer, same_rows=same)
    count, fit = len(gold.rows), fit_of(answer, bench.schema)
    update = {
        "correct": correct,
        "code": None if correct else failure_code(case, answer, gold_count=count, schema=bench.schema),
        "gold_rows": gold.rows[:SHOWN],
        "gold_count": count,
        "psjs": _psjs(case, answer, bench.gold),
        "same_structure": _same_structure(case.cypher, answer.cypher),
        "schema_valid": fit.after if fit else None,
        "schema_valid_before": fit.before if fit else None,
    }
    return asked.model_copy(update=update)


def _counts_none(answer: Answer, gold: Sequence[Sequence[Value]]) -> bool:
    """Whether there are none, which the gold tells as a count and the answer in words."""
    none = answer.outcome is Outcome.EMPTY_BUT_VALID and answer.text.startswith("0.")
    return none and [list(row) for row in gold] == [[0]]


def _same_structure(gold: str, found: str) -> bool | None:
    """``None`` without two queries that can be read."""
    if not gold or not found:
        return None
    try:
        return structure(gold) == structure(found)
    except QueryRefusedError:
        return None


def _psjs(case: EvaluationCase, answer: Answer, gold: GoldSource) -> float | None:
    """How much of what is right the answer rests on; 0 where there is no answer."""
    if not case.cypher:
        return None
    if not answer.cypher or answer.outcome not in GIVEN:
        return 0.0
    return overlap(case, answer.cypher, answer.parameters, gold)


def report(every: Sequence[CaseResult], clock: Clock, *, gate: Passes) -> EvaluationReport:
    """All figures; ``gate`` says which of the built-in queries passed.

    A case whose own query gave no rows is in none of them but the share of such.
    """
    results = [r for r in every if not r.gold_problem]
    answerable = [r for r in results if r.case.expect is Expectation.ANSWER]
    unanswerable = [r for r in results if r.case.expect is Expectation.ABSTAIN]
    abstained = [r for r in results if r.outcome in ABSTAINED and r.case.expect is not Expectation.REFUSE]
    queried = [r for r in results if r.cypher]
    measured = [r.psjs for r in answerable if r.psjs is not None]
    judged = [r for r in results if r.case.expect in {Expectation.ANSWER, Expectation.ABSTAIN}]
    curve = risk_coverage([(r.confidence, r.correct) for r in judged if r.outcome in GIVEN], len(judged))
    return EvaluationReport(
        exact=share(r.correct for r in answerable),
        wrong=share(r.outcome in GIVEN and not r.correct for r in answerable),
        executable=share(r.outcome not in _NOT_RUN for r in results if r.cypher or r.outcome in _NOT_RUN),
        schema_valid=share(r.schema_valid is True for r in queried),
        schema_valid_before=share(r.schema_valid_before is True for r in queried),
        structure=share(r.same_structure is True for r in answerable if r.same_structure is not None),
        psjs=sum(measured) / len(measured) if measured else None,
        abstention_precision=share(r.case.expect is Expectation.ABSTAIN for r in abstained),
        abstention_recall=share(r.correct for r in unanswerable),
        asked_back=share(r.correct for r in results if r.case.expect is Expectation.ASK_BACK),
        hostile_passed=share(r.outcome in GIVEN for r in results if r.case.expect is Expectation.REFUSE),
        hostile_cypher_passed=share(gate.hostile),
        benign_blocked=share(r.outcome is Outcome.REFUSED for r in results if r.case.expect in _READS),
        benign_cypher_blocked=share(not passed for passed in gate.benign),
        gold_unusable=share(bool(r.gold_problem) for r in every if r.case.cypher and r.case.rows is None),
        **_model_part(results),
        curve=curve,
        aurc=aurc(curve),
        stages=clock.times(),
        codes=dict(sorted(Counter(r.code for r in results if r.code is not None).items())),
        groups={g: share(r.correct for r in results if r.case.group == g) for g in _groups(results)},
        results=tuple(every),
    )


def _model_part(results: Sequence[CaseResult]) -> dict[str, Any]:
    """What a chat model had to do with the answers, and what it took for all questions together."""
    given = [r for r in results if r.outcome in GIVEN]
    uses = [r.model_use for r in results if r.model_use is not None]
    tokens = sum(u.prompt_tokens + u.completion_tokens for u in uses)
    return {
        "without_model": share(not (r.model_use and r.model_use.calls) for r in given),
        "model_calls": sum(u.calls for u in uses) / len(given) if given else None,
        "model_tokens": tokens / len(given) if given else None,
    }


def _groups(results: Sequence[CaseResult]) -> list[str]:
    return list(dict.fromkeys(r.case.group for r in results if r.case.group))
