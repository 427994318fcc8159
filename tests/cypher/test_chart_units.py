"""Numbers in units of length, mass and area, on allotments (invented values)."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from cypher.semantics.reader import SemanticReader
from cypher.semantics.values import ValueTable
from tests.cypher.small_schemas import invented_graph

SCHEMA, STORED = invented_graph("""
    Village 9: name, elevation integer, inhabitants integer
    Plot 60: name, area_ha float, altitude_m integer, price integer
    Gardener 30: name, age integer
    Pumpkin 80: name, weightKg float, diameter_cm integer
    (Plot)-[LIES_IN 60]->(Village), (Gardener)-[OWNS 60]->(Plot), (Pumpkin)-[HARVESTED_ON 80]->(Plot)

    Village.name: Ostby
    Plot.name: Far Corner
    Gardener.name: Ilse Arvola
    Pumpkin.name: Old Orange
""")
READER = SemanticReader(SCHEMA, ValueTable(STORED))


@pytest.mark.parametrize(
    ("question", "condition"),
    [
        ("Which plots are above 500 metres?", "n0.altitude_m > 500"),
        ("Which plots lie above 0.5 kilometres?", "n0.altitude_m > 500"),
        ("Which plots have more than 2 hectares?", "n0.area_ha > 2"),
        ("Which plots with an area of at least 2 hectares lie in Ostby?", "n0.area_ha >= 2"),
        ("Which villages are above 400 metres?", "n0.elevation > 400"),
        ("Which villages have an elevation below 400 metres?", "n0.elevation < 400"),
        ("Which pumpkins weigh more than 1.5 tonnes?", "n0.weightKg > 1500"),
        ("Which pumpkins have a weight over 300 kilos?", "n0.weightKg > 300"),
        ("Which pumpkins have a diameter between 1 and 2 metres?", "n0.diameter_cm >= 100"),
    ],
)
def test_a_number_in_a_unit_is_of_what_is_kept_in_it(
    question: str, condition: str, shown: Callable[[str], str]
) -> None:
    assert condition in shown(question)
    assert READER.read(question).confidence > 0.55


@pytest.mark.parametrize(
    "question", ["Which gardener owns the most hectares?", "Which plots cost over 5 kilos?"]
)
def test_a_unit_that_nothing_is_kept_in_is_not_passed_over(question: str) -> None:
    reading = READER.read(question)
    assert reading.linked.unexplained or reading.confidence < 0.55


def test_days_are_no_kilograms() -> None:
    reading = READER.read("Which pumpkins were harvested in less than 10 days?")
    written = reading.written.text if reading.written else ""
    assert "weightKg" not in written
