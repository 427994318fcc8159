"""What questions ask for: whether, for each of something, which is best; on an invented graph."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from cypher.semantics.reader import SemanticReader
from cypher.semantics.values import ValueTable
from tests.cypher.small_schemas import invented_graph

SCHEMA, STORED = invented_graph("""
    Courier 40: name, surname, age integer
    Parcel 40: code, kind, status, weight integer, duration integer
    House 40: street
    Quarter 40: name, letter
    Depot 40: name, capacity integer
    Bicycle 40: frame_number, make, model, year integer
    (Courier)-[DELIVERS 20]->(Parcel), (Parcel)-[SENT_TO 20]->(House), (House)-[STANDS_IN 20]->(Quarter)
    (Parcel)-[STORED_AT 20]->(Depot), (Courier)-[RIDES 20]->(Bicycle), (Courier)-[TRAINED 20]->(Courier)

    Courier.name: Ida | Omar | Lena
    Courier.surname: Falk | Winter
    Parcel.code: 7-(31)44 | 8-(12)90
    Parcel.kind: express | fragile
    Parcel.status: lost | delayed
    House.street: 12 Mill Lane | 3 Quay Road | 1 End of the Old Mill Lane
    Quarter.name: Oldtown | Harbour
    Depot.name: North Hall | South Hall
    Bicycle.frame_number: FX-100 | FX-200
    Bicycle.make: Velora | Kestrel
    Bicycle.model: Swift | Cargo
""")
READER = SemanticReader(SCHEMA, ValueTable(STORED))


@pytest.mark.parametrize(
    ("question", "cypher"),
    [
        (
            "Which parcels were sent to 12 Mill Lane?",
            "MATCH (n0:Parcel)-[:SENT_TO]->(n1:House) WHERE n1.street = '12 Mill Lane' "
            "RETURN DISTINCT n0.code AS code",
        ),
        (
            "Has 7-(31)44 ever been delivered by a courier?",
            "MATCH (n1:Courier)-[:DELIVERS]->(n0:Parcel) WHERE n0.code = '7-(31)44' "
            "RETURN count(*) > 0 AS answer",
        ),
        (
            "Was 7-(31)44 itself stored at North Hall?",
            "MATCH (n0:Parcel)-[:STORED_AT]->(n1:Depot) WHERE n0.code = '7-(31)44' "
            "AND n1.name = 'North Hall' RETURN count(*) > 0 AS answer",
        ),
    ],
)
def test_value_that_starts_with_a_number_is_a_name(
    question: str, cypher: str, shown: Callable[[str], str]
) -> None:
    assert shown(question) == cypher


_DELIVERED = "MATCH (n1:Courier)-[:DELIVERS]->(n0:Parcel)"
_RIDDEN = "MATCH (n0:Courier)-[:RIDES]->(n1:Bicycle)"


@pytest.mark.parametrize(
    ("question", "cypher"),
    [
        (
            "For each Velora model, how many couriers ride it?",
            f"{_RIDDEN} WHERE n1.make = 'Velora' RETURN n1.model AS model, count(DISTINCT n0) AS count",
        ),
        (
            "For each age found among couriers with the surname Falk, how many parcels do they deliver?",
            f"{_DELIVERED} WHERE n1.surname = 'Falk' RETURN n1.age AS age, count(DISTINCT n0) AS count",
        ),
        (
            "For each courier named Ida, identified by surname, state how many parcels they deliver.",
            f"{_DELIVERED} WHERE n1.name = 'Ida' RETURN n1.surname AS surname, count(DISTINCT n0) AS count",
        ),
        (
            "Show the bicycle FX-100 together with the number of couriers who ride it.",
            f"{_RIDDEN} WHERE n1.frame_number = 'FX-100' "
            "WITH n1, count(DISTINCT n0) AS count RETURN n1.frame_number AS frame_number, count",
        ),
        (
            "How many parcels does a Falk deliver? Give one number for each age among the Falks.",
            f"{_DELIVERED} WHERE n1.surname = 'Falk' RETURN n1.age AS age, count(DISTINCT n0) AS count",
        ),
        (
            "How many couriers deliver parcels that were sent to 12 Mill Lane? Break it down by parcel kind.",
            "MATCH (n0:Courier)-[:DELIVERS]->(n1:Parcel), (n1)-[:SENT_TO]->(n2:House) WHERE n2.street = "
            "'12 Mill Lane' RETURN n1.kind AS kind, count(DISTINCT n0) AS count",
        ),
        (
            "Break down by parcel status the number of couriers who deliver fragile parcels.",
            "MATCH (n0:Courier)-[:DELIVERS]->(n1:Parcel) WHERE n1.kind = 'fragile' "
            "RETURN n1.status AS status, count(DISTINCT n0) AS count",
        ),
    ],
)
def test_key_of_a_count_is_a_property_of_what_is_told_of(
    question: str, cypher: str, shown: Callable[[str], str]
) -> None:
    assert shown(question) == cypher


@pytest.mark.parametrize(
    ("question", "cypher"),
    [
        (
            "Did any of the couriers who ride Velora bicycles deliver a fragile parcel?",
            "MATCH (n0:Courier)-[:RIDES]->(n1:Bicycle), (n0)-[:DELIVERS]->(n2:Parcel) "
            "WHERE n1.make = 'Velora' AND n2.kind = 'fragile' RETURN count(*) > 0 AS answer",
        ),
        (
            "Does anybody by the first name of Ida ride a bicycle?",
            "MATCH (n0:Courier)-[:RIDES]->(n1:Bicycle) WHERE n0.name = 'Ida' RETURN count(*) > 0 AS answer",
        ),
        (
            "Has anyone trained Ida?",
            "MATCH (n0:Courier)-[:TRAINED]->(n1:Courier) WHERE n1.name = 'Ida' RETURN count(*) > 0 AS answer",
        ),
    ],
)
def test_whether_there_is_any(question: str, cypher: str, shown: Callable[[str], str]) -> None:
    assert shown(question) == cypher


_MOST = "RETURN DISTINCT n0.name AS name, counted AS count ORDER BY counted"


@pytest.mark.parametrize(
    ("question", "cypher"),
    [
        (
            "Considering only parcels sent to 12 Mill Lane, which courier delivers the most of them?",
            "MATCH (n0:Courier)-[:DELIVERS]->(n1:Parcel), (n1)-[:SENT_TO]->(n2:House) WHERE n2.street = "
            f"'12 Mill Lane' WITH n0, count(DISTINCT n1) AS counted {_MOST} DESC LIMIT 1",
        ),
        (
            "Out of the couriers named Ida, which one delivers the fewest parcels?",
            "MATCH (n0:Courier)-[:DELIVERS]->(n1:Parcel) WHERE n0.name = 'Ida' "
            f"WITH n0, count(DISTINCT n1) AS counted {_MOST} LIMIT 1",
        ),
        (
            "Looking at parcels sent to 12 Mill Lane, who delivers them?",
            "MATCH (n0:Courier)-[:DELIVERS]->(n1:Parcel), (n1)-[:SENT_TO]->(n2:House) "
            "WHERE n2.street = '12 Mill Lane' RETURN DISTINCT n0.name AS name",
        ),
        (
            "The heaviest parcel sent to 12 Mill Lane: of what kind is it?",
            "MATCH (n0:Parcel)-[:SENT_TO]->(n1:House) WHERE n1.street = '12 Mill Lane' WITH max(n0.weight) "
            "AS best MATCH (n0:Parcel)-[:SENT_TO]->(n1:House) WHERE n1.street = '12 Mill Lane' "
            "AND n0.weight = best RETURN DISTINCT n0.kind AS kind",
        ),
        (
            "Which courier rides the most Kestrels?",
            f"{_RIDDEN} WHERE n1.make = 'Kestrel' WITH n0, count(DISTINCT n1) AS counted "
            f"{_MOST} DESC LIMIT 1",
        ),
        (
            "What's the newest bicycle?",
            "MATCH (n0:Bicycle) WITH max(n0.year) AS best MATCH (n0:Bicycle) WHERE n0.year = best "
            "RETURN DISTINCT n0.frame_number AS frame_number, n0.year AS year",
        ),
    ],
)
def test_best_of_what_was_named_first(question: str, cypher: str, shown: Callable[[str], str]) -> None:
    assert shown(question) == cypher


@pytest.mark.parametrize(
    ("question", "cypher"),
    [
        (
            "Which couriers ride a 2015 bicycle?",
            f"{_RIDDEN} WHERE n1.year = 2015 RETURN DISTINCT n0.name AS name",
        ),
        (
            "How many pre-2010 bicycles does Omar ride?",
            "MATCH (n1:Courier)-[:RIDES]->(n0:Bicycle) WHERE n0.year < 2010 AND n1.name = 'Omar' "
            "RETURN count(DISTINCT n0) AS count",
        ),
    ],
)
def test_year_in_front_of_a_noun(question: str, cypher: str, shown: Callable[[str], str]) -> None:
    assert shown(question) == cypher


@pytest.mark.parametrize(
    ("question", "cypher"),
    [
        (
            "Which parcels sent to 12 Mill Lane weigh more than 20 kilograms?",
            "MATCH (n0:Parcel)-[:SENT_TO]->(n1:House) WHERE n1.street = '12 Mill Lane' AND n0.weight > 20 "
            "RETURN DISTINCT n0.code AS code",
        ),
        (
            "How many fragile parcels lasted for less than 30 days?",
            "MATCH (n0:Parcel) WHERE n0.kind = 'fragile' AND n0.duration < 30 "
            "RETURN count(DISTINCT n0) AS count",
        ),
    ],
)
def test_verb_that_measures(question: str, cypher: str, shown: Callable[[str], str]) -> None:
    assert shown(question) == cypher


@pytest.mark.parametrize(
    ("question", "cypher"),
    [
        (
            "The two most common kinds in Oldtown",
            "MATCH (n0:Parcel)-[:SENT_TO]->(n1:House), (n1)-[:STANDS_IN]->(n2:Quarter) WHERE n2.name = "
            "'Oldtown' AND n0.kind IS NOT NULL RETURN n0.kind AS kind, count(DISTINCT n0) AS count "
            "ORDER BY count DESC LIMIT 2",
        ),
        (
            "Least common parcel kind",
            "MATCH (n0:Parcel) WHERE n0.kind IS NOT NULL RETURN n0.kind AS kind, count(DISTINCT n0) AS count "
            "ORDER BY count LIMIT 1",
        ),
    ],
)
def test_commonest_value_is_counted_over_what_has_it(
    question: str, cypher: str, shown: Callable[[str], str]
) -> None:
    assert shown(question) == cypher


def test_nothing_is_ranked_by_somebody_who_does_it(shown: Callable[[str], str]) -> None:
    text = shown(
        "List the parcels that are stored at North Hall and are delivered by a courier who trained Ida"
    )
    assert "ORDER BY" not in text
    assert "[:TRAINED]" in text
