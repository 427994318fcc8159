"""Fetch locked jars: by the machine's Maven where there is one, else by jgo's resolver in Python.

Both are handed the exact coordinates of the lock, so neither resolves anything, and both lay the jars
out as a Maven repository. No download host is named here: Maven follows the user's own settings and
mirrors, jgo its built-in repository. What arrives is believed only after its SHA-256 was compared.
"""

from __future__ import annotations

import logging
import shutil
import subprocess
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

from kg.neo4j_lock import Jar
from schemas.errors import ServerStartError, TransientServiceError

log = logging.getLogger(__name__)

NEO4J = "the jars of the managed Neo4j"
MAVEN_TIMEOUT = 1800
"""Seconds for one run of Maven: 137 MB take about 40 s on a fast line."""
JGO_WORKERS = 4
JGO_ATTEMPTS = 3


def fetch(
    jars: Sequence[Jar],
    target: Path,
    *,
    what: str = NEO4J,
    note: Callable[[str], None],
) -> None:
    """Put ``jars`` below ``target`` in the layout of a Maven repository; digests are not compared here.

    Uses ``mvn`` from the search path; without it, or when it fails, jgo. ``what`` is told of them.

    Raises:
        ServerStartError: no transport could bring every jar.
    """
    failures: list[str] = []
    if maven := shutil.which("mvn"):
        note(f"fetching {what} with Maven ({maven})")
        try:
            return fetch_with_maven(jars, target, maven=maven)
        except TransientServiceError as error:
            failures.append(str(error))
            note(f"Maven failed, trying jgo: {error}")
    else:
        note(f"fetching {what} with jgo (no mvn on the search path)")
    try:
        return fetch_with_jgo(jars, target)
    except TransientServiceError as error:
        failures.append(str(error))
        raise ServerStartError(
            f"{what[0].upper()}{what[1:]} could not be fetched: "
            + "; ".join(failures)
            + ". Check the network (Maven reads proxies and mirrors from ~/.m2/settings.xml), then repeat"
            + ("; or set a Neo4j of your own in kg.toml." if what == NEO4J else ".")
        ) from error


def fetch_with_maven(jars: Sequence[Jar], target: Path, *, maven: str) -> None:
    """Let Maven copy exactly these jars, without what they depend on (the lock has it already).

    Raises:
        TransientServiceError: Maven could not be run, failed or took longer than ``MAVEN_TIMEOUT``.
    """
    target.mkdir(parents=True, exist_ok=True)
    pom = target / "pom.xml"
    pom.write_text(_pom(jars), encoding="utf-8")
    try:
        done = subprocess.run(  # noqa: S603
            maven_command(maven, pom, target),
            capture_output=True,
            text=True,
            errors="replace",
            stdin=subprocess.DEVNULL,
            timeout=MAVEN_TIMEOUT,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise TransientServiceError(f"{maven} did not finish: {error}") from error
    if done.returncode:
        tail = (done.stdout + done.stderr).strip()[-500:]
        raise TransientServiceError(f"{maven} ended with code {done.returncode}: {tail}")


def maven_command(maven: str, pom: Path, target: Path) -> list[str]:
    """The command that copies the dependencies of ``pom`` below ``target``, strict about checksums."""
    return [
        *(maven, "-q", "-B", "-C", "-f", str(pom), "dependency:copy-dependencies"),
        *("-DincludeScope=runtime", f"-DoutputDirectory={target}", "-Dmdep.useRepositoryLayout=true"),
    ]


def fetch_with_jgo(jars: Sequence[Jar], target: Path) -> None:
    """Let jgo download each jar by its coordinate, four at a time.

    Raises:
        TransientServiceError: jgo is missing, or a jar could not be had in three attempts.
    """
    try:
        from jgo.maven import MavenContext
    except ImportError as error:
        raise TransientServiceError("jgo is not installed (pip install jgo)") from error
    context = MavenContext(repo_cache=target, timeout=30)
    with ThreadPoolExecutor(JGO_WORKERS) as pool:
        for _ in pool.map(partial(_download, context, target), jars):
            pass


def _download(context: Any, target: Path, jar: Jar) -> None:
    artifact = context.project(jar.group, jar.artifact).at_version(jar.version)
    for attempt in range(1, JGO_ATTEMPTS + 1):
        try:
            artifact.artifact(jar.classifier, "jar").resolve()
        except (OSError, RuntimeError) as error:  # requests' errors are OSErrors
            (target / jar.path).unlink(missing_ok=True)  # jgo leaves a broken-off file behind as if whole
            log.info("attempt %d for %s failed: %s", attempt, jar.coordinate, error)
            if attempt == JGO_ATTEMPTS:
                raise TransientServiceError(f"jgo could not fetch {jar.coordinate}: {error}") from error
        else:
            return


def _pom(jars: Sequence[Jar]) -> str:
    return (
        "<project><modelVersion>4.0.0</modelVersion><groupId>corpusgraph</groupId>"
        "<artifactId>neo4j-runtime</artifactId><version>1</version><dependencies>\n"
        + "\n".join(map(_dependency, jars))
        + "\n</dependencies></project>\n"
    )


def _dependency(jar: Jar) -> str:
    classifier = f"<classifier>{escape(jar.classifier)}</classifier>" if jar.classifier else ""
    return (
        f"<dependency><groupId>{escape(jar.group)}</groupId><artifactId>{escape(jar.artifact)}</artifactId>"
        f"<version>{escape(jar.version)}</version>{classifier}"
        "<exclusions><exclusion><groupId>*</groupId><artifactId>*</artifactId></exclusion></exclusions>"
        "</dependency>"
    )
