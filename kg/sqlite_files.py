"""SQLite files where nothing can be written, as on a full or read-only disk: they are read as they are."""

from __future__ import annotations

import os
import sqlite3
from contextlib import suppress
from pathlib import Path
from typing import Final

_UNWRITABLE: Final = frozenset(
    {
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_PERM,
    }
)
_IN_MEMORY: Final = ":memory:"
_DAMAGED: Final = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})
_WAYS: Final = ("mode=ro", "mode=ro&immutable=1")
"""The second reads also where the files beside a write-ahead log cannot be made."""


def make_private(path: Path) -> None:
    """Make an empty file for its owner alone, where there is none; the files beside it will be alike."""
    if str(path) == _IN_MEMORY:
        return
    with suppress(OSError):  # what is wrong with the place is told when it is opened
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))


def takes_no_writes(error: sqlite3.Error) -> bool:
    """Whether the place of a file is why it cannot be used: its disk is full, or may not be written."""
    return _code(error) in _UNWRITABLE


def is_damaged(error: sqlite3.Error) -> bool:
    """Whether the file itself is why it cannot be used."""
    return _code(error) in _DAMAGED


def open_to_read(path: Path) -> sqlite3.Connection:
    """A connection that reads a file as it is and writes nothing; an empty one where there is no file."""
    db = sqlite3.connect(_IN_MEMORY, uri=True, check_same_thread=False, isolation_level=None)
    try:
        if path.exists():
            _attach(db, path)
    except BaseException:
        db.close()
        raise
    return db


def _attach(db: sqlite3.Connection, path: Path) -> None:
    for way in _WAYS:
        try:
            db.execute("ATTACH ? AS kept", (f"{path.absolute().as_uri()}?{way}",))
            db.execute("SELECT count(*) FROM kept.sqlite_master").fetchone()
        except sqlite3.OperationalError:
            if way == _WAYS[-1]:
                raise
            if any(name == "kept" for _, name, _ in db.execute("PRAGMA database_list")):
                db.execute("DETACH kept")
        else:
            return


def _code(error: sqlite3.Error) -> int:
    return (getattr(error, "sqlite_errorcode", None) or 0) & 0xFF  # sqlite3 sets it on its own errors only
