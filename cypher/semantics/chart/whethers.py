"""Yes-no questions inside others: "tell me whether ...", "is it true that ...", "do we have any ..."."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from cypher.semantics.chart.auxiliaries import auxiliary
from cypher.semantics.chart.counting import main_predicates
from cypher.semantics.chart.forms import Asked, Noun
from cypher.semantics.chart.wholes import whole
from cypher.semantics.chart.wordlists import words_of
from cypher.semantics.ir import Head

if TYPE_CHECKING:
    from cypher.semantics.chart.parser import Parser

_OPENING: Final = words_of(
    "i i'd i'm i'll we you me us could can would will please tell say let know check verify confirm find out",
    "determine see show wonder wondering ask asking like want need to do am are is it a an the curious",
    "interested in learn of establish figure hear question",
)
"""Words in front of "whether"."""
_WHETHER: Final = frozenset({"if", "whether"})
_CHECKING: Final = frozenset({"check", "verify", "confirm"})
_SO: Final = frozenset({"true", "correct", "right", "so", "possible", "known", "case", "fact", "be"})
_HAVING: Final = (("have",), ("got",), ("know", "of"), ("know", "about"), ("see",), ("find",))
_SUCH: Final = tuple((verb, "there", "such", "a", "thing", "as") for verb in ("is", "was"))
_ENDS: Final = frozenset({"?", ".", "!", ""})
MOST_OPENING: Final = 12


def embedded(p: Parser, start: int) -> Iterator[Asked]:
    """Questions whether something is so that do not begin with their verb."""
    for at in _clauses(p, start):
        yield from _clause(p, at)
    for at in _existing(p, start):
        for noun in p.nouns(at):
            if not noun.wanted:
                yield from whole(p, _plain(noun), Head.EXISTS, ("c_cue", 1.0))


def _clauses(p: Parser, start: int) -> Iterator[int]:
    """Where a clause in the order of a statement may start: behind "whether", "is it true that"."""
    at = start
    while at < start + MOST_OPENING and p.word(at) in _OPENING:
        at += 1
    if p.word(at) == "whether" or (at > start and p.word(at) == "if"):
        yield at + 1 + 2 * (p.lower[at + 1 : at + 3] == ("or", "not"))
    if p.word(at) == "that" and p.word(at - 1) in _CHECKING:
        yield at + 1
    at = auxiliary(p, start).end
    if at > start and p.word(at) == "it" and p.word(at + 1) not in _WHETHER:
        at += 1
        at += p.word(at) in ("the", "a")
        while p.word(at) in _SO:
            at += 1
        at += 2 * (p.lower[at : at + 2] in (("to", "say"), ("to", "think")))
        if p.word(at) == "that" and p.word(at - 1) in _SO | {"say", "think"}:
            yield at + 1


def _existing(p: Parser, start: int) -> Iterator[int]:
    """Where what may exist starts: behind "do we have", "does there exist"; "any ...?"."""
    at = auxiliary(p, start).end
    if at > start and p.word(at) in ("we", "you"):
        at += 1
        for phrase in _HAVING:
            if p.lower[at : at + len(phrase)] == phrase:
                yield at + len(phrase)
    if p.word(start) in ("does", "do", "did") and "exist" in p.lower[start + 1 : start + 3]:
        yield start + 1 + p.lower[start + 1 : start + 3].index("exist") + 1
    if p.lower[start : start + 6] in _SUCH:
        yield start + 6
    if p.word(start) == "any" and p.word(p.size - 1) == "?":
        yield start + 1


def _clause(p: Parser, at: int) -> Iterator[Asked]:
    there = p.word(at) == "there" and auxiliary(p, at + 1).any
    for noun in p.nouns(auxiliary(p, at + 1).end if there else at):
        if noun.wanted or (noun.quantity and noun.quantity.kind not in ("number", "none")):
            continue
        plain = _plain(noun)
        if there:
            yield from whole(p, plain, Head.EXISTS, ("c_cue", 1.0))
        for predicate in main_predicates(p, noun.end, being=auxiliary(p, noun.end).being):
            for longer in p.attach(plain, predicate, ("c_main", 1.0)):
                yield from whole(p, longer, Head.EXISTS, ("c_cue", 1.0))


def _plain(noun: Noun) -> Noun:
    return replace(noun, quantity=None)
