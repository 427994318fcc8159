"""Questions through the whole service, as ``kg ask --store`` asks them, beside rows of gold queries."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from benchmarks.executed import Cells, equal_rows, execute, same_in_common_columns
from benchmarks.harness import Recorder
from cypher.examples import UNKNOWN, Known
from cypher.semantics.softened import Thesaurus
from cypher.semantics.values import StoredValue
from cypher.store_service import Looks, StoreQuestionService
from kg.adapters.neo4j_connection import Connection
from kg.adapters.neo4j_runner import Neo4jRunner, Shown
from kg.adapters.neo4j_ties import read_ties
from schemas.questions import Answer, Outcome, Question
from schemas.store_schema import StoreSchema

LIMIT: Final = 1_000
"""Rows of an answer: the most that may be asked for."""
SECONDS: Final = 2.0
"""For the looks that choose between near readings, so that a busy machine does not change the figures."""
TIMEOUT: Final = 30.0
"""Seconds of a question."""
GIVEN: Final = frozenset({Outcome.ANSWERED, Outcome.EMPTY_BUT_VALID})
"""Outcomes that tell something about the graph."""


@dataclass(frozen=True, slots=True)
class Served:
    """What became of one question; ``exact`` and ``columns`` are of what was answered alone."""

    answered: bool
    exact: bool = False
    """Equal multisets of rows, no value changed (plain ``metrics.rows_equal``)."""
    columns: bool = False
    """Equal sets of rows but for columns that only one of the two has, things shown by name."""


def compared(answer: Answer, gold: Cells, shown: Cells) -> Served:
    """An answer beside the rows of a gold query, as the server gives them and as the service shows them."""
    if answer.outcome not in GIVEN:
        return Served(answered=False)
    found = Cells(answer.rows)
    return Served(True, equal_rows(found, gold), same_in_common_columns(found, shown))


class Service:
    """The service on one graph, of which it knows what it reads there, and its thesaurus."""

    def __init__(
        self,
        connection: Connection,
        schema: StoreSchema,
        values: Sequence[StoredValue],
        thesaurus: Thesaurus | None,
        known: Known = UNKNOWN,
    ) -> None:
        looks = Looks(SECONDS, ties=read_ties(connection, schema))
        self._connection, self._shown = connection, Shown(schema)
        self._service = StoreQuestionService(
            schema, values, Neo4jRunner(connection), known=known, looks=looks, thesaurus=thesaurus
        )

    def served(self, question: str, query: str, gold: Cells) -> Served:
        """One question beside its gold query, whose rows are ``gold``."""
        answer = self._service.ask(Question(text=question, limit=LIMIT, timeout=TIMEOUT))
        shown = execute(self._connection, query, cell=self._shown.value)
        return compared(answer, gold, gold if shown is None else shown)


def report_served(record: Recorder, name: str, served: Sequence[Served], note: str) -> None:
    """Coverage, right answers among all that was asked, and among what was answered."""
    given = [s for s in served if s.answered]
    figures = (("exact", [s.exact for s in given]), ("columns", [s.columns for s in given]))
    told = {
        "exact": "multisets of rows, no value changed",
        "columns": "sets of rows but for columns that only one has, things by name",
    }
    beside = f"n={len(served)}, {note}, through the whole service, at most {LIMIT} rows"
    record.add(f"served_coverage_{name}", 100 * len(given) / len(served), "%", note=beside)
    for kind, right in figures:
        record.add(f"served_{kind}_{name}", 100 * sum(right) / len(served), "%", note=f"of all; {told[kind]}")
        if right:
            share = 100 * statistics.fmean(right)
            beside = f"of {len(given)} answered; {told[kind]}"
            record.add(f"served_{kind}_precision_{name}", share, "%", note=beside)
