"""The things with the most members of a list are ordered by how many their lists have."""

from __future__ import annotations

import pytest

from cypher.service import QuestionService
from schemas.questions import Question
from tests.cypher.conftest import DSPI, KMUMU, KPI, MUMU, PSIKK, PSIPHI


@pytest.mark.neo4j
@pytest.mark.parametrize(
    ("text", "decays", "members"),
    [
        ("Which decay has the most children?", [KMUMU, PSIKK], 3),
        ("decays with the most decay products", [KMUMU, PSIKK], 3),
        ("Which decay of the B_s0 has the most children?", [PSIKK], 3),
        ("Which decay has the fewest children?", [KPI, DSPI, PSIPHI, MUMU], 2),
    ],
)
def test_members_are_counted(service: QuestionService, text: str, decays: list[str], members: int) -> None:
    answer = service.ask(Question(text=text, use_llm=False))
    assert [row[0] for row in answer.rows] == decays, answer.explanation
    assert {row[answer.columns.index("count")] for row in answer.rows} == {members}
    assert "number of children" in answer.explanation
