"""Waits for a call of the driver for a bounded time: a server that is frozen does not even answer errors.

The server's own time limit ends slow queries, but a socket on which nothing comes is read for minutes. So the
call runs in a thread that is left behind when its time is over; its connection goes back to the driver's pool
when the server answers after all, and is closed by the driver where it never does. (Neo4j 5 manual, settings
``server.bolt.connection_keep_alive``: the server tells drivers after how long a silent connection is dead.)
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextvars import copy_context
from dataclasses import dataclass, field
from typing import Final, Generic, TypeVar

T = TypeVar("T")
GRACE_SECONDS: Final = 0.5
"""For the server's own answer that the time is over."""


class NoAnswerError(Exception):
    """Nothing came in time; never leaves the adapters."""


@dataclass(slots=True)
class _Ended(Generic[T]):
    values: list[T] = field(default_factory=list)
    errors: list[BaseException] = field(default_factory=list)
    event: threading.Event = field(default_factory=threading.Event)


def waited(call: Callable[[], T], seconds: float, *, name: str = "kg-read") -> T:
    """What ``call`` gives or raises; ``NoAnswerError`` when neither comes within ``seconds``."""
    ended: _Ended[T] = _Ended()

    def run() -> None:
        try:
            ended.values.append(call())
        except BaseException as e:  # noqa: BLE001 - raised again by the thread that waits
            ended.errors.append(e)
        finally:
            ended.event.set()

    threading.Thread(target=copy_context().run, args=(run,), name=name, daemon=True).start()
    if not ended.event.wait(seconds):
        raise NoAnswerError
    if ended.errors:
        raise ended.errors[0]
    return ended.values[0]
