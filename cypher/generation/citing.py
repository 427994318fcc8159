"""The statements behind the rows of a model's query: those that it returns, else those that it matched."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass

from cypher.answer import citations
from cypher.cited import MAX_CITATIONS
from cypher.gate.provenance import EDGE_IDS
from cypher.generation.ports import Cited, Findings, Gate, Limits, Row, Run
from cypher.generation.reply import Written
from schemas.errors import QueryError, ServiceError
from schemas.ports import StatementSource
from schemas.questions import Citation, Question, Subgraph

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Citing:
    """Finds statements by a second look at the graph, where a query returns none."""

    gate: Gate
    run: Run
    statements: StatementSource

    def cited(self, question: Question, written: Written, result: Subgraph, rows: Sequence[Row]) -> Cited:
        """What stands behind the rows; nothing where it cannot be found out in time."""
        returned = [e.id for e in result.edges]
        by_row = [] if returned else self._matched(question, written)
        ids = list(dict.fromkeys(returned or [i for found in by_row for i in found]))[:MAX_CITATIONS]
        try:
            details = self.statements.statements(ids) if ids else ()
        except (QueryError, ServiceError) as e:
            log.info("the statements behind a model's query could not be read: %s", e)
            return Cited(behind=((),) * len(rows))
        cited = citations(details)
        ends = {str(d.id): {d.start_name, d.end_name} for d in details}
        behind = [_by_names(row, cited, ends) for row in rows]
        if len(by_row) == len(rows):
            for at, (row, own) in enumerate(zip(rows, by_row, strict=True)):
                named = set().union(*(ends.get(i, set()) for i in own))
                if named & _cells(row) or len(rows) == 1:  # equal keys of an order may change places
                    behind[at] = tuple(c.number for c in cited if str(c.statement) in own)
        return Cited(details, cited, tuple(behind))

    def _matched(self, question: Question, written: Written) -> list[tuple[str, ...]]:
        """Ids of the statements of each row that the query's patterns match."""
        limits = Limits(question.limit, question.timeout)
        query = self.gate.matched(
            written.query, written.parameters or {}, scope=question.scope, limits=limits
        )
        if isinstance(query, Findings):
            return []
        try:
            found = self.run(query)
        except (QueryError, ServiceError) as e:
            log.info("what a model's query matched could not be read: %s", e)
            return []
        at = found.columns.index(EDGE_IDS)
        cells = (row[at] for row in found.rows)
        return [tuple(str(i) for i in (c if isinstance(c, tuple) else ()) if i) for c in cells]


class NoCitations:
    """Cites nothing: for graphs whose facts tell no sources."""

    def cited(
        self,
        question: Question,  # noqa: ARG002
        written: Written,  # noqa: ARG002
        result: Subgraph,  # noqa: ARG002
        rows: Sequence[Row],
    ) -> Cited:
        """Nothing, for each row."""
        return Cited(behind=((),) * len(rows))


def _by_names(row: Row, cited: Sequence[Citation], ends: dict[str, set[str]]) -> tuple[int, ...]:
    """Citations one of whose ends the row names."""
    cells = _cells(row)
    return tuple(c.number for c in cited if cells & ends[str(c.statement)])


def _cells(row: Row) -> set[str]:
    return {str(c) for cell in row for c in (cell if isinstance(cell, tuple) else (cell,))}
