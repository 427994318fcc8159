"""Rows that were made for each unit, once they are in one unit: the best of all, the mean over all."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from cypher import form as f
from cypher.asked_unit import in_unit
from cypher.schema_graph import COLUMN, valued_relation
from cypher.table import Table
from schemas.graph_schema import GraphSchema
from schemas.questions import Value

_ERROR: Final = "total error"
_VALUE: Final = "value"
_COUNT: Final = "count"
_UNIT: Final = "unit"
MAIN: Final = "VALUE"
"""The column of a listing that has the quantity itself, as what stands in no table is, too."""
_APART: Final = (COLUMN, "limit", "confidence level", _UNIT)
"""Columns of a value whose values are never compared with each other."""


def most_precise(shown: Table, schema: GraphSchema) -> Table:
    """Of the rows of one quantity in one unit that with the smallest total error."""
    return _best(shown, schema, _ERROR, smallest=True)


def tightest(shown: Table, schema: GraphSchema, *, lower: bool) -> Table:
    """Of the limits on one quantity in one unit the lowest, or of lower limits the highest."""
    return _best(shown, schema, _VALUE, smallest=not lower)


def best_of_all(head: f.Head, shown: Table, schema: GraphSchema, *, one_unit: bool = False) -> Table:
    """The most precise value, or the tightest limit, of all rows whose units are those of one quantity.

    Each row is shown in the unit that it is given in. Where some unit cannot be changed into that of
    the first row, the best of each unit stay.
    """
    if not isinstance(head, f.Precise | f.Tightest):
        return shown
    units = {r[shown.columns.index(_UNIT)] for r in shown.rows} if _UNIT in shown.columns else set()
    compared = shown
    if not one_unit:
        if len(units) < 2 or not all(isinstance(u, str) for u in units):
            return shown
        compared, left = in_unit(shown, str(shown.rows[0][shown.columns.index(_UNIT)]))
        if left:
            return shown
    lower = isinstance(head, f.Tightest) and head.lower
    of_errors = isinstance(head, f.Precise)
    best = most_precise(compared, schema) if of_errors else tightest(compared, schema, lower=lower)
    if one_unit:
        return best
    kept = [i for i, ids in enumerate(shown.statements) if ids in best.statements]
    return replace(
        shown,
        rows=tuple(shown.rows[i] for i in kept),
        statements=tuple(shown.statements[i] for i in kept),
        replaced=tuple(shown.replaced[i] for i in kept),
    )


def one_mean(shown: Table, schema: GraphSchema, *, summed: bool = False) -> Table:
    """Means, or sums, of rows of one unit and column as one, by how many values each is made of."""
    if not {_VALUE, _COUNT, _UNIT} <= set(shown.columns):
        return shown
    value, count = shown.columns.index(_VALUE), shown.columns.index(_COUNT)

    def joined(places: Sequence[int]) -> list[tuple[int, tuple[Value, ...]]]:
        rows = [shown.rows[i] for i in places]
        numbers = [(r[value], r[count]) for r in rows]
        known = [(v, n) for v, n in numbers if isinstance(v, int | float) and isinstance(n, int)]
        if len(known) < 2 or len(known) < len(rows):
            return [(i, shown.rows[i]) for i in places]
        every = sum(n for _, n in known)
        total = sum(v if summed else v * n for v, n in known)
        first = list(rows[0])
        first[value], first[count] = float(f"{total if summed else total / every:.12g}"), every
        return [(places[0], tuple(first))]

    return _merged(shown, schema, joined)


def _best(shown: Table, schema: GraphSchema, by: str, *, smallest: bool) -> Table:
    if by not in shown.columns or _UNIT not in shown.columns:
        return shown
    at = shown.columns.index(by)

    def best(places: Sequence[int]) -> list[tuple[int, tuple[Value, ...]]]:
        sized = [(float(x), i) for i in places if isinstance(x := shown.rows[i][at], int | float)]
        if len(sized) < 2:
            return [(i, shown.rows[i]) for i in places]
        size = min(s for s, _ in sized) if smallest else max(s for s, _ in sized)
        return [(i, shown.rows[i]) for s, i in sized if s == size]

    return _merged(shown, schema, best)


def _quantities(shown: Table, schema: GraphSchema) -> tuple[str, ...]:
    """The column, if there is one, that says which quantity a value is of: what a valued statement leads to.

    It stands behind that of the other end, which may be of the same type.
    """
    valued = valued_relation(schema)
    types = [t.replace("_", " ") for t in valued.objects] if valued else []
    ends = {*types, *(f"other {t}" for t in types)}
    return tuple(c for c in shown.columns if c in ends)[-1:]


def _merged(
    shown: Table, schema: GraphSchema, made: Callable[[Sequence[int]], list[tuple[int, tuple[Value, ...]]]]
) -> Table:
    """The rows that are made of those of one unit and quantity; their statements are those of all of them."""
    kept_apart = {*_APART, *_quantities(shown, schema)}
    apart = [i for i, c in enumerate(shown.columns) if c in kept_apart]
    groups: dict[tuple[Value, ...], list[int]] = {}
    for i, row in enumerate(shown.rows):
        key = tuple(row[k] if row[k] is not None or shown.columns[k] != COLUMN else MAIN for k in apart)
        groups.setdefault(key, []).append(i)
    rows, statements, replaced = [], [], []
    for places in groups.values():
        found = made(places)
        joins = len(found) == 1 and found[0][1] not in shown.rows
        for i, row in found:
            rows.append(row)
            own = places if joins else [i]
            statements.append(tuple(s for k in own if shown.statements for s in shown.statements[k]))
            replaced.append(sum(shown.replaced[k] for k in own))
    told = tuple(statements) if shown.statements else ()
    return replace(shown, rows=tuple(rows), statements=told, replaced=tuple(replaced))
