"""How long to wait before a chat request is tried again."""

from __future__ import annotations

import time
from collections.abc import Callable
from email.utils import parsedate_to_datetime

FIRST_DELAY = 0.5
"""Seconds before the first retry; doubles each time."""
LONGEST_DELAY = 30.0
LONGEST_RETRY_AFTER = 120.0
"""Seconds that a server may ask to wait; what it asks beyond is not waited for."""
_SPREAD = 0.1
"""Share that is added to what a server asks for, so that not all come back at once."""


def retry_after(header: str, *, now: Callable[[], float] = time.time) -> float | None:
    """Seconds that a ``Retry-After`` header asks for (RFC 9110, seconds or date); None when there is none.

    >>> retry_after("7"), retry_after("soon")
    (7.0, None)
    >>> retry_after("Thu, 01 Jan 1970 00:01:00 GMT", now=lambda: 48.0)
    12.0
    """
    try:
        seconds = float(header)
    except ValueError:
        pass
    else:
        return max(0.0, seconds) if seconds == seconds else None  # noqa: PLR0124 - not a number
    try:
        return max(0.0, parsedate_to_datetime(header).timestamp() - now())
    except (ValueError, OverflowError):
        return None


def delay(attempt: int, asked: float | None, seed: str) -> float:
    """Seconds to wait before the retry after ``attempt`` (from 0), spread by the hexadecimal ``seed``.

    What the server asked for and up to a tenth more, else doubling with ±25 %.

    >>> 0.375 <= delay(0, None, "00c0ffee") <= 0.625, 7.0 <= delay(0, 7.0, "00c0ffee") <= 7.7
    (True, True)
    """
    share = int(seed[:8], 16) / 0xFFFFFFFF
    if asked is not None:
        return min(asked, LONGEST_RETRY_AFTER) * (1.0 + _SPREAD * share)
    return min(LONGEST_DELAY, FIRST_DELAY * 2.0**attempt) * (0.75 + 0.5 * share)
