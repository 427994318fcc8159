"""Conditions on a measure and on how many entries a list has, on invented books."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from cypher.semantics.alike import form
from cypher.semantics.explain import explain
from cypher.semantics.reader import SemanticReader
from cypher.semantics.values import ValueTable
from tests.cypher.small_schemas import invented_graph

SCHEMA, STORED = invented_graph("""
    Book 100: title, printed integer, languages string list
    Reader 80: name
    Shelf 10: name
    (Reader)-[GRADED 400: grade integer]->(Book), (Reader)-[BORROWED 300]->(Book)
    (Book)-[ON_SHELF 150]->(Shelf)
    (Shelf)-[HOLDS 40: weight float, load integer]->(Book)

    Book.title: Heat | Alien
    Reader.name: Ann Lee
    Shelf.name: Drama
""")
READER = SemanticReader(SCHEMA, ValueTable(STORED))
GRADES = "EXISTS { MATCH (n1:Reader)-[r1000:GRADED]->(n0) WITH avg(r1000.grade) AS figure WHERE figure"


@pytest.mark.parametrize(
    ("question", "condition"),
    [
        ("Which books have an average grade over 4?", "> 4"),
        ("books whose mean grade is at least 4.5", ">= 4.5"),
        ("List the books with an average grade of 4 or more.", ">= 4"),
        ("Which books are graded higher than 4 on average?", "> 4"),
        ("books graded below 2.5 on average", "< 2.5"),
        ("books with an average grade of 3", "= 3"),
    ],
)
def test_an_average_is_compared(shown: Callable[[str], str], question: str, condition: str) -> None:
    assert shown(question) == (
        f"MATCH (n0:Book) WHERE {GRADES} {condition} RETURN figure }} RETURN DISTINCT n0.title AS title"
    )


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        (
            "Which readers borrowed books with an average grade above 4?",
            ("(n0:Reader)-[:BORROWED]->(n1:Book) WHERE EXISTS", "avg(r1000.grade)", "> 4"),
        ),
        (
            "Which readers gave an average grade of less than 2?",
            ("MATCH (n0:Reader) WHERE EXISTS", "(n0)-[r1000:GRADED]->(n1:Book)", "figure < 2"),
        ),
        (
            "books with an average grade between 3 and 4",
            ("avg(r1000.grade) AS figure WHERE figure >= 3", "avg(r1001.grade) AS figure WHERE figure <= 4"),
        ),
        ("books without an average grade over 4", ("WHERE NOT (EXISTS", "avg(r1000.grade)", "figure > 4")),
        ("How many books have a mean grade below 3?", ("figure < 3", "RETURN count(DISTINCT n0)")),
        (
            "Which readers borrowed books with a total grade over 100 from the shelf Drama?",
            ("sum(r1000.grade)", "figure > 100", "n3.name = 'Drama'"),
        ),
    ],
)
def test_it_is_taken_over_all_of_the_one_thing(
    shown: Callable[[str], str], question: str, parts: tuple[str, ...]
) -> None:
    text = shown(question)
    assert all(part in text for part in parts), text


def test_of_several_numbers_none_is_taken_for_the_average() -> None:
    reading = READER.read("Which books are held above 4 on average?")
    assert reading.confidence < 0.5


@pytest.mark.parametrize(
    ("question", "condition"),
    [
        ("books with more than 3 languages", "> 3"),
        ("Which books have at least 2 different languages?", ">= 2"),
        ("books with exactly 2 languages", "= 2"),
    ],
)
def test_entries_of_a_list_are_counted(shown: Callable[[str], str], question: str, condition: str) -> None:
    assert shown(question).startswith(f"MATCH (n0:Book) WHERE size(n0.languages) {condition} ")


def test_the_explanation_tells_measure_and_number() -> None:
    query = READER.read("Which books have an average grade over 4?").query
    assert query is not None
    assert "the average of the GRADED's grade is above 4" in explain(query)
    sized = READER.read("books with more than 3 languages").query
    assert sized is not None
    assert "the number of the book's languages is above 3" in explain(sized)


def test_readings_that_compare_different_figures_are_not_alike() -> None:
    forms = [
        form(query)
        for text in (
            "books with an average grade over 4",
            "books with an average grade over 3",
            "books with a total grade over 4",
        )
        if (query := READER.read(text).query) is not None
    ]
    assert len(set(forms)) == 3
