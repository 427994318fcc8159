"""Sentence spans of scientific prose."""

from __future__ import annotations

import re
from typing import Final

_END: Final = re.compile(r"[.!?][\"”’)\]]*(?=\s)|\n\s*\n|\n(?=\S)")
"""Where a sentence may end: a stop before white space, or a line break of a table or display."""

_ABBREVIATION: Final = re.compile(
    r"(?:\A|[\s(\[~–—-])(?:e\.g|i\.e|cf|et al|al|vs|viz|etc|approx|ca|resp|incl|nos?|vol|eds?|pp?|secs?|"
    r"sect|eq|eqs|eqn|eqns|fig|figs|tab|tabs|ref|refs|thm|prof|dr|mr|mrs|jr|univ|dept|phys|rev|lett|nucl|instrum|"
    r"meth|eur|astrophys|proc|coll|collab|st|mt|sq|[A-Z]|(?:[A-Z]\.)+[A-Z])"
    r"\.\Z",
    re.IGNORECASE,
)
_ALWAYS_INSIDE: Final = re.compile(
    r"(?:e\.g|i\.e|cf|vs|viz|approx|ca|resp|fig|figs|tab|tabs|eqs?|eqns?|refs?|secs?|sect|dr|prof)\.\Z",
    re.IGNORECASE,
)
_LETTER_STOP: Final = re.compile(r"(?:\A|[\s(\[.])[A-Za-z]\.\Z")
_STARTS: Final = re.compile(r"\s*[\"“‘(\[]*([A-Z0-9\u0370-\u03ff√]|[a-z]{1,2}(?=[\s^_]))")
_LOOK_BACK: Final = 24
"""Longest abbreviation looked for, with what precedes it (code points)."""


def sentences(text: str, *, offset: int = 0) -> tuple[tuple[int, int], ...]:
    """Spans of the sentences of ``text``, in order, without the white space between them.

    A stop ends a sentence unless it belongs to an abbreviation ("et al.", "Fig.", "i.e."), an initial
    or a number, or no capital, digit or symbol follows. A line break ends one too: the rows of a
    table and of a display are lines. ``offset`` is added to each position (code points).

    >>> text = "See Fig. 3 of Aaij et al. The mass is 5.28 GeV. It agrees."
    >>> [text[a:b] for a, b in sentences(text)]
    ['See Fig. 3 of Aaij et al.', 'The mass is 5.28 GeV.', 'It agrees.']
    """
    spans: list[tuple[int, int]] = []
    start = 0
    for found in _END.finditer(text):
        end = found.end()
        if found.group()[0] in ".!?" and not _ends(text, found):
            continue
        _add(spans, text, start, end, offset)
        start = end
    _add(spans, text, start, len(text), offset)
    return tuple(spans)


def _ends(text: str, found: re.Match[str]) -> bool:
    following = _STARTS.match(text, found.end())
    if following is None:
        return False
    if found.group() != ".":
        return found.group()[0] == "." or not following.group(1).islower()
    before = text[max(0, found.start() - _LOOK_BACK) : found.end()]
    if _LETTER_STOP.search(before):
        return before[-2].islower() and len(before) > 2 and before[-3] != "."
    if not _ABBREVIATION.search(before):
        return True
    if _ALWAYS_INSIDE.search(before):
        return False
    return following.group(1).isupper() and before.lower().endswith(("al.", "etc."))


def _add(spans: list[tuple[int, int]], text: str, start: int, end: int, offset: int) -> None:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    if start < end:
        spans.append((offset + start, offset + end))
