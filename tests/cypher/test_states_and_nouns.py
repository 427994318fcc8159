"""States between two days, and properties of the noun behind "of", on a small harbour."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from cypher.semantics.decide import Verdict, decide
from cypher.semantics.reader import SemanticReader
from cypher.semantics.values import ValueTable
from tests.cypher.small_schemas import invented_graph, query_of

SCHEMA, STORED = invented_graph("""
    Ground 9: name, kind, depthMetres integer, closedFrom date, closedUntil date
    Licence 20: number, validFrom date, validTo date
    Trip 40: code, kind, fuelLitres integer, departedOn date, returnedOn date
    (Trip)-[FISHED_IN 60: hours float]->(Ground), (Trip)-[UNDER 40]->(Licence)

    Ground.name: Long Ground | Sandbank
    Ground.kind: reef | mud
    Trip.code: T24-01 | T24-02
    Trip.kind: day | night
    Licence.number: L-1 | L-2
""")
READER = SemanticReader(SCHEMA, ValueTable(STORED))


@pytest.fixture
def shown() -> Callable[[str], str]:
    return lambda question: query_of(READER, question)


_UNTIL = "((n0.closedUntil >= date({0})) OR (n0.closedUntil IS NULL))"


@pytest.mark.parametrize(
    ("question", "first", "last"),
    [
        ("Was Long Ground closed on 10 April 2024?", "2024-04-10", "2024-04-10"),
        ("Which grounds are closed in April 2024?", "2024-04-01", "2024-04-30"),
        ("Which grounds were closed in 2024?", "2024-01-01", "2024-12-31"),
    ],
)
def test_what_lasts_is_so_between_its_days(
    shown: Callable[[str], str], question: str, first: str, last: str
) -> None:
    text = shown(question)
    assert f"n0.closedFrom <= date({last!r})" in text
    assert _UNTIL.format(repr(first)) in text


def test_licences_are_valid_up_to_their_last_day(shown: Callable[[str], str]) -> None:
    text = shown("Which licences were valid on 3 May 2023?")
    assert "n0.validFrom <= date('2023-05-03') AND ((n0.validTo >= date('2023-05-03'))" in text


def test_what_was_never_closed_was_not_closed_in_may(shown: Callable[[str], str]) -> None:
    text = shown("Which grounds were not closed in May 2024?")
    known = "NOT (n0.closedFrom IS NOT NULL AND n0.closedFrom <= date('2024-05-31') AND "
    assert known + _UNTIL.format("'2024-05-01'") in text


def test_not_on_a_day_is_outside_of_the_span(shown: Callable[[str], str]) -> None:
    text = shown("Which grounds were not closed on 3 May 2024?")
    known = "NOT (n0.closedFrom IS NOT NULL AND n0.closedFrom <= date('2024-05-03') AND "
    assert known + _UNTIL.format("'2024-05-03'") in text


def test_what_was_closed_first_in_a_year_began_in_it(shown: Callable[[str], str]) -> None:
    assert "closedUntil" not in shown("Which ground was closed first in 2024?")


@pytest.mark.parametrize(
    ("question", "condition"),
    [
        ("Which grounds were closed from 1 March 2024?", "WHERE n0.closedFrom = date('2024-03-01')"),
        ("Which grounds are closed until 1 March 2024?", "WHERE n0.closedUntil = date('2024-03-01')"),
        ("How many grounds were closed after 1 March 2024?", "WHERE n0.closedFrom > date('2024-03-01')"),
        ("Which trips departed on 1 March 2024?", "WHERE n0.departedOn = date('2024-03-01')"),
    ],
)
def test_one_day_is_one_day_where_it_is_said(
    shown: Callable[[str], str], question: str, condition: str
) -> None:
    text = shown(question)
    assert condition in text
    assert " OR " not in text


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("Number of trips per kind of ground", "n1.kind AS kind, count(DISTINCT n0)"),
        ("How many trips fished in each kind of ground?", "n1.kind AS kind, count(DISTINCT n0)"),
        ("Total fuel litres per kind of ground", "n1.kind AS kind, sum(n0.fuelLitres)"),
        ("Total fuel litres per kind of trip", "n0.kind AS kind, sum(n0.fuelLitres)"),
        ("Number of trips by kind", "RETURN n0.kind AS kind, count(DISTINCT n0)"),
    ],
)
def test_a_kind_is_that_of_its_noun(shown: Callable[[str], str], question: str, told: str) -> None:
    assert told in shown(question)


@pytest.mark.parametrize(
    ("question", "word"),
    [
        ("Which licences are available?", "available"),
        ("Which licences are still available?", "available"),
        ("How many grounds are full?", "full"),
        ("Which trips were real?", "real"),
        ("List the available licences", "available"),
        ("Which full grounds are there?", "full"),
        ("How many licences are there available?", "available"),
        ("Is Long Ground available?", "available"),
        ("Are the licences available?", "available"),
        ("Which trips are long?", "long"),  # a part of a ground's name
        ("Which grounds are night?", "night"),  # a kind of trips
    ],
)
def test_what_is_said_of_a_thing_is_not_passed_over(question: str, word: str) -> None:
    assert word in decide(READER.read(question), SCHEMA).unexplained


@pytest.mark.parametrize("question", ["Which licences are open?", "Which licences are active?"])
def test_a_thing_is_not_open_because_another_has_not_ended(question: str) -> None:
    decision = decide(READER.read(question), SCHEMA)
    assert decision.verdict is not Verdict.ANSWER or decision.unexplained


@pytest.mark.parametrize(
    ("question", "pattern"),
    [
        ("What is the full number of the licence?", "n0.number"),
        ("Which trips are night?", "n0.kind = 'night'"),
        ("Which grounds are reef?", "n0.kind = 'reef'"),
        ("How many grounds are there?", "count(DISTINCT n0)"),
    ],
)
def test_what_the_graph_knows_is_said_of_it(shown: Callable[[str], str], question: str, pattern: str) -> None:
    assert pattern in shown(question)


FLEET, FLEET_STORED = invented_graph("""
    Vessel 16: name, builtYear integer, registration
    Buyer 9: name, email, registeredOn date
    Lot 69: lotNumber, weightKg float, landedOn date
    Species 15: name
    (Vessel)-[HOLDS_QUOTA 40: quotaKg integer]->(Species), (Lot)-[OF_SPECIES 69]->(Species)
    (Buyer)-[BOUGHT 50: paidOn date, rating integer]->(Lot)

    Vessel.name: Ardent | Bright Dawn
    Vessel.registration: SO-1 | SO-2
    Buyer.name: Corrib Catering | Sales Associate Foods
    Buyer.email: book@corrib.example | sales@donnellan.example
    Lot.lotNumber: L-1 | L-2
    Species.name: Cod | Hake
""")
FLEET_READER = SemanticReader(FLEET, ValueTable(FLEET_STORED))


@pytest.mark.parametrize(
    "question",
    [
        "Which vessels paid cod?",  # lots are paid, not quotas
        "Which vessels booked cod?",  # a part of an address
        "How many vessels were published in 2003?",  # not built
        "How many vessels were carried in 2003?",
        "How many vessels were recorded in 2003?",
        "Which vessels were registered in 2003?",  # no number of a registration
    ],
)
def test_a_verb_that_the_reading_does_not_hold_stops_it(question: str) -> None:
    decision = decide(FLEET_READER.read(question), FLEET)
    assert decision.verdict is not Verdict.ANSWER or decision.unexplained, decision.explanations


@pytest.mark.parametrize(
    ("question", "pattern"),
    [
        ("How many vessels were built in 2003?", "n0.`builtYear` = $p0"),
        ("Which vessels hold quota for cod?", "`HOLDS_QUOTA`"),
        ("Which lots are associated with hake?", "`OF_SPECIES`"),  # no part of a buyer's name
        ("Which buyers were registered after 2019?", "`registeredOn` > "),
        ("Which buyers bought hake?", "`BOUGHT`"),
    ],
)
def test_a_verb_that_it_holds_does_not(question: str, pattern: str) -> None:
    reading = FLEET_READER.read(question)
    decision = decide(reading, FLEET)
    assert decision.verdict is Verdict.ANSWER
    assert not decision.unexplained
    assert reading.written is not None
    assert pattern in reading.written.text
