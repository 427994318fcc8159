"""Reads Markdown: headings, paragraphs, lists, pipe tables, code, front matter (CommonMark 0.31, GFM)."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from extraction.readers.builder import CellText, DocumentBuilder, Place
from extraction.readers.plain_parts import is_table_caption, prose_kind, with_formulas
from extraction.readers.source import MAX_BYTES, read_text, relative_name
from extraction.readers.text import add_lines
from schemas.documents import BlockKind, Document, DocumentKind
from schemas.errors import ReadError
from schemas.ids import DocumentKey

_HEADING: Final = re.compile(r" {0,3}(#{1,6})[ \t]+(.*)")
_UNDERLINE: Final = re.compile(r" {0,3}(=+|-+)[ \t]*\Z")
_ITEM: Final = re.compile(r"\s*(?:[-*+]|\d{1,9}[.)])[ \t]+(\S.*)")
_FENCE: Final = re.compile(r" {0,3}(`{3,}|~{3,})")
_DIVIDER: Final = re.compile(r"\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\Z")
_TITLE: Final = re.compile(r"title\s*:\s*(.+)")
_RULE: Final = re.compile(r" {0,3}([-*_])[ \t]*(?:\1[ \t]*){2,}\Z")
_LINK: Final = re.compile(r"!?\[([^\[\]]*)\]\([^()\s]*(?:\s+\"[^\"]*\")?\)")
_CELL_END: Final = re.compile(r"(?<!\\)\|")

_Lines = list[tuple[int, str]]


def read_markdown(path: Path, *, root: Path, max_bytes: int = MAX_BYTES) -> Document:
    """Read a ``.md`` or ``.markdown`` file under the import root. Raises ``ReadError``."""
    name = relative_name(path, root)
    lines = list(enumerate(read_text(path, root=root, max_bytes=max_bytes).split("\n"), 1))
    reader = _Reader(DocumentBuilder(DocumentKind.MARKDOWN, file=name), name)
    title = reader.front_matter(lines)
    reader.read(lines)
    return reader.builder.build(DocumentKey(name), title=title or reader.first_heading or path.stem)


class _Reader:
    def __init__(self, builder: DocumentBuilder, name: str) -> None:
        self.builder, self._name = builder, name
        self.first_heading = ""
        self._section = ""
        self._open: _Lines = []
        self._held: _Lines = []
        """A paragraph that is a caption if a table follows."""
        self._kind = BlockKind.PARAGRAPH

    def front_matter(self, lines: _Lines) -> str:
        """Takes a YAML front matter off ``lines``; returns its title."""
        if not lines or lines[0][1].strip() != "---":
            return ""
        end = next((n for n, (_, line) in enumerate(lines[1:], 1) if line.strip() in {"---", "..."}), 0)
        if not end:
            return ""
        found = [m for _, line in lines[1:end] if (m := _TITLE.match(line))]
        del lines[: end + 1]
        return found[0].group(1).strip().strip("\"'") if found else ""

    def read(self, lines: _Lines) -> None:
        """Add every block."""
        position = 0
        while position < len(lines):
            number, line = lines[position]
            fence = _FENCE.match(line)
            if fence is not None:
                position = self._code(lines, position, fence.group(1))
            elif self._is_table(lines, position):
                position = self._table(lines, position)
            else:
                self._line(number, line)
                position += 1
        self._flush()
        self._release(BlockKind.PARAGRAPH)

    def _line(self, number: int, line: str) -> None:
        heading, item = _HEADING.match(line), _ITEM.match(line)
        underline = _UNDERLINE.match(line)
        if not line.strip():
            self._flush()
        elif heading is not None:
            self._flush()
            self._heading(len(heading.group(1)), heading.group(2).rstrip("# \t"), number)
        elif underline is not None and len(self._open) == 1 and self._kind is BlockKind.PARAGRAPH:
            (above, title), self._open = self._open[0], []
            self._heading(1 if underline.group(1)[0] == "=" else 2, title, above)
        elif _RULE.match(line):
            self._flush()
        elif item is not None:
            self._flush()
            self._kind = BlockKind.LIST_ITEM
            self._open = [(number, item.group(1))]
        else:
            self._open.append((number, line.strip().removeprefix("> ")))

    def _heading(self, level: int, title: str, number: int) -> None:
        title = _inline(title)
        self._release(BlockKind.PARAGRAPH)
        if title:
            self._section = title
            self.first_heading = self.first_heading or title
            self.builder.open_section(level, title, Place(self._name, number))

    def _flush(self) -> None:
        lines, self._open = self._open, []
        if lines:
            self._release(BlockKind.PARAGRAPH)
            kind = prose_kind(_joined(lines), self._section, self._kind)
            if kind is BlockKind.PARAGRAPH and is_table_caption(_joined(lines)):
                self._held = lines
            else:
                self._add(kind, lines)
        self._kind = BlockKind.PARAGRAPH

    def _release(self, kind: BlockKind) -> None:
        """Adds what may have been the caption of a table."""
        lines, self._held = self._held, []
        if lines:
            self._add(kind, lines)

    def _add(self, kind: BlockKind, lines: _Lines) -> None:
        add_lines(self.builder, kind, [(n, _inline(line)) for n, line in lines], self._name)

    def _caption_below(self, lines: _Lines, position: int) -> int:
        """Takes the paragraph after a table as its caption, put before it; returns where to go on."""
        start = position
        while start < len(lines) and not lines[start][1].strip():
            start += 1
        end = start
        while end < len(lines) and lines[end][1].strip():
            end += 1
        after = end
        while after < len(lines) and not lines[after][1].strip():
            after += 1
        found = lines[start:end]
        next_is_table = after < len(lines) and self._is_table(lines, after)
        if not found or not is_table_caption(_joined(found)) or next_is_table:
            return position
        self._add(BlockKind.CAPTION, found)
        return end

    def _code(self, lines: _Lines, position: int, fence: str) -> int:
        self._flush()
        self._release(BlockKind.PARAGRAPH)
        start = position + 1
        for end in range(start, len(lines)):
            if lines[end][1].strip().startswith(fence):
                if end > start:
                    add_lines(self.builder, BlockKind.PARAGRAPH, lines[start:end], self._name)
                return end + 1
        raise ReadError(
            f"expected {fence} to close the code opened here, found the end",
            file=self._name,
            line=lines[position][0],
        )

    def _is_table(self, lines: _Lines, position: int) -> bool:
        if "|" not in lines[position][1] or position + 1 >= len(lines):
            return False
        below = lines[position + 1][1]
        return "-" in below and _DIVIDER.match(below.strip()) is not None

    def _table(self, lines: _Lines, position: int) -> int:
        self._flush()
        captioned = bool(self._held)
        self._release(BlockKind.CAPTION)
        rows, places = [_cells(lines[position][1], header=True)], [Place(self._name, lines[position][0])]
        position += 2
        while position < len(lines) and "|" in lines[position][1]:
            rows.append(_cells(lines[position][1], header=False))
            places.append(Place(self._name, lines[position][0]))
            position += 1
        if not captioned:
            position = self._caption_below(lines, position)
        self.builder.add_table(rows, places)
        return position


def _cells(line: str, *, header: bool) -> list[CellText]:
    line = line.strip().removeprefix("|")
    parts = _CELL_END.split(line)
    if len(parts) > 1 and not parts[-1].strip():
        parts.pop()
    return [
        CellText(_inline(part.replace("\\|", "|").strip()), column, header)
        for column, part in enumerate(parts)
    ]


def _joined(lines: _Lines) -> str:
    return "\n".join(line for _, line in lines)


def _inline(text: str) -> str:
    """Text without link targets and emphasis marks, formulas as readable text."""
    text = _LINK.sub(r"\1", with_formulas(text))
    return re.sub(r"(\*\*|__|`)(?=\S)([^*_`]+?)(?<=\S)\1", r"\2", text)
