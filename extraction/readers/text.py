"""Reads plain text: a first line of its own is the title, blank lines part paragraphs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from extraction.readers.builder import Anchor, DocumentBuilder, Place
from extraction.readers.log_text import text_entries
from extraction.readers.logbook import log_document
from extraction.readers.plain_parts import prose_kind
from extraction.readers.source import MAX_BYTES, read_text, relative_name
from schemas.documents import BlockKind, Document, DocumentKind
from schemas.ids import DocumentKey

_DATED = re.compile(
    r"\W{0,3}(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}"
    r"|(?:\d{1,2}\.? )?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.? \d{1,4},?(?: \d{4})?"
    r"|\d{1,2}:\d{2})\b",
    re.IGNORECASE,
)
_LOGBOOK = (
    "{} lines begin with a date or time, and the file is read as one document; a logbook is read entry by "
    'entry from a .jsonl file with a line {{"id": "1", "time": "2024-05-03T07:15", "text": "..."}} for each'
)
_ENTRIES = 3
"""Dated paragraphs, or dated lines, that make a file look like a logbook."""
MAX_TITLE_LINE = 200
"""A longer first line (code points) is prose, and the title is the file's name."""


def read_plain(path: Path, *, root: Path, max_bytes: int = MAX_BYTES) -> Document:
    """Read a ``.txt`` file under the import root: as a logbook where dated entries are all that it holds.

    A note tells when it looks like a logbook of another form. Raises ``ReadError``.
    """
    name = relative_name(path, root)
    text = read_text(path, root=root, max_bytes=max_bytes)
    if entries := text_entries(text, file=name):
        return log_document(entries, name, path.stem)
    builder = DocumentBuilder(DocumentKind.TEXT, file=name)
    title = heading = ""
    dated = 0
    for number, lines in enumerate(paragraphs(text)):
        dated += sum(_DATED.match(line) is not None for _, line in lines)
        first = lines[0][1].strip()
        if (
            not number
            and len(lines) == 1
            and len(first) <= MAX_TITLE_LINE
            and not first.endswith((".", "!", ";"))
        ):
            title = first
            builder.add(BlockKind.TITLE, first, Place(name, lines[0][0]))
        else:
            joined = "\n".join(line for _, line in lines)
            add_lines(builder, prose_kind(joined, first if len(lines) > 1 else heading), lines, name)
            title = title or (first if len(first) <= MAX_TITLE_LINE else path.stem)
        heading = first if len(lines) == 1 else ""
    notes = (_LOGBOOK.format(dated),) if dated >= _ENTRIES else ()
    return builder.build(DocumentKey(name), title=title or path.stem, notes=notes)


def paragraphs(text: str) -> Iterator[list[tuple[int, str]]]:
    """Runs of lines that are not blank, each line with its number from 1."""
    lines: list[tuple[int, str]] = []
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            lines.append((number, line))
        elif lines:
            yield lines
            lines = []
    if lines:
        yield lines


def add_lines(builder: DocumentBuilder, kind: BlockKind, lines: list[tuple[int, str]], name: str) -> None:
    """One block of several source lines, with an anchor at each."""
    anchors: list[Anchor] = []
    parts: list[str] = []
    at = 0
    for number, line in lines:
        anchors.append(Anchor(at, Place(name, number)))
        parts.append(line.strip())
        at += len(parts[-1]) + 1
    builder.add(kind, "\n".join(parts), Place(name, lines[0][0]), anchors=anchors)
