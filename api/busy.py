"""A limit on questions and queries that are answered at once: more would make each other late."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from fastapi import HTTPException

from schemas.errors import WorkspaceError

log = logging.getLogger(__name__)

MOST = 20
"""Half of the threads that all requests share (Starlette has 40), whatever the cores."""


def turns(cores: int) -> int:
    """Turns at once: the graph's server and this one share the cores, and both wait now and then.

    >>> turns(1), turns(8), turns(128)
    (4, 16, 20)
    """
    return min(MOST, max(4, 2 * cores))


CONCURRENT = turns(os.cpu_count() or 1)
WAIT = 10.0
"""Seconds that a question or query waits for its turn."""


class Busy:
    """Lets ``concurrent`` of them in; another one waits at most ``wait`` seconds, then is told 429.

    ``count`` is then called with ``what`` there was too much of.
    """

    def __init__(
        self,
        *,
        concurrent: int = CONCURRENT,
        wait: float = WAIT,
        what: str = "question or query",
        count: Callable[[str], object] | None = None,
    ) -> None:
        self._slots, self._wait, self._what = asyncio.Semaphore(concurrent), wait, what
        self._count = count

    async def enter(self) -> Callable[[], None]:
        """Wait for a turn; call what is returned when the turn is over (again does nothing)."""
        try:
            await asyncio.wait_for(self._slots.acquire(), self._wait)
        except TimeoutError as e:
            await self._counted()
            said = f"the server is busy: no {self._what} ended within {self._wait:g} s. Ask again."
            raise HTTPException(429, said, headers={"retry-after": "1"}) from e
        held = [True]

        def leave() -> None:
            if held:
                held.clear()
                self._slots.release()

        return leave

    async def _counted(self) -> None:
        if self._count is None:
            return
        try:
            await asyncio.to_thread(self._count, self._what)
        except WorkspaceError as e:
            log.warning("a reply that the server is busy was not counted: %s", e)

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """A turn for as long as the block lasts."""
        leave = await self.enter()
        try:
            yield
        finally:
            leave()
