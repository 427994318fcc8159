"""The archive of Neo4j's classes: made once, taken when it fits, and never in the way."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from kg import neo4j_archive
from kg.neo4j_archive import ensure_archive
from kg.neo4j_config import Memory, server_command
from kg.neo4j_lock import Lock, load_lock
from kg.neo4j_runtime import Runtime, archive_path, find_java, resolve_runtime
from kg.neo4j_server import ManagedNeo4j, Neo4jEndpoint

LOCK = Lock(("org.neo4j:neo4j:9.9.9",), ())


def runtime_with(folder: Path, script: str) -> Runtime:
    """A runtime whose Java is a shell script."""
    java, jar = folder / "jdk" / "bin" / "java", folder / "a.jar"
    java.parent.mkdir(parents=True)
    java.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    java.chmod(0o755)
    jar.write_bytes(b"jar")
    (folder / "cache" / "neo4j-9.9.9").mkdir(parents=True)
    return Runtime(java, (jar,), "9.9.9")


def test_an_archive_is_of_one_java_and_one_set_of_jars(tmp_path: Path) -> None:
    runtime = runtime_with(tmp_path, "exit 0")
    release, jar = tmp_path / "jdk" / "release", runtime.jars[0]
    first = archive_path(tmp_path, runtime.java, runtime.jars)
    assert first == archive_path(tmp_path, runtime.java, runtime.jars)
    names = {first}
    for path, content in ((release, b"21.0.8"), (release, b"21.0.9"), (jar, b"other jar")):
        path.write_bytes(content)
        names.add(archive_path(tmp_path, runtime.java, runtime.jars))
    os.utime(jar, ns=(1, 1))
    names.add(archive_path(tmp_path, runtime.java, runtime.jars))
    assert len(names) == 5


def test_environments_with_the_same_java_share_an_archive(tmp_path: Path) -> None:
    runtime = runtime_with(tmp_path, "exit 0")
    (tmp_path / "jdk" / "release").write_text("21.0.8", encoding="utf-8")
    shutil.copytree(tmp_path / "jdk", tmp_path / "other")
    other = tmp_path / "other" / "bin" / "java"
    assert archive_path(tmp_path, other, runtime.jars) == archive_path(tmp_path, runtime.java, runtime.jars)


def test_an_archive_is_taken_once_it_is_there(tmp_path: Path) -> None:
    found = resolve_runtime(LOCK, tmp_path, note=print)
    assert found.options == ()
    archive = archive_path(tmp_path / "neo4j-9.9.9", found.java, found.jars)
    archive.write_bytes(b"")
    again = resolve_runtime(LOCK, tmp_path, note=print)
    assert again.options == (f"-XX:SharedArchiveFile={archive}",)
    command = server_command(again, tmp_path, Memory())
    assert command.index(again.options[0]) < command.index("-cp")


@pytest.mark.parametrize("script", ["exit 1", "exit 0"], ids=["fails", "writes nothing"])
def test_a_java_that_makes_no_archive_is_told_and_leaves_nothing(
    script: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    runtime = runtime_with(tmp_path, script)
    monkeypatch.setattr(neo4j_archive, "resolve_runtime", lambda *_, **__: runtime)
    notes: list[str] = []
    assert ensure_archive(LOCK, tmp_path / "cache", note=notes.append) is None
    assert "servers start without one" in notes[-1]
    assert [p.name for p in (tmp_path / "cache" / "neo4j-9.9.9").iterdir()] == ["archive.lock"]


def test_an_archive_is_made_once_and_older_ones_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = '"${2#-XX:SharedArchiveFile=}"'
    runtime = runtime_with(tmp_path, f"echo java > {target}; echo run >> {tmp_path}/runs")
    folder = tmp_path / "cache" / "neo4j-9.9.9"
    (folder / "classes-of-an-older-release.jsa").write_bytes(b"old")

    def end(self: ManagedNeo4j, **_: object) -> bool:
        """What Java does at the end of the server."""
        asked = self.prepare().options[-1]
        Path(asked.removeprefix("-XX:ArchiveClassesAtExit=")).write_bytes(b"classes")
        return True

    monkeypatch.setattr(neo4j_archive, "resolve_runtime", lambda *_, **__: runtime)
    monkeypatch.setattr(ManagedNeo4j, "start", lambda *_, **__: None)
    monkeypatch.setattr(ManagedNeo4j, "stop", end)
    made = ensure_archive(LOCK, tmp_path / "cache", note=print)
    assert (
        made
        == ensure_archive(LOCK, tmp_path / "cache", note=print)
        == archive_path(folder, runtime.java, runtime.jars)
    )
    assert made.read_bytes() == b"classes"
    assert (tmp_path / "runs").read_text(encoding="ascii") == "run\n"
    assert len(list(folder.glob("classes-*"))) == 2


def test_java_runs_with_a_damaged_archive(tmp_path: Path) -> None:
    damaged = tmp_path / "damaged.jsa"
    damaged.write_bytes(os.urandom(100_000))
    done = subprocess.run(
        [str(find_java()), f"-XX:SharedArchiveFile={damaged}", "-version"],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "version" in done.stderr


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_a_server_works_with_the_archive_of_the_set_up(
    neo4j_endpoint: Neo4jEndpoint, user_cache: Path
) -> None:
    options = resolve_runtime(load_lock(), user_cache, note=print).options
    if not options:
        assert not os.environ.get("CI"), "`make test` makes the archive before the tests"
        pytest.skip("no archive: `kg setup` makes it")
    maps = Path(f"/proc/{neo4j_endpoint.pid}/maps").read_text(encoding="utf-8")
    assert options[0].partition("=")[2] in maps
