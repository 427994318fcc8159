"""More at once than the server can answer are told so with 429, none is lost, and /health goes on."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
import uvicorn

from api.app import create_app
from api.busy import Busy, turns
from kg.neo4j_process import free_ports
from schemas.questions import Answer, GateReport, Outcome, QueryResult, Question

POOL = 40
"""Threads that a server has for all that waits."""


def test_turns_leave_threads_to_others() -> None:
    assert [turns(cores) for cores in (1, 2, 8)] == [4, 4, 16]
    assert turns(1_000) <= POOL // 2


class Slow:
    """A platform whose answers wait until they are let go."""

    def __init__(self) -> None:
        self.go, self.inside, self.most = threading.Event(), 0, 0
        self._lock = threading.Lock()
        self.question_log = SimpleNamespace(find=lambda _: object(), rows=lambda **_: (self.wait(), ())[1])
        self.store = SimpleNamespace(marker=lambda: SimpleNamespace(graph_hash="abc"))
        self.workspace = SimpleNamespace(schema=SimpleNamespace(name="s", version="1"))
        self.embedder = SimpleNamespace(model_id="m")

    def wait(self) -> None:
        with self._lock:
            self.inside += 1
            self.most = max(self.most, self.inside)
        self.go.wait(60)
        with self._lock:
            self.inside -= 1

    def ask(self, question: Question, *, conversation: str = "", continues: bool = False) -> Answer:
        del continues
        self.wait()
        return Answer(
            outcome=Outcome.UNANSWERABLE, question=question.text, text="no", conversation=conversation
        )


@contextmanager
def served(platform: Any) -> Iterator[str]:
    """The address of a server with two turns."""
    app = create_app(platform)
    app.state.busy = Busy(concurrent=2, wait=0.3)
    port = free_ports(1)[0]
    server = uvicorn.Server(uvicorn.Config(app, host="127.0.0.1", port=port, log_config=None))
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        while not server.started:
            assert thread.is_alive()
            time.sleep(0.02)
        yield f"http://127.0.0.1:{port}"
    finally:
        platform.go.set()
        server.should_exit = True
        thread.join(10)
    assert not thread.is_alive()


ASKED = {
    "/api/v1/questions": {"question": "which papers?"},
    "/api/v1/query": {"cypher": "MATCH (n) RETURN n"},
    "/api/v1/query/check": {"cypher": "MATCH (n) RETURN n"},
    "/api/v1/questions/3/correct": {"cypher": "MATCH (n) RETURN n"},
}


@pytest.mark.parametrize("path", ASKED)
def test_a_busy_server_says_so_and_goes_on(monkeypatch: pytest.MonkeyPatch, path: str) -> None:
    def run(platform: Slow, *_: object, **__: object) -> QueryResult:
        platform.wait()
        return QueryResult(cypher="", parameters={}, columns=(), rows=())

    def check(platform: Slow, _: object) -> GateReport:
        platform.wait()
        return GateReport()

    monkeypatch.setattr("api.routes.query.run_query", run)
    monkeypatch.setattr("api.routes.query.check_query", check)
    monkeypatch.setattr("api.routes.questions.correct", run)
    platform = Slow()
    with served(platform) as address:

        def ask(_: int) -> httpx.Response:
            return httpx.post(address + path, json=ASKED[path], timeout=60, trust_env=False)

        with ThreadPoolExecutor(6) as pool:
            asked = [pool.submit(ask, n) for n in range(6)]
            while sum(f.done() for f in asked) < 4 and platform.most <= 2:
                time.sleep(0.02)
            platform.go.set()
            replies = [f.result() for f in asked]
        assert sorted(r.status_code for r in replies) == [200, 200, 429, 429, 429, 429]
        refused = next(r for r in replies if r.status_code == 429)
        assert refused.headers["retry-after"] == "1"
        assert refused.headers["content-type"] == "application/problem+json"
        assert "busy" in refused.json()["detail"]
        assert platform.most == 2
        assert ask(7).status_code == 200


def test_health_is_told_while_every_other_thread_waits() -> None:
    platform = Slow()
    with served(platform) as address, ThreadPoolExecutor(POOL) as pool:

        def get(path: str) -> httpx.Response:
            return httpx.get(address + path, timeout=30, trust_env=False)

        waiting = [pool.submit(get, "/api/v1/questions") for _ in range(POOL)]
        while platform.inside < POOL:
            assert not any(f.done() for f in waiting)
            time.sleep(0.02)
        assert get("/health").json()["graph_hash"] == "abc"
        platform.go.set()
        assert [f.result().status_code for f in waiting] == [200] * POOL
