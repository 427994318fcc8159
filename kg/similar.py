"""Runs a query that compares many nodes with a text by the vector index, until the search is complete.

The index returns the nearest nodes and nothing says whether more of them would count. So the last score is
compared with the threshold, and where it lies above it twice as many are asked for, up to ``MOST``. Where
the nearest themselves are asked for, twice as many must bring the same ones: a graph of neighbours can miss
even the node whose text is the one asked for. What the index cannot complete is scored exactly, and so is
all that is few enough.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from cypher.gate.cost import MAX_NEIGHBOURS
from cypher.guard import check_plan, check_text
from schemas.matched import VectorSearch
from schemas.ports import QueryRunner
from schemas.questions import CheckedQuery, GateReport, Parameter, PlanSummary, Subgraph
from schemas.store_schema import StoreSchema

MOST: Final = MAX_NEIGHBOURS
EXACT: Final = 30_000
"""Up to so many expected rows are scored exactly: about a second at 384 numbers a vector, and none is missed
(own choice; of 10,779 observables the index did not find the one that had just the name asked for)."""
_PROBE: Final = (
    "CALL db.index.vector.queryNodes($index, $neighbours, $vector) YIELD score "
    "RETURN count(*) AS number, min(score) AS least"
)
Run = Callable[[CheckedQuery], Subgraph]
Form = Callable[[int], GateReport]
"""The query that begins with so many neighbours, through the gate."""


@dataclass(frozen=True, slots=True)
class Reached:
    """How far a search came."""

    number: int
    least: float


@dataclass(frozen=True, slots=True)
class IndexSearch:
    """One search by the index."""

    runner: QueryRunner
    run: Run
    schema: StoreSchema
    form: Form

    def rows(self, search: VectorSearch, timeout: float) -> tuple[GateReport, Subgraph] | None:
        """The rows with what was run; ``None`` where the index cannot complete them."""
        if search.least is None:
            return self._nearest(search, timeout)
        for neighbours in steps(search.neighbours):
            reached = self._reached(search, neighbours, timeout)
            if reached.number < neighbours or reached.least < search.least:
                return self._found(neighbours)
        return None

    def _nearest(self, search: VectorSearch, timeout: float) -> tuple[GateReport, Subgraph] | None:
        """The nearest, as soon as twice as many neighbours bring no others."""
        known: tuple[GateReport, Subgraph] | None = None
        for neighbours in steps(search.neighbours):
            all_seen = self._reached(search, neighbours, timeout).number < neighbours
            report, found = self._found(neighbours)
            enough = len(found.rows) >= search.rows or found.truncated
            if all_seen and not enough:
                return None
            same = known is not None and set(map(repr, known[1].rows)) == set(map(repr, found.rows))
            if enough and (same or all_seen):
                return report, found
            known = (report, found) if enough else None
        return known

    def _found(self, neighbours: int) -> tuple[GateReport, Subgraph]:
        report = self.form(neighbours)
        assert report.query is not None
        check_plan(self.runner.explain(report.query))
        return report, self.run(report.query)

    def _reached(self, search: VectorSearch, neighbours: int, timeout: float) -> Reached:
        given: dict[str, Parameter] = {
            "index": search.index,
            "neighbours": neighbours,
            "vector": search.vector,
        }
        probe = check_text(_PROBE, self.schema, parameters=given, row_cap=2, timeout=timeout)
        check_plan(self.runner.explain(probe))
        ((number, least),) = self.run(probe).rows
        return Reached(
            int(number) if isinstance(number, int) else 0, float(least) if isinstance(least, float) else 0.0
        )


def steps(first: int) -> Iterator[int]:
    """Numbers of neighbours, each twice the one before, up to ``MOST``.

    >>> list(steps(600))
    [600, 1200, 2000]
    """
    neighbours = min(first, MOST)
    while neighbours < MOST:
        yield neighbours
        neighbours = min(2 * neighbours, MOST)
    yield MOST


def wants_index(report: GateReport, plan: PlanSummary) -> bool:
    """Whether so many nodes would be scored that the index is asked first, or the query asks for it."""
    return report.search is not None and (report.search.always or plan.most_rows > EXACT)
