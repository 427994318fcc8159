"""Lengths of time with their units: "longer than a minute", "lasted two hours", "over 90 seconds"."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from cypher.semantics.chart.forms import Features, LooseNumber, Predicate
from cypher.semantics.chart.phrases import comparison
from cypher.semantics.chart.wordlists import MEASURING
from cypher.semantics.ir import Operator
from cypher.semantics.score import total
from cypher.semantics.time_units import converted, own_unit, unit_of

if TYPE_CHECKING:
    from cypher.semantics.chart.parser import Parser

_HINTS: Final = frozenset({"", "length", "duration"})


def spans(p: Parser, at: int) -> Iterator[tuple[float, str, int]]:
    """Lengths of time at a word: how many, of what unit, and where they end."""
    half = p.word(at) == "half"
    place = at + half
    if p.word(place) in ("a", "an", "one") and (unit := unit_of(p.word(place + 1))):
        yield (0.5 if half else 1), unit, place + 2
    for lexeme in p.lattice.of(at, "number"):
        if lexeme.number is not None and (unit := unit_of(p.word(lexeme.end))):
            yield lexeme.number, unit, lexeme.end + 1


def lasting(p: Parser, at: int) -> Iterator[Predicate]:
    """ "Longer than a minute", "more than two hours long", "lasted an hour"."""
    verb = p.word(at) in MEASURING and MEASURING[p.word(at)] == "length"
    start = at + verb
    start += verb and p.word(start) == "for"
    compared = comparison(p.lower, start)
    if (compared and compared.hint not in _HINTS) or not (compared or verb):
        return
    operator, place = (compared.operator, compared.end) if compared else (Operator.EQ, start)
    for number, unit, end in spans(p, place):
        stop = end + (p.word(end) == "long")
        stop += 2 * (p.lower[end : end + 2] in (("in", "length"), ("in", "duration")))
        features: Features = (("c_cue", 2.0),)
        limit = LooseNumber(operator, number, "duration", unit=unit)
        yield Predicate(stop, "", (limit,), total(features), features)


def in_unit(p: Parser, at: int, owner: str, name: str) -> Iterator[tuple[float, int]]:
    """Lengths of time at a word as a property keeps them, where its unit is known."""
    own = own_unit(p.vocabulary.words, owner, name)
    for number, unit, end in spans(p, at) if own else ():
        if unit != own:
            yield converted(number, unit, own), end
