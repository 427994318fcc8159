"""Ask a question service every case of a file and say what became of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from cypher.evaluation.queries import jaccard, matched_part, structure, unknown_names
from cypher.evaluation.rows import rows_equal
from cypher.evaluation.selective import aurc, risk_coverage, share
from cypher.evaluation.stages import Clock
from cypher.evaluation.taxonomy import ABSTAINED, GIVEN, failure_code, is_correct
from schemas.evaluation import CaseResult, EvaluationCase, EvaluationReport, Expectation
from schemas.questions import Answer, Outcome, Parameter, Question, Subgraph, Value

SHOWN = 5
"""Rows of an answer that are kept."""
_NOT_RUN = frozenset({Outcome.FAILED, Outcome.TIMEOUT})


class GoldSource(Protocol):
    """Runs a reading query that people wrote."""

    def rows(self, text: str, parameters: Mapping[str, Parameter]) -> Subgraph:
        """All rows, in their order."""
        ...

    def matched(self, text: str, parameters: Mapping[str, Parameter]) -> frozenset[str]:
        """Ids of the nodes that a query matches; ``text`` ends in ``RETURN *``."""
        ...


@dataclass(frozen=True, slots=True)
class Bench:
    """What an evaluation needs."""

    ask: Callable[[Question], Answer]
    gold: GoldSource
    names: Collection[str]
    """All names of the schema."""
    limit: int
    """Rows asked for; an answer that is cut counts as wrong."""
    timeout: float
    """Seconds per question."""


def evaluate(cases: Sequence[EvaluationCase], bench: Bench, clock: Clock) -> tuple[CaseResult, ...]:
    """Each case once, in order. Errors of a gold query are not caught: the question file is then wrong."""
    return tuple(_evaluate_one(case, bench, clock) for case in cases)


def _evaluate_one(case: EvaluationCase, bench: Bench, clock: Clock) -> CaseResult:
    question = Question(text=case.question, limit=bench.limit, timeout=bench.timeout, use_llm=False)
    answer = bench.ask(question)
    clock.close(answer.seconds)
    gold = _gold_rows(case, bench.gold)
    same = rows_equal(answer.rows, gold, ordered=case.ordered) or _counts_none(answer, gold)
    correct = is_correct(case, answer, same_rows=same)
    code = None if correct else failure_code(case, answer, gold_count=len(gold), known=bench.names)
    return CaseResult(
        case=case,
        outcome=answer.outcome,
        correct=correct,
        code=code,
        text=answer.text,
        cypher=answer.cypher,
        rows=answer.rows[:SHOWN],
        row_count=len(answer.rows),
        gold_rows=gold[:SHOWN],
        gold_count=len(gold),
        confidence=answer.confidence,
        psjs=_psjs(case, answer, bench.gold),
        same_structure=structure(case.cypher) == structure(answer.cypher)
        if case.cypher and answer.cypher
        else None,
        schema_valid=not unknown_names(answer.cypher, bench.names) if answer.cypher else None,
        seconds=answer.seconds,
    )


def _counts_none(answer: Answer, gold: Sequence[Sequence[Value]]) -> bool:
    """Whether there are none, which the gold tells as a count and the answer in words."""
    none = answer.outcome is Outcome.EMPTY_BUT_VALID and answer.text.startswith("0.")
    return none and [list(row) for row in gold] == [[0]]


def _gold_rows(case: EvaluationCase, gold: GoldSource) -> tuple[tuple[Value, ...], ...]:
    if case.rows is not None or not case.cypher:
        return case.rows or ()
    return gold.rows(case.cypher, case.parameters).rows


def _psjs(case: EvaluationCase, answer: Answer, gold: GoldSource) -> float | None:
    """Provenance subgraph Jaccard similarity over nodes (CypherBench, arXiv:2412.18702)."""
    if not case.cypher:
        return None
    if not answer.cypher or answer.outcome not in GIVEN:
        return 0.0
    right = gold.matched(matched_part(case.cypher), case.parameters)
    return jaccard(gold.matched(matched_part(answer.cypher), answer.parameters), right)


def report(results: Sequence[CaseResult], clock: Clock, *, hostile: Sequence[bool]) -> EvaluationReport:
    """All figures; ``hostile`` says for each built-in hostile query whether the gate let it pass."""
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
        structure=share(r.same_structure is True for r in answerable if r.same_structure is not None),
        psjs=sum(measured) / len(measured) if measured else None,
        abstention_precision=share(r.case.expect is Expectation.ABSTAIN for r in abstained),
        abstention_recall=share(r.correct for r in unanswerable),
        asked_back=share(r.correct for r in results if r.case.expect is Expectation.ASK_BACK),
        hostile_passed=share(not r.correct for r in results if r.case.expect is Expectation.REFUSE),
        hostile_cypher_passed=share(hostile),
        curve=curve,
        aurc=aurc(curve),
        stages=clock.times(),
        codes=dict(sorted(Counter(r.code for r in results if r.code is not None).items())),
        groups={g: share(r.correct for r in results if r.case.group == g) for g in _groups(results)},
        results=tuple(results),
    )


def _groups(results: Sequence[CaseResult]) -> list[str]:
    return list(dict.fromkeys(r.case.group for r in results if r.case.group))
