"""Days, times of day and lengths of time as people write and compare them, on invented trips."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cypher.semantics.day_times import is_time, time_at
from cypher.semantics.reader import SemanticReader
from cypher.semantics.spoken_numbers import day_at
from cypher.semantics.values import ValueTable
from tests.cypher.small_schemas import invented_graph

SCHEMA, STORED = invented_graph("""
    Trip 40: code, start_date, start_time, duration integer
    Ferry 40: name, year integer
    Skipper 40: name, age integer
    (Trip)-[SAILED_BY 30]->(Ferry), (Trip)-[LED_BY 30]->(Skipper)

    Trip.code: T-1 | T-2 | T-3
    Trip.start_date: 2017-08-04 | 2017-08-07 | 2017-09-01
    Trip.start_time: 06:20 | 10:45 | 18:20 | 23:59
    Ferry.name: Heron | Gannet
    Skipper.name: Ida Brook | Otto Lind
""")
READER = SemanticReader(SCHEMA, ValueTable(STORED))


@pytest.mark.parametrize(
    "day",
    [
        *(
            "7/08/2017",
            "07.08.2017",
            "7.8.2017",
            "7-8-2017",
            "7/8/17",
            "7 August 2017",
            "the 7th of August 2017",
        ),
        *("August 7, 2017", "7 Aug 2017", "07 Aug 17", "7 August '17", "2017-08-07"),
        *("2017/08/07", "7-Aug-2017", "Aug. 7, 2017", "Monday, 7 August 2017"),
    ],
)
def test_days_are_read_however_they_are_written(day: str, shown: Callable[[str], str]) -> None:
    assert "WHERE n0.start_date > '2017-08-07'" in shown(f"trips that happened after {day}")


@pytest.mark.parametrize(
    ("said", "operator"),
    [
        *((f"{s} 7 August 2017", ">=") for s in ("on or after", "not before", "no earlier than", "since")),
        *((f"{s} 7 August 2017", "<=") for s in ("on or before", "not after", "no later than", "until")),
        *((f"{s} 7 August 2017", ">") for s in ("after", "later than", "following", "subsequent to")),
        *((f"{s} 7 August 2017", "<") for s in ("before", "earlier than", "preceding", "prior to")),
        *((f"on 7 August 2017 {s}", ">=") for s in ("or later", "or after", "and later", "onwards")),
        *((f"on 7 August 2017 {s}", "<=") for s in ("or earlier", "or before")),
    ],
)
def test_days_are_compared(said: str, operator: str, shown: Callable[[str], str]) -> None:
    assert f"WHERE n0.start_date {operator} '2017-08-07' RETURN" in shown(f"trips that took place {said}")


@pytest.mark.parametrize(
    ("said", "where"),
    [
        ("at 6:20 am", "= '06:20'"),
        ("timed at 10.45", "= '10:45'"),
        ("after 6:20 am", "> '06:20'"),
        ("that took place after 18:20", "> '18:20'"),
        ("timed before 10.45", "< '10:45'"),
        ("that started before half past six", "< '06:30'"),
        ("before a quarter to eleven", "< '10:45'"),
        ("later than 6 in the evening", "> '18:00'"),
        ("after noon", "> '12:00'"),
        ("before 1820 hours", "< '18:20'"),
        ("at 10:45 or later", ">= '10:45'"),
        ("at or before 10:45", "<= '10:45'"),
        ("whose time is after 9 o'clock", "> '09:00'"),
    ],
)
def test_times_of_day_are_compared(said: str, where: str, shown: Callable[[str], str]) -> None:
    assert f"WHERE n0.start_time {where} RETURN" in shown(f"trips {said}")


def test_a_span_of_times_and_its_day_are_two_conditions(shown: Callable[[str], str]) -> None:
    found = shown("How many trips were there between 10 am and 11 am on 4 August 2017?")
    for part in ("start_time >= '10:00'", "start_time <= '11:00'", "start_date = '2017-08-04'"):
        assert part in found


@pytest.mark.parametrize(
    ("question", "where"),
    [
        ("trips lasting 60 or more minutes", "n0.duration >= 60"),
        ("trips lasting 60 minutes or more", "n0.duration >= 60"),
        ("trips no longer than 90 minutes", "n0.duration <= 90"),
        ("skippers not older than 30", "n0.age <= 30"),
        ("skippers of 30 years or more", "n0.age >= 30"),
        ("skippers 30 and over", "n0.age >= 30"),
        ("ferries made in 2005 or later", "n0.year >= 2005"),
        ("ferries from 2005 or before", "n0.year <= 2005"),
        ("ferries no older than 2005", "n0.year >= 2005"),
    ],
)
def test_numbers_may_be_open_to_one_side(question: str, where: str, shown: Callable[[str], str]) -> None:
    assert f"WHERE {where} RETURN" in shown(question)


@given(st.integers(0, 23), st.integers(0, 59))
def test_every_time_of_day_is_read_back(hour: int, minute: int) -> None:
    said = f"{hour:02}:{minute:02}"
    half = "am" if hour < 12 else "pm"
    for text in (said, f"{hour % 12 or 12}:{minute:02} {half}", f"{hour:02}{minute:02} hours"):
        found = time_at(text, 0)
        assert found == (said, text)
    assert is_time(said)


@pytest.mark.parametrize("text", ["25:10", "12:75", "6", "13.2", "1.234", "six", "10:45:99x", ""])
def test_other_numbers_are_no_time_of_day(text: str) -> None:
    found = time_at(text, 0)
    assert found is None or found[1] != text


@given(st.dates(date(1970, 1, 1), date(2068, 12, 31)))
def test_every_day_is_read_back(day: date) -> None:
    for form in ("%d/%m/%Y", "%d.%m.%Y", "%d-%m-%Y", "%Y-%m-%d", "%d %B %Y", "%d %b %y", "%d/%m/%y"):
        found = day_at(day.strftime(form), 0)
        assert found is not None
        assert found[0] == day or (form.endswith("%y") and found[0].month == day.month)
