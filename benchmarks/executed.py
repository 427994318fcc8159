"""Runs a query of a question set and compares its rows with another's, by ``metrics.rows_equal``."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, cast

from benchmarks.harness import DATA
from kg.adapters.neo4j_connection import Connection
from schemas.errors import QueryError

_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_DAY = re.compile(r"(\d{1,2})/(\d{1,2})/(\d{4})")
TIMEOUT = 10.0
"""Seconds for one query."""


@dataclass(frozen=True, slots=True)
class Cells:
    """Rows as plain values; nodes and relationships stand as their ids."""

    rows: tuple[tuple[object, ...], ...]


def execute(connection: Connection, text: str, parameters: Mapping[str, Any] | None = None) -> Cells | None:
    """The rows, or ``None`` where the server refuses the query or it runs out of time."""

    def work(tx: Any) -> tuple[tuple[object, ...], ...]:
        result = tx.run(text, dict(parameters or {}))
        return tuple(tuple(plain(v) for v in record.values()) for record in result)

    try:
        return Cells(connection.read_with(work, timeout=TIMEOUT))
    except QueryError:
        return None


def plain(value: object) -> object:
    """A cell as a value that compares by content."""
    if hasattr(value, "element_id"):
        return ("entity", value.element_id)
    if hasattr(value, "nodes"):
        return ("path", *(plain(n) for n in value.nodes))
    if isinstance(value, (list, tuple)):
        return tuple(plain(v) for v in value)
    if isinstance(value, dict):
        return tuple(sorted((k, plain(v)) for k, v in value.items()))
    return value.iso_format() if hasattr(value, "iso_format") else value


def same_rows(left: Cells, right: Cells, *, distinct: bool = False) -> bool:
    """Equal multisets of rows, or equal sets with ``distinct``.

    A whole number equals its float, and text that is a number or a day equals that number or day, for
    graphs that store both as text.
    """
    a: Sequence[tuple[object, ...]] = [tuple(_same_form(v) for v in row) for row in left.rows]
    b: Sequence[tuple[object, ...]] = [tuple(_same_form(v) for v in row) for row in right.rows]
    if distinct:
        a, b = tuple(dict.fromkeys(a)), tuple(dict.fromkeys(b))
    return _rows_equal()(a, b)


def _same_form(value: object) -> object:
    if isinstance(value, bool):
        return value
    if isinstance(value, int):
        return float(value)
    if isinstance(value, str):
        if _NUMBER.fullmatch(value):
            return float(value)
        if found := _DAY.fullmatch(value):
            return f"{found[3]}-{int(found[2]):02}-{int(found[1]):02}"
    return value


@cache
def _rows_equal() -> Callable[[Sequence[Sequence[object]], Sequence[Sequence[object]]], bool]:
    spec = importlib.util.spec_from_file_location("shared_metrics", DATA / "metrics.py")
    if spec is None or spec.loader is None:
        raise FileNotFoundError(DATA / "metrics.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return cast(Callable[[Sequence[Sequence[object]], Sequence[Sequence[object]]], bool], module.rows_equal)
