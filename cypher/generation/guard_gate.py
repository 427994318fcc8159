"""A ``Gate`` over ``cypher.guard``: lets pass what is written as the composer writes it, and nothing else."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from cypher.compose import statuses
from cypher.generation.ports import Finding, Findings, Limits
from cypher.guard import MAX_ROWS, check
from cypher.identifiers import Identifiers
from schemas.errors import QueryRefusedError
from schemas.questions import CheckedQuery, Parameter, Scope

_LIMIT = re.compile(r"\s+LIMIT\s+(\d{1,9})\s*$", re.IGNORECASE)
_COLUMN = re.compile(r"\bAS\s+`([^`]+)`")


class GuardGate:
    """Checks token by token against the names that ``names`` gives."""

    def __init__(self, names: Callable[[], Identifiers]) -> None:
        self._names = names

    def check(
        self, text: str, parameters: Mapping[str, Parameter], *, scope: Scope, limits: Limits
    ) -> CheckedQuery | Findings:
        """The query with its limit and scope, or why it may not run."""
        body = text.strip().removesuffix(";").rstrip()
        wanted = _LIMIT.search(body)
        cap = min(int(wanted[1]) if wanted else MAX_ROWS, limits.rows + 1)
        body = body[: wanted.start()] if wanted else body
        returned = body[body.rfind("RETURN") :]
        try:
            return check(
                f"{body} LIMIT {cap}",
                {**parameters, "scope": statuses(scope)},
                columns=_COLUMN.findall(returned),
                row_cap=cap,
                timeout=limits.seconds,
                names=self._names(),
            )
        except QueryRefusedError as e:
            return Findings((Finding("SEC1", str(e)),))
