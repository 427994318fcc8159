"""Largest and smallest values by what is stored, for question sets whose queries sort texts as texts."""

from __future__ import annotations

import pytest

from cypher.semantics.reader import SemanticReader
from cypher.semantics.values import ValueTable
from cypher.semantics.way import Way
from tests.cypher.small_schemas import invented_graph

SCHEMA, VALUES = invented_graph("""
    Voyage 40: code, started, miles, crew integer
    Ship 12: name
    (Voyage)-[MADE_BY 40]->(Ship)

    Voyage.started: 02/03/2017 | 14/01/2018 | 30/12/2016
    Voyage.miles: 8 | 70 | 600 | 1,200
    Ship.name: Heron | Gannet
""")
OURS = SemanticReader(SCHEMA, ValueTable(VALUES), way=Way(one=True))
STORED = SemanticReader(SCHEMA, ValueTable(VALUES), way=Way(one=True, stored=True))


def _written(reader: SemanticReader, question: str) -> str:
    written = reader.read(question).written
    assert written is not None
    return written.text.replace("`", "")


@pytest.mark.parametrize(
    ("question", "converted", "plain"),
    [
        ("Which voyage has the latest started?", "split(n0.started, '/')", "n0.started AS sorted\n"),
        ("Which voyage has the largest miles?", "toFloat(replace(n0.miles", "n0.miles AS sorted\n"),
        ("What is the largest miles of voyages made by Heron?", "max(toFloat(", "n0.miles AS sorted\n"),
    ],
)
def test_text_is_sorted_as_text_where_that_is_the_way(question: str, converted: str, plain: str) -> None:
    assert converted in _written(OURS, question)
    assert plain in _written(STORED, question)


def test_what_has_no_value_is_left_out_unless_the_way_sorts_what_is_stored() -> None:
    question = "Which voyage has the largest crew?"
    assert "WHERE sorted IS NOT NULL" in _written(OURS, question)
    assert "IS NOT NULL" not in _written(STORED, question)


def test_sums_and_averages_count_numbers_in_either_way() -> None:
    question = "What is the average miles of voyages made by Heron?"
    assert "avg(toFloat(" in _written(STORED, question)
    assert _written(OURS, question) == _written(STORED, question)


def test_conditions_compare_numbers_in_either_way() -> None:
    question = "Which voyages have miles over 100?"
    assert "toFloat(replace(n0.miles" in _written(STORED, question)
