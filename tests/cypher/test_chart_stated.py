"""Verbs for properties, values in front of them, lists in texts and years of days, on an invented graph."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from cypher.semantics.reader import SemanticReader
from cypher.semantics.values import StoredValue, ValueTable
from tests.cypher.small_schemas import invented_graph

SCHEMA, STORED = invented_graph("""
    Garden 40: title, designer, soil, opening_date, visitors
    Plant 40: name, classification, bloom, discovery_date date
    Valley 40: name, climate
    (Plant)-[GROWS_IN 30]->(Garden), (Plant)-[ORIGIN 30]->(Valley)

    Garden.title: Hollow Court | Green Bank | South Lawn
    Garden.designer: Ida Brook | Ida Brook, Otto Lind | Otto Lind
    Garden.soil: clay, loam | loam | sand, chalk | unknown
    Garden.opening_date: 1931-04-01 | 1987-05-02 | 2004-06-11
    Garden.visitors: 1200 | 300 | 8000 | unknown
    Plant.name: Bluebell | Snowdrop
    Plant.classification: bulb | shrub
    Plant.bloom: violet | white
    Valley.name: Nordal | Ashdale
    Valley.climate: humid | dry
""")
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
