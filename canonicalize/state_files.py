"""A state of the incremental resolution as a folder: JSON for what is text, NumPy files for matrices.

::

    state.json            format, schema, types, redirects, what the caller keeps, SHA-256 of all files
    TYPE/records.json     columns of the records, the unit of each
    TYPE/units.json       entity of each unit, ages of the entities
    TYPE/words.json       n-grams with their weights, acronyms
    TYPE/*.npy            vectors, TF-IDF rows (data, indices, indptr)
    changes/NUMBER.change what changed since, one file after another

Rows and units that are gone are left out when the state is written. A folder is complete or it is not
read: it is written under another name, and every file is checked against its hash when it is loaded.
"""

from __future__ import annotations

import gc
import hashlib
import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import orjson
from numpy.typing import NDArray

from canonicalize.features import Vocabulary
from canonicalize.incremental import State
from canonicalize.ngrams import Ngrams
from canonicalize.normal_forms import normal_forms
from canonicalize.one_type import at_threshold
from canonicalize.state import GrowingRows, TypeState, UnitRows
from canonicalize.state_changes import (
    CHANGES,
    COLUMNS,
    apply_change,
    change_paths,
    read_change,
    type_change,
    unit_of_rows,
    write_change,
)
from canonicalize.state_changes import Change as FileChange
from schemas.errors import DataError
from schemas.graph_schema import GraphSchema
from schemas.model import Frozen

FORMAT = 3
"""Version of the folder's layout."""
_HEADER = "state.json"


class _Header(Frozen):
    format: int
    graph_schema: GraphSchema
    types: tuple[str, ...]
    redirects: dict[str, str]
    basis: str
    files: dict[str, str]


def save(state: State, folder: Path, *, basis: str = "") -> None:
    """Write the state to ``folder``, in place of one that is there, with a text of the caller's.

    A crash leaves the old state, the new one, or none: then a full resolution is due.
    """
    fresh = folder.with_name(folder.name + ".new")
    shutil.rmtree(fresh, ignore_errors=True)
    fresh.mkdir(parents=True)
    for name, kind in state.types.items():
        _save_type(kind, fresh / name)
    header = _Header(
        format=FORMAT,
        graph_schema=state.schema,
        types=tuple(state.types),
        redirects={str(old): str(new) for old, new in state.redirects.items()},
        basis=basis,
        files=_hashes(fresh, durable=True),
    )
    _write(fresh / _HEADER, header.model_dump(mode="json"))
    _synced(fresh / _HEADER)
    old = folder.with_name(folder.name + ".old")
    shutil.rmtree(old, ignore_errors=True)
    if folder.exists():
        folder.rename(old)
    fresh.rename(folder)
    shutil.rmtree(old, ignore_errors=True)
    state.base = ""


def append(state: State, folder: Path, *, basis: str = "") -> None:
    """Write what changed since the state was loaded from ``folder``, or appended to it; after ``save``, load.

    ``DataError`` when the folder is not what the state goes on from. A crash leaves the folder as it was, or
    with the change.
    """
    if not state.base or state.base != _base(folder):
        raise DataError(f"expected the state that was loaded from {folder}, found another; save it whole")
    parts = {name: found for name, kind in state.types.items() if (found := type_change(kind)) is not None}
    redirects = [(old, state.redirects.get(old)) for old in sorted(state.redirected)]
    meta = {
        "base": state.base,
        "basis": basis,
        "redirects": redirects,
        "types": {name: part.meta for name, part in parts.items()},
    }
    arrays = {f"{name}/{key}": rows for name, part in parts.items() for key, rows in part.arrays.items()}
    write_change(folder, state.changes + 1, FileChange(meta, arrays))
    state.changes += 1
    state.redirected.clear()
    for kind in state.types.values():
        kind.is_saved()


def discard(folder: Path) -> None:
    """Remove the state, if there is one."""
    for suffix in ("", ".new", ".old"):
        path = folder.with_name(folder.name + suffix)
        if path.exists():
            shutil.rmtree(path)


def bases_of(folder: Path) -> Iterator[tuple[int, str]]:
    """The caller's texts that are kept with the state, the last first, each with the number of its change.

    0 is the state without changes. ``DataError`` as for ``load``.
    """
    header, paths = _header(folder), change_paths(folder)
    for number in range(len(paths), 0, -1):
        with _refusing(folder):
            yield number, str(read_change(paths[number - 1]).meta["basis"])
    yield 0, header.basis


def load(folder: Path, schema: GraphSchema, *, changes: int | None = None) -> State:
    """The state that was saved, with its first ``changes`` (default: all); large matrices are mapped.

    Raises ``DataError`` where there is none, it is damaged, of another format, or of another schema:
    then a full resolution is due.
    """
    header = _header(folder)
    _check_header(header, schema, folder)
    redirects: dict[str, str] = dict(header.redirects)
    with _refusing(folder), collection_paused():
        _check_files(folder, header)
        base = _base(folder)
        read = [read_change(path) for path in change_paths(folder)[:changes]]
        if any(change.meta["base"] != base for change in read):
            raise ValueError("a change of another state")
        types = {name: _load_type(schema, name, folder / name, read) for name in header.types}
        for old, new in (pair for change in read for pair in change.meta["redirects"]):
            redirects.pop(old, None)
            if new is not None:
                redirects[old] = new
    state = State(schema, types, redirects)  # type: ignore[arg-type]
    state.base, state.changes = base, len(read)
    return state


@contextmanager
def collection_paused() -> Iterator[None]:
    """No search for garbage while a large state is made, of which nothing is garbage."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


@contextmanager
def _refusing(folder: Path) -> Iterator[None]:
    try:
        yield
    except (OSError, ValueError, KeyError, IndexError, TypeError) as e:
        raise _refusal(folder, e) from e


def _base(folder: Path) -> str:
    """What tells one saved state from another."""
    path = folder / _HEADER
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.exists() else ""


def _header(folder: Path) -> _Header:
    with _refusing(folder):
        return _Header.model_validate(_of_format(_read(folder / _HEADER)))


def _of_format(header: Any) -> Any:
    found = header.get("format") if isinstance(header, dict) else None
    if found != FORMAT:
        raise ValueError(f"format {found} where {FORMAT} was expected")
    return header


def _check_files(folder: Path, header: _Header) -> None:
    damaged = sorted(set(_hashes(folder).items()) ^ set(header.files.items()))
    if damaged:
        raise ValueError(f"{damaged[0][0]} missing or changed")


def _refusal(folder: Path, error: Exception) -> DataError:
    return DataError(f"expected a resolution state in {folder}, found {error}; resolve in full again")


def _hashes(folder: Path, *, durable: bool = False) -> dict[str, str]:
    """SHA-256 of every file but the header, by path; ``durable``: and they are on the disk."""
    found: dict[str, str] = {}
    kept = (p for p in folder.glob("*/*") if p.is_file() and p.parent.name != CHANGES)
    for path in sorted(kept):
        if durable:
            _synced(path)
        with path.open("rb") as file:
            found[path.relative_to(folder).as_posix()] = hashlib.file_digest(file, "sha256").hexdigest()
    return found


def _synced(path: Path) -> None:
    with path.open("rb") as file:
        os.fsync(file.fileno())


def _check_header(header: _Header, schema: GraphSchema, folder: Path) -> None:
    if header.graph_schema != schema:
        raise DataError(
            f"{folder}: expected the state of schema {schema.name} {schema.version}, found that of"
            f" {header.graph_schema.name} {header.graph_schema.version} or other rules; resolve in full again"
        )


def _save_type(kind: TypeState, folder: Path) -> None:
    folder.mkdir()
    rows = [row for row, unit in enumerate(kind.unit_of) if unit >= 0]
    units = [unit for unit, entity in enumerate(kind.entity_of) if entity is not None]
    new_unit = {unit: at for at, unit in enumerate(units)}
    table = kind.table(rows)
    records = {
        "ids": table.ids,
        "documents": table.documents,
        "names": table.names,
        "descriptions": table.descriptions,
        "aliases": table.aliases,
        "keys": table.keys,
        "attributes": table.attributes,
        "unit_of": [new_unit[kind.unit_of[row]] for row in rows],
    }
    _write(folder / "records.json", records)
    homes = [kind.entity_of[unit] for unit in units]
    _write(
        folder / "units.json",
        {
            "threshold": kind.kind.canonicalization.threshold,
            "entity_of": homes,
            "rank": kind.rank,
            "acronyms": kind.acronyms,
            "forms": [kind.unit_forms[u] for u in units],
        },
    )
    if table.vectors is not None:
        np.save(folder / "vectors.npy", table.vectors)
    if kind.vocabulary is not None and kind.name_rows is not None:
        ngrams = kind.vocabulary.ngrams
        words = {"columns": list(ngrams.column), "at": list(ngrams.column.values()), "weight": ngrams.weight}
        _write(folder / "words.json", {**words, "names": ngrams.names, "acronyms": kind.vocabulary.acronyms})
        matrix = kind.name_rows.take(units)
        for part in ("data", "indices", "indptr"):
            np.save(folder / f"names_{part}.npy", getattr(matrix, part))
    if kind.unit_vectors is not None:
        np.save(folder / "unit_vectors.npy", kind.unit_vectors.rows[units])


def _load_type(schema: GraphSchema, name: str, folder: Path, changes: Sequence[FileChange]) -> TypeState:
    records, units = _read(folder / "records.json"), _read(folder / "units.json")
    kind = schema.entity(name)
    kind = at_threshold(kind, units.get("threshold", kind.canonicalization.threshold))
    grouped: list[list[int]] = [[] for _ in units["entity_of"]]
    for row, unit in enumerate(records["unit_of"]):
        grouped[unit].append(row)
    vocabulary, name_rows = _load_names(folder, len(grouped))
    parts = {
        **{column: records[column] for column in COLUMNS},
        "attributes": records["attributes"],
        "unit_of": records["unit_of"],
        "vectors": _load_rows(folder / "vectors.npy", len(records["ids"])),
        "unit_rows": [tuple(rows) for rows in grouped],
        "entity_of": units["entity_of"],
        "unit_forms": units["forms"],
        "vocabulary": vocabulary,
        "name_rows": name_rows,
        "unit_vectors": _load_rows(folder / "unit_vectors.npy", len(grouped)),
        "rank": units["rank"],
    }
    own = [FileChange(c.meta["types"][name], _own(c, name)) for c in changes if name in c.meta["types"]]
    for change in own:
        apply_change(parts, change)
    if own:
        parts["unit_of"] = unit_of_rows(parts)
    state = TypeState(kind=kind, normal=normal_forms(schema, kind), acronyms=units["acronyms"], **parts)
    state.is_saved()
    return state


def _own(change: FileChange, name: str) -> dict[str, NDArray[Any]]:
    """The arrays of one type."""
    return {
        key.removeprefix(f"{name}/"): rows
        for key, rows in change.arrays.items()
        if key.startswith(f"{name}/")
    }


def _load_names(folder: Path, units: int) -> tuple[Vocabulary | None, UnitRows | None]:
    from scipy import sparse

    if not (folder / "words.json").exists():
        return None, None
    words = _read(folder / "words.json")
    column = dict(zip(words["columns"], words["at"], strict=True))
    vocabulary = Vocabulary(Ngrams(column, words["weight"], words["names"]), words["acronyms"])
    arrays = [np.load(folder / f"names_{part}.npy") for part in ("data", "indices", "indptr")]
    width = max(1, len(words["weight"]))
    base = sparse.csr_matrix(tuple(arrays), shape=(units, width))
    return vocabulary, UnitRows(base, sparse.csr_matrix((0, width), dtype=np.float32))


def _load_rows(path: Path, count: int) -> GrowingRows | None:
    if not path.exists():
        return None
    rows = np.load(path, mmap_mode="c")
    if len(rows) != count:
        raise ValueError(f"{len(rows)} rows in {path.name} where {count} were expected")
    return GrowingRows(rows, count)


def _write(path: Path, value: Any) -> None:
    path.write_bytes(orjson.dumps(value))


def _read(path: Path) -> Any:
    return orjson.loads(path.read_bytes())
