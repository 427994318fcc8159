"""SIGKILL anywhere in a build, and of the server under a load: the next build gives the same graph."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from kg.adapters.neo4j_connection import Connection
from kg.neo4j_process import is_running, start_mark

ROOT = Path(__file__).resolve().parents[2]
POINTS = (
    ("pathlib:Path:replace", 2, "before"),  # adding: a document is written and has no name yet
    ("kg.workspace:Workspace:save_document", 2, "after"),
    ("pathlib:Path:replace", 2, "before"),  # extracting: the run is kept, the graph is not
    ("kg.workspace:Workspace:save_graph", 1, "after"),
    ("kg.review_log:ReviewLog:_insert", 1, "after"),  # inside the log's transaction
    ("kg.review_log:ReviewLog:record_resolution", 1, "after"),  # in the log, not in Neo4j
    ("kg.adapters.neo4j_write:DifferenceWriter:_batches", 2, "after"),  # between batches of nodes
    ("kg.adapters.neo4j_write:DifferenceWriter:_create_edges", 5, "after"),
    ("kg.adapters.neo4j_store:Neo4jStore:_finish", 1, "before"),  # all written, not marked
    ("kg.adapters.neo4j_write:DifferenceWriter:write_vectors", 1, "after"),
    ("kg.adapters.neo4j_store:Neo4jStore:write_communities", 1, "before"),
    ("kg.adapters.neo4j_store:Neo4jStore:write_chunk_vectors", 1, "before"),
)
DRIVER = """
import os, signal, sys
from importlib import import_module
from kg.cli import main

place, number, when, victim = sys.argv[1:5]
module, owner, name = place.split(":")
holder = getattr(import_module(module), owner)
original, calls = getattr(holder, name), 0

def killing(*arguments, **named):
    global calls
    calls += 1
    if when == "before" and calls == int(number):
        os.kill(int(victim) or os.getpid(), signal.SIGKILL)
    result = original(*arguments, **named)
    if when == "after" and calls == int(number):
        os.kill(int(victim) or os.getpid(), signal.SIGKILL)
    return result

setattr(holder, name, killing)
sys.argv = ["kg", *sys.argv[5:]]
main()
"""


def run_and_kill(point: tuple[str, int, str], *arguments: object, victim: int = 0) -> tuple[int, str]:
    """Run ``kg`` and kill it, or process ``victim``, at a call; exit status and what was printed."""
    place, number, when = point
    command = [sys.executable, "-c", DRIVER, place, str(number), when, str(victim), *map(str, arguments)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=240, check=False)
    assert "Traceback" not in done.stderr
    return done.returncode, done.stdout + done.stderr


def hashes(kg: Any, workspace: Path) -> list[str]:
    """What ``kg verify`` says of files and Neo4j, after it found them equal."""
    result = kg("verify", "-w", workspace)
    assert result.code == 0, result.text
    return [line.split()[-1] for line in result.out.splitlines()[-2:]]


@pytest.mark.neo4j
def test_killed_at_every_step(
    kg: Any, workspace: Path, corpus: Path, database: Connection, tmp_path: Path
) -> None:
    reference = tmp_path / "reference"
    assert kg("init", reference).code == 0
    (reference / "kg.toml").write_bytes((workspace / "kg.toml").read_bytes())
    for step in (("add", corpus), ("extract",), ("resolve",)):
        assert kg(*step, "-w", reference).code == 0
    for point in POINTS:
        status, printed = run_and_kill(point, "build", corpus, "-w", workspace)
        assert status == -signal.SIGKILL, (point, status, printed)
    last = kg("build", corpus, "-w", workspace)
    assert last.code == 0, last.text
    exported = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    assert kg("export", exported[0], "-w", workspace).code == 0
    assert kg("export", exported[1], "-w", reference).code == 0
    wanted = kg("export", exported[1], "-w", reference).out.split()[-1]
    assert hashes(kg, workspace) == [wanted, wanted]
    assert exported[0].read_bytes() == exported[1].read_bytes()
    again = kg("build", corpus, "-w", workspace)
    for step in ("add", "extract", "resolve", "load", "communities", "embed"):
        assert f"{step}: 0 changed" in again.out
    states = {run["state"] for run in kg("runs", "--json", "-w", workspace).data}
    assert states == {"done", "interrupted"}
    assert kg("status", "--json", "-w", workspace).data["failures"] == []


def test_no_worker_outlives_a_killed_extraction(kg: Any, workspace: Path, corpus: Path) -> None:
    settings = workspace / "kg.toml"
    settings.write_text(settings.read_text("utf-8").replace("workers = 1", "workers = 2"), encoding="utf-8")
    assert kg("add", corpus, "-w", workspace).code == 0
    point = ("kg.workspace:Workspace:save_graph", "1", "before", "0")
    command = [sys.executable, "-c", DRIVER, *point, "extract", "-w", str(workspace)]
    process = subprocess.Popen(
        command, cwd=ROOT, start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    assert process.wait(120) == -signal.SIGKILL
    ends = time.monotonic() + 20
    while _group_lives(process.pid):
        assert time.monotonic() < ends, "a worker process was left behind"
        time.sleep(0.1)
    assert kg("extract", "-w", workspace).code == 0


def _group_lives(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


def test_the_managed_server_is_killed_in_a_load(kg: Any, workspace: Path, corpus: Path) -> None:
    """Neo4j ends in the middle of a load; the next build starts it again and completes the graph."""
    assert kg("add", corpus, "-w", workspace).code == 0
    assert kg("neo4j", "start", "-w", workspace).code == 0
    try:
        status = kg("neo4j", "status", "--json", "-w", workspace)
        assert status.code == 0
        pid = status.data["pid"]
        mark = start_mark(pid) or ""
        point = ("kg.adapters.neo4j_write:DifferenceWriter:_batches", 2, "before")
        code, printed = run_and_kill(point, "build", "-w", workspace, victim=pid)
        assert code == 1, printed
        assert "error: " in printed
        assert "Neo4j" in printed
        assert not is_running(pid, mark)
        assert kg("neo4j", "status", "--json", "-w", workspace).data["state"] == "stale"
        refused = kg("ask", "What is the B_s0 mass?", "-w", workspace)
        assert (refused.code, "kg neo4j start" in refused.text) == (1, True)
        built = kg("build", "-w", workspace)
        assert built.code == 0, built.text
        files, stored = hashes(kg, workspace)
        assert files == stored
    finally:
        assert kg("neo4j", "stop", "-w", workspace).code == 0
    assert kg("neo4j", "status", "-w", workspace).code == 1


@pytest.mark.soak
@pytest.mark.neo4j
@pytest.mark.timeout(1_800)
def test_killed_at_seeded_times(kg: Any, workspace: Path, corpus: Path, database: Connection) -> None:
    """A build of an experiment's papers with worker processes is killed ten times at seeded moments."""
    settings = workspace / "kg.toml"
    settings.write_text(settings.read_text("utf-8").replace("workers = 1", "workers = 2"), encoding="utf-8")
    build = ("build", "pdg", str(corpus), "--experiment", "CLEO", "-w", workspace)
    chosen = random.Random(20)
    began = time.monotonic()
    assert kg(*build).code == 0
    seconds = time.monotonic() - began
    wanted = hashes(kg, workspace)
    marker = database.read("MATCH (n) RETURN count(n) AS n")
    for folder in ("documents", "graphs", "runs"):
        for path in sorted((workspace / folder).rglob("*.json")):
            path.unlink()
    for _ in range(10):
        process = kg.process(*build)
        time.sleep(chosen.uniform(1, seconds))
        process.kill()
        process.communicate()
    assert kg(*build).code == 0
    assert hashes(kg, workspace) == wanted
    assert database.read("MATCH (n) RETURN count(n) AS n") == marker
