"""What is said of all rows where only some are shown, and the ends of a range of values."""

from __future__ import annotations

import pytest

from cypher import form as f
from cypher.service import QuestionService
from cypher.table import table
from schemas.questions import Question, Subgraph

_NODES = (f.Node("n0", "paper"), f.Node("n1", "observable"))
_EDGES = (f.Edge("e0", "determines", "n0", "n1"),)
_COLUMNS = ("paper", "observable", "value", "statement_ids", "replaced")


def _shown(*conditions: f.Condition, limit: int) -> tuple[tuple[str, object], ...]:
    form = f.Form("values", _NODES, _EDGES, conditions, f.Statements("e0"))
    rows = tuple((f"A{i > 1}", "x", float(i), (f"s{i}",), 0) for i in range(3))
    return table(Subgraph(columns=_COLUMNS, rows=rows), limit=limit, form=form, year="year").same


def test_what_the_first_rows_have_in_common_is_not_told_of_all() -> None:
    assert _shown(limit=2) == ()
    assert _shown(limit=3) == (("observable", "x"),)


def test_what_the_question_names_is_common_to_all() -> None:
    named = f.Condition("n1", "id", f.Op.ONE_OF, ("o1",), "'x'")
    assert _shown(named, limit=2) == (("observable", "x"),)
    several = f.Condition("n1", "id", f.Op.ONE_OF, ("o1", "o2"), "'x' or 'y'")
    assert _shown(several, limit=2) == ()


@pytest.mark.neo4j
def test_the_first_values_of_a_kind_are_not_all_those_of_one_paper(service: QuestionService) -> None:
    answer = service.ask(Question(text="list the branching fractions", limit=1))
    assert answer.truncated
    assert " in 11" not in answer.text.split(":")[0]
    assert "paper" in answer.columns


def test_both_ends_of_a_range_are_included(dry_service: QuestionService) -> None:
    answer = dry_service.ask(Question(text="values of R_K between 0.846 and 0.9"))
    assert "is at least 0.846" in answer.explanation
    assert "is at most 0.9" in answer.explanation


@pytest.mark.neo4j
def test_a_value_at_the_end_of_a_range_is_in_it(service: QuestionService) -> None:
    for low, high in ((0.846, 0.9), (0.8, 0.846)):
        answer = service.ask(Question(text=f"values of R_K between {low} and {high}"))
        assert len(answer.rows) == 1, answer.text
