"""Pages of other sites ask nothing, whatever the method; own pages, the address bar and programs do."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from api.app import create_app
from kg.progress import SilentProgress
from kg.settings import read_environment
from kg.wiring import Platform, open_platform
from kg.workspace import Workspace

ASK = "/api/v1/questions"
HOST = "127.0.0.1:8000"
QUESTION = {"question": "Which papers determine the B_s0 mass?"}
CYPHER = {"cypher": "MATCH (p:Paper) RETURN p.name"}
ASKING = [
    ("GET", f"{ASK}/stream?question=Which+papers", None),
    ("POST", f"{ASK}/stream", QUESTION),
    ("POST", ASK, QUESTION),
    ("POST", "/api/v1/query", CYPHER),
    ("POST", "/api/v1/query/check", CYPHER),
    ("POST", f"{ASK}/1/mark", {"verdict": "wrong"}),
    ("POST", f"{ASK}/1/correct", CYPHER),
    ("DELETE", f"{ASK}/1/mark", None),
]


@pytest.fixture(scope="module")
def platform(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Platform]:
    """A platform whose store is nowhere, behind a proxy of the name graph.example."""
    workspace = Workspace.create(tmp_path_factory.mktemp("sites") / "ws", schema="particle_physics")
    settings: Path = workspace.root / "kg.toml"
    more = '\n[embedder]\nprefer = "tfidf"\n[api]\nhosts = ["graph.example"]\n'
    settings.write_text(settings.read_text("utf-8") + more, encoding="utf-8")
    environment = read_environment({"NEO4J_URI": "bolt://127.0.0.1:1", "NEO4J_PASSWORD": "of-no-use"})
    with open_platform(Workspace(workspace.root), SilentProgress(), environment=environment) as opened:
        yield opened


def reply(
    platform: Platform, request: tuple[str, str, dict[str, str] | None], headers: dict[str, str]
) -> httpx.Response:
    """The reply to one request."""
    method, path, body = request

    async def one() -> httpx.Response:
        served = create_app()
        served.state.platform = platform
        base = f"http://{HOST}"
        async with httpx.AsyncClient(transport=httpx.ASGITransport(served), base_url=base) as client:
            return await client.request(method, path, json=body, headers=headers, timeout=None)

    return asyncio.run(one())


@pytest.mark.parametrize("request_", ASKING)
def test_a_page_of_another_site_asks_and_changes_nothing(
    platform: Platform, request_: tuple[str, str, dict[str, str] | None]
) -> None:
    before = platform.question_log.rows()
    refused = reply(platform, request_, {"sec-fetch-site": "cross-site"})
    assert refused.status_code == 403
    assert refused.headers["content-type"] == "application/problem+json"
    assert "api.hosts of kg.toml" in refused.json()["detail"]
    assert platform.question_log.rows() == before
    assert reply(platform, request_, {}).status_code != 403


@pytest.mark.parametrize(
    ("site", "origin"),
    [
        ("cross-site", "https://evil.example"),
        ("same-site", "http://127.0.0.1:3000"),
        ("same-site", ""),
        ("anything", ""),
        ("", "https://evil.example"),
        ("", "null"),
        ("", "http://127.0.0.1:3000"),
        ("", "https://graph.example.evil.example"),
        ("", "graph.example"),
    ],
)
def test_whatever_tells_of_another_site_is_refused(platform: Platform, site: str, origin: str) -> None:
    headers = {k: v for k, v in (("sec-fetch-site", site), ("origin", origin)) if v}
    refused = reply(platform, ASKING[0], headers)
    assert refused.status_code == 403
    assert (origin or "another site") in refused.json()["detail"]


@pytest.mark.parametrize(
    ("site", "origin"),
    [
        ("", ""),
        ("same-origin", f"http://{HOST}"),
        ("same-origin", ""),
        ("none", ""),
        ("", f"http://{HOST}"),
        ("same-origin", "https://proxy.example"),
        ("cross-site", "https://graph.example"),
        ("same-site", "https://Graph.Example:8443"),
    ],
)
def test_own_pages_the_address_bar_and_programs_ask(platform: Platform, site: str, origin: str) -> None:
    headers = {k: v for k, v in (("sec-fetch-site", site), ("origin", origin)) if v}
    told = reply(platform, ASKING[0], headers)
    assert (told.status_code, told.headers["content-type"].partition(";")[0]) == (200, "text/event-stream")


def test_a_link_of_another_site_shows_what_is_only_looked_at(platform: Platform) -> None:
    linked = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate"}
    assert reply(platform, ("GET", ASK, None), linked).status_code == 200
    assert reply(platform, ("GET", "/openapi.json", None), linked).status_code == 200
