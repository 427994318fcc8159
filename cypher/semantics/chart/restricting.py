"""Nouns that say "these alone", or more of one than of another: "only ferries", "more ships than Ann"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from cypher.semantics.chart.forms import Features, Limit, Linked, Loose, Noun, Only, Predicate, Quantity
from cypher.semantics.ir import Operator
from cypher.semantics.score import total

if TYPE_CHECKING:
    from cypher.semantics.chart.parser import Parser

ONLY: Final = Quantity("only")
_NOTHING_BUT: Final = (
    *(("nothing", "but"), ("nobody", "but"), ("none", "but"), ("no", "one", "but"), ("nothing", "except")),
    *(
        ("nobody", "except"),
        ("no", "one", "except"),
        ("nobody", "other", "than"),
        ("nothing", "other", "than"),
    ),
)
ONLY_WORDS: Final = frozenset({"only", "solely", "exclusively"})
_MORE: Final = {"more": Operator.GT, "fewer": Operator.LT, "less": Operator.LT}
_OUTNUMBERING: Final = frozenset({"outnumber", "outnumbers", "outnumbered", "exceed", "exceeded"})
_JOINED: Final = frozenset({"and", "or", "but", ",", "who", "that", "which"})


def restricted(p: Parser, at: int, start: int, begin: Features) -> Iterator[Noun]:
    """Nouns at ``start`` that "only" singles out, from ``at`` on, or that are counted against others."""
    places = [start] if ONLY_WORDS & set(p.lower[at:start]) else []
    places += [start + len(x) for x in _NOTHING_BUT if p.lower[start : start + len(x)] == x]
    for place in places:
        for core in p.cores(place):
            if core.quantity is None and not core.wanted:
                more: Features = (*begin, ("c_cue", 0.5))
                yield _with(core, ONLY, more)
    yield from _outnumbering(p, start, begin)


def _with(core: Noun, quantity: Quantity, more: Features) -> Noun:
    return replace(
        core, quantity=quantity, score=core.score + total(more), features=more + core.features, named=False
    )


def only_behind(p: Parser, noun: Noun) -> Iterator[Noun]:
    """ "(Owns) ferries only"."""
    after = p.word(noun.end + 1)
    ends = after in _JOINED or not after.isalnum()
    if p.word(noun.end) in ONLY_WORDS and ends and noun.quantity is None and noun.thing.limits:
        yield replace(_with(noun, ONLY, (("c_cue", 0.5),)), end=noun.end + 1)


def _outnumbering(p: Parser, at: int, begin: Features) -> Iterator[Noun]:
    """ "More ferries than trawlers", "as many ships as Ann"."""
    operator, place, link = _MORE.get(p.word(at)), at + 1, "than"
    if p.lower[at : at + 2] in (("as", "many"), ("as", "much")):
        operator, place, link = Operator.EQ, at + 2, "as"
    if operator is None:
        return
    for first in p.nouns(place):
        if first.quantity or first.wanted or first.also or first.either or p.word(first.end) != link:
            continue
        for other in _others(p, first.end + 1):
            more: Features = (*begin, ("c_cue", 3.0), *other.features)
            noun = _with(first, Quantity("exceeds", operator), more)
            yield replace(noun, end=other.end, also=(other.thing,), modified=9)


def outnumbering(p: Parser, at: int, word: str) -> Iterator[Predicate]:
    """ "(The ports where) ferries outnumber trawlers": where there are more of one than of the other."""
    if not _OUTNUMBERING & set(p.lower[at:]):
        return
    for first in p.nouns(at):
        if first.quantity or first.wanted or first.also or first.either:
            continue
        for other in p.nouns(first.end + 1) if p.word(first.end) in _OUTNUMBERING else ():
            plain = not (other.quantity or other.wanted or other.also or other.either)
            if plain and other.thing.label == first.thing.label:
                features: Features = (*first.features, *other.features, ("c_cue", 3.0))
                more = Quantity("exceeds", Operator.GT)
                limits = (Loose(first.thing, word, more, other=other.thing),)
                yield Predicate(other.end, "", limits, total(features), features, finite=True, hole="place")


def _others(p: Parser, at: int) -> Iterator[Noun]:
    for other in p.cores(at):
        if not (other.quantity or other.wanted or other.also or other.either) and other.thing.limits:
            ones = p.word(other.end) in ("one", "ones")
            yield replace(other, end=other.end + ones, score=other.score)
            if p.word(other.end) in ("does", "do", "did", "has", "have"):
                yield replace(other, end=other.end + 1)


def none_else(p: Parser, at: int, end: int, found: Predicate) -> Iterator[Predicate]:
    """The predicate said of nothing else where "only" stands among its auxiliaries: "who only know Danes"."""
    if not ONLY_WORDS & set(p.lower[at:end]):
        return
    limits: list[Limit] = []
    for limit in found.limits:
        if not isinstance(limit, Linked) or not limit.thing.limits:
            return
        limits.append(Only(limit.path, limit.thing))
    features = (*found.features, ("c_cue", 0.5))
    yield replace(found, limits=tuple(limits), features=features, score=total(features))


def is_every(p: Parser, start: int, end: int) -> bool:
    """Whether "all" stands among words: "whose ships are all registered in Hull"."""
    return "all" in p.lower[start:end]
