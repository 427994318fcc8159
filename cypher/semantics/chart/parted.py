"""Phrases for a relation with something in the middle: "knows Ann from school", "sent on 3 May by Ann"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from cypher.semantics.chart.forms import Features, Linked, LooseNumber, Predicate
from cypher.semantics.chart.lexemes import Lexeme
from cypher.semantics.chart.tied_days import on_tie
from cypher.semantics.chart.verb_sides import Verb
from cypher.semantics.chart.verbs import joined, tied, ties, with_objects
from cypher.semantics.chart.wordlists import PREPOSITIONS
from cypher.semantics.score import total

if TYPE_CHECKING:
    from cypher.semantics.chart.parser import Parser

_LONGEST: Final = 4
"""Words behind the object at most."""
_BETWEEN: Final = frozenset({"by", "to", "with", "of"})
"""Prepositions before the object that are no part of the phrase."""


def parted(p: Parser, at: int, verb: Verb, begin: Features) -> Iterator[Predicate]:
    """ "(is) known to Ann through her school", for a relation that is said "knows through school"."""
    yield from _by_when(p, verb, begin)
    stop = verb.end - (p.word(verb.end - 1) in _BETWEEN)
    found: dict[int, list[tuple[int, list[Lexeme]]]] = {}
    for noun in p.objects(verb.end):
        if noun.wanted or not p.word(noun.end).isalpha():
            continue
        if noun.end not in found:
            found[noun.end] = list(_behind(p, at, stop, noun.end))
        for end, lexemes in found[noun.end]:
            from_end = bool(verb.lexemes) and all(x.side == -1 and x.phrase for x in verb.lexemes)
            said = tuple(replace(x, side=-1) for x in lexemes) if from_end else tuple(lexemes)
            for label, path, cost in ties(p, replace(verb, lexemes=said), noun.thing.label):
                features = (*begin, *noun.features, *cost)
                yield Predicate(end, label, tied(path, noun), total(features), features)


def _by_when(p: Parser, verb: Verb, begin: Features) -> Iterator[Predicate]:
    """ "(Was) sent on 3 May by Ann": a day or time of the subject before the verb's preposition."""
    for when in p.limits(verb.end) if not verb.word else ():
        word = p.word(when.end)
        loose = all(isinstance(x, LooseNumber) for x in when.limits)
        if when.label or not loose or word not in PREPOSITIONS:
            continue
        said = joined(p, verb, when.end + 1, word)
        for found in with_objects(p, said, begin):
            features = (*found.features, *when.features)
            ways = [x.path for x in found.limits if isinstance(x, Linked)]
            told = [x for way in ways for x in on_tie(p, way, when)]
            limits = (*(told or when.limits), *found.limits)
            yield replace(found, limits=limits, score=total(features), features=features)


def unknown(p: Parser, at: int, begin: Features) -> Iterator[Predicate]:
    """ "(Whom) Ann calls kin", where "call" alone says no relation."""
    if p.word(at).isalpha() and not p.lattice.of(at, "relation", "label", "value"):
        for verb in (Verb(at + 1, ()), Verb(at + 2, (), p.word(at + 1))):
            if not verb.word or verb.word in _BETWEEN:
                yield from parted(p, at, verb, begin)


def _behind(p: Parser, at: int, stop: int, start: int) -> Iterator[tuple[int, list[Lexeme]]]:
    """Where phrases end that go on at ``start``, with the relations that they say."""
    ends = range(start + 2, start + _LONGEST + 1) if p.word(start) in PREPOSITIONS else (start + 1,)
    for end in (x for x in ends if x <= p.size):
        lexemes = p.lattice.parted(at, stop, start, end)
        if lexemes:
            yield end, lexemes
