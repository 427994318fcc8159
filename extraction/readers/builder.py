"""Builds a consistent :class:`~schemas.documents.Document` block by block.

Text is normalised as it comes in: NFC, ``\\n`` line ends, no control characters but ``\\n`` and
``\\t``. Blocks are separated by one blank line; the rows of a table are lines, its cells are separated
by `` | ``. Offsets are code points.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field

from schemas.documents import (
    Block,
    BlockKind,
    Box,
    Cell,
    Document,
    DocumentKind,
    Identifiers,
    Section,
    SourceMap,
)
from schemas.errors import ReadError
from schemas.ids import DocumentKey

_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufeff\ufffe\uffff\u2028\u2029]")
_BREAKS = re.compile(r"\r\n?|\u2028|\u2029|\x85|\x0c|\x0b")
_BLANK_LINES = re.compile(r"\n[ \t\n]*\n")
_SPACES = re.compile(r"\s+")

BLOCK_GAP = "\n\n"
CELL_GAP = " | "
MAX_TITLE = 1_000
"""A longer title (code points) is cut at a space: it is a misread, not a title."""


def normalise(text: str) -> str:
    r"""Text as documents hold it.

    >>> normalise("a\r\nb\x00e\u0301")
    'a\nbé'
    """
    if text.isascii() and text.isprintable():
        return text
    text = _CONTROLS.sub("", _BREAKS.sub("\n", text))
    return text if unicodedata.is_normalized("NFC", text) else unicodedata.normalize("NFC", text)


def one_line(text: str) -> str:
    r"""Normalised text on one line, runs of white space made one space.

    >>> one_line(" a \n b ")
    'a b'
    """
    return _SPACES.sub(" ", normalise(text)).strip()


@dataclass(frozen=True, slots=True)
class Place:
    """A place in a source file."""

    file: str
    line: int
    path: str = ""
    page: int = 0
    box: Box | None = None


@dataclass(frozen=True, slots=True)
class Anchor:
    """From ``offset`` (code points of a block's text) on, text stems from ``place``."""

    offset: int
    place: Place


@dataclass(frozen=True, slots=True)
class CellText:
    """A table cell before it has a place in the text; ``column`` counts from 0."""

    text: str
    column: int
    header: bool = False
    span: int = 1


@dataclass(slots=True)
class _OpenSection:
    index: int
    parent: int | None
    level: int
    title: str
    start: int
    end: int


@dataclass(slots=True)
class _Columns:
    files: dict[str, int] = field(default_factory=dict)
    offsets: list[int] = field(default_factory=list)
    file_of: list[int] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    pages: list[int] = field(default_factory=list)
    boxes: list[Box] = field(default_factory=list)
    last: Place | None = None

    def add(self, offset: int, place: Place) -> None:
        if place == self.last:
            return
        self.last = place
        file = self.files.setdefault(place.file, len(self.files))
        self.offsets.append(offset)
        self.file_of.append(file)
        self.lines.append(place.line)
        self.paths.append(place.path)
        self.pages.append(place.page)
        self.boxes.append(place.box or (0.0, 0.0, 0.0, 0.0))

    def source_map(self, fallback: str) -> SourceMap:
        if not self.offsets:
            self.add(0, Place(fallback, 1))
        return SourceMap(
            files=tuple(self.files),
            offsets=tuple(self.offsets),
            file_of=tuple(self.file_of),
            lines=tuple(self.lines),
            paths=tuple(self.paths) if any(self.paths) else (),
            pages=tuple(self.pages) if any(self.pages) else (),
            boxes=tuple(self.boxes) if any(self.pages) else (),
        )


class DocumentBuilder:
    """Appends sections and blocks in reading order; :meth:`build` checks and freezes them.

    >>> builder = DocumentBuilder(DocumentKind.TEXT, file="a.txt")
    >>> builder.add(BlockKind.PARAGRAPH, "One two.", Place("a.txt", 3))
    >>> builder.build(DocumentKey("a.txt"), title="A").blocks[0].text
    'One two.'
    """

    def __init__(self, kind: DocumentKind, *, file: str) -> None:
        self._kind, self._file = kind, file
        self._parts: list[str] = []
        self._length = 0
        self._blocks: list[Block] = []
        self._sections = [_OpenSection(0, None, 0, "", 0, 0)]
        self._open = [0]
        self._columns = _Columns()

    @property
    def is_empty(self) -> bool:
        """Whether no block but titles and headings has been added."""
        return all(b.kind in {BlockKind.TITLE, BlockKind.HEADING} for b in self._blocks)

    @property
    def is_fresh(self) -> bool:
        """Whether nothing at all has been added."""
        return not self._blocks

    def open_section(self, level: int, title: str, place: Place, *, label: str = "") -> None:
        """Start a section of ``level`` >= 1 with its heading; closes sections as deep or deeper."""
        while len(self._open) > 1 and self._sections[self._open[-1]].level >= level:
            self._open.pop()
        title, index = one_line(title), len(self._sections)
        start = self._length + (len(BLOCK_GAP) if self._blocks else 0)
        self._sections.append(_OpenSection(index, self._open[-1], level, title, start, start))
        self._open.append(index)
        self.add(BlockKind.HEADING, title, place, label=label)

    def add(
        self,
        kind: BlockKind,
        text: str,
        place: Place,
        *,
        anchors: Sequence[Anchor] = (),
        label: str = "",
    ) -> None:
        """Append a block unless ``text`` is blank; ``anchors`` are offsets into ``text``, rising."""
        clean = _clean_block(text)
        if not clean:
            return
        start = self._begin(place)
        lead = 0 if clean == text else len(text) - len(text.lstrip())
        for anchor in anchors:
            inside = anchor.offset - lead
            if clean != text:
                inside = len(_clean_block(text[: anchor.offset]))
            if 0 < inside < len(clean):
                self._columns.add(start + inside, anchor.place)
        self._append(kind, clean, start, label=label)

    def add_table(
        self,
        rows: Sequence[Sequence[CellText]],
        places: Sequence[Place],
        *,
        label: str = "",
    ) -> None:
        """Append a table block, one place per row; rows without any text are left out."""
        kept = [
            (row, place)
            for row, place in zip(rows, places, strict=True)
            if any(one_line(c.text) for c in row)
        ]
        if not kept:
            return
        start = self._begin(kept[0][1])
        cells: list[Cell] = []
        lines: list[str] = []
        at = start
        for number, (row, place) in enumerate(kept):
            self._columns.add(at, place)
            texts = [one_line(cell.text) for cell in row]
            cells += _place_cells(row, texts, number, at)
            lines.append(CELL_GAP.join(texts))
            at += len(lines[-1]) + 1
        self._append(BlockKind.TABLE, "\n".join(lines), start, cells=tuple(cells), label=label)

    def build(
        self,
        key: DocumentKey,
        *,
        title: str,
        identifiers: Identifiers | None = None,
        year: int | None = None,
        experiment: str = "",
        notes: Sequence[str] = (),
    ) -> Document:
        """The document. Raises ``ReadError`` when no block holds text."""
        if not self._blocks:
            raise ReadError("expected text, found none; is this the main file?", file=self._file)
        title = one_line(title)
        if len(title) > MAX_TITLE:
            title = title[:MAX_TITLE].rsplit(" ", 1)[0]
        self._sections[0].title = title
        self._sections[0].end = self._length
        return Document(
            key=key,
            kind=self._kind,
            title=title,
            text="".join(self._parts),
            sections=tuple(
                Section(
                    index=s.index, parent=s.parent, level=s.level, title=s.title, start=s.start, end=s.end
                )
                for s in self._sections
            ),
            blocks=tuple(self._blocks),
            source_map=self._columns.source_map(self._file),
            identifiers=identifiers or Identifiers(),
            year=year,
            experiment=experiment,
            notes=tuple(notes),
        )

    def _begin(self, place: Place) -> int:
        if self._blocks:
            self._parts.append(BLOCK_GAP)
            self._length += len(BLOCK_GAP)
        self._columns.add(self._length, place)
        return self._length

    def _append(
        self, kind: BlockKind, text: str, start: int, *, cells: tuple[Cell, ...] = (), label: str = ""
    ) -> None:
        self._parts.append(text)
        self._length += len(text)
        for index in self._open:
            self._sections[index].end = self._length
        self._blocks.append(
            Block(
                kind=kind,
                start=start,
                end=self._length,
                text=text,
                section=self._open[-1],
                cells=cells,
                label=label,
            )
        )


def _clean_block(text: str) -> str:
    """Normalised, trimmed, and without blank lines, which would look like block ends."""
    return _BLANK_LINES.sub("\n", normalise(text)).strip()


def _place_cells(row: Sequence[CellText], texts: Sequence[str], number: int, at: int) -> list[Cell]:
    cells = []
    for cell, text in zip(row, texts, strict=True):
        cells.append(
            Cell(
                row=number,
                column=cell.column,
                start=at,
                end=at + len(text),
                text=text,
                header=cell.header,
                span=cell.span,
            )
        )
        at += len(text) + len(CELL_GAP)
    return cells
