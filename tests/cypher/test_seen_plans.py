"""What the plans that were seen are trusted for, and for how long."""

from __future__ import annotations

import pytest

from cypher import seen_plans
from cypher.seen_plans import LIFETIME, MOST, ExplainedRuns, SeenPlans
from cypher.service import QuestionService
from schemas.errors import QueryRefusedError
from schemas.questions import CheckedQuery, PlanSummary, Subgraph
from tests.cypher.conftest import RecordingRunner


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


class Planner:
    """Plans every query as it is told to and counts how often."""

    def __init__(self, kind: str = "r") -> None:
        self.explained: list[str] = []
        self.run_texts: list[str] = []
        self.kind = kind

    def explain(self, query: CheckedQuery) -> PlanSummary:
        self.explained.append(query.text)
        return PlanSummary(query_type=self.kind, operators=("ProduceResults",))

    def run(self, query: CheckedQuery) -> Subgraph:
        self.run_texts.append(query.text)
        return Subgraph(columns=query.columns, rows=())


QUERY = CheckedQuery(text="RETURN 1 AS a", parameters={}, columns=("a",), row_cap=1, timeout=1)


def test_the_service_s_own_text_is_explained_once() -> None:
    planner = Planner()
    runs = ExplainedRuns(planner)
    for _ in range(3):
        runs.trusted(QUERY)
    assert (len(planner.explained), len(planner.run_texts)) == (1, 3)


def test_a_query_of_somebody_else_is_explained_each_time(clock: Clock) -> None:
    planner = Planner()
    runs = ExplainedRuns(planner)
    runs.trusted(QUERY)
    for _ in range(3):
        runs.anew(QUERY)
    assert (len(planner.explained), len(planner.run_texts)) == (4, 4)
    planner.kind = "rw"
    with pytest.raises(QueryRefusedError):
        runs.anew(QUERY)
    assert len(planner.run_texts) == 4


def test_a_plan_of_somebody_else_s_query_is_trusted_for_none() -> None:
    planner = Planner()
    runs = ExplainedRuns(planner)
    runs.anew(QUERY)
    runs.trusted(QUERY)
    assert len(planner.explained) == 2


def test_what_a_model_and_a_reviewer_wrote_takes_the_way_that_explains(
    dry_service: QuestionService, recording: RecordingRunner, monkeypatch: pytest.MonkeyPatch
) -> None:
    explained: list[CheckedQuery] = []
    plan = recording.plan
    monkeypatch.setattr(recording, "explain", lambda q: explained.append(q) or plan)
    for _ in range(2):
        dry_service.run(QUERY)
        dry_service.run_of_others(QUERY)
    assert len(explained) == 3
