"""A ``Gate`` over ``cypher.guard``: a model's query takes the way of every other."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final

from cypher.gate.similarity import Inputs
from cypher.generation.ports import Findings, Limits
from cypher.guard import report_on
from schemas.errors import QueryRefusedError
from schemas.findings import Finding
from schemas.questions import CheckedQuery, Parameter, Scope
from schemas.store_schema import StoreSchema

_SCOPE: Final = re.compile(r"\$scope\b")


class GuardGate:
    """Checks against what the store that ``schema`` describes may be asked."""

    def __init__(self, schema: Callable[[], StoreSchema]) -> None:
        self._schema = schema

    def check(
        self, text: str, parameters: Mapping[str, Parameter], *, scope: Scope, limits: Limits
    ) -> CheckedQuery | Findings:
        """The query with its limit and scope, or why it may not run.

        A text may name the statuses in scope as ``$scope``, as the composer's queries do.
        """
        return self._checked(text, parameters, scope=scope, limits=limits, provenance=False)

    def matched(
        self, text: str, parameters: Mapping[str, Parameter], *, scope: Scope, limits: Limits
    ) -> CheckedQuery | Findings:
        """The query that returns the ids of what the query matches, a row for each that it makes."""
        return self._checked(text, parameters, scope=scope, limits=limits, provenance=True)

    def _checked(
        self,
        text: str,
        parameters: Mapping[str, Parameter],
        *,
        scope: Scope,
        limits: Limits,
        provenance: bool,
    ) -> CheckedQuery | Findings:
        own = {"scope": scope.statuses} if _SCOPE.search(text) else {}
        try:
            report = report_on(
                text,
                self._schema(),
                scope=scope,
                row_cap=limits.rows + 1,
                timeout=limits.seconds,
                parameters=Inputs({**parameters, **own}, provenance=provenance),
            )
        except QueryRefusedError as e:
            return Findings((Finding(code="SEC1", message=str(e)),))
        return report.query or Findings(report.findings)
