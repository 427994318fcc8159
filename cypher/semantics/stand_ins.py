"""Numbers that stand for something else while a question is read; none of them is asked about."""

from __future__ import annotations

from typing import Final

ANY_YEAR: Final = 1584
"""Any year, behind a month: nothing that people ask for has so old a day."""
AVERAGE: Final = 987_654_321
"""The average of all."""
STAND_INS: Final = frozenset({ANY_YEAR, AVERAGE})
