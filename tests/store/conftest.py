"""Small graphs and an open, empty store."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from kg.adapters.neo4j_connection import Connection, connect
from kg.adapters.neo4j_store import Neo4jStore
from schemas.graph_schema import AttributeType, EntityType, GraphSchema, RelationType

DIMENSION = 4


@pytest.fixture(scope="session")
def small_schema() -> GraphSchema:
    """Papers determine observables, which are measured with decays."""
    number, words = AttributeType(name="value", type="number"), AttributeType(name="tags", type="strings")
    return GraphSchema(
        name="small",
        version="1.0",
        document_type="paper",
        entities=(
            EntityType(name="paper", label="Paper", attributes=(AttributeType(name="year", type="integer"),)),
            EntityType(name="observable", label="Observable", embed=True, attributes=(words,)),
            EntityType(name="decay", label="Decay"),
        ),
        relations=(
            RelationType(
                name="determines", subjects=("paper",), objects=("observable",), attributes=(number,)
            ),
            RelationType(name="measured_with", subjects=("observable",), objects=("decay",)),
        ),
    )


@pytest.fixture
def connection(neo4j_endpoint: Any) -> Iterator[Connection]:
    """A connection to the database of the test run."""
    e = neo4j_endpoint
    with connect(e.uri, e.username, e.password, database=e.database) as opened:
        yield opened


@pytest.fixture
def store(connection: Connection, small_schema: GraphSchema) -> Iterator[Neo4jStore]:
    """An empty store with its indexes; wiped before and after."""
    found = Neo4jStore(connection, workspace="unknown").marker()
    if found is not None:
        Neo4jStore(connection, workspace=found.id).wipe()
    opened = Neo4jStore(connection, workspace="test")
    opened.migrate(small_schema, dimension=DIMENSION)
    yield opened
    opened.wipe()
