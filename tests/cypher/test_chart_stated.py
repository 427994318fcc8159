"""Verbs for properties, values in front of them, lists in texts and years of days, on an invented graph."""

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

_TEXT, _DATE = PropertyType.STRING, PropertyType.DATE


def _label(name: str, /, **types: PropertyType) -> StoreLabel:
    properties = tuple(StoreProperty(name=n, type=t) for n, t in types.items())
    return StoreLabel(name=name, properties=properties, name_property=properties[0].name, count=40)


SCHEMA = StoreSchema(
    labels=(
        _label("Garden", title=_TEXT, designer=_TEXT, soil=_TEXT, opening_date=_TEXT, visitors=_TEXT),
        _label("Plant", name=_TEXT, classification=_TEXT, bloom=_TEXT, discovery_date=_DATE),
        _label("Valley", name=_TEXT, climate=_TEXT),
    ),
    relations=tuple(StoreRelation(type=t) for t in ("GROWS_IN", "ORIGIN")),
    triples=(
        StoreTriple(start="Plant", type="GROWS_IN", end="Garden", count=30),
        StoreTriple(start="Plant", type="ORIGIN", end="Valley", count=30),
    ),
)
STORED = [
    *(StoredValue("Garden", "title", t) for t in ("Hollow Court", "Green Bank", "South Lawn")),
    *(StoredValue("Garden", "designer", t) for t in ("Ida Brook", "Ida Brook, Otto Lind", "Otto Lind")),
    *(StoredValue("Garden", "soil", t) for t in ("clay, loam", "loam", "sand, chalk", "unknown")),
    *(StoredValue("Garden", "opening_date", t) for t in ("1931-04-01", "1987-05-02", "2004-06-11")),
    *(StoredValue("Garden", "visitors", t) for t in ("1200", "300", "8000", "unknown")),
    *(StoredValue("Plant", "name", t) for t in ("Bluebell", "Snowdrop")),
    *(StoredValue("Plant", "classification", t) for t in ("bulb", "shrub")),
    *(StoredValue("Plant", "bloom", t) for t in ("violet", "white")),
    *(StoredValue("Valley", "name", t) for t in ("Nordal", "Ashdale")),
    *(StoredValue("Valley", "climate", t) for t in ("humid", "dry")),
]
READER = SemanticReader(SCHEMA, ValueTable(STORED))


@pytest.mark.parametrize(
    ("question", "where"),
    [
        ("Which gardens were designed by Ida Brook?", "(n0:Garden) WHERE n0.designer = 'Ida Brook'"),
        ("List the plants classified as 'bulb'.", "(n0:Plant) WHERE n0.classification = 'bulb'"),
        (
            "Which plants grow in gardens designed by 'Otto Lind'?",
            "(n0:Plant)-[:GROWS_IN]->(n1:Garden) WHERE n1.designer = 'Otto Lind'",
        ),
        ("Which gardens have 'chalk' in their soil?", "(n0:Garden) WHERE n0.soil CONTAINS 'chalk'"),
        ("Which gardens have a clay soil?", "(n0:Garden) WHERE n0.soil CONTAINS 'clay'"),
        ("Which gardens have Otto Lind as their designer?", "(n0:Garden) WHERE n0.designer = 'Otto Lind'"),
        ("How many gardens have an unknown soil?", "(n0:Garden) WHERE n0.soil = 'unknown'"),
        ("How many plants have an unknown bloom?", "(n0:Plant) WHERE n0.bloom IS NULL"),
        (
            "Which gardens were opened before 1950?",
            "(n0:Garden) WHERE n0.opening_date < '1950-01-01'",
        ),
        (
            "Which plants were discovered in 1987?",
            "(n0:Plant) WHERE (n0.discovery_date >= date('1987-01-01') "
            "AND n0.discovery_date <= date('1987-12-31'))",
        ),
        (
            "Which plants whose origin has a humid climate and grow in Hollow Court?",
            "(n0:Plant)-[:ORIGIN]->(n1:Valley), (n0)-[:GROWS_IN]->(n2:Garden) "
            "WHERE n1.climate = 'humid' AND n2.title = 'Hollow Court'",
        ),
    ],
)
def test_conditions(question: str, where: str, shown: Callable[[str], str]) -> None:
    assert shown(question).split(" RETURN ")[0].removeprefix("MATCH ") == where


def test_lists_in_texts_have_members_and_prose_has_none() -> None:
    prose = "A long garden story, told by many people over many years, and never quite the same way again."
    table = ValueTable([*STORED, *(StoredValue("Garden", "story", f"{n} {prose}") for n in range(9))])
    assert [v.text for v in table.item("sand")] == ["sand"]
    assert not table.item("told by many people over many years")


def test_days_in_texts_are_told_from_other_texts() -> None:
    table = ValueTable(STORED)
    assert table.is_iso("Garden", "opening_date")
    assert not table.is_iso("Garden", "title")
