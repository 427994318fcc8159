"""Two bounds of one property, and one of two: "above 3 and below 5", "a width and a height both over 2"."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from cypher.semantics.chart.days import literals
from cypher.semantics.chart.forms import Features, Has, Predicate
from cypher.semantics.chart.phrases import comparison
from cypher.semantics.chart.wanting import owners
from cypher.semantics.chart.wordlists import FREE, PREPOSITIONS, UNITS, WHO
from cypher.semantics.score import total

if TYPE_CHECKING:
    from cypher.semantics.chart.lexemes import Lexeme
    from cypher.semantics.chart.parser import Parser

_AND: Final = frozenset({"and", "but", "yet"})
_BOTH: Final = frozenset({"both", "each", "either", "that", "which", "are", "is", "of", "with", "being"})
_BEHIND: Final = PREPOSITIONS | WHO | UNITS | {"and", "or", "but", "whose", "where"}
"""Words behind a number of which none is so many."""
_MORE: Final = (("c_cue", 1.5),)

Ordered = Callable[["Parser", int, str, str, Features], Iterator[Predicate]]
"""Conditions on a property whose comparison starts at a word."""


def second_bound(p: Parser, first: Predicate, name: str) -> Iterator[Predicate]:
    """ "(Above 3) and below 5", where no noun follows of which there would be so many."""
    if p.word(first.end) not in _AND or (compared := comparison(p.lower, first.end + 1)) is None:
        return
    for value, end in literals(p, compared.end) if not compared.hint else ():
        if not p.word(end).isalpha() or p.word(end) in _BEHIND:
            limits = (*first.limits, Has(name, compared.operator, value))
            features = (*first.features, *_MORE)
            yield Predicate(end, first.label, limits, total(features), features)


def shared_bound(p: Parser, first: Lexeme, begin: Features, ordered: Ordered) -> Iterator[Predicate]:
    """ "A width and a height both over 2": a condition behind the last of two properties."""
    place = first.end + 1
    while p.word(place) in FREE:
        place += 1
    for other in p.lattice.of(place, "property") if p.word(first.end) == "and" else ():
        at = other.end
        while p.word(at) in _BOTH:
            at += 1
        own = dict(owners(p, first))
        for owner, name in owners(p, other):
            if owner not in own or own[owner] == name or not _is_ordered(p, owner, own[owner]):
                continue
            features: Features = (*begin, ("c_property", other.score), ("c_and", 1.0), *_MORE)
            for found in ordered(p, at, owner, name, features):
                of_first = (replace(x, name=own[owner]) for x in found.limits if isinstance(x, Has))
                yield replace(found, limits=(*of_first, *found.limits))


def _is_ordered(p: Parser, owner: str, name: str) -> bool:
    info = p.vocabulary.words.properties.get((owner, name))
    return info is not None and (info.numeric or info.dated)
