"""How a node that is returned as such is shown: by its name, else by what its schema tells of it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Final, LiteralString

import pytest

from cypher.guard import check_plan, check_text, report_on
from kg.adapters.neo4j_connection import Connection, connect
from kg.adapters.neo4j_runner import Neo4jRunner
from kg.neo4j_server import Neo4jEndpoint
from schemas.graphs import Status
from schemas.questions import Subgraph, Value
from schemas.store_schema import (
    PropertyType,
    StoreLabel,
    StoreProperty,
    StoreRelation,
    StoreSchema,
    StoreTriple,
)

SCHEMA = StoreSchema(
    labels=(
        StoreLabel(
            name="Pebble",
            properties=(
                StoreProperty(name="name", type=PropertyType.STRING),
                StoreProperty(name="weight", type=PropertyType.INTEGER),
                StoreProperty(name="status"),
            ),
        ),
        StoreLabel(
            name="Patient",
            properties=(
                StoreProperty(name="age", type=PropertyType.INTEGER),
                StoreProperty(name="ward", type=PropertyType.STRING),
            ),
            hidden=("ssn", "name"),
        ),
        StoreLabel(name="Student", properties=(StoreProperty(name="school", type=PropertyType.STRING),)),
        StoreLabel(name="Informant", hidden=("name", "ssn", "id", "status")),
    ),
    relations=(
        StoreRelation(type="KNOWS", hidden=("ssn", "id")),
        StoreRelation(type="NURSES", properties=(StoreProperty(name="since"),)),
    ),
    triples=(
        StoreTriple(start="Patient", type="KNOWS", end="Informant"),
        StoreTriple(start="Patient", type="NURSES", end="Patient"),
    ),
    label_sets=(("Informant",), ("Patient",), ("Patient", "Student"), ("Pebble",)),
)
GRAPH: Final[LiteralString] = """
CREATE (:Pebble {name: 'Grey', weight: 1}), (:Pebble {weight: 2, round: true, vector: [0.5]}),
       (a:Patient {ssn: 'secret 1', name: 'secret 2', age: 40, ward: 'W1'}),
       (b:Patient:Student {ssn: 'secret 3', age: 20, school: 'North'}),
       (a)-[:KNOWS {ssn: 'secret 4', id: 'secret 5'}]->
       (:Informant {name: 'secret 6', ssn: 'secret 7', id: 'secret 8', status: 'vetted'}),
       (a)-[:NURSES {since: 1999, ssn: 'secret 9'}]->(b)
"""


@pytest.fixture(scope="module")
def store(neo4j_endpoint: Neo4jEndpoint) -> Iterator[Connection]:
    e = neo4j_endpoint
    with connect(e.uri, e.username, e.password, database=e.database) as connection:
        connection.write(GRAPH)
        yield connection
        connection.write("MATCH (n) DETACH DELETE n")


def shown(store: Connection, text: str) -> Subgraph:
    query = check_text(text, SCHEMA)
    check_plan(Neo4jRunner(store).explain(query))
    return Neo4jRunner(store).run(query)


def test_a_node_is_shown_by_its_name_else_by_plain_properties_of_the_schema(store: Connection) -> None:
    found = shown(store, "MATCH (n:Pebble) RETURN n ORDER BY n.weight")
    assert [row[0] for row in found.rows] == ["Grey", '{"weight":2}']


A, B, SPY = '{"age":40,"ward":"W1"}', '{"age":20,"school":"North"}', "(:Informant)"


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("MATCH (p:Patient) RETURN p ORDER BY p.age", [(B,), (A,)]),
        ("MATCH (i:Informant) RETURN i", [(SPY,)]),
        ("MATCH (:Patient)-[r:KNOWS]->(i) RETURN r, i", [("KNOWS", SPY)]),
        ("MATCH p = (:Patient)-[:KNOWS]->() RETURN p", [(" - ",)]),
        ("MATCH (p:Patient) WITH p ORDER BY p.age RETURN collect(p) AS all", [((B, A),)]),
        ("MATCH (i:Informant) RETURN [[i]] AS deep", [((json.dumps([SPY]),),)]),
        ("MATCH (i:Informant) RETURN {who: i, all: [i]} AS m", [(f'{{"all":["{SPY}"],"who":"{SPY}"}}',)]),
        ("MATCH p = (:Patient)-[:KNOWS]->(i) RETURN nodes(p) AS n, relationships(p) AS r",
         [((A, SPY), ("KNOWS",))]),
        ("MATCH (i:Informant) RETURN COLLECT { MATCH (x:Informant) RETURN x } AS all", [((SPY,),)]),
        ("MATCH (i:Informant) RETURN [(p:Patient)-[:KNOWS]->(i) | i] AS all", [((SPY,),)]),
        ("MATCH (i:Informant) RETURN coalesce(null, i) AS x, head([i]) AS y", [(SPY, SPY)]),
        ("MATCH (i:Informant) RETURN CASE WHEN true THEN i END AS x", [(SPY,)]),
        ("MATCH (i:Informant) RETURN properties(i) AS x, keys(i) AS y, i {.*} AS z", [("{}", (), "{}")]),
        ("MATCH (p:Patient {age: 40}) RETURN p {.*, of: p} AS x",
         [(json.dumps({"age": 40, "of": A, "school": None, "ward": "W1"}, separators=(",", ":")),)]),
        ("MATCH ()-[r:KNOWS]->() RETURN properties(r) AS x, keys(r) AS y, r {.*} AS z", [("{}", (), "{}")]),
        ("MATCH ()-[r:NURSES]->() RETURN properties(r) AS x, keys(r) AS y", [('{"since":1999}', ("since",))]),
        ("MATCH (p:Patient {age: 40}) RETURN size(keys(p)) AS n", [(2,)]),
    ],
)  # fmt: skip
def test_what_a_schema_hides_comes_out_in_no_cell(
    store: Connection, text: str, rows: list[tuple[Value, ...]]
) -> None:
    found = shown(store, text)
    assert list(found.rows) == rows
    assert "secret" not in found.model_dump_json()


@pytest.mark.parametrize(
    "text",
    [
        "MATCH (p:Patient) RETURN p.ssn AS x",
        "MATCH (p:Patient) RETURN p {.ssn} AS x",
        "MATCH (p:Patient) RETURN p['ssn'] AS x",
        "MATCH (p:Patient) RETURN [k IN keys(p) | p[k]] AS x",
        "MATCH (p:Patient) RETURN toString(p) AS x",
        "MATCH (p:Patient) WITH {a: p} AS m RETURN m.a.ssn AS x",
        "MATCH (p:Patient) WITH collect(p) AS all RETURN all[0].ssn AS x",
        "MATCH (p:Patient) RETURN p.age AS x ORDER BY p.ssn",
    ],
)
def test_what_a_schema_hides_cannot_be_asked_for(text: str) -> None:
    assert report_on(text, SCHEMA).query is None


def test_hidden_names_ids_and_states_stay_out_of_the_nodes_of_a_result(store: Connection) -> None:
    found = shown(store, "MATCH (:Patient)-[r:KNOWS]->(i:Informant) RETURN i, r AS _edges")
    (node,) = found.nodes
    assert (node.name, node.status, node.id.count(":")) == ("", Status.DRAFT, 2)
    assert found.edges == ()


def test_of_a_node_that_the_schema_does_not_know_labels_are_told_alone(store: Connection) -> None:
    query = check_text("MATCH (n) WHERE n.age = 40 RETURN n", SCHEMA)
    other = query.model_copy(update={"store": StoreSchema()})
    other._by_guard = True
    assert Neo4jRunner(store).run(other).rows == (("(:Patient)",),)


@pytest.mark.parametrize("status", ["'shipped'", "7", "['a', 'b']", "true", "'published'"])
def test_a_status_of_another_meaning_is_no_vetting(store: Connection, status: str) -> None:
    store.write(f"CREATE (:Pebble {{weight: 3, status: {status}}})")
    try:
        found = Neo4jRunner(store).run(check_text("MATCH (n:Pebble) WHERE n.weight = 3 RETURN n", SCHEMA))
        expected = Status.PUBLISHED if status == "'published'" else Status.DRAFT
        assert [node.status for node in found.nodes] == [expected]
    finally:
        store.write("MATCH (n:Pebble {weight: 3}) DELETE n")
