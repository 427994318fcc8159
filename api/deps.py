"""What a route needs, as annotated types."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Request

from api.busy import Busy
from kg.wiring import Platform


def current_platform(request: Request) -> Platform:
    """The platform that the app was made with."""
    opened: Platform = request.app.state.platform
    return opened


def current_busy(request: Request) -> Busy:
    """The app's limit on questions at once."""
    busy: Busy = request.app.state.busy
    return busy


BusyDep = Annotated[Busy, Depends(current_busy)]
"""Lets a route wait for its turn."""
PlatformDep = Annotated[Platform, Depends(current_platform)]
