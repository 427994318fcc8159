"""Values of a property as what is asked for: counted over all that have them, told by "either ... or"."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from cypher.semantics.explain import explain
from cypher.semantics.probing import matching
from cypher.semantics.reader import SemanticReader
from cypher.semantics.values import ValueTable
from tests.cypher.small_schemas import invented_graph

SCHEMA, STORED = invented_graph("""
    Sailor 40: name, surname, age integer
    Boat 40: number, brand, year integer
    Regatta 40: title, kind
    Radio 40: callsign
    Message 40: code, duration_seconds integer, day, time
    (Boat)-[RACED_IN 30]->(Regatta), (Sailor)-[SAILS 30]->(Boat), (Sailor)-[OWNS 30]->(Radio)
    (Message)-[SENT_FROM 30]->(Radio), (Message)-[SENT_TO 30]->(Radio)

    Sailor.name: Scott | Ida | Otto | Brand | Aab{0..69}en
    Sailor.surname: Moss | Scott | Day | Aab{0..69}en
    Boat.number: B-11 | B-12
    Boat.brand: Laser | Finn | Scott
    Regatta.title: Blue Cup | Harbour Days
    Regatta.kind: coastal | inshore
    Message.day: 3/05/2017 | 14/08/2017 | 2/08/2017
    Message.time: 06:48 | 19:00 | 00:05
    Radio.callsign: OX1 | OX2 | OX3
""")
READER = SemanticReader(SCHEMA, ValueTable(STORED))


@pytest.mark.parametrize(
    ("question", "ends"),
    [
        ("Which brands have more than 30 boats?", "n0.brand AS value0, count(DISTINCT n0) AS counted"),
        ("List the brands with more than 30 boats.", "n0.brand AS value0, count(DISTINCT n0) AS counted"),
        (
            "Which kinds of regatta were raced in by more than 5 boats?",
            "n0.kind AS value0, count(DISTINCT n1) AS counted WHERE counted > 5",
        ),
        ("Which surnames occur more than once?", "n0.surname AS value0, count(DISTINCT n0) AS counted"),
        (
            "Which surnames are shared by at least 3 sailors?",
            "n0.surname AS value0, count(DISTINCT n0) AS counted WHERE counted >= 3",
        ),
        ("Which surname do the most sailors have?", "ORDER BY counted DESC LIMIT 1"),
        ("Which brand has fewer than 4 boats?", "WHERE counted < 4"),
    ],
)
def test_values_are_counted_over_all_that_have_them(
    shown: Callable[[str], str], question: str, ends: str
) -> None:
    text = shown(question)
    assert ends in text
    assert "value0 AS" in text.split("RETURN")[1]


@pytest.mark.parametrize(
    "question",
    [
        "List the surnames of sailors with more than two boats.",
        "What surnames do sailors have who sail more than two boats?",
        "Which sailors sail more than two boats?",
    ],
)
def test_things_are_counted_one_by_one(shown: Callable[[str], str], question: str) -> None:
    assert "WITH n0, count(DISTINCT n1) AS counted WHERE counted > 2" in shown(question)


def test_counted_values_are_told_in_english_and_looked_for() -> None:
    query = READER.read("Which brands have more than 30 boats?").query
    assert query is not None
    assert "with count of boat for each value > 30" in explain(query)
    assert "count(DISTINCT n0) AS counted" in READER.write(matching(query)).text


def test_values_behind_either_belong_to_the_property_named(shown: Callable[[str], str]) -> None:
    for said in ("is either Scott or Moss", "is one of Scott or Moss"):
        text = shown(f"Which boats are sailed by sailors whose surname {said}?")
        assert "n1.surname IN ('Scott', 'Moss')" in text


def test_a_name_in_the_singular_is_not_counted(shown: Callable[[str], str]) -> None:
    assert "(n0:Boat) WHERE n0.brand = 'Scott'" in shown("How many Scott boats are on file?")


def test_a_word_of_the_schema_behind_any_is_no_name(shown: Callable[[str], str]) -> None:
    assert "'Brand'" not in shown("Which boats have any brand?")


def test_has_before_a_participle_is_its_auxiliary(shown: Callable[[str], str]) -> None:
    text = shown("What kinds do the regattas have that Ida's boats have raced in?")
    assert "(n2)-[:RACED_IN]->(n0)" in text or "[:RACED_IN]->(n0:Regatta)" in text
    text = shown("Which sailors sail the boats that Ida has sailed?")
    assert text.count("[:SAILS]") == 2


@pytest.mark.parametrize(
    ("question", "where"),
    [
        ("Which messages are longer than a minute?", "n0.duration_seconds > 60"),
        ("Which messages lasted half a minute?", "n0.duration_seconds = 30"),
        ("Which messages have a duration of more than 2 minutes?", "n0.duration_seconds > 120"),
        ("Which messages lasted more than 20 seconds?", "n0.duration_seconds > 20"),
    ],
)
def test_units_of_time_are_converted(shown: Callable[[str], str], question: str, where: str) -> None:
    assert where in shown(question)


_SORTED = "split(n0.day, '/')[2]"


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Which messages were sent in August 2017?", ("'2017-08-01'", "'2017-08-31'")),
        ("Which messages have a day in August 2017?", ("'2017-08-01'", "'2017-08-31'")),
        ("Which messages were sent before August 2017?", ("< '2017-08-01'",)),
        ("Which messages were sent after Aug 3, 2017?", ("> '2017-08-03'",)),
        ("Which messages were sent in 2017?", (">= '2017-01-01'", "<= '2017-12-31'")),
    ],
)
def test_months_and_years_of_days_kept_as_texts(
    shown: Callable[[str], str], question: str, said: tuple[str, ...]
) -> None:
    text = shown(question)
    assert _SORTED in text
    assert all(part in text for part in said)


@pytest.mark.parametrize(
    ("question", "part"),
    [
        ("Which messages were sent at 7 pm?", "n0.time = '19:00'"),
        ("Which messages were sent at 6.48 am from OX1?", "n0.time = '06:48'"),
        (
            "How many messages were sent at 06:48 from OX1?",
            "(n0:Message)-[:SENT_FROM]->(n1:Radio) WHERE n0.time = '06:48' AND n1.callsign = 'OX1'",
        ),
        (
            "Which sailors own a radio from which a message was sent to OX2?",
            "(n2:Message)-[:SENT_FROM]->(n1), (n2)-[:SENT_TO]->(n3:Radio) WHERE n3.callsign = 'OX2'",
        ),
        ("Which messages are dated 14 August 2017?", "= '2017-08-14'"),
        ("Which regattas are coastal according to their kind?", "n0.kind = 'coastal'"),
    ],
)
def test_times_and_places_behind_a_verb(shown: Callable[[str], str], question: str, part: str) -> None:
    assert part in shown(question)


def test_seconds_asked_for_are_no_count(shown: Callable[[str], str]) -> None:
    text = shown("How many seconds was the longest message sent from OX1?")
    assert "count(" not in text
    assert "duration_seconds" in text.split("RETURN")[-1]


@pytest.mark.parametrize(
    ("question", "said"),
    [
        (
            "For each age found among sailors surnamed Moss, how many boats does a Moss of that age sail?",
            "(n1:Sailor)-[:SAILS]->(n0:Boat) WHERE n1.surname = 'Moss' RETURN n1.age",
        ),
        (
            "For each age of the sailors surnamed Moss, how many boats do those Mosses sail?",
            "(n1:Sailor)-[:SAILS]->(n0:Boat) WHERE n1.surname = 'Moss' RETURN n1.age",
        ),
        (
            "Give the surname Moss together with the number of boats that people of that surname sail.",
            "(n1:Sailor)-[:SAILS]->(n0:Boat) WHERE n1.surname = 'Moss'",
        ),
        (
            "For every regatta in which boats raced, how many sailors sail those boats?",
            "(n0:Sailor)-[:SAILS]->(n1:Boat), (n1)-[:RACED_IN]->(n2:Regatta) "
            "WITH n2, count(DISTINCT n0) AS count RETURN n2.title",
        ),
    ],
)
def test_what_is_spoken_of_is_named_again(shown: Callable[[str], str], question: str, said: str) -> None:
    assert said in shown(question)


def test_the_number_is_shown_where_it_is_asked_for(shown: Callable[[str], str]) -> None:
    text = shown("Which boat raced in the most regattas, and how many?")
    assert "counted AS count ORDER BY counted DESC LIMIT 1" in text
    query = READER.read("Which boat raced in the most regattas, and how many regattas were there?").query
    assert query is not None
    assert query.count_asked
    assert "counted AS" in READER.write(query, bare=True).text


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Who built B-11?", "(n0:Boat) WHERE n0.number = 'B-11' RETURN DISTINCT n0.brand"),
        (
            "In which regattas do Finns outnumber Lasers?",
            "(n0:Regatta) WHERE COUNT { MATCH (n1:Boat)-[:RACED_IN]->(n0) WHERE n1.brand = 'Finn'",
        ),
    ],
)
def test_makers_and_greater_numbers(shown: Callable[[str], str], question: str, said: str) -> None:
    assert said in shown(question)


def test_a_thing_is_told_by_a_property_with_its_value(shown: Callable[[str], str]) -> None:
    said = "(n0:Message)-[:SENT_TO]->(n1:Radio) WHERE n1.callsign = 'OX2'"
    assert said in shown("Which messages were sent to the callsign OX2?")


def test_anyone_may_have_something(shown: Callable[[str], str]) -> None:
    text = shown("Does anyone have a radio from which a message was sent to OX2?")
    assert "count(*) > 0 AS answer" in text
    assert "[:OWNS]->(n1:Radio)" in text
