"""Several things of one name are told of in an answer to a question that names one."""

from __future__ import annotations

import pytest

from cypher.store_service import StoreQuestionService
from schemas.questions import CheckedQuery, Outcome, PlanSummary, Question, Subgraph, Value
from tests.cypher.small_schemas import invented_graph

SCHEMA, STORED = invented_graph("""
    Fisher 9: name, town
    Trip 5: code
    (Fisher)-[SAILED_ON 20]->(Trip)

    Fisher.name: John MacLeod | Ann Moor
    Fisher.town: Kilbride
    Trip.code: T01 | T02
""")


class Counting:
    """A runner in whose graph so many have the name that is counted, and which lists one trip."""

    def __init__(self, count: int) -> None:
        self.count = count

    def explain(self, query: CheckedQuery) -> PlanSummary:  # noqa: ARG002
        return PlanSummary(query_type="r", operators=("ProduceResults",))

    def run(self, query: CheckedQuery) -> Subgraph:
        rows: tuple[tuple[Value, ...], ...] = (("T01",),)
        if "count(" in query.text:
            rows = ((self.count,),)
        return Subgraph(columns=query.columns, rows=rows, truncated=False)


@pytest.mark.parametrize(
    ("count", "told"), [(2, ("2 of Fisher are called 'John MacLeod': all of them are meant.",)), (1, ())]
)
def test_namesakes_are_told_of(count: int, told: tuple[str, ...]) -> None:
    service = StoreQuestionService(SCHEMA, STORED, Counting(count))
    answer = service.ask(Question(text="Which trips did John MacLeod sail on?"))
    assert answer.outcome is Outcome.ANSWERED
    assert tuple(x for x in answer.assumptions if "are called" in x) == told


def test_a_town_is_no_name() -> None:
    service = StoreQuestionService(SCHEMA, STORED, Counting(2))
    answer = service.ask(Question(text="Which fishers live in the town Kilbride?"))
    assert not any("are called" in x for x in answer.assumptions)
