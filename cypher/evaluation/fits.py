"""Whether a query fits the schema, as it was written and as it ran: the gate's own check, once more."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from cypher.gate.hiding import revealed
from cypher.guard import report_on
from schemas.errors import QueryRefusedError
from schemas.evaluation import FailureCode
from schemas.findings import Finding, Repair
from schemas.questions import Answer, GateReport
from schemas.store_schema import StoreSchema

_SCHEMA: Final = "SCH"
_OTHERS: Final = {"COST": FailureCode.EXE2, "SEC1": FailureCode.SEM1}
"""Codes of the gate that an evaluation calls otherwise: too expensive, and a function that there is not."""


@dataclass(frozen=True, slots=True)
class Fit:
    """What the gate says of an answer's query."""

    before: bool
    """Whether it fits the schema as it was written, without a repair."""
    after: bool
    """Whether it fits the schema as it ran."""
    code: FailureCode | None = None
    """Of the first thing that is wrong with it, else of the first that was repaired."""


def fit_of(answer: Answer, schema: StoreSchema) -> Fit | None:
    """The fit of the query of an answer, ``None`` without one."""
    if not answer.cypher:
        return None
    report = _report(answer, schema)
    repairs = (*report.repairs, *answer.repairs)
    after = not _of_schema((*report.findings, *report.repairs)) and bool(report.text)
    return Fit(
        before=after and not _of_schema(answer.repairs),
        after=after,
        code=_first(report.findings, _OTHERS) or _first(repairs, {}),
    )


def _report(answer: Answer, schema: StoreSchema) -> GateReport:
    try:
        return report_on(revealed(answer.cypher, schema.hidden_labels), schema, parameters=answer.parameters)
    except QueryRefusedError as e:
        return GateReport(findings=e.findings or (Finding(code="SYN2", message=str(e)),))


def _of_schema(found: Iterable[Finding | Repair]) -> bool:
    return any(f.code.startswith(_SCHEMA) for f in found)


def _first(found: Iterable[Finding | Repair], others: dict[str, FailureCode]) -> FailureCode | None:
    known = {c.value: c for c in FailureCode} | others
    return next((known[f.code] for f in found if f.code in known), None)
