"""The embedding cache: nothing is embedded twice, nothing is mixed."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from kg.adapters.embedding_cache import CachedEmbedder, SqliteEmbeddingCache, text_key
from kg.adapters.tfidf_embedder import TfidfEmbedder
from schemas.errors import EmbeddingMismatchError, WorkspaceError


class Counting:
    """Counts the texts that reach the model."""

    def __init__(self, dimension: int = 32) -> None:
        self._inner = TfidfEmbedder(dimension=dimension)
        self.seen: list[str] = []
        self.model_id = "counting/1"
        self.dimension = dimension

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.seen.extend(texts)
        return self._inner.encode(texts)


def test_each_text_is_embedded_once_even_after_reopening(tmp_path: Path) -> None:
    texts = ["signal", "background", "signal", ""]
    first, second = Counting(), Counting()
    with SqliteEmbeddingCache(tmp_path / "vectors.db") as cache:
        vectors = CachedEmbedder(first, cache).encode(texts)
    with SqliteEmbeddingCache(tmp_path / "vectors.db") as cache:
        again = CachedEmbedder(second, cache).encode(texts)
    assert sorted(first.seen) == ["", "background", "signal"]
    assert second.seen == []
    np.testing.assert_array_equal(vectors, again)
    np.testing.assert_array_equal(vectors, Counting().encode(texts))


@given(st.lists(st.text(max_size=10), max_size=12))
@settings(max_examples=25, deadline=None)
def test_cached_equals_uncached(texts: list[str]) -> None:
    with SqliteEmbeddingCache(Path(":memory:")) as cache:
        cached = CachedEmbedder(Counting(), cache)
        cached.encode(texts[::2])
        np.testing.assert_array_equal(cached.encode(texts), Counting().encode(texts))


def test_two_models_never_mix(tmp_path: Path) -> None:
    small, large = Counting(8), Counting(16)
    with SqliteEmbeddingCache(tmp_path / "vectors.db") as cache:
        CachedEmbedder(small, cache).encode(["signal"])
        with pytest.raises(EmbeddingMismatchError, match="shape"):
            CachedEmbedder(large, cache).encode(["signal"])
        with pytest.raises(EmbeddingMismatchError, match="8 dimensions, now 16"):
            CachedEmbedder(large, cache).encode(["other"])
        large.model_id = "counting/2"
        assert CachedEmbedder(large, cache).encode(["signal"]).shape == (1, 16)


def test_rows_must_match_keys(tmp_path: Path) -> None:
    with SqliteEmbeddingCache(tmp_path / "vectors.db") as cache:
        with pytest.raises(EmbeddingMismatchError, match="each of 2 keys"):
            cache.put_many("m", ["a", "b"], np.zeros((1, 4), np.float32))
        assert cache.get_many("m", ["a"]) == {}


def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    (tmp_path / "vectors.db").write_bytes(b"text" * 1_000)
    with pytest.raises(WorkspaceError, match="may be deleted"):
        SqliteEmbeddingCache(tmp_path / "vectors.db")


def test_a_place_that_takes_no_writes_is_read_and_told_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "vectors.db"
    with SqliteEmbeddingCache(path) as cache:
        CachedEmbedder(Counting(), cache).encode(["signal"])
    (tmp_path / "vectors.db-wal").mkdir()  # as on a full or read-only disk: nothing can be made there
    (tmp_path / "none.db").symlink_to("/proc/self/fd/none.db")
    for name, computed in (("vectors.db", 1), ("none.db", 2)):
        caplog.clear()
        with SqliteEmbeddingCache(tmp_path / name) as cache:
            inner = Counting()
            embedder = CachedEmbedder(inner, cache)
            assert embedder.encode(["signal", "other"]).shape == (2, inner.dimension)
            assert len(inner.seen) == computed
            embedder.encode(["other"])
        assert [r.getMessage().count("takes no new vectors") for r in caplog.records] == [1]


def test_vectors_for_which_there_is_no_room_are_given_all_the_same(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Full(sqlite3.Connection):
        def executemany(self, *_: object) -> sqlite3.Cursor:
            self.execute("PRAGMA max_page_count = 1")
            self.execute("CREATE TABLE large AS SELECT zeroblob(1000000) AS bytes")
            raise AssertionError("there was room")

    monkeypatch.setattr(sqlite3, "connect", partial(sqlite3.connect, factory=Full))
    with SqliteEmbeddingCache(tmp_path / "vectors.db") as cache:
        assert CachedEmbedder(Counting(), cache).encode(["signal", "other"]).shape[0] == 2
        assert cache.get_many(Counting().model_id, [text_key("signal")]) == {}
    assert "disk is full" in caplog.text


def test_a_cache_that_becomes_unusable_is_done_without_and_told_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with SqliteEmbeddingCache(tmp_path / "vectors.db") as cache:
        inner = Counting()
        embedder = CachedEmbedder(inner, cache)
        embedder.encode(["signal"])
        cache._db.executescript("DROP TABLE embeddings; CREATE TABLE embeddings (model)")
        with pytest.raises(WorkspaceError, match="may be deleted"):
            cache.get_many(inner.model_id, [text_key("signal")])
        for _ in range(2):
            np.testing.assert_array_equal(embedder.encode(["signal"]), Counting().encode(["signal"]))
        assert inner.seen == ["signal"] * 3
    assert [r.getMessage().count("computed and not kept") for r in caplog.records] == [1]


def test_threads_share_one_cache(tmp_path: Path) -> None:
    texts = [f"text {n}" for n in range(200)]
    with SqliteEmbeddingCache(tmp_path / "vectors.db") as cache:
        results: list[NDArray[np.float32]] = []
        workers = [
            threading.Thread(target=lambda: results.append(CachedEmbedder(Counting(), cache).encode(texts)))
            for _ in range(4)
        ]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        assert len(results) == 4
        for vectors in results:
            np.testing.assert_array_equal(vectors, results[0])


@pytest.mark.timeout(120)
def test_a_hundred_thousand_lookups_find_all(tmp_path: Path) -> None:
    keys = [text_key(str(n)) for n in range(100_000)]
    with SqliteEmbeddingCache(tmp_path / "vectors.db") as cache:
        for start in range(0, len(keys), 20_000):
            cache.put_many("m", keys[start : start + 20_000], np.full((20_000, 384), start, np.float32))
        found = cache.get_many("m", keys)
    assert len(found) == len(keys)
    assert found[keys[-1]][0] == 80_000
