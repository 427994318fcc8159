"""The door: the only maker of ``CheckedQuery``, and the judge of the server's plan.

Every query takes the same way, whoever wrote it: read by a grammar that cannot express a write, checked
against the store's schema, repaired where only one repair fits, limited to the scope, its literals made
parameters, its rows bounded, and printed. What runs is the printed tree.
"""

from __future__ import annotations

import logging
import math
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from cypher.gate.allowed import PROCEDURES
from cypher.gate.operators import OPERATORS
from cypher.gate.pipeline import Passed, pass_through
from cypher.gate.similarity import Inputs
from cypher.gate.vetting import PARAMETER
from cypher.syntax.tokens import INT64
from schemas.errors import QueryRefusedError
from schemas.questions import CheckedQuery, GateReport, Parameter, PlanSummary, Scope
from schemas.store_schema import StoreSchema

log = logging.getLogger(__name__)

MAX_ROWS, MAX_SECONDS = 1_001, 120.0
MAX_PARAMETER_CHARACTERS, MAX_PARAMETER_ITEMS = 2_000, 5_000
_HALF: Final = re.compile("[\ud800-\udfff]")
"""Halves of surrogate pairs, which no text in UTF-8 holds."""
MAX_ESTIMATED_ROWS: Final = 1e10
"""Rows that the server may expect of any step at most.

A server passes on some ten million rows a second, so that beyond this a query would run into the longest
time limit (``MAX_SECONDS``) several times over. The limit of a result does not bound what is aggregated.
Of 194 questions to the full PDG graph no plan expects more than 15,834 rows of a step.
"""


def check_text(
    text: str,
    schema: StoreSchema,
    *,
    scope: Scope = Scope.ALL,
    row_cap: int = MAX_ROWS,
    timeout: float = 10.0,
    parameters: Mapping[str, Parameter] | Inputs | None = None,
) -> CheckedQuery:
    """A query that may run, or ``QueryRefusedError`` with its findings.

    ``row_cap`` bounds the rows (ask for one more than are shown, to know that there are more); ``timeout``
    is in seconds; ``parameters`` are the values of the text's own ``$names``; ``Inputs`` adds the
    maker of the vectors of ``similarity(node, "text")``, which is refused without one.
    """
    report = report_on(text, schema, scope=scope, row_cap=row_cap, timeout=timeout, parameters=parameters)
    if report.query is None:
        first = report.findings[0]
        more = f" (and {len(report.findings) - 1} more)" if len(report.findings) > 1 else ""
        raise QueryRefusedError(f"{first.message}{more}", query=text, findings=report.findings)
    return report.query


def report_on(
    text: str,
    schema: StoreSchema,
    *,
    scope: Scope = Scope.ALL,
    row_cap: int = MAX_ROWS,
    timeout: float = 10.0,
    parameters: Mapping[str, Parameter] | Inputs | None = None,
) -> GateReport:
    """The same as ``check_text``, with all that was found and changed and without raising for the text.

    Raises ``QueryRefusedError`` for limits or parameters that no query may have.
    """
    if scope is not Scope.ALL and not schema.scope_property:
        raise QueryRefusedError(
            f"the facts of this database have no status, so none is known to be {scope.value}; use scope all"
        )
    inputs = parameters if isinstance(parameters, Inputs) else Inputs(parameters or {})
    given = dict(inputs.parameters)
    _check_limits(row_cap, timeout)
    _check_parameters(given)
    if given.get(PARAMETER, scope.statuses) != scope.statuses and schema.scope_property:
        raise QueryRefusedError(f"the parameter ${PARAMETER} belongs to the scope; give yours another name")
    try:
        passed = pass_through(
            text, schema, scope=scope, row_cap=row_cap, inputs=replace(inputs, parameters=given)
        )
    except QueryRefusedError as e:
        if not e.findings:
            raise
        return GateReport(findings=e.findings)
    query = None if passed.findings else _made(passed, schema, scope, row_cap, timeout)
    return GateReport(
        query=query,
        text=passed.text,
        findings=passed.findings,
        repairs=passed.repairs,
        notes=passed.notes,
        search=passed.search if query is not None else None,
    )


def _made(passed: Passed, schema: StoreSchema, scope: Scope, row_cap: int, timeout: float) -> CheckedQuery:
    query = CheckedQuery(
        text=passed.text,
        parameters=passed.parameters,
        columns=passed.columns,
        row_cap=row_cap,
        timeout=timeout,
        repairs=passed.repairs,
        store=schema,
        scope=scope,
    )
    query._by_guard = True
    return query


def check_plan(plan: PlanSummary) -> None:
    """Raise ``QueryRefusedError`` unless the server plans a read of listed operators and procedures."""
    unknown = sorted({o.split("@")[0] for o in plan.operators} - OPERATORS)
    procedures = [p for p in plan.procedures if p.lower() not in PROCEDURES]
    if plan.query_type != "r" or procedures or unknown:
        log.warning(
            "plan refused: type %s, procedures %s, operators %s", plan.query_type, procedures, unknown
        )
        raise QueryRefusedError(
            f"the server would not run this as a plain read (type {plan.query_type!r}, procedures "
            f"{', '.join(procedures) or 'none'}, unlisted operators {', '.join(unknown) or 'none'}); "
            "it was not run. If a new server version brought a read operator, add it to the list."
        )
    most = max(plan.most_rows, plan.estimated_rows)
    if most > MAX_ESTIMATED_ROWS:
        raise QueryRefusedError(
            f"expected steps of at most {MAX_ESTIMATED_ROWS:.0e} rows; of one step of this query the server "
            f"expects about {most:.0e}; connect the parts of the query or add conditions"
        )


def _check_limits(row_cap: int, timeout: float) -> None:
    if not 0 < row_cap <= MAX_ROWS:
        raise QueryRefusedError(f"a query returns 1 to {MAX_ROWS} rows, not {row_cap}")
    if not 0 < timeout <= MAX_SECONDS:
        raise QueryRefusedError(
            f"a query's time limit lies above 0 and up to {MAX_SECONDS:g} s, not {timeout:g} s"
        )


def _check_parameters(parameters: Mapping[str, Parameter]) -> None:
    for given, value in parameters.items():
        name = given.encode("utf-8", "backslashreplace").decode()
        if name != given:
            raise QueryRefusedError(f"expected a name of whole characters for a parameter, found {name}")
        items = value if isinstance(value, tuple) else (value,)
        if len(items) > MAX_PARAMETER_ITEMS or any(
            not isinstance(i, str | int | float | bool | None)
            or (isinstance(i, str) and len(i) > MAX_PARAMETER_CHARACTERS)
            for i in items
        ):
            raise QueryRefusedError(f"parameter {name} is too large or of a type that no query needs")
        if any(isinstance(i, str) and _HALF.search(i) for i in items):
            raise QueryRefusedError(
                f"expected text of whole characters, found a half of a pair (U+D800 to U+DFFF) in parameter "
                f"{name}; send it as UTF-8"
            )
        if any(isinstance(i, int) and not -INT64 <= i < INT64 for i in items):
            raise QueryRefusedError(
                f"expected whole numbers of at most 64 bits, found a larger one in parameter {name}; "
                "write it with a decimal point (1e23) or as text"
            )
        if any(isinstance(i, float) and not math.isfinite(i) for i in items):
            raise QueryRefusedError(
                f"expected numbers, found NaN or one beyond 1.8e308 in parameter {name}; leave it out"
            )
