"""Words that add nothing to a question, and clefts: "in all", "who was it that called"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from cypher.semantics.chart.forms import Noun, Predicate
from cypher.semantics.chart.nouns import joined
from cypher.semantics.chart.topics import phrase_at
from cypher.semantics.chart.wordlists import PLACING, WHO

if TYPE_CHECKING:
    from cypher.semantics.chart.parser import Parser

_IN_ALL: Final = (
    *(("in", "total"), ("in", "all"), ("in", "sum"), ("all", "told"), ("all", "in", "all"), ("overall",)),
    *(("between", "them"), ("among", "them"), ("taken", "together"), ("put", "together"), ("combined",)),
    *(("in", "the", "whole", "graph"), ("in", "the", "data"), ("in", "the", "database"), ("to", "date")),
    *(("in", "the", "end"), ("in", "particular"), ("so", "far"), ("at", "all"), ("by", "any", "chance")),
)
"""What is said of a whole count or question and tells no condition."""

EXISTING: Final = frozenset({"exist", "exists", "existed"})
_OPENING: Final = WHO | PLACING


def in_all(p: Parser, at: int) -> int:
    """Behind "in total", "between them", "so far"; the word itself where nothing such is said."""
    return phrase_at(p, at, _IN_ALL) or at


def cleft(p: Parser, at: int) -> Sequence[Predicate]:
    """ "(Who) was it that called", "(which port) is it to which Ann sailed": the clause behind "it"."""
    being = p.word(at) in ("is", "was", "were") and p.word(at + 1) == "it"
    return p.modifiers(at + 2) if being and {p.word(at + 2), p.word(at + 3)} & _OPENING else ()


def clefts(p: Parser, noun: Noun) -> Iterator[Noun]:
    """A noun of which a cleft tells, in one clause or two."""
    for clause in cleft(p, noun.end):
        for one in p.attach(noun, clause, ("c_main", 1.0)):
            yield one
            yield from joined(p, one)


def existing(p: Parser, noun: Noun) -> Iterator[Noun]:
    """ "(Do any) ships exist that Ann sails": what is told of them behind the verb."""
    if p.word(noun.end) not in EXISTING:
        return
    behind = replace(noun, end=noun.end + 1)
    yield behind
    for clause in p.modifiers(behind.end):
        for one in p.attach(behind, clause):
            yield one
            yield from joined(p, one)
