"""How a node that is returned as such is shown: by its name, else by what is known of it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from cypher.guard import check_text
from kg.adapters.neo4j_connection import Connection, connect
from kg.adapters.neo4j_runner import Neo4jRunner
from kg.neo4j_server import Neo4jEndpoint
from schemas.graphs import Status
from schemas.store_schema import PropertyType, StoreLabel, StoreProperty, StoreSchema

SCHEMA = StoreSchema(
    labels=(
        StoreLabel(
            name="Pebble",
            properties=(
                StoreProperty(name="name", type=PropertyType.STRING),
                StoreProperty(name="weight", type=PropertyType.INTEGER),
            ),
        ),
    )
)


@pytest.fixture(scope="module")
def store(neo4j_endpoint: Neo4jEndpoint) -> Iterator[Connection]:
    e = neo4j_endpoint
    with connect(e.uri, e.username, e.password, database=e.database) as connection:
        connection.write(
            "CREATE (:Pebble {name: 'Grey', weight: 1}), (:Pebble {weight: 2, round: true, vector: [0.5]})"
        )
        yield connection
        connection.write("MATCH (n:Pebble) DELETE n")


def test_a_node_is_shown_by_its_name_else_by_its_plain_properties(store: Connection) -> None:
    query = check_text("MATCH (n:Pebble) RETURN n ORDER BY n.weight", SCHEMA)
    found = Neo4jRunner(store).run(query)
    assert [row[0] for row in found.rows] == ["Grey", '{"round":true,"weight":2}']


@pytest.mark.parametrize("status", ["'shipped'", "7", "['a', 'b']", "true", "'published'"])
def test_a_status_of_another_meaning_is_no_vetting(store: Connection, status: str) -> None:
    store.write(f"CREATE (:Pebble {{weight: 3, status: {status}}})")
    try:
        found = Neo4jRunner(store).run(check_text("MATCH (n:Pebble) WHERE n.weight = 3 RETURN n", SCHEMA))
        expected = Status.PUBLISHED if status == "'published'" else Status.DRAFT
        assert [node.status for node in found.nodes] == [expected]
    finally:
        store.write("MATCH (n:Pebble {weight: 3}) DELETE n")
