"""Of the newest and the oldest, the total is that of their year, however few rows are shown."""

from __future__ import annotations

import pytest

from cypher.service import QuestionService
from schemas.questions import Question


@pytest.mark.neo4j
@pytest.mark.parametrize(
    ("text", "limit", "begins"),
    [
        ("Newest papers", 25, "1 paper of the latest year"),
        ("Newest papers on BR(B_s0 -> mu+ mu-)", 25, "1 paper of the latest year"),
        ("Newest papers since 2014 until 2015", 1, "2 papers of the latest year"),
        ("Oldest papers since 2022", 1, "2 papers of the earliest year"),
    ],
)
def test_the_total_is_that_of_the_year(service: QuestionService, text: str, limit: int, begins: str) -> None:
    answer = service.ask(Question(text=text, limit=limit, use_llm=False))
    assert answer.text.startswith(begins), answer.text
    assert answer.truncated is (limit == 1)


@pytest.mark.neo4j
def test_rows_of_other_years_are_no_more_rows(service: QuestionService) -> None:
    answer = service.ask(Question(text="What was the first value of phi_s?", limit=1, use_llm=False))
    assert len(answer.rows) == 1
    assert not answer.truncated
    assert "there are more" not in answer.text
