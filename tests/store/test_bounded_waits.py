"""A call that is waited for in a thread: its result, its error, or that nothing came."""

from __future__ import annotations

import signal
import threading

import pytest

from kg.adapters.neo4j_waiting import Calls, NoAnswerError, waited
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


@pytest.mark.usefixtures("ctrl_c_heard")
def test_a_call_that_is_interrupted_has_ended_before_anything_is_closed() -> None:
    """The driver's connection was closed under its own thread, which ended in a traceback."""
    main = threading.main_thread().ident
    assert main is not None
    asked, order = threading.Event(), list[str]()

    def call() -> None:
        signal.pthread_kill(main, signal.SIGINT)
        assert asked.wait(60)
        order.append("call ended")

    with pytest.raises(KeyboardInterrupt):
        waited(call, 60, interrupted=asked.set)
    assert order == ["call ended"]


def test_calls_that_were_given_up_are_counted_until_they_end() -> None:
    calls, done = Calls(), threading.Event()
    with pytest.raises(NoAnswerError):
        waited(done.wait, 0.01, calls=calls)
    assert calls.left(0.01) == 1
    done.set()
    assert calls.left(60) == 0
    assert waited(lambda: 3, 60, calls=calls) == 3
    assert calls.left(60) == 0
