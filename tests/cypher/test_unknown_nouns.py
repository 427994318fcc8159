"""Nouns that the schema does not know: an answer without them would be another's."""

from __future__ import annotations

import pytest

from cypher.semantics.decide import Verdict, decide
from cypher.semantics.explain import explain
from cypher.semantics.reader import SemanticReader
from cypher.semantics.values import ValueTable
from tests.cypher.small_schemas import invented_graph

SCHEMA, STORED = invented_graph("""
    Singer 6: name, birthYear integer, retired boolean
    Hall 7: name, altitudeM float, openedOn date
    Line 4: name, openedOn date
    Station 5: name
    Repair 9: code, faultType, costEur float
    Concert 13: title, budget float
    (Singer)-[SINGS_IN 13: role, onDay date]->(Concert), (Concert)-[HELD_IN 13]->(Hall)
    (Repair)-[DONE_ON 9]->(Line), (Line)-[STOPS_AT 9]->(Station)

    Singer.name: Aurelia Stancombe | Omar Haddad
    Hall.name: Old Vic | Grand Hall
    Line.name: Moorland Line | Vale Line
    Station.name: Ardle Junction | Kestle Halt
    Repair.code: r1 | r2
    Repair.faultType: brakes | doors
    Concert.title: Winter Song | Elegies
    SINGS_IN.role: lead | chorus
""")
READER = SemanticReader(SCHEMA, ValueTable(STORED))


def answered(question: str) -> str:
    """The reading that would be answered, in English; empty where none would."""
    decision = decide(READER.read(question), SCHEMA)
    sure = decision.verdict is Verdict.ANSWER and not decision.unexplained
    return explain(decision.reading.query) if sure and decision.reading.query else ""


@pytest.mark.parametrize(
    "question",
    [
        "In what year was Aurelia Smith born?",
        "When was the Moorland Junction opened?",
        "When was the Old Vic umbrella opened?",
        "What is the average altitude of our umbrellas?",
        "How many repairs were there for each kind of umbrella?",
        "What have umbrellas cost in total?",
        "Which repairs cost more than the average umbrella?",
        "Which role does Omar Haddad hate?",
        "Which day was Winter Song postponed?",
        "What is the budget refused by Winter Song?",
    ],
)
def test_an_unknown_noun_stops_a_question(question: str) -> None:
    assert answered(question) == ""


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("In what year was Aurelia Stancombe born?", "The singer's birth year"),
        ("In what year was Stancombe born?", "The singer's birth year"),
        ("When was the Moorland line opened?", "The line's opened on"),
        ("What is the average altitude of our halls?", "Avg of the hall's altitude m"),
        ("Which repairs cost more than the average repair?", "above the average of all"),
        ("Which role does Omar Haddad have?", "The singer's name and the SINGS_IN's role"),
        ("What is the budget recorded for Winter Song?", "The concert's budget"),
        ("Which role does Omar Haddad get?", "The singer's name and the SINGS_IN's role"),
    ],
)
def test_the_same_with_words_that_are_known_is_answered(question: str, told: str) -> None:
    assert told in answered(question)
