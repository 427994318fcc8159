"""Reads electronic logbooks: JSON Lines, or mail folders (mbox, RFC 4155) as logbooks export them.

A file is one document, an entry one section: its heading, a block of kind ``log_entry`` that begins with
time and author, and footnotes for attachments and the link back.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from extraction.readers.builder import DocumentBuilder, Place
from extraction.readers.json_values import JsonObject, kind_of, parse_object, text_of
from extraction.readers.log_entries import LogEntry, entry_time
from extraction.readers.log_mail import mail_entries
from extraction.readers.source import MAX_BYTES, read_bytes, read_text, relative_name
from schemas.documents import BlockKind, Document, DocumentKind
from schemas.errors import ReadError
from schemas.ids import DocumentKey

_ID = ("id", "entry_id", "log_id", "_id")
_TIME = ("time", "timestamp", "date", "created")
_AUTHOR = ("author", "user", "from")
_TEXT = ("text", "body", "message", "content")
_TITLE = ("title", "subject")
_LINK = ("backlink", "link", "url")
_SHOWN = 5
"""Entries left out that a note each tells of."""
_LISTED = 200
"""Entries left out whose lines are listed."""


def read_jsonl(path: Path, *, root: Path, max_bytes: int = MAX_BYTES) -> Document:
    """Read a ``.jsonl`` or ``.ndjson`` logbook under the import root, one entry a line.

    Fields: ``id`` and ``text`` (needed), ``time`` (ISO 8601, RFC 5322 or seconds since 1970), ``author``,
    ``title``, ``attachments`` (names, or objects with a name) and ``backlink``; the names that the common
    logbooks use instead are known too. Lines that cannot be read, and those with the id of an earlier one,
    are left out and told of in ``Document.notes``. Raises ``ReadError`` when that is every line.
    """
    name = relative_name(path, root)
    text = read_text(path, root=root, max_bytes=max_bytes)
    left_out: list[ReadError] = []
    return log_document(_entries(text, name, left_out), name, path.stem, left_out)


def _entries(text: str, name: str, left_out: list[ReadError]) -> Iterator[LogEntry]:
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            try:
                yield _entry(parse_object(line, file=name, line=number), name, number)
            except ReadError as e:
                left_out.append(e)


def read_mbox(path: Path, *, root: Path, max_bytes: int = MAX_BYTES) -> Document:
    """Read a ``.mbox`` logbook under the import root, one message an entry.

    Messages that cannot be read, for their date or for want of an id, are left out and told of in
    ``Document.notes``. Raises ``ReadError`` when that is every message, or for what is no mail folder.
    """
    name = relative_name(path, root)
    data = read_bytes(path, root=root, max_bytes=max_bytes)
    left_out: list[ReadError] = []
    return log_document(mail_entries(data, file=name, left_out=left_out), name, path.stem, left_out)


def log_document(
    entries: Iterable[LogEntry], name: str, title: str, left_out: list[ReadError] | None = None
) -> Document:
    """A logbook of its entries; ``left_out`` says what could not be read, also while they are taken."""
    builder = DocumentBuilder(DocumentKind.LOGBOOK, file=name)
    left_out = [] if left_out is None else left_out
    seen: dict[str, int] = {}
    for entry in entries:
        if entry.id in seen:
            said = f"expected each entry once, found {entry.id!r} also in line {seen[entry.id]}; drop one"
            left_out.append(ReadError(said, file=name, line=entry.line))
            continue
        seen[entry.id] = entry.line
        _add(builder, entry, name)
    if builder.is_empty and left_out:
        raise left_out[0]
    if builder.is_empty:
        raise ReadError("expected log entries with text, found none", file=name, line=1)
    return builder.build(DocumentKey(name), title=title, notes=_notes(left_out, len(seen)))


def _notes(left_out: Sequence[ReadError], read: int) -> tuple[str, ...]:
    """How many entries are left out, the line of each, and why for the first of them."""
    if not left_out:
        return ()
    lines = sorted({e.line for e in left_out if e.line is not None})
    places = ", ".join(map(str, lines[:_LISTED])) + (", ..." if len(lines) > _LISTED else "")
    head = (
        f"left out {len(left_out)} of {len(left_out) + read} entries, which cannot be read: "
        f"line{'' if len(lines) == 1 else 's'} {places}"
    )
    more = len(left_out) - _SHOWN
    return (head, *(str(e) for e in left_out[:_SHOWN]), *([f"and {more} more"] if more > 0 else []))


def _add(builder: DocumentBuilder, entry: LogEntry, name: str) -> None:
    place = Place(name, entry.line, entry.id)
    builder.open_section(1, entry.title or f"Entry {entry.id}", place, label=entry.id)
    head = " | ".join(part for part in (entry.time, entry.author) if part)
    text = f"{head}\n{entry.text}" if head else entry.text
    builder.add(BlockKind.LOG_ENTRY, text, place, label=entry.id)
    if entry.attachments:
        builder.add(BlockKind.FOOTNOTE, f"Attachments: {', '.join(entry.attachments)}", place)
    if entry.backlink:
        builder.add(BlockKind.FOOTNOTE, f"Link: {entry.backlink}", place)


def _entry(record: JsonObject, name: str, line: int) -> LogEntry:
    def first(keys: Iterable[str]) -> str:
        found = (text_of(record, key, file=name, line=line) for key in keys)
        return next((value.strip() for value in found if value.strip()), "")

    identifier = first(_ID)
    if not identifier or not any(key in record for key in _TEXT):
        raise ReadError(
            f"expected a log entry with id and text, found {', '.join(sorted(record)[:8]) or 'no fields'}",
            file=name,
            line=line,
        )
    return LogEntry(
        id=identifier,
        line=line,
        time=entry_time(first(_TIME), file=name, line=line),
        author=first(_AUTHOR),
        title=first(_TITLE),
        text=first(_TEXT),
        attachments=tuple(_attachments(record, name, line)),
        backlink=first(_LINK),
    )


def _attachments(record: JsonObject, name: str, line: int) -> Iterator[str]:
    value = record.get("attachments") or []
    if not isinstance(value, list):
        raise ReadError(
            f"expected an array under 'attachments', found {kind_of(value)}", file=name, line=line
        )
    for item in value:
        if isinstance(item, str):
            yield item
        elif isinstance(item, dict):
            keys = ("name", "filename", "url")
            yield next((text for key in keys if (text := text_of(item, key, file=name, line=line))), "")
        else:
            raise ReadError(
                f"expected the name of an attachment, found {kind_of(item)}", file=name, line=line
            )
