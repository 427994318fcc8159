"""What the caller did not cause is told as a fault of the server, and `/health` tells what it can."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest

from api.app import create_app
from kg.adapters.neo4j_store import Neo4jStore
from kg.progress import SilentProgress
from kg.question_log import QuestionLog
from kg.question_settings import QuestionSettings
from kg.settings import read_environment
from kg.wiring import Platform, open_platform
from kg.workspace import Workspace
from schemas.errors import CorpusGraphError, DataError, QueryFailedError, SchemaError, StoreAuthError
from schemas.questions import Answer, Outcome, Question

ASK = "/api/v1/questions"
QUERY = "/api/v1/query"
QUESTION = {"question": "Which papers determine the B_s0 mass?"}
CYPHER = {"cypher": "MATCH (p:Paper) RETURN p.name"}


@pytest.fixture
def opened(tmp_path: Path) -> Callable[[str], Platform]:
    """A platform of a new workspace whose store is said to be at an address."""
    workspace = Workspace.create(tmp_path / "ws", schema="particle_physics")
    settings = workspace.root / "kg.toml"
    settings.write_text(settings.read_text("utf-8") + '\n[embedder]\nprefer = "tfidf"\n', encoding="utf-8")

    def at(uri: str) -> Platform:
        environment = read_environment({"NEO4J_URI": uri, "NEO4J_PASSWORD": "of-no-use"})
        return open_platform(Workspace(workspace.root), SilentProgress(), environment=environment)

    return at


def reply(platform: Platform, method: str, path: str, body: dict[str, str] | None = None) -> httpx.Response:
    """The reply to one request."""

    async def one() -> httpx.Response:
        served = create_app()
        served.state.platform = platform
        async with httpx.AsyncClient(transport=httpx.ASGITransport(served), base_url="http://test") as client:
            return await client.request(method, path, json=body, timeout=None)

    return asyncio.run(one())


def test_a_damaged_ledger_is_no_fault_of_the_question(opened: Callable[[str], Platform]) -> None:
    with opened("bolt://127.0.0.1:1") as platform:
        platform.workspace.ledger_path.write_bytes(b"no database" * 1_000)
        told = reply(platform, "POST", ASK, QUESTION)
    assert (told.status_code, told.json()["type"]) == (500, "WorkspaceError")
    assert "put back a copy" in told.json()["detail"]


@pytest.mark.parametrize(
    ("method", "path", "body"), [("POST", ASK, QUESTION), ("POST", QUERY, CYPHER), ("GET", "/health", None)]
)
def test_a_wrong_address_of_the_store_is_no_fault_of_the_caller(
    opened: Callable[[str], Platform], method: str, path: str, body: dict[str, str] | None
) -> None:
    with opened("http://127.0.0.1:7474") as platform:
        told = reply(platform, method, path, body)
    assert told.status_code == (503 if path == "/health" else 500)
    assert "is no Neo4j address" in told.text
    if path == "/health":
        assert told.json()["status"] == "degraded"


@pytest.mark.parametrize(
    "error",
    [
        QueryFailedError("the server broke it off", code="Neo.DatabaseError.General.UnknownError"),
        DataError("the marker is of no version"),
        StoreAuthError("refused"),
    ],
)
def test_health_is_degraded_whatever_the_store_says(
    opened: Callable[[str], Platform], error: CorpusGraphError, monkeypatch: pytest.MonkeyPatch
) -> None:
    def marker(_: object) -> None:
        raise error

    monkeypatch.setattr(Neo4jStore, "marker", marker)
    with opened("bolt://127.0.0.1:1") as platform:
        monkeypatch.setattr(Platform, "store", Neo4jStore.__new__(Neo4jStore))
        told = reply(platform, "GET", "/health")
    assert told.status_code == 503
    assert (told.json()["status"], told.json()["store"]) == ("degraded", str(error))


def test_health_is_degraded_where_a_file_of_the_workspace_is_wrong(
    opened: Callable[[str], Platform], monkeypatch: pytest.MonkeyPatch
) -> None:
    def schema(_: object) -> None:
        raise SchemaError("no such type", file="schema.yaml", line=3)

    monkeypatch.setattr(Workspace, "schema", property(schema))
    with opened("bolt://127.0.0.1:1") as platform:
        told = reply(platform, "GET", "/health")
    assert told.status_code == 503
    assert (told.json()["status"], told.json()["graph_schema"]) == ("degraded", "schema.yaml:3: no such type")


def test_what_the_caller_caused_stays_the_callers(opened: Callable[[str], Platform]) -> None:
    text = QUESTION["question"]
    answer = Answer(outcome=Outcome.ANSWERED, question=text, text="one", rows=(("x",),), columns=("n",))
    with opened("bolt://127.0.0.1:1") as platform:
        assert reply(platform, "GET", f"{ASK}/7").status_code == 404
        assert reply(platform, "GET", f"{ASK}/seven").status_code == 422
        without_words = QuestionLog(platform.ledger, QuestionSettings(record="outcome"))
        mark = f"{ASK}/{without_words.add(Question(text=text), answer)}/mark"
        told = reply(platform, "POST", mark, {"verdict": "right"})
        assert (told.status_code, told.json()["type"]) == (400, "UsageError")
        assert reply(platform, "POST", mark, {"verdict": "perhaps"}).status_code == 422
