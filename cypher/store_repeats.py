"""Counts of a store that would be others by relationships: who won one award twice won one award, or two."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from cypher.semantics.ir import Head, Measure, Measured, PropertyRef, Query
from cypher.semantics.reader import SemanticReader
from cypher.semantics.weighing import AnswerProbe, Row

_DEEDS: Final = PropertyRef(0, "", on_edge=True)
_MOST_TOLD: Final = 3
_MOST_ROWS: Final = 500
"""Rows of an answer that are compared; of more it is not looked at."""


def counted_otherwise(
    query: Query, rows: Sequence[Row], reader: SemanticReader, probe: AnswerProbe, *, seconds: float
) -> str:
    """What a count would be by relationships, where several lead to the same thing; else nothing.

    Of counts of each, and of the most, the first few that differ are told. ``rows`` are all of the answer.
    """
    deeds = _by_deeds(query) if len(rows) <= _MOST_ROWS and seconds else None
    found = probe.rows(reader.write(deeds), most=_MOST_ROWS, timeout=seconds) if deeds is not None else None
    other = _other(query, rows, found or ())
    if not other:
        return ""
    kinds = "/".join(query.edges[0].types)
    said = ", ".join(" ".join(str(cell) for cell in row) for row in other[:_MOST_TOLD])
    more = " and others" if len(other) > _MOST_TOLD else ""
    return f"Each is counted once, though some have {kinds} more than once: by that it would be {said}{more}."


def _by_deeds(query: Query) -> Query | None:
    """The query with relationships counted in place of what they lead to, where each counts one thing."""
    plain = [e for e in query.edges if not (e.negated or e.optional)]
    if len(query.edges) != 1 or not plain or query.clauses or len(query.nodes) != 2:
        return None
    order, having = query.order, query.having
    if query.head is Head.COUNT and query.measured is None and having is None:
        return replace(query, measure=Measure.COUNT, measured=_DEEDS)
    if query.head is Head.LIST and having is not None and having.edge is None and order is None:
        return replace(query, having=replace(having, edge=0))
    if query.head is Head.LIST and having is None and order is not None and order.count_of is not None:
        return replace(query, order=replace(order, count_edge=0)) if order.count_edge is None else None
    counts = [Measured(Measure.COUNT, PropertyRef(query.answer, ""))]
    if query.head is Head.GROUP and list(query.measures) == counts and _of_the_other_end(query):
        return replace(query, measures=(Measured(Measure.COUNT, _DEEDS),))
    return None


def _of_the_other_end(query: Query) -> bool:
    """Whether it is counted for each thing that the relationship leads to, not for each value."""
    return len(query.keys) == 1 and not query.keys[0].on_edge and query.keys[0].owner != query.answer


def _other(query: Query, rows: Sequence[Row], found: Sequence[Row]) -> Sequence[Row]:
    """What is there by relationships and not in the answer; of a ranking, where its best is another."""
    known = set(map(_plain, rows))
    if query.order is not None and found and _plain(found[0]) in known:
        return ()
    return [row for row in found if _plain(row) not in known]


def _plain(row: Row) -> tuple[str, ...]:
    return tuple(str(cell) for cell in row)
