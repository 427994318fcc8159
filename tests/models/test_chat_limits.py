"""Limits on a chat model: requests and tokens per minute, money, and the spread of retries."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kg.adapters.chat_budget import Budget
from kg.adapters.openai_chat import ChatSettings, OpenAIChat, most_prompt_tokens
from kg.adapters.rate_limit import MINUTE, RateLimiter
from kg.adapters.scripted_chat_server import Script, ScriptedChatServer, ScriptedReply
from schemas.errors import BudgetError, ChatError, TransientServiceError
from schemas.ports import ChatMessage, ChatRequest


@dataclass(slots=True)
class Clock:
    """Time that passes only while someone sleeps."""

    now: float = 1_000.0
    slept: list[float] = field(default_factory=list)

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        assert seconds > 0
        self.slept.append(seconds)
        self.now += seconds


def _request(text: str = "say a", *, max_tokens: int = 64) -> ChatRequest:
    messages = (ChatMessage(role="user", content=text),)
    return ChatRequest(messages=messages, purpose="test/one/1", max_tokens=max_tokens)


@given(
    st.integers(0, 6),
    st.integers(0, 1_000),
    st.lists(st.tuples(st.integers(1, 400), st.floats(0, 1), st.floats(0, 20)), max_size=25),
)
@settings(max_examples=200, deadline=None)
def test_no_minute_holds_more_than_allowed(
    requests: int, tokens: int, asked: list[tuple[int, float, float]]
) -> None:
    clock = Clock()
    limiter = RateLimiter(
        requests_per_minute=requests, tokens_per_minute=tokens, clock=clock, sleep=clock.sleep
    )
    begun: list[tuple[float, int]] = []
    for promised, share, pause in asked:
        permit = limiter.acquire(promised)
        assert permit.began == clock.now
        taken = int(promised * share)
        limiter.settle(permit, taken)
        begun.append((permit.began, taken))
        clock.now += pause
    for at, _ in begun:
        inside = [t for began, t in begun if at - MINUTE < began <= at]
        assert not requests or len(inside) <= requests
        assert not tokens or len(inside) == 1 or sum(inside) <= tokens


def test_a_limiter_waits_no_longer_than_it_must() -> None:
    clock = Clock()
    limiter = RateLimiter(requests_per_minute=2, clock=clock, sleep=clock.sleep)
    starts = [limiter.acquire(1).began - 1_000.0 for _ in range(5)]
    assert starts == pytest.approx([0, 0, 60, 60, 120])


def test_tokens_that_were_not_taken_are_given_back() -> None:
    clock = Clock()
    limiter = RateLimiter(tokens_per_minute=1_000, clock=clock, sleep=clock.sleep)
    limiter.settle(limiter.acquire(1_000), 100)
    assert limiter.acquire(900).began == 1_000.0
    assert limiter.acquire(100).began == pytest.approx(1_060.0)


def test_who_no_longer_waits_takes_no_place() -> None:
    clock, gone = Clock(), threading.Event()

    def sleep(seconds: float) -> None:
        clock.sleep(seconds)
        gone.set()

    limiter = RateLimiter(requests_per_minute=1, clock=clock, sleep=sleep)
    limiter.acquire(1)
    with pytest.raises(TransientServiceError, match="nobody waits"):
        limiter.acquire(1, gone=gone.is_set)
    assert limiter.acquire(1).began == pytest.approx(1_060.0)


def test_who_no_longer_waits_leaves_the_queue_and_others_keep_their_order() -> None:
    clock, asleep, on, gone = Clock(), threading.Event(), threading.Event(), threading.Event()

    def sleep(seconds: float) -> None:
        asleep.set()
        assert on.wait(60)
        clock.sleep(seconds)

    def queued(number: int) -> None:
        while len(limiter._waiting) < number:
            time.sleep(0.01)

    limiter = RateLimiter(requests_per_minute=1, clock=clock, sleep=sleep)
    limiter.acquire(1)
    with ThreadPoolExecutor(4) as pool, ExitStack() as at_last:
        at_last.callback(on.set)
        first = pool.submit(limiter.acquire, 1)
        assert asleep.wait(60)
        leaving = pool.submit(limiter.acquire, 1, gone=gone.is_set)
        queued(2)
        later = [pool.submit(limiter.acquire, 1)]
        queued(3)
        later.append(pool.submit(limiter.acquire, 1))
        queued(4)
        gone.set()
        with pytest.raises(TransientServiceError, match="nobody waits"):
            leaving.result(10)
        assert not first.done()
        on.set()
        begun = [f.result(60).began for f in (first, *later)]
    assert begun == pytest.approx([1_060.0, 1_120.0, 1_180.0])


def test_the_chat_keeps_its_limit_and_counts_retries() -> None:
    clock = Clock()
    script = [ScriptedReply("busy", status=503), *[ScriptedReply("ok")] * 3]
    with ScriptedChatServer(script) as server:
        chat_settings = ChatSettings(base_url=server.base_url, model="m", requests_per_minute=2)
        with OpenAIChat(chat_settings, sleep=clock.sleep, clock=clock) as chat:
            for text in "abc":
                chat.complete(_request(text))
    assert len(server.requests) == 4
    assert 1_060.0 <= clock.now < 1_062.0


def test_retries_of_different_requests_are_spread() -> None:
    delays = []
    for text in ("one", "two", "three"):
        clock = Clock()
        with ScriptedChatServer([ScriptedReply("busy", status=503), ScriptedReply("ok")]) as server:
            chat_settings = ChatSettings(base_url=server.base_url, model="m")
            with OpenAIChat(chat_settings, sleep=clock.sleep, clock=clock) as chat:
                chat.complete(_request(text))
        delays += clock.slept
    assert len(set(delays)) == 3


def test_a_date_in_retry_after_is_honoured() -> None:
    clock = Clock()
    soon = format_datetime(datetime.now(UTC) + timedelta(seconds=40), usegmt=True)
    reply = ScriptedReply("busy", status=429, headers=(("retry-after", soon),))
    with ScriptedChatServer([reply, ScriptedReply("ok")]) as server:
        chat_settings = ChatSettings(base_url=server.base_url, model="m")
        with OpenAIChat(chat_settings, sleep=clock.sleep, clock=clock) as chat:
            assert chat.complete(_request()).text == "ok"
    (wait,) = clock.slept
    assert 20 < wait <= 44


def _spend(script: Script, budget: Budget, texts: str, *, concurrency: int = 1) -> tuple[list[str], int]:
    """Ask for each letter; texts of the replies (or names of errors), and how many requests went out."""

    def ask(text: str) -> str:
        try:
            return chat.complete(_request(text, max_tokens=1_000)).text
        except (BudgetError, TransientServiceError, ChatError) as e:
            return type(e).__name__

    with ScriptedChatServer(script) as server:
        chat_settings = ChatSettings(
            base_url=server.base_url,
            model="m",
            concurrency=concurrency,
            max_retries=0,
            price_prompt=0.0,
            price_completion=1_000.0,
        )
        with (
            OpenAIChat(chat_settings, budget=budget) as chat,
            ThreadPoolExecutor(concurrency) as pool,
        ):
            return list(pool.map(ask, texts)), len(server.requests)


@pytest.mark.parametrize("concurrency", [1, 4])
def test_the_budget_is_never_passed_and_well_used(concurrency: int) -> None:
    """A request may cost 1.0 and costs 0.4: after 8 of them 3.2 is spent, and a ninth could pass 4.0."""
    budget = Budget(4.0)
    replies, sent = _spend(
        lambda _: ScriptedReply("ok", completion_tokens=400), budget, "x" * 20, concurrency=concurrency
    )
    assert replies.count("ok") == sent == 8
    assert replies.count("BudgetError") == 12
    assert budget.spent == pytest.approx(3.2)
    assert budget.exhausted


@pytest.mark.parametrize(
    ("reply", "cost"),
    [
        (ScriptedReply("no", status=500), 0.0),
        (ScriptedReply("x" * 500, drop="midway"), 1.0),
        (ScriptedReply("", drop="before"), 1.0),
        (ScriptedReply(raw="<html>"), 1.0),
        (ScriptedReply("", completion_tokens=300), 0.3),
    ],
)
def test_what_may_be_billed_without_a_reply_counts(reply: ScriptedReply, cost: float) -> None:
    budget = Budget(9.0)
    replies, _ = _spend([reply], budget, "a")
    assert replies != ["ok"]
    assert budget.spent == pytest.approx(cost)


def test_a_server_that_cannot_be_reached_costs_nothing() -> None:
    with ScriptedChatServer([]) as server:
        address = server.base_url
    budget = Budget(1.0)
    chat_settings = ChatSettings(base_url=address, model="m", max_retries=0, price_completion=1.0)
    with OpenAIChat(chat_settings, budget=budget) as chat, pytest.raises(TransientServiceError):
        chat.complete(_request())
    assert budget.spent == 0.0


def test_a_request_waits_for_the_others_before_it_is_refused() -> None:
    budget = Budget(1.0)
    first = budget.reserve(0.7)
    got: list[object] = []
    waiting = threading.Thread(target=lambda: got.append(budget.reserve(0.7)))
    waiting.start()
    time.sleep(0.05)
    assert got == []
    with first:
        first.settle(0.2)
    waiting.join(10)
    assert len(got) == 1
    with pytest.raises(BudgetError, match=r"budget of 1\.00, 0\.2000 is spent"):
        budget.reserve(0.9)
    with pytest.raises(BudgetError):
        budget.reserve(0.01)


@given(st.text(max_size=200))
def test_a_prompt_has_at_most_a_token_per_byte(text: str) -> None:
    assert most_prompt_tokens(_request(text)) >= len(text.encode("utf-8", "replace"))


@pytest.mark.parametrize("hold", ["head", "body"])
def test_a_dripping_server_is_given_up_at_the_deadline(hold: Literal["head", "body"]) -> None:
    with ScriptedChatServer([ScriptedReply(hold=hold), ScriptedReply("ok")]) as server:
        chat_settings = ChatSettings(base_url=server.base_url, model="m", timeout=30, deadline=0.3)
        with OpenAIChat(chat_settings, sleep=lambda _: None) as chat:
            assert chat.complete(_request()).text == "ok"
    assert len(server.requests) == 2, "a deadline is a transient error, so the request is tried again"


def test_an_endless_reply_is_not_read() -> None:
    budget = Budget(1.0)
    with ScriptedChatServer([ScriptedReply(hold="endless")]) as server:
        chat_settings = ChatSettings(
            base_url=server.base_url, model="m", max_reply_mb=1, price_completion=1.0
        )
        with (
            OpenAIChat(chat_settings, sleep=lambda _: None, budget=budget) as chat,
            pytest.raises(ChatError, match=r"more than 1048576 bytes.*") as failed,
        ):
            chat.complete(_request())
    assert "chat.max_reply_mb" in str(failed.value)
    assert budget.spent > 0, "what may be billed counts"


def test_a_compressed_reply_is_not_unpacked() -> None:
    bomb = ScriptedReply(raw="x", headers=(("content-encoding", "gzip"),))
    with ScriptedChatServer([bomb]) as server:
        chat_settings = ChatSettings(base_url=server.base_url, model="m")
        with OpenAIChat(chat_settings) as chat, pytest.raises(ChatError, match="compressed"):
            chat.complete(_request())
    assert server.requests[0].headers["accept-encoding"] == "identity"
