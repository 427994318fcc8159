"""Builds with vectors of the per-user cache are, byte for byte, those without."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from kg.adapters.neo4j_connection import Connection
from kg.adapters.onnx_embedder import OnnxEmbedder
from kg.adapters.shared_vectors import vectors_file

_VECTORS = (
    "MATCH (n) UNWIND [k IN keys(n) WHERE k ENDS WITH 'embedding'] AS k "
    "RETURN coalesce(n.id, n.key) AS id, k, n[k] AS v ORDER BY id, k"
)


def _made(kg: Any, root: Path, corpus: Path, database: Connection, share: str) -> tuple[Any, ...]:
    """All that a build leaves: the export, the workspace's vectors, and those in Neo4j."""
    assert kg("init", root).code == 0
    settings = root / "kg.toml"
    text = settings.read_text(encoding="utf-8").replace("rules = true\n", "rules = true\nworkers = 1\n")
    settings.write_text(f'{text}\n[embedder]\nprefer = "onnx"\n{share}', encoding="utf-8")
    built = kg("build", corpus, "-w", root)
    assert built.code == 0, built.text
    exported = root / "export.jsonl"
    assert kg("export", exported, "-w", root).code == 0
    with closing(sqlite3.connect(root / "embeddings.db")) as db:
        own = db.execute("SELECT * FROM embeddings ORDER BY rowid").fetchall()
    stored = database.read(_VECTORS)
    assert kg("neo4j", "status", "-w", root).code == 1, "the managed server was not asked for"
    return exported.read_bytes(), own, stored


@pytest.mark.neo4j
def test_a_build_is_the_same_without_with_an_empty_and_with_a_full_cache(
    kg: Any,
    corpus: Path,
    database: Connection,
    user_cache: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    cache = tmp_path / "cache"
    cache.mkdir()
    (cache / "models").symlink_to(user_cache / "models")
    monkeypatch.setenv("KG_CACHE_DIR", str(cache))
    embedded: list[str] = []
    encode = OnnxEmbedder.encode
    monkeypatch.setattr(
        OnnxEmbedder, "encode", lambda self, texts: embedded.extend(texts) or encode(self, texts)
    )
    made, computed = [], []
    for name, share in (("without", "share_mb = 0\n"), ("empty", ""), ("full", "")):
        embedded.clear()
        made.append(_made(kg, tmp_path / name, corpus, database, share))
        computed.append(len(embedded))
        assert vectors_file(cache).exists() == (name != "without")
        database.write("MATCH (n) DETACH DELETE n", {})
    assert made[0][1]
    assert made[0][2]
    assert made[0] == made[1] == made[2]
    assert computed[0] == computed[1] > computed[2] == 0
