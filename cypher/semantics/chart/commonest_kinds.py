"""Things by how many they are tied to, and by a number that an adjective is made of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from cypher.semantics.chart.forms import Extreme, Features, Most, Noun, Thing
from cypher.semantics.chart.lexemes import Lexeme
from cypher.semantics.chart.phrases import most_common, superlative
from cypher.semantics.chart.wanting import is_participle, joining
from cypher.semantics.schema_paths import Path
from cypher.semantics.score import total
from cypher.semantics.text import identifier_words

if TYPE_CHECKING:
    from cypher.semantics.chart.parser import Parser

_OFTEN: Final = frozenset({"often", "frequently", "commonly", "widely"})
SHORTEST: Final = 4
"""Letters that an adjective and the noun for its measure share at least: "dense" and "density"."""


def commonest_kinds(p: Parser, at: int, begin: Features) -> Iterator[Noun]:
    """ "(The three) most common genres among films", "most frequently spoken languages in films"."""
    found = most_common(p.lower, at)
    place, descending = found or (at, p.word(at) == "most")
    said: list[Lexeme] = []
    if p.word(at) in ("most", "least") and p.word(at + 1) in _OFTEN and is_participle(p.word(at + 2)):
        place, said = at + 3, p.lattice.of(at + 2, "relation")
    for label in p.lattice.of(place, "label") if place > at else ():
        for after in joining(p, label.end):
            for noun in p.nouns(after):
                if noun.wanted or noun.quantity or noun.also or noun.either or noun.named:
                    continue
                for path, thing, ways in _tied(p, label.name, noun.thing, said):
                    more: Features = (*begin, ("c_label", label.score), ("c_cue", 2.0), *ways)
                    features = (*more, *noun.features)
                    whole = Thing(label.name, (Most(path, thing, descending),))
                    yield Noun(noun.end, whole, noun.score + total(more), features, number="many")


def _tied(
    p: Parser, label: str, thing: Thing, said: Sequence[Lexeme]
) -> Iterator[tuple[Path, Thing, Features]]:
    """How things of a kind are tied to others, by what a participle says where there is one."""
    for lexeme in said:
        for way in p.ways.of(lexeme.name):
            if way.own and (way.start, way.end) == (label, thing.label):
                yield way.path, thing, (("c_relation", lexeme.score),)
    for path, cost in p.ways.bridges(label, thing.label)[:2]:
        if path:
            yield path, thing, (("c_bridge", cost),)


def by_quality(p: Parser, at: int, begin: Features) -> Iterator[Noun]:
    """ "Most popular films" where films have a popularity."""
    word = p.word(at + 1)
    if p.word(at) not in ("most", "least") or p.lattice.of(at + 1, "label", "relation", "agent"):
        return
    for core in p.cores(at + 2):
        if core.quantity or core.named or core.wanted:
            continue
        for name in _measures(p, core.thing.label, word):
            more: Features = (*begin, ("c_property", 0.9), ("c_cue", 1.5))
            thing = core.thing.plus(Extreme(name, p.word(at) == "most"))
            score = core.score + total(more)
            yield replace(core, thing=thing, score=score, features=more + core.features, bare=False)


def by_property(p: Parser, at: int, begin: Features) -> Iterator[Noun]:
    """ "Highest budget films": the property stands before what has it."""
    found = superlative(p.lower, at)
    for lexeme in p.lattice.of(found.end, "property") if found and not found.hint else ():
        for core in p.cores(lexeme.end):
            info = p.vocabulary.words.properties.get((core.thing.label, lexeme.name))
            ranks = info and (info.numeric or info.dated) and not info.many
            if found and ranks and core.bare and not core.quantity:
                more: Features = (*begin, ("c_property", lexeme.score), ("c_cue", 1.5))
                thing = core.thing.plus(Extreme(lexeme.name, found.descending))
                score = core.score + total(more)
                yield replace(core, thing=thing, score=score, features=more + core.features, bare=False)


def _measures(p: Parser, label: str, word: str) -> Iterator[str]:
    """Numbers of a kind whose name is made of an adjective: "popularity" of "popular"."""
    shared = word[: max(SHORTEST, len(word) - 2)]
    for (owner, name), info in p.vocabulary.words.properties.items():
        noun = identifier_words(name)[-1]
        longer = len(noun) > len(word) - 2 and noun != word
        fits = owner == label and info.numeric and not info.many and longer
        if fits and len(word) > SHORTEST and noun.startswith(shared):
            yield name
