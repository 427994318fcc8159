"""How long each stage of one question takes, told to whoever collects it in this thread."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from schemas.questions import StageTime

_spent: ContextVar[dict[str, float] | None] = ContextVar("stages", default=None)


@contextmanager
def collecting() -> Iterator[dict[str, float]]:
    """Milliseconds by stage of what runs in the block; an outer collection goes on afterwards.

    >>> with collecting() as spent:
    ...     with stage("link"):
    ...         pass
    >>> list(spent)
    ['link']
    """
    spent: dict[str, float] = {}
    token = _spent.set(spent)
    try:
        yield spent
    finally:
        _spent.reset(token)


@contextmanager
def stage(name: str) -> Iterator[None]:
    """Count the block as part of a stage; nothing is kept where nobody collects."""
    began = time.perf_counter()
    try:
        yield
    finally:
        spent = _spent.get()
        if spent is not None:
            spent[name] = spent.get(name, 0.0) + (time.perf_counter() - began) * 1000


def times(spent: dict[str, float]) -> tuple[StageTime, ...]:
    """The stages in the order in which they began."""
    return tuple(StageTime(name=name, ms=round(ms, 3)) for name, ms in spent.items())
