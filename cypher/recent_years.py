"""Times that are counted: "the last five years" depends on a day that the graph does not know."""

from __future__ import annotations

import re
from typing import Final

from cypher.normalise import quoted_spans
from cypher.unsupported import relative_date

_LAST: Final = r"(?:last|past|latest|previous|preceding|recent|most recent|newest)"
_MANY: Final = (
    r"(?:\d+|a|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|few|several|couple"
    r"|couple of|half|half a|dozen)"
)
_AHEAD: Final = r"(?:from|in|within|during|over|of|for|since|through|throughout|across|by)"
_THE: Final = r"(?:(?:the|these|those|our) )?(?:only )?"
_BACK: Final = re.compile(
    rf"\b(?:{_AHEAD} {_THE}(?:{_LAST} {_MANY} (?:year|month|week|day|decade)s?"
    rf"|{_LAST} (?:year|month|week|day|decade)s|{_MANY} {_LAST} (?:year|month|week|day|decade)s?"
    r"|(?:last|past) (?:decade|century))"
    rf"|(?:the )?(?:last|past) {_MANY} (?:year|month|week|day|decade)s?(?=\W*$)"
    rf"|{_MANY} (?:year|month|week|day|decade)s? ago)\b",
    re.IGNORECASE,
)
_FROM_YEAR: Final = re.compile(
    r"\b(?:(?:exactly|precisely|just|only|about|at least|at most|(?:more|less|fewer) than) )?"
    rf"{_MANY} years? (?:before|after|prior to|earlier than|later than|from) (?:19|20)\d\d\b",
    re.IGNORECASE,
)
_ASKED: Final = re.compile(
    r"^\W*(?:(?:what|which) (?:are|were|is|was)|list|show|give|name|find)(?: me| us)? (?:the )?$",
    re.IGNORECASE,
)
"""What stands before the years that are themselves asked for."""


def counted_back(text: str) -> str:
    """Why a question cannot be answered that counts years from now or from a year; empty for any other.

    >>> counted_back("Papers on phi_s from the last five years").partition(" depends")[0]
    "'from the last five years'"
    >>> counted_back("the last 3 papers on phi_s"), counted_back("What are the last five years with papers?")
    ('', '')
    """
    apart = _FROM_YEAR.search(text)
    if apart and not quoted_spans(text):
        return f"'{apart[0]}' counts years from a year. Give the year itself, for example 'in 2012'."
    for found in _BACK.finditer(text):
        quoted = any(start <= found.start() < end for start, end in quoted_spans(text))
        if not quoted and not _ASKED.match(text[: found.start()]):
            return relative_date(found[0])
    return ""
