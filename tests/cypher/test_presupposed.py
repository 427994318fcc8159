"""The best of all where nothing fits: "Which person of Lund wrote the longest book?" says one did."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cypher.semantics.presupposed import best_among_answers
from cypher.semantics.probing import matching, with_probes
from cypher.semantics.reader import SemanticReader
from cypher.semantics.values import ValueTable
from cypher.semantics.write import Written
from tests.cypher.small_schemas import invented_graph

SCHEMA, STORED = invented_graph("""
    Person 50: name, born integer
    Book 60: title, genre, length integer
    City 9: name, population integer
    (Person)-[WROTE 50: year integer]->(Book), (Person)-[LIVES_IN 30]->(City)

    Person.name: Ada Moss | Ben Roe
    Book.title: The Long Field
    Book.genre: poetry | travel
    City.name: Lund
""")
READER = SemanticReader(SCHEMA, ValueTable(STORED))
ASKED = "Which person of Lund wrote the longest poetry book?"
AMONG = (
    "CALL () { MATCH (n4:`Person`)-[:`LIVES_IN`]->(n5:`City`), (n4)-[:`WROTE`]->(n3:`Book`) "
    "WHERE n3.`genre` = $p2 AND n5.`name` = $p3 RETURN max(n3.`length`) AS best0 }"
)


class _Holding:
    """Has rows for these texts only."""

    def __init__(self, *texts: str) -> None:
        self.texts = texts

    def has_rows(self, written: Written, *, timeout: float) -> bool | None:
        assert timeout > 0
        return written.text in self.texts


def _text_of(question: str, *, among: bool = False) -> str:
    query = READER.read(question).candidates[0].query
    found = best_among_answers(query) if among else query
    assert found is not None
    return READER.write(matching(found)).text


def test_the_best_is_one_of_those_that_fit_where_the_best_of_all_does_not() -> None:
    probe = _Holding(_text_of(ASKED, among=True))
    found = with_probes(READER.read(ASKED), READER, probe, clock=lambda: 0.0)
    assert found.written is not None
    assert found.written.text.startswith(AMONG)
    assert list(found.written.parameters.values())[:2] == ["Lund", "poetry"]


def test_a_reading_without_rivals_is_looked_at_for_it() -> None:
    reading = READER.read(ASKED)
    alone = replace(reading, candidates=reading.candidates[:1])
    found = with_probes(alone, READER, _Holding(_text_of(ASKED, among=True)), clock=lambda: 0.0)
    assert found.written is not None
    assert found.written.text.startswith(AMONG)


def test_the_best_of_all_is_kept_where_it_fits() -> None:
    probe = _Holding(_text_of(ASKED), _text_of(ASKED, among=True))
    reading = READER.read(ASKED)
    assert with_probes(reading, READER, probe, clock=lambda: 0.0).query == reading.query


@pytest.mark.parametrize(
    "question",
    [
        "How many people of Lund wrote the longest book?",
        "Did Ada Moss write the longest book?",
        "Which people of Lund wrote the longest book written by Ada Moss?",
        "Which people of Lund wrote a travel book?",
    ],
)
def test_nothing_else_takes_it_for_granted(question: str) -> None:
    assert best_among_answers(READER.read(question).candidates[0].query) is None


def test_conditions_of_relationships_stay_where_they_are() -> None:
    query = READER.read(ASKED).candidates[0].query
    marked = replace(
        query, filters=tuple(replace(f, ref=replace(f.ref, on_edge=True)) for f in query.filters)
    )
    assert best_among_answers(marked) is None
