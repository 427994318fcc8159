"""What there was no time to look at is not told of the graph."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest

from cypher.service import QuestionService
from schemas.errors import QueryTimeoutError
from schemas.questions import CheckedQuery, Outcome, PlanSummary, Question, Subgraph

EVEN = "even with any one condition left out"
CLOSE = 4
"""Looks by which close questions are found, before those at the conditions."""


@dataclass
class Late:
    """A graph of nothing, in which so many looks around a question are in time, and find nothing."""

    looks: int = 0
    looked: list[str] = field(default_factory=list)

    def explain(self, _query: CheckedQuery) -> PlanSummary:
        return PlanSummary(query_type="r", operators=("ProduceResults",))

    def run(self, query: CheckedQuery) -> Subgraph:
        if query.columns[0] in ("found", "count"):
            self.looked.append(query.text)
            if len(self.looked) > self.looks:
                raise QueryTimeoutError("no time")
        return Subgraph(columns=query.columns, rows=())


def _told(index: Any, runner: Late) -> str:
    service = QuestionService(index, index, runner, index)
    answer = service.ask(Question(text="Which papers from 2015 determine phi_s?", use_llm=False))
    assert answer.outcome is Outcome.EMPTY_BUT_VALID, answer.text
    return answer.text


@pytest.mark.parametrize(
    ("looks", "unlooked"),
    [
        (0, "each of its 2 conditions"),
        (CLOSE, "each of its 2 conditions"),
        (CLOSE + 1, "one of its 2 conditions"),
    ],
)
def test_a_look_that_timed_out_tells_nothing(dry_service: QuestionService, looks: int, unlooked: str) -> None:
    runner = Late(looks)
    text = _told(dry_service._values, runner)
    assert len(runner.looked) > looks
    fits = "The question fits the graph, but nothing in it matches."
    assert text == f"{fits} What leaving out {unlooked} finds was not looked at."


def test_looks_without_the_counts_behind_them_tell_of_the_conditions_alone(
    dry_service: QuestionService,
) -> None:
    text = _told(dry_service._values, Late(CLOSE + 2))
    assert text == f"The question fits the graph, but nothing in it matches, {EVEN}."


def test_some_counts_that_are_nought_are_not_all(dry_service: QuestionService) -> None:
    text = _told(dry_service._values, Late(CLOSE + 3))
    assert text.endswith("The graph holds no statement 'paper determines observable' for 'phi_s'.")


def test_what_was_looked_at_is_told(dry_service: QuestionService) -> None:
    text = _told(dry_service._values, Late(99))
    assert EVEN in text
    assert text.endswith("for 'phi_s', nor any other.")
