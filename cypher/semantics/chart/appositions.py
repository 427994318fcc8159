"""What is told of a name behind a comma: "R-1, the radio of Ann", "Hull, the one that lies in Yorkshire"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from cypher.semantics.chart.forms import Features, Limit, Noun
from cypher.semantics.chart.naming import brings_in
from cypher.semantics.chart.wordlists import ENDS
from cypher.semantics.score import total

if TYPE_CHECKING:
    from cypher.semantics.chart.parser import Parser

_ARTICLES: Final = frozenset({"the", "a", "an"})
_BEING: Final = (("that", "being"), ("this", "being"), ("being",), ("namely",), ("meaning",))


def apposed(p: Parser, noun: Noun) -> Iterator[Noun]:
    """A name with what kind of thing it is and what is told of that, up to another comma.

    And the other way about: a kind that is new with its name, "another port, Hull".
    """
    if p.word(noun.end) != ",":
        return
    at = noun.end + 1
    if brings_in(p, noun.end) and not noun.modified:
        yield from _named(p, noun, at)
    if not noun.named:
        return
    at += next((len(x) for x in _BEING if p.lower[at : at + len(x)] == x), 0)
    if p.word(at) not in _ARTICLES:
        return
    for end, limits, said in (*_kinds(p, at, noun), *_ones(p, at, noun)):
        if p.word(end) in ENDS:
            more: Features = (*said, ("c_cue", 1.0))
            yield replace(
                noun, end=end + (p.word(end) == ","), thing=noun.thing.plus(*limits), bare=False,
                score=noun.score + total(more), features=noun.features + more,
            )  # fmt: skip


def _named(p: Parser, noun: Noun, at: int) -> Iterator[Noun]:
    for other in p.nouns(at):
        plain = not (other.wanted or other.quantity or other.also or other.either)
        alike = other.thing.label == noun.thing.label and other.thing.limits
        if plain and alike and p.word(other.end) in ENDS:
            more: Features = (*other.features, ("c_cue", 1.0))
            yield replace(
                noun, end=other.end + (p.word(other.end) == ","), thing=noun.thing.plus(*other.thing.limits),
                named=other.named, bare=False, score=noun.score + total(more),
                features=noun.features + more, modified=1,
            )  # fmt: skip


def _kinds(p: Parser, at: int, noun: Noun) -> Iterator[tuple[int, tuple[Limit, ...], Features]]:
    """ "The radio that Ann owns", of the label that the name has."""
    for other in p.nouns(at):
        plain = not (other.wanted or other.quantity or other.also or other.either or other.named)
        if plain and other.thing.label == noun.thing.label and other.thing.limits:
            yield other.end, other.thing.limits, other.features


def _ones(p: Parser, at: int, noun: Noun) -> Iterator[tuple[int, tuple[Limit, ...], Features]]:
    """ "The one that Ann owns"."""
    for told in p.modifiers(at + 2) if p.word(at + 1) == "one" else ():
        for limits, cost in p.settler.on(noun.thing.label, told.label, told.limits):
            yield told.end, limits, (*told.features, ("c_bridge", cost))
