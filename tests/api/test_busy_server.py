"""More questions at once than the server can answer are told so with 429, and none is lost."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import uvicorn

from api.app import create_app
from api.busy import Busy
from kg.neo4j_process import free_ports
from schemas.questions import Answer, Outcome, Question


class Slow:
    """A platform whose answers wait until they are let go."""

    def __init__(self) -> None:
        self.go, self.inside, self.most = threading.Event(), 0, 0
        self._lock = threading.Lock()

    def ask(self, question: Question, *, conversation: str = "") -> Answer:
        with self._lock:
            self.inside += 1
            self.most = max(self.most, self.inside)
        self.go.wait(30)
        with self._lock:
            self.inside -= 1
        return Answer(
            outcome=Outcome.UNANSWERABLE, question=question.text, text="no", conversation=conversation
        )


def test_a_busy_server_says_so_and_goes_on() -> None:
    platform: Any = Slow()
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

        def ask(number: int) -> httpx.Response:
            url = f"http://127.0.0.1:{port}/api/v1/questions"
            return httpx.post(url, json={"question": f"question {number}?"}, timeout=60, trust_env=False)

        with ThreadPoolExecutor(6) as pool:
            asked = [pool.submit(ask, n) for n in range(6)]
            while sum(f.done() for f in asked) < 4:
                time.sleep(0.02)
            address = f"http://127.0.0.1:{port}/api/v1/query"
            cypher = {"cypher": "MATCH (n) RETURN n.id AS id"}
            assert httpx.post(address, json=cypher, timeout=60, trust_env=False).status_code == 429
            platform.go.set()
            replies = [f.result() for f in asked]
        assert sorted(r.status_code for r in replies) == [200, 200, 429, 429, 429, 429]
        refused = next(r for r in replies if r.status_code == 429)
        assert refused.headers["retry-after"] == "1"
        assert refused.headers["content-type"] == "application/problem+json"
        assert "busy" in refused.json()["detail"]
        assert platform.most == 2
        assert ask(7).status_code == 200
    finally:
        platform.go.set()
        server.should_exit = True
        thread.join(10)
    assert not thread.is_alive()
