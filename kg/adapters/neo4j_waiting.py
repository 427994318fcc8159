"""Waits for a call of the driver for a bounded time: a server that is frozen does not even answer errors.

The server's own time limit ends slow queries, but a socket on which nothing comes is read for minutes. So the
call runs in a thread that is left behind when its time is over; its connection goes back to the driver's pool
when the server answers after all, and is closed by the driver where it never does. (Neo4j 5 manual, settings
``server.bolt.connection_keep_alive``: the server tells drivers after how long a silent connection is dead.)
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextvars import copy_context
from dataclasses import dataclass, field
from types import TracebackType
from typing import Final, Generic, Self, TypeVar

T = TypeVar("T")
GRACE_SECONDS: Final = 0.5
"""For the server's own answer that the time is over."""

LEFT_SECONDS: Final = 2.0
"""For a call to come to its end after it was interrupted."""


class NoAnswerError(Exception):
    """Nothing came in time; never leaves the adapters."""


@dataclass(slots=True)
class Ended(Generic[T]):
    """How a call ended, kept for the threads that wait; as a block it takes the error of the call."""

    values: list[T] = field(default_factory=list)
    error: BaseException | None = None
    event: threading.Event = field(default_factory=threading.Event)

    def result(self) -> T:
        """What the call gave or raises; to be asked once the event is set."""
        if self.error is not None:
            raise self.error
        return self.values[0]

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None
    ) -> bool:
        self.error = error
        self.event.set()
        return True


@dataclass(frozen=True, slots=True)
class Calls:
    """The calls of one driver that run, also those that nobody waits for any more. Thread-safe."""

    threads: set[threading.Thread] = field(default_factory=set)

    def left(self, seconds: float) -> int:
        """Waits for all of them, together at most so long; how many still run then."""
        until = time.monotonic() + seconds
        for thread in self._running():
            thread.join(max(0.0, until - time.monotonic()))
        return len(self._running())

    def _running(self) -> tuple[threading.Thread, ...]:
        return tuple(thread for thread in tuple(self.threads) if thread.is_alive())


def waited(
    call: Callable[[], T],
    seconds: float,
    *,
    name: str = "kg-read",
    interrupted: Callable[[], None] | None = None,
    calls: Calls | None = None,
) -> T:
    """What ``call`` gives or raises; ``NoAnswerError`` when neither comes within ``seconds``.

    On Ctrl-C and at the end of the process ``interrupted`` is called to end the call, whose thread is given a
    short time, so that nobody closes a connection that it still writes to. Until it ends it is in ``calls``.
    """
    ended: Ended[T] = Ended()
    running = (calls or Calls()).threads

    def run() -> None:
        try:
            with ended:
                ended.values.append(call())
        finally:
            running.discard(thread)

    thread = threading.Thread(target=copy_context().run, args=(run,), name=name, daemon=True)
    running.add(thread)
    try:
        thread.start()
        came = ended.event.wait(seconds)
    except (KeyboardInterrupt, SystemExit):
        if interrupted is not None:
            interrupted()
            ended.event.wait(LEFT_SECONDS)
        raise
    if not came:
        raise NoAnswerError
    return ended.result()
