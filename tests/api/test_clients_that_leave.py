"""A client that goes away before the first row: over HTTP, from a stream of events, and by Ctrl-C."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import neo4j
import pytest

from cypher.guard import check_text
from kg.adapters.neo4j_runner import Neo4jRunner
from kg.wiring import Platform
from schemas.questions import CheckedQuery, Subgraph

pytestmark = pytest.mark.neo4j
ROOT = Path(__file__).resolve().parents[2]
SLOW = (
    "UNWIND range(1, 100000) AS grain UNWIND range(1, 100000) AS other WITH grain, other "
    "WHERE grain + other < 0 RETURN count(*) AS n"
)
"""Goes through 1e10 rows before its first one."""
RUNNING = (
    "SHOW TRANSACTIONS YIELD currentQuery WHERE currentQuery STARTS WITH 'CYPHER 5 UNWIND' "
    "AND currentQuery CONTAINS 'AS grain' RETURN count(*) AS n"
)


def running(platform: Platform) -> int:
    """How many of the slow queries the server works on."""
    e = platform.environment
    with (
        neo4j.GraphDatabase.driver(e.neo4j_uri, auth=(e.neo4j_username, e.neo4j_password)) as driver,
        driver.session(database=e.neo4j_database) as session,
    ):
        return int(session.run(RUNNING).single(strict=True)[0])


def until(condition: Callable[[], bool]) -> bool:
    """Whether a condition comes true; the limit is that of a very busy machine."""
    for _ in range(900):
        if condition():
            return True
        time.sleep(0.1)
    return False


def leave(client: httpx.Client, path: str, body: dict[str, Any], built: Platform) -> None:
    """Sends a request and hangs up as soon as the server works on the slow query."""
    content = json.dumps(body).encode()
    head = (
        f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(content)}\r\n\r\n"
    )
    address = (client.base_url.host, client.base_url.port or 80)
    with socket.create_connection(address) as wire:
        wire.sendall(head.encode() + content)
        assert until(lambda: running(built) == 1)
    assert until(lambda: running(built) == 0)


def seen_running(monkeypatch: pytest.MonkeyPatch, replaced: CheckedQuery | None = None) -> list[str]:
    """Notes what is run; ``replaced`` is run instead of whatever is asked for."""
    texts: list[str] = []
    original = Neo4jRunner.run

    def run(self: Neo4jRunner, query: CheckedQuery, **options: Any) -> Subgraph:
        texts.append(query.text)
        try:
            return original(self, replaced or query, **options)
        finally:
            texts.append("ended")

    monkeypatch.setattr(Neo4jRunner, "run", run)
    return texts


def test_a_request_that_is_hung_up_ends_its_query(
    client: httpx.Client, built: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = seen_running(monkeypatch)
    leave(client, "/api/v1/query", {"cypher": SLOW, "timeout": 60}, built)
    assert until(lambda: "ended" in texts)


@pytest.mark.parametrize("path", ["/api/v1/questions", "/api/v1/questions/stream"])
def test_a_question_that_is_hung_up_ends_its_query(
    client: httpx.Client, built: Platform, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    slow = check_text(SLOW, built.store_schema(), timeout=60)
    texts = seen_running(monkeypatch, slow)
    leave(client, path, {"question": "Which papers determine the B_s0 mass?", "timeout": 60}, built)
    assert until(lambda: "ended" in texts)


@pytest.mark.usefixtures("ctrl_c_heard")
def test_ctrl_c_ends_the_query_on_the_server(built: Platform) -> None:
    e = built.environment
    names = {
        "NEO4J_URI": e.neo4j_uri,
        "NEO4J_USERNAME": e.neo4j_username,
        "NEO4J_PASSWORD": e.neo4j_password,
        "NEO4J_DATABASE": e.neo4j_database,
    }
    command = [sys.executable, "-m", "kg", "query", SLOW, "--timeout", "100"]
    with subprocess.Popen(
        [*command, "--workspace", str(built.workspace.root)],
        cwd=ROOT,
        env={**os.environ, **names},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as process:
        assert until(lambda: running(built) == 1 or process.poll() is not None)
        process.send_signal(signal.SIGINT)
        output, _ = process.communicate(timeout=90)
    assert process.returncode != 0, output
    assert "Traceback" not in output, output
    assert until(lambda: running(built) == 0)
