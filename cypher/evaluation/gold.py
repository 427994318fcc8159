"""The right answer of a case: its rows, and the nodes behind them, from its own query where it has one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from cypher.evaluation.queries import jaccard
from schemas.errors import QueryError
from schemas.evaluation import EvaluationCase
from schemas.findings import Repair
from schemas.questions import Parameter, Value


@dataclass(frozen=True, slots=True)
class GoldRows:
    """The rows of a right query, with what the gate had to change in it."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Value, ...], ...]
    repairs: tuple[Repair, ...] = ()


class GoldSource(Protocol):
    """Runs a reading query that people wrote; raises a ``QueryError`` for one that gives no result."""

    def rows(self, text: str, parameters: Mapping[str, Parameter]) -> GoldRows:
        """All rows, in their order."""
        ...

    def matched(self, text: str, parameters: Mapping[str, Parameter]) -> frozenset[str] | None:
        """Ids of the nodes that a query matches; ``None`` where they are too many."""
        ...


@dataclass(frozen=True, slots=True)
class Gold:
    """What is right for one case."""

    rows: tuple[tuple[Value, ...], ...] = ()
    repairs: tuple[Repair, ...] = ()
    problem: str = ""
    """Why the case's own query gave no rows; empty where it did or was not needed."""


def gold_of(case: EvaluationCase, source: GoldSource) -> Gold:
    """The right rows, those of the file first; a query that gives none is a problem of the file."""
    if case.rows is not None or not case.cypher:
        return Gold(case.rows or ())
    try:
        found = source.rows(case.cypher, case.parameters)
    except QueryError as e:
        return Gold(problem=str(e))
    return Gold(found.rows, found.repairs)


def overlap(
    case: EvaluationCase, query: str, given: Mapping[str, Parameter], source: GoldSource
) -> float | None:
    """Provenance subgraph Jaccard similarity over nodes (CypherBench, arXiv:2412.18702).

    ``None`` where either query's nodes cannot be told: refused, too slow, or too many.
    """
    try:
        right = source.matched(case.cypher, case.parameters)
        found = source.matched(query, given)
    except QueryError:
        return None
    return None if right is None or found is None else jaccard(found, right)
