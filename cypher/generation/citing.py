"""The statements behind the rows of a model's query: those that it returns, else those that it matched."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from cypher.answer import citations
from cypher.cited import MAX_CITATIONS
from cypher.gate.provenance import EDGE_IDS
from cypher.generation.ports import Cited, Findings, Gate, Limits, Row, Run
from cypher.generation.reply import Written
from schemas.errors import QueryError, QueryRefusedError, QueryTimeoutError, ServiceError
from schemas.ports import StatementSource
from schemas.questions import Citation, Question, Subgraph

log = logging.getLogger(__name__)
_UNCITED: Final = "No source is cited: the statements behind these rows could not be looked up{why}."
_LATE: Final = " in time"
_FAILED: Final = ""
_NO_STATEMENT: Final = "No source is cited: the query matches no statement of a document."
_SOME_CITED: Final = "Cited are {read:,} of the {found:,} statements behind these rows."


@dataclass(frozen=True, slots=True)
class Citing:
    """Finds statements by a second look at the graph, where a query returns none."""

    gate: Gate
    run: Run
    statements: StatementSource

    def cited(self, question: Question, written: Written, result: Subgraph, rows: Sequence[Row]) -> Cited:
        """What stands behind the rows, with a note where something or all of it is missing."""
        returned = [e.id for e in result.edges]
        try:
            by_row = [] if returned else self._matched(question, written)
            found = list(dict.fromkeys(returned or [i for ids in by_row for i in ids]))
            details = self.statements.statements(found[:MAX_CITATIONS]) if found else ()
        except (QueryError, ServiceError) as e:
            log.info("the statements behind the rows of a query could not be read: %s", e)
            why = _LATE if isinstance(e, QueryTimeoutError) else _FAILED
            return Cited(behind=((),) * len(rows), note=_UNCITED.format(why=why))
        cited = citations(details)
        ends = {str(d.id): {d.start_name, d.end_name} for d in details}
        behind = [_by_names(row, cited, ends) for row in rows]
        if len(by_row) == len(rows):
            for at, (row, own) in enumerate(zip(rows, by_row, strict=True)):
                named = set().union(*(ends.get(i, set()) for i in own))
                if named & _cells(row) or len(rows) == 1:  # equal keys of an order may change places
                    behind[at] = tuple(c.number for c in cited if str(c.statement) in own)
        return Cited(details, cited, tuple(behind), _note(len(details), len(found)) if rows else "")

    def _matched(self, question: Question, written: Written) -> list[tuple[str, ...]]:
        """Ids of the statements of each row that the query's patterns match; may raise ``QueryError``."""
        limits = Limits(question.limit, question.timeout)
        query = self.gate.matched(
            written.query, written.parameters or {}, scope=question.scope, limits=limits
        )
        if isinstance(query, Findings):
            raise QueryRefusedError("; ".join(f.message for f in query.items), findings=query.items)
        found = self.run(query)
        at = found.columns.index(EDGE_IDS)
        cells = (row[at] for row in found.rows)
        return [tuple(str(i) for i in (c if isinstance(c, tuple) else ()) if i) for c in cells]


def _note(read: int, found: int) -> str:
    """What is not cited of so many statements."""
    if not read:
        return _NO_STATEMENT
    return _SOME_CITED.format(read=read, found=found) if read < found else ""


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
