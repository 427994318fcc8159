"""Clauses: verb phrases, relative clauses with and without a gap, prepositions, "whose", denial."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from cypher.semantics.chart.forms import (
    AnyOf,
    Denied,
    Features,
    Has,
    Limit,
    Linked,
    Loose,
    Noun,
    Predicate,
    Thing,
)
from cypher.semantics.chart.lexemes import Lexeme
from cypher.semantics.chart.nouns import quantities
from cypher.semantics.chart.settle import loosely, quantified, role
from cypher.semantics.chart.ways import Way
from cypher.semantics.chart.wordlists import ADVERBS, AUXILIARIES, FREE, HARD, NEGATIONS, PREPOSITIONS
from cypher.semantics.ir import Operator
from cypher.semantics.schema_paths import Path, Step
from cypher.semantics.score import total
from cypher.semantics.text import identifier_words

if TYPE_CHECKING:
    from cypher.semantics.chart.parser import Parser

_WHO: Final = frozenset({"who", "that", "which", "whom"})
_HAVING: Final = frozenset({"has", "have", "had", "having"})
_BEING: Final = frozenset({"is", "are", "was", "were", "be", "been", "being", "'s", "'re"})
_WITH: Final = frozenset({"with", "having", "without", "lacking"})
_OTHER: Final = (
    ("other", "than"),
    ("apart", "from"),
    ("except", "for"),
    ("but", "not"),
    ("except",),
    ("excluding",),
)
MOST_OBJECTS: Final = 10


@dataclass(frozen=True, slots=True)
class Aux:
    """Auxiliaries, adverbs and negations before a verb; the verb is at ``end``."""

    end: int
    negated: bool = False
    being: bool = False
    having: bool = False
    any: bool = False


def auxiliary(p: Parser, at: int) -> Aux:
    """The longest run of auxiliaries at a word."""
    negated = being = having = found = False
    while True:
        word = p.word(at)
        if word in NEGATIONS:
            negated = True
            having = having or word.startswith("ha")
            being = being or word.startswith(("is", "are", "was", "were"))
            found = found or word != "not"
        elif word in AUXILIARIES:
            being = being or word in _BEING
            having = word in _HAVING if word not in _BEING else False
            found = True
        elif word not in ADVERBS and word not in FREE:
            return Aux(at, negated, being, having, found)
        at += 1


def predicates(p: Parser, at: int) -> Iterable[Predicate]:
    """Verb phrases from ``at`` on, joined by "and", "or" and "but"."""
    buckets: dict[int, list[Predicate]] = defaultdict(list)
    for one in _single(p, at):
        buckets[one.end].append(one)
    end = at
    while end <= p.size:
        if end in buckets:
            kept = p.best(buckets[end])
            yield from kept
            for first in kept:
                for longer in _coordinated(p, first):
                    buckets[longer.end].append(longer)
        end += 1


def _coordinated(p: Parser, first: Predicate) -> Iterator[Predicate]:
    word, after = p.word(first.end), first.end + 1
    if word == "," and p.word(after) in ("and", "but", "or"):
        word, after = p.word(after), after + 1
    if word not in ("and", "but", "or", ","):
        yield from _trailing(p, first)
        return
    if word == "and" and any(name == "c_have" for name, _ in first.features):
        for noun in p.nouns(after):
            if not noun.wanted:
                both = (*first.limits, *loosely(noun, "has"))
                features = (*first.features, *noun.features, ("c_list", 1.0))
                yield Predicate(noun.end, first.label, both, total(features), features, finite=first.finite)
    if p.word(after) in _WHO:
        after += 1
    for other in (*p.predicates(after), *p.limits(after)):
        label = first.label or other.label
        if first.label and other.label and first.label != other.label:
            continue
        features = (*first.features, *other.features, ("c_and", 1.0))
        limits: tuple[Limit, ...] = (*first.limits, *other.limits)
        if word == "or":
            limits = (AnyOf((first.limits, other.limits)),)
        yield Predicate(other.end, label, limits, total(features), features, finite=first.finite)
    yield from _trailing(p, first)


def _trailing(p: Parser, first: Predicate) -> Iterator[Predicate]:
    """A day or year behind the verb phrase belongs to its subject: "was committed in M1 on 3 May"."""
    for other in p.limits(first.end):
        if other.label in ("", first.label) and other.features and first.label:
            features = (*first.features, *other.features, ("c_second", 1.0))
            yield Predicate(
                other.end,
                first.label,
                (*first.limits, *other.limits),
                total(features),
                features,
                first.finite,
            )


def _neither(p: Parser, at: int) -> Iterator[Predicate]:
    """ "Neither know Ann nor live in Lund"."""
    for first in p.predicates(at):
        if p.word(first.end) != "nor":
            continue
        for other in p.predicates(first.end + 1):
            if first.label and other.label and first.label != other.label:
                continue
            features = (*first.features, *other.features, ("c_not", 2.0))
            limits = (Denied(first.limits), Denied(other.limits))
            label = first.label or other.label
            yield Predicate(other.end, label, limits, total(features), features, finite=True)


def _single(p: Parser, at: int) -> Iterator[Predicate]:
    if p.word(at) == "neither" or p.word(at + 1) == "neither":
        yield from _neither(p, at + 1 + (p.word(at) != "neither"))
    aux = auxiliary(p, at)
    for found in _positive(p, aux):
        limits: tuple[Limit, ...] = (Denied(found.limits),) if aux.negated else found.limits
        features = (*found.features, ("c_not", 1.0)) if aux.negated else found.features
        yield replace(found, limits=limits, finite=True, features=features, score=total(features))


def _positive(p: Parser, aux: Aux) -> Iterator[Predicate]:
    for start, skipped in p.starts(aux.end):
        begin: Features = (("c_skip", skipped),) if skipped else ()
        for verb in _verbs(p, start):
            yield from _with_objects(p, verb, begin)
    if aux.being or aux.having:
        yield from p.limits(aux.end)
    if aux.being:
        yield from _copula(p, aux.end)
    if aux.having:
        yield from _had(p, aux.end)
    yield from _unknown_verb(p, aux)


def _copula(p: Parser, at: int) -> Iterator[Predicate]:
    for noun in p.nouns(at):
        if noun.quantity is None and not noun.wanted and not noun.also and (noun.thing.limits):
            if noun.either:
                groups = tuple(t.limits for t in (noun.thing, *noun.either))
                limits: tuple[Limit, ...] = (AnyOf(groups),)
            else:
                limits = noun.thing.limits
            features = (*noun.features, ("c_copula", 1.0))
            yield Predicate(noun.end, noun.thing.label, limits, total(features), features)
    if p.word(at) in PREPOSITIONS | {"without", "other", "among"}:
        yield from p.modifiers(at)


def _had(p: Parser, at: int) -> Iterator[Predicate]:
    """ "(has) a phone", "(has) more than three friends"."""
    for noun in p.nouns(at):
        if not noun.wanted:
            yield _lying(noun, "has", (("c_have", 1.0),))
        yield from _as(p, noun)
    for owned in p.owned(at):
        first = Noun(owned.end, owned.thing, owned.score, owned.features)
        for modifier in p.modifiers(owned.end):
            for noun in p.attach(first, modifier):
                linked = Linked(owned.path, noun.thing)
                yield Predicate(noun.end, owned.owner, (linked,), noun.score, noun.features)
    for end, quantity in quantities(p, at):
        for owned in p.owned(end):
            features = (*owned.features, ("c_cue", 1.0))
            limit = quantified(owned.path, owned.thing, quantity)
            yield Predicate(owned.end, owned.owner, (limit,), total(features), features)


def _as(p: Parser, noun: Noun) -> Iterator[Predicate]:
    """ "(has) Ann as a parent", "(uses) the Globe as their venue"."""
    if p.word(noun.end) != "as" or noun.wanted:
        return
    at = noun.end + 1
    while p.word(at) in FREE | {"their", "its", "his", "her"}:
        at += 1
    for owned in p.owned(at):
        for bridge, cost in p.ways.bridges(owned.thing.label, noun.thing.label):
            features = (*noun.features, *owned.features, ("c_bridge", cost), ("c_have", 1.0))
            limits = tied((*owned.path, *bridge), noun)
            yield Predicate(owned.end, owned.owner, limits, total(features), features)


def _lying(noun: Noun, word: str, begin: Features) -> Predicate:
    features = (*begin, *noun.features)
    return Predicate(noun.end, "", loosely(noun, word), total(features), features)


def _unknown_verb(p: Parser, aux: Aux) -> Iterator[Predicate]:
    """A verb that the schema does not know, or says otherwise ("made in 1990"), and what stands behind it."""
    at = aux.end
    word = p.word(at)
    if not word.isalpha() or word in HARD | PREPOSITIONS | _WHO | {"and", "or", "but"}:
        return
    if p.lattice.of(at, "label", "value", "number", "day", "text"):
        return
    known = bool(p.lattice.at(at))
    at += 1
    lost: Features = (("c_skip", 0.8),)
    for limit in p.limits(at):
        features = (*limit.features, ("c_relation", 0.6)) if known else (*limit.features, *lost)
        if not known or limit.label == "":
            yield replace(limit, score=total(features), features=features)
    word = p.word(at)
    if word in PREPOSITIONS:
        for noun in p.nouns(at + 1):
            if not noun.wanted and (not known or not noun.bare):
                yield _lying(noun, word, (("c_skip", 0.5 if known else 0.8),))
    for noun in p.nouns(at) if not known else ():
        if not noun.wanted:
            yield _lying(noun, "", lost)
        yield from _as(p, noun)


@dataclass(frozen=True, slots=True)
class Verb:
    """A relation's words up to ``end``; its types, with their sides and scores."""

    end: int
    lexemes: tuple[Lexeme, ...]
    word: str = ""
    """The preposition behind it."""
    passive: bool = False


def _verbs(p: Parser, at: int) -> Iterator[Verb]:
    ends: dict[int, list[Lexeme]] = defaultdict(list)
    for lexeme in p.lattice.of(at, "relation"):
        if lexeme.score < 0.5 or (identifier_words(lexeme.name)[0] in _HAVING and lexeme.score <= 1.05):
            continue
        ends[lexeme.end].append(lexeme)
    for end, lexemes in ends.items():
        passive = p.word(end) == "by" or p.word(end - 1) == "by"
        yield Verb(end, tuple(lexemes), passive=passive)
        after = end
        while p.word(after) in ("out", "up", "together", "down", "over", "place", "a", "part"):
            after += 1
        if p.word(after) in PREPOSITIONS:
            yield Verb(after + 1, tuple(lexemes), p.word(after), passive=p.word(after) == "by")


def _with_objects(p: Parser, verb: Verb, begin: Features) -> Iterator[Predicate]:
    if p.word(verb.end) == "neither":
        yield from _with_neither(p, verb, begin)
    nouns = [n for n in p.nouns(verb.end) if not n.wanted or len(n.wanted) == 1]
    for noun in nouns:
        for label, path, cost in _ties(p, verb, noun.thing.label):
            features = (*begin, *noun.features, *cost)
            if noun.wanted:
                features = (*features, ("c_lost", 0.6))
            one = Predicate(noun.end, label, tied(path, noun), total(features), features)
            yield one
            if p.word(noun.end) == "and" and noun.quantity is None:
                yield from _further(p, verb, one, noun.thing.label)
    for adverb in p.limits(verb.end):
        if adverb.label == "":
            for lexeme in verb.lexemes:
                for way in p.ways.of(lexeme.name):
                    if way.own:
                        features = (*begin, *adverb.features, *_said(verb, lexeme, way), ("c_open", 1.0))
                        limits = (*adverb.limits, Linked(way.path, Thing(way.end)))
                        yield Predicate(adverb.end, way.start, limits, total(features), features)
    if not nouns or p.word(verb.end) in ("and", "or", ",", "?", ".", "but", ""):
        for lexeme in verb.lexemes:
            for way in p.ways.of(lexeme.name):
                if way.own and not verb.word:
                    features = (*begin, *_said(verb, lexeme, way), ("c_open", 1.0))
                    yield Predicate(
                        verb.end, way.start, (Linked(way.path, Thing(way.end)),), total(features), features
                    )


def _with_neither(p: Parser, verb: Verb, begin: Features) -> Iterator[Predicate]:
    """ "(knows) neither Ann nor Ben"."""
    for first in p.cores(verb.end + 1):
        for other in p.cores(first.end + 1) if p.word(first.end) == "nor" else ():
            if other.thing.label != first.thing.label:
                continue
            for label, path, cost in _ties(p, verb, first.thing.label):
                features = (*begin, *first.features, *other.features, *cost, ("c_not", 2.0))
                denied = tuple(Denied((Linked(path, n.thing),)) for n in (first, other))
                yield Predicate(other.end, label, denied, total(features), features)


def _further(p: Parser, verb: Verb, first: Predicate, label: str) -> Iterator[Predicate]:
    """ "(involve) a person and a vehicle": a further object of another kind."""
    for noun in p.nouns(first.end + 1):
        if noun.thing.label == label or noun.wanted or noun.also:
            continue
        for subject, path, cost in _ties(p, verb, noun.thing.label):
            if subject == first.label:
                features = (*first.features, *noun.features, *cost, ("c_list", 1.0))
                limits = (*first.limits, *tied(path, noun))
                yield Predicate(noun.end, subject, limits, total(features), features)


def tied(path: Path, noun: Noun) -> tuple[Limit, ...]:
    """Tied by a path to a noun, and to those that "and" and "or" add."""
    if noun.either:
        return (AnyOf(tuple((Linked(path, t),) for t in (noun.thing, *noun.either))),)
    first = quantified(path, noun.thing, noun.quantity)
    return (first, *(Linked(path, t) for t in noun.also))


def _ties(p: Parser, verb: Verb, label: str) -> Sequence[tuple[str, Path, Features]]:
    """Labels that a verb's subject may have when its object has ``label``, with the ways between."""
    out = []
    for lexeme in verb.lexemes:
        for way in p.ways.of(lexeme.name):
            for bridge, cost in p.ways.bridges(way.end, label):
                if not _fits(verb, lexeme, way):
                    continue
                said = _said(verb, lexeme, way)
                back = 1.0 if bridge and turns(way.path[-1], bridge[0]) else 0.0
                both: Features = (*said, ("c_bridge", cost + back)) if cost else said
                out.append((way.start, (*way.path, *bridge), both))
    out.sort(key=lambda x: -total(x[2]))
    return out[:MOST_OBJECTS]


def turns(step: Step, following: Step) -> bool:
    """Whether a way goes back over the type that it came by."""
    return step.type == following.type and step.forward != following.forward


def _fits(verb: Verb, lexeme: Lexeme, way: Way) -> bool:
    """Whether a relation between things of one label is walked from the right end."""
    if way.start != way.end:
        return True
    if not way.own:
        return role(lexeme.name) == ("done" if verb.passive else "doing")
    flipped = verb.word == "by"
    said_from_start = lexeme.side != -1
    return (said_from_start != flipped) == way.forward


def _said(verb: Verb, lexeme: Lexeme, way: Way) -> Features:
    out: Features = (("c_relation", lexeme.score),)
    if way.start != way.end and lexeme.side and not verb.passive and (lexeme.side == 1) != way.forward:
        out = (*out, ("c_side", 1.0))
    if not way.own:
        out = (*out, ("c_doubled", 1.0))
    if verb.word and verb.word in lexeme.name.lower().split("_"):
        out = (*out, ("c_preposition", 1.0))
    return out


def gaps(p: Parser, at: int) -> Iterable[Predicate]:
    """ "Ann knows", "did Ann call", "officers of M1 investigate": what is said of the missing object."""
    first = auxiliary(p, at)
    for noun in p.nouns(first.end):
        if noun.wanted or noun.either:
            continue
        aux = auxiliary(p, noun.end)
        negated = first.negated or aux.negated
        for found in _gap_verbs(p, noun, aux):
            limits: tuple[Limit, ...] = (Denied(found.limits),) if negated else found.limits
            yield replace(found, limits=limits)


def _gap_verbs(p: Parser, noun: Noun, aux: Aux) -> Iterator[Predicate]:
    begin = noun.features
    for start, skipped in p.starts(aux.end):
        lost: Features = (("c_skip", skipped),) if skipped else ()
        for verb in _verbs(p, start):
            for way, features in _gap_ways(p, verb):
                for bridge, cost in p.ways.bridges(way.start, noun.thing.label):
                    path = (*p.ways.back(way.path, way.start), *bridge)
                    back = 1.0 if bridge and turns(path[len(way.path) - 1], bridge[0]) else 0.0
                    both = (*begin, *lost, *features, ("c_bridge", cost + back))
                    yield Predicate(
                        verb.end, way.end, tied(path, noun), total(both), both, finite=True, hole="object"
                    )
    if aux.having and aux.any:
        yield replace(_lying(noun, "of", (("c_have", 1.0),)), end=aux.end)
    if aux.being and aux.any and p.word(aux.end) in PREPOSITIONS:
        yield replace(_lying(noun, p.word(aux.end), (("c_have", 1.0),)), end=aux.end + 1)
    elif aux.being and aux.any and not p.word(aux.end).isalnum():
        yield replace(_lying(noun, "in", (("c_have", 1.0),)), end=aux.end)


def _gap_ways(p: Parser, verb: Verb) -> Iterator[tuple[Way, Features]]:
    for lexeme in verb.lexemes:
        for way in p.ways.of(lexeme.name):
            if _fits(verb, lexeme, way):
                yield way, _said(verb, lexeme, way)


def modifiers(p: Parser, at: int) -> Iterable[Predicate]:
    """What may stand right behind a noun."""
    if p.word(at) == "," and p.word(at + 1) in _WHO | {"whose", "where"}:
        at += 1
    if p.word(at) in ("either", "both"):
        at += 1
    word = p.word(at)
    if word in _WHO:
        yield from _bonus(p.predicates(at + 1), ("c_relative", 1.0))
        yield from _bonus(p.gaps(at + 1), ("c_relative", 1.0))
        return
    if word == "whose":
        yield from _whose(p, at + 1)
        return
    if word == "where":
        yield from p.places(at + 1)
        return
    if word in PREPOSITIONS and p.word(at + 1) in ("which", "whom", "whose"):
        if p.word(at + 1) == "whose":
            yield from _whose(p, at + 2)
        yield from _bonus(p.gaps(at + 2), ("c_relative", 1.0))
        return
    for size in (2, 1):
        if tuple(p.lower[at : at + size]) in _OTHER:
            yield from _other(p, at + size)
            return
    yield from _reduced(p, at, word)


def places(p: Parser, at: int) -> Iterator[Predicate]:
    """ "Where Ann lives", "where a crime was committed"."""
    for gap in _bonus(p.gaps(at), ("c_relative", 1.0)):
        yield replace(gap, hole="place")
    for noun in p.nouns(at):
        if noun.wanted or noun.also or noun.either:
            continue
        for predicate in p.predicates(noun.end):
            for longer in p.attach(replace(noun, quantity=None), predicate):
                whole = replace(longer, quantity=noun.quantity)
                yield replace(_lying(whole, "where", (("c_relative", 0.3),)), finite=True, hole="place")


def _bonus(found: Iterable[Predicate], feature: tuple[str, float]) -> Iterator[Predicate]:
    for one in found:
        features = (*one.features, feature)
        yield replace(one, features=features, score=total(features))


def _reduced(p: Parser, at: int, word: str) -> Iterator[Predicate]:
    if word in PREPOSITIONS | {"without", "among"}:
        for noun in p.nouns(at + 1):
            if noun.wanted:
                continue
            if word == "without":
                limits: tuple[Limit, ...] = (Denied(loosely(noun, "with")),)
                features = (*noun.features, ("c_cue", 1.0))
                yield Predicate(noun.end, "", limits, total(features), features)
            else:
                yield _lying(noun, word, (("c_prep", 1.0),))
    if word in _WITH:
        for limit in p.limits(at + 1):
            yield Predicate(limit.end, limit.label, limit.limits, limit.score, limit.features)
        if word == "without":
            yield from _without(p, at + 1)
        if word in ("with", "having"):
            yield from _had(p, at + 1)
    if word in ("of", "at", "in"):
        yield from p.limits(at + 1)
    yield from p.limits(at)
    shape = (("c_reduced", 0.0 if word.endswith(("ed", "ing")) or word == "not" else 1.0),)
    if auxiliary(p, at).end == at or word == "not":
        for one in p.predicates(at):
            features = (*one.features, *shape)
            yield replace(one, features=features, score=total(features), finite=False)
    if word not in PREPOSITIONS and auxiliary(p, at).end == at:
        yield from _bonus(p.gaps(at), ("c_reduced", 1.0))


def _without(p: Parser, at: int) -> Iterator[Predicate]:
    while p.word(at) in FREE:
        at += 1
    for lexeme in p.lattice.of(at, "property"):
        for owner in lexeme.owners:
            if p.vocabulary.schema.label(owner) and lexeme.name:
                features: Features = (("c_property", lexeme.score), ("c_cue", 1.0))
                unknown = Has(lexeme.name, Operator.UNKNOWN)
                yield Predicate(lexeme.end, owner, (unknown,), total(features), features)


def _other(p: Parser, at: int) -> Iterator[Predicate]:
    for noun in p.cores(at):
        if noun.thing.limits and noun.quantity is None and not noun.wanted:
            things = (noun.thing, *noun.also, *noun.either)
            features = (*noun.features, ("c_cue", 1.0))
            limits = tuple(Denied(t.limits) for t in things)
            yield Predicate(noun.end, noun.thing.label, limits, total(features), features)
    for found in p.modifiers(at):
        yield replace(found, limits=(Denied(found.limits),))


def _whose(p: Parser, at: int) -> Iterator[Predicate]:
    """ "Whose surname is Moss", "whose friends live in Lund", "whose crime was investigated by"."""
    yield from p.limits(at)
    for owned in p.owned(at):
        for predicate in p.predicates(owned.end):
            for limits, cost in p.settler.on(owned.thing.label, predicate.label, predicate.limits):
                features = (*owned.features, *predicate.features, ("c_bridge", cost))
                linked = _kept(owned.path, owned.thing.label, limits)
                yield Predicate(predicate.end, owned.owner, linked, total(features), features, finite=True)
    for core in p.cores(at):
        if core.named or core.wanted or core.quantity:
            continue
        for predicate in (*p.predicates(core.end), *p.gaps(core.end)):
            for noun in p.attach(core, predicate):
                limit = Loose(noun.thing, "has")
                yield Predicate(noun.end, "", (limit,), noun.score, noun.features, finite=True)


def _kept(path: Path, label: str, limits: tuple[Limit, ...]) -> tuple[Limit, ...]:
    return (Linked(path, Thing(label, limits)),)
