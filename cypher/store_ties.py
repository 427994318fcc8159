"""Things that share a place in a ranking, and those that a ranking leaves out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from cypher.semantics.ir import Head, Query
from schemas.questions import Value

MOST: Final = 25
"""Rows behind those wanted that are looked at for ties."""
Rows = Sequence[tuple[Value, ...]]


def widened(query: Query) -> Query | None:
    """The query with more rows than are wanted, where they are ranked by a number that several may share."""
    order = query.order
    ranked = (
        order is not None and query.place == 1 and (order.count_of is not None or order.measure is not None)
    )
    return replace(query, limit=query.limit + MOST) if ranked and query.limit else None


def with_ties(rows: Rows, wanted: int, shown: int) -> tuple[Rows, str]:
    """The rows wanted, the last column being what they are ranked by, and what is to be said of ties.

    ``shown`` is how many rows the asker sees at most; rows beyond those read may share the place as well.

    >>> with_ties([("Ann", 4), ("Ben", 4), ("Cleo", 2)], 1, 25)
    ([('Ann', 4), ('Ben', 4)], '2 share the first place, which are all listed.')
    >>> with_ties([("Ann", 4), ("Ben", 4), ("Cleo", 4)], 1, 2)[1]
    'At least 3 share the first place, of which the first 2 are listed.'
    >>> with_ties([("Ann", 4), ("Ben", 2), ("Cleo", 2)], 2, 25)[1]
    'Others share the last place that is listed.'
    >>> with_ties([("Ann", 4), ("Ben", 2)], 1, 25)
    ([('Ann', 4)], '')
    """
    if len(rows) <= wanted or rows[wanted - 1][-1] != rows[wanted][-1]:
        return rows[:wanted], ""
    if wanted > 1:
        return rows[:wanted], "Others share the last place that is listed."
    best = [row for row in rows if row[-1] == rows[0][-1]]
    cut = len(rows) >= min(wanted + MOST, shown + 1)
    if (cut and len(best) == len(rows)) or len(best) > shown:
        listed = f"of which the first {min(shown, len(best))} are listed"
        return best, f"At least {len(best)} share the first place, {listed}."
    return best, f"{len(best)} share the first place, which are all listed."


def left_out(query: Query) -> str:
    """What a count of what things are tied to says nothing of: things tied to none."""
    if query.over is not None:
        return "Those with none do not count." if query.edges else ""
    order = query.order
    fewest = order is not None and order.count_of not in (None, query.answer) and not order.descending
    each = query.head is Head.GROUP and any(not k.name for k in query.keys) and bool(query.edges)
    if fewest:
        return "Those with none at all are left out."
    return "Those with none are not listed." if each else ""
