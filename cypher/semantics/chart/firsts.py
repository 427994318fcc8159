"""The first few of things, and what they are ranked by: "the top 5 actors by number of films"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from cypher.semantics.chart.forms import (
    CUT,
    Extreme,
    Features,
    Limit,
    Linked,
    Loose,
    Most,
    Noun,
    Quantity,
    Thing,
)
from cypher.semantics.chart.phrases import superlative
from cypher.semantics.chart.rates import MEASURES, over
from cypher.semantics.chart.verbs import verbs
from cypher.semantics.chart.wanting import past, property_list, wants
from cypher.semantics.chart.wordlists import AUXILIARIES, FREE
from cypher.semantics.schema_paths import Path
from cypher.semantics.score import total

if TYPE_CHECKING:
    from cypher.semantics.chart.parser import Parser

_FIRST: Final = frozenset({"first", "top"})
_BY: Final = (
    ("by",),
    ("based", "on"),
    ("in", "terms", "of"),
    ("according", "to"),
    ("ranked", "by"),
    ("sorted", "by"),
    ("ordered", "by"),
)
_COUNT: Final = (("number", "of"), ("count", "of"), ("amount", "of"))
_TOTAL: Final = FREE | {"total", "highest", "overall", "their", "its", "most"}
_THEY: Final = frozenset({"they", "he", "she", "it", "them", "that", "which"}) | AUXILIARIES


def cut_nouns(p: Parser, at: int, begin: Features) -> Iterator[Noun]:
    """ "First three films", "top 5 films", "3 oldest films": a noun of which so many are wanted."""
    word = p.word(at)
    place = past(p, at + 1) if word in _FIRST else at
    for number in p.lattice.of(place, "number"):
        if number.number is None or number.number != int(number.number) or not 0 < number.number <= 1000:
            continue
        if word not in _FIRST and superlative(p.lower, number.end) is None:
            continue
        ranked = word == "top" and p.lattice.of(past(p, number.end), "agent")
        quantity = Quantity("top" if ranked else "first", number=int(number.number))
        more: Features = (*begin, ("c_cue", 1.5))
        for core in p.cores(number.end):
            if core.quantity is None and not core.named:
                yield replace(
                    core, quantity=quantity, score=core.score + total(more), features=more + core.features,
                    bare=False,
                )  # fmt: skip


def is_cut(noun: Noun) -> bool:
    """Whether only the first few of a noun are meant."""
    return noun.quantity is not None and noun.quantity.kind in CUT


def doers(p: Parser, at: int, begin: Features) -> Iterator[Noun]:
    """ "Actors", "reviewers": all who do what a relation says."""
    labelled = {x.end for x in p.lattice.of(at, "label")}
    for lexeme in p.lattice.of(at, "agent"):
        if lexeme.end in labelled:
            continue
        for way in p.ways.of(lexeme.name):
            if way.own and way.start != way.end and way.forward == (lexeme.side == 1):
                features: Features = (*begin, ("c_relation", lexeme.score))
                thing = Thing(way.start, (Linked(way.path, Thing(way.end)),))
                number = "many" if p.word(lexeme.end - 1).endswith("s") else "one"
                yield Noun(lexeme.end, thing, total(features), features, bare=True, number=number)


def done_by(thing: Thing) -> Linked | None:
    """What the things do that are called after it, as :func:`doers` says it."""
    first = thing.limits[0] if thing.limits else None
    return first if isinstance(first, Linked) and not first.thing.limits else None


def ranking(p: Parser, noun: Noun) -> Iterator[tuple[Thing, int, Features]]:
    """The thing with what it is ranked by, behind it: "by number of films", "by age"."""
    at = noun.end + (p.word(noun.end) == ",")
    size = next((len(x) for x in _BY if p.lower[at : at + len(x)] == x), 0)
    if not size or any(isinstance(x, (Extreme, Most)) for x in noun.thing.limits):
        return
    at += size
    while p.word(at) in _TOTAL:
        yield from _by_measure(p, noun.thing, at)
        at += 1
    size = next((len(x) for x in _COUNT if p.lower[at : at + len(x)] == x), 0)
    if size:
        yield from _by_number(p, noun.thing, past(p, at + size))
    yield from _by_measure(p, noun.thing, at)
    for names, end, score in property_list(p, at):
        wanted, cost = wants(p, noun.thing.label, names)
        info = wanted and p.vocabulary.words.properties.get((wanted[0].label, wanted[0].name))
        if len(wanted) == 1 and not wanted[0].path and info and (info.numeric or info.dated):
            more: Features = (("c_property", score), ("c_bridge", cost), ("c_cue", 1.5))
            yield noun.thing.plus(Extreme(wanted[0].name, True)), end, more


def _by_measure(p: Parser, thing: Thing, at: int) -> Iterator[tuple[Thing, int, Features]]:
    if measure := MEASURES.get(p.word(at)):
        for found in over(p, at + 1, measure, descending=True):
            if found.label == thing.label:
                yield thing.plus(*found.limits), found.end, found.features


def _by_number(p: Parser, thing: Thing, at: int) -> Iterator[tuple[Thing, int, Features]]:
    for counted in p.nouns(at):
        if counted.wanted or counted.quantity or counted.also or counted.either:
            continue
        own = done_by(thing)
        if own and own.path[-1].to == counted.thing.label:
            yield _most(thing, own.path, counted, ("c_cue", 2.0))
        for settled, cost in p.settler.settle((Loose(counted.thing, "has"),), thing.label):
            if len(settled) == 1 and isinstance(settled[0], Linked):
                yield _most(thing, settled[0].path, counted, ("c_cue", 2.0), ("c_bridge", cost))
        yield from _by_verb(p, thing, counted)


def _by_verb(p: Parser, thing: Thing, counted: Noun) -> Iterator[tuple[Thing, int, Features]]:
    """ "(by number of films) they have directed", "(by number of films) acted in"."""
    at = counted.end
    while p.word(at) in _THEY:
        at += 1
    for verb in verbs(p, at):
        for lexeme in verb.lexemes:
            for way in p.ways.of(lexeme.name):
                if way.own and (way.start, way.end) == (thing.label, counted.thing.label):
                    said = replace(counted, end=verb.end)
                    yield _most(thing, way.path, said, ("c_relation", lexeme.score), ("c_cue", 2.0))


def _most(thing: Thing, path: Path, counted: Noun, *more: tuple[str, float]) -> tuple[Thing, int, Features]:
    limits: list[Limit] = [
        x for x in thing.limits if not (isinstance(x, Linked) and x == Linked(path, Thing(path[-1].to)))
    ]
    whole = Thing(thing.label, (*limits, Most(path, counted.thing, True)))
    return whole, counted.end, (*counted.features, *more)


def by_what_they_do(thing: Thing) -> Thing:
    """ "The top 5 directors of films of 1999" are those of most such films."""
    told = [x for x in thing.limits if isinstance(x, Linked)]
    if not told or any(isinstance(x, (Extreme, Most)) for x in thing.limits):
        return thing
    own = told[0]
    best = next((x for x in told if x.path == own.path and x.thing.limits), own)
    rest = tuple(x for x in thing.limits if x is not best and x is not own)
    return Thing(thing.label, (*rest, Most(best.path, best.thing, True)))
