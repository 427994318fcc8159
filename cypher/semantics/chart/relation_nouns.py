"""Relationships said as nouns where something of them is asked: "the lowest rating in the reviews"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from cypher.semantics.chart.auxiliaries import auxiliary
from cypher.semantics.chart.forms import Features, Noun, Thing, Wanted
from cypher.semantics.chart.limits import kinds_of
from cypher.semantics.chart.wanting import past_relation, property_list, property_words
from cypher.semantics.chart.wordlists import PREPOSITIONS
from cypher.semantics.score import total

if TYPE_CHECKING:
    from cypher.semantics.chart.lexemes import Lexeme
    from cypher.semantics.chart.parser import Parser


def property_in(p: Parser, at: int, begin: Features) -> Iterator[Noun]:
    """ "Rating in the reviews", "roles available in the ACTED_IN relationship"."""
    for names, end, score in property_list(p, at):
        aux = auxiliary(p, end)
        places = (end, aux.end) if aux.being else (end,)
        for kind in names[0].owners if len(names) == 1 and names[0].name else ():
            if p.vocabulary.schema.relation(kind) is None:
                continue
            for stop in dict.fromkeys(x for place in places for x in past_relation(p, place, kind)):
                yield from _held(p, stop, kind, names[0].name, (*begin, *property_words(names, score)))
    yield from _compound(p, at, begin)


def _compound(p: Parser, at: int, begin: Features) -> Iterator[Noun]:
    """ "The loan fee", "the review rating": the relation in front of what it has."""
    for relation in p.lattice.of(at, "relation"):
        if p.word(relation.end - 1).endswith(("ed", "ing")):
            continue
        for names, end, score in property_list(p, relation.end):
            if len(names) == 1 and relation.name in names[0].owners:
                yield from _held(
                    p, end, relation.name, names[0].name, (*begin, *property_words(names, score))
                )


def _held(p: Parser, end: int, kind: str, name: str, begin: Features) -> Iterator[Noun]:
    """A property of all relationships of a type."""
    more: Features = (*begin, ("c_relation", 0.5), ("c_cue", 0.5))
    for way in p.ways.of(kind):
        if way.own:
            wanted = Wanted((), kind, name, way.path[0])
            yield Noun(end, Thing(way.start), total(more), more, wanted=(wanted,))


def behind_verb(p: Parser, end: int, prop: Lexeme) -> Iterator[int]:
    """ "(Roles) played in", "(ratings) were left for": behind the verb of what has the property."""
    at = auxiliary(p, end).end
    for lexeme in p.lattice.of(at, "relation"):
        if lexeme.name in prop.owners and p.vocabulary.schema.relation(lexeme.name):
            stop = lexeme.end + (p.word(lexeme.end) in PREPOSITIONS)
            if p.word(stop - 1) in PREPOSITIONS and p.word(stop - 1) != "by":
                yield stop


def named_anew(p: Parser, noun: Noun) -> Iterator[Noun]:
    """ "(Actors) in the ACTED_IN relationship": the relation by which the things are told, once more."""
    kinds = {kind for x in noun.thing.limits for kind in kinds_of(x)}
    for kind in sorted(kinds):
        for end in past_relation(p, noun.end, kind):
            more: Features = (("c_cue", 1.0),)
            score = noun.score + total(more)
            yield replace(noun, end=end, score=score, features=noun.features + more, bare=False)
