"""Numbers and days: "in 1990", "on 3 May 2017", "in August 2017", "between 1990 and 2000"."""

from __future__ import annotations

import re
from calendar import month_abbr, month_name, monthrange
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from cypher.semantics.chart.forms import AnyOf, Features, Limit, LooseNumber, Predicate
from cypher.semantics.chart.phrases import comparison, open_ended
from cypher.semantics.chart.stated import timed
from cypher.semantics.chart.wordlists import FREE
from cypher.semantics.chart.years import EARLIEST, LATEST
from cypher.semantics.day_times import is_time
from cypher.semantics.ir import Literal, Operator
from cypher.semantics.score import total

if TYPE_CHECKING:
    from cypher.semantics.chart.parser import Parser

_BEFORE_NUMBERS: Final = frozenset({"year", "years", "of", "$", "\u20ac", "\u00a3", "usd", "eur"})
_MONTHS: Final = {
    name.lower(): number for names in (month_name, month_abbr) for number, name in enumerate(names) if name
}
_IN: Final = frozenset({"in", "from", "during", "of", "for", "throughout", "within"})


def made(end: int, label: str, limits: tuple[Limit, ...], features: Features) -> Predicate:
    return Predicate(end, label, limits, total(features), features)


def literals(p: Parser, at: int) -> Iterator[tuple[Literal, int]]:
    """Numbers, days and times of day at a word, with where they end."""
    while p.word(at) in FREE or p.word(at) in _BEFORE_NUMBERS:
        at += 1
    if p.word(at) == "zero":
        yield 0, at + 1
    for lexeme in p.lattice.of(at, "number", "day", "time"):
        if lexeme.kind == "time":
            yield lexeme.text, lexeme.end
        elif lexeme.day is not None:
            yield lexeme.day.isoformat(), lexeme.end
        elif lexeme.number is not None:
            whole = lexeme.number == int(lexeme.number)
            yield int(lexeme.number) if whole else lexeme.number, lexeme.end


def decade(p: Parser, at: int) -> tuple[int, int, int] | None:
    """ "The 1960s": its first and last year, and where it ends."""
    while p.word(at) in FREE:
        at += 1
    found = re.fullmatch(r"(1[5-9]\d0|20\d0)'?s", p.word(at))
    return (int(found[1]), int(found[1]) + 9, at + 1) if found else None


def dated(p: Parser, at: int) -> Iterator[Predicate]:
    """ "In 1990", "on 3 May 2017", "before 1990", "between 1990 and 2000"."""
    word = p.word(at)
    if word in ("dated", "timed") and (compared := comparison(p.lower, at + 1)) and compared.hint == "date":
        for value, end in literals(p, compared.end):
            yield made(end, "", (LooseNumber(compared.operator, value, "date"),), (("c_cue", 2.5),))
    if word in ("in", "on", "from", "dated", "during", "of", "for", "at", "timed"):
        features: Features = (("c_cue", 1.2 if word != "of" else 0.9),)
        for value, end in moments(p, at + 1 + (p.word(at + 1) == "either"), word):
            if beyond := open_ended(p.lower, end):
                wider = LooseNumber(beyond[1], value, "date")
                yield made(beyond[0], "", (wider,), (*features, ("c_cue", 1.0)))
            limit = LooseNumber(Operator.EQ, value, "date")
            yield made(end, "", (limit,), features)
            second = end + 1 + (p.word(end + 1) == word)
            for other, last in moments(p, second, word) if p.word(end) == "or" else ():
                either = AnyOf(((limit,), (LooseNumber(Operator.EQ, other, "date"),)))
                yield made(last, "", (either,), (*features, ("c_list", 1.0)))
    for value, end in literals(p, at + 1) if word == "by" else ():
        if isinstance(value, str):
            yield made(end, "", (LooseNumber(Operator.LE, value, "date"),), (("c_cue", 1.2),))
    yield from timed(p, at)
    yield from monthly(p, at)
    if word in ("in", "from", "during") and (years := decade(p, at + 1)):
        limits = tuple(
            LooseNumber(o, y, "date") for o, y in zip((Operator.GE, Operator.LE), years[:2], strict=True)
        )
        yield made(years[2], "", limits, (("c_cue", 2.0),))
    yield from _spanning(p, at, word)
    if word in ("between", "from"):
        for low, middle in literals(p, at + 1):
            for high, end in literals(p, middle + 1) if p.word(middle) in ("and", "to") else ():
                old = p.lower[end : end + 2] == ("years", "old")
                hint = "age" if old else "date"
                limits = (LooseNumber(Operator.GE, low, hint), LooseNumber(Operator.LE, high, hint))
                yield made(end + 2 * old, "", limits, (("c_cue", 2.0),))


def _spanning(p: Parser, at: int, word: str) -> Iterator[Predicate]:
    """ "In the years 1990 to 2000", "during 1990-2000"."""
    for low, middle in literals(p, at + 1) if word in ("in", "of", "during", "for") else ():
        for high, end in literals(p, middle + 1) if p.word(middle) in ("to", "through", "-") else ():
            if all(isinstance(x, (int, float)) and EARLIEST <= x <= LATEST for x in (low, high)):
                limits = (LooseNumber(Operator.GE, low, "date"), LooseNumber(Operator.LE, high, "date"))
                yield made(end, "", limits, (("c_cue", 2.0),))


def moments(p: Parser, at: int, word: str) -> Iterator[tuple[Literal, int]]:
    """Days and years behind "in" or "on", times of day behind "at"."""
    for value, end in literals(p, at):
        if word in ("at", "timed") or is_time(value):
            fits = is_time(value) and word in ("at", "timed")
        else:
            fits = isinstance(value, str) or 1000 <= value <= 2100
        if fits:
            yield value, end


def months(p: Parser, at: int) -> Iterator[tuple[str, str, int]]:
    """ "August 2017": its first and last day, and where it ends."""
    at += 3 * (p.lower[at : at + 3] == ("the", "month", "of"))
    number = _MONTHS.get(p.word(at))
    place = at + 1 + (p.word(at + 1) in ("of", ","))
    for lexeme in p.lattice.of(place, "number") if number else ():
        year = lexeme.number or 0
        if number and year == int(year) and 1000 <= year <= 2100:
            last = monthrange(int(year), number)[1]
            start = f"{int(year):04}-{number:02}"
            yield f"{start}-01", f"{start}-{last:02}", lexeme.end


def monthly(p: Parser, at: int) -> Iterator[Predicate]:
    """ "In August 2017", "before August 2017"."""
    said: Features = (("c_cue", 2.0),)
    for first, last, end in months(p, at + 1) if p.word(at) in _IN else ():
        limits = (LooseNumber(Operator.GE, first, "date"), LooseNumber(Operator.LE, last, "date"))
        yield made(end, "", limits, said)
    compared = comparison(p.lower, at)
    if compared and compared.hint == "date":
        late = compared.operator in (Operator.GT, Operator.LE)
        for first, last, end in months(p, compared.end):
            limit = LooseNumber(compared.operator, last if late else first, "date")
            yield made(end, "", (limit,), said)
