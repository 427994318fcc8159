"""Runs what the pages say: console blocks in a folder, one after the other, and compares what they show."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from kg.adapters.neo4j_connection import connect
from kg.adapters.neo4j_store import Neo4jStore
from kg.neo4j_server import Neo4jEndpoint

ROOT = Path(__file__).resolve().parents[2]
FENCE = re.compile(
    r"^(?:<!-- file: (?P<file>[\w.\-/]+) -->\n)?```(?P<kind>\w*)\n(?P<body>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
NOT_RUN = frozenset({"make test"})
"""Running the tests inside the tests would not end."""
COMMAND_SECONDS = 900


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block of a page; ``file`` is the name under which a reader saves it."""

    kind: str
    body: str
    file: str = ""


@dataclass(frozen=True, slots=True)
class Command:
    """A command of a console block, and the output lines that the page shows under it."""

    line: str
    shown: tuple[str, ...]


def blocks(page: Path) -> tuple[Block, ...]:
    """All fenced blocks of a page, in order."""
    found = FENCE.finditer(page.read_text(encoding="utf-8"))
    return tuple(Block(m["kind"], m["body"], m["file"] or "") for m in found)


def commands(body: str) -> tuple[Command, ...]:
    """``$ command`` lines, each with what follows until the next."""
    parts = re.split(r"^\$ ", body.replace("\\\n", ""), flags=re.MULTILINE)[1:]
    return tuple(Command(p.splitlines()[0], tuple(p.splitlines()[1:])) for p in parts)


def missing(shown: tuple[str, ...], real: str) -> list[str]:
    """Shown lines that do not occur in the real output, in order; ``…`` stands for anything."""
    text, at, absent = " ".join(real.split()), 0, []
    for line in shown:
        for part in (" ".join(p.split()) for p in line.split("…")):
            found = text.find(part, at) if part else at
            if found < 0:
                absent.append(line)
                break
            at = found + len(part)
    return absent


@dataclass(slots=True)
class Reader:
    """Someone who follows a page in ``folder``; exported variables last from command to command."""

    folder: Path
    environment: dict[str, str]
    replaced: dict[str, str] = field(default_factory=dict)
    """Text on the page -> what this machine has in its place (addresses, passwords)."""

    def follow(self, page: Path, *, after: Callable[[str, str], None] | None = None) -> list[str]:
        """Run every command of the page; returns the commands, fails on the first that is not as told."""
        done: list[str] = []
        for block in blocks(page):
            if block.file:
                (self.folder / block.file).write_text(block.body, encoding="utf-8")
            if block.kind != "console":
                continue
            found = commands(block.body)
            assert found, f"{page.name}: a console block without a command: {block.body[:80]!r}"
            for command in found:
                if command.line not in NOT_RUN:
                    output = self.run(command, page)
                    done.append(command.line)
                    if after is not None:
                        after(command.line, output)
        return done

    @staticmethod
    def absent(shown: tuple[str, ...], real: str) -> list[str]:
        """As :func:`missing`."""
        return missing(shown, real)

    def run(self, command: Command, page: Path) -> str:
        """Run one command and compare its output with what the page shows."""
        line = command.line
        for told, here in self.replaced.items():
            line = line.replace(told, here)
        kept = self.folder / ".environment"
        done = subprocess.run(
            ["bash", "-c", f"{line}\nstatus=$?\nenv -0 > {kept}\nexit $status"],
            cwd=self.folder,
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=COMMAND_SECONDS,
            check=False,
        )
        told = f"{page.name}: $ {command.line}\n{done.stdout}\n{done.stderr}"
        assert done.returncode == 0, f"exit status {done.returncode} of {told}"
        absent = missing(command.shown, done.stdout + done.stderr)
        assert not absent, f"not in the output: {absent} of {told}"
        pairs = kept.read_bytes().decode().rstrip("\0").split("\0")
        self.environment = dict(p.partition("=")[::2] for p in pairs)
        return done.stdout + done.stderr


def newcomer(folder: Path) -> dict[str, str]:
    """The environment of someone whose virtual environment is active."""
    own = {k: v for k, v in os.environ.items() if not k.startswith(("NEO4J_", "KG_W", "KG_CHAT", "PYTEST"))}
    return own | {
        "PATH": f"{Path(sys.executable).parent}:{own['PATH']}",
        "COLUMNS": "100",
        "PWD": str(folder),
    }


def wipe(endpoint: Neo4jEndpoint) -> None:
    """Remove whatever workspace the database of the test run holds."""
    with connect(endpoint.uri, endpoint.username, endpoint.password, database=endpoint.database) as opened:
        found = Neo4jStore(opened, workspace="unknown").marker()
        if found is not None:
            Neo4jStore(opened, workspace=found.id).wipe()


@pytest.fixture
def clean_database(neo4j_endpoint: Neo4jEndpoint) -> Iterator[Neo4jEndpoint]:
    """The database of the test run, empty before and after."""
    wipe(neo4j_endpoint)
    yield neo4j_endpoint
    wipe(neo4j_endpoint)


def with_neo4j(environment: Mapping[str, str], endpoint: Neo4jEndpoint) -> dict[str, str]:
    """The environment with the address of a Neo4j of one's own."""
    return {
        **environment,
        "NEO4J_URI": endpoint.uri,
        "NEO4J_USERNAME": endpoint.username,
        "NEO4J_PASSWORD": endpoint.password,
    }


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """What a newcomer has: the tracked files, and an environment that `make` takes for finished."""
    copy = tmp_path / "corpusgraph"
    copy.mkdir()
    for name in ("Makefile", "pyproject.toml", "README.md"):
        shutil.copy2(ROOT / name, copy / name)
    for name in ("requirements", "examples", "scripts"):
        shutil.copytree(ROOT / name, copy / name)
    (copy / ".venv").mkdir()
    (copy / ".venv" / "bin").symlink_to(Path(sys.executable).parent)
    for stage in ("uv", "run", "dev"):
        (copy / ".venv" / f"{stage}.done").touch()
    return copy


@pytest.fixture
def reader(tmp_path: Path, clean_database: Neo4jEndpoint) -> Callable[[Path], Reader]:
    """Makes a reader in a folder, whose Neo4j is the one of the test run."""

    def make(folder: Path) -> Reader:
        return Reader(folder, with_neo4j(newcomer(folder), clean_database))

    return make


@pytest.fixture
def page_blocks() -> Callable[[Path], tuple[Block, ...]]:
    """The fenced blocks of a page."""
    return blocks


@pytest.fixture
def plain_environment() -> Callable[[Path], dict[str, str]]:
    """The environment of a newcomer without a Neo4j of their own."""
    return newcomer
