"""Cypher that an analyst wrote: through the gate, then to the store."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from cypher.gate.similarity import PREFIX, Inputs
from cypher.guard import check_plan, report_on
from kg.wiring import Platform
from schemas.errors import QueryRefusedError
from schemas.questions import CheckedQuery, GateReport, PlanSummary, QueryRequest, QueryResult


def examine(platform: Platform, request: QueryRequest) -> GateReport:
    """What the gate makes of a query; the store is asked for its schema alone."""

    def embed(texts: Sequence[str]) -> NDArray[np.float32]:
        return platform.embedder.encode(texts)

    return report_on(
        request.cypher,
        platform.store_schema(),
        scope=request.scope,
        row_cap=request.limit + 1,
        timeout=request.timeout,
        parameters=Inputs(request.parameters, embed),
    )


def plan(platform: Platform, query: CheckedQuery) -> tuple[PlanSummary, str]:
    """The server's plan, and why it may not run (empty if it may)."""
    found = platform.runner.explain(query)
    try:
        check_plan(found)
    except QueryRefusedError as e:
        return found, str(e)
    return found, ""


def run_query(
    platform: Platform, request: QueryRequest, *, stopped: Callable[[], bool] | None = None
) -> QueryResult:
    """The rows of a query, or ``QueryRefusedError`` with its findings, or another ``QueryError``."""
    report = examine(platform, request)
    if report.query is None:
        lines = [f"{f.message} [{f.code}]" for f in report.findings]
        raise QueryRefusedError("; ".join(lines), query=request.cypher, findings=report.findings)
    check_plan(platform.runner.explain(report.query))
    found = platform.runner.run(report.query, stopped=stopped)
    return QueryResult(
        cypher=report.query.text,
        parameters={k: v for k, v in report.query.parameters.items() if not k.startswith(PREFIX)},
        columns=found.columns,
        rows=found.rows,
        nodes=found.nodes,
        edges=found.edges,
        repairs=report.repairs,
        notes=report.notes,
        truncated=found.truncated,
        seconds=found.seconds,
    )
