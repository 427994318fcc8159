"""Spans of years that a question names: "since 2012", "between 2010 and 2015", "from 2015 on"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

_YEAR: Final = re.compile(r"(?:19|20)\d\d")
_SINCE: Final = frozenset({"since", "after"})
_UNTIL: Final = frozenset({"until", "before", "till", "to"})
_WITHIN: Final = frozenset({"in", "for", "of", "during", "within", "over"})
_TO: Final = frozenset({"to", "until", "till", "through"})
_ONE: Final = frozenset({"in", "of", "during", "from"})
_ONWARDS: Final = frozenset({"on", "onwards", "onward"})
_GOING_ON: Final = frozenset(
    ("and", "which", "that", "who", "what", "how", "with", "by", "until", "to", "list", "show")
)
"""Words behind "from 2015 on" that name no topic, as "papers from 2015 on phi_s" does."""


class Years(NamedTuple):
    """The words of a span, with its first and last year; ``None`` for open."""

    words: int
    first: int | None
    last: int | None


def span_of_years(words: Sequence[str]) -> Years | None:
    """The span with which words in small letters begin; ``None`` for none.

    >>> span_of_years(["for", "2010", "to", "2020"]), span_of_years(["from", "2015", "on"])
    (Years(words=4, first=2010, last=2020), Years(words=3, first=2015, last=None))
    >>> span_of_years(["from", "2015", "on", "phi_s"]), span_of_years(["after", "2015"])
    (Years(words=2, first=2015, last=2015), Years(words=2, first=2016, last=None))
    """
    if words and is_year(words[0]):
        return Years(1, int(words[0]), int(words[0]))
    if len(words) < 2 or not is_year(words[1]):
        return None
    word, year, behind = words[0], int(words[1]), words[2:]
    spans = word in ("between", "from") or (word in _WITHIN and bool(_TO.intersection(behind[:1])))
    if spans and len(behind) > 1 and is_year(behind[1]):
        return Years(4, year, int(behind[1]))
    if word == "from" and _goes_on(behind):
        return Years(3, year, None)
    if word in _SINCE:
        return Years(2, year + (word == "after"), None)
    if word in _UNTIL:
        return Years(2, None, year - (word == "before"))
    return Years(2, year, year) if word in _ONE else None


def is_year(word: str) -> bool:
    """Whether a word is a year as papers have it."""
    return _YEAR.fullmatch(word) is not None


def _goes_on(behind: Sequence[str]) -> bool:
    """Whether the words behind "from 2015" leave the span open: "on", "onwards"."""
    if not behind or behind[0] not in _ONWARDS:
        return False
    return behind[0] != "on" or len(behind) == 1 or behind[1] in _GOING_ON
