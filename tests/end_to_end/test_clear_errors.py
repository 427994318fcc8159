"""What goes wrong is said in one clear message with exit status 1, and nothing is lost."""

from __future__ import annotations

import os
import socket
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from kg.adapters.neo4j_connection import Connection
from kg.files import dump
from kg.workspace import Workspace


@pytest.fixture
def full_port() -> Iterator[int]:
    """A port that another program listens on."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        yield listening.getsockname()[1]


def failed(result: Any, *words: str) -> None:
    assert result.code == 1, result.text
    for word in words:
        assert word in result.text, result.text


def test_bad_files_among_good_ones(kg: Any, workspace: Path, corpus: Path) -> None:
    (corpus / "bad").mkdir()
    broken = "\\documentclass{article}\n\\begin{document}\n\\input{nowhere}\n\\end{document}\n"
    (corpus / "bad" / "broken.tex").write_text(broken, encoding="utf-8")
    (corpus / "bad" / "binary.txt").write_bytes(bytes(range(256)))
    (corpus / "bad" / "empty.md").touch()
    result = kg("add", corpus, "-w", workspace)
    failed(result, "3 failed", "broken.tex:3: expected the file nowhere", "binary.txt:1", "empty.md:1")
    assert "add: 3 changed, 0 unchanged, 3 failed" in result.out
    assert len(Workspace(workspace).documents()) == 3
    status = kg("status", "--json", "-w", workspace).data
    assert len(status["failures"]) == 3
    repaired = "\\documentclass{article}\n\\begin{document}\nThe B0 meson.\n\\end{document}\n"
    (corpus / "bad" / "broken.tex").write_text(repaired, encoding="utf-8")
    failed(kg("add", corpus, "-w", workspace), "2 failed")
    os.mkfifo(corpus / "pipe.txt")
    mixed = kg("add", corpus / "pipe.txt", corpus / "nowhere.tex", corpus / "first.md", "-w", workspace)
    failed(mixed, "2 failed", "no regular file", "found nothing", "0 changed, 1 unchanged, 2 failed")
    assert len(kg("status", "--json", "-w", workspace).data["failures"]) == 2


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("add", "nothing-here"), ("1 failed", "nothing-here", "expected a file or folder, found nothing")),
        (("add", "pdg", "--experiment", "LHCbb"), ("expected the name of an experiment", "LHCb")),
        (("add", ""), ("found an empty name",)),
        (("add", "x.md", "--experiment", "LHCb"), ("--experiment belongs to the source `pdg`",)),
        (
            ("add", "https://example.org/paper"),
            (
                "1 failed",
                "expected a file or folder",
            ),
        ),
        (("undo", "1"), ("event 1 does not exist; the log is empty",)),
        (("export", "missing/folder/x.jsonl"), ("cannot be written", "choose another place")),
        (("ask", "mass?"), ("not running", "kg neo4j start")),
        (("load",), ("NEO4J_PASSWORD is not set",)),
    ],
)
def test_wrong_requests(
    kg: Any,
    workspace: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: tuple[str, ...],
    words: tuple[str, ...],
) -> None:
    if arguments[0] in {"load", "build"}:
        monkeypatch.setenv("NEO4J_URI", "bolt://127.0.0.1:1")
    failed(kg(*arguments, "-w", workspace), *words)


def test_no_such_command(kg: Any) -> None:
    result = kg("frobnicate")
    assert result.code == 2
    assert "No such command 'frobnicate'" in result.text


def test_a_folder_without_documents(kg: Any, workspace: Path, tmp_path: Path) -> None:
    (tmp_path / "slides").mkdir()
    (tmp_path / "slides" / "talk.pptx").write_bytes(b"PK")
    failed(kg("add", tmp_path / "slides", "-w", workspace), "expected documents (.tex", "found none")


def test_a_wrong_schema_leaves_no_workspace(kg: Any, tmp_path: Path) -> None:
    wrong = tmp_path / "mine.yaml"
    wrong.write_text("name: mine\nversion: '1'\nentities: [\n", encoding="utf-8")
    failed(kg("init", tmp_path / "new", "--schema", wrong), "mine.yaml:", "expected YAML")
    failed(kg("init", tmp_path / "new", "--schema", "physics"), "expected a catalogue name")
    assert not (tmp_path / "new").exists()
    failed(kg("status", "-w", tmp_path / "new"), "is no workspace", "kg init")
    failed(kg("init", "/proc/new"), "cannot be written")


def test_wrong_settings_name_the_key(kg: Any, workspace: Path) -> None:
    settings = workspace / "kg.toml"
    settings.write_text(settings.read_text(encoding="utf-8").replace("seed = 7", "seed = 'x'"), "utf-8")
    failed(kg("status", "-w", workspace), "communities.seed", "found 'x'")
    settings.write_text('schema = "logbook"\n[stroe]\nuri = ""\n', "utf-8")
    failed(kg("status", "-w", workspace), "kg.toml:2: stroe is no setting; did you mean store?")
    settings.write_text("[store]\nuser = 'x'\n", "utf-8")
    failed(kg("status", "-w", workspace), "kg.toml:2: store.user is no setting; did you mean username?")
    settings.write_text("schema = [", "utf-8")
    failed(kg("status", "-w", workspace), "not valid TOML")


def test_a_closed_port_and_a_wrong_address(
    kg: Any, workspace: Path, corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NEO4J_PASSWORD", "not-a-manual's")
    monkeypatch.setenv("NEO4J_URI", "bolt://127.0.0.1:1")
    failed(kg("build", corpus, "-w", workspace), "expected a running Neo4j", "cannot be reached")
    assert len(list((workspace / "graphs").glob("*.json"))) == 3, "what was done before is kept"
    failed(kg("ask", "mass?", "-w", workspace), "expected a running Neo4j")
    status = kg("status", "--json", "-w", workspace)
    assert status.code == 0
    assert status.data["stages"]["extracted"] == 3
    assert "cannot be reached" in status.data["store_state"]
    monkeypatch.setenv("NEO4J_URI", "nowhere")
    failed(kg("ask", "mass?", "-w", workspace), "is no Neo4j address")


def test_a_full_port(kg: Any, workspace: Path, full_port: int) -> None:
    failed(kg("neo4j", "start", "--bolt-port", full_port, "-w", workspace), f"Port {full_port}", "in use")
    failed(kg("serve", "--port", full_port, "-w", workspace), f"127.0.0.1:{full_port}", "--port")
    assert kg("neo4j", "status", "-w", workspace).code == 1
    assert "not running" in kg("neo4j", "stop", "-w", workspace).text


@pytest.mark.neo4j
def test_password_and_foreign_database(
    kg: Any,
    workspace: Path,
    corpus: Path,
    database: Connection,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    assert kg("build", corpus, "-w", workspace).code == 0
    other = tmp_path / "other"
    assert kg("init", other).code == 0
    (other / "kg.toml").write_bytes((workspace / "kg.toml").read_bytes())
    before = database.read("MATCH (n) RETURN count(n) AS n")
    failed(kg("build", corpus / "first.md", "-w", other), "holds workspace", "use another database")
    failed(kg("load", "--fresh", "-w", other), "holds workspace")
    assert database.read("MATCH (n) RETURN count(n) AS n") == before
    monkeypatch.setenv("NEO4J_PASSWORD", "wrong-on-purpose")
    result = kg("load", "-w", workspace)
    failed(result, "refused the user or the password", "check NEO4J_USERNAME and NEO4J_PASSWORD")
    assert "wrong-on-purpose" not in result.text
    assert kg("status", "-w", workspace).code == 0


@pytest.mark.neo4j
def test_edited_and_damaged_graphs(kg: Any, workspace: Path, corpus: Path, database: Connection) -> None:
    assert kg("build", corpus, "-w", workspace).code == 0
    clean = kg("verify", "-w", workspace).out
    opened = Workspace(workspace)
    path = next(p for p in (workspace / "graphs").glob("first*"))
    original = path.read_bytes()
    edited = original.replace(b"5366.9", b"9999.9")
    assert edited != original
    path.write_bytes(edited)
    failed(kg("build", "-w", workspace), path.name, "was edited by hand", "delete it to restore")
    assert path.read_bytes() == edited, "not overwritten"
    assert kg("verify", "-w", workspace).out == clean, "not taken over"
    graph = opened.read_graph(next(g.document for g in opened.graphs() if "first" in g.document))
    path.write_bytes(dump(graph.model_copy(update={"run_id": "0" * 32})))
    failed(kg("build", "-w", workspace), path.name, "was edited by hand")
    path.write_bytes(original[: len(original) // 2])
    failed(kg("build", "-w", workspace), path.name, "expected JSON", "delete the file")
    path.unlink()
    assert kg("build", "-w", workspace).code == 0
    assert path.read_bytes() == original
    assert kg("verify", "-w", workspace).out == clean


@pytest.mark.neo4j
def test_damaged_documents_and_ids(kg: Any, workspace: Path, corpus: Path, database: Connection) -> None:
    assert kg("build", corpus, "--no-embed", "-w", workspace).code == 0
    document = next((workspace / "documents").glob("first.md@*.json"))
    intact = document.read_bytes()
    document.write_bytes(b"x" * 200 + intact[200:])
    failed(kg("verify", "-w", workspace), document.name)
    document.write_bytes(intact.replace(b"The", b"Teh"))
    failed(kg("verify", "-w", workspace), document.name)
    document.write_bytes(intact)
    assert kg("verify", "-w", workspace).code == 0
    mark = workspace / ".workspace-id"
    mark.write_bytes(b"?" * 16 + mark.read_bytes()[16:])
    failed(kg("load", "-w", workspace), ".workspace-id is damaged", "32 hexadecimal digits")


def test_a_changed_log_is_found(kg: Any, workspace: Path, corpus: Path, database: Connection) -> None:
    assert kg("build", corpus, "-w", workspace).code == 0
    db = sqlite3.connect(workspace / "log.db")
    db.execute("DROP TRIGGER event_no_update")
    assert db.execute("UPDATE event SET actor = 'nobody' WHERE seq = 2").rowcount == 1
    db.commit()
    db.close()
    failed(kg("verify", "-w", workspace), "log event 2", "restore log.db from a backup")
    (workspace / "log.db").write_bytes(b"no database" * 1_000)
    for suffix in ("-wal", "-shm"):
        (workspace / f"log.db{suffix}").unlink(missing_ok=True)
    failed(kg("verify", "-w", workspace), "log.db", "damaged")


def test_a_damaged_ledger_is_named(kg: Any, workspace: Path) -> None:
    (workspace / "ledger.db").write_bytes(b"no database" * 1_000)
    failed(kg("runs", "-w", workspace), "ledger.db", "cannot be used as run ledger")


def test_two_writers_at_once(kg: Any, workspace: Path, corpus: Path) -> None:
    with Workspace(workspace).writing():
        failed(kg("add", corpus, "-w", workspace), "another kg command is writing", "wait")
        assert kg("runs", "-w", workspace).code == 0, "reading goes on"
    assert kg("add", corpus, "-w", workspace).code == 0


def test_a_place_that_takes_no_files(kg: Any, workspace: Path, corpus: Path) -> None:
    """A folder that refuses every file, also from root, as a full or read-only disk does."""
    (workspace / "documents").rmdir()
    (workspace / "documents").symlink_to("/proc/self/fd")
    failed(kg("add", corpus, "-w", workspace), "cannot be written", "permissions and the disk")
