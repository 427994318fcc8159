"""The managed Neo4j itself."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import neo4j
import pytest

from kg.neo4j_process import wait_ended
from kg.neo4j_server import ManagedNeo4j, Neo4jEndpoint, probe
from kg.neo4j_state import read_state
from schemas.errors import StoreAuthError, WorkspaceError

pytestmark = pytest.mark.neo4j

# Starts a server in a process of its own that then ends; prints what it got.
START = """
import pathlib, sys
from kg.neo4j_server import ManagedNeo4j
endpoint = ManagedNeo4j(pathlib.Path(sys.argv[1]), cache=pathlib.Path(sys.argv[2]), jit="quick").start()
sys.stdout.write(f"{endpoint.pid} {endpoint.uri}")
"""


def start_elsewhere(home: Path, cache: Path) -> tuple[int, str]:
    """Start the server from another process; its id and address once that process has ended."""
    done = subprocess.run(
        [sys.executable, "-c", START, str(home), str(cache)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    pid, uri = done.stdout.split()
    return int(pid), uri


def run(endpoint: Neo4jEndpoint, query: str) -> list[list[object]]:
    """The rows of a query."""
    with neo4j.GraphDatabase.driver(endpoint.uri, auth=(endpoint.username, endpoint.password)) as driver:
        return [list(r.values()) for r in driver.execute_query(query, database_=endpoint.database).records]


def test_a_life_of_the_server(tmp_path: Path, user_cache: Path) -> None:
    server = ManagedNeo4j(tmp_path / "neo4j", cache=user_cache, jit="quick")
    with ThreadPoolExecutor(2) as pool:  # two commands at once: one server
        first, second = pool.map(lambda _: start_elsewhere(server.home, user_cache), range(2))
    assert first == second

    status = server.status()
    endpoint = status.endpoint
    assert endpoint is not None, "it outlives the processes that started it"
    assert (status.state, status.pid, endpoint.uri) == ("running", *first)
    assert (status.rss_bytes or 0) > 100e6
    assert server.start(bolt_port=1) == endpoint

    assert run(endpoint, "CREATE (n:Kept {value: 42}) RETURN n.value") == [[42]]
    with urllib.request.urlopen(endpoint.browser_url, timeout=10) as page:
        assert page.status == 200
    with pytest.raises(neo4j.exceptions.AuthError):
        probe(endpoint.uri, "neo4j", "a wrong password", database="neo4j")
    for source in ("file:///etc/hosts", endpoint.browser_url):
        with pytest.raises(neo4j.exceptions.ClientError, match=r"is false|blocked"):
            run(endpoint, f"LOAD CSV FROM '{source}' AS row RETURN row")

    state = read_state(server.home)
    assert state is not None
    os.kill(state.pid, signal.SIGKILL)
    assert wait_ended(state.pid, state.started, timeout=10)
    notes: list[str] = []
    again = server.start(note=notes.append)
    assert "stale state" in notes[0]
    assert run(again, "MATCH (n:Kept) RETURN n.value") == [[42]], "data survive SIGKILL"

    assert server.stop()
    assert server.status().state == "stopped"
    assert not server.stop()
    (server.home / "password").write_text("not the password", encoding="ascii")
    with pytest.raises(StoreAuthError, match="another password"):
        server.start()
    assert server.status().state == "stopped"


def test_two_workspaces_side_by_side_but_one_server_per_store(tmp_path: Path, user_cache: Path) -> None:
    left = ManagedNeo4j(tmp_path / "left", cache=user_cache, heap="256m", page_cache="64m", jit="quick")
    right = ManagedNeo4j(tmp_path / "right", cache=user_cache, heap="256m", page_cache="64m", jit="quick")
    try:
        one, two = left.start(), right.start()
        assert one.pid != two.pid
        run(one, "CREATE (:OnlyLeft)")
        assert run(two, "MATCH (n:OnlyLeft) RETURN count(n)") == [[0]]

        lost = left.home / "state.json"
        kept = lost.read_text(encoding="utf-8")
        lost.unlink()
        with pytest.raises(WorkspaceError, match="in use by another Neo4j"):
            left.start()
        lost.write_text(kept, encoding="utf-8")
        assert run(one, "MATCH (n:OnlyLeft) RETURN count(n)") == [[1]], "the first server is untouched"
    finally:
        assert left.stop()
        assert right.stop()
