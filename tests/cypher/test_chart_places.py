"""Points of the compass, and values that a property has not, on mountain huts (invented values)."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from cypher.semantics.reader import SemanticReader
from cypher.semantics.values import ValueTable
from tests.cypher.small_schemas import invented_graph

SCHEMA, STORED = invented_graph("""
    Hut 30: name, latitude float, longitude float, grade
    Warden 30: name, surname
    (Hut)-[KEPT_BY 20]->(Warden)

    Hut.grade: bivouac
    Warden.name: Ilse
    Warden.surname: Arvola
""")
READER = SemanticReader(SCHEMA, ValueTable(STORED))


@pytest.mark.parametrize(
    ("question", "key"),
    [
        ("Which is the most westerly hut?", "n0.longitude AS sorted"),
        ("What is the northernmost hut kept by Ilse?", "n0.latitude AS sorted"),
        ("Which hut is furthest east?", "n0.longitude AS sorted"),
    ],
)
def test_points_of_the_compass_are_extremes_of_a_place(
    question: str, key: str, shown: Callable[[str], str]
) -> None:
    assert key in shown(question) or key.removesuffix(" AS sorted") in shown(question)


def test_north_is_up_and_west_is_down(shown: Callable[[str], str]) -> None:
    north, south = shown("List the two northernmost huts."), shown("List the two southernmost huts.")
    assert "DESC LIMIT 2" in north
    assert "DESC" not in south
    assert north.replace(" DESC", "") == south
    west, east = shown("List the two westernmost huts."), shown("List the two easternmost huts.")
    assert west == east.replace(" DESC", "")
    assert west != east


@pytest.mark.parametrize(
    "question",
    [
        "Which huts have a grade different from bivouac?",
        "Which huts have a grade other than bivouac?",
        "Huts whose grade is anything but bivouac",
        "Huts whose grade is different from bivouac",
    ],
)
def test_a_value_that_a_property_has_not(question: str, shown: Callable[[str], str]) -> None:
    assert "n0.grade <> 'bivouac'" in shown(question)


def test_different_values_are_no_denial(shown: Callable[[str], str]) -> None:
    assert "<>" not in shown("Which different grades do the huts kept by Ilse have?")
