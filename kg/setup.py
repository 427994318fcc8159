"""Prepare the per-user cache: Neo4j's jars, Java's archive of their classes, embedding model, thesaurus."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from kg.model_files import ensure_models
from kg.neo4j_archive import ensure_archive
from kg.neo4j_lock import load_lock
from kg.neo4j_server import ManagedNeo4j
from kg.thesaurus_files import ensure_thesaurus
from schemas.errors import ServerStartError


def ensure_or_note(cache: Path, *, note: Callable[[str], None]) -> None:
    """Make the thesaurus, or tell why it is not there: without it only words of foreign graphs are lost."""
    try:
        ensure_thesaurus(cache, note=note)
    except ServerStartError as e:
        note(f"going on without the thesaurus, so words that a foreign graph does not have stay unknown: {e}")


def prepare(cache: Path, *, archive: bool = False, note: Callable[[str], None]) -> None:
    """Download what is missing and check everything against the locks; leaves nothing running.

    Args:
        cache: the per-user cache folder.
        archive: make what lets Neo4j start sooner as well, in half a minute the first time.
        note: told what takes time, one line each.

    Raises:
        ServerStartError: Java or a jar cannot be had.
    """
    runtime = ManagedNeo4j(cache / "none", cache=cache).prepare(note=note)
    ensure_models(cache, static=True, note=note)
    ensure_or_note(cache, note=note)
    if archive:
        ensure_archive(load_lock(), cache, note=note)
    note(f"ready: Neo4j {runtime.version} on {runtime.java}, models in {cache}")
