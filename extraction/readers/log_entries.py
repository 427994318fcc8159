"""A log entry and its time, whatever the format of the logbook."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Final

from schemas.errors import ReadError

_SECONDS: Final = re.compile(r"\d{9,11}(?:\.\d+)?")


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One entry; ``line`` is where it begins in its file, ``time`` ISO 8601 or empty."""

    id: str
    line: int
    time: str
    author: str
    title: str
    text: str
    attachments: tuple[str, ...] = ()
    backlink: str = ""


def entry_time(text: str, *, file: str, line: int) -> str:
    """A time as ISO 8601 to the second; from ISO 8601, RFC 5322 or seconds since 1970 (then in UTC).

    >>> entry_time("Fri, 3 May 2024 07:15:00 +0200", file="log.mbox", line=1)
    '2024-05-03T07:15:00+02:00'
    >>> entry_time("1714713300", file="log.jsonl", line=1)
    '2024-05-03T05:15:00+00:00'
    """
    text = text.strip()
    if not text:
        return ""
    try:
        if _SECONDS.fullmatch(text):
            found = datetime.fromtimestamp(float(text), UTC)
        elif text[:4].isdigit():
            found = datetime.fromisoformat(text)
        else:
            found = parsedate_to_datetime(text)
    except (ValueError, OverflowError, TypeError, IndexError) as e:
        raise ReadError(
            f"expected a time (ISO 8601, RFC 5322 or seconds), found {text[:60]!r}", file=file, line=line
        ) from e
    return found.isoformat(timespec="seconds")
