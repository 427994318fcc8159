"""Which values are days as ``yyyy-mm-dd``, and which numbers are years."""

from __future__ import annotations

import re
from typing import Final, TypeGuard

from cypher.semantics.ir import Literal

MOST_YEAR: Final = 3000
"""Numbers up to this are years where a day is compared with them."""
_ISO = re.compile(r"\d{4}-\d\d-\d\d")

Value = Literal | tuple[Literal, ...] | None


def is_iso(value: Value) -> bool:
    """Whether a value is a day.

    >>> is_iso("1999-05-03"), is_iso("3/05/1999")
    (True, False)
    """
    return isinstance(value, str) and _ISO.fullmatch(value) is not None


def is_year(value: Value) -> TypeGuard[int]:
    """Whether a value may be a year."""
    return isinstance(value, int) and MOST_YEAR > value > 0
