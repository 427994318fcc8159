"""The lock of the managed Neo4j: the coordinates and SHA-256 of every jar on its class path.

The lock is ``kg/data/neo4j.lock``, made by ``scripts/lock_neo4j.py``. Because it names each jar with its
digest, whatever fetches the jars is only a means of transport. A line is one of::

    root GROUP:ARTIFACT:VERSION
    jar GROUP:ARTIFACT:VERSION[:CLASSIFIER] SHA256 BYTES
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from importlib import resources
from pathlib import PurePosixPath

from schemas.errors import DataError

SERVER = "org.neo4j:neo4j"
"""The root whose version is the version of the server."""


@dataclass(frozen=True, slots=True)
class Jar:
    """One jar of the class path."""

    group: str
    artifact: str
    version: str
    classifier: str
    sha256: str
    size: int
    """Bytes."""

    @property
    def coordinate(self) -> str:
        """``group:artifact:version``, with ``:classifier`` where there is one."""
        return ":".join(p for p in (self.group, self.artifact, self.version, self.classifier) if p)

    @property
    def path(self) -> PurePosixPath:
        """Where a Maven repository keeps it, relative to the repository's root.

        >>> Jar("org.neo4j", "neo4j", "5.26.31", "", "0" * 64, 1).path
        PurePosixPath('org/neo4j/neo4j/5.26.31/neo4j-5.26.31.jar')
        """
        suffix = f"-{self.classifier}" if self.classifier else ""
        name = f"{self.artifact}-{self.version}{suffix}.jar"
        return PurePosixPath(*self.group.split("."), self.artifact, self.version, name)


@dataclass(frozen=True, slots=True)
class Lock:
    """What the managed Neo4j consists of."""

    roots: tuple[str, ...]
    """The coordinates that were asked for."""
    jars: tuple[Jar, ...]
    """They and all they need, sorted by coordinate."""

    @property
    def version(self) -> str:
        """Version of the server.

        Raises:
            DataError: no root is ``org.neo4j:neo4j``.
        """
        for root in self.roots:
            if root.startswith(f"{SERVER}:"):
                return root.rsplit(":", 1)[1]
        raise DataError(
            f"neo4j.lock has no line 'root {SERVER}:VERSION'. Make it with scripts/lock_neo4j.py."
        )

    @property
    def text(self) -> str:
        """The lock as a file.

        >>> lock = Lock(("org.neo4j:neo4j:5.26.31",), (Jar("g", "a", "1", "", "0" * 64, 7),))
        >>> parse_lock(lock.text) == lock
        True
        """
        lines = ["# Made by scripts/lock_neo4j.py: do not edit.", *(f"root {root}" for root in self.roots)]
        lines += [f"jar {jar.coordinate} {jar.sha256} {jar.size}" for jar in self.jars]
        return "\n".join(lines) + "\n"

    @property
    def digest(self) -> str:
        """SHA-256 of ``text``, in hexadecimal: changes when any jar changes."""
        return hashlib.sha256(self.text.encode()).hexdigest()


def parse_lock(text: str) -> Lock:
    """Read the lines of a lock; blank lines and lines starting with ``#`` are skipped.

    Raises:
        DataError: a line is not in the form of this module's docstring.
    """
    roots: list[str] = []
    jars: list[Jar] = []
    for number, line in enumerate(text.splitlines(), 1):
        match line.split():
            case []:
                continue
            case [word, *_] if word.startswith("#"):
                continue
            case ["root", coordinate] if coordinate.count(":") == 2:
                roots.append(coordinate)
            case ["jar", coordinate, sha256, size] if size.isdecimal() and _is_sha256(sha256):
                jars.append(_jar(number, coordinate, sha256, int(size)))
            case _:
                raise _malformed(number, line)
    return Lock(tuple(roots), tuple(sorted(jars, key=lambda jar: jar.coordinate)))


def load_lock() -> Lock:
    """The lock that ships with this package."""
    return parse_lock(resources.files("kg").joinpath("data/neo4j.lock").read_text(encoding="utf-8"))


def _jar(number: int, coordinate: str, sha256: str, size: int) -> Jar:
    parts = coordinate.split(":")
    if len(parts) not in (3, 4) or not all(parts) or any(p.startswith(".") or "/" in p for p in parts):
        raise _malformed(number, coordinate)
    group, artifact, version = parts[:3]
    return Jar(group, artifact, version, parts[3] if len(parts) == 4 else "", sha256, size)


def _is_sha256(word: str) -> bool:
    return len(word) == 64 and set(word) <= set("0123456789abcdef")


def _malformed(number: int, found: str) -> DataError:
    expected = "'root GROUP:ARTIFACT:VERSION' or 'jar GROUP:ARTIFACT:VERSION[:CLASSIFIER] SHA256 BYTES'"
    return DataError(f"neo4j.lock:{number}: expected {expected}, found {found!r}. Restore the file.")
