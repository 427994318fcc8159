"""Points of the compass, and values that a property has not, on mountain huts (invented values)."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from cypher.semantics.reader import SemanticReader
from cypher.semantics.values import StoredValue, ValueTable
from schemas.store_schema import (
    PropertyType,
    StoreLabel,
    StoreProperty,
    StoreRelation,
    StoreSchema,
    StoreTriple,
)

_TEXT, _FLOAT = PropertyType.STRING, PropertyType.FLOAT


def _label(name: str, /, **types: PropertyType) -> StoreLabel:
    properties = tuple(StoreProperty(name=n, type=t) for n, t in types.items())
    return StoreLabel(name=name, properties=properties, name_property="name", count=30)


SCHEMA = StoreSchema(
    labels=(
        _label("Hut", name=_TEXT, latitude=_FLOAT, longitude=_FLOAT, grade=_TEXT),
        _label("Warden", name=_TEXT, surname=_TEXT),
    ),
    relations=(StoreRelation(type="KEPT_BY", properties=()),),
    triples=(StoreTriple(start="Hut", type="KEPT_BY", end="Warden", count=20),),
)
READER = SemanticReader(
    SCHEMA,
    ValueTable(
        [
            StoredValue("Hut", "grade", "bivouac"),
            StoredValue("Warden", "name", "Ilse"),
            StoredValue("Warden", "surname", "Arvola"),
        ]
    ),
)


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
