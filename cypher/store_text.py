"""The rows of a store's answer in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from schemas.questions import Value

MAX_NAMED: Final = 6


def sentence(rows: Sequence[Sequence[Value]], *, truncated: bool) -> str:
    """The first rows, and how many more there are: at least so many, where not all were read.

    >>> sentence([(f"BA{i}",) for i in range(8)], truncated=True)
    'BA0; BA1; BA2; BA3; BA4; BA5; and at least 3 more.'
    """
    named = "; ".join(", ".join(map(str, row)) for row in rows[:MAX_NAMED])
    left = len(rows) - min(len(rows), MAX_NAMED) + truncated
    return f"{named}; and {'at least ' if truncated else ''}{left} more." if left else f"{named}."
