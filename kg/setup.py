"""Prepare the per-user cache: Neo4j's jars and the embedding model."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from kg.model_files import ensure_models
from kg.neo4j_server import ManagedNeo4j


def prepare(cache: Path, *, note: Callable[[str], None]) -> None:
    """Download what is missing and check everything against the locks; nothing is started."""
    runtime = ManagedNeo4j(cache / "none", cache=cache).prepare(note=note)
    ensure_models(cache, static=True, note=note)
    note(f"ready: Neo4j {runtime.version} on {runtime.java}, models in {cache}")
