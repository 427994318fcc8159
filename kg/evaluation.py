"""Evaluates the question service on a workspace's own graph."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pydantic

from cypher.answers.asker import Asker
from cypher.evaluation.benign import benign_cypher
from cypher.evaluation.evaluate import Bench, Passes, evaluate, report
from cypher.evaluation.security import passed_by
from cypher.evaluation.stages import Clock, TimedHelper, TimedIndex, TimedRunner, TimedStatements
from cypher.generation.bank import SimilarExamples
from cypher.guard import check_text
from cypher.service import QuestionService
from kg.asker import make_helper
from kg.gold import GoldQueries
from kg.query import embedding
from kg.wiring import Platform
from schemas.errors import ReadError, UsageError
from schemas.evaluation import EvaluationCase, EvaluationReport
from schemas.questions import Answer, Question


def read_cases(file: Path) -> tuple[EvaluationCase, ...]:
    """The cases of a question file, one JSON object a line; empty lines are skipped.

    Raises:
        ReadError: the file cannot be read, or a line is no case or has the id of another (the message
            names the line).
        UsageError: the file holds no case.
    """
    try:
        lines = file.read_text(encoding="utf-8-sig").splitlines()
    except UnicodeDecodeError as e:
        raise ReadError(f"expected a question file in UTF-8, found: {e}", file=str(file)) from e
    except OSError as e:
        raise ReadError(f"expected a question file, found: {e.strerror or e}", file=str(file)) from e
    cases: list[EvaluationCase] = []
    ids: set[str] = set()
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            cases.append(EvaluationCase.model_validate_json(line))
        except pydantic.ValidationError as e:
            first = e.errors(include_url=False)[0]
            where = ".".join(str(p) for p in first["loc"])
            raise ReadError(
                f"expected a question with its right answer, found {where and f'{where}: '}{first['msg']}",
                file=str(file),
                line=number,
            ) from e
        if cases[-1].id in ids:
            raise ReadError(
                f"expected questions with ids of their own, found two with the id {cases[-1].id}",
                file=str(file),
                line=number,
            )
        ids.add(cases[-1].id)
    if not cases:
        raise UsageError(f"expected questions with their right answers in {file}, found no question")
    return tuple(cases)


def run_evaluation(
    platform: Platform,
    cases: tuple[EvaluationCase, ...],
    *,
    limit: int,
    timeout: float,
    use_llm: bool = False,
) -> EvaluationReport:
    """Asks every case and measures; the chat model of kg.toml may help only with ``use_llm``.

    A gold query that the gate or the server does not accept is told with its case. Raises errors of the
    store, and ``SettingsError`` where a model is wanted and kg.toml has none.
    """
    clock = Clock()
    runner, values = platform.runner, platform.values
    service = QuestionService(
        values,
        TimedIndex(values, clock),
        TimedRunner(runner, clock),
        TimedStatements(runner, clock),
        ways=platform.workspace.ways,
    )
    ask = _with_model(platform, service, clock) if use_llm else service.ask
    service.prepare()
    clock.now.clear()
    store = platform.store_schema()
    gold = GoldQueries(runner, store, timeout=timeout, embed=embedding(platform))
    results = evaluate(cases, Bench(ask, gold, store, limit, timeout, use_llm), clock)

    def gate(text: str) -> None:
        check_text(text, store, row_cap=1, timeout=timeout)

    passes = Passes(hostile=passed_by(gate), benign=passed_by(gate, benign_cypher(store)))
    return report(results, clock, gate=passes)


def _with_model(platform: Platform, service: QuestionService, clock: Clock) -> Callable[[Question], Answer]:
    """The service with the chat model's queries beside it; its prose is not measured.

    It is shown no example that a reviewer marked: one may be the very question that is asked.
    """
    platform.chat_settings()
    helper = make_helper(platform, service, bank=SimilarExamples(()))
    return Asker(service, helper=TimedHelper(helper, clock)).ask
