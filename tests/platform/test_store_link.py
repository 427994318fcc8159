"""One attempt to connect for all who wait, nobody waits past his time, and what was lost is closed."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field

import pytest

from kg.stopping import within
from kg.store_link import StoreLink
from schemas.errors import StoreUnavailableError
from tests.wire import ended


@dataclass(eq=False)
class Made:
    """A stand-in for what is connected."""

    lost: bool = False
    used: bool = False
    open: bool = True


@dataclass
class Store:
    """Connects when it is let, unless it is away."""

    go: threading.Event = field(default_factory=threading.Event)
    asked: threading.Event = field(default_factory=threading.Event)
    away: bool = False
    attempts: int = 0
    made: list[Made] = field(default_factory=list)

    @contextmanager
    def connect(self) -> Iterator[Made]:
        self.attempts += 1
        self.asked.set()
        assert self.go.wait(60)
        if self.away:
            raise StoreUnavailableError("away")
        made = Made()
        self.made.append(made)
        yield made
        made.open = False

    def link(self) -> StoreLink[Made]:
        return StoreLink(self.connect, lost=lambda made: made.lost, used=lambda made: made.used)


def settled() -> None:
    """Waits for the threads of all attempts."""
    for thread in threading.enumerate():
        if thread.name == "kg-connect":
            ended(thread)


@pytest.mark.parametrize("away", [False, True])
def test_all_who_wait_share_one_attempt(*, away: bool) -> None:
    store = Store(away=away)
    link = store.link()
    waiting = threading.Barrier(5)

    def get() -> object:
        waiting.wait(60)
        try:
            return link.get()
        except StoreUnavailableError as e:
            return str(e)

    with ThreadPoolExecutor(4) as pool:
        got = [pool.submit(get) for _ in range(4)]
        waiting.wait(60)
        assert store.asked.wait(60)
        with within(0.0), pytest.raises(StoreUnavailableError, match="found none yet"):
            link.get()
        store.go.set()
        results = [f.result(60) for f in got]
    if away:
        assert set(results) == {"away"}
    else:
        assert results == [store.made[0]] * 4
        assert store.attempts == 1
    settled()
    link.close()


def test_who_has_no_time_left_waits_for_nobody_and_the_attempt_is_of_use_to_the_next() -> None:
    store = Store()
    link = store.link()
    for _ in range(3):
        with within(0.01), pytest.raises(StoreUnavailableError, match="expected a connection"):
            link.get()
    assert not store.go.is_set()
    store.go.set()
    assert link.get() is store.made[0]
    assert store.attempts == 1
    settled()
    link.close()
    assert not store.made[0].open


def test_an_attempt_that_failed_is_made_again_by_the_next() -> None:
    store = Store(away=True)
    store.go.set()
    link = store.link()
    with pytest.raises(StoreUnavailableError, match="away"):
        link.get()
    store.away = False
    assert link.get() is store.made[0]
    settled()


def test_what_was_lost_is_replaced_once_and_closed_when_its_calls_have_ended() -> None:
    store = Store()
    store.go.set()
    link = store.link()
    for _ in range(5):
        link.get().lost = True
        settled()
    fresh = link.get()
    settled()
    assert link.get() is fresh
    assert [made.open for made in store.made] == [False] * 5 + [True]
    fresh.used = fresh.lost = True
    link.get().lost = True
    settled()
    assert fresh.open
    fresh.used = False
    kept = link.get()
    settled()
    assert [made for made in store.made if made.open] == [kept]
    link.close()
    assert not kept.open


def test_what_somebody_holds_stays_open_when_it_is_lost() -> None:
    store = Store()
    store.go.set()
    link = store.link()
    with link.held() as first:
        with link.held() as same:
            assert same is first
            first.lost = True
            second = link.get()
            settled()
            assert second is not first
            assert first.open
        settled()
        assert first.open
        with link.held() as third:
            assert third is second
    settled()
    assert not first.open
    assert second.open
    link.close()
    assert not second.open


def test_what_is_held_at_the_end_is_closed_once() -> None:
    store = Store()
    store.go.set()
    link = store.link()
    with link.held() as held:
        settled()
        link.close()
        assert not held.open
    settled()
    assert len(store.made) == 1


def test_what_is_connected_after_the_end_is_closed() -> None:
    store = Store()
    link = store.link()
    with within(0.01), pytest.raises(StoreUnavailableError):
        link.get()
    link.close()
    store.go.set()
    settled()
    assert [made.open for made in store.made] == [False]


def test_an_error_that_none_expects_reaches_whoever_waits() -> None:
    def connect() -> Iterator[Made]:
        raise ZeroDivisionError
        yield Made()

    link = StoreLink(contextmanager(connect), lost=lambda made: made.lost, used=lambda made: made.used)
    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            link.get()
    settled()
