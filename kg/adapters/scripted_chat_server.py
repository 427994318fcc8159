"""An OpenAI-compatible chat server on loopback that says what its script says: for tests and the demo."""

from __future__ import annotations

import json
import re
import sys
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Literal, Self, TypeAlias

from schemas.errors import ServerStartError, TransientServiceError

_LARGEST_BODY = 32 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class ScriptedRequest:
    """A request as it came over the wire."""

    path: str
    body: dict[str, Any]
    headers: dict[str, str] = field(repr=False)
    """Names in lower case."""

    @property
    def messages(self) -> tuple[tuple[str, str], ...]:
        """(role, content) of each message."""
        return tuple((str(m["role"]), str(m["content"])) for m in self.body.get("messages", ()))

    @property
    def format(self) -> str:
        """Type of ``response_format``; empty for prose."""
        return str(self.body.get("response_format", {}).get("type", ""))


@dataclass(frozen=True, slots=True)
class ScriptedReply:
    """What the server does with one request."""

    text: str = ""
    status: int = 200
    """For another status ``text`` is the error message."""
    finish_reason: str = "stop"
    delay: float = 0.0
    """Seconds from the request to the reply, those that the script takes included."""
    headers: tuple[tuple[str, str], ...] = ()
    drop: Literal["", "before", "midway"] = ""
    """Close the connection without a reply, or in the middle of it."""
    raw: str | None = None
    """The whole body, instead of a chat completion."""
    hold: Literal["", "head", "body", "endless"] = ""
    """Never end: drip one byte of the head or of the body every 20 ms, or send as fast as it is read."""
    prompt_tokens: int = 10
    completion_tokens: int = 5
    pause: float = 0.0
    """Seconds before each word of a reply that is asked for as a stream; ``drop`` ends it in its middle."""


Script: TypeAlias = Callable[[ScriptedRequest], ScriptedReply] | Sequence[ScriptedReply]


class ScriptedChatServer:
    """Serves ``POST /v1/chat/completions`` from a script while the ``with`` block lasts.

    ``script`` is a function of the request, called from one thread per connection, or replies that are
    given in order; a request after the last one is answered with status 400, which no client retries.
    ``requests`` holds all that came, ``answered`` those that were answered in full: what a provider
    would charge for.

    >>> with ScriptedChatServer([ScriptedReply("hello")]) as server:
    ...     server.base_url.startswith("http://127.0.0.1:")
    True
    """

    def __init__(self, script: Script, *, model: str = "scripted", port: int = 0) -> None:
        self.model = model
        self._script, self._port = script, port
        self._requests: list[ScriptedRequest] = []
        self._answered: list[ScriptedRequest] = []
        self._open = 0
        self._lock = threading.Condition()
        self.closing = threading.Event()
        self._server: ThreadingHTTPServer | None = None
        self._thread: threading.Thread | None = None

    def __enter__(self) -> Self:
        try:
            self._server = _Server(("127.0.0.1", self._port), _handler(self))
        except OSError as e:
            raise ServerStartError(
                f"cannot listen on 127.0.0.1:{self._port}: {e}; choose another port"
            ) from e
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None
    ) -> None:
        self.closing.set()
        if self._server is not None and self._thread is not None:
            self._server.shutdown()
            self._server.server_close()
            self._thread.join()

    @property
    def base_url(self) -> str:
        """``http://127.0.0.1:PORT/v1``; ``ServerStartError`` outside the ``with`` block."""
        if self._server is None:
            raise ServerStartError("the scripted chat server is not running; use it in a with block")
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    @property
    def requests(self) -> tuple[ScriptedRequest, ...]:
        """Everything asked so far, in order of arrival."""
        with self._lock:
            return tuple(self._requests)

    @property
    def answered(self) -> tuple[ScriptedRequest, ...]:
        """Requests whose reply was a completion and was written in full, in order of the replies."""
        with self._lock:
            return tuple(self._answered)

    def settle(self, *, timeout: float = 10.0) -> None:
        """Wait until no request is being answered any more."""
        with self._lock:
            if not self._lock.wait_for(lambda: self._open == 0, timeout):
                raise TransientServiceError(f"{self._open} requests are still open after {timeout:g} s")

    @property
    def left(self) -> int:
        """Requests that were not answered in full, so far: those who asked went away, or as scripted."""
        with self._lock:
            return len(self._requests) - len(self._answered) - self._open

    def finish(self, request: ScriptedRequest, *, written: bool) -> None:
        """The handler is done with the request; ``written`` when its completion went out in full."""
        with self._lock:
            self._open -= 1
            if written:
                self._answered.append(request)
            self._lock.notify_all()

    def answer(self, request: ScriptedRequest) -> ScriptedReply:
        """Record the request and decide on the reply, after its delay."""
        began = time.monotonic()
        with self._lock:
            self._open += 1
            self._requests.append(request)
            number = len(self._requests) - 1
        reply = self._decide(request, number)
        if reply.delay:
            self.closing.wait(max(0.0, reply.delay - (time.monotonic() - began)))
        return reply

    def _decide(self, request: ScriptedRequest, number: int) -> ScriptedReply:
        if callable(self._script):
            return self._script(request)
        if number < len(self._script):
            return self._script[number]
        return ScriptedReply(f"the script ends after {len(self._script)} replies", status=400)


class _Server(ThreadingHTTPServer):
    request_queue_size = 128
    """Clients that connect at the same moment; the default of 5 makes the sixth wait for a second."""

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing of clients that went away, as tests and users do."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


def _handler(server: ScriptedChatServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"  # connections are kept, as by real servers
        disable_nagle_algorithm = True

        def do_POST(self) -> None:
            length = min(int(self.headers.get("content-length", 0)), _LARGEST_BODY)
            body = json.loads(self.rfile.read(length) or b"{}")
            headers = {name.lower(): value for name, value in self.headers.items()}
            request = ScriptedRequest(self.path, body, headers)
            if not self.path.endswith("/chat/completions"):
                self._write(ScriptedReply(f"no {self.path} here", status=404))
                return
            written = False
            try:
                reply = server.answer(request)
                if reply.drop == "before":
                    self.close_connection = True
                    return
                if reply.hold:
                    self._hold(reply.hold)
                    return
                if body.get("stream") and reply.status == 200 and reply.raw is None:
                    self._stream(reply, usage="stream_options" in body)
                else:
                    self._write(reply)
                written = reply.status == 200 and not reply.drop
            except (BrokenPipeError, ConnectionResetError):
                self.close_connection = True  # the client gave up waiting, as its script intends
            finally:
                server.finish(request, written=written)

        def _write(self, reply: ScriptedReply) -> None:
            content = _content(reply, server.model).encode()
            self.close_connection = self.close_connection or bool(reply.drop)
            self.send_response(reply.status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(content)))
            for name, value in reply.headers:
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(content[: len(content) // 2] if reply.drop == "midway" else content)

        def _stream(self, reply: ScriptedReply, *, usage: bool) -> None:
            """Server-sent events, a word each, as chunks of HTTP."""
            self.send_response(200)
            self.send_header("content-type", "text/event-stream")
            self.send_header("transfer-encoding", "chunked")
            self.end_headers()
            events = stream_events(reply, server.model, usage=usage)
            for number, event in enumerate(events):
                if reply.drop == "midway" and number > len(events) // 2:
                    self.close_connection = True
                    return
                server.closing.wait(reply.pause)
                data = f"data: {event}\n\n".encode()
                self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
            self.wfile.write(b"0\r\n\r\n")

        def _hold(self, what: str) -> None:
            """Send without end, until the client or the server goes away."""
            self.close_connection = True
            self.wfile.write(b"HTTP/1.1 200 OK\r\n" + (b"x-slow: " if what == "head" else b"\r\n"))
            piece, pause = (b" " * 65_536, 0.0) if what == "endless" else (b" ", 0.02)
            while not server.closing.wait(pause):
                self.wfile.write(piece)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            """Say nothing."""

    return Handler


def stream_events(reply: ScriptedReply, model: str, *, usage: bool) -> list[str]:
    """The data of the events of a streamed reply: a word each, the end, the tokens if asked for."""

    def chunk(choices: list[dict[str, Any]], **more: Any) -> str:
        head = {"id": "scripted", "object": "chat.completion.chunk", "created": 0, "model": model}
        return json.dumps({**head, "choices": choices, **more})

    words = [
        chunk([{"index": 0, "delta": {"role": "assistant", "content": word}, "finish_reason": None}])
        for word in re.findall(r"\S*\s*", reply.text)
        if word
    ]
    end = chunk([{"index": 0, "delta": {}, "finish_reason": reply.finish_reason}])
    counted = [chunk([], usage=_usage(reply))] if usage else []
    return [*words, end, *counted, "[DONE]"]


def _usage(reply: ScriptedReply) -> dict[str, int]:
    return {
        "prompt_tokens": reply.prompt_tokens,
        "completion_tokens": reply.completion_tokens,
        "total_tokens": reply.prompt_tokens + reply.completion_tokens,
    }


def _content(reply: ScriptedReply, model: str) -> str:
    if reply.raw is not None:
        return reply.raw
    if reply.status != 200:
        return json.dumps({"error": {"message": reply.text or f"status {reply.status}", "type": "scripted"}})
    message = {"role": "assistant", "content": reply.text}
    return json.dumps(
        {
            "id": "scripted",
            "object": "chat.completion",
            "created": 0,
            "model": model,
            "choices": [{"index": 0, "message": message, "finish_reason": reply.finish_reason}],
            "usage": _usage(reply),
        }
    )
