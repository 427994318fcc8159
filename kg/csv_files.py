"""CSV as spreadsheets write it (RFC 4180 and its dialects), every cell with its line and column.

Read are byte order marks, UTF-16, any of ``, ; tab |`` between cells, ``sep=`` lines, any line ends, quoted
line breaks, and columns in any order. On writing, a cell that a spreadsheet would run as a formula is
neutralised (https://owasp.org/www-community/attacks/CSV_Injection) so that reading gives it back.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Final

from schemas.errors import GraphFileError

DELIMITERS: Final = ",;\t|"
MOST_ROWS: Final = 1_048_576
"""Rows of a sheet, with its header: a table of just as many was cut off by the spreadsheet."""
_FORMULA: Final = re.compile(r"'*[=+\-@\t\r\n＝＋－＠]")
_SEPARATOR: Final = re.compile(r"sep=(.)\r?\n?", re.IGNORECASE)


def neutralised(cell: str) -> str:
    """A cell that no spreadsheet runs.

    >>> neutralised("=1+1"), neutralised("B_s0"), neutralised("'=1")
    ("'=1+1", 'B_s0', "''=1")
    """
    return f"'{cell}" if _FORMULA.match(cell) else cell


def original(cell: str) -> str:
    """What :func:`neutralised` was given.

    >>> original("'=1+1"), original("'tis"), original(neutralised("'-5"))
    ('=1+1', "'tis", "'-5")
    """
    return cell[1:] if cell.startswith("'") and _FORMULA.match(cell) else cell


def table_bytes(rows: Sequence[Sequence[str]]) -> bytes:
    """Rows as UTF-8 CSV with commas, every cell neutralised."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    for row in rows:
        cells = [neutralised(cell) for cell in row]
        # The writer of Python below 3.13 leaves a lone carriage return unquoted.
        if any("\r" in cell for cell in cells):
            text.write(",".join('"' + cell.replace('"', '""') + '"' for cell in cells) + "\n")
        else:
            writer.writerow(cells)
    return text.getvalue().encode("utf-8", "surrogatepass")


@dataclass(frozen=True, slots=True)
class Row:
    """The cells of the known columns, and the line (from 1) in which the row begins."""

    line: int
    cells: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Table:
    """A table whose columns are found by name."""

    path: Path
    columns: Mapping[str, int]
    """Known column -> its position, from 0."""
    rows: tuple[Row, ...]
    ignored: tuple[str, ...]
    """Columns that are not known."""

    def fault(self, row: Row, column: str, message: str) -> GraphFileError:
        """The error that names file, line and column of a cell; of the row, where the column is absent."""
        at = self.columns.get(column)
        where = f"{column} (column {_letters(at)}): " if at is not None else ""
        return GraphFileError(f"{where}{message}", file=str(self.path), line=row.line)


def _letters(position: int) -> str:
    """The name that spreadsheets give a column."""
    name, position = "", position + 1
    while position:
        position, digit = divmod(position - 1, 26)
        name = chr(ord("A") + digit) + name
    return name


def read_table(path: Path, *, known: Collection[str], needed: Collection[str]) -> Table:
    """The table in a file; blank rows are left out, missing cells at the end of a row are empty.

    Raises ``GraphFileError`` with file and line: no text, no header with the ``needed`` columns, a column
    that stands twice or looks like a misspelt one, an unclosed quote, a row longer than the header.
    """
    text = _decoded(path)
    separator = _SEPARATOR.match(text)
    offset = 1 if separator else 0
    body = text[separator.end() :] if separator else text
    delimiter = separator[1] if separator else _delimiter(body, known)
    rows = _rows(path, body, delimiter, offset)
    line, header = rows[0] if rows else (1, [])
    columns, ignored = _columns(path, line, header, known)
    if missing := [name for name in needed if name not in columns]:
        raise GraphFileError(
            f"expected a header with the columns {', '.join(needed)}, found none of {', '.join(missing)}",
            file=str(path),
            line=line,
        )
    found = tuple(_row(path, line, cells, columns, len(header)) for line, cells in rows[1:] if any(cells))
    if len(found) + 1 == MOST_ROWS:
        raise GraphFileError(
            f"found just {MOST_ROWS:,} rows, the most that a spreadsheet keeps: the rest was cut off; "
            "edit the table in parts",
            file=str(path),
        )
    return Table(path, columns, found, ignored)


def _decoded(path: Path) -> str:
    try:
        data = path.read_bytes()
    except OSError as e:
        raise GraphFileError(f"expected a readable file: {e.strerror or e}", file=str(path)) from e
    if data.startswith(b"PK\x03\x04"):
        raise GraphFileError("expected CSV, found a spreadsheet: save it as `CSV UTF-8`", file=str(path))
    wide = data.startswith((b"\xff\xfe", b"\xfe\xff"))
    try:
        return data.decode("utf-16") if wide else data.decode("utf-8", "surrogatepass").removeprefix("\ufeff")
    except UnicodeDecodeError as e:
        line = 1 if wide else data.count(b"\n", 0, e.start) + 1
        raise GraphFileError(
            "expected UTF-8, found another encoding: save the table as `CSV UTF-8`", file=str(path), line=line
        ) from e


def _delimiter(text: str, known: Collection[str]) -> str:
    """The delimiter with which the first row has the most known columns."""
    first = next((line for line in text.splitlines() if line.strip()), "")

    def columns(delimiter: str) -> int:
        return sum(_plain(cell) in known for cell in next(csv.reader([first], delimiter=delimiter), []))

    return max(DELIMITERS, key=columns)


def _plain(name: str) -> str:
    return name.strip().casefold()


def _rows(path: Path, text: str, delimiter: str, offset: int) -> list[tuple[int, list[str]]]:
    """Line and cells of every row that has any; quotes may hold line breaks and be of any length."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    before = csv.field_size_limit(len(text) + 1)
    found: list[tuple[int, list[str]]] = []
    begin = 0
    try:
        for cells in reader:
            if cells:
                found.append((begin + 1 + offset, cells))
            begin = reader.line_num
    except csv.Error as e:
        raise GraphFileError(
            f"expected CSV, found a row that cannot be read: {e}; is a quote not closed?",
            file=str(path),
            line=begin + 1 + offset,
        ) from e
    finally:
        csv.field_size_limit(before)
    return found


def _columns(
    path: Path, line: int, header: Sequence[str], known: Collection[str]
) -> tuple[dict[str, int], tuple[str, ...]]:
    columns: dict[str, int] = {}
    ignored: list[str] = []
    for position, cell in enumerate(header):
        name = _plain(original(cell))
        if name in columns:
            raise GraphFileError(f"the column {name!r} stands twice: remove one", file=str(path), line=line)
        if name in known:
            columns[name] = position
        elif near := get_close_matches(name, known, n=1, cutoff=0.85):
            raise GraphFileError(
                f"column {_letters(position)}: found {cell!r}; did you mean {near[0]!r}?",
                file=str(path),
                line=line,
            )
        elif name:
            ignored.append(cell.strip())
    return columns, tuple(ignored)


def _row(path: Path, line: int, cells: Sequence[str], columns: Mapping[str, int], width: int) -> Row:
    if any(cells[width:]):
        raise GraphFileError(f"expected {width} cells, found {len(cells)}", file=str(path), line=line)
    return Row(line, {name: original(cells[at]) if at < len(cells) else "" for name, at in columns.items()})
