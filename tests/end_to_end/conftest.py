"""A command line that runs in this process, small corpora, and the one database, empty."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from kg.adapters.neo4j_connection import Connection, connect
from kg.adapters.neo4j_store import Neo4jStore
from kg.cli import main
from kg.neo4j_server import Neo4jEndpoint

ROOT = Path(__file__).resolve().parents[2]
FAST = '\n[embedder]\nprefer = "tfidf"\n'
NOTES = {
    "first.md": """# Mass of the B_s0 meson

The mass of the $B_s^0$ meson is determined with $B_s^0 \\to J/\\psi \\phi$ decays.
The mass of the $B_s^0$ meson is measured to be 5366.9 ± 0.3 MeV.
The dominant systematic uncertainty is due to the momentum scale calibration.
""",
    "second.md": """# Lifetime of the B_s0 meson

The mean life of the $B_s^0$ meson is measured with $B_s^0 \\to J/\\psi \\phi$ decays.
The mean life of the $B_s^0$ meson is measured to be 1.51 ± 0.02 ps.
The dominant systematic uncertainty is due to the momentum scale calibration.
""",
}


@dataclass(frozen=True, slots=True)
class Result:
    """How a command ended and what it printed."""

    code: int
    out: str
    err: str

    @property
    def data(self) -> Any:
        return json.loads(self.out)

    @property
    def text(self) -> str:
        """Everything printed, white space joined."""
        return " ".join((self.out + self.err).split())


class CommandLine:
    """``kg`` in this process (fast) or as a process of its own (to be killed)."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self._monkeypatch, self._capsys = monkeypatch, capsys

    def __call__(self, *arguments: object, columns: int = 200) -> Result:
        self._monkeypatch.setattr(sys, "argv", ["kg", *map(str, arguments)])
        self._monkeypatch.setenv("COLUMNS", str(columns))
        self._capsys.readouterr()
        try:
            main()
            code = 0
        except SystemExit as e:
            code = e.code if isinstance(e.code, int) else int(e.code is not None)
        captured = self._capsys.readouterr()
        assert "Traceback" not in captured.out + captured.err
        return Result(code, captured.out, captured.err)

    def process(self, *arguments: object, **environment: str) -> subprocess.Popen[str]:
        """The command as a process in a session of its own."""
        return subprocess.Popen(
            [sys.executable, "-m", "kg", *map(str, arguments)],
            cwd=ROOT,
            env={**os.environ, **environment},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )


@pytest.fixture
def kg(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    """The command line."""
    return CommandLine(monkeypatch, capsys)


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """The LaTeX example and two notes that share a decay and an uncertainty source."""
    folder = tmp_path / "corpus"
    shutil.copytree(ROOT / "examples" / "oscillation", folder / "oscillation")
    for name, text in NOTES.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def workspace(tmp_path: Path, kg: CommandLine) -> Path:
    """A new workspace with the fastest embedder, a server that starts soon and no worker processes."""
    root = tmp_path / "ws"
    assert kg("init", root).code == 0
    settings = root / "kg.toml"
    text = settings.read_text(encoding="utf-8").replace("rules = true\n", "rules = true\nworkers = 1\n")
    text = text.replace('heap = "1g"\n', 'heap = "512m"\njit = "quick"\n')
    settings.write_text(text + FAST, encoding="utf-8")
    return root


def _wipe(connection: Connection) -> None:
    found = Neo4jStore(connection, workspace="unknown").marker()
    if found is not None:
        Neo4jStore(connection, workspace=found.id).wipe()


@pytest.fixture
def database(neo4j_endpoint: Neo4jEndpoint, monkeypatch: pytest.MonkeyPatch) -> Iterator[Connection]:
    """The database of the run, empty before and after, named to the program by the environment."""
    e = neo4j_endpoint
    names: Mapping[str, str] = {
        "NEO4J_URI": e.uri,
        "NEO4J_USERNAME": e.username,
        "NEO4J_PASSWORD": e.password,
        "NEO4J_DATABASE": e.database,
    }
    for name, value in names.items():
        monkeypatch.setenv(name, value)
    with connect(e.uri, e.username, e.password, database=e.database) as opened:
        _wipe(opened)
        yield opened
        _wipe(opened)
