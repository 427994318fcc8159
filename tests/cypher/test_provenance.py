"""What a query matched, on a real server: counted by hand on a small graph."""

from __future__ import annotations

from collections.abc import Iterator

import neo4j
import pytest

from cypher.gate.similarity import Inputs
from kg.adapters.neo4j_connection import Connection
from kg.adapters.neo4j_runner import Neo4jRunner
from kg.neo4j_server import Neo4jEndpoint
from kg.provenance import provenance_of
from schemas.errors import QueryRefusedError
from schemas.questions import Scope
from schemas.store_schema import (
    PropertyType,
    StoreLabel,
    StoreProperty,
    StoreRelation,
    StoreSchema,
    StoreTriple,
)

PLAIN = tuple(StoreProperty(name=x, type=PropertyType.STRING) for x in ("id", "status"))
RIVERS = StoreSchema(
    labels=tuple(StoreLabel(name=x, properties=PLAIN) for x in ("River", "Sea", "Town")),
    relations=tuple(StoreRelation(type=x, properties=PLAIN) for x in ("FLOWS_INTO", "LIES_AT")),
    triples=(
        StoreTriple(start="River", type="FLOWS_INTO", end="River"),
        StoreTriple(start="River", type="FLOWS_INTO", end="Sea"),
        StoreTriple(start="Town", type="LIES_AT", end="River"),
    ),
    scope_property="status",
)
GRAPH = """
CREATE (a:River {id: 'a', status: 'vetted'})-[:FLOWS_INTO {id: 'ab', status: 'vetted'}]->
       (b:River {id: 'b', status: 'vetted'})-[:FLOWS_INTO {id: 'bs', status: 'draft'}]->
       (s:Sea {id: 's', status: 'vetted'}),
       (t:Town {id: 't', status: 'draft'})-[:LIES_AT {id: 'ta', status: 'vetted'}]->(a),
       (u:Town {id: 'u', status: 'vetted'})-[:LIES_AT {id: 'ub', status: 'vetted'}]->(b)
"""


@pytest.fixture(scope="module")
def runner(neo4j_endpoint: Neo4jEndpoint) -> Iterator[Neo4jRunner]:
    e = neo4j_endpoint
    with neo4j.GraphDatabase.driver(
        e.uri, auth=(e.username, e.password), notifications_min_severity="OFF"
    ) as driver:
        with driver.session(database=e.database) as session:
            session.run(GRAPH).consume()
        yield Neo4jRunner(Connection(driver, e.database))


@pytest.mark.parametrize(
    ("text", "nodes", "edges"),
    [
        ("MATCH (r:River) RETURN r.id", "a b", ""),
        ("MATCH (:Town {id: 't'})-[:LIES_AT]->(r) RETURN r.id AS id", "t a", "ta"),
        ("MATCH (r:River)-[:FLOWS_INTO*1..2]->(s:Sea) WHERE r.id = 'a' RETURN s.id", "a b s", "ab bs"),
        ("MATCH (r:River {id: 'a'})-[:FLOWS_INTO]->{1,2}(s:Sea) RETURN s.id", "a b s", "ab bs"),
        (
            "MATCH p = ANY SHORTEST (t:Town)-[:LIES_AT|FLOWS_INTO]->+(:Sea) RETURN t.id",
            "t a b s u",
            "ta ab bs ub",
        ),
        ("MATCH (r:River) RETURN count(*) AS n", "a b", ""),
        ("MATCH (r:River) WITH count(*) AS n RETURN n + 1 AS m", "a b", ""),
        ("MATCH (t:Town)-->(r) WITH r.id AS x MATCH (s:Sea) RETURN x, s.id", "t a u b s", "ta ub"),
        ("MATCH (r:River) OPTIONAL MATCH (r)<--(t:Town {id: 'u'}) RETURN r.id, t.id", "a b u", "ub"),
        ("MATCH (r:River) RETURN r.id AS x ORDER BY x DESC LIMIT 1", "b", ""),
        ("MATCH (r:River) RETURN r.id AS x UNION MATCH (s:Sea) RETURN s.id AS x", "a b s", ""),
        ("MATCH (r:River) WHERE EXISTS { (r)<--(:Town) } RETURN r.id", "a b", ""),
        ("MATCH (r:River {id: 'nowhere'}) RETURN r", "", ""),
        ("UNWIND [1, 2] AS x RETURN x", "", ""),
    ],
)
def test_all_that_was_matched_is_told_once(runner: Neo4jRunner, text: str, nodes: str, edges: str) -> None:
    found = provenance_of(text, RIVERS, runner)
    assert sorted(m.id for m in found.nodes) == sorted(nodes.split())
    assert sorted(m.id for m in found.edges) == sorted(edges.split())
    assert all(m.element.count(":") == 2 for m in (*found.nodes, *found.edges))
    assert not found.truncated


def test_a_scope_holds(runner: Neo4jRunner) -> None:
    text = "MATCH (a)-[r]->(b) RETURN a, r, b"
    found = provenance_of(text, RIVERS, runner, scope=Scope.VETTED)
    assert {m.id for m in found.nodes} == {"a", "b", "u"}
    assert {m.id for m in found.edges} == {"ab", "ub"}


def test_parameters_and_repairs_hold(runner: Neo4jRunner) -> None:
    found = provenance_of("MATCH (r:Rivers {id: $x}) RETURN r", RIVERS, runner, inputs=Inputs({"x": "b"}))
    assert [m.id for m in found.nodes] == ["b"]


def test_what_may_not_run_has_none(runner: Neo4jRunner) -> None:
    with pytest.raises(QueryRefusedError, match="no property depth"):
        provenance_of("MATCH (r:River) RETURN r.depth", RIVERS, runner)
