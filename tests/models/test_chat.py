"""The chat adapter through the real client over HTTP, against a server that misbehaves on demand."""

from __future__ import annotations

import json
import logging
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest
from pydantic import ValidationError

from kg.adapters.cached_chat import CachedChat, ChatCall, ReplyFolder
from kg.adapters.chat_store import SqliteReplyCache
from kg.adapters.openai_chat import ChatSettings, OpenAIChat
from kg.adapters.replayed_chat import ReplayedChat
from kg.adapters.retry import LONGEST_RETRY_AFTER
from kg.adapters.scripted_chat_server import Script, ScriptedChatServer, ScriptedReply, ScriptedRequest
from schemas.errors import ChatError, ModelUnavailableError, TransientServiceError, WorkspaceError
from schemas.ports import ChatMessage, ChatReply, ChatRequest
from schemas.waiting import never

KEY = "sk-very-secret-value"
SCHEMA = (
    '{"type":"object","properties":{"a":{"type":"integer"}},"required":["a"],"additionalProperties":false}'
)
Open = tuple[OpenAIChat, ScriptedChatServer, list[float]]


def _request(text: str = "say a", *, schema: str = "") -> ChatRequest:
    messages = (ChatMessage(role="user", content=text),)
    return ChatRequest(messages=messages, purpose="test/one/1", json_schema=schema, max_tokens=64)


@contextmanager
def _chat(script: Script, *, timeout: float = 20.0, retries: int = 3) -> Iterator[Open]:
    slept: list[float] = []
    with ScriptedChatServer(script, model="tiny") as server:
        settings = ChatSettings(base_url=server.base_url, model="tiny", timeout=timeout, max_retries=retries)
        with OpenAIChat(settings, KEY, sleep=slept.append) as chat:
            yield chat, server, slept


def test_a_reply_with_its_usage() -> None:
    with _chat([ScriptedReply("hello", prompt_tokens=7, completion_tokens=3)]) as (chat, server, slept):
        reply = chat.complete(_request())
    assert (reply.text, reply.finish_reason, reply.model) == ("hello", "stop", "tiny")
    assert (reply.prompt_tokens, reply.completion_tokens, reply.cached, slept) == (7, 3, False, [])
    (request,) = server.requests
    assert request.headers["authorization"] == f"Bearer {KEY}"
    assert request.body == {
        "model": "tiny",
        "messages": [{"role": "user", "content": "say a"}],
        "max_tokens": 64,
        "temperature": 0.0,
    }


def test_rate_limit_waits_as_told_then_succeeds() -> None:
    script = [
        ScriptedReply("slow down", status=429, headers=(("retry-after", "7"),)),
        ScriptedReply("slow down", status=429, headers=(("retry-after", "86400"),)),
        ScriptedReply("ok"),
    ]
    with _chat(script) as (chat, _, slept):
        assert chat.complete(_request()).text == "ok"
    first, second = slept
    assert 7.0 <= first <= 7.7
    assert LONGEST_RETRY_AFTER <= second <= 1.1 * LONGEST_RETRY_AFTER


def test_server_errors_end_after_the_last_retry_with_doubling_delays() -> None:
    with (
        _chat([ScriptedReply("overloaded", status=503)] * 9, retries=3) as (chat, server, slept),
        pytest.raises(TransientServiceError, match="answered 503"),
    ):
        chat.complete(_request())
    assert len(server.requests) == 4
    assert len(slept) == 3
    for attempt, delay in enumerate(slept):
        assert 0.375 * 2**attempt <= delay <= 0.625 * 2**attempt


@pytest.mark.parametrize("drop", ["before", "midway"])
def test_dropped_connections_are_retried(drop: str) -> None:
    with _chat([ScriptedReply("x" * 2_000, drop=drop), ScriptedReply("ok")]) as (chat, _, slept):  # type: ignore[arg-type]
        assert chat.complete(_request()).text == "ok"
    assert len(slept) == 1


def test_a_slow_server_times_out_and_is_retried() -> None:
    with _chat([ScriptedReply("late", delay=30), ScriptedReply("ok")], timeout=0.3) as (chat, server, _):
        assert chat.complete(_request()).text == "ok"
    assert len(server.requests) == 2


def test_a_server_that_stays_slow_is_a_transient_error() -> None:
    with (
        _chat(lambda _: ScriptedReply("late", delay=30), timeout=0.2, retries=1) as (chat, _, _),
        pytest.raises(TransientServiceError, match=r"within 0\.2 s"),
    ):
        chat.complete(_request())


@pytest.mark.parametrize("status", [401, 403, 404])
def test_refusals_are_not_retried_and_hide_the_key(status: int, caplog: pytest.LogCaptureFixture) -> None:
    with (
        caplog.at_level(logging.DEBUG),
        _chat([ScriptedReply(f"bad key {KEY}", status=status)] * 2) as (chat, server, slept),
        pytest.raises(ChatError, match=f"answered {status}") as caught,
    ):
        chat.complete(_request())
    assert len(server.requests) == 1
    assert slept == []
    assert KEY not in str(caught.value) + repr(chat)
    assert not [r for r in caplog.records if r.name.startswith("kg.") and KEY in r.getMessage()]


def test_a_cut_reply_is_reported_as_such() -> None:
    with _chat([ScriptedReply('{"a": ', finish_reason="length")]) as (chat, _, _):
        reply = chat.complete(_request(schema=SCHEMA))
    assert (reply.finish_reason, reply.text) == ("length", '{"a": ')


def test_invalid_json_text_is_handed_on_for_the_caller_to_judge() -> None:
    with _chat([ScriptedReply("{a: 1}")]) as (chat, server, _):
        assert chat.complete(_request(schema=SCHEMA)).text == "{a: 1}"
    sent = server.requests[0].body["response_format"]
    assert sent["json_schema"]["schema"] == json.loads(SCHEMA)
    assert sent["json_schema"]["strict"] is True


@pytest.mark.parametrize(
    "raw", ["<html>proxy</html>", "{}", "[]", '{"choices": []}', '{"choices": [{"message": null}]}']
)
def test_a_body_that_is_no_completion_is_an_error(raw: str) -> None:
    with _chat([ScriptedReply(raw=raw)]) as (chat, _, slept), pytest.raises(ChatError):
        chat.complete(_request())
    assert slept == []


@pytest.mark.parametrize("reply", [ScriptedReply(""), ScriptedReply("half", finish_reason="content_filter")])
def test_no_answer_is_an_error(reply: ScriptedReply) -> None:
    with _chat([reply]) as (chat, _, _), pytest.raises(ChatError, match="gave no answer"):
        chat.complete(_request())


def _accepts(*formats: str) -> Callable[[ScriptedRequest], ScriptedReply]:
    def script(request: ScriptedRequest) -> ScriptedReply:
        sent = request.body.get("response_format", {})
        form = request.format + ("+schema" if "schema" in sent else "")
        if form in formats:
            return ScriptedReply('{"a": 1}')
        return ScriptedReply(f"response_format type {form} is not supported", status=400)

    return script


@pytest.mark.parametrize(
    ("accepted", "calls"), [("json_schema", 1), ("json_object+schema", 2), ("json_object", 3), ("", 4)]
)
def test_the_format_gives_way_once_and_is_remembered(accepted: str, calls: int) -> None:
    with _chat(_accepts(accepted)) as (chat, server, slept):
        assert chat.complete(_request(schema=SCHEMA)).text == '{"a": 1}'
        assert len(server.requests) == calls
        chat.complete(_request("again", schema=SCHEMA))
        assert len(server.requests) == calls + 1
    assert slept == []
    if calls > 1:
        assert SCHEMA in server.requests[-1].messages[0][1]


def test_parameters_that_a_model_does_not_know_give_way() -> None:
    def script(request: ScriptedRequest) -> ScriptedReply:
        if "max_tokens" in request.body:
            return ScriptedReply(
                "Unsupported: 'max_tokens'. Use 'max_completion_tokens' instead.", status=400
            )
        if "temperature" in request.body:
            return ScriptedReply("'temperature' does not support 0 with this model", status=400)
        return ScriptedReply("ok")

    with _chat(script) as (chat, server, _):
        assert chat.complete(_request()).text == "ok"
    assert server.requests[-1].body["max_completion_tokens"] == 64


def test_other_bad_requests_are_errors_at_once() -> None:
    with (
        _chat([ScriptedReply("context length exceeded", status=400)] * 3) as (chat, server, _),
        pytest.raises(ChatError, match="context length exceeded"),
    ):
        chat.complete(_request(schema=SCHEMA))
    assert len(server.requests) == 1


def test_a_server_that_is_not_there_is_a_transient_error() -> None:
    with ScriptedChatServer([]) as server:
        settings = ChatSettings(base_url=server.base_url, model="m", max_retries=1)
    with (
        OpenAIChat(settings, sleep=lambda _: None) as chat,
        pytest.raises(TransientServiceError, match="reached"),
    ):
        chat.complete(_request())


def test_cached_replies_ask_nothing_and_cost_nothing(tmp_path: Path) -> None:
    calls: list[ChatCall] = []
    with _chat([ScriptedReply("one"), ScriptedReply("two")]) as (chat, server, _):
        for _ in range(2):  # the second round is a new process
            cached = CachedChat(chat, ReplyFolder(tmp_path), ledger=calls.append, price=lambda _: 0.5)
            assert [cached.complete(_request(t)).text for t in ("a", "b", "a")] == ["one", "two", "one"]
        assert len(server.requests) == 2
    assert [c.cached for c in calls] == [False, False, True, True, True, True]
    assert sum(c.cost for c in calls) == 1.0
    assert {c.prompt_tokens for c in calls} == {10}


def test_replies_in_sqlite_survive(tmp_path: Path) -> None:
    with _chat([ScriptedReply("one")]) as (chat, server, _):
        for _ in range(2):
            assert (
                CachedChat(chat, SqliteReplyCache(tmp_path / "ledger.db")).complete(_request()).text == "one"
            )
        assert len(server.requests) == 1
    (tmp_path / "broken.db").write_bytes(b"text" * 1_000)
    with pytest.raises(WorkspaceError, match="cannot be used"):
        CachedChat(chat, SqliteReplyCache(tmp_path / "broken.db"))


def test_errors_are_not_cached(tmp_path: Path) -> None:
    with _chat([ScriptedReply("no", status=404), ScriptedReply("yes")]) as (chat, _, _):
        cached = CachedChat(chat, ReplyFolder(tmp_path))
        with pytest.raises(ChatError):
            cached.complete(_request())
        assert cached.complete(_request()).text == "yes"


def test_a_recording_is_replayed_and_nothing_else(tmp_path: Path) -> None:
    with _chat([ScriptedReply("one")]) as (chat, _, _):
        CachedChat(chat, ReplyFolder(tmp_path)).complete(_request("a"))
    replayed = ReplayedChat(tmp_path, "tiny")
    assert replayed.complete(_request("a")).text == "one"
    with pytest.raises(ChatError, match="record again"):
        replayed.complete(_request("b"))
    with pytest.raises(ChatError, match="record again"):
        ReplayedChat(tmp_path, "other").complete(_request("a"))
    with pytest.raises(ModelUnavailableError, match="record them first"):
        ReplayedChat(tmp_path / "nothing", "tiny")


def test_threads_share_one_client() -> None:
    with (
        _chat(lambda r: ScriptedReply(r.messages[0][1].upper())) as (chat, server, _),
        ThreadPoolExecutor(8) as pool,
    ):
        texts = list(pool.map(lambda n: chat.complete(_request(f"t{n}")).text, range(24)))
    assert texts == [f"T{n}" for n in range(24)]
    assert len(server.requests) == 24


@pytest.mark.parametrize("url", ["ftp://x/v1", "host/v1", f"https://user:{KEY}@host/v1"])
def test_addresses_must_be_plain(url: str) -> None:
    with pytest.raises(ValidationError, match="base_url"):
        ChatSettings(base_url=url, model="m")


def test_threads_that_want_the_same_reply_pay_once(tmp_path: Path) -> None:
    with _chat(lambda r: ScriptedReply(r.messages[0][1].upper(), delay=0.1)) as (chat, server, _):
        cached = CachedChat(chat, SqliteReplyCache(tmp_path / "ledger.db"))
        with ThreadPoolExecutor(8) as pool:
            replies = list(pool.map(lambda n: cached.complete(_request(f"t{n % 2}")), range(8)))
    assert [r.text for r in replies] == ["T0", "T1"] * 4
    assert sum(r.cached for r in replies) == 6
    assert len(server.requests) == 2


def test_a_failed_request_is_tried_by_the_next_who_wants_it(tmp_path: Path) -> None:
    script = [ScriptedReply("no", status=404, delay=0.1), ScriptedReply("yes")]
    with _chat(script) as (chat, server, _), ThreadPoolExecutor(2) as pool:
        cached = CachedChat(chat, SqliteReplyCache(tmp_path / "ledger.db"))
        asked = [pool.submit(cached.complete, _request()) for _ in range(2)]
        errors = [f.exception() for f in asked]
    assert sorted(type(e).__name__ for e in errors) == ["ChatError", "NoneType"]
    assert len(server.requests) == 2


def test_no_more_replies_than_slots_are_asked_for_and_not_kept(tmp_path: Path) -> None:
    open_now, most = 0, 0
    lock = threading.Lock()

    class Slow(ReplyFolder):
        def put(self, key: str, reply: ChatReply, call: ChatCall) -> None:
            nonlocal open_now
            time.sleep(0.01)
            super().put(key, reply, call)
            with lock:
                open_now -= 1

    class Counting:
        model = "m"

        def complete(self, request: ChatRequest, *, gone: Callable[[], bool] = never) -> ChatReply:  # noqa: ARG002
            nonlocal open_now, most
            with lock:
                open_now += 1
                most = max(most, open_now)
            time.sleep(0.005)
            return ChatReply(text=request.messages[0].content, finish_reason="stop", model="m")

    cached = CachedChat(Counting(), Slow(tmp_path), concurrency=3)
    with ThreadPoolExecutor(12) as pool:
        list(pool.map(lambda n: cached.complete(_request(f"t{n}")), range(24)))
    assert (open_now, most) == (0, 3)


class Held:
    """A model that answers once it may."""

    model = "m"

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.begun, self.go_on = threading.Event(), threading.Event()

    def complete(self, request: ChatRequest, *, gone: Callable[[], bool] = never) -> ChatReply:  # noqa: ARG002
        self.asked.append(request.messages[0].content)
        self.begun.set()
        assert self.go_on.wait(60)
        return ChatReply(text="yes", finish_reason="stop", model=self.model)


@pytest.mark.parametrize("text", ["another", "first"])
def test_who_no_longer_waits_is_not_asked_for(tmp_path: Path, text: str) -> None:
    """While another request has the only place, or the same request is on its way."""
    held, looked = Held(), threading.Event()
    cached = CachedChat(held, ReplyFolder(tmp_path), concurrency=1)

    def gone() -> bool:
        looked.set()
        return True

    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(cached.complete, _request("first"))
        assert held.begun.wait(60)
        try:
            with pytest.raises(TransientServiceError, match="nobody waits"):
                cached.complete(_request(text), gone=gone)
        finally:
            held.go_on.set()
        assert first.result(60).text == "yes"
    assert (held.asked, looked.is_set()) == (["first"], True)
    assert cached.complete(_request("first"), gone=gone).cached


def test_a_request_that_nobody_waits_for_is_not_sent() -> None:
    with _chat([ScriptedReply("yes")]) as (chat, server, slept):
        with pytest.raises(TransientServiceError, match="nobody waits"):
            chat.complete(_request(), gone=lambda: True)
        assert not server.requests
        assert not slept
        assert chat.complete(_request(), gone=lambda: False).text == "yes"


def test_nothing_is_tried_again_once_nobody_waits() -> None:
    with _chat([ScriptedReply("busy", status=503), ScriptedReply("yes")]) as (chat, server, _):
        with pytest.raises(TransientServiceError, match="503"):
            chat.complete(_request(), gone=lambda: bool(server.requests))
        assert len(server.requests) == 1
