"""Documents: normalised text, a section tree of blocks, and the way back to the source.

All offsets are code points of :attr:`Document.text`, half-open, from 0.
"""

from __future__ import annotations

from bisect import bisect_right
from enum import StrEnum
from typing import Self, TypeAlias

from pydantic import model_validator

from schemas.ids import DocumentKey, text_version
from schemas.model import Frozen


class DocumentKind(StrEnum):
    """Where a document came from."""

    LATEX = "latex"
    JATS = "jats"
    MARKDOWN = "markdown"
    TEXT = "text"
    PDF = "pdf"
    HTML = "html"
    JSON = "json"
    LOGBOOK = "logbook"
    PDG_PAPER = "pdg-paper"
    PDG_PARTICLE = "pdg-particle"


class BlockKind(StrEnum):
    """What one stretch of text is."""

    TITLE = "title"
    ABSTRACT = "abstract"
    HEADING = "heading"
    PARAGRAPH = "paragraph"
    LIST_ITEM = "list_item"
    EQUATION = "equation"
    CAPTION = "caption"
    TABLE = "table"
    FOOTNOTE = "footnote"
    LOG_ENTRY = "log_entry"


class Cell(Frozen):
    """One table cell: ``text`` stands at ``start:end`` of the document text."""

    row: int
    column: int
    start: int
    end: int
    text: str
    header: bool = False
    span: int = 1
    """Columns that the cell covers (multicolumn)."""


class Block(Frozen):
    """A stretch of text of one kind; blocks are ordered and do not overlap."""

    kind: BlockKind
    start: int
    end: int
    text: str
    section: int
    """Index into :attr:`Document.sections`."""
    cells: tuple[Cell, ...] = ()
    """For tables only, by row then column."""
    label: str = ""
    """The source's own label, where it has one (``tab:syst``)."""


class Section(Frozen):
    """A node of the section tree; section 0 is the document itself."""

    index: int
    parent: int | None
    level: int
    """0 for the document, 1 for a section, 2 for a subsection and so on."""
    title: str
    start: int
    end: int


Box: TypeAlias = tuple[float, float, float, float]
"""Left, bottom, right, top on a page, in points (1/72 inch) from its lower left corner."""


class SourceLocation(Frozen):
    """A place in a source file."""

    file: str
    """Path under the import root, or a table name for a structured source."""
    line: int
    """From 1; for a structured source the row number, for a PDF the line of the page as it is read."""
    path: str = ""
    """XPath, JSON Pointer or record id, where the source has one."""
    page: int = 0
    """Page of a PDF, from 1; 0 elsewhere."""
    box: Box | None = None
    """Where on the page the line stands; None where the source has no pages."""


class SourceMap(Frozen):
    """Anchors from text offsets to source lines, as columns sorted by offset.

    >>> SourceMap(files=("a.tex",), offsets=(0, 10), file_of=(0, 0), lines=(3, 7)).locate(12).line
    7
    """

    files: tuple[str, ...]
    offsets: tuple[int, ...]
    file_of: tuple[int, ...]
    lines: tuple[int, ...]
    paths: tuple[str, ...] = ()
    """Empty, or as long as ``offsets``."""
    pages: tuple[int, ...] = ()
    """Empty, or as long as ``offsets``."""
    boxes: tuple[Box, ...] = ()
    """Empty, or as long as ``pages``."""

    @model_validator(mode="after")
    def _columns_agree(self) -> Self:
        if not len(self.offsets) == len(self.file_of) == len(self.lines):
            raise ValueError("offsets, file_of and lines must be of one length")
        if self.paths and len(self.paths) != len(self.offsets):
            raise ValueError("paths must be empty or as long as offsets")
        if self.pages and len(self.pages) != len(self.offsets):
            raise ValueError("pages must be empty or as long as offsets")
        if len(self.boxes) != len(self.pages):
            raise ValueError("boxes must be as long as pages")
        if any(a > b for a, b in zip(self.offsets, self.offsets[1:], strict=False)):
            raise ValueError("offsets must not fall")
        return self

    def locate(self, offset: int) -> SourceLocation:
        """The source line of the last anchor at or before ``offset``."""
        return self._location(self._anchor(offset))

    def locate_span(self, start: int, end: int) -> tuple[SourceLocation, ...]:
        """Every source line that ``start:end`` touches, in text order: the boxes to mark on a page.

        >>> lines = SourceMap(files=("a.tex",), offsets=(0, 10), file_of=(0, 0), lines=(3, 7))
        >>> [place.line for place in lines.locate_span(8, 12)]
        [3, 7]
        """
        return tuple(
            self._location(at) for at in range(self._anchor(start), self._anchor(max(start, end - 1)) + 1)
        )

    def _anchor(self, offset: int) -> int:
        return max(0, bisect_right(self.offsets, offset) - 1)

    def _location(self, at: int) -> SourceLocation:
        return SourceLocation(
            file=self.files[self.file_of[at]],
            line=self.lines[at],
            path=self.paths[at] if self.paths else "",
            page=self.pages[at] if self.pages else 0,
            box=self.boxes[at] if self.pages else None,
        )


class Identifiers(Frozen):
    """The names by which the world knows a document; empty where unknown."""

    arxiv: str = ""
    inspire: str = ""
    doi: str = ""

    def citation(self) -> str:
        """The best of them for a reader: arXiv id, else INSPIRE id, else DOI, else empty.

        >>> Identifiers(inspire="1915806", doi="10.1007/x").citation()
        'INSPIRE 1915806'
        """
        if self.arxiv:
            return f"arXiv:{self.arxiv}"
        return f"INSPIRE {self.inspire}" if self.inspire else f"doi:{self.doi}" if self.doi else ""


class Document(Frozen):
    """One version of one document.

    Blocks, cells and sections are checked against the text when the object is made, so a Document
    that exists is consistent: ``text[b.start:b.end] == b.text`` for every block and cell.
    """

    key: DocumentKey
    kind: DocumentKind
    title: str
    text: str
    sections: tuple[Section, ...]
    blocks: tuple[Block, ...]
    source_map: SourceMap
    identifiers: Identifiers = Identifiers()
    year: int | None = None
    experiment: str = ""
    other_keys: tuple[DocumentKey, ...] = ()
    """Further keys under which the same bytes were added."""
    attribution: str = ""
    """The citation line that must stand wherever this document's content is shown."""
    licence: str = ""
    base_run: str = ""
    """For a structured source: the run that holds the facts which came with the document."""
    notes: tuple[str, ...] = ()
    """What the reader could not read and left out, for example pages without a text layer."""

    @property
    def version(self) -> str:
        """Hash of the normalised text."""
        return text_version(self.text)

    @property
    def abstract(self) -> str:
        """Text of the abstract blocks, joined; empty when there is none."""
        return "\n".join(b.text for b in self.blocks if b.kind is BlockKind.ABSTRACT)

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if not self.sections or self.sections[0].parent is not None:
            raise ValueError("sections[0] must be the document itself, without a parent")
        for index, section in enumerate(self.sections):
            if section.index != index or (
                index and not (section.parent is not None and section.parent < index)
            ):
                raise ValueError(f"section {index} must carry its own index and a parent before it")
        last = 0
        for block in self.blocks:
            if block.start < last or self.text[block.start : block.end] != block.text:
                raise ValueError(f"block at {block.start} overlaps the one before or is not in the text")
            if not 0 <= block.section < len(self.sections):
                raise ValueError(
                    f"block at {block.start} names section {block.section}, which does not exist"
                )
            for cell in block.cells:
                if (
                    self.text[cell.start : cell.end] != cell.text
                    or not block.start <= cell.start <= cell.end <= block.end
                ):
                    raise ValueError(f"cell {cell.row},{cell.column} at {cell.start} is not in its table")
            last = block.end
        return self


class Chunk(Frozen):
    """A passage for retrieval and citation: whole blocks of one section, at most about 1,200 characters."""

    id: str
    document: DocumentKey
    section: int
    order: int
    start: int
    end: int
    text: str
