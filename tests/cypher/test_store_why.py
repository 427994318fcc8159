"""Why a question to a store is not answered, told so that it can be asked otherwise."""

from __future__ import annotations

import pytest

from cypher.store_service import StoreQuestionService
from schemas.questions import CheckedQuery, Outcome, PlanSummary, Question, Subgraph
from tests.cypher.small_schemas import invented_graph

SCHEMA, STORED = invented_graph("""
    Ferry 9: name, seats integer, builtOn date
    Harbour 5: name, depth integer
    (Ferry)-[CALLS_AT 20: onDay date]->(Harbour)

    Ferry.name: Skarven | Tern
    Harbour.name: Ekholm | Varde
""")


class Empty:
    """A runner that finds nothing."""

    def explain(self, query: CheckedQuery) -> PlanSummary:  # noqa: ARG002
        return PlanSummary(query_type="r", operators=("ProduceResults",))

    def run(self, query: CheckedQuery) -> Subgraph:
        return Subgraph(columns=query.columns, rows=(), truncated=False)


SERVICE = StoreQuestionService(SCHEMA, STORED, Empty())


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("Which ferries call at Ekholm last year?", "'last year' depends on when it is asked"),
        ("Which ferries with umbrellas call at Ekholm?", "The graph knows nothing called 'umbrellas'"),
        ("Which ferries are both at Ekholm or at Varde but?", "was not understood, and is not left out"),
        (
            "What percentage of ferries call at Ekholm?",
            "Shares, medians and the like are not computed: 'percentage'",
        ),
    ],
)
def test_the_reason_is_told(question: str, told: str) -> None:
    answer = SERVICE.ask(Question(text=question))
    assert answer.outcome is Outcome.UNANSWERABLE
    assert told in answer.text
