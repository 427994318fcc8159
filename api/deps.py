"""What a route needs, as annotated types."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Request

from kg.wiring import Platform


def current_platform(request: Request) -> Platform:
    """The platform that the app was made with."""
    opened: Platform = request.app.state.platform
    return opened


PlatformDep = Annotated[Platform, Depends(current_platform)]
