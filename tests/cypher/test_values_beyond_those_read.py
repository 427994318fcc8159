"""What was only read in part decides nothing: neither a scale nor which value is the largest."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest

from cypher.listed import MOST_READ
from cypher.service import QuestionService
from schemas.questions import Answer, CheckedQuery, Outcome, PlanSummary, Question, Subgraph, Value


@dataclass
class Filled:
    """A runner of a graph that has more rows than are read: each query gets ``row_cap - 1`` of them."""

    cells: dict[str, Value]
    whole: bool = False
    """Whether these are all."""
    queries: list[CheckedQuery] = field(default_factory=list)

    def explain(self, _query: CheckedQuery) -> PlanSummary:
        return PlanSummary(query_type="r", operators=("ProduceResults",))

    def run(self, query: CheckedQuery) -> Subgraph:
        self.queries.append(query)
        if query.row_cap < MOST_READ or "value" not in query.columns:
            return Subgraph(columns=query.columns, rows=())
        row = tuple(self.cells.get(c) for c in query.columns)
        return Subgraph(columns=query.columns, rows=(row,) * (query.row_cap - 1), truncated=not self.whole)


def ask(index: Any, runner: Filled, text: str) -> Answer:
    return QuestionService(index, index, runner, index).ask(Question(text=text, use_llm=False))


@pytest.fixture
def index(dry_service: QuestionService) -> Any:
    return dry_service._values


BARE = [
    "Which measurements have a value above 5?",
    "Which measurements of phi_s have a value above 5?",
    "Which papers on phi_s have a statistical uncertainty below 5?",
]


@pytest.mark.parametrize("text", BARE)
def test_a_scale_of_which_not_all_was_read_is_none(index: Any, text: str) -> None:
    runner = Filled({"value": 1.0, "value_text": "1.0", "unit": "ps^-1", "statement_ids": (), "replaced": 0})
    answer = ask(index, runner, text)
    assert any(q.row_cap == MOST_READ for q in runner.queries)
    assert answer.outcome is Outcome.UNANSWERABLE, answer
    assert (
        "5 has no unit, and the first 1,000 of the values are listed in ps^-1; there are more" in answer.text
    )
    assert "as they are listed" not in " ".join(answer.assumptions)


@pytest.mark.parametrize("text", BARE)
def test_a_scale_of_which_all_was_read_is_that_of_the_number(index: Any, text: str) -> None:
    cells = {"value": 1.0, "value_text": "1.0", "unit": "ps^-1", "statement_ids": (), "replaced": 0}
    answer = ask(index, Filled(cells, whole=True), text)
    assert any("as they are listed, in ps^-1" in a for a in answer.assumptions), answer
