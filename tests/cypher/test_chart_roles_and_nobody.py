"""Who does what in which role, doers that are nouns as well, nobody and nothing, on an airline."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from cypher.semantics.decide import Verdict, decide
from cypher.semantics.reader import SemanticReader
from cypher.semantics.values import ValueTable
from tests.cypher.small_schemas import invented_graph

SCHEMA, STORED = invented_graph("""
    Pilot 50: name, hired_on date, captain boolean, salary integer
    Airline 20: name, country
    Flight 80: number, flight_day date, cancelled boolean, distance_km integer
    Airport 20: name, elevation integer
    Aircraft 40: registration, delivered_on date, retired boolean, glide_ratio float
    Passenger 60: name, nationality, born date
    (Pilot)-[MENTORED 20]->(Pilot), (Pilot)-[FLEW 90: role]->(Flight), (Pilot)-[EMPLOYED_BY 50]->(Airline)
    (Flight)-[OPERATED_BY 80]->(Airline), (Flight)-[USES 80]->(Aircraft)
    (Flight)-[DEPARTS_FROM 80]->(Airport)
    (Passenger)-[BOOKED 90: reason]->(Flight)

    Pilot.name: Ann Moss | Ben Lund
    Airline.name: Norrline | Bluewave | All Nordic
    Airline.country: Norway | Spain
    Flight.number: F-110 | F-111
    Passenger.name: Cleo Dahl | Vera Stone
    Passenger.nationality: Norwegian | Spanish
    FLEW.role: captain | first officer
    BOOKED.reason: holiday | work
""")
READER = SemanticReader(SCHEMA, ValueTable(STORED))

READ = [
    (
        "What is the glide ratio of the retired aircraft?",
        "MATCH (n0:Aircraft) WHERE n0.retired = True RETURN DISTINCT n0.glide_ratio AS glide_ratio",
    ),
    (
        "Is All Nordic an airline?",
        "MATCH (n0:Airline) WHERE n0.name = 'All Nordic' RETURN count(*) > 0 AS answer",
    ),
    (
        "Which airport is the highest?",
        "MATCH (n0:Airport) WITH max(n0.elevation) AS best MATCH (n0:Airport) WHERE n0.elevation = best "
        "RETURN DISTINCT n0.name AS name, n0.elevation AS elevation",
    ),
    (
        "What is the longest flight?",
        "MATCH (n0:Flight) WITH max(n0.distance_km) AS best MATCH (n0:Flight) WHERE n0.distance_km = best "
        "RETURN DISTINCT n0.number AS number, n0.distance_km AS distance_km",
    ),
    (
        "Which pilot earns the most?",
        "MATCH (n0:Pilot) WITH max(n0.salary) AS best MATCH (n0:Pilot) WHERE n0.salary = best "
        "RETURN DISTINCT n0.name AS name, n0.salary AS salary",
    ),
    (
        "Which pilots flew only cancelled flights?",
        "MATCH (n0:Pilot)-[:FLEW]->(n1:Flight) WHERE n1.cancelled = True AND NOT EXISTS { MATCH "
        "(n0)-[:FLEW]->(n2:Flight) WHERE n2.cancelled = False } RETURN DISTINCT n0.name AS name",
    ),
    (
        "Who is the mentor of Ann Moss?",
        "MATCH (n0:Pilot)-[:MENTORED]->(n1:Pilot) WHERE n1.name = 'Ann Moss' RETURN DISTINCT n0.name AS name",
    ),
    (
        "Who are the mentors of Ann Moss?",
        "MATCH (n0:Pilot)-[:MENTORED]->(n1:Pilot) WHERE n1.name = 'Ann Moss' RETURN DISTINCT n0.name AS name",
    ),
    (
        "Who mentored Ann Moss?",
        "MATCH (n0:Pilot)-[:MENTORED]->(n1:Pilot) WHERE n1.name = 'Ann Moss' RETURN DISTINCT n0.name AS name",
    ),
    (
        "Whose mentor is Ann Moss?",
        "MATCH (n1:Pilot)-[:MENTORED]->(n0:Pilot) WHERE n1.name = 'Ann Moss' RETURN DISTINCT n0.name AS name",
    ),
    (
        "How many pilots have a mentor?",
        "MATCH (n1:Pilot)-[:MENTORED]->(n0:Pilot) RETURN count(DISTINCT n0) AS count",
    ),
    (
        "How many pilots have no mentor?",
        "MATCH (n0:Pilot) WHERE NOT EXISTS { MATCH (n1:Pilot)-[:MENTORED]->(n0) } RETURN "
        "count(DISTINCT n0) AS count",
    ),
    (
        "Which pilots have mentored nobody?",
        "MATCH (n0:Pilot) WHERE NOT EXISTS { MATCH (n0)-[:MENTORED]->(n1:Pilot) } RETURN DISTINCT"
        " n0.name AS name",
    ),
    (
        "Which passengers booked nothing?",
        "MATCH (n0:Passenger) WHERE NOT EXISTS { MATCH (n0)-[:BOOKED]->(n1:Flight) } RETURN "
        "DISTINCT n0.name AS name",
    ),
    (
        "How many flights did Ann Moss fly as captain?",
        "MATCH (n1:Pilot)-[r0:FLEW]->(n0:Flight) WHERE n1.name = 'Ann Moss' AND r0.role = "
        "'captain' RETURN count(DISTINCT n0) AS count",
    ),
    (
        "Which pilots flew F-110 as captain?",
        "MATCH (n0:Pilot)-[r0:FLEW]->(n1:Flight) WHERE n1.number = 'F-110' AND r0.role = "
        "'captain' RETURN DISTINCT n0.name AS name",
    ),
    (
        "Which passengers booked F-110 because of work?",
        "MATCH (n0:Passenger)-[r0:BOOKED]->(n1:Flight) WHERE n1.number = 'F-110' AND r0.reason = "
        "'work' RETURN DISTINCT n0.name AS name",
    ),
    (
        "Who employs Ann Moss?",
        "MATCH (n1:Pilot)-[:EMPLOYED_BY]->(n0:Airline) WHERE n1.name = 'Ann Moss' RETURN DISTINCT"
        " n0.name AS name",
    ),
    (
        "Who was the most recently hired pilot?",
        "MATCH (n0:Pilot) WITH max(n0.hired_on) AS best MATCH (n0:Pilot) WHERE n0.hired_on = best"
        " RETURN DISTINCT n0.name AS name, n0.hired_on AS hired_on",
    ),
    (
        "How many flights were cancelled in 2010?",
        "MATCH (n0:Flight) WHERE n0.cancelled = True AND (n0.flight_day >= date('2010-01-01') AND"
        " n0.flight_day <= date('2010-12-31')) RETURN count(DISTINCT n0) AS count",
    ),
    (
        "Which pilots were hired by Norrline before 2010?",
        "MATCH (n0:Pilot)-[:EMPLOYED_BY]->(n1:Airline) WHERE n1.name = 'Norrline' AND n0.hired_on"
        " < date('2010-01-01') RETURN DISTINCT n0.name AS name",
    ),
    (
        "Who is employed by Norline?",
        "MATCH (n0:Pilot)-[:EMPLOYED_BY]->(n1:Airline) WHERE n1.name = 'Norrline' RETURN DISTINCT"
        " n0.name AS name",
    ),
]

NOT_ANSWERED = [
    "Which cancelled flights have a salary?",
    "Newest captain",
    "What is the median salary of pilots?",
    "What percentage of flights was cancelled?",
    "Which passengers worked before 1950?",
    "How many pilots work as captains?",
    "What is the salary of Vera Stane?",
    "Which flights did Cleo Dall book?",
    "How many aircraft were retired in 2010?",
    "How many Norwegian airlines are there?",
    "How many Norwegian pilots are there?",
    "How many flights did F-1100 have?",
    "Which flights did Vera Stove book?",
    "Which flights did Clea Dahl book?",
]


@pytest.mark.parametrize(("question", "cypher"), READ)
def test_reading(question: str, cypher: str, shown: Callable[[str], str]) -> None:
    assert shown(question) == cypher
    assert decide(READER.read(question), SCHEMA).verdict is Verdict.ANSWER


@pytest.mark.parametrize("question", NOT_ANSWERED)
def test_what_the_graph_cannot_tell_is_not_answered(question: str) -> None:
    decision = decide(READER.read(question), SCHEMA)
    assert decision.verdict is not Verdict.ANSWER or decision.unexplained
