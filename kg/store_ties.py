"""The relationships of any Neo4j as columns, kept until the database changes."""

from __future__ import annotations

import io
import logging
import zipfile
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from kg.adapters.neo4j_connection import Connection
from kg.adapters.neo4j_ties import read_ties
from kg.files import write_atomic
from kg.store_values import is_still, kept_name
from schemas.errors import QueryTimeoutError, WorkspaceError
from schemas.store_schema import StoreSchema
from schemas.store_ties import Places, StoreTies

log = logging.getLogger(__name__)
Columns = dict[str, Any]
_STATE, _ELEMENTS, _LABELS, _TYPES, _TRIED = "state", "elements", "labels", "types", "tried"
LEAST: Final = 0.05
"""Seconds below which reading is not begun."""
MORE: Final = 1.5
"""How much longer than before reading may take, so that it is tried again."""


def store_ties(
    connection: Connection, schema: StoreSchema, folder: Path, *, seconds: float
) -> StoreTies | None:
    """The relationships of a database: from ``folder`` where it did not change since, else read and kept.

    ``None`` where there are too many, or they could not be read in ``seconds``. The latter is kept, too: they
    are read again once there is :data:`MORE` time for it, or the database has changed. May raise the errors
    of a database that cannot be read.
    """
    file = folder / f"{kept_name(connection)}-ties.npz"
    state = connection.state()
    kept = _kept(file, state)
    if isinstance(kept, StoreTies) and _fits(kept, schema):
        return kept
    if seconds < (MORE * kept if isinstance(kept, float) else LEAST):
        return None
    try:
        found = read_ties(connection, schema, timeout=seconds)
    except QueryTimeoutError as e:
        log.info("readings are tried at the server alone: %s", e)
        _keep(file, {_STATE: np.array(state), _TRIED: np.array(seconds)})
        return None
    if found is not None and is_still(connection, state):
        _keep(file, _columns(found, state))
    return found


def _kept(file: Path, state: str) -> StoreTies | float | None:
    """What was kept of this state of the database, or for how many seconds it was tried."""
    if not state or not file.exists():
        return None
    try:
        with np.load(io.BytesIO(file.read_bytes()), allow_pickle=False) as columns:
            if str(columns[_STATE]) != state:
                return None
            return float(columns[_TRIED]) if _TRIED in columns else _read(columns)
    except (OSError, ValueError, KeyError, zipfile.BadZipFile) as e:
        log.info("the kept relationships are read again: %s", e)
        return None


def _fits(ties: StoreTies, schema: StoreSchema) -> bool:
    """Whether they are of all that the schema names."""
    labels, types = {x.name for x in schema.labels}, {x.type for x in schema.relations}
    return labels == ties.labels.keys() and types == ties.relations.keys()


def _read(columns: Any) -> StoreTies:
    labels, types, elements = (tuple(map(str, columns[name])) for name in (_LABELS, _TYPES, _ELEMENTS))

    def places(name: str) -> Places:
        found = columns[name]
        if found.dtype != np.int32 or found.ndim != 1:
            raise ValueError(f"expected a column of int32 as {name}, found {found.dtype} {found.shape}")
        if len(found) and not 0 <= found.min() <= found.max() < len(elements):
            raise ValueError(f"expected places of {len(elements)} nodes as {name}, found others")
        return np.asarray(found)

    relations = {kind: (places(f"starts {i}"), places(f"ends {i}")) for i, kind in enumerate(types)}
    if uneven := [kind for kind, (starts, ends) in relations.items() if len(starts) != len(ends)]:
        raise ValueError(f"expected as many starts as ends, found others for {uneven[0]}")
    return StoreTies(elements, {label: places(f"label {i}") for i, label in enumerate(labels)}, relations)


def _columns(ties: StoreTies, state: str) -> Columns:
    columns: Columns = {f"label {i}": places for i, places in enumerate(ties.labels.values())}
    for i, (starts, ends) in enumerate(ties.relations.values()):
        columns |= {f"starts {i}": starts, f"ends {i}": ends}
    columns |= {_STATE: np.array(state), _ELEMENTS: _texts(ties.elements)}
    return columns | {_LABELS: _texts(tuple(ties.labels)), _TYPES: _texts(tuple(ties.relations))}


def _keep(file: Path, columns: Columns) -> None:
    data = io.BytesIO()
    np.savez(data, **columns)
    try:
        write_atomic(file, data.getvalue(), mode=0o600)
    except WorkspaceError as e:
        log.warning("the relationships of the database are not kept: %s", e)


def _texts(texts: tuple[str, ...]) -> NDArray[np.str_]:
    return np.array(texts, dtype=np.str_)
