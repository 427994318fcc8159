"""What one knows of another, where a type names both: "whose phone Ann knows" for ``KNOWS_PHONE``.

Such a type joins two things and is said by a verb and by something that the second has; so English puts the
verb, that thing and its owner in any order.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Final, NamedTuple

from cypher.semantics.chart.auxiliaries import auxiliary
from cypher.semantics.chart.forms import Denied, Features, Limit, Noun, Predicate
from cypher.semantics.chart.held import Held
from cypher.semantics.chart.lexemes import Lexeme
from cypher.semantics.chart.verbs import tied
from cypher.semantics.chart.wordlists import FREE
from cypher.semantics.score import total

if TYPE_CHECKING:
    from cypher.semantics.chart.parser import Parser

SAID: Final = 1.8
"""Score of a verb whose object is part of the name of its type."""
_LINKS: Final = frozenset({"by", "to"})
_THEIR: Final = FREE | {"their", "his", "her", "its"}


class Named(NamedTuple):
    """What is known of somebody, as said up to ``end``."""

    held: Held
    end: int
    score: float


def whose(p: Parser, at: int) -> Iterator[Predicate]:
    """ "(whose) phone is known by Ann", "(whose) phone Ann knows", said of its owner."""
    for one in _named(p, at):
        aux = auxiliary(p, one.end)
        if aux.being and _verb(p, aux.end, one.held):
            yield from _passive(p, aux.end + 1, one, negated=aux.negated)
        for noun in p.objects(aux.end):
            after = auxiliary(p, noun.end)
            if _verb(p, after.end, one.held):
                negated = aux.negated or after.negated
                yield from _said(p, replace(noun, end=after.end + 1), one, forward=False, negated=negated)


def had(p: Parser, at: int) -> Iterator[Predicate]:
    """ "(have) their phone known by Ann"."""
    while p.word(at) in _THEIR:
        at += 1
    for one in _named(p, at):
        if _verb(p, one.end, one.held):
            yield from _passive(p, one.end + 1, one, negated=False)


def of_others(p: Parser, at: int) -> Iterator[Predicate]:
    """ "(knows) Ann's phone", "(knows) the phone of Ann", said of who does it."""
    kinds = [x for x in p.ways.held if _verb(p, at, x)]
    for one in _named(p, at + 1) if kinds else ():
        if one.held in kinds and p.word(one.end) == "of":
            for noun in p.objects(one.end + 1):
                yield from _said(p, noun, one, forward=True)
    for noun in p.objects(at + 1) if kinds else ():
        after = noun.end + (p.word(noun.end) == "'")
        for one in _named(p, after) if p.possessive(noun.end) else ():
            if one.held in kinds:
                yield from _said(p, replace(noun, end=one.end), one, forward=True)


def _named(p: Parser, at: int) -> Iterator[Named]:
    while p.word(at) in FREE:
        at += 1
    for one in p.ways.held:
        ends = {x.end: x.score for x in p.lattice.of(at, "label", "property") if _means(x, one, at)}
        for end in sorted(ends):
            yield Named(one, end, ends[end])


def _means(lexeme: Lexeme, one: Held, at: int) -> bool:
    """Whether words name what a type is about; one word is no property of it, "number" of a phone."""
    if lexeme.kind == "label":
        return lexeme.name == one.label
    return lexeme.name == one.property or (one.label in lexeme.owners and lexeme.end > at + 1)


def _verb(p: Parser, at: int, one: Held) -> bool:
    return at < p.size and p.lattice.words[at].stem == one.verb


def _passive(p: Parser, at: int, one: Named, *, negated: bool) -> Iterator[Predicate]:
    if p.word(at) in _LINKS:
        for noun in p.objects(at + 1):
            yield from _said(p, noun, one, forward=False, negated=negated)


def _said(p: Parser, noun: Noun, one: Named, *, forward: bool, negated: bool = False) -> Iterator[Predicate]:
    for way in p.ways.of(one.held.kind):
        if noun.wanted or not way.own or way.forward != forward or way.end != noun.thing.label:
            continue
        features: Features = (*noun.features, ("c_label", one.score), ("c_relation", SAID))
        limits: tuple[Limit, ...] = tied(way.path, noun)
        limits = (Denied(limits),) if negated else limits
        yield Predicate(noun.end, way.start, limits, total(features), features, finite=True)
