"""A reviewer's right query for a question: checked, run, and kept."""

from __future__ import annotations

from cypher.answers.corrected import lifted
from cypher.answers.verdicts import digest
from cypher.gate.pipeline import as_stored
from cypher.generation.guard_gate import GuardGate
from cypher.generation.ports import Findings, Limits
from kg.query import run_query, stored_names
from kg.stopping import within
from kg.wiring import Platform
from schemas.errors import QueryRefusedError
from schemas.questions import QueryRequest, QueryResult


def correct(platform: Platform, number: int, cypher: str, *, by: str = "", note: str = "") -> QueryResult:
    """Keep ``cypher`` as the right query for question ``number``; what it finds now.

    It is kept with its repairs and with names as they are stored, as it ran, once it has found the same rows
    again. Raises ``UsageError`` where the ledger holds no such question, and what :func:`kg.query.run_query`
    raises where the query may not run: nothing is kept then.
    """
    platform.question_log.correctable(number)
    request = QueryRequest(cypher=cypher, limit=25)
    found = run_query(platform, request)
    query, parameters = lifted(as_stored(cypher, platform.store_schema(), stored_names(platform, request)))
    again = GuardGate(platform.store_schema).check(
        query, parameters, scope=request.scope, limits=Limits(request.limit, request.timeout)
    )
    if isinstance(again, Findings):
        said = "; ".join(f"{f.message} [{f.code}]" for f in again.items)
        raise QueryRefusedError(
            f"the query runs, but cannot be kept: {said}", query=cypher, findings=again.items
        )
    with within(request.timeout):
        kept = platform.questions.run_of_others(again)
    if digest(kept.rows) != digest(found.rows):
        raise QueryRefusedError(
            "expected the same rows each time, found others when the query ran again, so it cannot be kept; "
            "say which rows are meant: leave out rand(), and write ORDER BY before a LIMIT",
            query=cypher,
        )
    platform.question_log.correct(number, query, parameters, by=by, note=note)
    return found
