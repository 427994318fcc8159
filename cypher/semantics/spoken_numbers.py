"""Numbers and days as questions write them."""

from __future__ import annotations

import re
from datetime import date, datetime
from typing import Final

from cypher.semantics.text import value_key
from cypher.word_lists import NUMBERS

_NUMBER = re.compile(r"-?\d+(?:[.,]\d+)*")
_DATES: Final = (
    ("%d/%m/%Y", re.compile(r"\d{1,2}/\d{1,2}/\d{4}")),
    ("%d.%m.%Y", re.compile(r"\d{1,2}\.\d{1,2}\.\d{4}")),
    ("%d-%m-%Y", re.compile(r"\d{1,2}-\d{1,2}-\d{4}")),
    ("%d/%m/%y", re.compile(r"\d{1,2}/\d{1,2}/\d{2}(?!\d)")),
    ("%d.%m.%y", re.compile(r"\d{1,2}\.\d{1,2}\.\d{2}(?!\d)")),
    ("%Y/%m/%d", re.compile(r"\d{4}/\d{1,2}/\d{1,2}")),
    ("%d-%b-%Y", re.compile(r"\d{1,2}-[A-Z][a-z]{2}-\d{4}")),
    ("%b %d %Y", re.compile(r"[A-Z][a-z]{2}\. \d{1,2}(?:st|nd|rd|th)?,? \d{4}")),
    ("%d %b %Y", re.compile(r"\d{1,2}(?:st|nd|rd|th)? [A-Z][a-z]{2}\. \d{4}")),
    ("%Y-%m-%d", re.compile(r"\d{4}-\d{1,2}-\d{1,2}")),
    ("%B %d %Y", re.compile(r"[A-Z][a-z]+ \d{1,2}(?:st|nd|rd|th)?,? \d{4}")),
    ("%d %B %Y", re.compile(r"\d{1,2}(?:st|nd|rd|th)? (?:of )?[A-Z][a-z]+,? \d{4}")),
    ("%b %d %Y", re.compile(r"[A-Z][a-z]{2} \d{1,2}(?:st|nd|rd|th)?,? \d{4}")),
    ("%d %b %Y", re.compile(r"\d{1,2}(?:st|nd|rd|th)? (?:of )?[A-Z][a-z]{2},? \d{4}")),
    ("%d %B %y", re.compile(r"\d{1,2}(?:st|nd|rd|th)? (?:of )?[A-Z][a-z]+,? '?\d{2}(?!\d)")),
    ("%d %b %y", re.compile(r"\d{1,2}(?:st|nd|rd|th)? (?:of )?[A-Z][a-z]{2},? '?\d{2}(?!\d)")),
)
_ORDINAL = re.compile(r"(?<=\d)(?:st|nd|rd|th)\b|[,'.](?!\d)|(?<=\s)'| of\b")
_DATE_FORMS: Final = ("%Y-%m-%d", "%d/%m/%Y", "%m/%d/%Y", "%d-%m-%Y")
POWERS: Final = {"hundred": 100.0, "thousand": 1e3, "million": 1e6, "billion": 1e9}

CURRENCIES: Final = frozenset(("dollar", "dollars", "usd", "euro", "euros", "eur", "gbp"))
"""Words behind an amount; "pounds" may be a weight."""


def number_of(text: str) -> float | None:
    """A number in digits or as a word; None for another word.

    >>> number_of("1,200"), number_of("Seven"), number_of("few")
    (1200.0, 7.0, None)
    """
    if text.lower() in NUMBERS:
        return float(NUMBERS[text.lower()])
    if _NUMBER.fullmatch(text):
        try:
            return float(text.replace(",", ""))
        except ValueError:
            return None
    return None


def day_at(text: str, start: int) -> tuple[date, str, frozenset[str]] | None:
    """The day written at a place, as it is written, and the keys under which stores may hold it.

    >>> day_at("on 3rd of May 1999", 3)[0].isoformat()
    '1999-05-03'
    """
    for form, expression in _DATES:
        m = expression.match(text, start)
        if m is None:
            continue
        try:
            day = datetime.strptime(" ".join(_ORDINAL.sub(" ", m[0]).split()), form).date()  # noqa: DTZ007
        except ValueError:
            continue
        keys = {value_key(day.strftime(f)) for f in _DATE_FORMS} | {value_key(m[0])}
        keys |= {f"{day.day} {day.month:02} {day.year}", f"{day.day} {day.month} {day.year}"}
        return day, m[0], frozenset(keys)
    return None
