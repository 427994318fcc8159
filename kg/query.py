"""Cypher that an analyst wrote: through the gate, then to the store."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from cypher.gate.similarity import PREFIX, Embed, Inputs
from cypher.gate.snapping import Names
from cypher.generation.failures import finding_of
from cypher.guard import check_plan, report_on
from kg.provenance import provenance_of
from kg.query_log import EndedQuery
from kg.similar import IndexSearch, wants_index
from kg.stopping import Stopped, stoppable, within
from kg.wiring import Platform
from schemas.errors import (
    CorpusGraphError,
    QueryError,
    QueryFailedError,
    QueryRefusedError,
    QueryTimeoutError,
)
from schemas.matched import Provenance
from schemas.questions import (
    CheckedQuery,
    GateReport,
    Outcome,
    PlanSummary,
    QueryRequest,
    QueryResult,
    Scope,
    Subgraph,
)

log = logging.getLogger(__name__)

SIMILARITY = "similarity"
NOT_KEPT = "This query was not kept, because the ledger cannot be written; the log says why."
LEAST_LIKE = 0.85
"""Smallest likeness of a name that is read as another (own choice; below it the names of two things meet)."""


def examine(
    platform: Platform, request: QueryRequest, *, embed: Embed | None = None, neighbours: int = 0
) -> GateReport:
    """What the gate makes of a query; the store is asked for its schema alone.

    With ``neighbours`` a query that compares many nodes with a text begins with the vector index.
    """
    return report_on(
        request.cypher,
        platform.store_schema(),
        scope=request.scope,
        row_cap=request.limit + 1,
        timeout=request.timeout,
        parameters=Inputs(
            request.parameters,
            embed or embedding(platform),
            stored_names(platform, request),
            neighbours=neighbours,
        ),
    )


def stored_names(platform: Platform, request: QueryRequest) -> Names | None:
    """Stored names by the value index: the text itself, what has it as an alias, else what is spelt near.

    None in a scope, whose queries learn nothing of what is outside of it.
    """
    if request.scope is not Scope.ALL:
        return None
    types = {e.label: e.name for e in platform.workspace.schema.entities}

    def near(label: str, text: str) -> tuple[str, ...]:
        if label not in types:
            return ()
        exact = platform.values.exact([text], [types[label]]).get(text, ())
        found = exact or platform.values.similar(text, [types[label]])
        return tuple(dict.fromkeys(m.name for m in found if m.score >= LEAST_LIKE))

    return near


def embedding(platform: Platform) -> Embed:
    """The platform's embedder, which is asked for the texts of one query once."""

    @cache
    def kept(texts: tuple[str, ...]) -> NDArray[np.float32]:
        return platform.embedder.encode(texts)

    def embed(texts: Sequence[str]) -> NDArray[np.float32]:
        return kept(tuple(texts))

    return embed


def plan(platform: Platform, query: CheckedQuery) -> tuple[PlanSummary | None, str]:
    """The server's plan, if it makes one, and why the query may not run (empty if it may)."""
    found: PlanSummary | None = None
    try:
        found = platform.runner.explain(query)
        check_plan(found)
    except QueryError as e:
        return found, str(e)
    return found, ""


def run_query(platform: Platform, request: QueryRequest, *, stopped: Stopped | None = None) -> QueryResult:
    """The rows of a query, or ``QueryRefusedError`` with its findings, or another ``QueryError``.

    When ``stopped`` says that nobody waits any more, what runs on the server is ended. The server's own words
    can quote what the query read before it looked at the scope: in one, a failure is told without them.

    The ledger keeps the query with its outcome; where that cannot be written, the notes say so.
    """
    run, began = _Run(platform, request), time.perf_counter()
    try:
        _load_model(platform, request)
        held = stoppable(stopped) if stopped is not None else nullcontext()
        with within(request.timeout), _told_within(request.scope), held:
            result = run.result()
    except BaseException as e:
        why = str(e) if isinstance(e, CorpusGraphError) else f"It ended in an error ({type(e).__name__})."
        run.recorded(EndedQuery(outcome=_outcome(e), why=why, seconds=time.perf_counter() - began))
        raise
    outcome = Outcome.ANSWERED if result.rows else Outcome.EMPTY_BUT_VALID
    seconds = time.perf_counter() - began
    if run.recorded(EndedQuery(outcome=outcome, rows=len(result.rows), seconds=seconds)):
        return result
    return result.model_copy(update={"notes": (*result.notes, NOT_KEPT)})


def _outcome(ended: BaseException) -> Outcome:
    """How a query ended that gave no result."""
    if isinstance(ended, QueryRefusedError):
        return Outcome.REFUSED
    return Outcome.TIMEOUT if isinstance(ended, QueryTimeoutError) else Outcome.FAILED


@contextmanager
def _told_within(scope: Scope) -> Iterator[None]:
    try:
        yield
    except QueryFailedError as e:
        if scope is Scope.ALL:
            raise
        raise QueryFailedError(finding_of(e).message, query=e.query, code=e.code) from None


def check_query(platform: Platform, request: QueryRequest) -> GateReport:
    """What the gate makes of a query; ``QueryTimeoutError`` where the store does not answer in its time."""
    _load_model(platform, request)
    with within(request.timeout):
        return examine(platform, request)


def _load_model(platform: Platform, request: QueryRequest) -> None:
    """The embedder, where the query needs it: it is loaded in its own time, not in the query's."""
    if SIMILARITY in request.cypher.lower():
        platform.embedder.encode([""])


@dataclass(slots=True)
class _Run:
    """One query on its way, with what is known of it so far."""

    platform: Platform
    request: QueryRequest
    sent: str = ""
    plan: PlanSummary | None = None

    def result(self) -> QueryResult:
        platform, request, embed = self.platform, self.request, embedding(self.platform)
        report = examine(platform, request, embed=embed)
        if report.query is None:
            lines = [f"{f.message} [{f.code}]" for f in report.findings]
            raise QueryRefusedError("; ".join(lines), query=request.cypher, findings=report.findings)
        self.sent = report.query.text
        self.plan = planned = platform.runner.explain(report.query)
        check_plan(planned)
        matched = _provenance(platform, request, embed) if request.provenance else None
        if report.search is not None and wants_index(report, planned):

            def form(neighbours: int) -> GateReport:
                return examine(platform, request, embed=embed, neighbours=neighbours)

            index = IndexSearch(platform.runner, platform.runner.run, platform.store_schema(), form)
            by_index = index.rows(report.search, request.timeout)
            if by_index is not None:
                return _result(*by_index, approximate=True, matched=matched)
        return _result(report, platform.runner.run(report.query), approximate=False, matched=matched)

    def recorded(self, ended: EndedQuery) -> bool:
        """Whether the ledger could keep it; the settings may say that it keeps nothing."""
        try:
            fingerprint = self.platform.workspace.schema.fingerprint
            known = {"sent": self.sent, "plan": self.plan, "schema_fingerprint": fingerprint}
            self.platform.query_log.add(self.request, ended.model_copy(update=known))
        except CorpusGraphError as e:  # a full disk or an unreadable schema: the result is none the worse
            log.warning("a query was not kept: %s", e)
            return False
        return True


def _provenance(platform: Platform, request: QueryRequest, embed: Embed) -> Provenance:
    return provenance_of(
        request.cypher,
        platform.store_schema(),
        platform.runner,
        scope=request.scope,
        timeout=request.timeout,
        inputs=Inputs(request.parameters, embed, stored_names(platform, request)),
    )


def _result(
    report: GateReport, found: Subgraph, *, approximate: bool, matched: Provenance | None
) -> QueryResult:
    assert report.query is not None
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
        approximate=approximate,
        provenance=matched,
        seconds=found.seconds,
    )
