"""Recognises logbooks in plain text: entries that begin with date and time on a line of their own."""

from __future__ import annotations

import re
from collections import Counter
from typing import Final

from extraction.readers.log_entries import LogEntry, entry_time
from schemas.errors import ReadError

_STAMP: Final = re.compile(
    r"\[?(?P<date>\d{4}[-/]\d{2}[-/]\d{2})(?:T|\s+)(?P<time>\d{2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?)"
    r"(?P<zone>Z|[+-]\d{2}:?\d{2})?\]?(?=[\s|,:;-]|$)"
)
"""Year, month, day and the time: in this order no date can be read in two ways."""
_AUTHOR: Final = re.compile(r"\s*(?:\|\s*(?P<barred>[^|\n]{1,60}?)\s*\||\[(?P<bracketed>[^\]\n]{1,60})\])")
_BETWEEN: Final = re.compile(r"[\s|,:;-]+")
FEWEST: Final = 3
"""Entries that make a text file a logbook."""


def text_entries(text: str, *, file: str) -> list[LogEntry]:
    """The entries of a text that begins with one and has ``FEWEST`` at least; none for any other text.

    An entry goes from its stamp to the next one. Its author stands between bars or in brackets after the
    stamp; what is not understood stays in its text. The id is the time, with a number where it stands
    twice.

    >>> written = "2024-05-03 07:15 a\\n2024-05-03 07:20 b\\n2024-05-03 08:00 c"
    >>> [(e.time, e.text) for e in text_entries(written, file="x")][0]
    ('2024-05-03T07:15:00', 'a')
    """
    lines = text.split("\n")
    filled = [at for at, line in enumerate(lines) if line.strip()]
    starts = [at for at in filled if _stamp(lines[at], file, at + 1) is not None]
    if len(starts) < FEWEST or starts[0] != filled[0]:
        return []
    seen: Counter[str] = Counter()
    return [
        _entry(lines[start:end], file, start + 1, seen)
        for start, end in zip(starts, [*starts[1:], len(lines)], strict=True)
    ]


def _stamp(line: str, file: str, number: int) -> tuple[str, int] | None:
    """The time that a line begins with, and where the rest begins; None for any other line."""
    found = _STAMP.match(line)
    if found is None:
        return None
    written = f"{found['date'].replace('/', '-')}T{found['time']}{found['zone'] or ''}"
    try:
        return entry_time(written, file=file, line=number), found.end()
    except ReadError:
        return None  # 31 February: a line like any other


def _entry(lines: list[str], file: str, number: int, seen: Counter[str]) -> LogEntry:
    stamp = _stamp(lines[0], file, number)
    assert stamp is not None
    time, at = stamp
    author = _AUTHOR.match(lines[0], at)
    at = author.end() if author else at
    between = _BETWEEN.match(lines[0], at)
    first = lines[0][between.end() if between else at :]
    seen[time] += 1
    return LogEntry(
        id=time if seen[time] == 1 else f"{time}#{seen[time]}",
        line=number,
        time=time,
        author=(author["barred"] or author["bracketed"]).strip() if author else "",
        title="",
        text="\n".join([first, *lines[1:]]).strip(),
    )
