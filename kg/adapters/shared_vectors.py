"""Vectors that all workspaces of a user share: one SQLite file in the per-user cache.

It is a convenience and never a condition. Whatever is wrong with it is told, and the vectors are computed: a
damaged file is made anew, a folder that cannot be used is left alone. What is read is what was computed, bit
by bit: a row is kept under all that decides its bits (:func:`fingerprint`) and with a checksum.

The file is open only while something is read or written, under a lock of the operating system, which gives
it back when its holder ends, however it ends. So threads, forks and other commands need no other care.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import logging
import platform
import sqlite3
import time
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from kg.adapters import onnx_embedder
from kg.adapters.embedding_cache import rows_of

_log = logging.getLogger(__name__)
T = TypeVar("T")
FORM: Final = 1
"""Of the file; a file of another form is not read."""
_BATCH = 10_000
_LOCK_SECONDS = 10.0
"""A command that holds the file longer is stopped or hangs; the vectors are computed instead."""
_KEPT = 0.75
"""Share of the limit that stays when the oldest vectors have to go."""
_DAMAGED = frozenset({sqlite3.SQLITE_ERROR, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})
"""SQLITE_ERROR as well: the statements are fixed, so the tables are not ours."""
_TABLES = """
CREATE TABLE IF NOT EXISTS makers (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE IF NOT EXISTS vectors (
  id INTEGER PRIMARY KEY, maker INTEGER NOT NULL REFERENCES makers (id), key TEXT NOT NULL,
  vector BLOB NOT NULL, sum INTEGER NOT NULL, UNIQUE (maker, key));
"""


class _DamagedRowError(sqlite3.DatabaseError):
    """A row is not what was written."""


def vectors_file(cache: Path) -> Path:
    """Where the shared vectors of a per-user cache are or would be.

    >>> vectors_file(Path("cache")).as_posix()
    'cache/vectors/vectors-1.db'
    """
    return cache / "vectors" / f"vectors-{FORM}.db"


def fingerprint(model_id: str) -> str:
    """All that decides the bits of a vector of :class:`~kg.adapters.onnx_embedder.OnnxEmbedder`.

    The weights (in the id), the code around the model, the libraries that compute, and the processor,
    between kinds of which the last bits may differ.
    """
    code = hashlib.sha256(Path(onnx_embedder.__file__).read_bytes()).hexdigest()[:12]
    libraries = (f"{name} {version(name)}" for name in ("onnxruntime", "tokenizers", "numpy"))
    return "; ".join((model_id, f"code {code}", *libraries, _processor()))


class SharedVectors:
    """An :class:`~kg.adapters.embedding_cache.EmbeddingCache` that never fails: it tells and does without.

    Above ``limit_mb`` the oldest vectors are dropped. To clear it, remove its folder; at any time.

    Args:
        path: the file; made when missing, readable for its owner only.
        limit_mb: most MB (2^20 bytes) on disk, but for the last vectors written.
        lock_seconds: how long another command is waited for.

    >>> import tempfile
    >>> kept = SharedVectors(Path(tempfile.mkdtemp()) / "vectors.db", limit_mb=10)
    >>> kept.put_many("a model", ["a key"], np.ones((1, 2), np.float32))
    >>> kept.get_many("a model", ["a key", "another"])
    {'a key': array([1., 1.], dtype=float32)}
    """

    def __init__(self, path: Path, *, limit_mb: int, lock_seconds: float = _LOCK_SECONDS) -> None:
        self._path, self._limit, self._lock_seconds = path, limit_mb << 20, lock_seconds
        self._usable = True

    def get_many(self, model_id: str, keys: Sequence[str]) -> Mapping[str, NDArray[np.float32]]:
        """The vectors that are known, by key; the others are left out. The arrays are read-only."""
        return self._tried(lambda db: _read(db, model_id, keys), fcntl.LOCK_SH) or {}

    def put_many(self, model_id: str, keys: Sequence[str], vectors: NDArray[np.float32]) -> None:
        """Keep one row of ``vectors`` (n_keys, dimension) per key, all or none; a known key keeps its vector.

        Raises ``EmbeddingMismatchError`` when the rows are not one for each key.
        """
        rows = rows_of(keys, vectors)

        def put(db: sqlite3.Connection) -> None:
            _write(db, model_id, keys, rows)
            _drop_oldest(db, self._limit)

        self._tried(put, fcntl.LOCK_EX)

    def _tried(self, work: Callable[[sqlite3.Connection], T], kind: int) -> T | None:
        """What ``work`` gives; None where the file is not there to be read or cannot be used."""
        if not self._usable:
            return None
        try:
            if kind == fcntl.LOCK_SH and not self._path.exists():
                return None
            try:
                with self._open(kind) as db:
                    return work(db)
            except sqlite3.Error as e:
                if not _is_damage(e):
                    raise
                return self._made_anew(work, e)
        except (sqlite3.Error, OSError) as e:
            self._usable = False
            _log.warning(
                "%s cannot be used as cache of vectors, so all are computed: %s; check the permissions "
                "and the disk, or set share_mb = 0 under [embedder] in kg.toml",
                self._path,
                e,
            )
            return None

    def _made_anew(self, work: Callable[[sqlite3.Connection], T], damage: sqlite3.Error) -> T:
        """Remove the file, unless another command was faster, and do the work on a new one."""
        with self._locked(fcntl.LOCK_EX):
            try:
                with self._connected() as db:
                    return work(db)
            except sqlite3.Error as e:
                if not _is_damage(e):
                    raise
            _log.warning("%s was damaged (%s) and is made anew; it fills again", self._path, damage)
            for name in (self._path.name, f"{self._path.name}-journal"):
                self._path.with_name(name).unlink(missing_ok=True)
            with self._connected() as db:
                return work(db)

    @contextmanager
    def _open(self, kind: int) -> Iterator[sqlite3.Connection]:
        with self._locked(kind), self._connected() as db:
            yield db

    @contextmanager
    def _connected(self) -> Iterator[sqlite3.Connection]:
        """A connection; changes are committed together at the end, or none is."""
        with closing(sqlite3.connect(self._path, timeout=self._lock_seconds, isolation_level=None)) as db:
            if not self._path.stat().st_size:
                self._path.chmod(0o600)  # of a vector its text can be guessed
                db.executescript(f"PRAGMA page_size=8192; PRAGMA auto_vacuum=FULL; {_TABLES}")
            db.execute("PRAGMA synchronous=NORMAL")
            db.execute("BEGIN")
            yield db
            db.execute("COMMIT")

    @contextmanager
    def _locked(self, kind: int) -> Iterator[None]:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        ends = time.monotonic() + self._lock_seconds
        with self._path.with_suffix(".lock").open("ab") as file:
            while True:
                try:
                    fcntl.flock(file, kind | fcntl.LOCK_NB)
                    break
                except BlockingIOError as e:
                    if time.monotonic() > ends:
                        raise TimeoutError(f"another command has held it for {self._lock_seconds:g} s") from e
                    time.sleep(0.01)
            try:
                yield
            finally:
                fcntl.flock(file, fcntl.LOCK_UN)  # also for a process forked meanwhile


def _is_damage(error: sqlite3.Error) -> bool:
    code = getattr(error, "sqlite_errorcode", None)  # sqlite3 sets it on its own errors only
    return isinstance(error, _DamagedRowError) or (code is not None and code & 0xFF in _DAMAGED)


def _read(db: sqlite3.Connection, maker: str, keys: Sequence[str]) -> dict[str, NDArray[np.float32]]:
    found: dict[str, NDArray[np.float32]] = {}
    for start in range(0, len(keys), _BATCH):
        # CROSS JOIN fixes the order: the planner may otherwise scan all vectors for each key.
        rows = db.execute(
            "SELECT v.key, v.vector, v.sum FROM json_each(?) j CROSS JOIN makers m ON m.name = ? "
            "CROSS JOIN vectors v ON v.maker = m.id AND v.key = j.value",
            (json.dumps(list(keys[start : start + _BATCH])), maker),
        )
        for key, blob, checksum in rows:
            if _sum(key, blob) != checksum:
                raise _DamagedRowError(f"the vector of {key} is not the one that was written")
            found[key] = np.frombuffer(blob, np.float32)
    return found


def _write(db: sqlite3.Connection, maker: str, keys: Sequence[str], rows: NDArray[np.float32]) -> None:
    db.execute("INSERT OR IGNORE INTO makers (name) VALUES (?)", (maker,))
    (number,) = db.execute("SELECT id FROM makers WHERE name = ?", (maker,)).fetchone()
    blobs = ((key, row.tobytes()) for key, row in zip(keys, rows, strict=True))
    db.executemany(
        "INSERT OR IGNORE INTO vectors (maker, key, vector, sum) VALUES (?, ?, ?, ?)",
        ((number, key, blob, _sum(key, blob)) for key, blob in blobs),
    )


def _drop_oldest(db: sqlite3.Connection, limit: int) -> None:
    """Drop the vectors written first where the file is larger than ``limit`` bytes."""
    [(pages,)], [(size,)] = db.execute("PRAGMA page_count"), db.execute("PRAGMA page_size")
    if pages * size <= limit:
        return
    [(rows,)] = db.execute("SELECT count(*) FROM vectors")
    dropped = rows - int(rows * _KEPT * limit / (pages * size))
    db.execute(
        "DELETE FROM vectors WHERE id <= (SELECT id FROM vectors ORDER BY id LIMIT 1 OFFSET ?)",
        (max(dropped - 1, 0),),
    )
    _log.info("dropped the %d oldest of %d vectors, above the limit of %d bytes", dropped, rows, limit)


def _sum(key: str, blob: bytes) -> int:
    return zlib.crc32(blob, zlib.crc32(key.encode()))


def _processor() -> str:
    """What tells the kinds of processors apart: name and instructions where the system lists them."""
    listed = Path("/proc/cpuinfo")
    if not listed.exists():
        return f"{platform.machine()} {platform.processor()}"
    first = listed.read_text(encoding="utf-8", errors="replace").partition("\n\n")[0]
    lines = [x for x in first.splitlines() if x.startswith(("model name", "flags", "Features", "CPU "))]
    return f"{platform.machine()} {hashlib.sha256(''.join(lines).encode()).hexdigest()[:12]}"
