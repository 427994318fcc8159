"""HTTP for a server that is not trusted: limits on the bytes of a reply and the time of an exchange.

The client library limits the wait for each piece of a reply; a server that sends a byte now and then, or
never ends, would hold it forever. Here every read counts against both limits, those of the headers included.
"""

from __future__ import annotations

import ssl
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any
from urllib.request import getproxies, proxy_bypass

import httpcore2
import httpx2

_CONNECTIONS = 128
_KEEP_SECONDS = 60.0


class ReplyTooLargeError(httpx2.TransportError):
    """The reply has more bytes than allowed, or is compressed although that was not asked for."""


@dataclass(slots=True)
class _Exchange:
    """What is left for the exchange that goes on in this thread."""

    ends: float
    room: int
    allowed: int

    def seconds(self, timeout: float | None, error: type[httpcore2.TimeoutException]) -> float:
        """Seconds that the next step may take."""
        left = self.ends - time.monotonic()
        if left <= 0:
            raise error("the exchange took longer than allowed")
        return left if timeout is None else min(timeout, left)

    def take(self, data: bytes) -> bytes:
        self.room -= len(data)
        if self.room < 0:
            raise ReplyTooLargeError(f"the reply has more than {self.allowed} bytes")
        return data


_exchange: ContextVar[_Exchange] = ContextVar("_exchange")


@contextmanager
def bounded(*, seconds: float, size: int) -> Iterator[None]:
    """Requests in the block, on this thread, end within ``seconds`` and bring at most ``size`` bytes."""
    token = _exchange.set(_Exchange(time.monotonic() + seconds, size, size))
    try:
        yield
    finally:
        _exchange.reset(token)


class _Stream(httpcore2.NetworkStream):
    def __init__(self, inner: httpcore2.NetworkStream) -> None:
        self._inner = inner

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        exchange = _exchange.get()
        return exchange.take(self._inner.read(max_bytes, exchange.seconds(timeout, httpcore2.ReadTimeout)))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._inner.write(buffer, _exchange.get().seconds(timeout, httpcore2.WriteTimeout))

    def close(self) -> None:
        self._inner.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore2.NetworkStream:
        seconds = _exchange.get().seconds(timeout, httpcore2.ConnectTimeout)
        return _Stream(self._inner.start_tls(ssl_context, server_hostname, seconds))

    def get_extra_info(self, info: str) -> Any:
        return self._inner.get_extra_info(info)


class _Backend(httpcore2.SyncBackend):
    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore2.NetworkStream:
        seconds = _exchange.get().seconds(timeout, httpcore2.ConnectTimeout)
        return _Stream(super().connect_tcp(host, port, seconds, local_address, socket_options))


class BoundedTransport(httpx2.BaseTransport):
    """Sends the requests of an ``httpx2.Client`` within :func:`bounded` blocks.

    ``host`` decides on the proxy of the process environment; ``direct`` uses none.
    """

    def __init__(self, scheme: str, host: str, *, direct: bool) -> None:
        proxy = "" if direct or proxy_bypass(host) else getproxies().get(scheme, "")
        self._pool = httpcore2.ConnectionPool(
            ssl_context=httpx2.create_ssl_context() if scheme == "https" else None,
            proxy=httpcore2.Proxy(proxy) if proxy else None,
            max_connections=_CONNECTIONS,
            keepalive_expiry=_KEEP_SECONDS,
            network_backend=_Backend(),
        )

    def close(self) -> None:
        """Close all connections."""
        self._pool.close()

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        """The whole response; errors are those of httpx2."""
        url = request.url
        sent = httpcore2.Request(
            request.method,
            httpcore2.URL(scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path),
            headers=request.headers.raw,
            content=request.read(),
            extensions=request.extensions,
        )
        try:
            got = self._pool.handle_request(sent)
            try:
                content = got.read()
            finally:
                got.close()
        except (httpcore2.TimeoutException, httpcore2.NetworkError, httpcore2.ProtocolError) as e:
            raise getattr(httpx2, type(e).__name__, httpx2.TransportError)(str(e)) from e
        except httpcore2.ProxyError as e:
            raise httpx2.ProxyError(str(e)) from e
        response = httpx2.Response(got.status, headers=got.headers, stream=httpx2.ByteStream(content))
        if response.headers.get("content-encoding", "identity") != "identity":
            raise ReplyTooLargeError("the reply is compressed, so its size is unknown")
        return response
