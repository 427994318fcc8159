"""Giving work up: who waits for a result says here how to ask whether it is still wanted."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

Stopped = Callable[[], bool]
"""Whether nobody waits for the result any more; asked from another thread, several times a second."""
_CURRENT: ContextVar[Stopped | None] = ContextVar("stopped", default=None)
_UNTIL: ContextVar[float | None] = ContextVar("until", default=None)


@contextmanager
def stoppable(stopped: Stopped) -> Iterator[None]:
    """All reads of the store in this block end on the server as soon as ``stopped`` says so."""
    before = _CURRENT.set(stopped)
    try:
        yield
    finally:
        _CURRENT.reset(before)


def stopped_here() -> Stopped | None:
    """How to ask, where somebody may go away."""
    return _CURRENT.get()


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """All reads of the store in this block, together, may take so long; a shorter limit around it holds."""
    until, around = time.monotonic() + seconds, _UNTIL.get()
    before = _UNTIL.set(until if around is None else min(until, around))
    try:
        yield
    finally:
        _UNTIL.reset(before)


def seconds_left() -> float | None:
    """Until the limit in force here; None without one, below 0 when it has passed."""
    until = _UNTIL.get()
    return None if until is None else until - time.monotonic()
