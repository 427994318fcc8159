"""Questions for values that the graph does not hold: a condition that nothing meets, not one left out."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.cypher.test_chart_stated import READER, SCHEMA

__all__ = ["READER", "SCHEMA"]


@pytest.mark.parametrize(
    ("question", "where"),
    [
        ("Which garden has the title 'Nowhere'?", "(n0:Garden) WHERE n0.title = 'Nowhere'"),
        ("Which gardens are named 'Nowhere'?", "(n0:Garden) WHERE n0.title = 'Nowhere'"),
        ("Which plant is classified as 'K-17'?", "(n0:Plant) WHERE n0.classification = 'K-17'"),
        ("Which gardens have the designer X-12?", "(n0:Garden) WHERE n0.designer = 'X-12'"),
        ("Which gardens have the soil 12?", "(n0:Garden) WHERE n0.soil = '12'"),
        (
            "Which plants grow in the garden G-7/2?",
            "(n0:Plant)-[:GROWS_IN]->(n1:Garden) WHERE n1.title = 'G-7/2'",
        ),
        ("Which plants have a bloom that is not 'teal'?", "(n0:Plant) WHERE n0.bloom <> 'teal'"),
    ],
)
def test_a_text_that_no_value_equals_is_a_condition(
    question: str, where: str, shown: Callable[[str], str]
) -> None:
    assert where in shown(question)


@pytest.mark.parametrize(
    ("question", "where"),
    [
        ("Which 5 gardens have a clay soil?", "n0.soil CONTAINS 'clay'"),
        ("Which plants were discovered in 1850?", "n0.discovery_date"),
        ("Which gardens have 300 visitors?", "n0.visitors"),
        ("Which garden has the title 'Green Bank'?", "n0.title = 'Green Bank'"),
    ],
)
def test_what_is_known_is_read_as_before(question: str, where: str, shown: Callable[[str], str]) -> None:
    told = shown(question)
    assert where in told
    assert "= '5'" not in told
