"""What changed in a state since it was saved, as one file after another beside the saved folder's files.

A change has the rows and units that are new, units that joined, moved or went, and what the caller keeps
with it. It is one file: a line with its SHA-256, then a NumPy archive. It is written under another name
first, so it is there as a whole or not at all.
"""

from __future__ import annotations

import hashlib
import io
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import orjson
from numpy.typing import NDArray

from canonicalize.state import TypeState, UnitRows

CHANGES = "changes"
"""Folder of the changes, in that of the state."""
COLUMNS = ("ids", "documents", "names", "descriptions", "aliases", "keys")


@dataclass(frozen=True, slots=True)
class Change:
    """One file: JSON of what is text, and arrays by name."""

    meta: dict[str, Any]
    arrays: Mapping[str, NDArray[Any]] = field(default_factory=dict)


def change_paths(folder: Path) -> list[Path]:
    """The files of all changes, oldest first; those after a missing one do not count."""
    found: list[Path] = []
    while (path := _path(folder, len(found) + 1)).exists():
        found.append(path)
    return found


def write_change(folder: Path, number: int, change: Change) -> None:
    """Write change ``number`` (from 1), and nothing that was there under a higher number."""
    for later in change_paths(folder)[number - 1 :][::-1]:
        later.unlink()
    body = io.BytesIO()
    meta = np.frombuffer(orjson.dumps(change.meta), dtype=np.uint8)
    np.savez(body, allow_pickle=False, **{**change.arrays, "meta": meta})
    path = _path(folder, number)
    path.parent.mkdir(exist_ok=True)
    fresh = path.with_suffix(".new")
    with fresh.open("wb") as file:
        file.write(hashlib.sha256(body.getbuffer()).hexdigest().encode() + b"\n")
        file.write(body.getbuffer())
        file.flush()
        os.fsync(file.fileno())
    fresh.rename(path)


def read_change(path: Path) -> Change:
    """A change as it was written; ``ValueError`` where the file is damaged."""
    digest, _, body = path.read_bytes().partition(b"\n")
    if hashlib.sha256(body).hexdigest().encode() != digest:
        raise ValueError(f"{path.parent.name}/{path.name} missing or changed")
    with np.load(io.BytesIO(body)) as archive:
        arrays = {name: archive[name] for name in archive.files}
    return Change(orjson.loads(arrays.pop("meta").tobytes()), arrays)


def _path(folder: Path, number: int) -> Path:
    return folder / CHANGES / f"{number:06d}.change"


def type_change(kind: TypeState) -> Change | None:
    """What is new in one type since it was saved; None where nothing is."""
    saved = kind.saved
    rows = range(saved.rows, len(kind.ids))
    units = [
        *sorted(u for u in saved.units_changed if u < saved.units),
        *range(saved.units, len(kind.unit_rows)),
    ]
    if not (rows or units or saved.rows_gone):
        return None
    table = kind.table(rows)
    ngrams = None if kind.vocabulary is None else kind.vocabulary.ngrams
    meta: dict[str, Any] = {
        "first": [saved.rows, saved.units],
        "rows": {name: getattr(table, name) for name in COLUMNS},
        "attributes": table.attributes,
        "gone": sorted(saved.rows_gone),
        "units": [
            [
                u,
                [r for r in kind.unit_rows[u] if u >= saved.units or r >= saved.rows],
                kind.entity_of[u],
                kind.unit_forms[u],
            ]
            for u in units
        ],
        "rank": {entity: kind.rank.get(entity) for entity in sorted(saved.entities)},
        "ngrams": [] if ngrams is None else list(ngrams.column)[saved.ngrams :],
        "weights": [] if ngrams is None else ngrams.weight[saved.ngrams :],
    }
    return Change(meta, dict(_arrays(kind, units)))


def _arrays(kind: TypeState, units: list[int]) -> Iterator[tuple[str, NDArray[Any]]]:
    if kind.vectors is not None:
        yield "vectors", kind.vectors.rows[kind.saved.rows :]
    if kind.unit_vectors is not None:
        yield "unit_vectors", kind.unit_vectors.rows[units]
    if kind.name_rows is not None:
        names = kind.name_rows.take(list(range(kind.saved.units, len(kind.name_rows))))
        for part in ("data", "indices", "indptr"):
            yield f"names_{part}", getattr(names, part)


def apply_change(parts: dict[str, Any], change: Change) -> None:
    """Bring the parts of a type, which are the arguments of a ``TypeState``, to what they are after a change.

    ``ValueError`` where the change was made from other parts.
    """
    meta, arrays = change.meta, change.arrays
    if meta["first"] != [len(parts["ids"]), len(parts["unit_rows"])]:
        raise ValueError("a change of another state")
    for name in COLUMNS:
        rows = meta["rows"][name]
        parts[name] += [tuple(row) for row in rows] if name in {"aliases", "keys"} else rows
    _add_attributes(parts, meta)
    for unit, rows, entity, forms in meta["units"]:
        if unit == len(parts["unit_rows"]):
            parts["unit_rows"].append(())
            parts["entity_of"].append(None)
            parts["unit_forms"].append(())
        parts["unit_rows"][unit] = (*parts["unit_rows"][unit], *rows)
        parts["entity_of"][unit], parts["unit_forms"][unit] = entity, tuple(forms)
    parts["rank"] |= meta["rank"]
    for entity in [entity for entity, age in meta["rank"].items() if age is None]:
        del parts["rank"][entity]
    _add_rows(parts, meta, arrays)


def unit_of_rows(parts: dict[str, Any]) -> list[int]:
    """The unit of every row; -1 for one in no unit."""
    unit_of = [-1] * len(parts["ids"])
    for unit, entity in enumerate(parts["entity_of"]):
        if entity is not None:
            for row in parts["unit_rows"][unit]:
                unit_of[row] = unit
    return unit_of


def _add_attributes(parts: dict[str, Any], meta: dict[str, Any]) -> None:
    before, more = meta["first"][0], len(meta["rows"]["ids"])
    for name in {*parts["attributes"], *meta["attributes"]}:
        column = parts["attributes"].setdefault(name, [None] * before)
        column += meta["attributes"].get(name, [None] * more)


def _add_rows(parts: dict[str, Any], meta: dict[str, Any], arrays: Mapping[str, NDArray[Any]]) -> None:
    from scipy import sparse

    if "vectors" in arrays:
        parts["vectors"].append(arrays["vectors"])
    if "unit_vectors" in arrays:
        numbers = [unit for unit, _, _, _ in meta["units"]]
        old = sum(number < meta["first"][1] for number in numbers)
        parts["unit_vectors"].rows[numbers[:old]] = arrays["unit_vectors"][:old]
        parts["unit_vectors"].append(arrays["unit_vectors"][old:])
    if "names_data" in arrays:
        ngrams, names = parts["vocabulary"].ngrams, parts["name_rows"]
        first = len(ngrams.weight)
        ngrams.column.update({gram: first + at for at, gram in enumerate(meta["ngrams"])})
        ngrams.weight += meta["weights"]
        rows = len(arrays["names_indptr"]) - 1
        width = max(1, len(ngrams.weight))
        fresh = tuple(arrays[f"names_{part}"] for part in ("data", "indices", "indptr"))
        _append(names, sparse.csr_matrix(fresh, shape=(rows, width)))


def _append(names: UnitRows, rows: Any) -> None:
    if rows.shape[0]:
        names.append(rows)
