"""LaTeX tables as rows of cells: tabular and its kin, deluxetable, multicolumn, multirow, header rows."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from extraction.readers.builder import CellText, Place
from extraction.readers.latex_commands import TABULARS
from extraction.readers.latex_stack import TokenStack, plain
from extraction.readers.latex_text import TextRenderer
from extraction.readers.latex_tokens import ALIGN, BEGIN, CLOSE, CONTROL, END, OPEN, PAR, SPACE, Token
from extraction.readers.latex_units import number

MAX_COLUMNS: Final = 1_000
"""Widest ``\\multicolumn`` and deepest ``\\multirow`` believed."""

_RULES: Final = frozenset(
    {"hline", "toprule", "midrule", "bottomrule", "Xhline", "specialrule", "endhead", "startdata"}
)
_DROPPED: Final = {"tablenotetext": 2} | dict.fromkeys(
    ("tablecaption", "tablecomments", "tablerefs", "tablenote", "caption", "label", "rowcolor"), 1
)
"""Commands that are no part of a cell, with the number of their arguments."""
_HALF_RULES: Final = frozenset({"cline", "cmidrule", "cdashline", "hhline"})
_ROW_ENDS: Final = frozenset({"\\", "tabularnewline", "cr", "nl"})
_END_PARTS: Final = frozenset({"endfirsthead", "endfoot", "endlastfoot"})
_PLAIN_NUMBER: Final = re.compile(r"[-+]?[\d.]+(?: ?\+- ?[\d.]+(?:e[-+]?\d+)?|e[-+]?\d+)\Z")
"""A number as siunitx columns take it."""
_NUMERIC: Final = re.compile(r"[<>~≈≤≥±+−–-]*\s*\(?\d")


@dataclass(slots=True)
class _Row:
    cells: list[CellText] = field(default_factory=list)
    place: Place | None = None
    group: int = 0
    header: bool = False

    @property
    def is_blank(self) -> bool:
        return not any(cell.text.strip() for cell in self.cells)


@dataclass(frozen=True, slots=True)
class Table:
    """Rows with a place each."""

    rows: tuple[tuple[CellText, ...], ...]
    places: tuple[Place, ...]


def read_table(name: str, stack: TokenStack, text: TextRenderer) -> Table:
    """The table whose inside ``stack`` holds (after ``\\begin{name}``)."""
    stack.star()
    stack.optional()
    for _ in range(TABULARS.get(name, 1)):
        stack.argument()
    stack.optional()
    return _Reader(stack, text).table()


class _Reader:
    def __init__(self, stack: TokenStack, text: TextRenderer) -> None:
        self._stack, self._text = stack, text
        self._rows: list[_Row] = []
        self._row = _Row()
        self._cell: list[Token] = []
        self._column = 0
        self._group = 0
        self._heads = 0
        self._below: dict[int, tuple[int, CellText]] = {}

    def table(self) -> Table:
        depth = environments = 0
        while (token := self._stack.pop()) is not None:
            depth += (token.kind == OPEN) - (token.kind == CLOSE)
            environments += (token.kind == BEGIN) - (token.kind == END)
            if depth > 0 or environments > 0 or not self._layout(token):
                self._cell.append(token)
        self._end_row()
        return self._finish()

    def _layout(self, token: Token) -> bool:
        """Carry out what parts cells and rows; False for a cell's content."""
        if token.kind == ALIGN:
            self._end_cell()
            return True
        if token.kind != CONTROL:
            return False
        name = token.text
        if name in _ROW_ENDS:
            self._stack.star()
            self._stack.optional()
            self._end_row()
        elif name in _RULES:
            self._rule(name)
        elif name in _HALF_RULES:
            if name == "cmidrule":
                self._stack.optional()
                following = self._stack.peek()
                if following is not None and following.text.startswith("("):
                    self._stack.pop()
            self._stack.argument()
        elif name in _END_PARTS:
            self._end_row()
            del self._rows[self._heads :]
        elif name == "tablehead":
            self._head()
        elif name in {"enddata", "endlastfoot"}:
            self._end_row()
        else:
            return self._drop(name)
        return True

    def _drop(self, name: str) -> bool:
        """Drop a command with its arguments where it is no part of a cell; False for the others."""
        if name not in _DROPPED:
            return False
        self._stack.optional()
        for _ in range(_DROPPED[name]):
            self._stack.argument()
        return True

    def _rule(self, name: str) -> None:
        if name in {"Xhline", "specialrule"}:
            for _ in range(3 if name == "specialrule" else 1):
                self._stack.argument()
        elif name in {"toprule", "midrule", "bottomrule"}:
            self._stack.optional()
        if not self._row.cells and all(token.kind in {SPACE, PAR} for token in self._cell):
            self._cell = []
        if self._rows and not self._cell and not self._row.cells:
            self._group = self._rows[-1].group + 1
        elif name in {"endhead", "startdata"}:
            self._end_row()
            self._group += 1

    def _head(self) -> None:
        """AASTeX: the head's cells stand in ``\\colhead{...}``."""
        inner = _Reader(self._stack.fork(self._stack.argument()), self._text)
        table = inner.table()
        for cells, place in zip(table.rows, table.places, strict=True):
            self._rows.append(_Row([*cells], place, self._group))
        self._group += 1

    def _end_cell(self) -> None:
        stack = self._stack.fork(self._cell)
        first = next((t.at for t in self._cell if t.at and t.kind not in {SPACE, PAR}), 0)
        self._cell = []
        span, down, place = 1, 1, self._stack.files.place(first) if first else self._stack.place()
        stack.skip_spaces()
        _unwrap(stack)
        if _next_is(stack, "multicolumn"):
            span = _count(plain(stack.argument()))
            stack.argument()
            stack.push(stack.argument())
            stack.skip_spaces()
        if _next_is(stack, "multirow"):
            stack.optional()
            down = _count(plain(stack.argument()))
            stack.optional()
            stack.argument()
            stack.optional()
        text = " ".join(self._text.render(stack).split())
        if _PLAIN_NUMBER.match(text):
            text = number(text)
        text = self._inherited(text)
        cell = CellText(text, self._column, span=span)
        if down > 1:
            self._below[self._column] = (down - 1, cell)
        if self._row.place is None and text:
            self._row.place = place
        self._row.cells.append(cell)
        self._column += span

    def _inherited(self, text: str) -> str:
        """A cell under a multirow repeats it, so that each row can be read alone."""
        left, above = self._below.get(self._column, (0, None))
        if above is None:
            return text
        if text or not left:
            del self._below[self._column]
            return text
        self._below[self._column] = (left - 1, above)
        return above.text

    def _end_row(self) -> None:
        if self._cell or self._row.cells:
            self._end_cell()
            if self._row.place is None:
                self._row.place = self._stack.place()
            self._row.group = self._group
            if not self._row.is_blank:
                self._rows.append(self._row)
        self._row = _Row()
        self._column = 0

    def _finish(self) -> Table:
        rows = self._rows
        for row in rows[: _header_rows(rows)]:
            row.header = True
        return Table(
            tuple(tuple(CellText(c.text, c.column, row.header, c.span) for c in row.cells) for row in rows),
            tuple(row.place or self._stack.place() for row in rows),
        )


def _header_rows(rows: Sequence[_Row]) -> int:
    """Rows before the first rule, and one more group where it is a single row without numbers."""
    if len(rows) < 2:
        return 0
    first = sum(1 for row in rows if row.group == rows[0].group)
    if first == len(rows):
        return 0 if _has_number(rows[0]) else 1
    count = first if first <= 4 or first * 2 <= len(rows) else 0
    if not count:  # the first rule stands before the total
        return 0 if _has_number(rows[0]) or len(rows[0].cells) < 2 else 1
    after = [row for row in rows[count:] if row.group == rows[count].group] if 0 < count < len(rows) else []
    if len(after) == 1 and len(rows) > count + 1 and not _has_number(after[0]) and len(after[0].cells) > 1:
        count += 1
    return count


def _has_number(row: _Row) -> bool:
    return any(_NUMERIC.match(cell.text) for cell in row.cells[1:])


def _next_is(stack: TokenStack, name: str) -> bool:
    token = stack.peek()
    if token is None or token.kind != CONTROL or token.text != name:
        return False
    stack.pop()
    return True


def _unwrap(stack: TokenStack) -> None:
    """Drop braces around a whole cell (a heading in a column of numbers)."""
    token = stack.peek()
    if token is None or token.kind != OPEN:
        return
    inside = stack.argument()
    stack.skip_spaces()
    whole = not len(stack)
    stack.push(inside if whole else [token, *inside, Token(CLOSE, "}", 0)])
    stack.skip_spaces()


def _count(text: str) -> int:
    digits = text.strip().lstrip("+-=").strip()
    return max(1, min(int(digits[:4]), MAX_COLUMNS)) if digits.isascii() and digits.isdigit() else 1
