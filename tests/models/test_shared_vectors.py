"""Vectors shared by a user's workspaces: the same bits, whoever writes, is killed, or damages the file."""

from __future__ import annotations

import fcntl
import logging
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import closing
from importlib.metadata import version
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from kg.adapters import shared_vectors
from kg.adapters.embedders import EmbedderSettings, open_embedder
from kg.adapters.onnx_embedder import OnnxEmbedder
from kg.adapters.shared_vectors import SharedVectors, fingerprint, vectors_file
from kg.model_files import ModelFiles
from schemas.errors import EmbeddingMismatchError

ROOT = Path(__file__).resolve().parents[2]
TEXTS = ["signal shape", "K+ pi-", "signal shape", "", "trigger efficiency", "π⁰ → γγ"]
WRITER = """
import sys, numpy as np
from pathlib import Path
from kg.adapters.shared_vectors import SharedVectors
first, last = int(sys.argv[2]), int(sys.argv[3])
kept = SharedVectors(Path(sys.argv[1]), limit_mb=64, lock_seconds=60)
for n in range(first, last):
    keys = [str(k) for k in range(n, n + 20)]
    kept.put_many("m", keys, np.array([[float(k)] * 8 for k in keys], np.float32))
    found = kept.get_many("m", keys)
    assert sorted(found) == sorted(keys), (n, sorted(found))
    assert all((found[k] == float(k)).all() for k in keys)
"""
KILLED = """
import os, signal, sys, numpy as np
from pathlib import Path
from kg.adapters import shared_vectors
def killing(db, limit):
    db.execute("PRAGMA cache_spill = 1")
    os.kill(os.getpid(), signal.SIGKILL)
shared_vectors._drop_oldest = killing
kept = shared_vectors.SharedVectors(Path(sys.argv[1]), limit_mb=64)
keys = [f"new {n}" for n in range(20_000)]
kept.put_many("m", keys, np.ones((len(keys), 384), np.float32))
"""


@pytest.fixture
def own_cache(tmp_path: Path, model_cache: Path, model_files: ModelFiles) -> Path:
    """A per-user cache with the models and no vectors yet."""
    cache = tmp_path / "cache"
    cache.mkdir()
    (cache / "models").symlink_to(model_cache / "models")
    return cache


@pytest.fixture
def embedded(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts that reach the model."""
    seen: list[str] = []
    encode = OnnxEmbedder.encode

    def counted(self: OnnxEmbedder, texts: Sequence[str]) -> NDArray[np.float32]:
        seen.extend(texts)
        return encode(self, texts)

    monkeypatch.setattr(OnnxEmbedder, "encode", counted)
    return seen


def in_workspace(cache: Path, vectors: Path, **settings: int) -> NDArray[np.float32]:
    """The vectors of ``TEXTS`` as a workspace whose own are in ``vectors`` gets them."""
    wanted = EmbedderSettings(prefer="onnx", **settings)
    with open_embedder(wanted, cache, vectors=vectors) as embedder:
        return embedder.encode(TEXTS)


def rows(count: int, value: float = 1.0) -> NDArray[np.float32]:
    return np.full((count, 8), value, np.float32)


def test_a_second_workspace_computes_nothing_and_gets_the_same_bits(
    own_cache: Path, tmp_path: Path, embedded: list[str]
) -> None:
    alone = in_workspace(own_cache, tmp_path / "alone.db", share_mb=0)
    assert not vectors_file(own_cache).exists()
    embedded.clear()
    first = in_workspace(own_cache, tmp_path / "first.db", threads=1)
    assert sorted(embedded) == sorted(set(TEXTS))
    embedded.clear()
    second = in_workspace(own_cache, tmp_path / "second.db", threads=2)
    assert embedded == []
    assert alone.tobytes() == first.tobytes() == second.tobytes()
    kept = [list(closing_rows(tmp_path / f"{name}.db")) for name in ("alone", "first", "second")]
    assert kept[0] == kept[1] == kept[2]


def closing_rows(path: Path) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(path)) as db:
        return db.execute("SELECT * FROM embeddings ORDER BY rowid").fetchall()


def test_without_sharing_what_is_shared_is_not_read(
    own_cache: Path, tmp_path: Path, embedded: list[str]
) -> None:
    in_workspace(own_cache, tmp_path / "first.db")
    embedded.clear()
    in_workspace(own_cache, tmp_path / "second.db", share_mb=0)
    assert sorted(embedded) == sorted(set(TEXTS))


def test_only_vectors_that_do_not_depend_on_their_batch_are_shared(own_cache: Path, tmp_path: Path) -> None:
    settings = EmbedderSettings(prefer="tfidf")
    with open_embedder(settings, own_cache, vectors=tmp_path / "own.db") as embedder:
        embedder.encode(TEXTS)
    assert not vectors_file(own_cache).exists()


def test_the_fingerprint_holds_all_that_decides_the_bits(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    usual = fingerprint("a model/1")
    assert usual == fingerprint("a model/1") != fingerprint("a model/2")
    with monkeypatch.context() as changed:
        changed.setattr(shared_vectors, "_processor", lambda: "another")
        assert fingerprint("a model/1") != usual
    for library in ("onnxruntime", "tokenizers", "numpy"):
        versions = {name: version(name) for name in ("onnxruntime", "tokenizers", "numpy")} | {library: "99"}
        with monkeypatch.context() as changed:
            changed.setattr(shared_vectors, "version", versions.__getitem__)
            assert fingerprint("a model/1") != usual
    code = tmp_path / "onnx_embedder.py"
    code.write_bytes(Path(shared_vectors.onnx_embedder.__file__).read_bytes() + b"\n")
    with monkeypatch.context() as changed:
        changed.setattr(shared_vectors.onnx_embedder, "__file__", str(code))
        assert fingerprint("a model/1") != usual


def test_makers_never_mix_and_the_first_vector_stays(tmp_path: Path) -> None:
    kept = SharedVectors(tmp_path / "v.db", limit_mb=8)
    kept.put_many("one", ["k"], rows(1, 1))
    kept.put_many("two", ["k"], rows(1, 2))
    kept.put_many("one", ["k", "l"], rows(2, 3))
    assert [float(kept.get_many(m, ["k"])["k"][0]) for m in ("one", "two")] == [1, 2]
    assert sorted(kept.get_many("one", ["k", "l", "m"])) == ["k", "l"]
    assert kept.get_many("three", ["k"]) == {}
    assert (tmp_path / "v.db").stat().st_mode & 0o777 == 0o600
    with pytest.raises(EmbeddingMismatchError, match="each of 2 keys"):
        kept.put_many("one", ["x", "y"], rows(1))


def not_a_database(path: Path) -> None:
    path.write_bytes(b"text" * 5_000)


def cut_short(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2)


def another_bit(path: Path) -> None:
    content = path.read_bytes()
    vector = rows(1, 7).tobytes()
    assert content.count(vector) == 1
    path.write_bytes(content.replace(vector, rows(1, 8).tobytes()))


def other_tables(path: Path) -> None:
    path.unlink()
    with closing(sqlite3.connect(path)) as db:
        db.executescript("CREATE TABLE vectors (name TEXT); CREATE TABLE makers (name TEXT)")


@pytest.mark.parametrize("damage", [not_a_database, cut_short, another_bit, other_tables])
def test_a_damaged_file_is_told_and_made_anew(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, damage: Callable[[Path], None]
) -> None:
    path = tmp_path / "v.db"
    kept = SharedVectors(path, limit_mb=8)
    keys = [f"key {n}" for n in range(2_000)]
    kept.put_many("m", keys, rows(len(keys)))
    kept.put_many("m", ["seven"], rows(1, 7))
    damage(path)
    assert kept.get_many("m", [*keys, "seven"]) == {}
    assert "was damaged" in caplog.text
    assert "made anew" in caplog.text
    caplog.clear()
    kept.put_many("m", ["seven"], rows(1, 7))
    assert kept.get_many("m", ["seven"])["seven"].tobytes() == rows(1, 7).tobytes()
    assert caplog.text == ""


def test_a_damaged_file_does_not_end_a_build(
    own_cache: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    wanted = in_workspace(own_cache, tmp_path / "first.db")
    not_a_database(vectors_file(own_cache))
    assert in_workspace(own_cache, tmp_path / "second.db").tobytes() == wanted.tobytes()
    assert "was damaged" in caplog.text


def test_what_one_thread_made_anew_no_other_removes(tmp_path: Path) -> None:
    path = tmp_path / "v.db"
    not_a_database(path)
    together = threading.Barrier(8)

    def put(n: int) -> None:
        kept = SharedVectors(path, limit_mb=8, lock_seconds=60)
        together.wait(30)
        kept.put_many("m", [str(n)], rows(1, n))

    workers = [threading.Thread(target=put, args=(n,)) for n in range(8)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    found = SharedVectors(path, limit_mb=8).get_many("m", [str(n) for n in range(8)])
    assert {key: float(vector[0]) for key, vector in found.items()} == {str(n): n for n in range(8)}


def test_a_place_that_cannot_be_used_is_told_once(
    own_cache: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture, embedded: list[str]
) -> None:
    (own_cache / "vectors").write_text("a file, not a folder")
    with caplog.at_level(logging.WARNING):
        first = in_workspace(own_cache, tmp_path / "first.db")
    assert first.shape == (len(TEXTS), 384)
    assert [r.getMessage().count("share_mb = 0") for r in caplog.records] == [1]
    kept = SharedVectors(vectors_file(own_cache), limit_mb=8)
    kept.put_many("m", ["k"], rows(1))
    kept.put_many("m", ["l"], rows(1))
    assert kept.get_many("m", ["k"]) == {}
    assert len(caplog.records) == 2


def test_a_command_that_holds_the_file_stops_no_other(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "v.db"
    SharedVectors(path, limit_mb=8).put_many("m", ["k"], rows(1))
    with path.with_suffix(".lock").open("ab") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        assert SharedVectors(path, limit_mb=8, lock_seconds=0.05).get_many("m", ["k"]) == {}
    assert "another command has held it" in caplog.text
    assert list(SharedVectors(path, limit_mb=8).get_many("m", ["k"])) == ["k"]


def test_above_the_limit_the_oldest_go(tmp_path: Path) -> None:
    path, limit = tmp_path / "v.db", 2
    kept = SharedVectors(path, limit_mb=limit)
    for part in range(12):
        keys = [f"{part} {n}" for n in range(200)]
        kept.put_many("m", keys, np.full((200, 384), part, np.float32))
        assert path.stat().st_size <= (limit << 20) + 400_000
        assert len(kept.get_many("m", keys)) == 200
    found = kept.get_many("m", [f"{part} {n}" for part in range(12) for n in range(200)])
    assert 600 <= len(found) < 2_000
    last = 2_400 - len(found)
    assert set(found) == {f"{n // 200} {n % 200}" for n in range(last, 2_400)}
    smaller = SharedVectors(path, limit_mb=1)
    smaller.put_many("m", ["one more"], rows(1))
    assert path.stat().st_size <= 1 << 20


def test_processes_write_and_read_at_once(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "deeper" / "v.db"
    spans = ((0, 60), (30, 90), (60, 120))
    running = [
        subprocess.Popen(
            [sys.executable, "-c", WRITER, str(path), str(first), str(last)],
            cwd=ROOT,
            stderr=subprocess.PIPE,
            text=True,
        )
        for first, last in spans
    ]
    told = [process.communicate(timeout=120)[1] for process in running]
    assert [process.returncode for process in running] == [0, 0, 0], told
    assert told == ["", "", ""]
    keys = [str(n) for n in range(139)]
    found = SharedVectors(path, limit_mb=64).get_many("m", keys)
    assert {key: float(vector[0]) for key, vector in found.items()} == {key: float(key) for key in keys}
    assert caplog.text == ""


def test_a_killed_writer_leaves_what_was_there(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "v.db"
    kept = SharedVectors(path, limit_mb=64)
    kept.put_many("m", ["old"], rows(1, 5))
    command = [sys.executable, "-c", KILLED, str(path)]
    assert subprocess.run(command, cwd=ROOT, check=False, timeout=120).returncode == -signal.SIGKILL
    assert path.with_name("v.db-journal").stat().st_size > 0, "it was not killed inside a transaction"
    copy = tmp_path / "copy.db"
    for suffix in ("", "-journal"):
        shutil.copy(path.with_name(path.name + suffix), copy.with_name(copy.name + suffix))
    for file in (path, copy):  # a reader comes next, or a writer
        after = SharedVectors(file, limit_mb=64)
        if file is copy:
            after.put_many("m", ["next"], rows(1, 6))
        keys = ["old", "next", *(f"new {n}" for n in range(20_000))]
        assert set(after.get_many("m", keys)) == ({"old", "next"} if file is copy else {"old"})
        assert after.get_many("m", ["old"])["old"].tobytes() == rows(1, 5).tobytes()
    assert caplog.text == ""
