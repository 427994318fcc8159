"""Graphs from the tables of ``kg export --format csv``, as a person may have edited them.

A cell that still says what the export would say now is unchanged, whatever a spreadsheet did to its line
breaks or decimals; only the others are read. A row that was added may leave its id empty, and name its ends
instead of giving their ids; a row that was removed is a fact that was rejected.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Generic, TypeVar

from pydantic import ValidationError

from kg.csv_files import Row, Table, read_table
from kg.export_tables import EDGE_COLUMNS, NODE_COLUMNS
from schemas.errors import GraphFileError, UsageError
from schemas.graphs import DocumentGraph, Record, Statement
from schemas.ids import DocumentKey, RecordId

Item = TypeVar("Item", Record, Statement)
NEEDED_NODES: Final = ("id", "document", "type", "name")
NEEDED_EDGES: Final = ("id", "document", "subject", "type", "object")
_FOLLOWS: Final = {
    "entity": "which records are one entity is decided by `kg resolve` and merges",
    "where": "it follows from the quote",
}
_DEFAULTED: Final = ("confidence", "origin", "status", "extractor")
"""Columns in which an empty cell changes nothing."""
_PLAIN: Final = ("id", "document", "type", "subject", "object", "origin", "status")
_NUMBER_LIKE: Final = re.compile(r"[\d.,]+(?:E\+?\d+)?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Tables:
    """The two tables of a folder; one may be absent, and is then unchanged."""

    nodes: Table | None
    edges: Table | None

    def documents(self) -> dict[DocumentKey, DocumentRows]:
        """The rows of every document that the tables name."""
        found: dict[DocumentKey, DocumentRows] = {}
        for table in (t for t in (self.nodes, self.edges) if t is not None):
            for row in table.rows:
                mine = found.setdefault(DocumentKey(row.cells["document"].strip()), DocumentRows([], []))
                (mine.nodes if table is self.nodes else mine.edges).append(row)
        return found

    def fault(self, rows: DocumentRows, column: str, message: str) -> GraphFileError:
        """The error at the first row of a document."""
        table, first = (self.nodes, rows.nodes) if rows.nodes else (self.edges, rows.edges)
        return table.fault(first[0], column, message) if table and first else GraphFileError(message)


@dataclass(frozen=True, slots=True)
class DocumentRows:
    """The rows of one document in each table."""

    nodes: list[Row]
    edges: list[Row]

    def fingerprints(self) -> frozenset[str]:
        """What the rows say of the graph that was exported; empty when they do not."""
        rows = (*self.nodes, *self.edges)
        return frozenset(mark for row in rows if (mark := row.cells.get("graph", "").strip()))


def read_tables(folder: Path) -> Tables:
    """``nodes.csv`` and ``edges.csv``; ``UsageError`` when the folder has neither."""
    nodes, edges = folder / "nodes.csv", folder / "edges.csv"
    if not nodes.is_file() and not edges.is_file():
        raise UsageError(
            f"{folder}: expected nodes.csv or edges.csv as of `kg export --format csv`, found neither; "
            "check the path"
        )
    return Tables(
        read_table(nodes, known=NODE_COLUMNS, needed=NEEDED_NODES) if nodes.is_file() else None,
        read_table(edges, known=EDGE_COLUMNS, needed=NEEDED_EDGES) if edges.is_file() else None,
    )


@dataclass(frozen=True, slots=True)
class TableGraph:
    """A document's graph as the tables have it: what :func:`kg.graph_edit.decisions_in` is given."""

    graph: DocumentGraph
    tables: Tables
    rows: DocumentRows
    """The row of each item; none for a table that is absent."""

    def fault(self, at: Sequence[str | int], message: str) -> GraphFileError:
        """The error that names file, line and column of an item or field."""
        edges = at[0] == "statements"
        table = self.tables.edges if edges else self.tables.nodes
        rows = self.rows.edges if edges else self.rows.nodes
        index = at[1] if len(at) > 1 else None
        if table is None or not isinstance(index, int) or index >= len(rows):
            return GraphFileError(message, file=str(table.path) if table else "")
        column = str(at[2]) if len(at) > 2 else ""
        return table.fault(rows[index], _quote_column(table, rows[index], column), message)


def _quote_column(table: Table, row: Row, column: str) -> str:
    if column != "evidence":
        return column
    return "quotes" if row.cells.get("quotes", "").strip() or "quote" not in table.columns else "quote"


@dataclass(frozen=True, slots=True)
class Shown:
    """A graph, and the cells that its export would have, by id of the item."""

    graph: DocumentGraph
    cells: Mapping[str, Mapping[str, str]]


def shown(graph: DocumentGraph, rows: tuple[Sequence[Sequence[str]], Sequence[Sequence[str]]]) -> Shown:
    """``graph`` with its :func:`kg.export_tables.graph_rows`."""
    cells = {row[0]: dict(zip(NODE_COLUMNS, row, strict=True)) for row in rows[0]}
    return Shown(graph, cells | {row[0]: dict(zip(EDGE_COLUMNS, row, strict=True)) for row in rows[1]})


def graph_of_tables(tables: Tables, rows: DocumentRows, now: Shown) -> TableGraph:
    """The graph of one document as the tables have it, beside what it is now.

    Raises ``GraphFileError`` with file, line and column: a cell that cannot be read or that only follows from
    others, an id that stands twice, an end that is no record.
    """
    records, statements = now.graph.records, now.graph.statements
    if tables.nodes is not None:
        reader = _Reader(tables.nodes, now, Record, {r.id: r for r in records}, {})
        records = tuple(reader.items(rows.nodes))
    if tables.edges is not None:
        names = {r.id: r.name for r in records}
        edges = _Reader(tables.edges, now, Statement, {s.id: s for s in statements}, names)
        statements = tuple(edges.items(rows.edges))
    elif tables.nodes is not None:
        _check_ends_kept(tables.nodes, records, now.graph)
    graph = now.graph.model_copy(update={"records": records, "statements": statements})
    return TableGraph(graph, tables, rows)


def _check_ends_kept(table: Table, records: Sequence[Record], graph: DocumentGraph) -> None:
    kept = {r.id for r in records}
    for s in graph.statements:
        if gone := {s.subject, s.object} - kept:
            name = next(r.name for r in graph.records if r.id in gone)
            raise GraphFileError(
                f"{graph.document}: {name!r} has no row any more, but statements end in it: "
                "remove these in edges.csv and import both tables",
                file=str(table.path),
            )


@dataclass(frozen=True, slots=True)
class _Reader(Generic[Item]):
    table: Table
    now: Shown
    kind: type[Item]
    known: Mapping[str, Item]
    names: Mapping[RecordId, str]
    """Names of the records, for the ends of statements."""

    def items(self, rows: Sequence[Row]) -> Iterator[Item]:
        seen: set[str] = set()
        for row in rows:
            given = row.cells["id"].strip()
            if given in seen:
                raise self.table.fault(row, "id", f"the id {given!r} stands twice: remove one, or empty it")
            yield self._item(row)
            seen |= {given} - {""}

    def _item(self, row: Row) -> Item:
        given = row.cells["id"].strip()
        base = self.known.get(given)
        said = self.now.cells[given] if base is not None else {}
        if base is None and _NUMBER_LIKE.fullmatch(given):
            raise self.table.fault(
                row, "id", f"a spreadsheet made the number {given!r} of an id: put it back"
            )
        changed = {name: cell for name, cell in row.cells.items() if not _same(name, cell, said.get(name))}
        values: dict[str, Any] = base.model_dump() if base is not None else {}
        if base is None:
            changed["id"] = given or f"row {row.line}"
        else:
            self._check_following(row, changed, said)
        for name, cell in changed.items():
            values |= self._value(row, name, cell)
        if self.kind is Statement:
            values |= self._ends(row, values, changed)
        values |= self._evidence(row, base, changed)
        return self._made(row, values)

    def _made(self, row: Row, values: Mapping[str, Any]) -> Item:
        try:
            return self.kind.model_validate(values)
        except ValidationError as e:
            first = e.errors()[0]
            column = str(first["loc"][0])
            column = _quote_column(self.table, row, column)
            said = str(first["msg"])
            raise self.table.fault(
                row, column, f"{said[:1].lower()}{said[1:]}; found {str(first['input'])[:80]!r}"
            ) from e

    def _check_following(self, row: Row, changed: Mapping[str, str], said: Mapping[str, str]) -> None:
        """Cells that only follow from others cannot be edited, but may be emptied."""
        for name, why in _FOLLOWS.items():
            moved = name == "where" and {"quote", "quotes"} & changed.keys()
            if changed.get(name, "").strip() and not moved:
                raise self.table.fault(
                    row, name, f"cannot be edited, {why}: put back {said[name]!r}, or empty the cell"
                )

    def _value(self, row: Row, name: str, cell: str) -> dict[str, Any]:
        """What a changed cell sets; quotes and ends are read apart."""
        if name in {"quote", "quotes", "where", "entity", "graph", "subject_name", "object_name"}:
            return {}
        if name in _DEFAULTED and not cell.strip():
            return {}
        if name in {"aliases", "attributes"}:
            return {name: self._json(row, name, cell, list if name == "aliases" else dict)}
        if name == "confidence":
            return {name: self._confidence(row, cell)}
        return {name: cell.strip() if name in _PLAIN else cell}

    def _json(self, row: Row, name: str, cell: str, kind: type[Any]) -> Any:
        shape = "list" if kind is list else "object"
        try:
            value = json.loads(cell, object_pairs_hook=_once) if cell.strip() else kind()
        except (ValueError, RecursionError) as e:
            raise self.table.fault(
                row,
                name,
                f"expected a JSON {shape}, found {cell[:80]!r} ({e}); a spreadsheet cuts a cell "
                "after 32,767 characters",
            ) from e
        if not isinstance(value, kind):
            raise self.table.fault(row, name, f"expected a JSON {shape}, found {cell[:80]!r}")
        return value

    def _confidence(self, row: Row, cell: str) -> float:
        number = _number(cell)
        if number is None:
            raise self.table.fault(row, "confidence", f"expected a number from 0 to 1, found {cell[:40]!r}")
        return number

    def _ends(self, row: Row, values: Mapping[str, Any], changed: Mapping[str, str]) -> dict[str, Any]:
        """The ends of a statement, by id or by the only record of that name."""
        found: dict[str, Any] = {}
        for end in ("subject", "object"):
            named, key = row.cells.get(f"{end}_name", ""), str(values.get(end, ""))
            if not key:
                fitting = [i for i, name in self.names.items() if name == named]
                if len(fitting) != 1:
                    raise self.table.fault(
                        row,
                        end,
                        f"expected the id of a record, or its name, found {named!r}, the name of "
                        f"{len(fitting)} records",
                    )
                found[end] = fitting[0]
            elif key not in self.names:
                raise self.table.fault(row, end, f"{key!r} is the id of no record of {row.cells['document']}")
            elif changed.get(f"{end}_name") and named != self.names[RecordId(key)]:
                raise self.table.fault(
                    row,
                    f"{end}_name",
                    f"expected {self.names[RecordId(key)]!r}, found {named!r}; a record is "
                    "renamed in nodes.csv",
                )
        return found

    def _evidence(self, row: Row, base: Item | None, changed: Mapping[str, str]) -> dict[str, Any]:
        """Quotes: all of them from ``quotes``, the first from ``quote``."""
        before: list[dict[str, Any]] = [e.model_dump() for e in base.evidence] if base is not None else []
        first, listed = changed.get("quote"), changed.get("quotes", "")
        if listed.strip():
            given = self._json(row, "quotes", listed, list)
            found = [{"start": 0, "end": 0, **q} if isinstance(q, dict) else q for q in given]
            opening = found[0].get("quote") if found and isinstance(found[0], dict) else None
            if first and opening is not None and not _alike(first, str(opening)):
                raise self.table.fault(
                    row, "quote", "differs from the first of quotes: empty this cell, or the cell in quotes"
                )
            return {"evidence": found}
        if first is None:
            return {"evidence": before[:1]} if "quotes" in changed else {}
        quotes: list[dict[str, Any]] = before[1:] if "quotes" not in changed else []
        if first.strip():
            start = int(before[0]["start"]) if before else 0
            quotes = [{"start": start, "end": start + len(first), "quote": first}, *quotes]
        return {"evidence": quotes}


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key stands twice")
    return found


def _same(column: str, cell: str, said: str | None) -> bool:
    """Whether a cell still says what was exported, though a spreadsheet may have written it another way."""
    if said is None:
        return False
    if column == "confidence" and (number := _number(cell)) is not None:
        return math.isclose(number, float(said), rel_tol=1e-5, abs_tol=1e-9)
    return _alike(cell, said)


def _alike(left: str, right: str) -> bool:
    return _unix(left) == _unix(right)


def _unix(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _number(cell: str) -> float | None:
    """A number with a decimal point or comma."""
    try:
        return float(cell.strip().replace(",", "."))
    except ValueError:
        return None
