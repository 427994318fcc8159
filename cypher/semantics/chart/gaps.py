"""Clauses that lack an object: "(the ships) that Ann owns", "(the port) from which she sailed"."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from cypher.semantics.chart.auxiliaries import Aux, auxiliary, lying
from cypher.semantics.chart.circumstances import circumstances
from cypher.semantics.chart.forms import AnyOf, Denied, Features, Has, Limit, Linked, Noun, Predicate
from cypher.semantics.chart.naming import splits_name
from cypher.semantics.chart.settle import role
from cypher.semantics.chart.tied_days import told_when
from cypher.semantics.chart.tied_values import told_as
from cypher.semantics.chart.verb_sides import Verb, does_itself, fits, said_by, turns
from cypher.semantics.chart.verbs import tied, turned, verbs
from cypher.semantics.chart.ways import Way
from cypher.semantics.chart.wordlists import FREE, HARD, PARTICLES, PREPOSITIONS
from cypher.semantics.irregular import IRREGULAR
from cypher.semantics.lexicon import ANYBODY
from cypher.semantics.schema_paths import Path
from cypher.semantics.score import total

if TYPE_CHECKING:
    from cypher.semantics.chart.parser import Parser

_EXTRAPOSED: Final = frozenset({"that", "who", "which"})
"""Words that open a clause on the subject behind the verb: "where a crime occurred that involved Ann"."""
_MOVED: Final = frozenset({"which", "whom"})
_GOING: Final = frozenset({"to", "from", "by"})
"""Prepositions before whoever has what is at an event's end: "a call (was made) to Ann"."""
_WHEN: Final = frozenset({"at", "on", "in"})
_LYING: Final = frozenset({"located", "situated", "found", "based"})
_NAMED: Final = ("label", "value", "number", "day", "text", "agent")
PAIRED: Final = 0.3
"""Cost of the way through an event from what does it to what it is done to."""


def gaps(p: Parser, at: int) -> Iterable[Predicate]:
    """ "Ann knows", "did Ann call", "officers of M1 investigate": what is said of the missing object."""
    moved = p.word(at - 1) in _MOVED and p.word(at - 2) in PREPOSITIONS
    return fronted(p, at, p.word(at - 2) if moved else "")


def fronted(p: Parser, at: int, front: str) -> Iterator[Predicate]:
    """Clauses that lack an object, with its preposition ``front`` before them: "from which Ann called"."""
    first = auxiliary(p, at)
    for noun in p.objects(first.end) if not splits_name(p, at) else ():
        if noun.wanted or (first.end == at and _articleless(p, at, noun)):
            continue
        aux = auxiliary(p, noun.end)
        negated = first.negated or aux.negated
        aux = replace(aux, being=aux.being or (first.being and not aux.any and front in _WHEN))
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
        if (other.label, other.features[:own]) == (first.label, noun.features):
            features = (*first.features, *other.features[own:], ("c_and", 1.0))
            limits: tuple[Limit, ...] = (*first.limits, *other.limits)
            limits = (AnyOf((first.limits, other.limits)),) if word == "or" else limits
            if other.limits == first.limits:  # "used or involved", of which the graph tells alike
                limits = first.limits
            yield replace(first, end=other.end, limits=limits, score=total(features), features=features)


def _gap_verbs(p: Parser, noun: Noun, aux: Aux, front: str) -> Iterator[Predicate]:
    for start, skipped in p.starts(aux.end):
        lost: Features = (("c_skip", skipped),) if skipped else ()
        for verb in fronted_verbs(p, start, front):
            for way, features in _gap_ways(p, verb, turned(p, start, verb) if aux.being else verb):
                if not (aux.being or _by_subject(verb, way)):
                    continue
                for bridge, cost in p.ways.bridges(way.start, noun.thing.label):
                    path = (*p.ways.back(way.path, way.start), *bridge)
                    back = 1.0 if bridge and turns(path[len(way.path) - 1], bridge[0]) else 0.0
                    bridged = PAIRED if _paired(way, bridge, verb) else cost + back
                    more = (*lost, *features, ("c_bridge", bridged))
                    for told in (replace(noun, end=verb.end), *_told_behind(p, noun, verb.end)):
                        both = (*told.features, *more)
                        limits = tied(path, told)
                        one = Predicate(
                            told.end, way.end, limits, total(both), both, finite=True, hole="object"
                        )
                        alone = told.end == verb.end and told.quantity is None
                        yield one
                        yield from (*told_when(p, one, path), *told_as(p, one, path))
                        yield from circumstances(p, one, path, tied(path[1:], told) if alone else ())
    if front:
        yield from _by_unknown_verb(p, noun, aux.end, front)
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


def _by_unknown_verb(p: Parser, noun: Noun, at: int, front: str) -> Iterator[Predicate]:
    """ "(In which) a ship came up": a verb that the schema does not know, in front of what tells no more."""
    if (
        p.word(at).isalpha()
        and p.word(at) not in HARD | FREE | PREPOSITIONS
        and not p.lattice.of(at, *_NAMED)
    ):
        end = at + 1 + (p.word(at + 1) in PARTICLES)
        if not p.lattice.of(at, "relation") or end > at + 1:
            yield replace(lying(noun, front, (("c_skip", 0.8),)), end=end)


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
    whole = len(way.path) == 1 and 1 <= len(bridge) <= 2
    ends = (role(way.path[0].type), role(bridge[0].type)) if whole else ()
    return ends == (("doing", "done") if verb.word in ("from", "by") else ("done", "doing"))


def _told_behind(p: Parser, noun: Noun, end: int) -> Iterator[Noun]:
    """The subject with what is said of it behind the verb: "(from which) a call was made at noon"."""
    if p.word(end) in PREPOSITIONS and not noun.named and noun.quantity is None:
        for modifier in p.modifiers(end):
            for longer in p.attach(noun, modifier):
                steps = 1 + (p.word(end) in _GOING)
                if all(isinstance(x, Has) or _at_once(x, steps) for x in longer.last):
                    yield longer
    if p.word(end) in _EXTRAPOSED and not noun.named and noun.quantity is None:
        for modifier in p.modifiers(end):
            if modifier.label == noun.thing.label:
                yield from p.attach(noun, modifier)


def _at_once(limit: Limit, steps: int) -> bool:
    """Whether a thing is tied by so many relations to another that is told by its values."""
    if not isinstance(limit, Linked) or len(limit.path) > steps:
        return False
    return bool(limit.thing.limits) and all(isinstance(x, Has) or _named_by(x) for x in limit.thing.limits)


def _named_by(limit: Limit) -> bool:
    """Whether a thing is told by one that is told by its values: "(from) Ann's phone"."""
    return isinstance(limit, Linked) and all(isinstance(x, Has) for x in limit.thing.limits)


def _by_subject(verb: Verb, way: Way) -> bool:
    """Whether the subject does what may be said of either end of an event, and is not done it: "Ann rang"."""
    both = {"doing", "done"} <= {role(x.name) for x in verb.lexemes}
    done = role(way.path[0].type) == "done" and not way.forward and way.own
    return not (both and done) or bool(verb.word) or verb.passive


def fronted_verbs(p: Parser, at: int, front: str) -> Iterator[Verb]:
    """Verbs at a word; a preposition that stands before the clause is read as if it followed the verb."""
    for verb in verbs(p, at):
        if not front or verb.word:
            yield verb
            continue
        joined = p.lattice.joined(at, verb.end, front)
        yield Verb(verb.end, (*joined, *verb.lexemes), front, passive=front == "by")
    if front and not p.lattice.of(at, "relation") and (joined := p.lattice.joined(at, at + 1, front)):
        yield Verb(at + 1, tuple(joined), front)


def _gap_ways(p: Parser, verb: Verb, passive: Verb) -> Iterator[tuple[Way, Features]]:
    for lexeme in verb.lexemes:
        for way in p.ways.of(lexeme.name):
            if fits(verb, lexeme, way):
                astray: Features = (("c_side", 1.0),) if does_itself(passive, way) else ()
                yield way, (*said_by(verb, lexeme, way), *astray)
