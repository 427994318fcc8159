"""Amounts with their units: "longer than a minute", "lasted two hours", "above 500 metres"."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from cypher.semantics.chart.forms import Features, LooseNumber, Predicate
from cypher.semantics.chart.phrases import Comparison, comparison, open_ended
from cypher.semantics.chart.stated import past_unit
from cypher.semantics.chart.wordlists import ENDING, MEASURING, RUNNING
from cypher.semantics.ir import Literal, Operator
from cypher.semantics.score import total
from cypher.semantics.units import converted, is_of_time, may_be_in, measure_of, own_unit, unit_of

if TYPE_CHECKING:
    from cypher.semantics.chart.parser import Parser

_HINTS: Final = frozenset({"", "length", "duration"})


def spans(p: Parser, at: int) -> Iterator[tuple[float, str, int]]:
    """Amounts of a unit at a word, of time or else: how many, of what unit, and where they end."""
    half = p.word(at) == "half"
    place = at + half
    if p.word(place) in ("a", "an", "one") and (unit := measure_of(p.word(place + 1))):
        yield (0.5 if half else 1), unit, place + 2
        if p.lower[place + 2 : place + 5] == ("and", "a", "half"):
            yield 1.5, unit, place + 5
    for lexeme in p.lattice.of(at, "number"):
        if lexeme.number is not None and (unit := measure_of(p.word(lexeme.end))):
            end = lexeme.end + 1
            yield lexeme.number, unit, end
            if p.lower[end : end + 3] == ("and", "a", "half"):
                yield lexeme.number + 0.5, unit, end + 3


def lasting(p: Parser, at: int) -> Iterator[Predicate]:
    """ "Longer than a minute", "more than two hours long", "lasted an hour"."""
    start, verb = _past_verb(p, at)
    yield from _ranging(p, start)
    compared = comparison(p.lower, start)
    yield from _open_measure(p, at)
    if compared and not verb:
        yield from _measuring(p, compared)
    if (compared and compared.hint not in _HINTS) or not (compared or verb):
        return
    operator, place = (compared.operator, compared.end) if compared else (Operator.EQ, start)
    if not compared:
        yield from _open(p, start)
        operator = Operator.LE if verb and p.word(start - 1) == "within" else operator
    for number, unit, end in _times(p, place):
        stop = end + (p.word(end) == "long")
        stop += 2 * (p.lower[end : end + 2] in (("in", "length"), ("in", "duration")))
        yield _long(stop, operator, number, unit)


def _times(p: Parser, at: int) -> Iterator[tuple[float, str, int]]:
    return (found for found in spans(p, at) if is_of_time(found[1]))


def _measuring(p: Parser, compared: Comparison) -> Iterator[Predicate]:
    """ "Above 500 metres", "more than 3 hectares": a number in a unit that tells which property is meant."""
    features: Features = (("c_cue", 1.5),)
    for number, unit, end in spans(p, compared.end):
        if not is_of_time(unit):
            limit = LooseNumber(compared.operator, number, compared.hint, unit=unit)
            yield Predicate(end, "", (limit,), total(features), features)


def _open_measure(p: Parser, at: int) -> Iterator[Predicate]:
    """ "(At) 15 degrees or warmer", "300 metres or more"."""
    for number, unit, end in spans(p, at + (p.word(at) in ("at", "with", "of"))):
        beyond = open_ended(p.lower, end)
        if beyond and not is_of_time(unit):
            features: Features = (("c_cue", 2.5),)
            yield Predicate(
                beyond[0], "", (LooseNumber(beyond[1], number, "", unit=unit),), total(features), features
            )


def _ranging(p: Parser, at: int) -> Iterator[Predicate]:
    """ "Between 10 and 40 seconds", "10 to 40 seconds", "from 10 seconds to a minute"."""
    between = p.word(at) == "between"
    at += between or p.word(at) == "from"
    for low in p.lattice.of(at, "number"):
        own = unit_of(p.word(low.end))
        middle = low.end + bool(own)
        if low.number is None or p.word(middle) not in (("and",) if between else ("to", "-")):
            continue
        for high, unit, end in _times(p, middle + 1):
            features: Features = (("c_cue", 3.0),)
            top = converted(high, unit, own) if own else high
            least = LooseNumber(Operator.GE, low.number, "duration", unit=own or unit)
            most = LooseNumber(Operator.LE, top, "duration", unit=own or unit)
            yield Predicate(end, "", (least, most), total(features), features)


def _past_verb(p: Parser, at: int) -> tuple[int, bool]:
    """Behind "lasted", "ran for", "ended within", and whether there is such a verb."""
    word, after = p.word(at), at + 1
    if MEASURING.get(word) == "length":
        return after + (p.word(after) == "for"), True
    after += word in RUNNING and p.word(after) == "on"
    joined = {"for"} if word in RUNNING else {"in", "within", "after"} if word in ENDING else set()
    return (after + 1, True) if p.word(after) in joined else (at, False)


def _open(p: Parser, at: int) -> Iterator[Predicate]:
    """ "(Lasting) 60 seconds or more", "60 or more seconds"."""
    for lexeme in p.lattice.of(at, "number"):
        beyond = open_ended(p.lower, lexeme.end)
        unit = unit_of(p.word(beyond[0])) if beyond else ""
        if beyond and unit and lexeme.number is not None:
            yield _long(beyond[0] + 1, beyond[1], lexeme.number, unit)
    for number, unit, end in _times(p, at):
        if beyond := open_ended(p.lower, end):
            yield _long(beyond[0], beyond[1], number, unit)


def _long(end: int, operator: Operator, number: float, unit: str) -> Predicate:
    features: Features = (("c_cue", 2.5),)
    limit = LooseNumber(operator, number, "duration", unit=unit)
    return Predicate(end, "", (limit,), total(features), features)


def in_unit(p: Parser, at: int, owner: str, name: str) -> Iterator[tuple[float, int]]:
    """Amounts of a unit at a word as a property keeps them, where it may be told in that unit."""
    own = own_unit(p.vocabulary.words, owner, name)
    for number, unit, end in spans(p, at):
        fits = bool(own) and unit != own if is_of_time(unit) else may_be_in(unit, name, own)
        if fits:
            yield converted(number, unit, own), end


def of_unit(
    p: Parser, at: int, owner: str, name: str, ends: tuple[Literal, Literal]
) -> tuple[Literal, Literal, int]:
    """ "(Between 10 and 40) seconds": both numbers as a property keeps them, and where the unit ends."""
    unit, own = measure_of(p.word(at)), own_unit(p.vocabulary.words, owner, name)
    low, high = ends
    if not unit or not isinstance(low, (int, float)) or not isinstance(high, (int, float)):
        return low, high, at
    if not own and (is_of_time(unit) or not may_be_in(unit, name, own)):
        return low, high, past_unit(p, at, owner, name)
    return converted(low, unit, own), converted(high, unit, own), at + 1
