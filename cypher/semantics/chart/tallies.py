"""Counts asked for without "how many": "break the ships down by kind", "ships per port"."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from cypher.semantics.chart.forms import Features, Noun, Thing, Wanted
from cypher.semantics.chart.keys import keys_behind
from cypher.semantics.chart.topics import COUNTING, JOINING, Topic, phrase_at
from cypher.semantics.chart.wordlists import COMMANDS, FREE, words_of

if TYPE_CHECKING:
    from cypher.semantics.chart.parser import Parser

_BREAKING: Final = words_of(
    "break split group divide separate classify categorise categorize partition arrange tally distribute",
)
_DOWN: Final = frozenset({"down", "up", "out", "apart"})
_TAILS: Final = words_of(
    "and then also tell give show report state count counting me us how many there are is the a number",
    "numbers",
    "of for in each every one group groups them it total totals counts figure with have has having belong to",
    "that which so occur occurs does do often times exist along together by size . ? ! ; ,",
)
"""Words that ask again for the count behind the key."""
_COUNTED: Final = frozenset({"count", "counts", "numbers", "totals", "tally"})
_THEIR: Final = frozenset({"its", "their", "his", "her", "that", "own"})
_ITSELF: Final = frozenset({"itself", "themselves", "again", "concerned"})

Tally = tuple[Thing, int, tuple[Wanted, ...], Features]


def broken_down(p: Parser, at: int) -> Iterator[Tally]:
    """Things that a command sorts by a key, which asks how many there are of each."""
    yield from _each_value(p, at)
    if p.word(at) not in _BREAKING:
        return
    at += 1
    at += p.word(at) in _DOWN
    while p.word(at) in FREE:
        at += 1
    at = phrase_at(p, at, COUNTING) or at
    for noun in p.nouns(at):
        if noun.quantity or noun.wanted or noun.also or noun.either:
            continue
        end = noun.end + (p.word(noun.end) in _DOWN)
        for keys, stop, features in keys_behind(p, end, noun.thing):
            if _only_tail(p, stop):
                yield noun.thing, p.size, keys, (*noun.features, *features, ("c_cue", 1.0))


def _only_tail(p: Parser, end: int) -> bool:
    return all(word in _TAILS for word in p.lower[end:])


def _each_value(p: Parser, at: int) -> Iterator[Tally]:
    """ "The kinds of ships and how many ships there are of each", "... and how often each occurs"."""
    for noun in p.nouns(at):
        own = len(noun.wanted) == 1 and not noun.wanted[0].path and not noun.wanted[0].step
        end = noun.end
        while p.word(end) in ("are", "is", "there", "exist"):
            end += 1
        while p.word(end) in JOINING - {"is"}:
            end += 1
        if not own or end == noun.end or noun.quantity or noun.also or noun.either:
            continue
        stop = phrase_at(p, end, COUNTING)
        often = p.lower[end : end + 2] == ("how", "often")
        labels = {x.end for x in p.lattice.of(stop, "label") if x.name == noun.thing.label} if stop else set()
        bare = {stop} if stop and p.lower[stop : stop + 2] in (("of", "each"), ("there", "are")) else set()
        for last in (*labels, *bare, *((end + 2,) if often else ())):
            if _only_tail(p, last) and {"each", "every"} & set(p.lower[last:]):
                features: Features = (*noun.features, ("c_cue", 2.0), ("c_label", float(bool(labels))))
                yield noun.thing, p.size, noun.wanted, features


def plain_counts(p: Parser, at: int) -> Iterator[tuple[Noun, int]]:
    """ "Ships per port", "the ship count per port": a noun that is counted because of what follows."""
    for lexeme in p.lattice.of(at, "label"):
        if p.word(lexeme.end) in _COUNTED and p.word(lexeme.end + 1) != "of":
            thing = Thing(lexeme.name)
            yield Noun(lexeme.end, thing, 0.0, (("c_label", lexeme.score),)), lexeme.end + 1
    for noun in p.nouns(at) if "per" in p.lower else ():
        if p.word(noun.end) == "per" and not (noun.wanted or noun.quantity or noun.also or noun.either):
            yield noun, noun.end


def echoed(p: Parser, topic: Topic) -> Iterator[tuple[str, int]]:
    """ "(For the port Hull), show the port and the number of ...": the key, and where the count starts."""
    at = topic.end
    while p.word(at) in COMMANDS | FREE | _THEIR:
        at += 1
    found = [(x.name, x.end) for x in p.lattice.of(at, "property") if topic.thing.label in x.owners]
    found += [("", x.end) for x in p.lattice.of(at, "label") if x.name == topic.thing.label]
    for key, end in found:
        place = behind = end + (p.word(end) in _ITSELF)
        while p.word(place) in JOINING or (place > behind and p.word(place) in FREE):
            place += 1
        if place > behind and phrase_at(p, place, COUNTING):
            yield key, place
