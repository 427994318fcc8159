"""A chat model that is asked each thing once, with a report on every call."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

from kg.adapters.chat_waiting import slot, waited
from kg.files import dump, load, write_atomic
from schemas.errors import ChatError
from schemas.ids import content_hash
from schemas.model import Frozen
from schemas.ports import Chat, ChatReply, ChatRequest, StreamingChat
from schemas.waiting import never


class ChatCall(Frozen):
    """What one call took: a row for the ledger."""

    purpose: str
    model: str
    """As it was asked for."""
    characters: int = 0
    """Of the messages and the reply schema."""
    prompt_tokens: int
    completion_tokens: int
    cost: float
    """In the currency of the price settings; 0 for a cached reply."""
    seconds: float
    """From asking the model, retries and waits for its limits included, to the reply; 0 for a kept one."""
    cached: bool
    run: int = 0
    """The ledger's number of the run that asked; 0 outside a run."""


class ReplyCache(Protocol):
    """Replies by key."""

    def get(self, key: str) -> ChatReply | None:
        """The reply kept under ``key``, or None."""
        ...

    def put(self, key: str, reply: ChatReply, call: ChatCall) -> None:
        """Keep a reply, and what it took where the cache has a place for it: no crash loses it now."""
        ...

    def flush(self) -> None:
        """Return when all that was put is on the disk."""
        ...


def chat_key(model: str, request: ChatRequest) -> str:
    """Key of a request to a model: 32 hexadecimal digits over both."""
    return content_hash("chat", model, request.model_dump(mode="json"))


def request_characters(request: ChatRequest) -> int:
    """Characters of a request's messages and reply schema."""
    return sum(len(m.content) for m in request.messages) + len(request.json_schema)


class ReplyFolder:
    """Replies as one JSON file each, named by key: a cache, and a recording for replays."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def get(self, key: str) -> ChatReply | None:
        """The reply kept under ``key``, or None; ``WorkspaceError`` for a damaged file."""
        path = self._path(key)
        return load(path, ChatReply) if path.exists() else None

    def put(self, key: str, reply: ChatReply, call: ChatCall) -> None:  # noqa: ARG002
        """Write the reply, all or nothing; what it took is not recorded."""
        write_atomic(self._path(key), dump(reply))

    def flush(self) -> None:
        """Nothing to do: each file is on the disk once it is put."""

    def _path(self, key: str) -> Path:
        return self.folder / f"{key}.json"


class CachedChat:
    """Answers from ``cache`` where it can, else asks ``chat`` and keeps the reply.

    Cut replies are kept too: the limit is part of the key. Errors are not kept. A reply is on the disk
    before anyone sees it, and threads that want the same one wait for the first to get it. ``ledger`` is
    told of every reply, with ``price`` (for example ``ChatSettings.cost``) as its cost and the number that
    ``run`` gives as its run. At most ``concurrency`` replies are asked for and not kept yet: what SIGKILL
    can lose.
    """

    def __init__(
        self,
        chat: Chat,
        cache: ReplyCache,
        *,
        ledger: Callable[[ChatCall], None] = lambda _: None,
        price: Callable[[ChatReply], float] = lambda _: 0.0,
        concurrency: int = 64,
        run: Callable[[], int] = lambda: 0,
    ) -> None:
        self._chat, self._cache, self._ledger, self._price = chat, cache, ledger, price
        self._slots, self._run = threading.BoundedSemaphore(concurrency), run
        self._asking: dict[str, threading.Event] = {}
        self._lock = threading.Lock()

    @property
    def model(self) -> str:
        """The inner chat's."""
        return self._chat.model

    def complete(self, request: ChatRequest, *, gone: Callable[[], bool] = never) -> ChatReply:
        """The kept reply with ``cached`` set, or a new one; errors are the inner chat's."""
        key = chat_key(self.model, request)
        with self._alone(key, gone):
            kept = self._cache.get(key)
            if kept is not None:
                reply = kept.model_copy(update={"cached": True})
                call = self._call(request, reply, seconds=0.0)
            else:
                with slot(self._slots, gone):
                    began = time.perf_counter()
                    reply = self._chat.complete(request, gone=gone)
                    call = self._call(request, reply, seconds=time.perf_counter() - began)
                    self._cache.put(key, reply, call)
                self._cache.flush()
        self._ledger(call)
        return reply

    def stream(self, request: ChatRequest, *, gone: Callable[[], bool] = never) -> Iterator[str | ChatReply]:
        """As :meth:`complete`, in pieces where the inner chat can; what is broken off is not kept."""
        if not isinstance(self._chat, StreamingChat):
            reply = self.complete(request, gone=gone)
            yield from (reply.text, reply)
            return
        key = chat_key(self.model, request)
        with self._alone(key, gone):
            kept = self._cache.get(key)
            if kept is not None:
                reply = kept.model_copy(update={"cached": True})
                call = self._call(request, reply, seconds=0.0)
                yield reply.text
            else:
                with slot(self._slots, gone):
                    began = time.perf_counter()
                    reply = yield from _pieces(self._chat.stream(request, gone=gone))
                    call = self._call(request, reply, seconds=time.perf_counter() - began)
                    self._cache.put(key, reply, call)
                self._cache.flush()
        self._ledger(call)
        yield reply

    def _call(self, request: ChatRequest, reply: ChatReply, *, seconds: float) -> ChatCall:
        return ChatCall(
            purpose=request.purpose,
            model=self.model,
            characters=request_characters(request),
            prompt_tokens=reply.prompt_tokens,
            completion_tokens=reply.completion_tokens,
            cost=0.0 if reply.cached else self._price(reply),
            seconds=seconds,
            cached=reply.cached,
            run=self._run(),
        )

    @contextmanager
    def _alone(self, key: str, gone: Callable[[], bool]) -> Iterator[None]:
        """No other thread asks for ``key`` meanwhile."""
        while True:
            with self._lock:
                asking = self._asking.get(key)
                if asking is None:
                    done = self._asking[key] = threading.Event()
                    break
            waited(asking.wait, gone)
        try:
            yield
        finally:
            with self._lock:
                del self._asking[key]
            done.set()


def _pieces(stream: Iterator[str | ChatReply]) -> Generator[str, None, ChatReply]:
    """The pieces of a stream; returns its last item, the reply."""
    reply = None
    for piece in stream:
        if isinstance(piece, ChatReply):
            reply = piece
        else:
            yield piece
    if reply is None:
        raise ChatError("expected the whole reply at the end of a stream, found none; ask without streaming")
    return reply
