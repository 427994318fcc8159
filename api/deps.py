"""What a route needs, as annotated types; none of it takes a thread, since all may be waiting."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Request

from api.busy import Busy
from kg.wiring import Platform


async def current_platform(request: Request) -> Platform:
    """The platform that the app was made with."""
    opened: Platform = request.app.state.platform
    return opened


async def current_busy(request: Request) -> Busy:
    """The app's limit on questions at once."""
    busy: Busy = request.app.state.busy
    return busy


BusyDep = Annotated[Busy, Depends(current_busy)]
"""Lets a route wait for its turn."""
PlatformDep = Annotated[Platform, Depends(current_platform)]
