"""Waiting for a turn with a chat model, as long as somebody wants the reply: what is not sent is not paid."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from schemas.errors import TransientServiceError

LOOK_AGAIN = 0.1
"""Seconds after which whoever waits looks whether the reply is still wanted."""


def require_wanted(gone: Callable[[], bool]) -> None:
    """Raise ``TransientServiceError`` once nobody waits for the reply."""
    if gone():
        raise TransientServiceError("nobody waits for the reply any more, so the model was not asked")


def waited(ready: Callable[[float], bool], gone: Callable[[], bool]) -> None:
    """Return once ``ready``, which may take the seconds that it is given, says so; raise once ``gone``."""
    while not ready(LOOK_AGAIN):
        require_wanted(gone)


@contextmanager
def slot(slots: threading.Semaphore, gone: Callable[[], bool]) -> Iterator[None]:
    """One of the ``slots`` for the block, which is not begun once ``gone``."""
    waited(lambda seconds: slots.acquire(timeout=seconds), gone)
    try:
        require_wanted(gone)
        yield
    finally:
        slots.release()
