"""A managed store that comes back at another address is found by the next question."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from kg.adapters import neo4j_connection
from kg.progress import SilentProgress
from kg.wiring import Platform, Target, open_platform
from tests.wire import Wire

pytestmark = pytest.mark.neo4j
ASK = "/api/v1/questions"
QUESTION = "Which papers determine the B_s0 mass?"


@pytest.mark.parametrize("streamed", [False, True], ids=["asked", "streamed"])
def test_questions_find_a_store_that_moved(
    built: Platform, serve: Any, monkeypatch: pytest.MonkeyPatch, *, streamed: bool
) -> None:
    monkeypatch.setattr(neo4j_connection, "RETRY_SECONDS", 0.5)
    known = built.environment
    host, _, port = known.neo4j_uri.partition("//")[2].partition(":")
    at: list[int] = []

    def target(_: Platform) -> Target:
        return Target(
            f"bolt://127.0.0.1:{at[-1]}", known.neo4j_username, known.neo4j_database, "", managed=False
        )

    def outcome(client: httpx.Client) -> str:
        body = {"question": QUESTION, "timeout": 60}
        if not streamed:
            return str(client.post(ASK, json=body, timeout=100).json()["outcome"])
        text = client.post(f"{ASK}/stream", json=body, timeout=100).text
        return next(o for o in ("answered", "failed") if f'"outcome":"{o}"' in text)

    monkeypatch.setattr(Platform, "target_if_running", target)
    with (
        Wire(host, int(port)) as first,
        Wire(host, int(port)) as second,
        open_platform(built.workspace, SilentProgress(), environment=known) as platform,
        serve(platform) as client,
    ):
        at.append(first.port)
        assert outcome(client) == "answered"
        first.cut()
        at.append(second.port)
        assert outcome(client) == "failed"
        assert outcome(client) == "answered"
