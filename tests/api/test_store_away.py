"""A store that is away or silent: every question is told so in its time and kept, and others are served."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path

import anyio
import anyio.to_thread
import httpx
import pytest
from starlette.types import Message
from typer.testing import CliRunner

from api.app import create_app
from api.busy import Busy
from api.looks import MOST_LOOKS
from api.sse import AnswerStream, EventResponse
from cypher.answers.events import AnswerEvent, DoneEvent
from kg.adapters import neo4j_connection
from kg.adapters.neo4j_connection import Connection
from kg.cli import app
from kg.progress import SilentProgress
from kg.settings import read_environment
from kg.wiring import Platform, open_platform
from kg.workspace import Workspace
from schemas.errors import StoreUnavailableError
from schemas.questions import Answer, Outcome, Question
from tests.wire import ended

ASK = "/api/v1/questions"
QUESTION = "Which papers determine the B_s0 mass?"
NOWHERE = {"NEO4J_URI": "bolt://127.0.0.1:1", "NEO4J_PASSWORD": "of-no-use"}


@pytest.fixture
def platform(tmp_path: Path) -> Iterator[Platform]:
    """A platform whose store is nowhere."""
    workspace = Workspace.create(tmp_path / "ws", schema="particle_physics")
    settings = workspace.root / "kg.toml"
    settings.write_text(settings.read_text("utf-8") + '\n[embedder]\nprefer = "tfidf"\n', encoding="utf-8")
    with open_platform(
        Workspace(workspace.root), SilentProgress(), environment=read_environment(NOWHERE)
    ) as opened:
        yield opened


@pytest.fixture
def silent(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """A store that answers no attempt to connect before the event is set."""
    go = threading.Event()

    @contextmanager
    def connect(*_: object, **__: object) -> Iterator[Connection]:
        assert go.wait(60)
        raise StoreUnavailableError("it answers nothing")
        yield

    monkeypatch.setattr(neo4j_connection, "connect", connect)
    yield go
    go.set()
    for thread in threading.enumerate():
        if thread.name == "kg-connect":
            ended(thread)


def replies(platform: Platform, *requests: tuple[str, str, dict[str, object]]) -> list[httpx.Response]:
    """The replies to requests that come at once."""

    async def all_of_them() -> list[httpx.Response]:
        served = create_app()
        served.state.platform = platform
        async with httpx.AsyncClient(transport=httpx.ASGITransport(served), base_url="http://test") as client:
            sent = (client.request(m, path, json=body, timeout=None) for m, path, body in requests)
            return list(await asyncio.gather(*sent))

    return asyncio.run(all_of_them())


@pytest.mark.parametrize("path", [ASK, f"{ASK}/stream"])
def test_a_question_to_a_store_that_is_away_is_kept(platform: Platform, path: str) -> None:
    [reply] = replies(platform, ("POST", path, {"question": QUESTION, "conversation": "c"}))
    assert "expected a running Neo4j" in reply.text
    assert reply.status_code == (503 if path == ASK else 200)
    [row] = platform.question_log.rows()
    assert (row.question, row.outcome, row.conversation) == (QUESTION, Outcome.FAILED, "c")
    assert row.explanation == "It ended in an error (StoreUnavailableError)."


def test_a_conversation_that_nobody_knows_is_told_with_the_answer(
    platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Answers:
        def events(self, question: Question, **_: object) -> Iterator[AnswerEvent]:
            answer = Answer(outcome=Outcome.EMPTY_BUT_VALID, question=question.text, text="None.")
            yield DoneEvent(answer=answer)

    monkeypatch.setattr(platform, "_asker", lambda _: nullcontext(Answers()))
    for path in (ASK, f"{ASK}/stream"):
        told = [
            replies(platform, ("POST", path, {"question": QUESTION} | said))[0].text
            for said in ({}, {"conversation": ""}, {"conversation": f"long-ago{path[-1]}"})
        ]
        assert [text.count("is not known here") for text in told] == [0, 0, 1]
        [again] = replies(
            platform, ("POST", path, {"question": QUESTION, "conversation": f"long-ago{path[-1]}"})
        )
        assert "is not known here" not in again.text


def test_so_is_one_of_the_command_line(platform: Platform, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in NOWHERE.items():
        monkeypatch.setenv(name, value)
    done = CliRunner().invoke(app, ["ask", QUESTION, "-w", str(platform.workspace.root)])
    assert isinstance(done.exception, StoreUnavailableError)
    [row] = platform.question_log.rows()
    assert (row.question, row.outcome) == (QUESTION, Outcome.FAILED)


def test_so_is_one_whose_asker_leaves_before_it_begins(platform: Platform) -> None:
    async def receive() -> Message:
        return {"type": "http.disconnect"}

    async def send(_: Message) -> None:
        await anyio.sleep_forever()

    async def leave() -> None:
        stream = AnswerStream(platform, Question(text=QUESTION), "c")
        await EventResponse(stream, lambda: None)({"type": "http"}, receive, send)
        await anyio.to_thread.run_sync(stream.close)

    anyio.run(leave)
    [row] = platform.question_log.rows()
    assert (row.question, row.outcome, row.conversation) == (QUESTION, Outcome.FAILED, "c")
    assert row.explanation == "The asker went away before the rows were told."


def test_a_stream_that_ended_is_kept_once(platform: Platform) -> None:
    stream = AnswerStream(platform, Question(text=QUESTION), "c")

    async def all_of_it() -> list[str]:
        return [line async for line in stream.lines(lambda: None)]

    [line] = anyio.run(all_of_it)
    stream.close()
    assert line.startswith("event: error")
    [row] = platform.question_log.rows()
    assert row.explanation == "It ended in an error (StoreUnavailableError)."


def test_leaving_is_no_error_where_the_ledger_cannot_be_read(
    platform: Platform, caplog: pytest.LogCaptureFixture
) -> None:
    platform.workspace.ledger_path.write_bytes(b"no database" * 1_000)
    AnswerStream(platform, Question(text=QUESTION), "c").close()
    assert "put back a copy" in caplog.text


def test_so_is_one_to_another_store(
    platform: Platform, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("NEO4J_PASSWORD", "of-no-use")
    schema = tmp_path / "store.yaml"
    schema.write_text("labels: [{name: Orchard}]\n", encoding="utf-8")
    there = ["--store", NOWHERE["NEO4J_URI"], "--store-schema", str(schema)]
    asked = ["ask", "Which orchards?", *there, "-w", str(platform.workspace.root)]
    done = CliRunner().invoke(app, asked)
    assert isinstance(done.exception, StoreUnavailableError)
    [row] = platform.question_log.rows()
    assert (row.question, row.outcome, row.store) == ("Which orchards?", Outcome.FAILED, "bolt://127.0.0.1:1")
    assert row.explanation == "It ended in an error (StoreUnavailableError)."


def test_nobody_waits_past_his_time_for_a_silent_store(platform: Platform, silent: threading.Event) -> None:
    body = {"question": QUESTION, "timeout": 0.2}
    query = {"cypher": "MATCH (p:Paper) RETURN p.name", "timeout": 0.2}
    asked = [("POST", ASK, body)] * 3 + [
        ("POST", "/api/v1/query", query),
        ("POST", "/api/v1/query/check", query),
    ]
    *told, health, listed = replies(platform, *asked, ("GET", "/health", {}), ("GET", ASK, {}))
    assert not silent.is_set()
    assert [reply.status_code for reply in told] == [503] * 5
    assert all("expected a connection to Neo4j" in reply.json()["detail"] for reply in told)
    assert health.status_code == 503
    assert "expected a connection to Neo4j" in health.json()["store"]
    assert listed.status_code == 200
    assert [row.outcome for row in platform.question_log.rows()] == [Outcome.FAILED] * 3


@pytest.mark.parametrize("path", ["/api/v1/entities/e1", "/api/v1/documents/d1", f"{ASK}/examples"])
def test_looks_into_a_silent_store_end_and_leave_threads_to_questions(
    platform: Platform, silent: threading.Event, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    monkeypatch.setattr("api.looks.LOOK_SECONDS", 0.1)
    asked = ("POST", ASK, {"question": QUESTION, "timeout": 0.2})
    *looks, question = replies(platform, *[("GET", path, {})] * 48, asked)
    assert not silent.is_set()
    assert question.status_code == 503
    assert {reply.status_code for reply in looks} == {503}
    assert all("expected a connection to Neo4j" in reply.json()["detail"] for reply in looks)


def test_who_looks_when_too_many_do_is_told_to_come_again(
    platform: Platform, silent: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("api.looks.LOOK_SECONDS", 1.0)
    monkeypatch.setattr("api.app.Busy", lambda **options: Busy(**options, wait=0.2))
    looks = replies(platform, *[("GET", "/api/v1/entities/e1", {})] * 20)
    assert not silent.is_set()
    assert [reply.status_code for reply in looks].count(503) == MOST_LOOKS
    late = [reply for reply in looks if reply.status_code == 429]
    assert len(late) == 20 - MOST_LOOKS
    assert all(reply.headers["retry-after"] == "1" for reply in late)
    assert "no look into the graph ended within 0.2 s" in late[0].json()["detail"]


def test_an_error_of_the_store_is_told_while_another_connects(
    platform: Platform, silent: threading.Event
) -> None:
    """The handler of errors waits for nobody."""

    def connect() -> None:
        with pytest.raises(StoreUnavailableError):
            platform.services()

    waiting = threading.Thread(target=connect)
    waiting.start()
    [reply] = replies(platform, ("POST", ASK, {"question": QUESTION, "timeout": 0.1}))
    assert not silent.is_set()
    assert reply.status_code == 503
    silent.set()
    ended(waiting)
