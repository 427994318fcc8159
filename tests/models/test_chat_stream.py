"""Replies that are read while they are written, over real HTTP: pieces, counts, faults, going away."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from kg.adapters.cached_chat import CachedChat, ChatCall, ReplyFolder
from kg.adapters.chat_budget import Budget
from kg.adapters.openai_chat import ChatSettings, OpenAIChat
from kg.adapters.scripted_chat_server import ScriptedChatServer, ScriptedReply, ScriptedRequest
from schemas.errors import ChatError, TransientServiceError
from schemas.ports import ChatMessage, ChatReply, ChatRequest, StreamingChat
from schemas.waiting import never

REQUEST = ChatRequest(messages=(ChatMessage(role="user", content="hello"),), purpose="t")
SAID = "One two three. Four\nfive."


def chat(server: ScriptedChatServer, **settings: object) -> OpenAIChat:
    """A client that never waits between attempts; a token costs one."""
    prices = {"price_prompt": 1e6, "price_completion": 1e6}
    made = ChatSettings.model_validate({"base_url": server.base_url, "model": "m", **prices, **settings})
    return OpenAIChat(made, sleep=lambda _: None, budget=Budget())


def taken(parts: Iterator[str | ChatReply]) -> tuple[list[str], ChatReply]:
    """Pieces and the reply."""
    *pieces, reply = parts
    assert isinstance(reply, ChatReply)
    return [str(p) for p in pieces], reply


def test_a_reply_comes_in_pieces_with_its_tokens() -> None:
    with ScriptedChatServer([ScriptedReply(SAID)]) as server, chat(server) as asked:
        assert isinstance(asked, StreamingChat)
        pieces, reply = taken(asked.stream(REQUEST))
        assert pieces == ["One ", "two ", "three. ", "Four\n", "five."]
        assert (reply.text, reply.finish_reason) == (SAID, "stop")
        assert (reply.prompt_tokens, reply.completion_tokens) == (10, 5)
        assert asked._budget.spent == 15
        server.settle()
        assert server.requests[0].body["stream"] is True


def test_the_first_piece_comes_before_the_last_is_written() -> None:
    written = threading.Event()

    def script(_: ScriptedRequest) -> ScriptedReply:
        return ScriptedReply("a b", pause=0.01)

    with ScriptedChatServer(script) as server, chat(server) as asked:
        parts = asked.stream(REQUEST, gone=written.is_set)
        assert next(parts) == "a "
        assert not server.answered
        assert taken(parts)[1].text == "a b"


def test_who_goes_away_ends_the_writing_and_pays_the_worst() -> None:
    gone = threading.Event()
    with (
        ScriptedChatServer([ScriptedReply("word " * 5_000, pause=0.005)]) as server,
        chat(server, max_retries=3) as asked,
    ):
        parts = asked.stream(REQUEST, gone=gone.is_set)
        assert next(parts) == "word "
        gone.set()
        with pytest.raises(TransientServiceError, match="nobody waits"):
            list(parts)
        server.settle()
        assert (len(server.requests), len(server.answered), server.left) == (1, 0, 1)
        assert asked._budget.spent > 4_000


def test_a_silent_server_is_left_too() -> None:
    gone = threading.Event()
    with ScriptedChatServer([ScriptedReply("late", delay=60.0)]) as server, chat(server) as asked:
        threading.Timer(0.05, gone.set).start()
        with pytest.raises(TransientServiceError, match="nobody waits"):
            list(asked.stream(REQUEST, gone=gone.is_set))


def test_an_iterator_that_is_closed_frees_its_place() -> None:
    script = [ScriptedReply("word " * 5_000, pause=0.005), ScriptedReply("yes")]
    with ScriptedChatServer(script) as server, chat(server, concurrency=1) as asked:
        parts = asked.stream(REQUEST)
        next(parts)
        del parts
        assert taken(asked.stream(REQUEST))[1].text == "yes"


def test_faults_before_the_first_piece_are_retried_and_later_ones_are_told() -> None:
    script = [
        ScriptedReply("busy", status=500),
        ScriptedReply("busy", status=429, headers=(("retry-after", "0"),)),
        ScriptedReply("one two three four", drop="midway"),
    ]
    with ScriptedChatServer(script) as server, chat(server, max_retries=3) as asked:
        parts = asked.stream(REQUEST)
        assert next(parts) == "one "
        with pytest.raises(TransientServiceError):
            list(parts)
        server.settle()
        assert len(server.requests) == 3


def test_a_server_gives_way_or_knows_no_streams() -> None:
    script = [
        ScriptedReply("unknown field stream_options", status=400),
        ScriptedReply("one two"),
        ScriptedReply(
            raw='{"id":"","object":"chat.completion","created":0,"model":"m","choices":[{"index":0,'
            '"message":{"role":"assistant","content":"whole"},"finish_reason":"stop"}]}'
        ),
        ScriptedReply(raw="<html>", finish_reason="stop"),
        ScriptedReply(""),
        ScriptedReply("no", status=401),
    ]
    with ScriptedChatServer(script) as server, chat(server, max_retries=0) as asked:
        assert taken(asked.stream(REQUEST))[1].text == "one two"
        assert asked._budget.spent > 1_000  # no tokens were told
        assert taken(asked.stream(REQUEST))[0] == ["whole"]
        for said in ("no chat completion", "no text", "401"):
            with pytest.raises(ChatError, match=said):
                list(asked.stream(REQUEST))
        assert "stream_options" not in server.requests[2].body


def test_kept_replies_are_streamed_at_once_and_broken_ones_not_kept(tmp_path: Path) -> None:
    calls: list[ChatCall] = []
    gone = threading.Event()
    script = [ScriptedReply("word " * 5_000, pause=0.005), ScriptedReply(SAID)]
    with ScriptedChatServer(script) as server, chat(server) as asked:
        kept = CachedChat(asked, ReplyFolder(tmp_path), ledger=calls.append)
        parts = kept.stream(REQUEST, gone=gone.is_set)
        next(parts)
        gone.set()
        with pytest.raises(TransientServiceError):
            list(parts)
        assert not list(tmp_path.iterdir())
        assert not calls
        first = taken(kept.stream(REQUEST))
        again = taken(kept.stream(REQUEST))
        assert kept.complete(REQUEST).cached
        server.settle()
        assert len(server.requests) == 2
    assert len(first[0]) == 5
    assert again[0] == [SAID]
    assert [c.cached for c in calls] == [False, True, True]


class Whole:
    """A chat without pieces."""

    model = "whole"

    def complete(self, request: ChatRequest, *, gone: Callable[[], bool] = never) -> ChatReply:  # noqa: ARG002
        """Always the same."""
        return ChatReply(text=f"said to {request.purpose}", finish_reason="stop", model=self.model)


def test_a_chat_without_pieces_is_one_piece(tmp_path: Path) -> None:
    assert not isinstance(Whole(), StreamingChat)
    pieces, reply = taken(CachedChat(Whole(), ReplyFolder(tmp_path)).stream(REQUEST))
    assert pieces == [reply.text] == ["said to t"]


def test_too_much_is_not_read() -> None:
    with (
        ScriptedChatServer([ScriptedReply("x" * 2_000_000)]) as server,
        chat(server, max_reply_mb=1, max_retries=0) as asked,
        pytest.raises(ChatError, match="max_reply_mb"),
    ):
        list(asked.stream(REQUEST))


def test_a_stream_that_drips_is_given_up() -> None:
    began = time.monotonic()
    with (
        ScriptedChatServer([ScriptedReply("word " * 5_000, pause=0.01)]) as server,
        chat(server, deadline=0.2, max_retries=0) as asked,
        pytest.raises(TransientServiceError, match=r"chat\.deadline"),
    ):
        list(asked.stream(REQUEST))
    assert began < time.monotonic()


def test_a_wait_for_another_attempt_ends_when_nobody_wants_the_reply() -> None:
    slept: list[float] = []
    with ScriptedChatServer(lambda _: ScriptedReply("overloaded", status=503)) as server:
        made = ChatSettings(base_url=server.base_url, model="m", max_retries=9)
        with (
            OpenAIChat(made, sleep=slept.append) as asked,
            pytest.raises(TransientServiceError),
        ):
            list(asked.stream(REQUEST, gone=lambda: len(slept) >= 3))
    assert len(slept) == 3
    assert max(slept) <= 0.25
