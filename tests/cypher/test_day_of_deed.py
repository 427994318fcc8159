"""Days behind a verb are the deed's, unless the question says what they are of."""

from __future__ import annotations

import pytest

from cypher.semantics.decide import Verdict, decide
from cypher.semantics.explain import explain
from cypher.semantics.reader import SemanticReader
from cypher.semantics.values import ValueTable
from tests.cypher.small_schemas import invented_graph

SCHEMA, STORED = invented_graph("""
    Customer 40: name, member_since date, birth_year integer
    Parcel 90: code, weight_kg float
    Town 9: name
    Route 5: code
    Courier 6: name, hired_on date
    (Customer)-[SENT 90: sent_on date]->(Parcel), (Courier)-[DELIVERED 90: delivered_on date]->(Parcel)
    (Route)-[PASSES_THROUGH 30]->(Town), (Parcel)-[ADDRESSED_TO 90]->(Customer)

    Customer.name: Ann Lee | Ben Roy
    Parcel.code: P-1 | P-2
    Town.name: Bled | Kranj
    Courier.name: Cleo Fay | Dan Orr
""")
READER = SemanticReader(SCHEMA, ValueTable(STORED))


@pytest.mark.parametrize(
    ("question", "said", "unsaid"),
    [
        ("How many parcels did people send in May 2024?", "the SENT's sent on", "member since"),
        ("How many parcels did customers send in 2024?", "the SENT's sent on", "member since"),
        ("Which couriers delivered parcels in May 2024?", "the DELIVERED's delivered on", "hired on"),
        ("Which couriers hired in 2015 delivered parcels?", "the courier's hired on", "delivered on"),
        ("Which couriers employed since 2019 delivered parcels?", "the courier's hired on", "delivered on"),
        ("Which customers born in 1980 sent parcels?", "the customer's birth year", "sent on"),
    ],
)
def test_a_day_is_of_what_it_is_said_of(question: str, said: str, unsaid: str) -> None:
    reading = READER.read(question)
    assert reading.linked.unexplained == ()
    assert reading.query is not None
    told = explain(reading.query)
    assert said in told
    assert unsaid not in told


@pytest.mark.parametrize(
    "question",
    [
        "Are there towns that no routes pass through, and if so which?",
        "Are there any towns that no route passes through, and if so, which ones?",
    ],
)
def test_whether_there_are_some_and_which_asks_which(question: str) -> None:
    query = READER.read(question).query
    assert query is not None
    assert explain(query) == "Town, where it is not so that route PASSES_THROUGH town."


def test_a_single_time_is_no_sum_of_all() -> None:
    reading = READER.read("Which courier delivered the most parcels for a single customer?")
    assert "single" in reading.linked.unexplained


TOURS, ON_TOUR = invented_graph("""
    Tour 14: name, endDate date, start_date date
    Venue 28: name, opened_year integer
    Town 18: name
    (Tour)-[STOPS_AT 60: show_date date]->(Venue), (Tour)-[CANCELLED_AT 5: reason]->(Venue)
    (Venue)-[LOCATED_IN 28]->(Town)

    Tour.name: The Salt Road Run | Winter Round
    Venue.name: Old Mill | The Barn
    Town.name: Harrowmere | Wick
""")
ABROAD = SemanticReader(TOURS, ValueTable(ON_TOUR))


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("Where does the tour stop first?", "only where the STOPS_AT's show date is smallest"),
        ("When do tours stop in Harrowmere?", "The STOPS_AT's show date, where"),
        ("When did The Salt Road Run stop at The Barn?", "The STOPS_AT's show date, where"),
        ("Which venue did the first tour stop at?", "the tour 1's start date is the smallest"),
        ("When did the first tour start?", "only where the tour's start date is smallest"),
        ("Which tour is the latest?", "only where the tour's start date is largest"),
        ("Which tour ended last?", "only where the tour's end date is largest"),
        ("Which venue was opened first?", "only where the venue's opened year is smallest"),
        ("When was The Barn opened?", "The venue's opened year, where"),
    ],
)
def test_what_is_done_has_the_day_of_the_relationship(question: str, told: str) -> None:
    query = ABROAD.read(question).query
    assert query is not None
    assert told in explain(query)


def test_no_day_of_another_thing_stands_in_for_one_that_is_not_kept() -> None:
    reading = ABROAD.read("When was the first tour cancelled?")
    assert ("unheard_life", 1.0) in reading.doubts
    assert decide(reading, TOURS).verdict is not Verdict.ANSWER


MUSEUM, IN_MUSEUM = invented_graph("""
    Thing 38: title, yearMade integer
    Exhibition 7: title, closesOn date, opensOn date
    Keeper 9: name, startedOn date
    (Keeper)-[INSPECTED 60: inspectedOn date]->(Thing), (Thing)-[SHOWN_IN 40]->(Exhibition)
    (Keeper)-[MOVED 20]->(Thing)

    Thing.title: Quiet Harbours | Bridal Coverlet
    Exhibition.title: Threads of the North | The Carved Line
    Keeper.name: Ida Falk | Olle Berg
""")
AT_MUSEUM = SemanticReader(MUSEUM, ValueTable(IN_MUSEUM))


@pytest.mark.parametrize(
    ("question", "told", "untold"),
    [
        (
            "Which things were inspected more than twice in 2023?",
            "the INSPECTED's inspected on is 2023",
            "made",
        ),
        ("Which keeper inspected the most things in 2023?", "the INSPECTED's inspected on is 2023", "made"),
        ("Which things made in 1650 were inspected?", "the thing's year made is 1650", "inspected on"),
        ("Which things from 1650 were inspected?", "the thing's year made is 1650", "inspected on"),
        ("How many exhibitions were there per year?", "the year of the exhibition's opens on", "closes"),
    ],
)
def test_a_year_behind_a_verb_is_not_that_of_a_things_making(question: str, told: str, untold: str) -> None:
    query = AT_MUSEUM.read(question).query
    assert query is not None
    assert told in explain(query)
    assert untold not in explain(query)


@pytest.mark.parametrize(
    "question",
    [
        "Which keeper moved the most things in 2023?",  # made in 2023, as the move has no day
        "Which things are currently shown in an exhibition?",  # which may have closed
        "Which things did nobody inspect in 2024?",  # that were inspected in 2024
    ],
)
def test_what_the_reading_would_leave_out_is_not_answered(question: str) -> None:
    reading = AT_MUSEUM.read(question)
    decision = decide(reading, MUSEUM)
    assert decision.verdict is not Verdict.ANSWER or decision.unexplained


ROUTES, ON_ROUTES = invented_graph("""
    Route 5: code
    Town 9: name
    (Route)-[PASSES_THROUGH 30: stopOrder integer]->(Town)

    Route.code: R1 | R2
    Town.name: Bled | Kranj
""")


def test_the_most_units_on_order_are_an_amount() -> None:
    schema, stored = invented_graph("Product 9: name, unitsOnOrder integer")
    query = (
        SemanticReader(schema, ValueTable(stored)).read("Which product has the most units on order?").query
    )
    assert query is not None
    assert "the product's units on order is largest" in explain(query)


def test_the_most_stops_are_no_largest_place_of_a_stop() -> None:
    reading = SemanticReader(ROUTES, ValueTable(ON_ROUTES)).read("Which route has the most stops?")
    assert decide(reading, ROUTES).verdict is not Verdict.ANSWER
