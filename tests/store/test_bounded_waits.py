"""A call that is waited for in a thread: its result, its error, or that nothing came."""

from __future__ import annotations

import threading

import pytest

from kg.adapters.neo4j_waiting import NoAnswerError, waited
from kg.stopping import seconds_left, within


def test_results_and_errors_reach_whoever_waits() -> None:
    assert waited(lambda: 3, 60) == 3
    with pytest.raises(ZeroDivisionError):
        waited(lambda: 1 // 0, 60)


def test_the_thread_knows_the_limits_around_the_call() -> None:
    with within(1_000):
        left = waited(seconds_left, 60)
    assert left is not None
    assert 0 < left <= 1_000
    assert seconds_left() is None


def test_what_does_not_come_is_left_behind() -> None:
    done = threading.Event()
    with pytest.raises(NoAnswerError):
        waited(done.wait, 0.01)
    done.set()
