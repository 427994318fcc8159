"""Vectors that were computed before, by model and text: the same text is embedded once."""

from __future__ import annotations

import hashlib
import json
import logging
import sqlite3
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Protocol, Self

import numpy as np
from numpy.typing import NDArray

from kg.sqlite_files import make_private, open_to_read, takes_no_writes
from schemas.errors import EmbeddingMismatchError, WorkspaceError
from schemas.ports import Embedder

_log = logging.getLogger(__name__)
_BATCH = 10_000
_TABLES = """
PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;
CREATE TABLE IF NOT EXISTS embedding_models (
  id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, dimension INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS embeddings (
  model INTEGER NOT NULL REFERENCES embedding_models (id), key TEXT NOT NULL, vector BLOB NOT NULL,
  UNIQUE (model, key));
"""


class EmbeddingCache(Protocol):
    """Vectors by model id and text key."""

    def get_many(self, model_id: str, keys: Sequence[str]) -> Mapping[str, NDArray[np.float32]]:
        """The vectors that are known, by key; the others are left out."""
        ...

    def put_many(self, model_id: str, keys: Sequence[str], vectors: NDArray[np.float32]) -> None:
        """Keep one row of ``vectors`` per key; a known key keeps the vector it has."""
        ...


def text_key(text: str) -> str:
    """Key of a text: 32 hexadecimal digits of its SHA-256."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def rows_of(keys: Sequence[str], vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """The vectors as contiguous rows; ``EmbeddingMismatchError`` when they are not one for each key."""
    if vectors.ndim != 2 or len(keys) != len(vectors):
        raise EmbeddingMismatchError(
            f"expected one vector for each of {len(keys)} keys, found shape {vectors.shape}"
        )
    return np.ascontiguousarray(vectors, np.float32)


class SqliteEmbeddingCache:
    """Float32 vectors in one SQLite file (WAL), usable from several threads and processes.

    Measured: 100,000 vectors of 384 dimensions are looked up in about one second. On a disk that is full or
    may not be written, what is known is read, and new vectors are not kept, which is told once. Raises
    ``WorkspaceError`` when the file cannot be used and ``EmbeddingMismatchError`` when one model id
    comes with two dimensions.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._keeps = True
        try:
            self._db = self._open()
        except sqlite3.Error as e:
            raise self._unusable(e) from e

    def _open(self) -> sqlite3.Connection:
        try:
            return _opened(self._path)
        except sqlite3.Error as e:
            if not takes_no_writes(e):
                raise
            self._keep_no_more(e)
        db = open_to_read(self._path)
        if not any(name == "kept" for _, name, _ in db.execute("PRAGMA database_list")):
            db.executescript(_TABLES)
        return db

    def _keep_no_more(self, error: sqlite3.Error) -> None:
        self._keeps = False
        _log.warning("%s takes no new vectors, they are computed each time: %s", self._path, error)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file; safe to call twice."""
        self._db.close()

    def get_many(self, model_id: str, keys: Sequence[str]) -> Mapping[str, NDArray[np.float32]]:
        """The vectors that are known, by key; the others are left out. The arrays are read-only."""
        # CROSS JOIN fixes the order: the planner may otherwise scan all vectors for each key.
        found: dict[str, NDArray[np.float32]] = {}
        try:
            with self._lock:
                model = self._model(model_id)
                for start in range(0, len(keys) if model else 0, _BATCH):
                    rows = self._db.execute(
                        "SELECT e.key, e.vector FROM json_each(?) j "
                        "CROSS JOIN embeddings e ON e.model = ? AND e.key = j.value",
                        (json.dumps(list(keys[start : start + _BATCH])), model),
                    )
                    found.update((key, np.frombuffer(blob, np.float32)) for key, blob in rows)
        except sqlite3.Error as e:
            raise self._unusable(e) from e
        return found

    def put_many(self, model_id: str, keys: Sequence[str], vectors: NDArray[np.float32]) -> None:
        """Keep one row of ``vectors`` (n_keys, dimension) per key, all or none, where the disk takes them."""
        rows = rows_of(keys, vectors)
        if not self._keeps:
            return
        try:
            with self._lock, self._db:
                self._db.execute("BEGIN IMMEDIATE")
                model = self._register(model_id, rows.shape[1])
                self._db.executemany(
                    "INSERT OR IGNORE INTO embeddings (model, key, vector) VALUES (?, ?, ?)",
                    ((model, key, row.tobytes()) for key, row in zip(keys, rows, strict=True)),
                )
        except sqlite3.Error as e:
            if not takes_no_writes(e):
                raise self._unusable(e) from e
            self._keep_no_more(e)

    def _model(self, model_id: str) -> int | None:
        row = self._db.execute("SELECT id FROM embedding_models WHERE name = ?", (model_id,)).fetchone()
        return int(row[0]) if row else None

    def _register(self, model_id: str, dimension: int) -> int:
        self._db.execute(
            "INSERT OR IGNORE INTO embedding_models (name, dimension) VALUES (?, ?)", (model_id, dimension)
        )
        model, known = self._db.execute(
            "SELECT id, dimension FROM embedding_models WHERE name = ?", (model_id,)
        ).fetchone()
        if known != dimension:
            raise EmbeddingMismatchError(
                f"{self._path} holds vectors of {model_id} with {known} dimensions, now {dimension}; "
                "give the changed model another name"
            )
        return int(model)

    def _unusable(self, error: sqlite3.Error) -> WorkspaceError:
        return WorkspaceError(
            f"{self._path} cannot be used as embedding cache: {error}; it may be deleted, it fills again"
        )


def _opened(path: Path) -> sqlite3.Connection:
    make_private(path)
    db = sqlite3.connect(path, timeout=30, check_same_thread=False, isolation_level=None)
    try:
        db.executescript(_TABLES)
    except BaseException:
        db.close()
        raise
    return db


class CachedEmbedder:
    """An embedder that asks a cache first and embeds each distinct text once.

    ``under`` is the name under which the cache keeps the vectors; by default the embedder's model id. While
    the cache cannot be used, vectors are computed each time, which is told once.
    """

    def __init__(self, embedder: Embedder, cache: EmbeddingCache, *, under: str = "") -> None:
        self._embedder, self._cache = embedder, cache
        self._under = under or embedder.model_id
        self._told = False

    @property
    def model_id(self) -> str:
        """The inner embedder's."""
        return self._embedder.model_id

    @property
    def dimension(self) -> int:
        """The inner embedder's."""
        return self._embedder.dimension

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """(n_texts, dimension) float32, rows L2-normalised; an empty text gives a zero row.

        Raises ``EmbeddingMismatchError`` when the cache holds vectors of another length.
        """
        keys = [text_key(text) for text in texts]
        by_key = dict(zip(keys, texts, strict=True))
        known = self._known(list(by_key))
        missing = [key for key in by_key if key not in known]
        if missing:
            fresh = self._embedder.encode([by_key[key] for key in missing])
            self._keep(missing, fresh)
            known.update(zip(missing, fresh, strict=True))
        vectors = np.zeros((len(texts), self.dimension), np.float32)
        for row, key in enumerate(keys):
            vectors[row] = self._fitting(known[key])
        return vectors

    def _known(self, keys: Sequence[str]) -> dict[str, NDArray[np.float32]]:
        try:
            return dict(self._cache.get_many(self._under, keys))
        except WorkspaceError as e:
            self._tell(e)
            return {}

    def _keep(self, keys: Sequence[str], vectors: NDArray[np.float32]) -> None:
        try:
            self._cache.put_many(self._under, keys, vectors)
        except WorkspaceError as e:
            self._tell(e)

    def _tell(self, error: WorkspaceError) -> None:
        if not self._told:
            self._told = True
            _log.warning("vectors are computed and not kept: %s", error)

    def _fitting(self, vector: NDArray[np.float32]) -> NDArray[np.float32]:
        if vector.shape != (self.dimension,):
            raise EmbeddingMismatchError(
                f"the cache holds a vector of shape {vector.shape} for {self.model_id}, "
                f"which has {self.dimension} dimensions; delete the cache"
            )
        return vector
