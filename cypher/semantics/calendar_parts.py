"""Parts of the calendar: "in December" of any year, "in the first quarter of 2024" as its days."""

from __future__ import annotations

import calendar
import re
from dataclasses import replace
from typing import Final

from cypher.semantics.ir import Filter, Operator, Period, Query
from cypher.semantics.iso_days import is_iso
from cypher.semantics.stand_ins import ANY_YEAR

_MONTHS: Final = {name: n for n, name in enumerate(calendar.month_name) if name}
_MONTH: Final = rf"(?P<month>{'|'.join(_MONTHS)})"
_OF_ANY_YEAR: Final = re.compile(
    rf"\b(?P<in>in|during) (?:the month of )?{_MONTH}\b(?! of \d|,? \d)(?!,? (?:last|this))"
)
_YEAR: Final = re.compile(r"\b(?:1[5-9]|20)\d\d\b")
_PARTS: Final = {
    "first": 0,
    "1st": 0,
    "second": 1,
    "2nd": 1,
    "third": 2,
    "3rd": 2,
    "fourth": 3,
    "4th": 3,
    "last": -1,
}
_QUARTER: Final = re.compile(
    r"\bin (?:(?:the )?(?P<place>first|second|third|fourth|last|1st|2nd|3rd|4th) (?P<part>quarter|half)"
    r"|Q(?P<number>[1-4]))(?: of)?(?: the year)? (?P<year>(?:1[5-9]|20)\d\d)\b",
    re.IGNORECASE,
)


def in_a_month(question: str) -> tuple[str, int] | None:
    """The question with a year behind its month, and the month; ``None`` where a year is said, or no month.

    >>> in_a_month("Who was born in December?")
    ('Who was born in December 1584?', 12)
    >>> in_a_month("Who was born in December 1990?") is None
    True
    """
    found = _OF_ANY_YEAR.search(question)
    if found is None or _YEAR.search(question):
        return None
    text = f"{question[: found.end()]} {ANY_YEAR}{question[found.end() :]}"
    return text, _MONTHS[found["month"]]


def of_any_year(month: int, query: Query) -> Query | None:
    """The reading with the month alone in place of its days in the year that stands for any.

    >>> from cypher.semantics.ir import Node, PropertyRef
    >>> born = PropertyRef(0, "born")
    >>> days = (Filter(born, Operator.GE, "1584-12-01"), Filter(born, Operator.LE, "1584-12-31"))
    >>> [f.value for f in of_any_year(12, Query((Node("Person"),), filters=days)).filters]
    [12]
    """
    days = [f for f in query.filters if is_iso(f.value) and str(f.value).startswith(f"{ANY_YEAR}-")]
    fits = {f.operator for f in days} == {Operator.GE, Operator.LE} and len(days) == 2
    ref = days[0].ref if days else None
    if ref is None or not fits or days[1].ref != ref or ref.day_text or str(ANY_YEAR) in repr(query.clauses):
        return None
    monthly = Filter(replace(ref, period=Period.CALENDAR_MONTH), Operator.EQ, month)
    return replace(query, filters=(*(f for f in query.filters if f not in days), monthly))


def quartered(question: str) -> str:
    """The question with the days of a quarter, or of half a year.

    >>> quartered("Which visits were in the first quarter of 2024?")
    'Which visits were between 2024-01-01 and 2024-03-31?'
    >>> quartered("How many films came out in Q4 2023?")
    'How many films came out between 2023-10-01 and 2023-12-31?'
    """

    def days(found: re.Match[str]) -> str:
        size = 6 if (found["part"] or "").lower() == "half" else 3
        count = 12 // size
        place = int(found["number"]) - 1 if found["number"] else _PARTS[found["place"].lower()] % count
        if found["place"] and _PARTS[found["place"].lower()] >= count:
            return found[0]
        year, first, last = int(found["year"]), place * size + 1, (place + 1) * size
        end = calendar.monthrange(year, last)[1]
        return f"between {year}-{first:02}-01 and {year}-{last:02}-{end:02}"

    return _QUARTER.sub(days, question)
