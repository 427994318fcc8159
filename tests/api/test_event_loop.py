"""What waits for a lock, a file or the store does so in a thread; the event loop serves others meanwhile."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import httpx

from api.app import create_app
from kg.stopping import seconds_left, stopped_here
from schemas.errors import QueryTimeoutError


def on_the_loop() -> bool:
    """Whether this thread runs an event loop, which would stand still."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


def posted(platform: Any, path: str, body: dict[str, Any]) -> httpx.Response:
    """The reply of the app over ``platform``, in this thread's loop."""

    async def post() -> httpx.Response:
        app = create_app()
        app.state.platform = platform
        wire = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=wire, base_url="http://test") as client:
            return await client.post(path, json=body)

    return asyncio.run(post())


def test_the_ledger_is_read_off_the_loop() -> None:
    read: list[bool] = []
    platform = SimpleNamespace(question_log=SimpleNamespace(find=lambda _: read.append(on_the_loop())))
    reply = posted(platform, "/api/v1/questions/7/correct", {"cypher": "MATCH (n) RETURN n"})
    assert (reply.status_code, read) == (404, [False])
    assert "no question 7" in reply.json()["detail"]


def test_a_check_keeps_to_its_time_and_to_its_client() -> None:
    known: list[tuple[bool, float | None]] = []

    def store_schema() -> None:
        known.append((stopped_here() is not None, seconds_left()))
        raise QueryTimeoutError("late")

    platform = SimpleNamespace(store_schema=store_schema)
    reply = posted(platform, "/api/v1/query/check", {"cypher": "MATCH (n) RETURN n", "timeout": 50})
    assert (reply.status_code, reply.json()["detail"]) == (504, "late")
    [(stopped, left)] = known
    assert stopped
    assert left is not None
    assert 0 < left <= 50
