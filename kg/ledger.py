"""The ledger: what ran, on what, with which counts, seconds, tokens and cost, and what was asked."""

from __future__ import annotations

import json
import logging
import sqlite3
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from kg.sqlite_files import is_damaged, make_private, open_to_read, takes_no_writes
from schemas.errors import LedgerBusyError, WorkspaceError

_log = logging.getLogger(__name__)
_TABLES = """
CREATE TABLE IF NOT EXISTS runs (
  id INTEGER PRIMARY KEY, step TEXT NOT NULL, started_utc TEXT NOT NULL, seconds REAL,
  state TEXT NOT NULL, counts TEXT NOT NULL DEFAULT '{}',
  prompt_tokens INTEGER NOT NULL DEFAULT 0,
  completion_tokens INTEGER NOT NULL DEFAULT 0,
  cost REAL NOT NULL DEFAULT 0, detail TEXT NOT NULL DEFAULT '');
CREATE TABLE IF NOT EXISTS failures (
  step TEXT NOT NULL, item TEXT NOT NULL, at_utc TEXT NOT NULL, reason TEXT NOT NULL,
  PRIMARY KEY (step, item));
CREATE TABLE IF NOT EXISTS questions (
  id INTEGER PRIMARY KEY, at_utc TEXT NOT NULL, question TEXT NOT NULL, outcome TEXT NOT NULL,
  shape TEXT NOT NULL, rows INTEGER NOT NULL, seconds REAL NOT NULL);
CREATE TABLE IF NOT EXISTS queries (
  id INTEGER PRIMARY KEY AUTOINCREMENT, at_utc TEXT NOT NULL, query TEXT NOT NULL,
  sent TEXT NOT NULL DEFAULT '', parameters TEXT NOT NULL DEFAULT '{}', scope TEXT NOT NULL,
  outcome TEXT NOT NULL, rows INTEGER NOT NULL, seconds REAL NOT NULL, why TEXT NOT NULL DEFAULT '',
  schema_fingerprint TEXT NOT NULL DEFAULT '', query_hash TEXT NOT NULL DEFAULT '',
  plan_hash TEXT NOT NULL DEFAULT '', cut TEXT NOT NULL DEFAULT '[]');
CREATE TABLE IF NOT EXISTS busy (
  day TEXT NOT NULL, what TEXT NOT NULL, times INTEGER NOT NULL, PRIMARY KEY (day, what));
"""
_NAMES = ("runs", "failures", "questions", "queries", "busy")


_BUSY = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})
_PRIMARY = 0xFF
"""Bits of SQLite's error codes that say the kind."""


def utc_now() -> str:
    """The time as ISO 8601 with Z, to the second."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


@dataclass(slots=True)
class RunEntry:
    """One running step; add to ``counts`` and the token sums while it runs."""

    step: str
    id: int
    """Of its row."""
    counts: dict[str, int] = field(default_factory=dict)
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float = 0.0
    """In the currency of the price settings."""

    def count(self, name: str, by: int = 1) -> None:
        self.counts[name] = self.counts.get(name, 0) + by


@dataclass(frozen=True, slots=True)
class RunRow:
    """One row of the ledger."""

    step: str
    started_utc: str
    seconds: float | None
    state: str
    """``running``, ``done`` or ``failed``; a killed run stays ``running`` until the next one of its step.

    What it paid is known all the same, from the calls that were counted with their replies."""
    counts: dict[str, int]
    prompt_tokens: int
    completion_tokens: int
    cost: float
    detail: str


class Ledger:
    """SQLite in WAL mode; usable from several processes.

    On a disk that is full or may not be written it is read as it is, and each write is a ``WorkspaceError``.
    """

    def __init__(self, path: Path) -> None:
        self._path, self._lock = path, threading.Lock()
        self._only_read: sqlite3.Error | None = None
        """Why nothing can be written, where that is so from the start."""
        with self._usable():
            try:
                self._db = _opened(path)
            except sqlite3.Error as e:
                if not takes_no_writes(e):
                    raise
                self._read_only(e)

    def _read_only(self, why: sqlite3.Error) -> None:
        self._only_read, self._db = why, _opened_to_read(self._path)
        _log.warning("%s is only read, nothing is kept: %s", self._path, why)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        self._db.close()

    @contextmanager
    def _usable(self) -> Iterator[None]:
        """One thread at a time; a file that cannot be used, or not now, is a ``WorkspaceError``."""
        try:
            with self._lock:
                yield
        except sqlite3.Error as e:
            if isinstance(e, sqlite3.OperationalError) and e.sqlite_errorcode & _PRIMARY in _BUSY:
                raise LedgerBusyError(
                    f"{self._path} is locked by another process; try again, and if that does not help, end "
                    "the program that has the file open"
                ) from e
            raise WorkspaceError(self._told(e)) from e

    def _told(self, error: sqlite3.Error) -> str:
        """What is wrong and what to do; nothing can make again what the file holds."""
        why = self._only_read or error
        where = f"{self._path} cannot be used as run ledger: {why}"
        if is_damaged(error):
            return (
                f"{where}; put back a copy, or move the file elsewhere to begin an empty one, without the "
                "questions, marks and corrections that it holds"
            )
        todo = (
            "free space or check the permissions" if takes_no_writes(why) else "check the file and the disk"
        )
        return f"{where}; {todo}, and keep the file: it alone holds all questions, marks and corrections"

    def execute(self, statement: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """One statement of ours with its values; all its rows."""
        with self._usable():
            return self._db.execute(statement, values).fetchall()

    def renew(self, statement: str, values: Sequence[object] = ()) -> None:
        """A change of rows of an older version; they stay as they are where nothing can be written."""
        if self._only_read is not None:
            return
        with self._usable():
            try:
                self._db.execute(statement, values)
            except sqlite3.Error as e:
                if not takes_no_writes(e):
                    raise
                _log.warning("older rows of %s stay as they are: %s", self._path, e)

    @contextmanager
    def run(self, step: str) -> Iterator[RunEntry]:
        """Record one step; an exception is recorded and goes on."""
        self.execute("UPDATE runs SET state='interrupted' WHERE step=? AND state='running'", (step,))
        [(row,)] = self.execute(
            "INSERT INTO runs (step, started_utc, state) VALUES (?, ?, 'running') RETURNING id",
            (step, utc_now()),
        )
        entry, began = RunEntry(step, row), time.perf_counter()
        try:
            yield entry
        except BaseException as e:
            self._finish(row, entry, state="failed", detail=f"{type(e).__name__}: {e}"[:500], began=began)
            raise
        self._finish(row, entry, state="done", detail="", began=began)

    def _finish(self, row: int, entry: RunEntry, *, state: str, detail: str, began: float) -> None:
        self.execute(
            "UPDATE runs SET state=?, detail=?, seconds=?, counts=?, "
            "prompt_tokens=?, completion_tokens=?, cost=? WHERE id=?",
            (
                state,
                detail,
                time.perf_counter() - began,
                json.dumps(entry.counts, sort_keys=True),
                entry.prompt_tokens,
                entry.completion_tokens,
                entry.cost,
                row,
            ),
        )

    def runs(self, *, limit: int = 50) -> tuple[RunRow, ...]:
        """The latest runs, newest first."""
        rows = self.execute(
            "SELECT id, step, started_utc, seconds, state, counts, "
            "prompt_tokens, completion_tokens, cost, detail FROM runs ORDER BY id DESC LIMIT ?",
            (limit,),
        )
        paid = self._paid([row[0] for row in rows if row[3] is None])
        return tuple(
            RunRow(
                step, started, seconds, state, json.loads(counts) | asked, prompt, completion, cost, detail
            )
            for row, step, started, seconds, state, counts, *own, detail in rows
            for asked, prompt, completion, cost in [paid.get(row, ({}, *own))]
        )

    def _paid(self, runs: Sequence[int]) -> dict[int, tuple[dict[str, int], int, int, float]]:
        """What unfinished runs asked of a chat model: calls, tokens and cost, as counted with each reply."""
        if not runs or not self.execute("SELECT 1 FROM pragma_table_info('chat_calls') WHERE name='run'"):
            return {}
        marks = ", ".join("?" * len(runs))
        rows = self.execute(
            "SELECT run, COUNT(*), SUM(prompt_tokens), SUM(completion_tokens), SUM(cost) "  # noqa: S608
            f"FROM chat_calls WHERE run IN ({marks}) GROUP BY run",
            runs,
        )
        return {run: ({"chat_calls": calls}, *sums) for run, calls, *sums in rows}

    def fail(self, step: str, item: str, reason: str) -> None:
        """Remember that an item failed in a step, until it succeeds."""
        self.execute("INSERT OR REPLACE INTO failures VALUES (?, ?, ?, ?)", (step, item, utc_now(), reason))

    def clear_failure(self, step: str, item: str) -> None:
        self.execute("DELETE FROM failures WHERE step=? AND item=?", (step, item))

    def failures(self) -> tuple[tuple[str, str, str], ...]:
        """(step, item, reason) of everything that failed and has not succeeded since."""
        return tuple(self.execute("SELECT step, item, reason FROM failures ORDER BY step, item"))

    def add_column(self, table: str, name: str, kind: str) -> None:
        """A column for a table of an older ledger; nothing to do where another process was faster."""
        with self._usable():
            known = {row[1] for row in self._db.execute(f"PRAGMA table_info({table})")}
            if name in known:
                return
            added = f"ALTER TABLE {table} ADD COLUMN {name} {kind}"
            try:
                self._db.execute(added)
            except sqlite3.OperationalError as e:
                if takes_no_writes(e) and self._only_read is None:
                    self._db.close()
                    self._read_only(e)
                    self._db.execute(added)
                elif "duplicate column" not in str(e):
                    raise


def _opened(path: Path) -> sqlite3.Connection:
    make_private(path)
    db = sqlite3.connect(path, timeout=30, check_same_thread=False, isolation_level=None)
    try:
        db.executescript("PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;" + _TABLES)
    except BaseException:
        db.close()
        raise
    return db


def _opened_to_read(path: Path) -> sqlite3.Connection:
    """The file as it is; its tables with the columns of today are a copy that refuses every change."""
    db = open_to_read(path)
    try:
        held = {name for (name,) in db.execute("SELECT name FROM pragma_table_list WHERE schema = 'kept'")}
        for table in held.intersection(_NAMES):
            db.execute(f"CREATE TABLE main.{table} AS SELECT * FROM kept.{table}")  # noqa: S608
        db.executescript(_TABLES)
        for table in _NAMES:
            for change in ("INSERT", "UPDATE", "DELETE"):
                db.execute(
                    f"CREATE TRIGGER no_{change}_of_{table} BEFORE {change} ON main.{table} "
                    "BEGIN SELECT RAISE(ABORT, 'nothing can be written'); END"
                )
    except BaseException:
        db.close()
        raise
    return db
