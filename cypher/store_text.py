"""The rows of a store's answer in words."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from schemas.questions import Value

MAX_NAMED: Final = 6
_WHOLE: Final = 1e15
"""Floats below it tell every whole number apart."""
_LARGE: Final = 1e5
"""From here on two decimals are shown, so that no digit in front of the point is lost."""


def sentence(rows: Sequence[Sequence[Value]], *, truncated: bool) -> str:
    """The first rows, and how many more there are: at least so many, where not all were read.

    >>> sentence([("Ann", 77.44444444444444), ("Ben", None)], truncated=False)
    'Ann, 77.4444; Ben, not known.'
    >>> sentence([(True,)], truncated=False), sentence([(None,)], truncated=False)
    ('Yes.', 'The graph does not say.')
    >>> sentence([(f"BA{i}",) for i in range(8)], truncated=True)
    'BA0; BA1; BA2; BA3; BA4; BA5; and at least 3 more.'
    """
    if len(rows) == 1 and len(rows[0]) == 1 and not truncated:
        [[only]] = rows
        if only is None:
            return "The graph does not say."
        return f"{shown(only)[:1].upper()}{shown(only)[1:]}." if isinstance(only, bool) else f"{shown(only)}."
    named = "; ".join(", ".join(map(shown, row)) for row in rows[:MAX_NAMED])
    left = len(rows) - min(len(rows), MAX_NAMED) + truncated
    return f"{named}; and {'at least ' if truncated else ''}{left} more." if left else f"{named}."


def shown(value: Value) -> str:
    """One value for people; the rows keep it as it is.

    >>> shown(26.250000000000004), shown(1234567.891), shown(12.0), shown(False), shown(("a", "b"))
    ('26.25', '1234567.89', '12', 'no', 'a, b')
    """
    if value is None:
        return "not known"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return _rounded(value)
    return ", ".join(map(shown, value)) if isinstance(value, tuple | list) else str(value)


def _rounded(value: float) -> str:
    """About six digits."""
    if not math.isfinite(value) or abs(value) >= _WHOLE:
        return f"{value:.6g}"
    if value.is_integer():
        return str(int(value))
    return f"{value:.2f}".rstrip("0").rstrip(".") if abs(value) >= _LARGE else f"{value:.6g}"
