"""The same shapes over another schema: no label is known to the code."""

from __future__ import annotations

from typing import Any

import pytest

from cypher.service import QuestionService
from schemas.graph_schema import AttributeType, EntityType, GraphSchema, RelationType
from schemas.ports import GraphCounts
from schemas.questions import EntityMatch, Outcome, Question

SCHEMA = GraphSchema(
    name="shipping",
    version="1",
    entities=(
        EntityType(name="ship", label="Ship", attributes=(AttributeType(name="year", type="integer"),)),
        EntityType(name="harbour", label="Harbour", verbalisations=("harbour", "port")),
        EntityType(name="cargo", label="Cargo"),
    ),
    relations=(
        RelationType(
            name="calls_at", subjects=("ship",), objects=("harbour",), verbalisations=("calls at", "visits")
        ),
        RelationType(name="carries", subjects=("ship",), objects=("cargo",), verbalisations=("carries",)),
    ),
)


class Harbours:
    """A schema and one known entity."""

    def schema(self) -> GraphSchema:
        return SCHEMA

    def counts(self) -> GraphCounts:
        return GraphCounts(entities={}, relations={})

    def exact(self, phrases: Any, types: Any) -> dict[str, tuple[EntityMatch, ...]]:  # noqa: ARG002
        match = EntityMatch(id="h1", type="harbour", name="Genoa", score=1.0, via="name")
        return {p: (match,) for p in phrases if p == "Genoa"}

    def similar(self, phrase: str, types: Any, *, limit: int = 5) -> tuple[EntityMatch, ...]:  # noqa: ARG002
        return ()

    def qualified(self, phrase: str, entity_type: str) -> tuple[EntityMatch, ...]:  # noqa: ARG002
        return ()

    def statements(self, ids: Any) -> tuple[Any, ...]:  # noqa: ARG002
        return ()


@pytest.mark.parametrize(
    ("text", "shape", "parts"),
    [
        ("Which ships visit Genoa?", "related", ("CALLS_AT", "Ship")),
        (
            "Which cargo is carried by ships that call at the port Genoa?",
            "connected",
            ("CARRIES", "CALLS_AT"),
        ),
        ("How many ships visit Genoa?", "count", ("count(DISTINCT n0)",)),
        ("How many ships per year?", "count_by", ("year",)),
        ("Which ports are visited by the most ships?", "most_connected", ("DESC",)),
    ],
)
def test_shapes_follow_the_schema(recording: Any, text: str, shape: str, parts: tuple[str, ...]) -> None:
    index = Harbours()
    answer = QuestionService(index, index, recording, index).ask(Question(text=text))
    assert answer.outcome is Outcome.EMPTY_BUT_VALID, answer.text
    assert answer.shape == shape
    assert all(p in answer.cypher for p in parts)


def test_measurement_words_mean_nothing_without_a_valued_relation(recording: Any) -> None:
    index = Harbours()
    answer = QuestionService(index, index, recording, index).ask(
        Question(text="Most precise measurement of Genoa?")
    )
    assert answer.outcome is Outcome.UNANSWERABLE
