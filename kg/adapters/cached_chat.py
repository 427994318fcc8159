"""A chat model that is asked each thing once, with a report on every call."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, Self

from pydantic import ValidationError

from kg.files import dump, load, write_atomic
from schemas.errors import WorkspaceError
from schemas.ids import content_hash
from schemas.model import Frozen
from schemas.ports import Chat, ChatReply, ChatRequest


class ReplyCache(Protocol):
    """Replies by key."""

    def get(self, key: str) -> ChatReply | None:
        """The reply kept under ``key``, or None."""
        ...

    def put(self, key: str, reply: ChatReply) -> None:
        """Keep a reply."""
        ...


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
    cached: bool


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

    def put(self, key: str, reply: ChatReply) -> None:
        """Write the reply, all or nothing."""
        write_atomic(self._path(key), dump(reply))

    def _path(self, key: str) -> Path:
        return self.folder / f"{key}.json"


WRITING = threading.Lock()
"""One writer at a time in this process: SQLite's own waiting for a locked file wastes most of the time."""
_TABLE = "CREATE TABLE IF NOT EXISTS chat_replies (key TEXT PRIMARY KEY, reply TEXT NOT NULL) WITHOUT ROWID"


@dataclass(slots=True)
class _Put:
    """A reply on its way to the disk."""

    key: str
    reply: str
    done: bool = False


class SqliteReplyCache:
    """Replies in a table ``chat_replies`` of one SQLite file, which other tables may share.

    The file is opened for each call, so there is nothing to close; threads and processes may share it.
    A reply that was put is on the disk when ``put`` returns: it survives SIGKILL and a power failure.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._waiting: list[_Put] = []
        self._query("PRAGMA journal_mode=WAL")
        self._query(_TABLE)

    def get(self, key: str) -> ChatReply | None:
        """The reply kept under ``key``, or None; ``WorkspaceError`` when the file cannot be used."""
        row = self._query("SELECT reply FROM chat_replies WHERE key = ?", key)
        try:
            return ChatReply.model_validate_json(row[0]) if row else None
        except ValidationError as e:
            raise WorkspaceError(f"reply {key} in {self._path} is damaged: {e}; delete the row") from e

    def put(self, key: str, reply: ChatReply) -> None:
        """Keep a reply; an older one under the same key is replaced.

        Replies that come while another is written go to the disk together.
        """
        mine = _Put(key, reply.model_dump_json())
        with self._lock:
            self._waiting.append(mine)
        with WRITING:
            if mine.done:
                return
            with self._lock:
                others, self._waiting = self._waiting, []
            batch = [mine, *(p for p in others if p is not mine)]
            self._write(batch)
            for put in batch:
                put.done = True

    def _write(self, batch: Sequence[_Put]) -> None:
        """One transaction for all; a thread whose reply fails with another's writes its own anew."""
        try:
            with closing(sqlite3.connect(self._path, timeout=30, isolation_level=None)) as db:
                db.execute("PRAGMA synchronous=FULL")
                db.execute("BEGIN IMMEDIATE")
                db.executemany(
                    "INSERT OR REPLACE INTO chat_replies VALUES (?, ?)", [(p.key, p.reply) for p in batch]
                )
                db.execute("COMMIT")
        except sqlite3.Error as e:
            raise self._unusable(e) from e

    def _query(self, statement: str, *values: str) -> tuple[str, ...] | None:
        try:
            with closing(sqlite3.connect(self._path, timeout=30, isolation_level=None)) as db:
                row: tuple[str, ...] | None = db.execute(statement, values).fetchone()
        except sqlite3.Error as e:
            raise self._unusable(e) from e
        return row

    def _unusable(self, error: sqlite3.Error) -> WorkspaceError:
        return WorkspaceError(f"{self._path} cannot be used as cache of chat replies: {error}")


class CachedChat:
    """Answers from ``cache`` where it can, else asks ``chat`` and keeps the reply.

    Cut replies are kept too: the limit is part of the key. Errors are not kept. A reply is kept before
    anyone sees it, and threads that want the same one wait for the first to get it. ``ledger`` is told
    of every reply, with ``price`` (for example ``ChatSettings.cost``) as its cost. At most
    ``concurrency`` replies are asked for and not kept yet: what a crash can lose.
    """

    def __init__(
        self,
        chat: Chat,
        cache: ReplyCache,
        *,
        ledger: Callable[[ChatCall], None] = lambda _: None,
        price: Callable[[ChatReply], float] = lambda _: 0.0,
        concurrency: int = 64,
    ) -> None:
        self._chat, self._cache, self._ledger, self._price = chat, cache, ledger, price
        self._slots = threading.BoundedSemaphore(concurrency)
        self._asking: dict[str, threading.Event] = {}
        self._lock = threading.Lock()

    @classmethod
    def open(
        cls,
        chat: Chat,
        path: Path,
        *,
        ledger: Callable[[ChatCall], None] = lambda _: None,
        price: Callable[[ChatReply], float] = lambda _: 0.0,
        concurrency: int = 64,
    ) -> Self:
        """With the replies in the SQLite file ``path`` (the ledger's own, for example)."""
        return cls(chat, SqliteReplyCache(path), ledger=ledger, price=price, concurrency=concurrency)

    @property
    def model(self) -> str:
        """The inner chat's."""
        return self._chat.model

    def complete(self, request: ChatRequest) -> ChatReply:
        """The kept reply with ``cached`` set, or a new one; errors are the inner chat's."""
        began = time.perf_counter()
        key = chat_key(self.model, request)
        with self._alone(key):
            kept = self._cache.get(key)
            if kept is not None:
                reply = kept.model_copy(update={"cached": True})
            else:
                with self._slots:
                    reply = self._chat.complete(request)
                    self._cache.put(key, reply)
        self._ledger(
            ChatCall(
                purpose=request.purpose,
                model=self.model,
                characters=request_characters(request),
                prompt_tokens=reply.prompt_tokens,
                completion_tokens=reply.completion_tokens,
                cost=0.0 if reply.cached else self._price(reply),
                seconds=time.perf_counter() - began,
                cached=reply.cached,
            )
        )
        return reply

    @contextmanager
    def _alone(self, key: str) -> Iterator[None]:
        """No other thread asks for ``key`` meanwhile."""
        while True:
            with self._lock:
                asking = self._asking.get(key)
                if asking is None:
                    done = self._asking[key] = threading.Event()
                    break
            asking.wait()
        try:
            yield
        finally:
            with self._lock:
                del self._asking[key]
            done.set()
