"""Measured values of another schema: what keeps quantities apart is read from it, not known to the code."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from cypher.one_unit import most_precise, one_mean, tightest
from cypher.service import QuestionService
from cypher.table import Table
from schemas.graph_schema import AttributeType, EntityType, GraphSchema, RelationType
from schemas.ports import GraphCounts
from schemas.questions import Answer, CheckedQuery, EntityMatch, Outcome, PlanSummary, Question, Subgraph


def number(name: str) -> AttributeType:
    return AttributeType(name=name, type="number")


LIMIT = AttributeType(name="limit", enum=("upper", "lower"), verbalisations=("limit", "upper limit"))
KIND = AttributeType(name="kind", enum=("steel", "brass"), verbalisations=("kind",))
TEXTS = (AttributeType(name="value_text"), AttributeType(name="unit"))
CLOCKS = GraphSchema(
    name="clocks",
    version="1",
    entities=(
        EntityType(name="workshop", label="Workshop"),
        EntityType(
            name="escape_wheel", label="EscapeWheel", verbalisations=("escape wheel",), attributes=(KIND,)
        ),
    ),
    relations=(
        RelationType(
            name="times",
            subjects=("workshop",),
            objects=("escape_wheel",),
            verbalisations=("times", "measures"),
            attributes=(number("value"), *TEXTS, number("total_plus"), number("total_minus"), LIMIT),
        ),
    ),
)
CELLS: Sequence[Mapping[str, Any]] = (
    {"escape_wheel": "Anker", "value": 1500.0, "unit": "ps", "total_error": 200.0, "statement_ids": ("s0",)},
    {"escape_wheel": "Anker", "value": 1.6, "unit": "ns", "total_error": 0.1, "statement_ids": ("s1",)},
    {"escape_wheel": "Graham", "value": 90.0, "unit": "ns", "total_error": 7.0, "statement_ids": ("s2",)},
)
"""What workshops found for two wheels; the one of Graham is the slower by far, and less precisely known."""


@dataclass
class Workshops:
    """A schema, no name that is known, and one row of each wheel and unit."""

    def schema(self) -> GraphSchema:
        return CLOCKS

    def counts(self) -> GraphCounts:
        return GraphCounts(entities={}, relations={})

    def exact(self, phrases: Any, types: Any) -> dict[str, tuple[EntityMatch, ...]]:  # noqa: ARG002
        return {}

    def similar(self, phrase: str, types: Any, *, limit: int = 5) -> tuple[EntityMatch, ...]:  # noqa: ARG002
        return ()

    def qualified(self, phrase: str, entity_type: str) -> tuple[EntityMatch, ...]:  # noqa: ARG002
        return ()

    def statements(self, ids: Any) -> tuple[Any, ...]:  # noqa: ARG002
        return ()

    def explain(self, query: CheckedQuery) -> PlanSummary:  # noqa: ARG002
        return PlanSummary(query_type="r", operators=("ProduceResults",))

    def run(self, query: CheckedQuery) -> Subgraph:
        rows = CELLS if {"escape_wheel", "statement_ids"} <= set(query.columns) else ()
        made = tuple(
            tuple({"replaced": 0, "workshop": "Bern", **r}.get(c) for c in query.columns) for r in rows
        )
        return Subgraph(columns=query.columns, rows=made)


def asked(text: str) -> Answer:
    shop = Workshops()
    return QuestionService(shop, shop, shop, shop).ask(Question(text=text))


@pytest.mark.parametrize(
    ("text", "best"),
    [
        ("Most precise measurement of the steel escape wheels in ns", [("Anker", 1.6), ("Graham", 90.0)]),
        ("Tightest upper limit on the steel escape wheels in ns", [("Anker", 1.5), ("Graham", 90.0)]),
        ("Tightest lower limit on the steel escape wheels in ns", [("Anker", 1.6), ("Graham", 90.0)]),
    ],
)
def test_the_best_of_each_quantity_is_given_once_all_are_in_one_unit(
    text: str, best: list[tuple[str, float]]
) -> None:
    found = asked(text)
    assert found.outcome is Outcome.ANSWERED, found.text
    wheel, value = (found.columns.index(c) for c in ("escape wheel", "value"))
    assert [(row[wheel], row[value]) for row in found.rows] == best


def clocks(start: str, end: str, relation: str = "times") -> GraphSchema:
    """Values from one type to another."""
    made = CLOCKS.relations[0].model_copy(update={"name": relation, "subjects": (start,), "objects": (end,)})
    return CLOCKS.model_copy(update={"relations": (made,)})


def of_wheels(columns: tuple[str, ...], *rows: tuple[Any, ...]) -> Table:
    return Table(columns, rows, tuple((f"s{i}",) for i in range(len(rows))), (0,) * len(rows), False)


def test_a_mean_is_of_one_quantity() -> None:
    columns = ("value", "escape wheel", "unit", "count")
    shown = of_wheels(columns, (1.5, "Anker", "ns", 3), (1.9, "Anker", "ns", 1), (90.0, "Graham", "ns", 4))
    assert one_mean(shown, CLOCKS).rows == ((1.6, "Anker", "ns", 4), (90.0, "Graham", "ns", 4))


def test_of_two_ends_of_one_type_the_second_is_the_quantity() -> None:
    columns = ("total error", "escape wheel", "other escape wheel", "value", "unit")
    shown = of_wheels(columns, (0.2, "Anker", "Graham", 1.5, "ns"), (0.1, "Harrison", "Graham", 1.6, "ns"))
    own = clocks("escape_wheel", "escape_wheel")
    assert most_precise(shown, own).statements == (("s1",),)
    assert tightest(shown, own, lower=False).statements == (("s0",),)


def test_a_schema_that_lists_total_errors_alone_has_values_in_their_order() -> None:
    found = asked("What are the most precise values in ns?")
    assert found.outcome is Outcome.ANSWERED, found.text
    assert "stat_plus" not in found.cypher
    assert "total_plus" in found.cypher
