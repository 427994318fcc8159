"""HTTP for a server that is not trusted: limits on the bytes of a reply and the time of an exchange.

The client library limits the wait for each piece of a reply; a server that sends a byte now and then, or
never ends, would hold it forever. Here every read counts against both limits, those of the headers included.
"""

from __future__ import annotations

import ssl
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any
from urllib.request import getproxies, proxy_bypass

import httpcore2
import httpx2

_CONNECTIONS = 128
_KEEP_SECONDS = 60.0
LOOK_AGAIN = 0.1
"""Seconds after which a silent exchange looks whether anybody still waits."""


class ReplyTooLargeError(httpx2.TransportError):
    """The reply has more bytes than allowed, or is compressed although that was not asked for."""


class Exchange:
    """One request and its reply: ends within ``seconds``, brings at most ``size`` bytes.

    Once ``gone`` it ends with a read error, within ``LOOK_AGAIN`` seconds. With ``streamed`` the reply is
    read as it comes.
    """

    def __init__(
        self, *, seconds: float, size: int, gone: Callable[[], bool] | None = None, streamed: bool = False
    ) -> None:
        self.gone, self.streamed = gone, streamed
        self._ends, self._room, self._allowed = time.monotonic() + seconds, size, size

    @contextmanager
    def running(self) -> Iterator[None]:
        """What this thread sends and reads in the block belongs to the exchange."""
        token = _exchange.set(self)
        try:
            yield
        finally:
            _exchange.reset(token)

    def seconds(self, timeout: float | None, error: type[httpcore2.TimeoutException]) -> float:
        """Seconds that the next step may take."""
        left = self._ends - time.monotonic()
        if left <= 0:
            raise error("the exchange took longer than allowed")
        return left if timeout is None else min(timeout, left)

    def take(self, data: bytes) -> bytes:
        self._room -= len(data)
        if self._room < 0:
            raise ReplyTooLargeError(f"the reply has more than {self._allowed} bytes")
        return data


_exchange: ContextVar[Exchange] = ContextVar("_exchange")


class _Stream(httpcore2.NetworkStream):
    def __init__(self, inner: httpcore2.NetworkStream) -> None:
        self._inner = inner

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        exchange = _exchange.get()
        seconds = exchange.seconds(timeout, httpcore2.ReadTimeout)
        if exchange.gone is None:
            return exchange.take(self._inner.read(max_bytes, seconds))
        return exchange.take(self._while_wanted(max_bytes, seconds, exchange.gone))

    def _while_wanted(self, max_bytes: int, seconds: float, gone: Callable[[], bool]) -> bytes:
        """As ``read``, but somebody may stop waiting meanwhile."""
        ends = time.monotonic() + seconds
        while True:
            if gone():
                raise httpcore2.ReadError("nobody waits for the reply any more")
            left = ends - time.monotonic()
            try:
                return self._inner.read(max_bytes, max(min(left, LOOK_AGAIN), 0.001))
            except httpcore2.ReadTimeout:
                if left <= LOOK_AGAIN:
                    raise

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
    """Sends the requests of an ``httpx2.Client``, each within the ``running`` block of an :class:`Exchange`.

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
        """The response, read whole unless the exchange is streamed; errors are those of httpx2."""
        url = request.url
        sent = httpcore2.Request(
            request.method,
            httpcore2.URL(scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path),
            headers=request.headers.raw,
            content=request.read(),
            extensions=request.extensions,
        )
        with _as_httpx2():
            got = self._pool.handle_request(sent)
            body = _Body(got) if _exchange.get().streamed else httpx2.ByteStream(_whole(got))
        response = httpx2.Response(got.status, headers=got.headers, stream=body)
        if response.headers.get("content-encoding", "identity") != "identity":
            body.close()
            raise ReplyTooLargeError("the reply is compressed, so its size is unknown")
        return response


class _Body(httpx2.SyncByteStream):
    """The bytes of a reply as they come."""

    def __init__(self, got: httpcore2.Response) -> None:
        self._got = got

    def __iter__(self) -> Iterator[bytes]:
        with _as_httpx2():
            yield from self._got.iter_stream()

    def close(self) -> None:
        """Free the connection; one that is not read to its end is closed."""
        self._got.close()


def _whole(got: httpcore2.Response) -> bytes:
    try:
        return got.read()
    finally:
        got.close()


@contextmanager
def _as_httpx2() -> Iterator[None]:
    """The errors of the connection as those of the client."""
    try:
        yield
    except (httpcore2.TimeoutException, httpcore2.NetworkError, httpcore2.ProtocolError) as e:
        raise getattr(httpx2, type(e).__name__, httpx2.TransportError)(str(e)) from e
    except httpcore2.ProxyError as e:
        raise httpx2.ProxyError(str(e)) from e
