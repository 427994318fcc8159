"""What the plans that were seen are trusted for, and for how long."""

from __future__ import annotations

import pytest

from cypher import seen_plans
from cypher.seen_plans import LIFETIME, MOST, SeenPlans


class Clock:
    """A clock that stands until it is set."""

    def __init__(self) -> None:
        self.now = 1_000.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The clock of the plans."""
    clock = Clock()
    monkeypatch.setattr(seen_plans, "time", clock)
    return clock


def test_only_the_very_same_text_is_trusted(clock: Clock) -> None:
    plans = SeenPlans()
    text = "CALL db.index.fulltext.queryNodes($p0, $p1) YIELD node RETURN node LIMIT 11"
    plans.add(text)
    assert plans.seen(text)
    for other in (
        text + " ",
        text.lower(),
        text.replace("queryNodes", "queryRelationships"),
        text.replace("11", "12"),
    ):
        assert not plans.seen(other)


def test_what_one_store_planned_says_nothing_of_another(clock: Clock) -> None:
    first, second = SeenPlans(), SeenPlans()
    first.add("RETURN 1 AS a")
    assert not second.seen("RETURN 1 AS a")


def test_a_plan_is_forgotten_in_time(clock: Clock) -> None:
    plans = SeenPlans()
    plans.add("RETURN 1 AS a")
    clock.now += LIFETIME - 1
    assert plans.seen("RETURN 1 AS a")
    clock.now += 2
    assert not plans.seen("RETURN 1 AS a")
    plans.add("RETURN 1 AS a")
    assert plans.seen("RETURN 1 AS a")


def test_seeing_a_plan_does_not_lengthen_its_time(clock: Clock) -> None:
    plans = SeenPlans()
    plans.add("RETURN 1 AS a")
    for _ in range(10):
        clock.now += LIFETIME / 10 + 1
        plans.seen("RETURN 1 AS a")
    assert not plans.seen("RETURN 1 AS a")


def test_the_oldest_of_too_many_are_forgotten(clock: Clock) -> None:
    plans = SeenPlans()
    for i in range(MOST + 1):
        plans.add(f"RETURN {i} AS a")
    assert not plans.seen("RETURN 0 AS a")
    assert plans.seen("RETURN 1 AS a")
    assert plans.seen(f"RETURN {MOST} AS a")
