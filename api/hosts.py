"""No page of another site reaches a server on loopback by a name of its own: DNS rebinding is refused."""

from __future__ import annotations

import ipaddress
from collections.abc import Callable, Collection
from http import HTTPStatus

from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from api.problems import problem


class HostCheck:
    """ASGI middleware: 421 for a request that came over loopback and is addressed to an unknown name.

    A browser that was led to believe that ``evil.example`` is 127.0.0.1 sends that name as ``Host``.
    Addresses, ``localhost`` and the ``known`` names pass; a server on another address is asked by any name.
    """

    def __init__(self, app: ASGIApp, *, known: Callable[[], Collection[str]]) -> None:
        self._app, self._known = app, known

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and _is_loopback((scope.get("server") or ("",))[0]):
            request = Request(scope)
            name = request.headers.get("host", "")
            if not is_own(name) and host_of(name) not in self._known():
                said = (
                    "expected an address, localhost or a name in api.hosts of kg.toml as Host, "
                    f"found {name!r}; name it there if it is a proxy's"
                )
                await problem(request, HTTPStatus.MISDIRECTED_REQUEST, said)(scope, receive, send)
                return
        await self._app(scope, receive, send)


def host_of(header: str) -> str:
    """The name in a ``Host`` header, without its port, in lower case.

    >>> host_of("Graph.Example:8000"), host_of("[::1]:80")
    ('graph.example', '[::1]')
    """
    name, colon, port = header.rpartition(":")
    return (name if colon and port.isdigit() else header).lower()


def is_own(header: str) -> bool:
    """Whether a ``Host`` header is an address or localhost, which no other site can be called.

    >>> [is_own(x) for x in ("127.0.0.1:8000", "[::1]:8000", "localhost", "evil.example:8000", "")]
    [True, True, True, False, False]
    """
    name = host_of(header)
    return name == "localhost" or name.endswith(".localhost") or _address(name.strip("[]")) is not None


def _address(name: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(name)
    except ValueError:
        return None


def _is_loopback(name: str) -> bool:
    address = _address(name)
    return address is not None and address.is_loopback
