"""No request body larger than the API can need: refused before it is read into memory."""

from __future__ import annotations

from http import HTTPStatus

from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api.problems import problem

LARGEST_BODY = 1_000_000
"""Bytes; the longest question takes 8 kB."""


class BodyLimit:
    """ASGI middleware: 413 for a body over ``limit`` bytes, whether its length was announced or not."""

    def __init__(self, app: ASGIApp, *, limit: int = LARGEST_BODY) -> None:
        self._app, self._limit = app, limit

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        body = await self._body(scope, receive)
        if body is None:
            said = f"expected a body of at most {self._limit} bytes, found more; send a shorter one"
            reply = problem(Request(scope), HTTPStatus.REQUEST_ENTITY_TOO_LARGE, said)
            await reply(scope, receive, send)
            return
        await self._app(scope, _replayed(body, receive), send)

    async def _body(self, scope: Scope, receive: Receive) -> list[Message] | None:
        """The messages of the body; None as soon as it is too large."""
        announced = next((v for k, v in scope["headers"] if k == b"content-length"), b"0")
        if announced.isdigit() and int(announced) > self._limit:
            return None
        messages: list[Message] = []
        size = 0
        while True:
            message = await receive()
            messages.append(message)
            size += len(message.get("body", b""))
            if size > self._limit:
                return None
            if message["type"] != "http.request" or not message.get("more_body", False):
                return messages


def _replayed(messages: list[Message], receive: Receive) -> Receive:
    """``messages`` once more, then what ``receive`` says (a disconnect)."""
    waiting = list(reversed(messages))

    async def replay() -> Message:
        return waiting.pop() if waiting else await receive()

    return replay
