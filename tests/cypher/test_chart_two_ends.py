"""Things with two ends of one kind: "voyages between Hull and Bergen", "calls between Ann and Ben"."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from cypher.semantics.lexicon import Verbalisation
from cypher.semantics.reader import SemanticReader
from cypher.semantics.values import ValueTable
from tests.cypher.small_schemas import invented_graph

SCHEMA, STORED = invented_graph("""
    Sailor 50: name, age integer
    Radio 50: number
    Signal 90 unnamed: day date, length integer
    (Sailor)-[HAS_RADIO 50]->(Radio), (Signal)-[HAILER 90]->(Radio), (Signal)-[HAILED 90]->(Radio)
    (Sailor)-[KNOWS 20]->(Sailor)

    Sailor.name: Ann | Ben
    Radio.number: R-1 | R-2
""")
WORDS = Verbalisation.model_validate(
    {
        "relations": {
            "HAILER": {"forward": ["sent from", "sent by"], "inverse": ["sent", "hailed"]},
            "HAILED": {
                "forward": ["received by", "sent to", "hailed by"],
                "inverse": ["received", "was hailed by"],
            },
        }
    }
)
READER = SemanticReader(SCHEMA, ValueTable(STORED), WORDS)


@pytest.mark.parametrize(
    "question", ["How many signals between R-1 and R-2?", "How many signals were there between R-1 and R-2?"]
)
def test_one_is_at_either_end(shown: Callable[[str], str], question: str) -> None:
    assert shown(question) == (
        "MATCH (n0:Signal) WHERE (EXISTS { MATCH (n0)-[:HAILED]->(n1:Radio), (n0)-[:HAILER]->(n2:Radio) "
        "WHERE n1.number = 'R-1' AND n2.number = 'R-2' } OR EXISTS { MATCH (n0)-[:HAILER]->(n3:Radio), "
        "(n0)-[:HAILED]->(n4:Radio) WHERE n3.number = 'R-1' AND n4.number = 'R-2' }) "
        "RETURN count(DISTINCT n0) AS count"
    )


def test_who_owns_the_ends_may_be_named(shown: Callable[[str], str]) -> None:
    found = shown("What is the length of the signals between Ann and Ben?")
    assert "(n0)-[:HAILED]->(n1:Radio), (n2:Sailor)-[:HAS_RADIO]->(n1)" in found
    assert "n2.name = 'Ann' AND n4.name = 'Ben'" in found
    assert found.endswith("RETURN DISTINCT n0.length AS length")


def test_numbers_and_days_have_no_ends(shown: Callable[[str], str]) -> None:
    assert shown("Signals with a length between 3 and 9") == (
        "MATCH (n0:Signal) WHERE n0.length >= 3 AND n0.length <= 9 RETURN DISTINCT n0 AS node"
    )


@pytest.mark.parametrize(
    "question",
    ["Which sailor was hailed by Ann last?", "Which sailor was the last to be hailed by Ann?"],
)
def test_what_was_done_to_somebody_last_goes_by_its_day(shown: Callable[[str], str], question: str) -> None:
    found = shown(question)
    assert "(n2:Signal)-[:HAILED]->(n1), (n2)-[:HAILER]->(n3:Radio)" in found
    assert "n2.day" in found


def test_a_clause_tells_of_the_bare_kind_before_it(shown: Callable[[str], str]) -> None:
    assert shown("Signals sent to radios that have hailed R-1") == (
        "MATCH (n0:Signal)-[:HAILED]->(n1:Radio), (n2:Signal)-[:HAILER]->(n1), (n2)-[:HAILED]->(n3:Radio) "
        "WHERE n3.number = 'R-1' RETURN DISTINCT n0 AS node"
    )


@pytest.mark.parametrize(
    "question",
    [
        "Somebody has the radio R-1. Whom do they know?",
        "Whoever has the radio R-1, who are the people they know?",
    ],
)
def test_somebody_may_be_they_and_knows_others(shown: Callable[[str], str], question: str) -> None:
    assert shown(question) == (
        "MATCH (n1:Sailor)-[:KNOWS]->(n0:Sailor), (n1)-[:HAS_RADIO]->(n2:Radio) WHERE n2.number = 'R-1' "
        "RETURN DISTINCT n0.name AS name"
    )


def test_that_sailor_is_the_one_called_so(shown: Callable[[str], str]) -> None:
    assert shown("Ann knows the sailor who has R-1; what is that sailor's age?") == (
        "MATCH (n0:Sailor)-[:HAS_RADIO]->(n1:Radio), (n2:Sailor)-[:KNOWS]->(n0) "
        "WHERE n1.number = 'R-1' AND n2.name = 'Ann' RETURN DISTINCT n0.age AS age"
    )


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("When was R-1 hailed?", "n0.day"),
        ("On what day was R-1 hailed?", "n0.day"),
        ("What is the latest day that R-1 was hailed?", "max(n0.day)"),
        ("When was Ann hailed?", "n0.day"),
    ],
)
def test_who_was_hailed_did_not_hail(shown: Callable[[str], str], question: str, asked: str) -> None:
    found = shown(question)
    assert "(n0:Signal)-[:HAILED]->(n1:Radio)" in found
    assert "HAILER" not in found
    assert asked in found


def test_whether_somebody_was_hailed(shown: Callable[[str], str]) -> None:
    found = shown("Was R-1 hailed on 3 May 2020?")
    assert "[:HAILED]" in found
    assert "HAILER" not in found


def test_who_is_known_by_how_many(shown: Callable[[str], str]) -> None:
    assert shown("By how many sailors is Ann known?") == (
        "MATCH (n0:Sailor)-[:KNOWS]->(n1:Sailor) WHERE n1.name = 'Ann' RETURN count(DISTINCT n0) AS count"
    )
