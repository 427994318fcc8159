"""What earlier calls of a chat model took, so that a forecast can learn from them.

No tokenizer is needed, and none is guessed: the tokens are those that the endpoint counted, per character
that was sent, for each kind of request.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from schemas.errors import WorkspaceError
from schemas.ports import ChatReply

_LATEST = 2_000
"""Calls that are learned from: the prompts of long ago were others."""


@dataclass(frozen=True, slots=True)
class Usage:
    """Sums over earlier calls of one kind."""

    calls: int
    characters: int
    prompt_tokens: int
    completion_tokens: int
    seconds: float


class PastChat:
    """Kept replies and earlier usage, read without writing anything; a missing file holds nothing."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def usage(self, model: str) -> dict[str, Usage]:
        """Sums over the latest calls of ``model``, per purpose."""
        rows = self._read(
            "SELECT purpose, COUNT(*), SUM(characters), SUM(prompt_tokens), SUM(completion_tokens), "
            "SUM(seconds) FROM (SELECT * FROM chat_calls WHERE model = ? AND prompt_tokens > 0 "
            "ORDER BY id DESC LIMIT ?) GROUP BY purpose",
            model,
            _LATEST,
        )
        return {purpose: Usage(*sums) for purpose, *sums in rows}

    def get(self, key: str) -> ChatReply | None:
        """The kept reply, or None."""
        rows = self._read("SELECT reply FROM chat_replies WHERE key = ?", key)
        return ChatReply.model_validate_json(rows[0][0]) if rows else None

    def _read(self, statement: str, *values: str | int) -> list[tuple[Any, ...]]:
        if not self._path.exists():
            return []
        try:
            with closing(sqlite3.connect(self._address(), uri=True, timeout=30)) as db:
                names = {row[0] for row in db.execute("SELECT name FROM sqlite_master")}
                known = any(table in statement for table in names & {"chat_calls", "chat_replies"})
                return db.execute(statement, values).fetchall() if known else []
        except sqlite3.Error as e:
            raise WorkspaceError(f"{self._path} cannot be read: {e}") from e

    def _address(self) -> str:
        """Read-only; without a write-ahead log also immutable, so that SQLite makes no side files."""
        beside = self._path.with_name(self._path.name + "-wal")
        return f"{self._path.resolve().as_uri()}?mode=ro" + ("" if beside.exists() else "&immutable=1")
