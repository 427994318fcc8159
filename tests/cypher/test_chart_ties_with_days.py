"""Days that relationships have of their own, amounts that they hold, and what is denied, on a ferry line."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from cypher.semantics.decide import Verdict, decide
from cypher.semantics.reader import SemanticReader
from cypher.semantics.values import ValueTable
from tests.cypher.small_schemas import invented_graph

SCHEMA, STORED = invented_graph("""
    Sailor 50: name, born date, died date, joined date, salary integer
    Ship 50: name, kind, launched date, retired boolean, berth_count integer
    Port 50: name, region, staffed boolean
    (Sailor)-[TAUGHT 30: year integer]->(Sailor), (Sailor)-[GAVE 20: given_on date]->(Ship)
    (Ship)-[BASED_AT 40: since date, until date]->(Port), (Ship)-[REPAIRED_AT 40: finished_on date]->(Port)
    (Ship)-[CALLED_AT 80: tickets_sold integer]->(Port), (Sailor)-[LEADS 20]->(Port)
    (Sailor)-[WORKS_AT 40]->(Port)

    Sailor.name: Ann Moss | Ben Lund
    Ship.name: Red Heron | Blue Tern
    Ship.kind: ferry | tug
    Port.name: Hull Bay | Low Pass
    Port.region: Northland | Eastmark
""")
READER = SemanticReader(SCHEMA, ValueTable(STORED))

DAYS = [
    (
        "When was the Red Heron based at Hull Bay?",
        "MATCH (n0:Ship)-[r0:BASED_AT]->(n1:Port) WHERE n0.name = 'Red Heron' AND n1.name = 'Hull"
        " Bay' RETURN DISTINCT r0.since AS since",
    ),
    (
        "Since when has the Red Heron been based at Hull Bay?",
        "MATCH (n0:Ship)-[r0:BASED_AT]->(n1:Port) WHERE n0.name = 'Red Heron' AND n1.name = 'Hull"
        " Bay' RETURN DISTINCT r0.since AS since",
    ),
    (
        "Until when was the Red Heron based at Hull Bay?",
        "MATCH (n0:Ship)-[r0:BASED_AT]->(n1:Port) WHERE n0.name = 'Red Heron' AND n1.name = 'Hull"
        " Bay' RETURN DISTINCT r0.until AS until",
    ),
    (
        "When did Ann Moss teach Ben Lund?",
        "MATCH (n0:Sailor)-[r0:TAUGHT]->(n1:Sailor) WHERE n0.name = 'Ann Moss' AND n1.name = 'Ben"
        " Lund' RETURN DISTINCT r0.year AS year",
    ),
    (
        "When did Ann Moss give the Red Heron?",
        "MATCH (n0:Sailor)-[r0:GAVE]->(n1:Ship) WHERE n0.name = 'Ann Moss' AND n1.name = 'Red "
        "Heron' RETURN DISTINCT r0.given_on AS given_on",
    ),
    (
        "When was the Red Heron launched?",
        "MATCH (n0:Ship) WHERE n0.name = 'Red Heron' AND n0.launched IS NOT NULL RETURN DISTINCT "
        "n0.launched AS launched",
    ),
    (
        "Who was taught by Ann Moss in 2019?",
        "MATCH (n1:Sailor)-[r0:TAUGHT]->(n0:Sailor) WHERE n1.name = 'Ann Moss' AND r0.year = 2019"
        " RETURN DISTINCT n0.name AS name",
    ),
    (
        "Whom did Ann Moss teach in 2019?",
        "MATCH (n1:Sailor)-[r0:TAUGHT]->(n0:Sailor) WHERE n1.name = 'Ann Moss' AND r0.year = 2019"
        " RETURN DISTINCT n0.name AS name",
    ),
    (
        "Which ships were repaired after 2020?",
        "MATCH (n0:Ship)-[r0:REPAIRED_AT]->(n1:Port) WHERE r0.finished_on > date('2020-12-31') "
        "RETURN DISTINCT n0.name AS name",
    ),
    (
        "Which ships were repaired at Hull Bay before 2010?",
        "MATCH (n0:Ship)-[r0:REPAIRED_AT]->(n1:Port) WHERE n1.name = 'Hull Bay' AND "
        "r0.finished_on < date('2010-01-01') RETURN DISTINCT n0.name AS name",
    ),
    (
        "Which ships were repaired before 2010 at Hull Bay?",
        "MATCH (n0:Ship)-[r0:REPAIRED_AT]->(n1:Port) WHERE n1.name = 'Hull Bay' AND "
        "r0.finished_on < date('2010-01-01') RETURN DISTINCT n0.name AS name",
    ),
    (
        "Which ships were repaired on 7 January 2023?",
        "MATCH (n0:Ship)-[r0:REPAIRED_AT]->(n1:Port) WHERE r0.finished_on = date('2023-01-07') "
        "RETURN DISTINCT n0.name AS name",
    ),
    (
        "How many ships were repaired at Hull Bay between 2010 and 2020?",
        "MATCH (n0:Ship)-[r0:REPAIRED_AT]->(n1:Port) WHERE n1.name = 'Hull Bay' AND "
        "r0.finished_on >= date('2010-01-01') AND r0.finished_on <= date('2020-12-31') RETURN "
        "count(DISTINCT n0) AS count",
    ),
    (
        "Which sailors gave a ship in 2001?",
        "MATCH (n0:Sailor)-[r0:GAVE]->(n1:Ship) WHERE (r0.given_on >= date('2001-01-01') AND "
        "r0.given_on <= date('2001-12-31')) RETURN DISTINCT n0.name AS name",
    ),
    (
        "What did Ann Moss give in 2001?",
        "MATCH (n1:Sailor)-[r0:GAVE]->(n0:Ship) WHERE n1.name = 'Ann Moss' AND (r0.given_on >= "
        "date('2001-01-01') AND r0.given_on <= date('2001-12-31')) RETURN DISTINCT n0.name AS "
        "name",
    ),
    (
        "Which ships launched after 2000 are based at Hull Bay?",
        "MATCH (n0:Ship)-[:BASED_AT]->(n1:Port) WHERE n0.launched > date('2000-12-31') AND "
        "n1.name = 'Hull Bay' RETURN DISTINCT n0.name AS name",
    ),
    (
        "Which sailors have given a ship?",
        "MATCH (n0:Sailor)-[:GAVE]->(n1:Ship) RETURN DISTINCT n0.name AS name",
    ),
    (
        "Which ships given by Ann Moss are based at Hull Bay?",
        "MATCH (n1:Sailor)-[:GAVE]->(n0:Ship), (n0)-[:BASED_AT]->(n2:Port) WHERE n1.name = 'Ann "
        "Moss' AND n2.name = 'Hull Bay' RETURN DISTINCT n0.name AS name",
    ),
]

AMOUNTS_AND_DENIALS = [
    (
        "Which ship has the most tickets sold?",
        "MATCH (n0:Ship)-[r0:CALLED_AT]->(n1:Port) WITH n0, sum(r0.tickets_sold) AS counted "
        "RETURN DISTINCT n0.name AS name, counted AS sum_tickets_sold ORDER BY counted DESC LIMIT"
        " 1",
    ),
    (
        "Which ship sold the most tickets?",
        "MATCH (n0:Ship)-[r0:CALLED_AT]->(n1:Port) WITH n0, sum(r0.tickets_sold) AS counted "
        "RETURN DISTINCT n0.name AS name, counted AS sum_tickets_sold ORDER BY counted DESC LIMIT"
        " 1",
    ),
    (
        "Which port sold the fewest tickets?",
        "MATCH (n1:Ship)-[r0:CALLED_AT]->(n0:Port) WITH n0, sum(r0.tickets_sold) AS counted "
        "RETURN DISTINCT n0.name AS name, counted AS sum_tickets_sold ORDER BY counted LIMIT 1",
    ),
    (
        "Which five ships sold the most tickets overall?",
        "MATCH (n0:Ship)-[r0:CALLED_AT]->(n1:Port) WITH n0, sum(r0.tickets_sold) AS counted "
        "RETURN DISTINCT n0.name AS name, counted AS sum_tickets_sold ORDER BY counted DESC LIMIT"
        " 5",
    ),
    (
        "How many tickets did the Red Heron sell?",
        "MATCH (n0:Ship)-[r0:CALLED_AT]->(n1:Port) WHERE n0.name = 'Red Heron' RETURN "
        "sum(r0.tickets_sold) AS sum_tickets_sold",
    ),
    (
        "What is the total of tickets sold for each ship?",
        "MATCH (n0:Ship)-[r0:CALLED_AT]->(n1:Port) WITH n0, sum(r0.tickets_sold) AS "
        "sum_tickets_sold RETURN n0.name AS name, sum_tickets_sold",
    ),
    (
        "How many berths does each ship have?",
        "MATCH (n0:Ship) WITH n0, sum(n0.berth_count) AS sum_berth_count RETURN n0.name AS name, "
        "sum_berth_count",
    ),
    (
        "Which ports are outside Northland?",
        "MATCH (n0:Port) WHERE n0.region <> 'Northland' RETURN DISTINCT n0.name AS name",
    ),
    (
        "Which ships are based outside Northland?",
        "MATCH (n0:Ship) WHERE NOT EXISTS { MATCH (n0)-[:BASED_AT]->(n1:Port) WHERE n1.region = "
        "'Northland' } RETURN DISTINCT n0.name AS name",
    ),
    (
        "Who works at Hull Bay but does not lead it?",
        "MATCH (n0:Sailor)-[:WORKS_AT]->(n1:Port) WHERE n1.name = 'Hull Bay' AND NOT EXISTS { "
        "MATCH (n0)-[:LEADS]->(n2:Port) WHERE n2.name = 'Hull Bay' } RETURN DISTINCT n0.name AS "
        "name",
    ),
    (
        "Which ships are based at Hull Bay but were not repaired there?",
        "MATCH (n0:Ship)-[:BASED_AT]->(n1:Port) WHERE n1.name = 'Hull Bay' AND NOT EXISTS { MATCH"
        " (n0)-[:REPAIRED_AT]->(n2:Port) WHERE n2.name = 'Hull Bay' } RETURN DISTINCT n0.name AS "
        "name",
    ),
    (
        "Who works at Hull Bay but is not its leader?",
        "MATCH (n0:Sailor)-[:WORKS_AT]->(n1:Port) WHERE n1.name = 'Hull Bay' AND NOT EXISTS { "
        "MATCH (n0)-[:LEADS]->(n2:Port) WHERE n2.name = 'Hull Bay' } RETURN DISTINCT n0.name AS "
        "name",
    ),
    (
        "Which ships called at Hull Bay but not Low Pass?",
        "MATCH (n0:Ship)-[:CALLED_AT]->(n1:Port) WHERE n1.name = 'Hull Bay' AND NOT EXISTS { "
        "MATCH (n0)-[:CALLED_AT]->(n2:Port) WHERE n2.name = 'Low Pass' } RETURN DISTINCT n0.name "
        "AS name",
    ),
    (
        "How many sailors died?",
        "MATCH (n0:Sailor) WHERE n0.died IS NOT NULL RETURN count(DISTINCT n0) AS count",
    ),
    (
        "Which sailors died before 2005?",
        "MATCH (n0:Sailor) WHERE n0.died < date('2005-01-01') RETURN DISTINCT n0.name AS name",
    ),
    (
        "Which sailors joined before 2011?",
        "MATCH (n0:Sailor) WHERE n0.joined < date('2011-01-01') RETURN DISTINCT n0.name AS name",
    ),
    (
        "Who is the newest sailor?",
        "MATCH (n0:Sailor) WITH max(n0.joined) AS best MATCH (n0:Sailor) WHERE n0.joined = best "
        "RETURN DISTINCT n0.name AS name, n0.joined AS joined",
    ),
    (
        "Who is the oldest sailor?",
        "MATCH (n0:Sailor) WITH min(n0.born) AS best MATCH (n0:Sailor) WHERE n0.born = best "
        "RETURN DISTINCT n0.name AS name, n0.born AS born",
    ),
    (
        "Which ship is the oldest?",
        "MATCH (n0:Ship) WITH min(n0.launched) AS best MATCH (n0:Ship) WHERE n0.launched = best "
        "RETURN DISTINCT n0.name AS name, n0.launched AS launched",
    ),
    (
        "Which ship is the newest?",
        "MATCH (n0:Ship) WITH max(n0.launched) AS best MATCH (n0:Ship) WHERE n0.launched = best "
        "RETURN DISTINCT n0.name AS name, n0.launched AS launched",
    ),
    (
        "Which sailors were taught by Ann Moss before 2010?",
        "MATCH (n1:Sailor)-[r0:TAUGHT]->(n0:Sailor) WHERE n1.name = 'Ann Moss' AND r0.year < 2010"
        " RETURN DISTINCT n0.name AS name",
    ),
    (
        "Which ships repaired in 2010 were given by Ann Moss?",
        "MATCH (n0:Ship)-[r0:REPAIRED_AT]->(n1:Port), (n2:Sailor)-[:GAVE]->(n0) WHERE n2.name = "
        "'Ann Moss' AND (r0.finished_on >= date('2010-01-01') AND r0.finished_on <= "
        "date('2010-12-31')) RETURN DISTINCT n0.name AS name",
    ),
    (
        "Which sailors were not taught by Ann Moss in 2019?",
        "MATCH (n0:Sailor) WHERE NOT EXISTS { MATCH (n1:Sailor)-[r1000:TAUGHT]->(n0) WHERE "
        "n1.name = 'Ann Moss' AND r1000.year = 2019 } RETURN DISTINCT n0.name AS name",
    ),
    (
        "Which ships have never been repaired at Hull Bay after 2020?",
        "MATCH (n0:Ship) WHERE NOT EXISTS { MATCH (n0)-[r1000:REPAIRED_AT]->(n1:Port) WHERE "
        "n1.name = 'Hull Bay' AND r1000.finished_on > date('2020-12-31') } RETURN DISTINCT "
        "n0.name AS name",
    ),
    (
        "Who taught Ben Lund before 2010 or after 2020?",
        "MATCH (n0:Sailor) WHERE (EXISTS { MATCH (n0)-[r1000:TAUGHT]->(n1:Sailor) WHERE n1.name ="
        " 'Ben Lund' AND r1000.year < 2010 } OR EXISTS { MATCH (n0)-[r1001:TAUGHT]->(n2:Sailor) "
        "WHERE n2.name = 'Ben Lund' AND r1001.year > 2020 }) RETURN DISTINCT n0.name AS name",
    ),
    (
        "Was the Red Heron repaired at Hull Bay in 2010?",
        "MATCH (n0:Ship)-[r0:REPAIRED_AT]->(n1:Port) WHERE n0.name = 'Red Heron' AND n1.name = "
        "'Hull Bay' AND (r0.finished_on >= date('2010-01-01') AND r0.finished_on <= "
        "date('2010-12-31')) RETURN count(*) > 0 AS answer",
    ),
    (
        "Which ship was last repaired at Hull Bay?",
        "MATCH (n0:Ship)-[r0:REPAIRED_AT]->(n1:Port) WHERE n1.name = 'Hull Bay' WITH "
        "max(r0.finished_on) AS best MATCH (n0:Ship)-[r0:REPAIRED_AT]->(n1:Port) WHERE n1.name = "
        "'Hull Bay' AND r0.finished_on = best RETURN DISTINCT n0.name AS name, r0.finished_on AS "
        "finished_on",
    ),
    (
        "Which ship was repaired at Hull Bay most recently?",
        "MATCH (n0:Ship)-[r0:REPAIRED_AT]->(n1:Port) WHERE n1.name = 'Hull Bay' WITH "
        "max(r0.finished_on) AS best MATCH (n0:Ship)-[r0:REPAIRED_AT]->(n1:Port) WHERE n1.name = "
        "'Hull Bay' AND r0.finished_on = best RETURN DISTINCT n0.name AS name, r0.finished_on AS "
        "finished_on",
    ),
    (
        "Which ships repaired at Hull Bay in 2010 sold the most tickets?",
        "MATCH (n0:Ship)-[r0:REPAIRED_AT]->(n1:Port), (n0)-[r1:CALLED_AT]->(n2:Port) WHERE "
        "n1.name = 'Hull Bay' AND (r0.finished_on >= date('2010-01-01') AND r0.finished_on <= "
        "date('2010-12-31')) WITH n0, sum(r1.tickets_sold) AS counted RETURN DISTINCT n0.name AS "
        "name, counted AS sum_tickets_sold ORDER BY counted DESC LIMIT 1",
    ),
]

NOT_ANSWERED = [
    "Are all ships ferries?",
    "Are there 3 ships?",
    "Is there only one ship at Hull Bay?",
    "Number of sailors per year",
]


@pytest.mark.parametrize(("question", "cypher"), [*DAYS, *AMOUNTS_AND_DENIALS])
def test_reading(question: str, cypher: str, shown: Callable[[str], str]) -> None:
    assert shown(question) == cypher


@pytest.mark.parametrize("question", [q for q, _ in (*DAYS, *AMOUNTS_AND_DENIALS)])
def test_one_reading_is_meant(question: str) -> None:
    assert decide(READER.read(question), SCHEMA).verdict is Verdict.ANSWER


@pytest.mark.parametrize("question", NOT_ANSWERED)
def test_what_only_a_count_of_all_would_tell_is_not_answered(question: str) -> None:
    assert decide(READER.read(question), SCHEMA).verdict is Verdict.ABSTAIN
