"""Reads which nodes of any Neo4j are tied to which, without their properties."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Mapping
from typing import Final, LiteralString

import numpy as np

from kg.adapters.neo4j_connection import Connection, Row
from schemas.store_schema import StoreSchema
from schemas.store_ties import Places, StoreTies

MOST_TIES: Final = 1_000_000
"""Relationships, or nodes, up to which a graph is held in memory."""
TIMEOUT: Final = 60.0
"""Seconds for all of it."""
_SIZE: Final[LiteralString] = (
    "MATCH (n) WITH count(n) AS nodes MATCH ()-[r]->() RETURN nodes, count(r) AS ties"
)
_NODES: Final[LiteralString] = (
    "MATCH (n) WHERE any(l IN labels(n) WHERE l IN $labels) "
    "RETURN labels(n) AS labels, collect(elementId(n)) AS elements"
)
_TIES: Final[LiteralString] = (
    "MATCH (a)-[r]->(b) WHERE type(r) IN $types "
    "RETURN type(r) AS type, elementId(a) AS start, collect(elementId(b)) AS ends"
)


def read_ties(connection: Connection, schema: StoreSchema, *, timeout: float = TIMEOUT) -> StoreTies | None:
    """All nodes and relationships that the schema names; ``None`` where there are more than ``MOST_TIES``.

    Raises:
        StoreUnavailableError, QueryFailedError, QueryTimeoutError: the database could not be read.
    """
    until = time.monotonic() + timeout

    def rows(query: LiteralString, parameters: Mapping[str, list[str]]) -> list[Row]:
        return connection.read(query, parameters, timeout=until - time.monotonic())

    if max(rows(_SIZE, {})[0].values()) > MOST_TIES:
        return None
    by_label, elements = defaultdict[str, list[int]](list), list[str]()
    for row in rows(_NODES, {"labels": [x.name for x in schema.labels]}):
        for label in row["labels"]:
            by_label[label] += range(len(elements), len(elements) + len(row["elements"]))
        elements += row["elements"]
    places = {element: place for place, element in enumerate(elements)}
    starts, ends = defaultdict[str, list[int]](list), defaultdict[str, list[int]](list)
    for row in rows(_TIES, {"types": [x.type for x in schema.relations]}):
        kept = [places[e] for e in row["ends"] if e in places]
        if row["start"] in places:
            starts[row["type"]] += [places[row["start"]]] * len(kept)
            ends[row["type"]] += kept
    return StoreTies(
        tuple(elements),
        {x.name: _column(by_label, x.name) for x in schema.labels},
        {x.type: (_column(starts, x.type), _column(ends, x.type)) for x in schema.relations},
    )


def _column(columns: Mapping[str, list[int]], name: str) -> Places:
    return np.array(columns.get(name, ()), dtype=np.int32)
