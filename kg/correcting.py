"""A reviewer's right query for a question: checked, run, and kept."""

from __future__ import annotations

from cypher.answers.corrected import lifted
from kg.query import run_query
from kg.wiring import Platform
from schemas.questions import QueryRequest, QueryResult


def correct(platform: Platform, number: int, cypher: str, *, by: str = "", note: str = "") -> QueryResult:
    """Keep ``cypher`` as the right query for question ``number``; what it finds now.

    Raises ``UsageError`` where the ledger holds no such question, and what :func:`kg.query.run_query` raises
    where the query may not run: nothing is kept then.
    """
    platform.question_log.get(number)
    found = run_query(platform, QueryRequest(cypher=cypher, limit=25))
    query, parameters = lifted(cypher)
    platform.question_log.correct(number, query, parameters, by=by, note=note)
    return found
