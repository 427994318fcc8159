"""Queries that a gate must never let pass; each is a way in which read-only services were broken before."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from schemas.errors import QueryRefusedError

HOSTILE_CYPHER: Final = (
    "MATCH (n) DETACH DELETE n",
    "MATCH (n) SET n.name = 'x' RETURN n LIMIT 1",
    "MATCH (n) REMOVE n.name RETURN n LIMIT 1",
    "CREATE (n:Paper {name: 'x'}) RETURN n LIMIT 1",
    "MERGE (n:Paper {name: 'x'}) RETURN n LIMIT 1",
    "MATCH (n) FOREACH (x IN [1] | CREATE (:Paper)) RETURN n LIMIT 1",
    "MATCH (n) CALL (n) { DELETE n } IN TRANSACTIONS OF 1 ROWS RETURN 1 LIMIT 1",
    "LOAD CSV FROM 'file:///etc/passwd' AS row RETURN row LIMIT 1",
    "MATCH (n) WITH n LOAD CSV FROM 'http://127.0.0.1/' + n.name AS row RETURN row LIMIT 1",
    "CALL dbms.listConfig() YIELD name RETURN name LIMIT 1",
    "CALL db.createLabel('x')",
    "MATCH (n) CALL apoc.cypher.run('MATCH (m) DELETE m', {}) YIELD value RETURN value LIMIT 1",
    "USE system SHOW USERS",
    "SHOW DATABASES",
    "DROP INDEX entity_id IF EXISTS",
    "CREATE USER x SET PASSWORD 'y'",
    "EXPLAIN MATCH (n) DELETE n",
    "CYPHER runtime=slotted MATCH (n) DELETE n",
    "MATCH (n) RETURN n LIMIT 1; MATCH (m) DELETE m",
    "MATCH (n) /* harmless */ DE" + "\u200bLETE n RETURN 1 LIMIT 1",
    "MATCH (n) RETURN n LIMIT 1 // \n DELETE n",
    "MATCH (n) WHERE n.`name` = '\\u0027 OR 1=1' DELETE n RETURN 1 LIMIT 1",
    "MATCH (n:Paper) RETURN n.embedding LIMIT 1",
    "MATCH (n:Workspace) RETURN n LIMIT 1",
)
"""Writes, administration, files, network, other databases, hidden properties, the platform's own nodes."""


def passed_by(gate: Callable[[str], object], texts: Sequence[str] = HOSTILE_CYPHER) -> tuple[bool, ...]:
    """For each query whether the gate let it pass, that is, did not raise ``QueryRefusedError``."""
    return tuple(_passes(gate, text) for text in texts)


def _passes(gate: Callable[[str], object], text: str) -> bool:
    try:
        gate(text)
    except QueryRefusedError:
        return False
    return True
