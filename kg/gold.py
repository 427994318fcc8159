"""Right queries of a question file: through the same gate as every other query, then to the store."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from cypher.evaluation.gold import GoldRows
from cypher.gate.hiding import revealed
from cypher.gate.similarity import Inputs
from cypher.guard import MAX_ROWS, check_plan, report_on
from kg.provenance import provenance_of
from schemas.errors import QueryRefusedError
from schemas.ports import QueryRunner
from schemas.questions import Parameter
from schemas.store_schema import StoreSchema

ROW_CAP = MAX_ROWS - 1
"""Most rows of a gold query; one with more is refused, because a comparison would then be of parts."""


class GoldQueries:
    """``GoldSource``: what runs is the gate's printed tree, in a READ transaction, once its plan was seen.

    What the gate, the server's plan or the number of rows speaks against raises ``QueryRefusedError``.
    """

    def __init__(
        self,
        runner: QueryRunner,
        schema: StoreSchema,
        *,
        timeout: float,
        embed: Callable[[Sequence[str]], NDArray[np.float32]] | None = None,
    ) -> None:
        """``timeout`` is in seconds; without ``embed`` a query with ``similarity()`` is refused."""
        self._runner, self._schema = runner, schema
        self._timeout, self._embed = timeout, embed

    def rows(self, text: str, parameters: Mapping[str, Parameter]) -> GoldRows:
        """All rows, and what the gate repaired."""
        report = report_on(
            text,
            self._schema,
            row_cap=MAX_ROWS,
            timeout=self._timeout,
            parameters=Inputs(parameters, self._embed),
        )
        if report.query is None:
            lines = [f"{f.message} [{f.code}]" for f in report.findings]
            raise QueryRefusedError("; ".join(lines), query=text, findings=report.findings)
        check_plan(self._runner.explain(report.query))
        found = self._runner.run(report.query)
        if found.truncated:
            raise QueryRefusedError(
                f"expected a gold query of at most {ROW_CAP:,} rows, found more", query=text
            )
        return GoldRows(found.columns, found.rows, report.repairs)

    def matched(self, text: str, parameters: Mapping[str, Parameter]) -> frozenset[str] | None:
        """Element ids of the nodes that the patterns match; ``None`` where there are more than can be read.

        ``text`` may be one that the gate printed.
        """
        found = provenance_of(
            revealed(text, self._schema.hidden_labels),
            self._schema,
            self._runner,
            timeout=self._timeout,
            inputs=Inputs(parameters, self._embed),
        )
        return None if found.truncated else frozenset(n.element for n in found.nodes)
