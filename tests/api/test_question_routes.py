"""Questions over real HTTP: conversations, streamed events, the ledger's list, marks."""

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from types import SimpleNamespace
from typing import Any

import anyio
import anyio.to_thread
import httpx
import pytest
from starlette.types import Message

from api.sse import AnswerStream, EventResponse
from cypher.answers.events import AnswerEvent
from kg.adapters.scripted_chat_server import Script, ScriptedChatServer, ScriptedReply
from kg.progress import SilentProgress
from kg.wiring import Platform, open_platform
from kg.workspace import Workspace
from schemas.questions import Question

pytestmark = pytest.mark.neo4j
ASK = "/api/v1/questions"
QUESTION = "What is the B_s0 mean life?"


def events(reply: httpx.Response) -> list[tuple[str, dict[str, Any]]]:
    """(event, data) of a finished stream."""
    found = []
    for block in reply.text.strip().split("\n\n"):
        name, data = block.split("\n")
        found.append((name.removeprefix("event: "), json.loads(data.removeprefix("data: "))))
    return found


@contextmanager
def with_model(
    built: Platform, script: Script, settings: str, *, name: str = "scripted"
) -> Iterator[tuple[Platform, ScriptedChatServer]]:
    """The built graph with a chat model that says what the script says."""
    path = built.workspace.root / "kg.toml"
    plain = path.read_text("utf-8")
    with ScriptedChatServer(script) as model:
        chat = f'\n[chat]\nbase_url = "{model.base_url}"\nmodel = "{name}"\nmax_retries = 0\n{settings}'
        path.write_text(plain + chat, encoding="utf-8")
        try:
            workspace = Workspace(built.workspace.root)
            with open_platform(workspace, SilentProgress(), environment=built.environment) as platform:
                yield platform, model
        finally:
            path.write_text(plain, encoding="utf-8")


def test_a_correction_answers_the_question_about_other_names_too(client: httpx.Client) -> None:
    asked = {"question": "Which papers dote on the B_s0 mean life?"}
    number = client.post(ASK, json=asked).json()["number"]
    place = f"{ASK}/{number}/correct"
    writing = client.post(place, json={"cypher": "CREATE (n) RETURN n"})
    assert writing.status_code == 422
    failing = client.post(place, json={"cypher": "MATCH (p:Paper) RETURN p.year / 0"})
    assert failing.status_code == 422
    like = "MATCH (o:Observable) RETURN o.name ORDER BY similarity(o, 'mass') DESC LIMIT 1"
    assert "cannot be kept" in client.post(place, json={"cypher": like}).json()["detail"]
    assert client.post(ASK, json=asked).json()["outcome"] == "unanswerable"
    query = "MATCH (p:Paper)-[:DETERMINES]->(o:Observable {name: 'B_s0 mean life'}) RETURN p.name, o.name"
    found = client.post(place, json={"cypher": query, "by": "Ann"})
    assert found.status_code == 200
    assert client.get(f"{ASK}/{number}").json()["corrected_parameters"] == {"p0": "B_s0 mean life"}
    first = client.post(ASK, json=asked).json()
    assert first["rows"] == found.json()["rows"]
    other = client.post(ASK, json={"question": "which papers dote on the Delta m_s"}).json()
    assert (other["outcome"], other["shape"]) == ("answered", "corrected")
    assert other["explanation"].endswith(", with 'Delta m_s' in place of 'B_s0 mean life'.")
    assert {row[1] for row in other["rows"]} == {"Delta m_s"}
    unknown = client.post(ASK, json={"question": "Which papers dote on the Loch Ness?"}).json()
    assert unknown["outcome"] == "unanswerable"
    client.post(f"{ASK}/{first['number']}/mark", json={"verdict": "wrong"})
    assert client.post(ASK, json=asked).json()["outcome"] == "unanswerable"
    for marked in (first["number"], number):
        assert client.delete(f"{ASK}/{marked}/mark").status_code == 200
    assert client.post(place.replace(str(number), "999999"), json={"cypher": query}).status_code == 404


def test_a_correction_is_kept_as_it_ran_with_the_names_that_are_stored(client: httpx.Client) -> None:
    asked = {"question": "Which papers cherish the b_s0 MEAN LIFE?"}
    number = client.post(ASK, json=asked).json()["number"]
    query = "MATCH (p:Papers)-[:DETERMINES]->(o:Observable {name: 'b_s0 MEAN LIFE'}) RETURN p.name, o.name"
    found = client.post(f"{ASK}/{number}/correct", json={"cypher": query}).json()
    assert [r["code"] for r in found["repairs"]] == ["SCH1", "VAL1"]
    assert {row[1] for row in found["rows"]} == {"B_s0 mean life"}
    again = client.post(ASK, json=asked).json()
    assert (again["outcome"], again["shape"]) == ("answered", "corrected")
    assert again["rows"] == found["rows"]
    other = client.post(ASK, json={"question": "Which papers cherish the Delta m_s?"}).json()
    assert {row[1] for row in other["rows"]} == {"Delta m_s"}
    assert client.delete(f"{ASK}/{number}/mark").status_code == 200


def test_a_query_that_finds_other_rows_each_time_is_not_kept(client: httpx.Client) -> None:
    number = client.post(ASK, json={"question": "Which papers ponder?"}).json()["number"]
    body = {"cypher": "MATCH (p:Paper) RETURN p.name, rand() AS chance"}
    refused = client.post(f"{ASK}/{number}/correct", json=body)
    assert refused.status_code == 422
    assert "expected the same rows each time" in refused.json()["detail"]
    assert client.get(f"{ASK}/{number}").json()["corrected"] == ""


def test_a_locked_ledger_is_no_fault_of_the_request(built: Platform, client: httpx.Client) -> None:
    number = client.post(ASK, json={"question": "Which papers dream?"}).json()["number"]
    [(patience,)] = built.ledger.execute("PRAGMA busy_timeout")
    built.ledger.execute("PRAGMA busy_timeout = 0")
    with closing(sqlite3.connect(built.workspace.ledger_path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        refused = client.post(f"{ASK}/{number}/mark", json={"verdict": "right"})
    built.ledger.execute(f"PRAGMA busy_timeout = {patience}")
    assert (refused.status_code, refused.json()["type"]) == (503, "LedgerBusyError")
    assert "try again" in refused.json()["detail"]
    assert client.post(f"{ASK}/{number}/mark", json={"verdict": "right"}).status_code == 200
    assert client.delete(f"{ASK}/{number}/mark").status_code == 200


def test_a_conversation(client: httpx.Client) -> None:
    first = client.post(ASK, json={"question": QUESTION, "conversation": ""}).json()
    assert first["outcome"] == "answered"
    assert len(first["conversation"]) >= 12
    assert first["resolved"] == ""
    body = {"question": "Which papers determine the B_s0 mean life?", "conversation": first["conversation"]}
    assert client.post(ASK, json=body).json()["outcome"] == "answered"
    unknown = client.post(ASK, json={**body, "question": "and in Japan?"}).json()
    assert unknown["outcome"] == "unanswerable"
    assert "Japan" in unknown["text"]
    follow = client.post(ASK, json={**body, "question": "how many?"}).json()
    assert follow["resolved"] == "How many papers determine the B_s0 mean life?"
    assert follow["rows"] == [[1]]
    alone = client.post(ASK, json={"question": "and for the B0?"}).json()
    assert alone["outcome"] == "unanswerable"
    assert "no question before this one" in alone["text"]
    bad = client.post(ASK, json={"question": QUESTION, "conversation": "a b\n"})
    assert bad.status_code == 422


def test_the_ledger_over_http(client: httpx.Client) -> None:
    number = client.post(ASK, json={"question": QUESTION}).json()["number"]
    assert number > 0
    kept = client.get(f"{ASK}/{number}").json()
    assert kept["question"] == QUESTION
    assert {"link", "decide", "run"} <= {s["name"] for s in kept["stages"]}  # "explain" once for each text
    assert number in {r["number"] for r in client.get(ASK, params={"outcome": "answered"}).json()}
    assert number not in {r["number"] for r in client.get(ASK, params={"outcome": "refused"}).json()}
    marked = client.post(f"{ASK}/{number}/mark", json={"verdict": "right", "note": "checked", "by": "me"})
    assert marked.json()["verdict"] == "right"
    assert client.delete(f"{ASK}/{number}/mark").json()["verdict"] is None
    assert client.delete(f"{ASK}/{number}/mark").status_code == 404
    assert client.post(f"{ASK}/{number}/mark", json={"verdict": "perhaps"}).status_code == 422
    for unknown in (0, 999_999, 2**63, 10**22):
        assert client.post(f"{ASK}/{unknown}/mark", json={"verdict": "right"}).status_code == 404
        assert client.get(f"{ASK}/{unknown}").status_code == 404


def test_events_without_a_model(client: httpx.Client) -> None:
    for reply in (
        client.post(f"{ASK}/stream", json={"question": QUESTION}),
        client.get(f"{ASK}/stream", params={"question": QUESTION}),
    ):
        assert reply.status_code == 200
        assert reply.headers["content-type"].startswith("text/event-stream")
        found = events(reply)
        assert [name for name, _ in found] == ["query", "rows", "done"]
        assert "MATCH" in found[0][1]["cypher"]
        assert found[1][1]["rows"] == found[2][1]["answer"]["rows"]
        assert found[2][1]["answer"]["number"] > 0
    assert client.post(f"{ASK}/stream", json={"question": ""}).status_code == 422
    honest = events(client.post(f"{ASK}/stream", json={"question": "Who won the match?"}))
    assert honest[-1][1]["answer"]["outcome"] == "unanswerable"


def test_an_error_ends_the_stream(client_without_store: httpx.Client) -> None:
    [(name, data)] = events(client_without_store.post(f"{ASK}/stream", json={"question": QUESTION}))
    assert name == "error"
    assert data["kind"] == "StoreUnavailableError"
    assert "Neo4j" in data["detail"]


def test_an_error_of_the_service_ends_the_stream_with_an_event(caplog: pytest.LogCaptureFixture) -> None:
    def fails(*_: object, **__: object) -> Iterator[AnswerEvent]:
        raise IndexError("tuple index out of range")
        yield

    async def sent() -> list[str]:
        platform: Any = SimpleNamespace(asking=SimpleNamespace(events=fails))
        return [
            line async for line in AnswerStream(platform, Question(text=QUESTION), "").lines(lambda: None)
        ]

    [line] = anyio.run(sent)
    told = json.loads(line.partition("data: ")[2])
    assert (told["event"], told["kind"]) == ("error", "FaultError")
    assert "IndexError" in told["detail"]
    assert "tuple" not in told["detail"], "no details of a fault leave the server"
    assert "tuple index out of range" in caplog.text


PROSE = "[answers]\nprose = true\n"
SAID = "The value is 1.512 ps [1]. It was found by Einstein [1]. The value is 99 ps [1]."


def test_prose_is_streamed_and_checked(built: Platform, serve: Any) -> None:
    with (
        with_model(built, lambda _: ScriptedReply(SAID), PROSE) as (platform, model),
        serve(platform) as client,
    ):
        found = events(client.post(f"{ASK}/stream", json={"question": QUESTION}))
        assert [name for name, _ in found] == ["query", "rows", "sentence", "done"]
        assert found[2][1]["text"] == "The value is 1.512 ps [1]."
        answer = found[3][1]["answer"]
        assert (answer["text"], answer["dropped_sentences"], answer["prose"]) == (
            found[2][1]["text"],
            2,
            True,
        )
        asked = len(model.requests)
        silent = client.post(ASK, json={"question": QUESTION, "llm": False}).json()
        assert not silent["prose"]
        assert len(model.requests) == asked


def test_who_goes_away_ends_the_work(built: Platform, serve: Any) -> None:
    began = threading.Event()

    def script(_: object) -> ScriptedReply:
        began.set()
        return ScriptedReply(SAID, delay=1.5)

    with with_model(built, script, PROSE, name="slow") as (platform, model), serve(platform) as client:
        with client.stream("POST", f"{ASK}/stream", json={"question": QUESTION}) as reply:
            for line in reply.iter_lines():
                if line.startswith("event: rows"):
                    assert began.wait(30)
                    break
        assert client.get("/health").status_code == 200
        model.settle()
        assert len(model.requests) == 1


def test_the_first_sentence_comes_while_the_model_writes(built: Platform, serve: Any) -> None:
    wait = threading.Event()

    def script(_: object) -> ScriptedReply:
        return ScriptedReply(f"The value is 1.512 ps [1]. {'Nobody knows. ' * 40}", pause=0.02)

    with with_model(built, script, PROSE, name="writing") as (platform, model), serve(platform) as client:
        with client.stream("POST", f"{ASK}/stream", json={"question": QUESTION}) as reply:
            for line in reply.iter_lines():
                if line.startswith("event: sentence"):
                    assert not model.answered  # it still writes
                    wait.set()
        assert wait.is_set()
        model.settle()
        assert len(model.answered) == 1


def test_who_goes_away_stops_the_writing(built: Platform, serve: Any) -> None:
    with with_model(built, endless, PROSE, name="endless") as (platform, model), serve(platform) as client:
        with client.stream("POST", f"{ASK}/stream", json={"question": QUESTION}) as reply:
            for line in reply.iter_lines():
                if line.startswith("event: sentence"):
                    break
        model.settle(timeout=60.0)
        assert (len(model.requests), len(model.answered), model.left) == (1, 0, 1)
        assert client.get("/health").status_code == 200


def test_who_goes_away_between_two_events_stops_the_writing(built: Platform) -> None:
    async def leave_at_first_sentence(platform: Platform, model: ScriptedChatServer) -> None:
        reached = anyio.Event()

        async def receive() -> Message:
            await reached.wait()
            return {"type": "http.disconnect"}

        async def send(message: Message) -> None:
            if b"event: sentence" in message.get("body", b""):
                reached.set()
                await anyio.sleep_forever()  # nobody takes it, and no thread is at work

        stream = AnswerStream(platform, Question(text=QUESTION), "")
        response = EventResponse(stream, lambda: None)
        await response({"type": "http"}, receive, send)
        await anyio.to_thread.run_sync(model.settle)
        del response  # until here it is kept, as a cycle of references may keep it

    with with_model(built, endless, PROSE, name="unread") as (platform, model):
        anyio.run(leave_at_first_sentence, platform, model)
        assert (len(model.requests), len(model.answered), model.left) == (1, 0, 1)


def endless(_: object) -> ScriptedReply:
    """A reply of a minute and more, whose first sentence is supported."""
    return ScriptedReply(f"The value is 1.512 ps [1]. {'Nobody knows. ' * 5_000}", pause=0.01)


@pytest.mark.parametrize("number", ["1_0", "+1", "-1", "01", "1.0", " 1", "\u0661"])
def test_the_number_of_a_question_is_digits_alone(client: httpx.Client, number: str) -> None:
    replies = (
        client.get(f"{ASK}/{number}"),
        client.post(f"{ASK}/{number}/mark", json={"verdict": "wrong"}),
        client.post(f"{ASK}/{number}/correct", json={"cypher": "RETURN 1 AS x"}),
        client.delete(f"{ASK}/{number}/mark"),
    )
    assert [r.status_code for r in replies] == [422] * 4
    assert "digits" in replies[0].json()["detail"]


def test_the_number_of_no_question_is_not_found(client: httpx.Client) -> None:
    assert [client.get(f"{ASK}/{n}").status_code for n in ("0", "9" * 18, "9" * 30)] == [404] * 3
