"""Tables of records: checked, and in order of record id."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from schemas.errors import DataError
from schemas.graphs import RecordColumns
from schemas.ids import RecordId

_BLOCK = 50_000


def check_tables(tables: Sequence[RecordColumns]) -> None:
    """Raises ``DataError`` for tables of one type, columns of two lengths, an id twice, or bad vectors."""
    twice = [kind for kind, count in Counter(t.type for t in tables).items() if count > 1]
    if twice:
        raise DataError(f"expected one table per entity type, found two of {twice[0]}; join them first")
    seen: set[RecordId] = set()
    for table in tables:
        columns = (table.documents, table.names, table.descriptions, table.aliases, table.keys)
        lengths = {len(column) for column in (*columns, *table.attributes.values())}
        if table.vectors is not None:
            lengths.add(len(table.vectors))
        if lengths != {len(table)}:
            raise DataError(
                f"table {table.type}: expected columns of length {len(table)}, found {sorted(lengths)}"
            )
        before = len(seen)
        seen.update(table.ids)
        if len(seen) != before + len(table):
            raise DataError(f"table {table.type}: a record id occurs twice; ids must be unique")
        check_vectors(table)


def check_vectors(table: RecordColumns) -> None:
    """Raises ``DataError`` where a component of a vector is no finite number."""
    if table.vectors is None:
        return
    for start in range(0, len(table), _BLOCK):
        finite = np.isfinite(table.vectors[start : start + _BLOCK]).all(axis=1)
        if not finite.all():
            row = start + int(np.argmin(finite))
            raise DataError(
                f"table {table.type}: expected vectors of finite numbers, found NaN or infinity in that of"
                f" record {table.ids[row]}; embed the record again"
            )


def by_id(table: RecordColumns) -> RecordColumns:
    """The table with its rows in order of record id."""
    order = sorted(range(len(table)), key=table.ids.__getitem__)
    return table if order == list(range(len(table))) else take(table, order)


def take(table: RecordColumns, order: Sequence[int]) -> RecordColumns:
    """The rows ``order`` of a table, in that order."""
    return RecordColumns(
        type=table.type,
        ids=tuple(table.ids[i] for i in order),
        documents=tuple(table.documents[i] for i in order),
        names=tuple(table.names[i] for i in order),
        descriptions=tuple(table.descriptions[i] for i in order),
        aliases=tuple(table.aliases[i] for i in order),
        keys=tuple(table.keys[i] for i in order),
        vectors=None if table.vectors is None else table.vectors[np.array(order, dtype=np.int64)],
        attributes={name: tuple(column[i] for i in order) for name, column in table.attributes.items()},
    )
