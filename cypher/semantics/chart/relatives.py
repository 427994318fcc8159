"""What stands behind a noun: relative clauses, prepositions, "whose", participles, "other than"."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from cypher.semantics.chart import holding
from cypher.semantics.chart.adjuncts import asides, without_doing
from cypher.semantics.chart.auxiliaries import HAVING, auxiliary, hearsay, lying
from cypher.semantics.chart.clauses import had
from cypher.semantics.chart.conditions import told
from cypher.semantics.chart.forms import (
    Denied,
    Features,
    Has,
    Limit,
    Linked,
    Loose,
    Noun,
    Only,
    Predicate,
    Thing,
)
from cypher.semantics.chart.including import belonging, including
from cypher.semantics.chart.proviso import provided
from cypher.semantics.chart.quantities import loosely
from cypher.semantics.chart.relationships import pointing_back, related
from cypher.semantics.chart.restricting import ONLY, is_every, outnumbering
from cypher.semantics.chart.somehow import somehow
from cypher.semantics.chart.theirs import had_of_theirs
from cypher.semantics.chart.two_ends import between_two
from cypher.semantics.chart.wordlists import FREE, PREPOSITIONS, TRAILING, WHO
from cypher.semantics.ir import Operator
from cypher.semantics.irregular import IRREGULAR
from cypher.semantics.schema_paths import Path
from cypher.semantics.score import total
from schemas.store_schema import PropertyType

if TYPE_CHECKING:
    from cypher.semantics.chart.parser import Parser

_BEING: Final = frozenset({"is", "are", "was", "were"})
_CLAUSES: Final = WHO | PREPOSITIONS | {"whose", "where"}
_WITH: Final = frozenset({"with", "having", "without", "lacking"})
_OTHER: Final = (
    ("other", "than"),
    ("apart", "from"),
    *(("except", "for"), ("but", "not")),
    *(("except",), ("excluding",), ("bar",), ("barring",), ("minus",), ("besides",)),
    *(("save", "for"), ("aside", "from"), ("leaving", "out"), ("not", "counting"), ("not", "including")),
    ("with", "the", "exception", "of"),
)
_LYING_AT: Final = frozenset({"at", "in", "on"})
_DETERMINERS: Final = frozenset({"a", "an", "the", "some", "any"})
_ONES: Final = frozenset({"those", "ones", "any", "all", "anyone", "everyone"})
_REACHED: Final = frozenset({"reachable", "contactable", "available", "registered", "listed", "filed"})
BASES: Final = frozenset({"ring", "bring", "sing", "swing", "need", "feed", "breed", "speed"})
"""Verbs whose plain form ends like a participle."""
EVENT: Final = 0.1
"""What speaks against the place of what is done, where its doer may be meant as well."""
_THEIR: Final = frozenset({"their", "his", "her", "its"})
_LACKING: Final = frozenset({"without", "lacking"})
_OPENING: Final = frozenset({"not", "never", "used", "having", "being"})
"""Auxiliaries and the like that a participle may start with."""


def modifiers(p: Parser, at: int) -> Iterable[Predicate]:
    """What may stand right behind a noun."""
    yield from _modifiers(p, at)
    yield from provided(p, at)
    yield from between_two(p, at)
    if p.lenient:
        yield from somehow(p, at)


def _modifiers(p: Parser, at: int) -> Iterable[Predicate]:
    if p.word(at) == "," and p.word(at + 1) in WHO | {"whose", "where"}:
        at += 1
    yield from asides(p, at)
    if p.word(at) in _BEING and p.word(at + 1) == "there" and p.word(at + 2) in _CLAUSES:
        at += 2
    if p.word(at) in ("either", "both"):
        at += 1
    word = p.word(at)
    if word in WHO:
        yield from _relative(p, at, word)
        return
    yield from _further(p, at, word)
    if word == "whose":
        yield from _whose(p, at + 1)
        return
    if word == "where":
        yield from p.places(at + 1)
        yield from told(p, at + 1)
        return
    if word in PREPOSITIONS and p.word(at + 1) in ("which", "whom", "whose"):
        if p.word(at + 1) == "whose":
            yield from _whose(p, at + 2)
        yield from _bonus(p.gaps(at + 2), ("c_relative", 1.0))
        if word in _LYING_AT and p.word(at + 1) == "which":
            yield from p.places(at + 2)
        if word == "to":
            yield from holding.to_whom(p, at + 2)
        yield from p.limits(at + 2)
        return
    for size in (4, 2, 1):
        if tuple(p.lower[at : at + size]) in _OTHER:
            yield from _other(p, at + size)
            return
    yield from _reduced(p, at, word)


def _relative(p: Parser, at: int, word: str) -> Iterator[Predicate]:
    if word == "which" and p.word(at + 1) in ("one", "ones"):
        return  # "of the ships of Ann, which one is the oldest" asks
    yield from _bonus(p.predicates(at + 1), ("c_relative", 1.0))
    yield from _bonus(p.gaps(at + 1), ("c_relative", 1.0))
    yield from holding.to_whom(p, at + 1, stranded=True)


def _further(p: Parser, at: int, word: str) -> Iterator[Predicate]:
    """ "To own a ship", "among those that ...", "all of whose ships"."""
    if word == "to":
        be = p.word(at + 1) in ("have", "be")
        yield from _bonus(p.predicates(at + 1), ("c_relative", 1.0 if be else 0.0))
    if word == "," and p.word(at + 1) == "the" and p.word(at + 2) in ("one", "ones"):
        yield from p.modifiers(at + 3)
    if word in ("among", "of") and p.word(at + 1) in ("those", "these", "all") and word != p.word(at - 1):
        yield from p.modifiers(at + 2)
    part = p.lower[at + 1 : at + 3] == ("of", "whose")
    if part and word in ("all", "one", "some", "any"):
        yield from _whose(p, at + 3, every=word == "all")
    if part and word == "none":
        yield from (replace(x, limits=(Denied(x.limits),)) for x in _whose(p, at + 3))


def places(p: Parser, at: int) -> Iterator[Predicate]:
    """ "Where Ann lives", "where a crime was committed"."""
    for gap in _bonus(p.gaps(at), ("c_relative", 1.0)):
        yield replace(gap, hole="place")
    yield from outnumbering(p, at, "in")
    there = auxiliary(p, at + 1) if p.word(at) in ("there", "there's") else None
    for noun in p.objects(there.end) if there else ():
        if not noun.wanted:
            yield replace(lying(noun, "where", (("c_relative", 1.0),)), finite=True, hole="place")
    for noun in p.objects(at):
        if noun.wanted or noun.also or noun.either:
            continue
        for predicate in p.predicates(noun.end):
            for longer in p.attach(replace(noun, quantity=None), predicate):
                whole = replace(longer, quantity=noun.quantity)
                event: Features = (("c_bridge", 4 * EVENT),) if p.word(noun.end) in HAVING else ()
                yield replace(lying(whole, "where", (("c_relative", 0.3), *event)), finite=True, hole="place")
                yield from _events(p, longer)


def _events(p: Parser, told: Noun) -> Iterator[Predicate]:
    """ "(The ports where) Ann has ships": where that lies of which a clause tells, not its subject."""
    for limit in told.last if told.quantity is None else ():
        if isinstance(limit, Linked) and len(limit.path) == 1:
            subject = Thing(told.thing.label, tuple(x for x in told.thing.limits if x is not limit))
            back = p.ways.back(limit.path, told.thing.label)
            features = (*told.features, ("c_relative", 0.3), ("c_bridge", EVENT))
            event = Loose(limit.thing.plus(Linked(back, subject)), "where", apart=True)
            yield Predicate(told.end, "", (event,), total(features), features, finite=True, hole="place")


def _bonus(found: Iterable[Predicate], feature: tuple[str, float]) -> Iterator[Predicate]:
    for one in found:
        features = (*one.features, feature)
        yield replace(one, features=features, score=total(features))


def _prepositional(p: Parser, at: int, word: str) -> Iterator[Predicate]:
    for noun in p.objects(at):
        if noun.wanted:
            continue
        if word == "without":
            limits: tuple[Limit, ...] = (Denied(loosely(noun, "with")),)
            features = (*noun.features, ("c_cue", 1.0))
            trailing = p.word(noun.end) in TRAILING and p.word(noun.end + 1) not in PREPOSITIONS
            for end in (noun.end, noun.end + 1)[: 1 + trailing]:
                yield Predicate(end, "", limits, total(features), features)
        else:
            yield lying(noun, word, (("c_prep", 1.0),))


def _reduced(p: Parser, at: int, word: str) -> Iterator[Predicate]:
    if word in PREPOSITIONS | {"without", "among"}:
        yield from _prepositional(p, at + 1, word)
        yield from belonging(p, at)
    if word in ("in", "of"):
        yield from related(p, at + 1)
    if word in _WITH:
        for limit in p.limits(at + 1):
            limits = (Denied(limit.limits),) if word in _LACKING else limit.limits
            yield Predicate(limit.end, limit.label, limits, limit.score, limit.features)
        if word in _LACKING:
            yield from _bonus(without_doing(p, at), ("c_reduced", 1.5))
            yield from _without(p, at + 1)
            yield from _without_theirs(p, at + 1)
        if word in ("with", "having"):
            yield from had(p, at + 1)
            yield from _with_both(p, at + 1)
    if word in ("of", "at", "in", "on"):
        yield from p.limits(at + 1)
    yield from p.limits(at)
    yield from _reached(p, at)
    yield from pointing_back(p, at)
    yield from holding.to_whom(p, at, stranded=True)
    formed = word.endswith(("ed", "ing")) and word not in BASES
    participle = formed or word in IRREGULAR or word in ("not", "never")
    shape = (("c_reduced", 0.0 if participle else 1.0),)
    if auxiliary(p, at).end == at or word in _OPENING or hearsay(p, at):
        for one in p.predicates(at):
            features = (*one.features, *shape)
            yield replace(one, features=features, score=total(features), finite=False)
    if word not in PREPOSITIONS and (auxiliary(p, at).end == at or word in _DETERMINERS):
        yield from _bonus(p.gaps(at), ("c_reduced", 1.0))


def _with_both(p: Parser, at: int) -> Iterator[Predicate]:
    """ "(With) the surname Dahl and a mailbox"."""
    for first in p.limits(at):
        for other in had(p, first.end + 1) if p.word(first.end) == "and" else ():
            if other.label in ("", first.label):
                features: Features = (*first.features, *other.features, ("c_and", 1.0))
                limits = (*first.limits, *other.limits)
                yield Predicate(other.end, first.label, limits, total(features), features)


def _reached(p: Parser, at: int) -> Iterator[Predicate]:
    """ "(The phone) reachable under 555-0123": the name of the thing itself."""
    if p.word(at) not in _REACHED or p.word(at + 1) not in ("under", "at", "on", "by"):
        return
    for noun in p.cores(at + 2):
        if noun.named and not noun.wanted and all(isinstance(x, Has) for x in noun.thing.limits):
            features: Features = (*noun.features, ("c_cue", 2.0), ("c_said", 1.0))
            yield Predicate(noun.end, noun.thing.label, noun.thing.limits, total(features), features)


def _without_theirs(p: Parser, at: int) -> Iterator[Predicate]:
    """ "Without any relatives (of their own)", "without relatives who live in Lund"."""
    for owned in p.owned(at):
        features: Features = (*owned.features, ("c_cue", 1.0))
        own = p.word(owned.end) == "of" and p.word(owned.end + 1) in _THEIR and p.word(owned.end + 2) == "own"
        limits = (Denied((Linked(owned.path, owned.thing),)),)
        yield Predicate(owned.end + 3 * own, owned.owner, limits, total(features), features)
    for had_ones in had_of_theirs(p, at):
        yield replace(had_ones, limits=(Denied(had_ones.limits),))


def _without(p: Parser, at: int) -> Iterator[Predicate]:
    while p.word(at) in FREE:
        at += 1
    for lexeme in p.lattice.of(at, "property"):
        for owner in lexeme.owners:
            if p.vocabulary.schema.label(owner) and lexeme.name:
                features: Features = (("c_property", lexeme.score), ("c_cue", 1.0))
                lacking = _lacked(p, owner, lexeme.name)
                yield Predicate(lexeme.end, owner, (lacking,), total(features), features)


def _lacked(p: Parser, owner: str, name: str) -> Has:
    """What is said with "without": that a property says no, or that it is not known."""
    info = p.vocabulary.words.properties.get((owner, name))
    flag = info is not None and info.type is PropertyType.BOOLEAN
    return Has(name, Operator.EQ, False) if flag else Has(name, Operator.UNKNOWN)


def _other(p: Parser, at: int) -> Iterator[Predicate]:
    plain = (n for n in p.objects(at) if all(isinstance(x, Has) for x in n.thing.limits))
    for noun in (*p.cores(at), *plain):
        if noun.thing.limits and noun.quantity is None and not noun.wanted:
            things = (noun.thing, *noun.also, *noun.either)
            features = (*noun.features, ("c_cue", 1.0))
            limits = tuple(Denied(t.limits) for t in things)
            yield Predicate(noun.end, noun.thing.label, limits, total(features), features)
    at += p.word(at) in _ONES
    for found in p.modifiers(at):
        yield replace(found, limits=(Denied(found.limits),))


def _whose(p: Parser, at: int, *, every: bool = False) -> Iterator[Predicate]:
    """ "Whose surname is Moss", "whose friends live in Lund", "whose crime was investigated by"."""
    at += p.word(at) == "own"
    yield from p.limits(at)
    yield from holding.whose(p, at)
    yield from including(p, at)
    for owned in p.owned(at):
        for predicate in p.predicates(owned.end):
            for limits, cost in p.settler.on(owned.thing.label, predicate.label, predicate.limits):
                features = (*owned.features, *predicate.features, ("c_bridge", cost), *_shared(predicate))
                every = every or is_every(p, owned.end, auxiliary(p, owned.end).end)
                linked = _kept(owned.path, owned.thing.plus(*limits), every=every)
                yield Predicate(predicate.end, owned.owner, linked, total(features), features, finite=True)
    for core in p.cores(at):
        if core.named or core.wanted or core.quantity:
            continue
        for predicate in (*p.predicates(core.end), *p.gaps(core.end)):
            for noun in p.attach(core, predicate):
                features = (*noun.features, *_shared(predicate))
                whole = every or is_every(p, core.end, auxiliary(p, core.end).end)
                limit = Loose(noun.thing, "has", ONLY if whole else None)
                yield Predicate(noun.end, "", (limit,), total(features), features, finite=True)


def _shared(predicate: Predicate) -> Features:
    """ "Whose port is large and who know Ann": what follows "and" is rather said of the people."""
    return (("c_second", 1.0),) if any(name == "c_and" for name, _ in predicate.features) else ()


def _kept(path: Path, thing: Thing, *, every: bool) -> tuple[Limit, ...]:
    return (Only(path, thing) if every else Linked(path, thing),)
