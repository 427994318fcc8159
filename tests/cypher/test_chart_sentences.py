"""What is asked about things that earlier sentences or phrases tell of, on an invented graph."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from cypher.semantics.lexicon import Verbalisation
from cypher.semantics.reader import SemanticReader
from cypher.semantics.values import StoredValue, ValueTable
from tests.cypher.small_schemas import invented_graph

SCHEMA, STORED = invented_graph("""
    Sailor 50: name, surname, gender, nationality, age integer
    Ship 50: name, kind, built integer, length integer
    Port 50: name, country, code
    Company 50: name, founded integer
    Voyage 50 unnamed: status, date, duration integer
    (Sailor)-[KNOWS 20]->(Sailor), (Sailor)-[OWNS 20]->(Ship), (Company)-[OWNS 20]->(Ship)
    (Sailor)-[WORKS_FOR 20]->(Company), (Sailor)-[CAPTAIN_OF 20]->(Ship), (Ship)-[MADE 20]->(Voyage)
    (Voyage)-[DEPARTED_FROM 20]->(Port), (Voyage)-[ARRIVED_AT 20]->(Port), (Sailor)-[LIVES_IN 20]->(Port)
    (Company)-[BASED_IN 20]->(Port), (Ship)-[REGISTERED_IN 20]->(Port)

    Sailor.name: Ann | Ben
    Sailor.surname: Moss | Lund
    Sailor.gender: female | male
    Sailor.nationality: Danish | Dutch
    Ship.name: Kestrel | Osprey
    Ship.kind: ferry | trawler | tanker
    Port.name: Esbjerg | Hull | Bergen
    Port.country: Norway | Denmark
    Port.code: P12
    Company.name: Norrline | Bluewave
    Voyage.status: delayed | cancelled | completed
    Voyage.date: 2021-03-05
""")
READER = SemanticReader(SCHEMA, ValueTable(STORED))


YES_OR_NO = [
    (
        "Can you tell me whether Ann owns a ferry?",
        "MATCH (n0:Sailor)-[:OWNS]->(n1:Ship) WHERE n0.name = 'Ann' AND n1.kind = 'ferry' "
        "RETURN count(*) > 0 AS answer",
    ),
    (
        "Is it true that somebody in Hull knows Ann?",
        "MATCH (n0:Sailor)-[:LIVES_IN]->(n1:Port), (n0)-[:KNOWS]->(n2:Sailor) WHERE n1.name "
        "= 'Hull' AND n2.name = 'Ann' RETURN count(*) > 0 AS answer",
    ),
    (
        "Check if Kestrel made a delayed voyage.",
        "MATCH (n0:Ship)-[:MADE]->(n1:Voyage) WHERE n0.name = 'Kestrel' AND n1.status = "
        "'delayed' RETURN count(*) > 0 AS answer",
    ),
    (
        "Do we know of a sailor who owns a ferry?",
        "MATCH (n0:Sailor)-[:OWNS]->(n1:Ship) WHERE n1.kind = 'ferry' RETURN count(*) > 0 AS answer",
    ),
    (
        "Does there exist a ship that is registered in Hull?",
        "MATCH (n0:Ship)-[:REGISTERED_IN]->(n1:Port) WHERE n1.name = 'Hull' RETURN count(*) > 0 AS answer",
    ),
]


SPOKEN_OF = [
    (
        "Ann knows someone. How old is that person?",
        "MATCH (n1:Sailor)-[:KNOWS]->(n0:Sailor) WHERE n1.name = 'Ann' RETURN DISTINCT n0.age AS age",
    ),
    (
        "Somebody knows Ann. In which port does that person live?",
        "MATCH (n1:Sailor)-[:LIVES_IN]->(n0:Port), (n1)-[:KNOWS]->(n2:Sailor) WHERE n2.name = 'Ann' "
        "RETURN DISTINCT n0.name AS name",
    ),
    (
        "Take the sailors who live in Hull. Which of them own a ferry?",
        "MATCH (n0:Sailor)-[:LIVES_IN]->(n1:Port), (n0)-[:OWNS]->(n2:Ship) WHERE n1.name = "
        "'Hull' AND n2.kind = 'ferry' RETURN DISTINCT n0.name AS name",
    ),
    (
        "Take the people who know Ann. How many of them live in Hull?",
        "MATCH (n0:Sailor)-[:KNOWS]->(n1:Sailor), (n0)-[:LIVES_IN]->(n2:Port) WHERE n1.name "
        "= 'Ann' AND n2.name = 'Hull' RETURN count(DISTINCT n0) AS count",
    ),
    (
        "Consider the ships of Norrline. Are any of them registered in Bergen?",
        "MATCH (n1:Company)-[:OWNS]->(n0:Ship), (n0)-[:REGISTERED_IN]->(n2:Port) WHERE "
        "n1.name = 'Norrline' AND n2.name = 'Bergen' RETURN count(*) > 0 AS answer",
    ),
    (
        "Ann is captain of a ship. In which port is that ship registered?",
        "MATCH (n1:Ship)-[:REGISTERED_IN]->(n0:Port), (n2:Sailor)-[:CAPTAIN_OF]->(n1) WHERE "
        "n2.name = 'Ann' RETURN DISTINCT n0.name AS name",
    ),
    (
        "Ann knows some sailors. What are their nationalities?",
        "MATCH (n1:Sailor)-[:KNOWS]->(n0:Sailor) WHERE n1.name = 'Ann' RETURN DISTINCT "
        "n0.nationality AS nationality",
    ),
    (
        "Start with the ships registered in Hull. Who owns them?",
        "MATCH (n0:Sailor)-[:OWNS]->(n1:Ship), (n1)-[:REGISTERED_IN]->(n2:Port) WHERE "
        "n2.name = 'Hull' RETURN DISTINCT n0.name AS name",
    ),
    (
        "If a sailor lives in Hull and owns a ferry, what is his age?",
        "MATCH (n0:Sailor)-[:LIVES_IN]->(n1:Port), (n0)-[:OWNS]->(n2:Ship) WHERE n1.name = "
        "'Hull' AND n2.kind = 'ferry' RETURN DISTINCT n0.age AS age",
    ),
    (
        "Of the sailors of Norrline, how many are Danish?",
        "MATCH (n0:Sailor)-[:WORKS_FOR]->(n1:Company) WHERE n1.name = 'Norrline' AND "
        "n0.nationality = 'Danish' RETURN count(DISTINCT n0) AS count",
    ),
    (
        "Of all people living in Bergen, give me the oldest.",
        "MATCH (n0:Sailor)-[:LIVES_IN]->(n1:Port) WHERE n1.name = 'Bergen' WITH max(n0.age) "
        "AS best MATCH (n0:Sailor)-[:LIVES_IN]->(n1:Port) WHERE n1.name = 'Bergen' AND "
        "n0.age = best RETURN DISTINCT n0.name AS name, n0.age AS age",
    ),
    (
        "Take the ships that made a delayed voyage: which is the longest of these?",
        "MATCH (n0:Ship)-[:MADE]->(n1:Voyage) WHERE n1.status = 'delayed' WITH "
        "max(n0.length) AS best MATCH (n0:Ship)-[:MADE]->(n1:Voyage) WHERE n1.status = "
        "'delayed' AND n0.length = best RETURN DISTINCT n0.name AS name, n0.length AS length",
    ),
    (
        "How many voyages did each ship make?",
        "MATCH (n1:Ship)-[:MADE]->(n0:Voyage) "
        "WITH n1, count(DISTINCT n0) AS count RETURN n1.name AS name, count",
    ),
    (
        "How many delayed voyages did each ferry make?",
        "MATCH (n1:Ship)-[:MADE]->(n0:Voyage) WHERE n0.status = 'delayed' AND n1.kind = "
        "'ferry' WITH n1, count(DISTINCT n0) AS count RETURN n1.name AS name, count",
    ),
]


TALLIES = [
    (
        "Show all ports and the number of sailors living in each.",
        "MATCH (n0:Sailor)-[:LIVES_IN]->(n1:Port) "
        "WITH n1, count(DISTINCT n0) AS count RETURN n1.name AS name, count",
    ),
    (
        "Break down the number of ships by kind.",
        "MATCH (n0:Ship) RETURN n0.kind AS kind, count(DISTINCT n0) AS count",
    ),
    (
        "Group the voyages of Kestrel by status and give the count for each.",
        "MATCH (n1:Ship)-[:MADE]->(n0:Voyage) WHERE n1.name = 'Kestrel' "
        "RETURN n0.status AS status, count(DISTINCT n0) AS count",
    ),
    (
        "Give the ship kinds and how many ships there are of each.",
        "MATCH (n0:Ship) RETURN n0.kind AS kind, count(DISTINCT n0) AS count",
    ),
    (
        "Ship count per company",
        "MATCH (n1:Company)-[:OWNS]->(n0:Ship) "
        "WITH n1, count(DISTINCT n0) AS count RETURN n1.name AS name, count",
    ),
    (
        "Sailors per port",
        "MATCH (n0:Sailor)-[:LIVES_IN]->(n1:Port) "
        "WITH n1, count(DISTINCT n0) AS count RETURN n1.name AS name, count",
    ),
    (
        "What are the counts of voyages by status?",
        "MATCH (n0:Voyage) RETURN n0.status AS status, count(DISTINCT n0) AS count",
    ),
    (
        "How many ships are there in total for each kind and each port?",
        "MATCH (n0:Ship)-[:REGISTERED_IN]->(n1:Port) WITH n0.kind AS kind, n1, "
        "count(DISTINCT n0) AS count RETURN kind, n1.name AS name, count",
    ),
    (
        "The total number of voyages by status for ships registered in Hull",
        "MATCH (n1:Ship)-[:MADE]->(n0:Voyage), (n1)-[:REGISTERED_IN]->(n2:Port) WHERE "
        "n2.name = 'Hull' RETURN n0.status AS status, "
        "count(DISTINCT n0) AS count",
    ),
    (
        "Of the ships registered in Hull, how many are there of each kind?",
        "MATCH (n0:Ship)-[:REGISTERED_IN]->(n1:Port) WHERE n1.name = 'Hull' "
        "RETURN n0.kind AS kind, count(DISTINCT n0) AS count",
    ),
    (
        "For the port Hull, list the port together with the number of ships registered there.",
        "MATCH (n0:Ship)-[:REGISTERED_IN]->(n1:Port) WHERE n1.name = 'Hull' WITH n1, "
        "count(DISTINCT n0) AS count RETURN n1.name AS name, count",
    ),
    (
        "How many voyages did the ships registered in Hull make? Show the status next to the number.",
        "MATCH (n1:Ship)-[:MADE]->(n0:Voyage), (n1)-[:REGISTERED_IN]->(n2:Port) WHERE "
        "n2.name = 'Hull' RETURN n0.status AS status, "
        "count(DISTINCT n0) AS count",
    ),
    (
        "Looking at the sailors who live in Hull, how many ships do they own, per kind of ship?",
        "MATCH (n1:Sailor)-[:OWNS]->(n0:Ship), (n1)-[:LIVES_IN]->(n2:Port) WHERE n2.name = "
        "'Hull' RETURN n0.kind AS kind, count(DISTINCT n0) AS count",
    ),
]


BESTS = [
    (
        "Who is the oldest of the sailors who know Ann?",
        "MATCH (n0:Sailor)-[:KNOWS]->(n1:Sailor) WHERE n1.name = 'Ann' WITH max(n0.age) AS "
        "best MATCH (n0:Sailor)-[:KNOWS]->(n1:Sailor) WHERE n1.name = 'Ann' AND n0.age = "
        "best RETURN DISTINCT n0.name AS name, n0.age AS age",
    ),
    (
        "Which one of Norrline's ships is the newest?",
        "MATCH (n1:Company)-[:OWNS]->(n0:Ship) WHERE n1.name = 'Norrline' WITH max(n0.built) "
        "AS best MATCH (n1:Company)-[:OWNS]->(n0:Ship) WHERE n1.name = 'Norrline' AND "
        "n0.built = best RETURN DISTINCT n0.name AS name, n0.built AS built",
    ),
    (
        "Among the ferries of Norrline, which one was built first?",
        "MATCH (n1:Company)-[:OWNS]->(n0:Ship) WHERE n0.kind = 'ferry' AND n1.name = "
        "'Norrline' WITH min(n0.built) AS best MATCH (n1:Company)-[:OWNS]->(n0:Ship) WHERE "
        "n0.kind = 'ferry' AND n1.name = 'Norrline' AND n0.built = best RETURN DISTINCT "
        "n0.name AS name, n0.built AS built",
    ),
    (
        "Which ship is the shortest one owned by a Danish sailor?",
        "MATCH (n1:Sailor)-[:OWNS]->(n0:Ship) WHERE n1.nationality = 'Danish' WITH "
        "min(n0.length) AS best MATCH (n1:Sailor)-[:OWNS]->(n0:Ship) WHERE n1.nationality = "
        "'Danish' AND n0.length = best RETURN DISTINCT n0.name AS name, n0.length AS length",
    ),
    (
        "The ship with the greatest length among those registered in Hull",
        "MATCH (n0:Ship)-[:REGISTERED_IN]->(n1:Port) WHERE n1.name = 'Hull' WITH "
        "max(n0.length) AS best MATCH (n0:Ship)-[:REGISTERED_IN]->(n1:Port) WHERE n1.name = "
        "'Hull' AND n0.length = best RETURN DISTINCT n0.name AS name, n0.length AS length",
    ),
    (
        "When was the oldest trawler built?",
        "MATCH (n0:Ship) WHERE n0.kind = 'trawler' WITH min(n0.built) AS best MATCH "
        "(n0:Ship) WHERE n0.kind = 'trawler' AND n0.built = best RETURN DISTINCT n0.built AS "
        "built",
    ),
    (
        "How old is the youngest person to own a ship?",
        "MATCH (n0:Sailor)-[:OWNS]->(n1:Ship) WITH min(n0.age) AS best MATCH "
        "(n0:Sailor)-[:OWNS]->(n1:Ship) WHERE n0.age = best RETURN DISTINCT n0.age AS age",
    ),
    (
        "What is the nationality of whoever is the oldest in Hull?",
        "MATCH (n0:Sailor)-[:LIVES_IN]->(n1:Port) WHERE n1.name = 'Hull' WITH max(n0.age) AS "
        "best MATCH (n0:Sailor)-[:LIVES_IN]->(n1:Port) WHERE n1.name = 'Hull' AND n0.age = "
        "best RETURN DISTINCT n0.nationality AS nationality",
    ),
    (
        "Whose ship is the longest?",
        "CALL () { MATCH (n2:Ship) RETURN max(n2.length) AS best0 } MATCH "
        "(n0:Sailor)-[:OWNS]->(n1:Ship) WHERE n1.length = best0 RETURN DISTINCT n0.name AS "
        "name",
    ),
    (
        "Considering all voyages from Hull to Bergen, how long did the longest last?",
        "MATCH (n0:Voyage)-[:DEPARTED_FROM]->(n1:Port), (n0)-[:ARRIVED_AT]->(n2:Port) WHERE "
        "n1.name = 'Hull' AND n2.name = 'Bergen' WITH max(n0.duration) AS best MATCH "
        "(n0:Voyage)-[:DEPARTED_FROM]->(n1:Port), (n0)-[:ARRIVED_AT]->(n2:Port) WHERE "
        "n1.name = 'Hull' AND n2.name = 'Bergen' AND n0.duration = best RETURN DISTINCT "
        "n0.duration AS duration",
    ),
    (
        "Which company do most people work for?",
        "MATCH (n1:Sailor)-[:WORKS_FOR]->(n0:Company) WITH n0, count(DISTINCT n1) AS counted "
        "RETURN DISTINCT n0.name AS name, counted AS count ORDER BY counted DESC LIMIT 1",
    ),
    (
        "Who is known by the largest number of people?",
        "MATCH (n1:Sailor)-[:KNOWS]->(n0:Sailor) WITH n0, count(DISTINCT n1) AS counted "
        "RETURN DISTINCT n0.name AS name, counted AS count ORDER BY counted DESC LIMIT 1",
    ),
    (
        "Out of all ships owned by Moss, which was built most recently?",
        "MATCH (n1:Sailor)-[:OWNS]->(n0:Ship) WHERE n1.surname = 'Moss' WITH max(n0.built) "
        "AS best MATCH (n1:Sailor)-[:OWNS]->(n0:Ship) WHERE n1.surname = 'Moss' AND n0.built "
        "= best RETURN DISTINCT n0.name AS name, n0.built AS built",
    ),
]


ALONE_OR_MORE = [
    (
        "Which sailors own only ferries?",
        "MATCH (n0:Sailor)-[:OWNS]->(n1:Ship) WHERE n1.kind = 'ferry' AND NOT EXISTS { MATCH "
        "(n0)-[:OWNS]->(n2:Ship) WHERE n2.kind <> 'ferry' } RETURN DISTINCT n0.name AS name",
    ),
    (
        "Sailors who only know Danish sailors",
        "MATCH (n0:Sailor)-[:KNOWS]->(n1:Sailor) WHERE n1.nationality = 'Danish' AND NOT "
        "EXISTS { MATCH (n0)-[:KNOWS]->(n2:Sailor) WHERE n2.nationality <> 'Danish' } RETURN "
        "DISTINCT n0.name AS name",
    ),
    (
        "Companies whose ships are all registered in Hull",
        "MATCH (n0:Company)-[:OWNS]->(n1:Ship), (n1)-[:REGISTERED_IN]->(n2:Port) WHERE "
        "n2.name = 'Hull' AND NOT EXISTS { MATCH (n0)-[:OWNS]->(n3:Ship) WHERE NOT EXISTS { "
        "MATCH (n3)-[:REGISTERED_IN]->(n4:Port) WHERE n4.name = 'Hull' } } RETURN DISTINCT "
        "n0.name AS name",
    ),
    (
        "Ships all of whose voyages were delayed",
        "MATCH (n0:Ship)-[:MADE]->(n1:Voyage) WHERE n1.status = 'delayed' AND NOT EXISTS { "
        "MATCH (n0)-[:MADE]->(n2:Voyage) WHERE n2.status <> 'delayed' } RETURN DISTINCT "
        "n0.name AS name",
    ),
    (
        "Sailors who know nobody but Ann",
        "MATCH (n0:Sailor)-[:KNOWS]->(n1:Sailor) WHERE n1.name = 'Ann' AND NOT EXISTS { "
        "MATCH (n0)-[:KNOWS]->(n2:Sailor) WHERE n2.name <> 'Ann' } RETURN DISTINCT n0.name "
        "AS name",
    ),
    (
        "Show me only the ferries of Norrline.",
        "MATCH (n1:Company)-[:OWNS]->(n0:Ship) WHERE n0.kind = 'ferry' AND n1.name = "
        "'Norrline' RETURN DISTINCT n0.name AS name",
    ),
    (
        "Which sailors own more ferries than trawlers?",
        "MATCH (n0:Sailor) WHERE COUNT { MATCH (n0)-[:OWNS]->(n1:Ship) WHERE n1.kind = "
        "'ferry' RETURN DISTINCT n1 } > COUNT { MATCH (n0)-[:OWNS]->(n2:Ship) WHERE n2.kind "
        "= 'trawler' RETURN DISTINCT n2 } RETURN DISTINCT n0.name AS name",
    ),
    (
        "Ships that made more delayed voyages than cancelled ones",
        "MATCH (n0:Ship) WHERE COUNT { MATCH (n0)-[:MADE]->(n1:Voyage) WHERE n1.status = "
        "'delayed' RETURN DISTINCT n1 } > COUNT { MATCH (n0)-[:MADE]->(n2:Voyage) WHERE "
        "n2.status = 'cancelled' RETURN DISTINCT n2 } RETURN DISTINCT n0.name AS name",
    ),
    (
        "Who owns more ships than Ann?",
        "MATCH (n0:Sailor) WHERE COUNT { MATCH (n0)-[:OWNS]->(n1:Ship) RETURN DISTINCT n1 } "
        "> COUNT { MATCH (n2:Sailor)-[:OWNS]->(n3:Ship) WHERE n2.name = 'Ann' RETURN "
        "DISTINCT n3 } RETURN DISTINCT n0.name AS name",
    ),
    (
        "Who knows more people than Ben?",
        "MATCH (n0:Sailor) WHERE COUNT { MATCH (n0)-[:KNOWS]->(n1:Sailor) RETURN DISTINCT n1 "
        "} > COUNT { MATCH (n2:Sailor)-[:KNOWS]->(n3:Sailor) WHERE n2.name = 'Ben' RETURN "
        "DISTINCT n3 } RETURN DISTINCT n0.name AS name",
    ),
    (
        "Sailors with as many ferries as tankers",
        "MATCH (n0:Sailor) WHERE COUNT { MATCH (n0)-[:OWNS]->(n1:Ship) WHERE n1.kind = "
        "'ferry' RETURN DISTINCT n1 } = COUNT { MATCH (n0)-[:OWNS]->(n2:Ship) WHERE n2.kind "
        "= 'tanker' RETURN DISTINCT n2 } RETURN DISTINCT n0.name AS name",
    ),
]


IN_PAIRS = [
    (
        "Which sailors own which ships?",
        "MATCH (n0:Sailor)-[:OWNS]->(n1:Ship) RETURN DISTINCT n0.name AS name_0, n1.name AS name_1",
    ),
    (
        "Which sailors live in which port?",
        "MATCH (n0:Sailor)-[:LIVES_IN]->(n1:Port) RETURN DISTINCT n0.name AS name_0, n1.name AS name_1",
    ),
    (
        "List pairs of sailors who know each other.",
        "MATCH (n0:Sailor)-[:KNOWS]->(n1:Sailor) RETURN DISTINCT n0.name AS name_0, n1.name AS name_1",
    ),
    (
        "Give all pairs of ships and their owners.",
        "MATCH (n1:Sailor)-[:OWNS]->(n0:Ship) RETURN DISTINCT n0.name AS name_0, n1.name AS name_1",
    ),
    (
        "Show the ships of Norrline and the ports where they are registered.",
        "MATCH (n1:Company)-[:OWNS]->(n0:Ship), (n0)-[:REGISTERED_IN]->(n2:Port) WHERE "
        "n1.name = 'Norrline' RETURN DISTINCT n0.name AS name_0, n2.name AS name_2",
    ),
    (
        "List the ships and the names of the companies that own them.",
        "MATCH (n1:Company)-[:OWNS]->(n0:Ship) RETURN DISTINCT n0.name AS name_0, n1.name AS name_1",
    ),
    (
        "List the ships with the port they are registered in and the company that owns them.",
        "MATCH (n0:Ship)-[:REGISTERED_IN]->(n1:Port), (n2:Company)-[:OWNS]->(n0) RETURN "
        "DISTINCT n0.name AS name_0, n1.name AS name_1, n2.name AS name_2",
    ),
    (
        "Who owns Kestrel and where does he live?",
        "MATCH (n0:Sailor)-[:OWNS]->(n1:Ship), (n0)-[:LIVES_IN]->(n2:Port) WHERE n1.name = "
        "'Kestrel' RETURN DISTINCT n0.name AS name_0, n2.name AS name_2",
    ),
    (
        "Which sailors live in Hull and which ships do they own?",
        "MATCH (n0:Sailor)-[:LIVES_IN]->(n1:Port), (n0)-[:OWNS]->(n2:Ship) WHERE n1.name = "
        "'Hull' RETURN DISTINCT n0.name AS name_0, n2.name AS name_2",
    ),
    (
        "For each company, show the ships it owns.",
        "MATCH (n1:Company)-[:OWNS]->(n0:Ship) RETURN DISTINCT n1.name AS name_1, n0.name AS name_0",
    ),
    (
        "For every port, which ships are registered there?",
        "MATCH (n0:Ship)-[:REGISTERED_IN]->(n1:Port) RETURN DISTINCT n1.name AS name_1, n0.name AS name_0",
    ),
    (
        "List the surname and age of every sailor and the name of their company.",
        "MATCH (n0:Sailor)-[:WORKS_FOR]->(n1:Company) RETURN DISTINCT n0.surname AS surname, "
        "n0.age AS age, n1.name AS name",
    ),
]


FURTHER_WORDINGS = [
    (
        "At how many ports did voyages of Kestrel arrive?",
        "MATCH (n1:Voyage)-[:ARRIVED_AT]->(n0:Port), (n2:Ship)-[:MADE]->(n1) WHERE n2.name = "
        "'Kestrel' RETURN count(DISTINCT n0) AS count",
    ),
    (
        "Ships that Ann owns and Ben is captain of",
        "MATCH (n1:Sailor)-[:OWNS]->(n0:Ship), (n2:Sailor)-[:CAPTAIN_OF]->(n0) WHERE n1.name "
        "= 'Ann' AND n2.name = 'Ben' RETURN DISTINCT n0.name AS name",
    ),
    (
        "In which port will I find Kestrel?",
        "MATCH (n1:Ship)-[:REGISTERED_IN]->(n0:Port) WHERE n1.name = 'Kestrel' RETURN "
        "DISTINCT n0.name AS name",
    ),
    (
        "Count, for each kind, the ships registered in Hull.",
        "MATCH (n0:Ship)-[:REGISTERED_IN]->(n1:Port) WHERE n1.name = 'Hull' "
        "RETURN n0.kind AS kind, count(DISTINCT n0) AS count",
    ),
    (
        "How many voyages arrived at Hull, the one in Norway?",
        "MATCH (n0:Voyage)-[:ARRIVED_AT]->(n1:Port) WHERE n1.name = 'Hull' AND n1.country = "
        "'Norway' RETURN count(DISTINCT n0) AS count",
    ),
    (
        "How many ships are registered in Hull? Give the figure against each kind.",
        "MATCH (n0:Ship)-[:REGISTERED_IN]->(n1:Port) WHERE n1.name = 'Hull' "
        "RETURN n0.kind AS kind, count(DISTINCT n0) AS count",
    ),
    (
        "How many ships, broken down by kind, are registered in Hull?",
        "MATCH (n0:Ship)-[:REGISTERED_IN]->(n1:Port) WHERE n1.name = 'Hull' "
        "RETURN n0.kind AS kind, count(DISTINCT n0) AS count",
    ),
    (
        "How many ships does each sailor own? Group them by nationality.",
        "MATCH (n1:Sailor)-[:OWNS]->(n0:Ship) "
        "RETURN n1.nationality AS nationality, count(DISTINCT n0) AS count",
    ),
    (
        "How many ships does each sailor own? Group them by country of the port.",
        "MATCH (n1:Sailor)-[:OWNS]->(n0:Ship), (n0)-[:REGISTERED_IN]->(n2:Port) "
        "WITH n1, n2.country AS country, count(DISTINCT n0) AS count "
        "RETURN n1.name AS name, country, count",
    ),
    (
        "For the port Hull, name the port itself and count the ships registered there.",
        "MATCH (n0:Ship)-[:REGISTERED_IN]->(n1:Port) WHERE n1.name = 'Hull' WITH n1, "
        "count(DISTINCT n0) AS count RETURN n1.name AS name, count",
    ),
    (
        "Voyages that exceeded 30 days",
        "MATCH (n0:Voyage) WHERE n0.duration > 30 RETURN DISTINCT n0 AS node",
    ),
]


@pytest.mark.parametrize(("question", "cypher"), YES_OR_NO)
def test_yes_or_no(question: str, cypher: str, shown: Callable[[str], str]) -> None:
    assert shown(question) == cypher


@pytest.mark.parametrize(("question", "cypher"), SPOKEN_OF)
def test_spoken_of(question: str, cypher: str, shown: Callable[[str], str]) -> None:
    assert shown(question) == cypher


@pytest.mark.parametrize(("question", "cypher"), TALLIES)
def test_tallies(question: str, cypher: str, shown: Callable[[str], str]) -> None:
    assert shown(question) == cypher


@pytest.mark.parametrize(("question", "cypher"), BESTS)
def test_bests(question: str, cypher: str, shown: Callable[[str], str]) -> None:
    assert shown(question) == cypher


@pytest.mark.parametrize(("question", "cypher"), ALONE_OR_MORE)
def test_alone_or_more(question: str, cypher: str, shown: Callable[[str], str]) -> None:
    assert shown(question) == cypher


@pytest.mark.parametrize(("question", "cypher"), IN_PAIRS)
def test_in_pairs(question: str, cypher: str, shown: Callable[[str], str]) -> None:
    assert shown(question) == cypher


@pytest.mark.parametrize(("question", "cypher"), FURTHER_WORDINGS)
def test_further_wordings(question: str, cypher: str, shown: Callable[[str], str]) -> None:
    assert shown(question) == cypher


def test_a_value_may_have_words_of_its_own() -> None:
    said = Verbalisation(values={"Ship.kind": {"tanker": ("oil carrier",)}})
    reader = SemanticReader(SCHEMA, ValueTable([StoredValue("Ship", "kind", "tanker")]), said)
    written = reader.read("Which sailors own an oil carrier?").written
    assert written is not None
    assert written.parameters == {"p0": "tanker"}
