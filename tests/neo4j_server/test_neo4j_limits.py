"""What the managed server lets nobody do: plugins' procedures, and transactions that fill the heap."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cypher.gate.allowed import PROCEDURES as OF_THE_GATE
from kg.adapters.neo4j_connection import connect
from kg.neo4j_config import PROCEDURES, Memory, Ports, config_text
from kg.neo4j_server import Neo4jEndpoint
from schemas.errors import QueryFailedError

ROOT = Path(__file__).resolve().parents[2]


def test_the_allow_list_names_what_the_platform_calls() -> None:
    called = {
        name
        for folder in ("kg", "cypher/gate")
        for path in (ROOT / folder).rglob("*.py")
        for name in re.findall(
            r"(?:CALL |CallProcedure\(\")((?:\w+\.)+\w+)", path.read_text(encoding="utf-8")
        )
    }
    assert called >= {"db.labels", "db.awaitIndexes", "db.index.vector.queryNodes"}
    assert called <= set(PROCEDURES)
    assert set(OF_THE_GATE) <= {name.lower() for name in PROCEDURES}
    assert f"dbms.security.procedures.allowlist={','.join(PROCEDURES)}\n" in config_text(
        Ports(1, 2), Memory()
    )


@pytest.mark.parametrize(
    ("heap", "one", "all_together"),
    [("512m", "256m", "358m"), ("1g", "512m", "716m"), ("2G", "1024m", "1433m"), ("700k", "1m", "1m")],
)
def test_a_transaction_has_a_share_of_the_heap(heap: str, one: str, all_together: str) -> None:
    text = config_text(Ports(1, 2), Memory(heap))
    assert f"db.memory.transaction.max={one}\n" in text
    assert f"dbms.memory.transaction.total.max={all_together}\n" in text


@pytest.mark.neo4j
def test_the_server_knows_its_limits(neo4j_endpoint: Neo4jEndpoint) -> None:
    e = neo4j_endpoint
    with connect(e.uri, e.username, e.password, database=e.database) as connection:
        rows = connection.read("SHOW SETTINGS YIELD name, value")
        found = {row["name"]: row["value"] for row in rows}
        assert found["db.memory.transaction.max"] == "256.00MiB"
        assert found["dbms.memory.transaction.total.max"] == "358.00MiB"
        assert found["dbms.security.procedures.allowlist"] == ",".join(PROCEDURES)
        there = {row["name"] for row in connection.read("SHOW PROCEDURES YIELD name")}
        assert there >= {*PROCEDURES, "dbms.components"}


@pytest.mark.neo4j
def test_a_transaction_that_would_fill_the_heap_is_ended_and_told(neo4j_endpoint: Neo4jEndpoint) -> None:
    e = neo4j_endpoint
    with connect(e.uri, e.username, e.password, database=e.database) as connection:
        with pytest.raises(QueryFailedError, match="too much memory") as caught:
            connection.read("UNWIND range(1, 20000000) AS x RETURN size(collect(toString(x))) AS n")
        assert "db.memory.transaction.max" in str(caught.value)
        assert connection.read("RETURN 1 AS n") == [{"n": 1}]
