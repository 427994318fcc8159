"""Replies of a chat model and what each call took, in one SQLite file: the ledger's own, for example.

Both are written in one transaction, so that a reply that is kept is also counted. Forecasts learn from the
calls: no tokenizer is needed for them, the tokens are those that the endpoint counted.
"""

from __future__ import annotations

import os
import sqlite3
import threading
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pydantic import ValidationError

from kg.adapters.cached_chat import ChatCall
from kg.sqlite_files import make_private
from schemas.errors import WorkspaceError
from schemas.ports import ChatReply

_REPLIES = "CREATE TABLE IF NOT EXISTS chat_replies (key TEXT PRIMARY KEY, reply TEXT NOT NULL) WITHOUT ROWID"
_CALLS = (
    "CREATE TABLE IF NOT EXISTS chat_calls (id INTEGER PRIMARY KEY, model TEXT NOT NULL, "
    "purpose TEXT NOT NULL, characters INTEGER NOT NULL, prompt_tokens INTEGER NOT NULL, "
    "completion_tokens INTEGER NOT NULL, seconds REAL NOT NULL, cost REAL NOT NULL DEFAULT 0, "
    "run INTEGER NOT NULL DEFAULT 0)"
)
_ADDED = (("cost", "REAL NOT NULL DEFAULT 0"), ("run", "INTEGER NOT NULL DEFAULT 0"))
"""Columns that older files miss."""
_COLUMNS = ("model", "purpose", "characters", "prompt_tokens", "completion_tokens", "seconds", "cost", "run")
_PUT_CALL = f"INSERT INTO chat_calls ({', '.join(_COLUMNS)}) VALUES ({', '.join(':' + c for c in _COLUMNS)})"  # noqa: S608


class SqliteReplyCache:
    """Tables ``chat_replies`` and ``chat_calls`` of one SQLite file, which other tables may share.

    Threads and processes may share it. A reply that was put survives SIGKILL when ``put`` returns, and a
    power failure when ``flush`` does; threads that flush at the same time wait for one writing.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._reading, self._writing, self._flushing = threading.Lock(), threading.Lock(), threading.Lock()
        self._put = self._flushed = 0
        with self._usable():
            self._reader, self._writer = self._open(), self._open()
            [(mode,)] = self._writer.execute("PRAGMA journal_mode=WAL")
            self._logged = mode == "wal"  # not on every file system
            self._writer.execute(f"PRAGMA synchronous={'NORMAL' if self._logged else 'FULL'}")
            self._make_tables()

    def _open(self) -> sqlite3.Connection:
        make_private(self._path)
        db = sqlite3.connect(self._path, timeout=30, isolation_level=None, check_same_thread=False)
        weakref.finalize(self, db.close)
        return db

    def _make_tables(self) -> None:
        self._writer.execute(_REPLIES)
        self._writer.execute(_CALLS)
        there = {row[1] for row in self._writer.execute("PRAGMA table_info(chat_calls)")}
        for name, kind in _ADDED:
            if name not in there:
                self._writer.execute(f"ALTER TABLE chat_calls ADD COLUMN {name} {kind}")

    def close(self) -> None:
        """Close the file."""
        with self._reading, self._writing:
            self._reader.close()
            self._writer.close()

    def get(self, key: str) -> ChatReply | None:
        """The reply kept under ``key``, or None; ``WorkspaceError`` when the file cannot be used."""
        with self._usable(), self._reading:
            row = self._reader.execute("SELECT reply FROM chat_replies WHERE key = ?", (key,)).fetchone()
        try:
            return ChatReply.model_validate_json(row[0]) if row else None
        except ValidationError as e:
            raise WorkspaceError(f"reply {key} in {self._path} is damaged: {e}; delete the row") from e

    def put(self, key: str, reply: ChatReply, call: ChatCall) -> None:
        """Keep a reply, an older one under the same key being replaced, and count the call."""
        text = reply.model_dump_json()
        with self._usable(), self._writing:
            self._writer.execute("BEGIN IMMEDIATE")
            try:
                self._writer.execute("INSERT OR REPLACE INTO chat_replies VALUES (?, ?)", (key, text))
                self._writer.execute(_PUT_CALL, call.model_dump(include=set(_COLUMNS)))
                self._writer.execute("COMMIT")
            except BaseException:
                if self._writer.in_transaction:
                    self._writer.execute("ROLLBACK")
                raise
            self._put += 1

    def flush(self) -> None:
        """Return when all that was put so far survives a power failure.

        Commits stand in the write-ahead log, which SQLite itself forces to the disk before it moves them
        (https://www.sqlite.org/pragma.html#pragma_synchronous, NORMAL); here it is forced for all at once.
        """
        mine = self._put
        with self._flushing:
            if self._flushed >= mine or not self._logged:
                return
            covered = self._put
            try:
                log = os.open(self._path.with_name(self._path.name + "-wal"), os.O_RDONLY)
                try:
                    os.fsync(log)
                finally:
                    os.close(log)
            except OSError as e:
                raise self._unusable(e) from e
            self._flushed = covered

    @contextmanager
    def _usable(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as e:
            raise self._unusable(e) from e

    def _unusable(self, error: Exception) -> WorkspaceError:
        return WorkspaceError(f"{self._path} cannot be used as cache of chat replies: {error}")
