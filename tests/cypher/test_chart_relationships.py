"""Relations said as nouns or in the passive, things said twice, and negative numbers, on trading stations."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from cypher.semantics.lexicon import RelationWords, Verbalisation
from cypher.semantics.reader import SemanticReader
from cypher.semantics.values import ValueTable
from tests.cypher.small_schemas import invented_graph

SCHEMA, STORED = invented_graph("""
    Trader 40: name
    Lamp 40: lamp_number
    Permit 40: code
    Station 40: name, altitude float, grade
    LampSignal 40 unnamed: signal_kind, signal_date
    (Trader)-[TRADE_TIE 20: tie_kind]->(Trader), (Trader)-[TRUSTS 20]->(Trader)
    (Trader)-[HAS_LAMP 20]->(Lamp), (Trader)-[HAS_PERMIT 20]->(Permit), (Trader)-[KEEPS 20]->(Station)
    (LampSignal)-[SIGNALLER 20]->(Lamp), (LampSignal)-[SIGNALLED 20]->(Lamp)

    Trader.name: Orsolya
    Lamp.lamp_number: L-204
    Station.name: Low Pass
    Station.grade: Fort
    TRADE_TIE.tie_kind: partner
    LampSignal.signal_kind: Storm
    LampSignal.signal_date: 03/09/2021
""")
WORDS = Verbalisation(
    labels={"Lamp": ("lamp number",), "LampSignal": ("signal", "lamp signal")},
    relations={"SIGNALLER": RelationWords(inverse=("signalled", "made"))},
)
READER = SemanticReader(SCHEMA, ValueTable(STORED), WORDS)


@pytest.mark.parametrize(
    ("question", "cypher"),
    [
        (
            "Which traders have a trade relationship with Orsolya?",
            "(n0:Trader)-[:TRADE_TIE]->(n1:Trader) WHERE n1.name = 'Orsolya' RETURN DISTINCT n0.name AS name",
        ),
        (
            "Which traders are connected to other traders through a 'TRUSTS' relationship?",
            "(n0:Trader)-[:TRUSTS]->(n1:Trader) RETURN DISTINCT n0.name AS name",
        ),
        (
            "Who is related to Orsolya via a trade relationship of tie kind 'partner'?",
            "(n0:Trader)-[r0:TRADE_TIE]->(n1:Trader) WHERE n1.name = 'Orsolya' AND r0.tie_kind = "
            "'partner' RETURN DISTINCT n0.name AS name",
        ),
    ],
)
def test_relations_said_as_nouns(question: str, cypher: str, shown: Callable[[str], str]) -> None:
    assert shown(question).removeprefix("MATCH ") == cypher


@pytest.mark.parametrize(
    ("question", "cypher"),
    [
        (
            "Which lamp was signalled in a signal on 03/09/2021?",
            "(n1:LampSignal)-[:SIGNALLED]->(n0:Lamp) WHERE n1.signal_date = '03/09/2021' RETURN "
            "DISTINCT n0.lamp_number AS lamp_number",
        ),
        (
            "Which lamp signalled in a signal on 03/09/2021?",
            "(n1:LampSignal)-[:SIGNALLER]->(n0:Lamp) WHERE n1.signal_date = '03/09/2021' RETURN "
            "DISTINCT n0.lamp_number AS lamp_number",
        ),
    ],
)
def test_the_passive_is_said_from_the_other_side(
    question: str, cypher: str, shown: Callable[[str], str]
) -> None:
    assert shown(question).removeprefix("MATCH ") == cypher


@pytest.mark.parametrize(
    ("question", "cypher"),
    [
        (
            "List the lamp numbers associated with the lamps.",
            "(n0:Lamp) RETURN DISTINCT n0.lamp_number AS lamp_number",
        ),
        (
            "What is the lamp number associated with the lamp that made a 'Storm' signal?",
            "(n1:LampSignal)-[:SIGNALLER]->(n0:Lamp) WHERE n1.signal_kind = 'Storm' RETURN DISTINCT "
            "n0.lamp_number AS lamp_number",
        ),
        (
            "How many traders have a lamp associated with them?",
            "(n0:Trader)-[:HAS_LAMP]->(n1:Lamp) RETURN count(DISTINCT n0) AS count",
        ),
        (
            "How many lamp signals of signal kind 'Storm' are recorded?",
            "(n0:LampSignal) WHERE n0.signal_kind = 'Storm' RETURN count(DISTINCT n0) AS count",
        ),
        (
            "How many distinct grades of station are recorded?",
            "(n0:Station) RETURN count(DISTINCT n0.grade) AS count",
        ),
    ],
)
def test_what_is_said_twice_is_one(question: str, cypher: str, shown: Callable[[str], str]) -> None:
    assert shown(question).removeprefix("MATCH ") == cypher


@pytest.mark.parametrize(
    ("question", "cypher"),
    [
        (
            "Which station has an altitude of -3.5?",
            "(n0:Station) WHERE n0.altitude = -3.5 RETURN DISTINCT n0.name AS name",
        ),
        (
            "Which stations have an altitude below -2?",
            "(n0:Station) WHERE n0.altitude < -2 RETURN DISTINCT n0.name AS name",
        ),
    ],
)
def test_negative_numbers(question: str, cypher: str, shown: Callable[[str], str]) -> None:
    assert shown(question).removeprefix("MATCH ") == cypher


def test_a_negative_number_that_nothing_takes_lowers_confidence() -> None:
    plain, numbered = (READER.read(q).confidence for q in ("List all permits.", "List all permits -3.5."))
    assert numbered < plain


def test_them_of_an_earlier_sentence_are_those_it_found() -> None:
    written = READER.read("Find traders who have a lamp. How many stations are linked to them?").written
    assert written is not None
    expected = (
        "MATCH (n1:`Trader`)-[:`KEEPS`]->(n0:`Station`), (n1)-[:`HAS_LAMP`]->(n2:`Lamp`)"
        " RETURN count(DISTINCT n0) AS `count`"
    )
    assert " ".join(written.text.split()) == expected


@pytest.mark.parametrize(
    ("question", "cypher"),
    [
        (
            "Which lamps made a signal that was seen on 03/09/2021?",
            "(n1:LampSignal)-[:SIGNALLER]->(n0:Lamp) WHERE n1.signal_date = '03/09/2021' RETURN "
            "DISTINCT n0.lamp_number AS lamp_number",
        ),
        (
            "Which lamp signalled 'Storm'?",
            "(n1:LampSignal)-[:SIGNALLER]->(n0:Lamp) WHERE n1.signal_kind = 'Storm' RETURN DISTINCT "
            "n0.lamp_number AS lamp_number",
        ),
    ],
)
def test_a_verb_behind_a_kind_is_no_part_of_another_kind(
    question: str, cypher: str, shown: Callable[[str], str]
) -> None:
    assert shown(question).removeprefix("MATCH ") == cypher


@pytest.mark.parametrize(
    ("question", "cypher"),
    [
        (
            "What is the total number of lamp signals made by the lamp L-204?",
            "(n0:LampSignal)-[:SIGNALLER]->(n1:Lamp) WHERE n1.lamp_number = 'L-204' RETURN "
            "count(DISTINCT n0) AS count",
        ),
        (
            "How many lamp signals did the lamp L-204 make?",
            "(n0:LampSignal)-[:SIGNALLER]->(n1:Lamp) WHERE n1.lamp_number = 'L-204' RETURN "
            "count(DISTINCT n0) AS count",
        ),
    ],
)
def test_a_kind_of_two_words_is_counted_whole(
    question: str, cypher: str, shown: Callable[[str], str]
) -> None:
    assert shown(question).removeprefix("MATCH ") == cypher
