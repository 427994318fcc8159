"""Names that are held in memory: a call sees one state of the store, however others read it anew."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, cast

import pytest

from kg import queries
from kg.adapters import neo4j_values
from kg.adapters.neo4j_connection import Connection, Writes
from kg.adapters.neo4j_values import Neo4jValues
from schemas.graph_schema import GraphSchema
from schemas.language.names import name_key, qualified_prefixes


@dataclass
class Held:
    """A store of papers, as far as their names are read."""

    names: tuple[str, ...]
    writes: Writes = field(default_factory=Writes)

    def read(self, query: str, *_: Any, **__: Any) -> list[dict[str, Any]]:
        if query == queries.MARKER:
            return [{"marker": {"projection_hash": " ".join(self.names)}}]
        assert query == queries.LOOKUP
        return [
            {"id": n, "labels": ["Paper"], "name": n, "name_key": name_key(n), "aliases": []}
            for n in self.names
        ]


def opened(store: Held, schema: GraphSchema, **options: float) -> Neo4jValues:
    return Neo4jValues(cast(Connection, store), schema, None, **options)


OLD, NEW = ("m (B0)", "m at low q2"), ("m (B+)", "m at high q2")


def test_names_read_anew_in_the_middle_of_a_call_are_for_the_next_one(
    small_schema: GraphSchema, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Held(OLD)
    values = opened(store, small_schema, fresh=0)

    def interrupted(key: str) -> Iterator[str]:
        prefixes = iter(qualified_prefixes(key))
        yield next(prefixes)
        store.names = NEW
        values.exact(["m"], ["paper"])
        yield from prefixes

    assert [m.name for m in values.qualified("m", "paper")] == list(OLD)
    with monkeypatch.context() as patched:
        patched.setattr(neo4j_values, "qualified_prefixes", interrupted)
        assert [m.name for m in values.qualified("m", "paper")] == list(OLD)
    assert [m.name for m in values.qualified("m", "paper")] == list(NEW)
