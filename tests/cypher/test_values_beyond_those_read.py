"""What was only read in part decides nothing: neither a scale nor which value is the largest."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import pytest

from cypher.listed import MOST_READ
from cypher.service import QuestionService
from schemas.graph_schema import GraphSchema
from schemas.questions import Answer, CheckedQuery, Outcome, PlanSummary, Question, Subgraph, Value
from tests.cypher.conftest import BoltRunner, Graph, MemoryIndex, load


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


Masses: TypeAlias = Callable[[float, str | None], QuestionService]


@pytest.fixture
def masses(bolt_runner: BoltRunner, particle_schema: GraphSchema) -> Masses:
    """A graph with more values of one mass in MeV, 4,001 to 5,100, than are read, and one more value."""

    def loaded(size: float, unit: str | None) -> QuestionService:
        graph = Graph()
        graph.node("observable", "B_s0 mass", kind="mass")
        graph.node("paper", "1100001", year=2012)
        for value, given in [*((float(n), "MeV") for n in range(4_001, 5_101)), (size, unit)]:
            known = {"value": value, "value_text": f"{value:g}"} | ({"unit": given} if given else {})
            graph.edge("1100001", "paper:1100001", "determines", "observable:B_s0 mass", **known)
        load(bolt_runner._driver, bolt_runner._database, graph, particle_schema)
        index = MemoryIndex(graph, particle_schema)
        return QuestionService(index, index, bolt_runner, index)

    return loaded


@pytest.mark.neo4j
@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("What is the largest value of B_s0 mass?", ["125"]),
        ("What are the two largest values of B_s0 mass?", ["125", "5100"]),
        ("What is the smallest value of B_s0 mass?", ["4001"]),
    ],
)
def test_the_largest_is_the_largest_in_whatever_unit(masses: Masses, text: str, values: list[str]) -> None:
    answer = masses(125.0, "GeV").ask(Question(text=text, use_llm=False))
    assert answer.outcome is Outcome.ANSWERED, answer.text
    at = answer.columns.index("value text")
    assert [r[at] for r in answer.rows] == values
    assert not answer.truncated


@pytest.mark.neo4j
@pytest.mark.parametrize("unit", ["ps", None])
def test_one_value_that_cannot_be_compared_is_found(masses: Masses, unit: str | None) -> None:
    asked = Question(text="What is the largest value of B_s0 mass?", use_llm=False)
    answer = masses(1.0, unit).ask(asked)
    assert answer.outcome is Outcome.UNANSWERABLE, answer.text
    assert "units that cannot be compared" in answer.text
