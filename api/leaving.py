"""Work in a thread that ends when its client goes away."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from threading import Event
from typing import TypeVar

from fastapi import Request
from fastapi.concurrency import run_in_threadpool

from kg.stopping import stoppable

T = TypeVar("T")
POLL_SECONDS = 0.2


async def while_wanted(request: Request, work: Callable[[], T]) -> T:
    """What ``work`` gives, in a thread; once the client has gone its reads of the store are ended."""
    gone = Event()

    def run() -> T:
        with stoppable(gone.is_set):
            return work()

    running = asyncio.ensure_future(run_in_threadpool(run))
    try:
        while not (await asyncio.wait({running}, timeout=POLL_SECONDS))[0]:
            if await request.is_disconnected():
                gone.set()
        return await running
    finally:
        gone.set()
