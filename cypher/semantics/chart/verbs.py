"""Verbs with their objects, and clauses that lack one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from cypher.semantics.chart.auxiliaries import HAVING, Aux, auxiliary, lying
from cypher.semantics.chart.forms import (
    AnyOf,
    Denied,
    Exceeds,
    Features,
    Has,
    Limit,
    Linked,
    Most,
    Noun,
    Predicate,
    Thing,
)
from cypher.semantics.chart.lexemes import Lexeme
from cypher.semantics.chart.pairs import each_other
from cypher.semantics.chart.settle import exceeds, quantified, role
from cypher.semantics.chart.stated import timed
from cypher.semantics.chart.wanting import often, past
from cypher.semantics.chart.ways import Way
from cypher.semantics.chart.wordlists import FREE, PLACING, PREPOSITIONS
from cypher.semantics.irregular import IRREGULAR
from cypher.semantics.lexicon import ANYBODY
from cypher.semantics.schema_paths import Path, Step
from cypher.semantics.score import total
from cypher.semantics.text import identifier_words

if TYPE_CHECKING:
    from cypher.semantics.chart.parser import Parser

MOST_OBJECTS: Final = 10
_ROLE: Final = frozenset(
    ["involved", "credited", "listed", "work", "worked", "working", "serve", "served", "serving", "featured"]
)
"""Verbs that say a relation only with what follows "as": "(was) credited as a writer (of)"."""
_EXTRAPOSED: Final = frozenset({"that", "who", "which"})
"""Words that open a clause on the subject behind the verb: "where a crime occurred that involved Ann"."""
_MOVED: Final = frozenset({"which", "whom"})
_LYING: Final = frozenset({"located", "situated", "found", "based"})
_WHEN: Final = frozenset({"on", "at", "in", "during", "of", "for"})
UNNAMED: Final = 1.5
"""What speaks against an event that only its day tells: "(what) called on 3 May"."""
_SHARED: Final = frozenset({"with", "alongside"})
"""Prepositions of what two share, so that a way may well come back to the label that it left."""
_ROLES: Final = {"from": "doing", "to": "done"}
PAIRED: Final = 0.3
"""Cost of the way through an event from what does it to what it is done to."""
NEARBY: Final = 1.0
"""Most that the way to a further object may cost, which has the same verb as the first."""
FELLOWS: Final = 0.2
"""Cost of the way to who did the same to the same thing: "(who) sailed with Ann"."""
REVISIT: Final = 1.0
"""Cost of coming back to a label by a way that no word names."""


@dataclass(frozen=True, slots=True)
class Verb:
    """A relation's words up to ``end``; its types, with their sides and scores."""

    end: int
    lexemes: tuple[Lexeme, ...]
    word: str = ""
    """The preposition behind it."""
    passive: bool = False
    turned: bool = False
    """Whether it is passive by its form alone, so that its words are said from the other side."""
    done: bool = False
    """Whether it is a participle behind "is" or "was", whatever preposition follows but "by"."""


def verbs(p: Parser, at: int) -> Iterator[Verb]:
    ends: dict[int, list[Lexeme]] = defaultdict(list)
    for lexeme in p.lattice.of(at, "relation"):
        if lexeme.score < 0.5 or (identifier_words(lexeme.name)[0] in HAVING and lexeme.score <= 1.05):
            continue
        ends[lexeme.end].append(lexeme)
    if p.word(at) in _ROLE and p.word(at + 1) == "as":
        for lexeme in p.lattice.of(past(p, at + 2), "agent"):
            ends[lexeme.end].append(lexeme)
    for end, lexemes in ends.items():
        passive = p.word(end) == "by" or p.word(end - 1) == "by"
        yield Verb(end, tuple(lexemes), passive=passive)
        after = end
        while p.word(after) in ("out", "up", "together", "down", "over", "place", "a", "part"):
            after += 1
        if p.word(after) in PREPOSITIONS:
            yield Verb(after + 1, tuple(lexemes), p.word(after), passive=p.word(after) == "by")


def turned(p: Parser, at: int, verb: Verb) -> Verb:
    """The verb behind "is" or "was", where it is one participle that no phrase says with its preposition."""
    one_word = verb.end == at + 1 + bool(verb.word)
    participle = p.word(at).endswith("ed") or p.word(at) in IRREGULAR
    done = participle and not verb.passive
    return replace(verb, turned=one_word and done, done=done)


def with_objects(p: Parser, verb: Verb, begin: Features) -> Iterator[Predicate]:
    """A verb with what it is done to, one or several."""
    if p.word(verb.end) == "neither":
        yield from _with_neither(p, verb, begin)
    nouns = [n for n in p.objects(verb.end) if not n.wanted or len(n.wanted) == 1]
    for noun in nouns:
        for label, path, cost in ties(p, verb, noun.thing.label):
            features = (*begin, *noun.features, *cost)
            if noun.wanted:
                features = (*features, ("c_lost", 0.6))
            if verb.word in _WHEN and p.settler.says_when(noun.thing) and not _labelled(noun):
                features = (*features, ("c_doubled", UNNAMED))
            one = Predicate(noun.end, label, tied(path, noun), total(features), features)
            yield one
            if p.word(noun.end) == "and" and noun.quantity is None:
                yield from _further(p, verb, one, noun.thing.label)
    yield from each_other(p, verb.end, verb.lexemes, begin)
    yield from _without_object(p, verb, begin, alone=not nouns)
    if not verb.word:
        yield from _so_often(p, verb, begin)


def _without_object(p: Parser, verb: Verb, begin: Features, *, alone: bool) -> Iterator[Predicate]:
    """ "(have) directed", "(was) committed on 3 May"."""
    ends = alone or p.word(verb.end) in ("and", "or", ",", "?", ".", "but", "")
    adverbs = [*(x for x in p.limits(verb.end) if x.label == ""), *timed(p, verb.end)]
    ways = [(x, way) for x in verb.lexemes for way in p.ways.of(x.name) if way.own]
    for lexeme, way in ways:
        said = (*begin, *_said(verb, lexeme, way), ("c_open", 1.0))
        anything = Linked(way.path, Thing(way.end))
        if ends and not verb.word:
            yield Predicate(verb.end, way.start, (anything,), total(said), said)
        for adverb in adverbs:
            if adverb.label not in ("", way.start):
                continue
            features = (*said, *adverb.features)
            yield Predicate(adverb.end, way.start, (*adverb.limits, anything), total(features), features)


def most_often(p: Parser, at: int) -> Iterator[Predicate]:
    """ "(are) most frequently ordered by people of Lund": done most, as far as the object goes."""
    if p.word(at) not in ("most", "least") or p.word(at + 1) not in ("often", "frequently", "commonly"):
        return
    for verb in verbs(p, at + 2):
        for found in with_objects(p, verb, (("c_cue", 1.5),)):
            only = found.limits[0]
            if len(found.limits) == 1 and isinstance(only, Linked):
                yield replace(found, limits=(Most(only.path, only.thing, p.word(at) == "most"),))


def _so_often(p: Parser, verb: Verb, begin: Features) -> Iterator[Predicate]:
    """ "(have been ordered) more than three times", "(was called) the most often"."""
    for end, quantity in often(p, verb.end):
        for lexeme in verb.lexemes:
            for way in p.ways.of(lexeme.name):
                if way.own:
                    features = (*begin, *_said(verb, lexeme, way), ("c_cue", 1.5))
                    limit = quantified(way.path, Thing(way.end), quantity)
                    yield Predicate(end, way.start, (limit,), total(features), features)


def _with_neither(p: Parser, verb: Verb, begin: Features) -> Iterator[Predicate]:
    """ "(knows) neither Ann nor Ben"."""
    for first in p.cores(verb.end + 1):
        for other in p.cores(first.end + 1) if p.word(first.end) == "nor" else ():
            if other.thing.label != first.thing.label:
                continue
            for label, path, cost in ties(p, verb, first.thing.label):
                features = (*begin, *first.features, *other.features, *cost, ("c_not", 2.0))
                denied = tuple(Denied((Linked(path, n.thing),)) for n in (first, other))
                yield Predicate(other.end, label, denied, total(features), features)


def _further(p: Parser, verb: Verb, first: Predicate, label: str) -> Iterator[Predicate]:
    """ "(involve) a person and a vehicle": a further object of another kind."""
    for noun in p.objects(first.end + 1) if p.word(first.end + 1) not in PLACING else ():
        if noun.thing.label == label or noun.wanted or noun.also:
            continue
        for subject, path, cost in ties(p, verb, noun.thing.label):
            if subject == first.label and _bridged(cost) <= NEARBY:
                features = (*first.features, *noun.features, *cost, ("c_list", 1.0))
                limits = (*first.limits, *tied(path, noun))
                yield Predicate(noun.end, subject, limits, total(features), features)


def _labelled(noun: Noun) -> bool:
    """Whether a label was said: "a call of 3 May", not "3 May"."""
    return any(name == "c_label" for name, _ in noun.features)


def _bridged(features: Features) -> float:
    """What the way costs that no word names."""
    return sum(amount for name, amount in features if name == "c_bridge")


def tied(path: Path, noun: Noun) -> tuple[Limit, ...]:
    """Tied by a path to a noun, and to those that "and" and "or" add."""
    if noun.either:
        return (AnyOf(tuple((Linked(path, t),) for t in (noun.thing, *noun.either))),)
    if exceeds(noun) and noun.quantity:
        return (Exceeds(path, noun.thing, noun.quantity.operator, noun.also[0]),)
    first = quantified(path, noun.thing, noun.quantity)
    return (first, *(Linked(path, t) for t in noun.also))


def ties(p: Parser, verb: Verb, label: str) -> Sequence[tuple[str, Path, Features]]:
    """Labels that a verb's subject may have when its object has ``label``, with the ways between."""
    out = []
    for lexeme in verb.lexemes:
        for way in p.ways.of(lexeme.name):
            for bridge, cost in p.ways.bridges(way.end, label):
                if not _fits(verb, lexeme, way):
                    continue
                said = _said(verb, lexeme, way)
                back = 1.0 if bridge and turns(way.path[-1], bridge[0]) else 0.0
                back += REVISIT * revisits(way, bridge) * (1 if verb.word in _SHARED else 2)
                both: Features = (*said, ("c_bridge", cost + back)) if cost else said
                out.append((way.start, (*way.path, *bridge), both))
            if verb.word in _SHARED and way.own and way.start == label != way.end:
                both = (*_said(verb, lexeme, way), ("c_bridge", FELLOWS))
                out.append((label, (*way.path, *p.ways.back(way.path, label)), both))
    out.sort(key=lambda x: -total(x[2]))
    return out[:MOST_OBJECTS]


def revisits(way: Way, bridge: Path) -> int:
    """How many labels of a way a bridge behind it comes back to."""
    passed = {way.start, *(step.to for step in way.path)}
    return sum(step.to in passed for step in bridge)


def turns(step: Step, following: Step) -> bool:
    """Whether a way goes back over the type that it came by."""
    return step.type == following.type and step.forward != following.forward


def _fits(verb: Verb, lexeme: Lexeme, way: Way) -> bool:
    """Whether a relation between things of one label is walked from the right end."""
    if way.start != way.end:
        return True
    if not way.own:
        return role(lexeme.name) == ("done" if verb.passive or verb.done else "doing")
    flipped = verb.word == "by"
    said_from_start = lexeme.side != -1
    return (said_from_start != flipped) == way.forward


def _said(verb: Verb, lexeme: Lexeme, way: Way) -> Features:
    out: Features = (("c_relation", lexeme.score),)
    astray = ((lexeme.side == 1) != way.forward) != verb.turned
    if way.start != way.end and lexeme.side and not verb.passive and astray:
        out = (*out, ("c_side", 1.0))
    if not way.own:
        out = (*out, ("c_doubled", 1.0))
    if verb.word and (
        verb.word in lexeme.name.lower().split("_") or role(lexeme.name) == _ROLES.get(verb.word)
    ):
        out = (*out, ("c_preposition", 1.0))
    return out


def gaps(p: Parser, at: int) -> Iterable[Predicate]:
    """ "Ann knows", "did Ann call", "officers of M1 investigate": what is said of the missing object."""
    moved = p.word(at - 1) in _MOVED and p.word(at - 2) in PREPOSITIONS
    return fronted(p, at, p.word(at - 2) if moved else "")


def fronted(p: Parser, at: int, front: str) -> Iterator[Predicate]:
    """Clauses that lack an object, with its preposition ``front`` before them: "from which Ann called"."""
    first = auxiliary(p, at)
    for noun in p.objects(first.end):
        if noun.wanted or (first.end == at and _articleless(p, at, noun)):
            continue
        aux = auxiliary(p, noun.end)
        negated = first.negated or aux.negated
        alone = list(_gap_verbs(p, noun, aux, front))
        for found in (*alone, *(x for one in alone for x in _further_gaps(p, noun, one, front))):
            limits: tuple[Limit, ...] = (Denied(found.limits),) if negated else found.limits
            yield replace(found, limits=limits)


def _articleless(p: Parser, at: int, noun: Noun) -> bool:
    """Whether a kind is said in the singular without an article, so that no clause starts with it."""
    bare = noun.number == "one" and not noun.modified and not noun.named and p.word(at) not in ANYBODY
    return bare and bool(p.lattice.of(at, "label"))


def _further_gaps(p: Parser, noun: Noun, first: Predicate, front: str) -> Iterator[Predicate]:
    """ "(the calls that) Ann made or received": a further verb of the same subject."""
    word, aux = p.word(first.end), auxiliary(p, first.end + 1)
    own = len(noun.features)
    if word not in ("or", "and") or aux.negated or first.features[:own] != noun.features:
        return
    for other in _gap_verbs(p, noun, aux, front):
        if (other.label, other.features[:own]) == (
            first.label,
            noun.features,
        ) and other.limits != first.limits:
            features = (*first.features, *other.features[own:], ("c_and", 1.0))
            limits: tuple[Limit, ...] = (*first.limits, *other.limits)
            limits = (AnyOf((first.limits, other.limits)),) if word == "or" else limits
            yield replace(first, end=other.end, limits=limits, score=total(features), features=features)


def _gap_verbs(p: Parser, noun: Noun, aux: Aux, front: str) -> Iterator[Predicate]:
    for start, skipped in p.starts(aux.end):
        lost: Features = (("c_skip", skipped),) if skipped else ()
        for verb in fronted_verbs(p, start, front):
            for way, features in _gap_ways(p, verb):
                for bridge, cost in p.ways.bridges(way.start, noun.thing.label):
                    path = (*p.ways.back(way.path, way.start), *bridge)
                    back = 1.0 if bridge and turns(path[len(way.path) - 1], bridge[0]) else 0.0
                    bridged = PAIRED if _paired(way, bridge, verb) else cost + back
                    more = (*lost, *features, ("c_bridge", bridged))
                    for told in (replace(noun, end=verb.end), *_told_behind(p, noun, verb.end)):
                        both = (*told.features, *more)
                        limits = tied(path, told)
                        yield Predicate(
                            told.end, way.end, limits, total(both), both, finite=True, hole="object"
                        )
    if aux.having and p.word(aux.end) == "as":
        yield from _had_as(p, noun, aux.end + 1)
    if aux.having and aux.any and not _is_participle(p, aux.end):
        yield replace(lying(noun, "of", (("c_have", 1.0),)), end=aux.end)
    if aux.being and aux.any and p.word(aux.end) in PREPOSITIONS:
        yield replace(lying(noun, p.word(aux.end), (("c_have", 1.0),)), end=aux.end + 1)
    elif aux.being and aux.any:
        end = aux.end + (p.word(aux.end) in _LYING)
        if not p.word(end).isalnum():
            yield replace(
                lying(noun, "in", (("c_have", 1.0), ("c_relation", 1.0 * (end > aux.end)))), end=end
            )


def _had_as(p: Parser, noun: Noun, at: int) -> Iterator[Predicate]:
    """ "(those whom) Ann has as friends": what the missing object is to the subject."""
    while p.word(at) in FREE:
        at += 1
    for owned in p.owned(at):
        for bridge, cost in p.ways.bridges(owned.owner, noun.thing.label):
            features = (*noun.features, *owned.features, ("c_bridge", cost), ("c_have", 1.0))
            limits = tied((*p.ways.back(owned.path, owned.owner), *bridge), noun)
            label = owned.thing.label
            yield Predicate(owned.end, label, limits, total(features), features, finite=True, hole="object")


def _is_participle(p: Parser, at: int) -> bool:
    """Whether a verb follows, so that "has" is but its auxiliary: "that Ann has called"."""
    participle = p.word(at).endswith("ed") or p.word(at) in IRREGULAR
    return participle and any(x.end == at + 1 for x in p.lattice.of(at, "relation"))


def _paired(way: Way, bridge: Path, verb: Verb) -> bool:
    """Whether one end of an event does to the other what the verb says: "the phone that Ann's called"."""
    ends = (role(way.path[0].type), role(bridge[0].type)) if len(way.path) == len(bridge) == 1 else ()
    return ends == (("doing", "done") if verb.word in ("from", "by") else ("done", "doing"))


def _told_behind(p: Parser, noun: Noun, end: int) -> Iterator[Noun]:
    """The subject with what is said of it behind the verb: "(from which) a call was made at noon"."""
    if p.word(end) in PREPOSITIONS and not noun.named and noun.quantity is None:
        for modifier in p.modifiers(end):
            for longer in p.attach(noun, modifier):
                if all(isinstance(x, Has) or _at_once(x) for x in longer.last):
                    yield longer
    if p.word(end) in _EXTRAPOSED and not noun.named and noun.quantity is None:
        for modifier in p.modifiers(end):
            if modifier.label == noun.thing.label:
                yield from p.attach(noun, modifier)


def _at_once(limit: Limit) -> bool:
    """Whether a thing is tied by one relation to another that is told by its values."""
    if not isinstance(limit, Linked) or len(limit.path) > 1:
        return False
    return bool(limit.thing.limits) and all(isinstance(x, Has) for x in limit.thing.limits)


def fronted_verbs(p: Parser, at: int, front: str) -> Iterator[Verb]:
    """Verbs at a word; a preposition that stands before the clause is read as if it followed the verb."""
    for verb in verbs(p, at):
        if not front or verb.word:
            yield verb
            continue
        joined = p.lattice.joined(at, verb.end, front)
        yield Verb(verb.end, (*joined, *verb.lexemes), front, passive=front == "by")


def _gap_ways(p: Parser, verb: Verb) -> Iterator[tuple[Way, Features]]:
    for lexeme in verb.lexemes:
        for way in p.ways.of(lexeme.name):
            if _fits(verb, lexeme, way):
                yield way, _said(verb, lexeme, way)
