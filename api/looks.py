"""Looks into the graph that are no questions: few at a time and in bounded time, to hold up no question."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from typing import TypeVar

from fastapi import Request

from api.busy import Busy
from api.leaving import while_wanted
from kg.stopping import within
from kg.store_services import StoreServices
from kg.wiring import Platform

T = TypeVar("T")
MOST_LOOKS = 8
"""With the most questions at once fewer than the threads that all requests share (Starlette has 40)."""
LOOK_SECONDS = 10.0
"""For all reads of one look, as a question has unless it says otherwise."""


async def looked(
    request: Request, platform: Platform, look: Callable[[StoreServices], T], *, prepares: bool = False
) -> T:
    """What ``look`` finds; 429 where too many look, and looks of those who have gone are ended.

    One that ``prepares`` what questions need may take as much longer as the first question may.
    """

    def run() -> T:
        with ExitStack() as held:
            with within(LOOK_SECONDS):
                services = held.enter_context(platform.services_held())
            with services.within(LOOK_SECONDS) if prepares else within(LOOK_SECONDS):
                return look(services)

    looks: Busy = request.app.state.looks
    async with looks.turn():
        return await while_wanted(request, run)
