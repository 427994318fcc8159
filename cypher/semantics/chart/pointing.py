"""Nouns that point to one of several things spoken of: "this other fire", "these friends"."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, Final

from cypher.semantics.chart.forms import Features, Linked, Noun, Thing, reverse
from cypher.semantics.score import total
from cypher.semantics.text import stem

if TYPE_CHECKING:
    from cypher.semantics.chart.parser import Parser

THIS: Final = frozenset({"this", "that", "these", "those"})
_OTHERS: Final = frozenset({"other", "second", "different", "latter"})
MOST_INNER: Final = 3
"""Things that "the other" may be, the last said first."""


def the_other(p: Parser, at: int, begin: Features, topic: Thing) -> Iterator[Noun]:
    """ "(A fire broke out at the port of another.) Who saw this other fire?": what the topic is told by."""
    while p.word(at - 1) in THIS | {"the"}:
        at -= 1
    pointed = p.word(at) in THIS and p.word(at + 1) in _OTHERS
    if not (pointed or p.lower[at : at + 2] in (("the", "latter"), ("the", "second"))):
        return
    for lexeme in p.lattice.of(at + 2, "label"):
        for place, inner in enumerate(islice(_within(topic, lexeme.name), MOST_INNER)):
            known: Features = (*begin, ("c_label", lexeme.score), ("c_cue", 2.0 - 0.5 * place))
            yield Noun(lexeme.end, inner, total(known), known, modified=1)


def _within(thing: Thing, label: str, back: Linked | None = None, depth: int = 3) -> Iterator[Thing]:
    """The things of a label by which one is told, the last said first, each told by the rest."""
    for limit in reversed(thing.limits):
        if isinstance(limit, Linked) and limit is not back:
            rest = tuple(x for x in thing.limits if x is not limit)
            way = Linked(reverse(limit.path, thing.label), Thing(thing.label, rest))
            inner = limit.thing.plus(way)
            if inner.label == label:
                yield inner
            if depth > 1:
                yield from _within(inner, label, way, depth - 1)


def by_relation(p: Parser, start: int, begin: Features, topic: Thing) -> Iterator[Noun]:
    """ "(Ann has friends.) Where do these friends live?": what is meant by the noun for how it is tied."""
    place = start + (p.word(start) in THIS)
    known = p.word(place - 1) in THIS and stem(p.word(place)) in p.topic_words
    noun = known and any(x.end == place + 1 for x in p.owned(place))  # not the verb of "those that know Ann"
    if noun and not p.lattice.of(place, "label", "value"):
        more: Features = (*begin, ("c_label", 0.6), ("c_cue", 1.0))
        yield Noun(place + 1, topic, total(more), more, named=True)
