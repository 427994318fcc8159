"""Evaluates the question service on a workspace's own graph."""

from __future__ import annotations

from pathlib import Path

import pydantic

from cypher.evaluation.evaluate import Bench, evaluate, report
from cypher.evaluation.security import passed_by
from cypher.evaluation.stages import Clock, TimedIndex, TimedRunner, TimedStatements
from cypher.guard import check_text
from cypher.identifiers import Identifiers
from cypher.service import QuestionService
from kg.gold import GoldQueries
from kg.query import embedding
from kg.wiring import Platform
from schemas.errors import ReadError, UsageError
from schemas.evaluation import EvaluationCase, EvaluationReport


def read_cases(file: Path) -> tuple[EvaluationCase, ...]:
    """The cases of a question file, one JSON object a line; empty lines are skipped.

    Raises:
        ReadError: the file cannot be read, or a line is no case (the message names the line).
        UsageError: the file holds no case, or two of one id.
    """
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as e:
        raise ReadError(f"expected a question file in UTF-8, found: {e}", file=str(file)) from e
    cases = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            cases.append(EvaluationCase.model_validate_json(line))
        except pydantic.ValidationError as e:
            first = e.errors(include_url=False)[0]
            where = ".".join(str(p) for p in first["loc"])
            raise ReadError(
                f"expected a question with its right answer, found {where}: {first['msg']}",
                file=str(file),
                line=number,
            ) from e
    ids = [c.id for c in cases]
    twice = sorted({i for i in ids if ids.count(i) > 1})
    if not cases or twice:
        found = f"two questions with the id {twice[0]}" if twice else "no question"
        raise UsageError(f"expected questions with ids of their own in {file}, found {found}")
    return tuple(cases)


def run_evaluation(
    platform: Platform, cases: tuple[EvaluationCase, ...], *, limit: int, timeout: float
) -> EvaluationReport:
    """Asks every case, without a language model, and measures.

    A gold query that the gate or the server does not accept is told with its case. Raises errors of the
    store.
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
    service.prepare()
    clock.now.clear()
    names, store = Identifiers.of(platform.workspace.schema), platform.store_schema()
    gold = GoldQueries(runner, store, timeout=timeout, embed=embedding(platform))
    bench = Bench(service.ask, gold, names.all, limit, timeout)
    results = evaluate(cases, bench, clock)

    def gate(text: str) -> None:
        check_text(text, store, row_cap=1, timeout=timeout)

    return report(results, clock, hostile=passed_by(gate))
