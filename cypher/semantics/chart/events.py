"""What is told of by nothing but that it was: "what happened at Hull", "everything that took place"."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from cypher.semantics.chart.forms import Features, Noun, Thing
from cypher.semantics.chart.topics import phrase_at
from cypher.semantics.chart.verbs import HAPPENING, verbs
from cypher.semantics.score import total

if TYPE_CHECKING:
    from cypher.semantics.chart.parser import Parser

_WHAT: Final = (
    *(("everything", "that"), ("anything", "that"), ("something", "that"), ("things", "that")),
    *(("everything", "which"), ("anything", "which"), ("all", "that"), ("whatever",), ("what",)),
    *(("everything",), ("anything",)),
)
KIND: Final = 0.6
"""Score of things of a kind that only its verb tells."""


def what_happened(p: Parser, at: int, begin: Features) -> Iterator[Noun]:
    """Things of the kind of which the schema says that they happen, with what is told of them."""
    start = phrase_at(p, at, _WHAT)
    if not start:
        return
    ways = (
        way
        for verb in verbs(p, start)
        if p.word(verb.end - 1 - bool(verb.word)) in HAPPENING
        for lexeme in verb.lexemes
        for way in p.ways.of(lexeme.name)
        if way.own and way.forward
    )
    for label in dict.fromkeys(way.start for way in ways):
        bare = Noun(start, Thing(label), total(begin), (*begin, ("c_label", KIND)))
        for predicate in p.predicates(start):
            yield from p.attach(bare, predicate, ("c_relative", 1.0))
