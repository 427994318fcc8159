"""Ways that meet: what is not named may be one thing, what is named is another."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from cypher.semantics.reader import SemanticReader
from cypher.semantics.values import ValueTable
from cypher.semantics.way import Way
from cypher.store_service import Looks, StoreQuestionService
from kg.adapters.neo4j_connection import Connection, connect
from kg.adapters.neo4j_introspection import infer_schema, read_values
from kg.adapters.neo4j_runner import Neo4jRunner
from kg.neo4j_server import Neo4jEndpoint
from schemas.questions import Outcome, Question
from tests.cypher.small_schemas import invented_graph

SCHEMA, STORED = invented_graph("""
    Sailor 50: name, age integer
    Berth 90: number
    Port 9: name
    Storm 30: code, day date
    (Sailor)-[MOORS_AT 50]->(Berth), (Berth)-[PART_OF 90]->(Port), (Storm)-[HIT 30]->(Berth)

    Sailor.name: Ann | Ben
    Berth.number: B-1 | B-2
    Port.name: Hull
""")
READER = SemanticReader(SCHEMA, ValueTable(STORED))
SETS = SemanticReader(SCHEMA, ValueTable(STORED), way=Way(apart=True))
ASKED = "How many storms hit the port where Ann moors?"


def test_unnamed_things_may_be_one(shown: Callable[[str], str]) -> None:
    assert shown(ASKED) == (
        "MATCH (n0:Storm)-[:HIT]->(n1:Berth), (n1)-[:PART_OF]->(n2:Port), "
        "(n4:Sailor)-[:MOORS_AT]->(n3:Berth) MATCH (n3)-[:PART_OF]->(n2) WHERE n4.name = 'Ann' "
        "RETURN count(DISTINCT n0) AS count"
    )


def test_sets_that_take_no_relationship_twice_are_answered_so() -> None:
    written = SETS.read(ASKED).written
    assert written is not None
    assert written.text.count("MATCH") == 1


def test_named_things_are_different(shown: Callable[[str], str]) -> None:
    found = shown("Which storms hit a berth in the port where the berth B-1 is?")
    assert found.count("MATCH") == 1
    assert "n3.number = 'B-1'" in found


def test_fellows_are_not_oneself(shown: Callable[[str], str]) -> None:
    found = shown("Which sailors moor at the same berth as Ann?")
    assert found.count("MATCH") == 1
    assert "(n2:Sailor)-[:MOORS_AT]->(n1)" in found


HARBOUR = """
CREATE (h:Port {name: 'Hull'}), (v:Port {name: 'Visby'}),
       (one:Berth {number: 'B-1'})-[:PART_OF]->(h), (two:Berth {number: 'B-2'})-[:PART_OF]->(h),
       (three:Berth {number: 'B-3'})-[:PART_OF]->(v),
       (:Sailor {name: 'Ann', age: 40})-[:MOORS_AT]->(one),
       (:Sailor {name: 'Ben', age: 30})-[:MOORS_AT]->(two),
       (:Sailor {name: 'Cid', age: 50})-[:MOORS_AT]->(three),
       (:Storm {code: 's-1', force: 8})-[:HIT]->(one), (:Storm {code: 's-2', force: 9})-[:HIT]->(two),
       (:Storm {code: 's-3', force: 11})-[:HIT]->(three)
"""


@pytest.fixture(scope="module")
def service(neo4j_endpoint: Neo4jEndpoint) -> Iterator[StoreQuestionService]:
    with connect(
        neo4j_endpoint.uri,
        neo4j_endpoint.username,
        neo4j_endpoint.password,
        database=neo4j_endpoint.database,
    ) as connection:
        connection.write(HARBOUR)
        yield _service(connection)


def _service(connection: Connection) -> StoreQuestionService:
    schema = infer_schema(connection)
    values = read_values(connection, schema)
    return StoreQuestionService(schema, values, Neo4jRunner(connection), looks=Looks(30.0))


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("How many storms hit the port where Ann moors?", ((2,),)),
        ("Which berth of Hull was hit by the storm with the largest force?", (("B-2",),)),
    ],
)
def test_answers_from_a_store(
    service: StoreQuestionService, question: str, rows: tuple[tuple[object, ...], ...]
) -> None:
    answer = service.ask(Question(text=question))
    assert answer.outcome is Outcome.ANSWERED, answer.text
    assert answer.rows == rows
