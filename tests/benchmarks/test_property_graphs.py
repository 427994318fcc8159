"""A load that was broken off leaves nothing to the next one."""

from __future__ import annotations

import pytest

from benchmarks import property_graphs
from benchmarks.property_graphs import create_edges, create_nodes, empty, joining
from kg.adapters.neo4j_connection import connect
from kg.neo4j_server import Neo4jEndpoint

NODES = [{"id": i, "p": {"name": f"goat {i}"}} for i in range(5)]
EDGES = [{"a": i, "b": i + 1, "p": {}} for i in range(4)]


@pytest.mark.neo4j
def test_everything_is_deleted_in_more_than_one_batch(
    neo4j_endpoint: Neo4jEndpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = neo4j_endpoint
    monkeypatch.setattr(property_graphs, "BATCH", 2)
    with connect(found.uri, found.username, found.password, database=found.database) as connection:
        create_nodes(connection, ("Goat",), NODES)
        with joining(connection):
            create_edges(connection, "LEADS", EDGES)
        assert connection.read("MATCH (n:Goat) RETURN count(n) AS n") == [{"n": len(NODES)}]
        empty(connection)
        assert connection.read("MATCH (n) RETURN count(n) AS n") == [{"n": 0}]
