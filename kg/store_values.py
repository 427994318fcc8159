"""The text values of any Neo4j, read within a time limit and kept until the database changes."""

from __future__ import annotations

import hashlib
import logging
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from pydantic import Field

from cypher.semantics.values import StoredValue
from kg.adapters.neo4j_connection import Connection
from kg.adapters.neo4j_introspection import Place, place_values, value_places
from kg.files import dump, load, write_atomic
from schemas.errors import QueryTimeoutError, WorkspaceError
from schemas.ids import canonical_json
from schemas.model import Frozen
from schemas.store_schema import StoreSchema

log = logging.getLogger(__name__)
_LEAST: Final = 0.05
"""Seconds below which no further property is begun."""


class Kept(Frozen):
    """What was read of a database in one state, by place."""

    state: str
    values: dict[str, tuple[str, ...]] = Field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class StoreValues:
    """The values that a question can quote; ``unread`` names the properties for which no time was left."""

    values: tuple[StoredValue, ...]
    unread: tuple[str, ...] = ()


def store_values(connection: Connection, schema: StoreSchema, folder: Path, *, seconds: float) -> StoreValues:
    """The values of a database: from ``folder`` where it did not change since, else read and kept there.

    Reads for at most ``seconds``; the next call goes on with what was left. May raise the errors of a
    database that cannot be read.
    """
    until = time.monotonic() + seconds
    file = folder / f"{kept_name(connection)}.json"
    state = connection.state()
    known = dict(_kept(file, state).values)
    before, unread, values = len(known), [], list[StoredValue]()
    for place in value_places(schema):
        found = _values(connection, place, known, until)
        if found is None:
            unread.append(place.name)
        else:
            known[_key(place)] = tuple(found)
            values += place.stored(found)
    if len(known) > before and is_still(connection, state):
        _keep(file, Kept(state=state, values=known))
    return StoreValues(tuple(values), tuple(unread))


def _values(
    connection: Connection, place: Place, known: dict[str, tuple[str, ...]], until: float
) -> Sequence[str] | None:
    """What is known, listed in the schema, or read; none where no time is left."""
    if _key(place) in known:
        return known[_key(place)]
    left = until - time.monotonic()
    if left < _LEAST:
        return None
    try:
        return place_values(connection, place, timeout=left)
    except QueryTimeoutError:
        return None


def _key(place: Place) -> str:
    kind = ("relation" if place.of_relation else "label") + (" list" if place.prop.many else "")
    return f"{kind} {place.name}"


def is_still(connection: Connection, state: str) -> bool:
    """Whether a database is still in a state; not where that is unknown, or no time is left to look."""
    try:
        return bool(state) and connection.state() == state
    except QueryTimeoutError:
        return False


def kept_name(connection: Connection) -> str:
    """The name under which what a user of a database read is kept: others may not be allowed to read it."""
    read = (connection.uri, connection.database, connection.user)
    return hashlib.sha256(canonical_json(read).encode()).hexdigest()[:24]


def _kept(file: Path, state: str) -> Kept:
    empty = Kept(state=state)
    if not state or not file.exists():
        return empty
    try:
        found = load(file, Kept)
    except WorkspaceError as e:
        log.info("the kept values are read again: %s", e)
        return empty
    return found if found.state == state else empty


def _keep(file: Path, kept: Kept) -> None:
    try:
        write_atomic(file, dump(kept), mode=0o600)
    except WorkspaceError as e:
        log.warning("the values of the database are not kept: %s", e)
