"""No page of another site asks on behalf of whoever looks at it: that would spend the budget of a chat model.

What browsers tell: https://www.w3.org/TR/fetch-metadata/ (to loopback and https) and the header ``Origin``.
"""

from __future__ import annotations

from fastapi import Depends, HTTPException, Request

from api.deps import PlatformDep
from api.hosts import host_of

_OWN = frozenset({"same-origin", "none"})
"""Asked for by a page of this server, or by the user, in the address bar for example."""


async def require_own_site(request: Request, platform: PlatformDep) -> None:
    """403 for what a page of another site asks for, unless ``api.hosts`` names its host."""
    headers = request.headers
    site, origin = headers.get("sec-fetch-site", ""), headers.get("origin", "")
    if is_own(site, origin, headers.get("host", "")):
        return
    if (place := _place(origin)) and host_of(place) in platform.workspace.settings.api.hosts:
        return
    raise HTTPException(
        403,
        f"expected a request of this server's own pages, found one of {origin or 'another site'}; if that is "
        "one of yours, name its host in api.hosts of kg.toml",
    )


def is_own(site: str, origin: str, host: str) -> bool:
    """Whether ``Sec-Fetch-Site`` and ``Origin`` are those of a page of this ``host``; programs send neither.

    >>> is_own("", "", "localhost:8000"), is_own("", "http://localhost:8000", "localhost:8000")
    (True, True)
    >>> is_own("cross-site", "", "localhost:8000"), is_own("", "http://localhost:3000", "localhost:8000")
    (False, False)
    """
    return site in _OWN or (not site and (not origin or _place(origin) == host.lower()))


def _place(origin: str) -> str:
    """Host and port; empty of an origin that is none."""
    return origin.lower().partition("://")[2]


OwnSite = Depends(require_own_site)
"""Of a route that asks, or that changes what is kept."""
