"""Analysts' own queries in the ledger, and how often somebody was told that the server is busy."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any, Final

from pydantic import Field

from kg.ledger import Ledger, utc_now
from kg.question_settings import QuestionSettings
from schemas.ids import content_hash
from schemas.model import Frozen
from schemas.questions import Outcome, Parameter, PlanSummary, QueryRequest, Scope

LONGEST_QUERY: Final = 8_000
"""Characters that are kept of a query: the gate reads no longer one."""
LONGEST_SENT: Final = 16_000
"""Characters that are kept of what was sent: the gate adds conditions of a scope."""
LONGEST_PARAMETERS: Final = 8_000
"""Characters that are kept of all parameters together, as JSON."""
LONGEST_VALUE: Final = 500
"""Characters that are kept of one value where the parameters are too long together."""
LONGEST_WHY: Final = 1_000
_READ: Final = (
    "id, at_utc, query, sent, parameters, scope, outcome, rows, seconds, why, schema_fingerprint, "
    "query_hash, plan_hash, cut"
)


class EndedQuery(Frozen):
    """What became of a query that an analyst wrote."""

    outcome: Outcome
    sent: str = ""
    """As the gate printed it for the server; empty where it was refused before."""
    plan: PlanSummary | None = None
    rows: int = 0
    seconds: float = 0.0
    why: str = ""
    """Why there are no rows, where it was refused, failed or took too long."""
    schema_fingerprint: str = ""


class WrittenQuery(Frozen):
    """One query that an analyst wrote, as the ledger keeps it."""

    number: int
    at_utc: str
    query: str
    """As it came in; empty where no words are kept."""
    sent: str = ""
    """As the gate printed it for the server; empty where it was refused before."""
    parameters: dict[str, Parameter] = Field(default_factory=dict)
    """Values of its own $names."""
    scope: Scope = Scope.ALL
    outcome: Outcome
    rows: int = 0
    seconds: float = 0.0
    why: str = ""
    """Why there are no rows, where it was refused, failed or took too long."""
    schema_fingerprint: str = ""
    query_hash: str = ""
    """Hash of what was sent, also where its words were not kept."""
    plan_hash: str = ""
    """Hash of the operators and procedures of the server's plan."""
    cut: tuple[str, ...] = ()
    """What was too long to be kept whole: ``query``, ``sent``, ``parameters`` or ``why``."""


class BusyDay(Frozen):
    """How often on one day somebody was told that the server is busy (429)."""

    day: str
    """In UTC."""
    what: str
    """What had too many at once: ``question or query``, ``look into the graph``."""
    times: int


def plan_hash(plan: PlanSummary | None) -> str:
    """Hash of a plan's steps, in their order; empty without a plan.

    >>> plan_hash(None), len(plan_hash(PlanSummary(query_type="r", operators=("ProduceResults",))))
    ('', 32)
    """
    return "" if plan is None else content_hash("plan", plan.operators, plan.procedures)


class QueryLog:
    """Queries of one ledger; usable from several threads and processes.

    What it keeps and how much follows the settings of questions. Its methods raise ``WorkspaceError`` where
    the ledger cannot be read or written.
    """

    def __init__(self, ledger: Ledger, settings: QuestionSettings | None = None) -> None:
        self._ledger, self._settings = ledger, settings or QuestionSettings()
        ledger.add_column("queries", "cut", "TEXT NOT NULL DEFAULT '[]'")

    def add(self, request: QueryRequest, ended: EndedQuery) -> int:
        """Keep a query with what became of it; its number, 0 if it is not kept."""
        if self._settings.record == "off":
            return 0
        row: dict[str, object] = {
            "at_utc": utc_now(),
            "query": "",
            "scope": request.scope.value,
            "outcome": ended.outcome.value,
            "rows": ended.rows,
            "seconds": ended.seconds,
            "schema_fingerprint": ended.schema_fingerprint,
            "query_hash": content_hash(ended.sent) if ended.sent else "",
            "plan_hash": plan_hash(ended.plan),
        }
        if self._settings.record == "full":
            row |= _words(request, ended)
        names, marks = ", ".join(row), ", ".join("?" * len(row))
        statement = f"INSERT INTO queries ({names}) VALUES ({marks}) RETURNING id"  # noqa: S608
        [(number,)] = self._ledger.execute(statement, tuple(row.values()))
        self._ledger.execute("DELETE FROM queries WHERE id <= ?", (number - self._settings.keep,))
        return int(number)

    def rows(self, *, outcome: Outcome | None = None, limit: int = 50) -> tuple[WrittenQuery, ...]:
        """The latest queries, newest first."""
        where, values = ("WHERE outcome = ?", (outcome.value,)) if outcome else ("", ())
        found = self._ledger.execute(
            f"SELECT {_READ} FROM queries {where} ORDER BY id DESC LIMIT ?",  # noqa: S608
            (*values, limit),
        )
        return tuple(_written(row) for row in found)

    def busy(self, what: str) -> None:
        """Count that somebody was told that the server is busy, unless nothing is to be recorded."""
        if self._settings.record == "off":
            return
        self._ledger.execute(
            "INSERT INTO busy (day, what, times) VALUES (?, ?, 1) "
            "ON CONFLICT (day, what) DO UPDATE SET times = times + 1",
            (datetime.now(UTC).strftime("%Y-%m-%d"), what),
        )

    def busy_days(self, *, limit: int = 30) -> tuple[BusyDay, ...]:
        """How often that was, by day and by what there was too much of; the latest day first."""
        rows = self._ledger.execute(
            "SELECT day, what, times FROM busy ORDER BY day DESC, what LIMIT ?", (limit,)
        )
        return tuple(BusyDay(day=day, what=what, times=times) for day, what, times in rows)


def _kept(text: str) -> str:
    """Text as SQLite takes it: a half of a surrogate pair is no character."""
    return text.encode("utf-8", "backslashreplace").decode()


def _words(request: QueryRequest, ended: EndedQuery) -> dict[str, object]:
    """A query's own words, each bounded, and which of them were cut."""
    whole = {"query": _kept(request.cypher), "sent": _kept(ended.sent), "why": _kept(ended.why)}
    most = {"query": LONGEST_QUERY, "sent": LONGEST_SENT, "why": LONGEST_WHY}
    cut = [name for name, text in whole.items() if len(text) > most[name]]
    given = {_kept(k): _given(v) for k, v in request.parameters.items()}
    held = json.dumps(given)
    if len(held) > LONGEST_PARAMETERS:
        held = json.dumps(_fitting(given))
        cut.append("parameters")
    words = {name: text[: most[name]] for name, text in whole.items()}
    return {**words, "parameters": held, "cut": json.dumps(sorted(cut))}


def _fitting(given: dict[str, Parameter]) -> dict[str, Parameter]:
    """The parameters that are kept of too long ones: the first that fit, each with the start of its value."""
    kept: dict[str, Parameter] = {}
    left = LONGEST_PARAMETERS
    for name, value in given.items():
        start = _start(value)
        left -= len(json.dumps({name: start}))
        if left < 0:
            break
        kept[name] = start
    return kept


def _start(value: Parameter) -> Parameter:
    """A value, or as much of a long text or list as is kept."""
    if isinstance(value, str):
        return value[:LONGEST_VALUE]
    if not isinstance(value, tuple):
        return value
    members, left = [], LONGEST_VALUE
    for member in value:
        left -= len(json.dumps(member)) + 2
        if left < 0:
            break
        members.append(member)
    return tuple(members)


def _given(value: Parameter) -> Parameter:
    if isinstance(value, tuple):
        return tuple(_kept(v) if isinstance(v, str) else v for v in value)
    return _kept(value) if isinstance(value, str) else value


def _written(row: tuple[Any, ...]) -> WrittenQuery:
    known = dict(zip(_READ.replace("id,", "number,", 1).split(", "), row, strict=True))
    return WrittenQuery.model_validate(
        known | {name: json.loads(known[name]) for name in ("parameters", "cut")}
    )
