"""Superlatives without a noun of their own: "the oldest of the ships", "is the longest one"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from cypher.semantics.chart.forms import Extreme, Features, Limit, LooseExtreme, Noun, Predicate
from cypher.semantics.chart.phrases import superlative
from cypher.semantics.chart.wordlists import FREE
from cypher.semantics.score import total

if TYPE_CHECKING:
    from cypher.semantics.chart.parser import Parser

_ONES: Final = frozenset({"one", "ones"})
_AMONG: Final = frozenset({"of", "among", "amongst", "from", "between"})
_WHEN: Final = (
    *((("most", "recently"), True), (("least", "recently"), False), (("first",), False)),
    *((("earliest",), False), (("last",), True), (("latest",), True)),
)
"""Adverbs that rank what happened by its day."""


def of_those(p: Parser, at: int, begin: Features) -> Iterator[Noun]:
    """ "The oldest of the ships registered in Hull", "the longest one among them"."""
    found = superlative(p.lower, at)
    if found is None:
        return
    end = found.end + (p.word(found.end) in _ONES)
    end += p.lower[end : end + 2] == ("out", "of")
    if p.word(end) not in _AMONG:
        return
    extreme = LooseExtreme(found.hint, found.descending)
    for noun in p.nouns(end + 1):
        if noun.quantity or noun.wanted or noun.also or noun.either or noun.named:
            continue
        for settled, cost in p.settler.settle((extreme,), noun.thing.label):
            more: Features = (*begin, ("c_cue", 1.5), ("c_bridge", cost))
            yield replace(
                noun, thing=noun.thing.plus(*settled), score=noun.score + total(more),
                features=more + noun.features, bare=False, modified=1,
            )  # fmt: skip


def being_best(p: Parser, at: int) -> Iterator[Predicate]:
    """ "(Is) the oldest", "(is) the longest one that Ann owns"."""
    while p.word(at) in FREE:
        at += 1
    found = superlative(p.lower, at)
    if found is None or p.lattice.of(found.end, "label", "value", "property"):
        return
    limits: tuple[Limit, ...] = (LooseExtreme(found.hint, found.descending),)
    features: Features = (("c_cue", 1.0), ("c_copula", 1.0))
    end = found.end + (p.word(found.end) in _ONES)
    yield Predicate(end, "", limits, total(features), features)
    if p.word(end) in _AMONG and p.word(end + 1) in ("them", "these", "those", "all"):
        yield Predicate(end + 2, "", limits, total(features), features)
    for found_behind in p.modifiers(end) if end > found.end else ():
        both = (*features, *found_behind.features)
        whole = (*limits, *found_behind.limits)
        yield Predicate(found_behind.end, found_behind.label, whole, total(both), both)


def told_best(p: Parser, at: int, owner: str, name: str, begin: Features) -> Iterator[Predicate]:
    """ "(Whose age is the) highest"; the oldest day is the first one."""
    found = superlative(p.lower, at)
    info = p.vocabulary.words.properties.get((owner, name))
    if found is None or info is None or p.lattice.of(found.end, "label", "value", "property"):
        return
    features: Features = (*begin, ("c_cue", 1.0))
    limits: tuple[Limit, ...] = (Extreme(name, found.descending != (found.hint == "age" and info.dated)),)
    yield Predicate(found.end, owner, limits, total(features), features)


def ranked_in_time(p: Parser, at: int) -> Iterator[Predicate]:
    """ "(Was) built first", "(arrived at Hull) most recently"."""
    for lexeme in p.lattice.of(at, "property", "verbal"):
        for size, descending in adverb(p, lexeme.end):
            for owner in lexeme.owners:
                info = p.vocabulary.words.properties.get((owner, lexeme.name))
                if info and (info.numeric or info.dated) and p.vocabulary.schema.label(owner):
                    features: Features = (("c_property", lexeme.score), ("c_cue", 2.0))
                    limit = Extreme(lexeme.name, descending)
                    yield Predicate(lexeme.end + size, owner, (limit,), total(features), features)
    lasting = p.word(at) == "last" and {"did", "do", "does"} & set(p.lower[:at])
    for size, descending in adverb(p, at) if not lasting else ():
        if not p.word(at + size).isalnum():
            said: Features = (("c_cue", 2.0),)
            yield Predicate(at + size, "", (LooseExtreme("date", descending),), total(said), said)


def adverb(p: Parser, at: int) -> Iterator[tuple[int, bool]]:
    """Sizes of adverbs that rank what happened by its day, with whether the latest comes first."""
    at += p.word(at) == "the"
    for words, descending in _WHEN:
        if p.lower[at : at + len(words)] == words:
            yield len(words), descending


def with_participle(p: Parser, at: int) -> Iterator[tuple[int, Features]]:
    """ "(The most) registered ships": where the noun starts behind a participle that it is tied by."""
    if p.word(at).endswith("ed") and not p.lattice.of(at, "value", "label"):
        for lexeme in p.lattice.of(at, "relation"):
            for noun in p.lattice.of(lexeme.end, "label"):
                ways = p.ways.of(lexeme.name)
                if any(noun.name in (way.start, way.end) for way in ways if way.own):
                    yield lexeme.end, (("c_relation", lexeme.score / 2),)
