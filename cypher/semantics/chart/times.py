"""Questions of where, when and how long."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from cypher.semantics.chart.asked_days import days_asked
from cypher.semantics.chart.auxiliaries import auxiliary, lying
from cypher.semantics.chart.forms import Asked, Noun, Predicate, Thing, Wanted
from cypher.semantics.chart.subjects import day_of_event
from cypher.semantics.chart.wholes import LIFE, asked_gaps, life_properties, whole
from cypher.semantics.chart.wordlists import UNITS
from cypher.semantics.ir import Head, Measure

if TYPE_CHECKING:
    from cypher.semantics.chart.parser import Parser

_PLACES: Final = ("area", "region", "city", "town", "country", "location", "place", "planet", "address")
HOW: Final = {
    "long": "length", "old": "age", "tall": "length", "heavy": "mass", "fast": "speed", "expensive": "price",
}  # fmt: skip
_MEASURING: Final = frozenset({"last", "take", "run", "weigh", "cost"})
"""Verbs behind "how long did the call ..."."""


def how(p: Parser, at: int) -> Iterator[Asked]:
    """ "How long was the call": the property that an adjective measures."""
    aux = auxiliary(p, at + 1)
    for noun in p.nouns(aux.end):
        info = p.settler.property_for(noun.thing.label, HOW[p.word(at)])
        if info is not None and not noun.wanted and noun.quantity is None:
            end = noun.end + (p.word(noun.end) in _MEASURING)
            done = replace(noun, end=end, wanted=(Wanted((), noun.thing.label, info.name),))
            yield from whole(p, done, Head.LIST, ("c_main", 1.0), ("c_cue", 1.0))


def how_many_units(p: Parser, at: int) -> Iterator[Asked]:
    """ "(How many) seconds did the call last": a measure told by its unit, not a count."""
    for lexeme in p.lattice.of(at, "property"):
        mean = 2 * (p.lower[lexeme.end : lexeme.end + 2] == ("on", "average"))
        aux = auxiliary(p, lexeme.end + mean)
        for noun in p.nouns(aux.end) if p.word(at) in UNITS and aux.any else ():
            info = p.vocabulary.words.properties.get((noun.thing.label, lexeme.name))
            if info is None or not info.numeric or noun.wanted or noun.quantity:
                continue
            end = noun.end + (p.word(noun.end) in _MEASURING)
            done = replace(noun, end=end, wanted=(Wanted((), noun.thing.label, info.name),))
            cue = (("c_main", 1.0), ("c_cue", 2.0), ("c_property", 1.0))
            if not mean:
                yield from whole(p, done, Head.LIST, *cue)
                continue
            for asked in whole(p, done, Head.AGGREGATE, *cue):
                yield replace(asked, measure=Measure.AVG)


def where(p: Parser, at: int) -> Iterator[Asked]:
    known = {label.name.lower(): label.name for label in p.vocabulary.schema.labels}
    yield from _of_life(p, at, ("place", "city", "country", "location"))
    for gap in (*asked_gaps(p, at), *p.predicates(at), *_being_somewhere(p, at)):
        for name in _PLACES:
            if name in known:
                for noun in p.attach(Noun(at, Thing(known[name]), 0.0), gap, ("c_main", 1.0)):
                    yield from whole(p, noun, Head.LIST)


def _being_somewhere(p: Parser, at: int) -> Iterator[Predicate]:
    """ "(Where) is Ann"."""
    aux = auxiliary(p, at)
    for noun in p.objects(aux.end) if aux.being else ():
        if not noun.wanted and not p.word(noun.end).isalnum():
            yield replace(lying(noun, "in", (("c_have", 1.0),)), hole="place")


def _of_life(p: Parser, at: int, kinds: tuple[str, ...]) -> Iterator[Asked]:
    """ "Where was Ann born", "when did Ben die": the property named after it."""
    aux = auxiliary(p, at)
    for noun in p.nouns(aux.end):
        label = p.vocabulary.schema.label(noun.thing.label)
        if label is None or p.word(noun.end) not in LIFE:
            continue
        end = noun.end + 1 + (p.word(noun.end) in ("pass", "passed"))
        for name in life_properties(label, p.word(noun.end), kinds):
            done = replace(noun, end=end, wanted=(Wanted((), label.name, name),))
            yield from whole(p, done, Head.LIST, ("c_property", 1.5), ("c_main", 1.0))


def when(p: Parser, at: int) -> Iterator[Asked]:
    yield from _of_life(p, at, ("date", "year", "day"))
    aux = auxiliary(p, at)
    yield from _told_by_verb(p, aux.end)
    yield from day_of_event(p, aux.end)
    yield from days_asked(p, aux.end)
    for noun in p.nouns(aux.end):
        info = p.settler.property_for(noun.thing.label, "date")
        if info is None or noun.wanted:
            continue
        wanted = (Wanted((), noun.thing.label, info.name),)
        yield from whole(p, replace(noun, wanted=wanted), Head.LIST, ("c_main", 1.0))
        for predicate in p.predicates(noun.end):
            for longer in p.attach(replace(noun, wanted=wanted), predicate, ("c_main", 1.0)):
                yield from whole(p, longer, Head.LIST)


def _told_by_verb(p: Parser, at: int) -> Iterator[Asked]:
    """ "(When was) the oldest ferry built": the property that the verb names."""
    for noun in p.nouns(at):
        for lexeme in p.lattice.of(noun.end, "property", "verbal"):
            info = p.vocabulary.words.properties.get((noun.thing.label, lexeme.name))
            if noun.wanted or info is None or not (info.dated or info.numeric):
                continue
            wanted = (Wanted((), noun.thing.label, info.name),)
            done = replace(noun, end=lexeme.end, wanted=wanted)
            yield from whole(p, done, Head.LIST, ("c_property", lexeme.score), ("c_main", 1.0))
