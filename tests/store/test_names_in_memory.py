"""Names that are held in memory: a call sees one state of the store, however others read it anew."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from threading import Barrier, Thread
from typing import Any, cast

import pytest

from kg import queries
from kg.adapters import neo4j_values
from kg.adapters.neo4j_connection import Connection, Writes
from kg.adapters.neo4j_values import Neo4jValues
from kg.stopping import within
from schemas.errors import QueryTimeoutError, StoreUnavailableError
from schemas.graph_schema import GraphSchema
from schemas.language.names import name_key, qualified_prefixes


@dataclass
class Held:
    """A store of papers, as far as their names are read."""

    names: tuple[str, ...]
    writes: Writes = field(default_factory=Writes)
    seconds: float = 0.0
    reads: int = 0

    def read(self, query: str, *_: Any, **__: Any) -> list[dict[str, Any]]:
        if query == queries.MARKER:
            return [{"marker": {"projection_hash": " ".join(self.names)}}]
        assert query == queries.LOOKUP
        self.reads += 1
        time.sleep(self.seconds)
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


def test_many_questions_at_once_read_all_names_once(small_schema: GraphSchema) -> None:
    store = Held(OLD, seconds=0.2)
    values = opened(store, small_schema)
    ready, found = Barrier(8), []

    def look() -> None:
        ready.wait()
        found.append(values.exact(["m (B0)"], ["paper"]).keys())

    threads = [Thread(target=look) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert store.reads == 1
    assert found == [{"m (B0)"}] * 8


def test_names_that_another_reads_are_waited_for_within_the_time_limit(small_schema: GraphSchema) -> None:
    values = opened(Held(OLD), small_schema)
    with values._reading, within(0.05), pytest.raises(QueryTimeoutError, match="not read within"):
        values.exact(["m (B0)"], ["paper"])
    assert values.exact(["m (B0)"], ["paper"]).keys() == {"m (B0)"}


def test_a_reading_that_fails_leaves_the_next_one_free(
    small_schema: GraphSchema, monkeypatch: pytest.MonkeyPatch
) -> None:
    values = opened(Held(OLD), small_schema)

    def lost(*_: object, **__: object) -> None:
        raise StoreUnavailableError("gone")

    with monkeypatch.context() as patched:
        patched.setattr(Held, "read", lost)
        with pytest.raises(StoreUnavailableError):
            values.exact(["m (B0)"], ["paper"])
    assert values.exact(["m (B0)"], ["paper"]).keys() == {"m (B0)"}
