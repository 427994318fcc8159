"""Whether two results are the same: execution accuracy."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cmp_to_key
from typing import TypeVar

from schemas.questions import Scalar, Value

Row = Sequence[Value]
T = TypeVar("T")
REL_TOL = 1e-6
"""Numbers that agree to six digits are one number."""


def rows_equal(found: Sequence[Row], right: Sequence[Row], *, ordered: bool = False) -> bool:
    """Whether ``right`` is ``found`` after leaving out and reordering columns of ``found``.

    Rows are compared as a multiset, or as a list when ``ordered``. Columns have no names: a service may show
    more of an answer than was asked for, but it may not show another row, leave one out, or repeat one.

    >>> rows_equal([("a", 1), ("b", 2)], [("b",), ("a",)])
    True
    >>> rows_equal([("a",), ("b",)], [("a",)])
    False
    """
    if len(found) != len(right):
        return False
    if not right:
        return True
    width = len(right[0])
    if any(len(r) != width for r in right) or len({len(r) for r in found}) != 1:
        return False
    candidates = [_columns_like(found, [r[i] for r in right], ordered) for i in range(width)]
    return _assign(found, right, candidates, chosen=(), ordered=ordered)


def _columns_like(found: Sequence[Row], wanted: Sequence[Value], ordered: bool) -> list[int]:
    return [i for i in range(len(found[0])) if _same_values([r[i] for r in found], wanted, ordered=ordered)]


def _assign(
    found: Sequence[Row],
    right: Sequence[Row],
    candidates: Sequence[Sequence[int]],
    *,
    chosen: tuple[int, ...],
    ordered: bool,
) -> bool:
    """Backtracking over the columns; each column of ``found`` is used at most once."""
    if len(chosen) == len(candidates):
        shown = [tuple(row[i] for i in chosen) for row in found]
        return _same_rows(shown, right, ordered=ordered)
    return any(
        _assign(found, right, candidates, chosen=(*chosen, i), ordered=ordered)
        for i in candidates[len(chosen)]
        if i not in chosen
    )


def _same_rows(found: Sequence[Row], right: Sequence[Row], *, ordered: bool) -> bool:
    if not ordered:
        found, right = _sorted(found, _compare_rows), _sorted(right, _compare_rows)
    return all(_compare_rows(a, b) == 0 for a, b in zip(found, right, strict=True))


def _same_values(found: Sequence[Value], right: Sequence[Value], *, ordered: bool) -> bool:
    if not ordered:
        found, right = _sorted(found, _compare), _sorted(right, _compare)
    return all(_compare(a, b) == 0 for a, b in zip(found, right, strict=True))


def _sorted(items: Sequence[T], compare: Callable[[T, T], int]) -> list[T]:
    return sorted(items, key=cmp_to_key(compare))


def _compare_rows(a: Row, b: Row) -> int:
    return next((c for x, y in zip(a, b, strict=True) if (c := _compare(x, y))), 0)


def _compare(a: Value, b: Value) -> int:
    """An order over cells: by kind, then by value; a list is compared as the multiset of its items."""
    kinds = _kind(a), _kind(b)
    if kinds[0] != kinds[1]:
        return -1 if kinds[0] < kinds[1] else 1
    if isinstance(a, tuple) and isinstance(b, tuple):
        if len(a) != len(b):
            return -1 if len(a) < len(b) else 1
        pairs = zip(_sorted(a, _compare), _sorted(b, _compare), strict=True)
        return next((c for x, y in pairs if (c := _compare(x, y))), 0)
    return _compare_scalars(a, b)


def _kind(value: Value) -> int:
    if value is None:
        return 0
    if isinstance(value, bool):
        return 1
    if isinstance(value, int | float):
        return 2
    return 3 if isinstance(value, str) else 4


def _compare_scalars(a: Scalar | tuple[Scalar, ...], b: Scalar | tuple[Scalar, ...]) -> int:
    if isinstance(a, int | float) and isinstance(b, int | float):
        if math.isclose(a, b, rel_tol=REL_TOL):
            return 0
        return -1 if a < b else 1
    if isinstance(a, str) and isinstance(b, str):
        return (a > b) - (a < b)
    return 0
