"""Which results are the same: bags of rows of cells, whatever the names and the order of the columns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from cypher.identifiers import REPLACED, STATEMENTS
from schemas.ids import content_hash
from schemas.questions import Subgraph, Value

Rows = Sequence[Sequence[Value]]
TECHNICAL = frozenset({STATEMENTS, REPLACED})


def shown(result: Subgraph) -> tuple[tuple[str, ...], tuple[tuple[Value, ...], ...]]:
    """Columns and rows without the technical ones."""
    keep = [i for i, c in enumerate(result.columns) if c not in TECHNICAL]
    columns = tuple(result.columns[i] for i in keep)
    return columns, tuple(tuple(row[i] for i in keep) for row in result.rows)


def result_hash(rows: Rows) -> str:
    """Two results with one hash hold the same cells in the same rows.

    >>> result_hash([(1, "a"), (2.0, "b")]) == result_hash([("b", 2), ("a", 1.0000000001)])
    True
    >>> result_hash([(1,)]) == result_hash([(1,), (1,)])
    False
    """
    return content_hash(sorted(sorted(map(_cell, row)) for row in rows))


def agrees(sample: Rows, draft: Rows) -> bool:
    """Whether a sample's result is what a draft shows, perhaps with fewer columns.

    >>> agrees([("x",), ("y",)], [("x", 2019), ("y", 2020)]), agrees([("x",)], [("x", 1), ("y", 1)])
    (True, False)
    """
    if len(sample) != len(draft) or not sample:
        return False
    wanted = [Counter(map(_cell, column)) for column in zip(*sample, strict=True)]
    given = [Counter(map(_cell, column)) for column in zip(*draft, strict=True)]
    chosen: list[int] = []
    for column in wanted:
        at = next((i for i, g in enumerate(given) if g == column and i not in chosen), None)
        if at is None:
            return False
        chosen.append(at)
    projected = Counter(tuple(_cell(row[i]) for i in chosen) for row in draft)
    return projected == Counter(tuple(map(_cell, row)) for row in sample)


def _cell(value: Value) -> str:
    """A cell in one spelling: numbers by nine digits, lists in order of their items."""
    if isinstance(value, tuple):
        return f"[{', '.join(sorted(_cell(v) for v in value))}]"
    if isinstance(value, int | float) and not isinstance(value, bool):
        return f"n:{float(value):.9g}"
    return f"{type(value).__name__}:{value}"
