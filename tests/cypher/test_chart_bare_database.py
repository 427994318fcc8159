"""Everyday questions on a schema that nobody gave words to."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cypher.semantics.reader import SemanticReader
from cypher.semantics.values import ValueTable
from tests.cypher.small_schemas import invented_graph

SCHEMA, STORED = invented_graph("""
    Keeper 40: name, hired_on date, birthYear integer, craft
    Tower 40: name, height integer
    Lantern 40: title
    (Keeper)-[DIRECTS 20]->(Tower), (Keeper)-[WORKS_AT 40]->(Tower), (Keeper)-[HEADS 9]->(Tower)
    (Lantern)-[LENT_TO 30: fee integer]->(Tower)

    Keeper.name: Ida Brook
    Keeper.craft: masonry | glazing
    Tower.name: Gull Head
    Lantern.title: Grey Owl
""")
READER = SemanticReader(SCHEMA, ValueTable(STORED))
_VOCABULARY = """
    the The a to at by of in whose which how many most not both before 2005 fee height craft masonry
    lantern lent towers keepers works directs heads hired Gull Head Grey Owl Ida Brook
"""
_WORDS = _VOCABULARY.split()


def test_a_verb_in_the_name_of_a_day_goes_by_that_day_alone(shown: Callable[[str], str]) -> None:
    assert shown("Which keepers were hired before 2005?") == (
        "MATCH (n0:Keeper) WHERE n0.hired_on < date('2005-01-01') RETURN DISTINCT n0.name AS name"
    )
    first, *others = READER.read("Which keepers were hired before 2005?").candidates
    rival = next(x for x in others if x.query != first.query)
    assert first.score - rival.score > 1


@pytest.mark.parametrize(
    ("question", "measure"),
    [
        ("What is the average loan fee?", "avg"),
        ("What is the highest loan fee?", "max"),
        ("What is the average fee of loans?", "avg"),
    ],
)
def test_a_relation_stands_in_front_of_what_it_has(
    shown: Callable[[str], str], question: str, measure: str
) -> None:
    assert shown(question) == (
        f"MATCH (n0:Lantern)-[r0:LENT_TO]->(n1:Tower) RETURN {measure}(r0.fee) AS {measure}_fee"
    )


@pytest.mark.parametrize("told", ["have the craft masonry", "with craft masonry are there"])
def test_a_noun_for_the_doer_is_no_verb(shown: Callable[[str], str], told: str) -> None:
    assert shown(f"Which tower directors {told}?") == (
        "MATCH (n0:Keeper)-[:DIRECTS]->(n1:Tower) WHERE n0.craft = 'masonry' RETURN DISTINCT n0.name AS name"
    )


def test_an_article_may_begin_a_sentence_about_a_relation_with_a_preposition() -> None:
    reading = READER.read("The lantern Grey Owl was lent to which tower?")
    assert reading.written is not None
    assert "LENT_TO" in reading.written.text


@settings(max_examples=60)
@given(st.lists(st.sampled_from(_WORDS), min_size=1, max_size=10))
def test_words_in_any_order_never_break_the_reader(words: list[str]) -> None:
    reading = READER.read(" ".join(words))
    assert 0.0 <= reading.confidence <= 1.0
    assert (reading.written is None) == (not reading.candidates)
