"""Runs gold queries and the reader's, and compares their rows by ``metrics.rows_equal``.

A gold query is its author's, and is sent as it is. What the reader wrote runs as the service runs it: what
passed the gate is printed, its plan is looked at, and what is refused has no rows and is counted.
"""

from __future__ import annotations

import hashlib
import importlib.util
import itertools
import json
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Final, cast

from benchmarks.harness import DATA, Recorder
from cypher.gate.pipeline import pass_through
from cypher.gate.similarity import Inputs
from cypher.guard import MAX_ROWS, check_plan, check_text
from cypher.semantics.held_graph import HeldGraph
from cypher.semantics.probing import Held
from cypher.semantics.reader import SemanticReader
from cypher.semantics.write import Written
from kg.adapters.neo4j_connection import Connection
from kg.adapters.neo4j_runner import PIN, Neo4jRunner
from kg.adapters.neo4j_ties import read_ties
from schemas.errors import QueryError, QueryRefusedError
from schemas.questions import Scope
from schemas.store_schema import StoreSchema

_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_DAY = re.compile(r"(\d{1,2})/(\d{1,2})/(\d{4})")
TIMEOUT = 10.0
"""Seconds for one query."""
MOST_ROWS: Final = 1_000_000
"""Rows of a query of the reader's that has more than the gate lets be shown; no gold query has as many."""


@dataclass(frozen=True, slots=True)
class Cells:
    """Rows as plain values; nodes and relationships stand as their ids."""

    rows: tuple[tuple[object, ...], ...]


def execute(
    connection: Connection,
    text: str,
    parameters: Mapping[str, Any] | None = None,
    *,
    seconds: float = TIMEOUT,
    cell: Callable[[object], object] | None = None,
) -> Cells | None:
    """The rows, or ``None`` where the server refuses the query or it runs out of time.

    ``cell`` makes a value of what the server returns, else :func:`plain`.
    """
    value = cell or plain

    def work(tx: Any) -> tuple[tuple[object, ...], ...]:
        result = tx.run(text, dict(parameters or {}))
        return tuple(tuple(value(v) for v in record.values()) for record in result)

    try:
        return Cells(connection.read_with(work, timeout=seconds))
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


class GoldRows:
    """Rows of gold queries, kept beside the graph they came from, so that they are executed once.

    The file goes with the graph's folder: another load of the graph has other element ids.
    """

    def __init__(self, connection: Connection, home: Path) -> None:
        self._connection, self._file = connection, home / "gold_rows.json"
        text = self._file.read_text(encoding="utf-8") if self._file.exists() else "{}"
        self._known: dict[str, Any] = json.loads(text)
        self._size = len(self._known)

    def of(self, query: str) -> Cells | None:
        """The rows of ``query``, or ``None`` where it does not run."""
        key = hashlib.sha256(query.encode()).hexdigest()
        if key not in self._known:
            found = execute(self._connection, query)
            self._known[key] = None if found is None else found.rows
        rows = self._known[key]
        return None if rows is None else Cells(tuple(_tuples(row) for row in rows))

    def save(self) -> None:
        """Writes what was executed since the file was read."""
        if len(self._known) > self._size:
            self._file.write_text(json.dumps(self._known), encoding="utf-8")


def _tuples(value: Any) -> Any:
    return tuple(_tuples(v) for v in value) if isinstance(value, (list, tuple)) else value


@dataclass(frozen=True, slots=True)
class Gated:
    """Runs what the reader wrote as the service does: through the gate, after a look at the server's plan.

    It looks into the graph for the reader, too (:mod:`cypher.semantics.probing`), from several threads.
    """

    connection: Connection
    schema: StoreSchema
    refused: list[str] = field(default_factory=list)
    """The code of the first finding, or ``PLAN``, of every query that was refused."""

    def execute(self, written: Written, *, seconds: float = TIMEOUT) -> Cells | None:
        """The rows, or ``None`` where the query is refused, fails or runs out of time."""
        if seconds <= 0:
            return None
        try:
            query = check_text(written.text, self.schema, timeout=seconds, parameters=written.parameters)
            check_plan(Neo4jRunner(self.connection).explain(query))
        except QueryRefusedError as e:
            self.refused.append(e.findings[0].code if e.findings else "PLAN")
            return None
        except QueryError:
            return None
        found = execute(self.connection, PIN + query.text, query.parameters, seconds=seconds)
        if found is None or len(found.rows) < MAX_ROWS:
            return found
        inputs = Inputs(written.parameters)
        whole = pass_through(written.text, self.schema, scope=Scope.ALL, row_cap=MOST_ROWS, inputs=inputs)
        return execute(self.connection, PIN + whole.text, whole.parameters, seconds=seconds)

    def has_rows(self, written: Written, *, timeout: float) -> bool | None:
        """Whether the query has a row."""
        found = self.execute(written, seconds=timeout)
        return None if found is None else bool(found.rows)

    def rows(self, written: Written, *, most: int, timeout: float) -> Sequence[Sequence[object]] | None:
        """The first rows of the query."""
        found = self.execute(written, seconds=timeout)
        return None if found is None else found.rows[:most]


def report_refused(record: Recorder, refused: Sequence[str]) -> None:
    """How many of the reader's queries were refused, with the codes of the findings."""
    codes = ", ".join(f"{code} {n}" for code, n in sorted(Counter(refused).items()))
    note = "answers and looks of the reader; what is refused has no rows"
    record.add(
        "refused_by_gate", len(refused), "queries", goal="= 0", note=f"{note}{': ' * bool(codes)}{codes}"
    )


def held_graph(gated: Gated, reader: SemanticReader) -> Held | None:
    """What the graph's relationships, held in memory, tell of a pattern; ``None`` where they are too many."""
    ties = read_ties(gated.connection, reader.schema)
    if ties is None:
        return None
    graph = HeldGraph(ties, reader)
    return lambda query, seconds: graph.matches(query, gated, timeout=seconds)


def equal_rows(left: Cells, right: Cells) -> bool:
    """Plain ``metrics.rows_equal``: equal multisets of rows, no value changed."""
    return _rows_equal()(left.rows, right.rows)


def equal_sets(left: Cells, right: Cells) -> bool:
    """``metrics.rows_equal`` of the distinct rows, no value changed."""
    return _rows_equal()(tuple(dict.fromkeys(left.rows)), tuple(dict.fromkeys(right.rows)))


def same_rows(left: Cells, right: Cells, *, distinct: bool = False) -> bool:
    """A lenient comparison: equal multisets of rows, or equal sets with ``distinct``.

    A whole number equals its float, and text that is a number or a day equals that number or day, for
    graphs that store both as text.
    """
    a: Sequence[tuple[object, ...]] = [tuple(same_form(v) for v in row) for row in left.rows]
    b: Sequence[tuple[object, ...]] = [tuple(same_form(v) for v in row) for row in right.rows]
    if distinct:
        a, b = tuple(dict.fromkeys(a)), tuple(dict.fromkeys(b))
    return _rows_equal()(a, b)


MOST_COLUMNS = 5
"""Wider rows are not compared by parts."""


def same_in_common_columns(left: Cells, right: Cells) -> bool:
    """Whether one answer is the other without some of its columns: equal sets of rows, no value changed.

    >>> same_in_common_columns(Cells((("Ada",), ("Bo",))), Cells(((1, "Bo"), (2, "Ada"), (3, "Ada"))))
    True
    """
    narrow, wide = sorted((left, right), key=_width)
    if not narrow.rows or not wide.rows or _width(wide) > MOST_COLUMNS:
        return equal_sets(left, right)
    return any(
        equal_sets(narrow, Cells(tuple(tuple(row[c] for c in chosen) for row in wide.rows)))
        for chosen in itertools.permutations(range(_width(wide)), _width(narrow))
    )


def _width(cells: Cells) -> int:
    return len(cells.rows[0]) if cells.rows else 0


def same_form(value: object) -> object:
    """A cell in the form that :func:`same_rows` compares."""
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
