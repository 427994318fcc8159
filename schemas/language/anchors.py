"""Anchors: where a quote stands in a text, exactly or up to spacing, dashes, quotes and ligatures."""

from __future__ import annotations

import re

_DASHES = "-\u00ad\u2010\u2011\u2012\u2013\u2014\u2015\u2212"
_SINGLE = "'`\u2018\u2019\u02bc\u2032"
_DOUBLE = '"\u201c\u201d\u201e\u2033'
_CLASSES = {c: f"[{re.escape(group)}]" for group in (_DASHES, _SINGLE, _DOUBLE) for c in group}
_LIGATURES = {
    "ffi": "(?:ffi|\ufb03|\ufb00i|f\ufb01)",
    "ffl": "(?:ffl|\ufb04|\ufb00l|f\ufb02)",
    "ff": "(?:ff|\ufb00)",
    "fi": "(?:fi|\ufb01)",
    "fl": "(?:fl|\ufb02)",
}
_EXPANDED = str.maketrans(
    {"\ufb00": "ff", "\ufb01": "fi", "\ufb02": "fl", "\ufb03": "ffi", "\ufb04": "ffl", "\xa0": " "}
)
_TOKEN = re.compile(r"\s+|ffi|ffl|ff|fi|fl|.", re.DOTALL)
LONGEST = 10_000
"""Longest quote, in characters, for which more than the exact text is tried."""


def find_quote(text: str, quote: str) -> tuple[int, int] | None:
    """The half-open span of ``quote`` in ``text``, or None.

    First the exact words; then the same words with other white space, dashes, quotation marks or
    typographic ligatures. Nothing looser: a quote that differs in a letter or a digit is not found.
    Surrounding white space of the quote does not count, and a quote of white space is never found.

    >>> find_quote("a systematic\\n uncertainty of 1\u20132%", "systematic uncertainty of 1-2%")
    (2, 33)
    >>> find_quote("an uncertainty of 1.2", "an uncertainty of 1.3") is None
    True
    """
    wanted = quote.strip()
    if not wanted:
        return None
    at = text.find(wanted)
    if at >= 0:
        return at, at + len(wanted)
    if len(wanted) > LONGEST:
        return None
    found = re.search(_loosened(wanted), text)
    return found.span() if found else None


def find_quote_near(text: str, quote: str, start: int) -> tuple[int, int] | None:
    """Like :func:`find_quote`, but the exact occurrence that begins nearest to ``start``.

    >>> find_quote_near("one two one", "one", 7)
    (8, 11)
    """
    wanted = quote.strip()
    if not wanted:
        return None
    middle = min(max(start, 0), len(text))
    after, before = text.find(wanted, middle), text.rfind(wanted, 0, middle + len(wanted) - 1)
    spots = [spot for spot in (before, after) if spot >= 0]
    if not spots:
        return find_quote(text, quote)
    best = min(spots, key=lambda spot: (abs(spot - middle), spot))
    return best, best + len(wanted)


def _loosened(quote: str) -> str:
    tokens = _TOKEN.findall(quote.translate(_EXPANDED))
    return "".join(_expression(token) for token in tokens)


def _expression(token: str) -> str:
    if token.isspace():
        return r"\s+"
    return _LIGATURES.get(token) or _CLASSES.get(token) or re.escape(token)
