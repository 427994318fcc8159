"""Evaluates the question service on a workspace's own graph."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import pydantic

from cypher.evaluation.evaluate import Bench, evaluate, report
from cypher.evaluation.security import passed_by
from cypher.evaluation.stages import Clock, TimedIndex, TimedRunner, TimedStatements
from cypher.guard import check_text
from cypher.identifiers import Identifiers
from cypher.service import QuestionService
from kg.adapters.neo4j_connection import Connection
from kg.wiring import Platform
from schemas.errors import ReadError, UsageError
from schemas.evaluation import EvaluationCase, EvaluationReport
from schemas.questions import Parameter, Scalar, Subgraph, Value

ROW_CAP: Final = 10_000
"""Most rows of a gold query; more is an error, because a comparison would then be of parts."""


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


class GoldQueries:
    """``GoldSource``: gold queries in READ transactions, after the server says that they only read."""

    def __init__(self, connection: Connection, *, timeout: float) -> None:
        self._connection, self._timeout = connection, timeout

    def rows(self, text: str, parameters: Mapping[str, Parameter]) -> Subgraph:
        """All rows; ``UsageError`` for a query that writes or that has more than 10,000 rows."""
        columns, records = self._read(text, parameters)
        return Subgraph(columns=columns, rows=tuple(tuple(_value(v) for v in r) for r in records))

    def matched(self, text: str, parameters: Mapping[str, Parameter]) -> frozenset[str]:
        """Element ids of the nodes in all rows."""
        _, records = self._read(text, parameters)
        found: set[str] = set()
        for record in records:
            for value in record:
                found |= _node_ids(value)
        return frozenset(found)

    def _read(
        self, text: str, parameters: Mapping[str, Parameter]
    ) -> tuple[tuple[str, ...], list[tuple[Any, ...]]]:
        given = {k: _plain(v) for k, v in parameters.items()}

        def explain(tx: Any) -> str:
            return str(tx.run("EXPLAIN " + text, given).consume().query_type)

        def fetch(tx: Any) -> tuple[tuple[str, ...], list[tuple[Any, ...]]]:
            result = tx.run(text, given)
            return tuple(result.keys()), [tuple(r.values()) for r in result.fetch(ROW_CAP + 1)]

        if self._connection.read_with(explain, timeout=self._timeout) != "r":
            raise UsageError(f"expected a gold query that only reads, found {text!r}")
        columns, records = self._connection.read_with(fetch, timeout=self._timeout)
        if len(records) > ROW_CAP:
            raise UsageError(f"expected a gold query of at most {ROW_CAP:,} rows, found more: {text!r}")
        return columns, records


def run_evaluation(
    platform: Platform, cases: tuple[EvaluationCase, ...], *, limit: int, timeout: float
) -> EvaluationReport:
    """Asks every case, without a language model, and measures.

    Raises ``QueryError`` for a gold query that the server does not accept, and errors of the store.
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
    gold = GoldQueries(platform.connection, timeout=timeout)
    bench = Bench(service.ask, gold, names.all, limit, timeout)
    results = evaluate(cases, bench, clock)

    def gate(text: str) -> None:
        check_text(text, store, row_cap=1, timeout=timeout)

    return report(results, clock, hostile=passed_by(gate))


def _plain(value: Parameter) -> object:
    return list(value) if isinstance(value, tuple) else value


def _value(value: object) -> Value:
    if isinstance(value, list | tuple):
        return tuple(_scalar(v) for v in value)
    return _scalar(value)


def _scalar(value: object) -> Scalar:
    if value is None or isinstance(value, str | bool | int | float):
        return value
    name = value.get("name") if hasattr(value, "get") else None
    return str(value) if name is None else str(name)


def _node_ids(value: object) -> set[str]:
    if isinstance(value, list):
        return {i for v in value for i in _node_ids(v)}
    if hasattr(value, "labels"):
        return {str(value.element_id)}  # type: ignore[attr-defined]
    if hasattr(value, "nodes"):
        return {str(n.element_id) for n in value.nodes}
    return set()
