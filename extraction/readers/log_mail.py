"""Takes log entries out of a mail folder (mbox, RFC 4155; messages by RFC 5322 and MIME)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from email import policy
from email.errors import MessageError
from email.message import EmailMessage
from email.parser import BytesParser
from email.utils import parseaddr
from typing import Final

from extraction.readers.builder import one_line
from extraction.readers.html import inline_text, parse_html
from extraction.readers.log_entries import LogEntry, entry_time
from schemas.errors import ReadError

_BEGIN: Final = re.compile(rb"^From [^\n]*\n", re.MULTILINE)
_ID: Final = ("X-Entry-ID", "X-ELOG-ID", "Message-ID")
_LINK: Final = ("X-Backlink", "Archived-At", "X-ELOG-URL")
_ESCAPED: Final = re.compile(r"^>(>*From )", re.MULTILINE)

_ODD: Final = (
    MessageError,
    LookupError,
    ValueError,
    ArithmeticError,
    AssertionError,
    TypeError,
    AttributeError,
    RecursionError,
)
"""What the standard library's parser raises for odd mail."""


def mail_entries(data: bytes, *, file: str, left_out: list[ReadError]) -> Iterator[LogEntry]:
    """The messages of a folder; the id is ``X-Entry-ID``, ``X-ELOG-ID`` or ``Message-ID``.

    A message that cannot be read is left out, and why is put into ``left_out`` with its line; raises
    ``ReadError`` for what is no mail folder.
    """
    data = data.replace(b"\r\n", b"\n")
    starts = [match for match in _BEGIN.finditer(data) if _after_blank(data, match.start())]
    if not starts or data[: starts[0].start()].strip():
        raise ReadError("expected a line 'From ...' before the first message (mbox)", file=file, line=1)
    line = 1 + data.count(b"\n", 0, starts[0].start())
    ends = [*(match.start() for match in starts[1:]), len(data)]
    for match, end in zip(starts, ends, strict=True):
        try:
            yield _entry(data[match.end() : end], file, line)
        except ReadError as e:
            left_out.append(e)
        line += data.count(b"\n", match.start(), end)


def _after_blank(data: bytes, at: int) -> bool:
    return at == 0 or data[max(0, at - 2) : at] in {b"\n\n", b"\n"}


def _entry(data: bytes, file: str, line: int) -> LogEntry:
    try:
        message = BytesParser(policy=policy.default).parsebytes(data)
        return _read(message, file, line)
    except ReadError:
        raise
    except _ODD as e:
        raise ReadError(f"expected a mail message, found: {e}", file=file, line=line) from e


def _read(message: EmailMessage, file: str, line: int) -> LogEntry:
    def first(names: tuple[str, ...]) -> str:
        found = (one_line(str(message.get(name, ""))) for name in names)
        return next((value.removeprefix("<").removesuffix(">") for value in found if value), "")

    identifier = first(_ID)
    if not identifier:
        raise ReadError(f"expected a header of {', '.join(_ID)}, found none", file=file, line=line)
    return LogEntry(
        id=identifier,
        line=line,
        time=entry_time(first(("Date",)), file=file, line=line),
        author=first(("X-Author",)) or next((part for part in parseaddr(first(("From",))) if part), ""),
        title=first(("Subject",)),
        text=_body(message, file),
        attachments=tuple(_attachments(message)),
        backlink=first(_LINK),
    )


def _body(message: EmailMessage, file: str) -> str:
    part = message.get_body(("plain", "html"))
    if part is None:
        return ""
    content = part.get_content()
    if not isinstance(content, str):
        return ""
    if part.get_content_subtype() == "html":
        return one_line(inline_text(parse_html(content, file=file))) if content.strip() else ""
    return _ESCAPED.sub(r"\1", content)


def _attachments(message: EmailMessage) -> Iterator[str]:
    for part in message.walk():
        name = part.get_filename()
        if name:
            yield one_line(name)
    yield from (name.strip() for name in str(message.get("X-Attachments", "")).split(",") if name.strip())
