"""What one knows of another, where a type names both: "whose phone Ann knows" for ``KNOWS_PHONE``.

Such a type joins two things and is said by a verb and by something that the second has; so English puts the
verb, that thing and its owner in any order.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final, NamedTuple

from cypher.semantics.chart.auxiliaries import auxiliary
from cypher.semantics.chart.forms import Denied, Features, Limit, Noun, Predicate
from cypher.semantics.chart.lexemes import Lexeme
from cypher.semantics.chart.verbs import tied
from cypher.semantics.chart.wordlists import FREE
from cypher.semantics.held import Held
from cypher.semantics.score import total

if TYPE_CHECKING:
    from cypher.semantics.chart.parser import Parser

SAID: Final = 2.1
"""Score of a verb whose object is part of the name of its type."""
HAVING: Final = 1.4
"""Score of "have" for knowing what another has: of two who have one phone is less often spoken."""
_GOT: Final = {
    "know": (
        *(("in", "possession", "of"), ("told",), ("given",), ("hold",), ("holds",), ("holding",)),
        *(("note", "of"), ("a", "note", "of"), ("record", "of"), ("a", "record", "of")),
    )
}
"""Phrases that say as much of what another has, by a verb's stem."""
THAT_IS: Final[Features] = (("c_relative", 1.0), ("c_cue", 0.5))
"""What a clause explains that tells of what somebody has: "has a phone that is known to Ann"."""
_LINKS: Final = frozenset({"by", "to"})
_FAMILIAR: Final = {"know": frozenset({"familiar"})}
"""Adjectives for what the verb is done to, by its stem: "familiar to Ann"."""
_OWNED: Final = frozenset({"has", "have", "had", "got"})
_SAME: Final = {
    "know": (
        *(("in", "the", "know", "about"), ("aware", "of"), ("familiar", "with"), ("acquainted", "with")),
        *(("know", "about"), ("know", "of"), ("informed", "of"), ("knowledge", "of"), ("privy", "to")),
    ),
}
"""Phrases that say the same as a verb, by its stem."""
_THEIR: Final = FREE | {"their", "his", "her", "its"}


class Named(NamedTuple):
    """What is known of somebody, as said up to ``end``."""

    held: Held
    end: int
    score: float


def whose(p: Parser, at: int) -> Iterator[Predicate]:
    """ "(whose) phone is known by Ann", "(whose) phone Ann knows", said of its owner."""
    for one in _named(p, at):
        yield from _known(p, one.end, one)


def _known(p: Parser, at: int, one: Named) -> Iterator[Predicate]:
    """ "(whose phone) is known by Ann", "(whose phone) Ann knows"."""
    aux = auxiliary(p, at)
    if aux.being and (end := _done(p, aux.end, one.held)):
        yield from _passive(p, end, one, negated=aux.negated)
    for noun in p.objects(aux.end):
        after = auxiliary(p, noun.end)
        negated = aux.negated or after.negated
        if end := _verb(p, after.end, one.held):
            yield from _said(p, replace(noun, end=end), one, forward=False, negated=negated)
        elif p.word(noun.end) in _OWNED and one.held.verb in _GOT:
            had = replace(noun, end=noun.end + 1)
            yield from _said(p, had, one, forward=False, negated=negated, score=HAVING)


def to_whom(p: Parser, at: int, *, stranded: bool = False) -> Iterator[Predicate]:
    """ "(to whom) the phone of Ann is known", "(whom) Ann's phone is known to", said of who knows it."""
    asked = auxiliary(p, at)
    for noun, one in (*_owned(p, asked.end if stranded else at, p.ways.held),):
        aux = auxiliary(p, noun.end)
        being = aux.being or (stranded and asked.being)
        if being and (end := _done(p, aux.end, one.held, to=stranded)):
            end += stranded
            if not stranded or p.word(end - 1) == "to":
                yield from _said(p, replace(noun, end=end), one, forward=True, negated=aux.negated)


def had(p: Parser, at: int) -> Iterator[Predicate]:
    """ "(have) their phone known by Ann", "(have) knowledge of Ann's phone", "(have) Ann's phone number"."""
    yield from of_others(p, at)
    for noun, one in _owned(p, at, [x for x in p.ways.held if x.verb in _SAME]):
        yield from _said(p, noun, one, forward=True, score=HAVING)
    while p.word(at) in _THEIR:
        at += 1
    for one in _named(p, at):
        if end := _done(p, one.end, one.held):
            yield from _passive(p, end, one, negated=False)
        for known in _known(p, one.end + 1, one) if p.word(one.end) in ("that", "which") else ():
            features = (*known.features, *THAT_IS)
            yield replace(known, features=features, score=total(features))


def of_others(p: Parser, at: int) -> Iterator[Predicate]:
    """ "(knows) Ann's phone", "(knows) the phone of Ann", said of who does it."""
    for held in p.ways.held:
        got = (at + len(x) for x in _GOT.get(held.verb, ()) if p.lower[at : at + len(x)] == x)
        for end, score in ((_verb(p, at, held), SAID), (next(got, 0), HAVING)):
            for noun, one in _owned(p, end, (held,)) if end else ():
                yield from _said(p, noun, one, forward=True, score=score)


def _owned(p: Parser, at: int, kinds: Sequence[Held]) -> Iterator[tuple[Noun, Named]]:
    """ "Ann's phone", "the phone of Ann": whose it is, up to the end of both, and what."""
    for one in _named(p, at):
        if one.held in kinds and p.word(one.end) == "of":
            for noun in p.objects(one.end + 1):
                yield noun, one
    for noun in p.objects(at):
        after = noun.end + (p.word(noun.end) == "'")
        for one in _named(p, after) if p.possessive(noun.end) else ():
            if one.held in kinds:
                yield replace(noun, end=one.end), one


def _named(p: Parser, at: int) -> Iterator[Named]:
    while p.word(at) in FREE:
        at += 1
    for one in p.ways.held:
        ends = {x.end: x.score for x in p.lattice.of(at, "label", "property") if _means(p, x, one, at)}
        for end in sorted(ends):
            yield Named(one, end, ends[end])
            yield from _of_its_own(p, one, end, ends[end])


def _of_its_own(p: Parser, one: Held, end: int, score: float) -> Iterator[Named]:
    """ "The number of the phone", "the phone's number": the same, told by two nouns."""
    for lexeme in p.lattice.of(end, "property"):
        if one.label in lexeme.owners:
            yield Named(one, lexeme.end, score)
    place = end + 1
    while p.word(place) in FREE:
        place += 1
    for lexeme in p.lattice.of(place, "label") if p.word(end) in ("of", "for") else ():
        if lexeme.name == one.label:
            yield Named(one, lexeme.end, score)


def _means(p: Parser, lexeme: Lexeme, one: Held, at: int) -> bool:
    """Whether words name what a type is about; one word is a property of it where no other thing has that."""
    if lexeme.kind == "label":
        return lexeme.name == one.label
    ends = {way.end for way in p.ways.of(one.kind) if way.own}
    alone = lexeme.end == at + 1 and bool(ends & set(lexeme.owners))
    return lexeme.name == one.property or (one.label in lexeme.owners and not alone)


def _verb(p: Parser, at: int, one: Held) -> int:
    """Where the verb of a type ends, 0 where it does not stand at a word."""
    for words in _SAME.get(one.verb, ()):
        if p.lower[at : at + len(words)] == words:
            return at + len(words)
    return at + 1 if at < p.size and p.lattice.words[at].stem == one.verb else 0


def _done(p: Parser, at: int, one: Held, *, to: bool = True) -> int:
    """Where the verb of a type ends, or an adjective for what it is done to; 0 where neither stands there."""
    familiar = p.word(at) in _FAMILIAR.get(one.verb, ()) and (p.word(at + 1) == "to" or not to)
    return at + 1 if familiar else _verb(p, at, one)


def _passive(p: Parser, at: int, one: Named, *, negated: bool) -> Iterator[Predicate]:
    if p.word(at) in _LINKS:
        for noun in p.objects(at + 1):
            yield from _said(p, noun, one, forward=False, negated=negated)


def _said(
    p: Parser, noun: Noun, one: Named, *, forward: bool, negated: bool = False, score: float = SAID
) -> Iterator[Predicate]:
    for way in p.ways.of(one.held.kind):
        if noun.wanted or not way.own or way.forward != forward:
            continue
        for bridge, cost in p.ways.bridges(way.end, noun.thing.label):
            if bridge and not p.ways.owning(bridge):
                continue
            said: Features = (("c_label", one.score), ("c_relation", score), ("c_bridge", cost))
            features = (*noun.features, *(said if bridge else said[:2]))
            limits: tuple[Limit, ...] = tied((*way.path, *bridge), noun)
            limits = (Denied(limits),) if negated else limits
            yield Predicate(noun.end, way.start, limits, total(features), features, finite=True)
