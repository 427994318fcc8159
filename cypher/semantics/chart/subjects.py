"""Questions of a property of a sentence's subject, or of what the sentence tells of."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from cypher.semantics.chart.auxiliaries import auxiliary
from cypher.semantics.chart.forms import Asked, Features, Has, Linked, Noun, Thing, Wanted
from cypher.semantics.chart.lexemes import Lexeme
from cypher.semantics.chart.settle import role
from cypher.semantics.chart.valued import most_by_value
from cypher.semantics.chart.verbs import turned, verbs, with_objects
from cypher.semantics.chart.wanting import property_list, property_words, wants
from cypher.semantics.chart.wholes import whole
from cypher.semantics.chart.wordlists import LYING, TRAILING, words_of
from cypher.semantics.ir import Head, Operator
from cypher.semantics.lightly import LIGHT
from cypher.semantics.text import identifier_words

if TYPE_CHECKING:
    from cypher.semantics.chart.parser import Parser

_MAKING: Final = words_of("make makes made build builds built manufacture manufactures manufactured produces")
_MAKERS: Final = frozenset({"make", "maker", "manufacturer", "brand", "producer", "builder"})


_HOLDING: Final = words_of(
    "have has had hold holds held bear bears carry carries go use uses "
    "belong show shows lie lies measure measures weigh weighs take takes took",
    "get gets got receive receives received",
)
"""Verbs that say no more than that somebody or something has the property."""
_RECORDED: Final = frozenset({"for", "of", "with", "in", "against"})
_BEING: Final = frozenset({"is", "are", "was", "were"})


def property_of_subject(p: Parser, at: int) -> Iterator[Asked]:
    """ "What rank does Ann have", "what surname do the people have who ..."."""
    for names, end, score in property_list(p, at):
        aux = auxiliary(p, end)
        if not aux.any or _is_label(p, at, names):
            continue
        yield from _property_of_event(p, names, aux.end, score)
        yield from _recorded(p, names, aux.end, score)
        for noun in p.nouns(aux.end):
            wanted, cost = wants(p, noun.thing.label, names)
            if not wanted or noun.quantity or noun.wanted or _given(noun, wanted):
                continue
            more: Features = (*property_words(names, score), ("c_main", 1.0), ("c_bridge", cost))
            base = replace(noun, wanted=wanted)
            stop = noun.end
            last = p.word(stop).isalpha() and p.word(stop + 1) in ("?", ".", "")
            if last or p.word(stop) in _HOLDING:
                said = _said_of(p, stop, noun.thing.label)
                unknown = not said and p.word(stop) not in _HOLDING | LIGHT | LYING
                more = (*more, *said, *((("c_skip", 1.0),) if unknown else ()))
                stop += 1 + (p.word(stop + 1) == "to")
            elif p.lower[stop : stop + 2] == ("take", "place"):
                said = _said_of(p, stop, noun.thing.label) or (("c_relation", 1.2),)
                more, stop = (*more, *said), stop + 2
            done = replace(base, end=stop)
            if stop == noun.end and noun.number == "many":
                done = most_by_value(done)
            yield from whole(p, done, Head.LIST, *more)
            for predicate in p.modifiers(stop) if stop > noun.end else ():
                for longer in p.attach(done, predicate):
                    yield from whole(p, longer, Head.LIST, *more)


def _is_label(p: Parser, at: int, names: tuple[Lexeme, ...]) -> bool:
    """Whether a property's word is the word for what has it, so that the things themselves are asked for."""
    kinds = {(x.end, x.name) for x in p.lattice.of(at, "label")}
    return len(names) == 1 and any((names[0].end, owner) in kinds for owner in names[0].owners)


def _recorded(p: Parser, names: tuple[Lexeme, ...], at: int, score: float) -> Iterator[Asked]:
    """ "(what postcode is) recorded for the houses": the participle says no more than that there is one."""
    if p.word(at) not in TRAILING or p.word(at + 1) not in _RECORDED:
        return
    for noun in p.nouns(at + 2):
        wanted, cost = wants(p, noun.thing.label, names)
        if wanted and not (noun.quantity or noun.wanted):
            more: Features = (
                *property_words(names, score),
                ("c_main", 1.0),
                ("c_bridge", cost),
                ("c_cue", 1.0),
            )
            yield from whole(p, replace(noun, wanted=wanted), Head.LIST, *more)


def _given(noun: Noun, wanted: tuple[Wanted, ...]) -> bool:
    """Whether what would be asked is what the thing is told by: "(which phone) did 555-0123 have"."""
    told = {x.name for x in noun.thing.limits if isinstance(x, Has) and x.operator is Operator.EQ}
    return all(not w.path and w.step is None and w.name in told for w in wanted)


def maker(p: Parser, at: int) -> Iterator[Asked]:
    """ "(Who) builds the Passat", "(who) designed Green Bank": a property named after who does it."""
    verb = auxiliary(p, at).end
    told = {(owner, x.name) for x in p.lattice.of(verb, "verbal") for owner in x.owners}
    if p.word(verb) in _MAKING:
        table = p.vocabulary.words.properties
        told |= {key for key in table if _MAKERS & set(identifier_words(key[1]))}
    for noun in p.nouns(verb + 1) if told else ():
        if noun.wanted or noun.quantity or noun.also or noun.either:
            continue
        for owner, name in sorted(told):
            info = p.vocabulary.words.properties[owner, name]
            if owner == noun.thing.label and not (info.numeric or info.dated):
                done = replace(noun, wanted=(Wanted((), owner, name),))
                yield from whole(p, done, Head.LIST, ("c_property", 1.0), ("c_main", 1.0))


def _said_of(p: Parser, at: int, label: str) -> Features:
    """A verb behind the subject that says no more than what happens to such things: calls are "made"."""
    found = [
        x.score
        for x in p.lattice.of(at, "relation")
        if any(label in (way.start, way.end) for way in p.ways.of(x.name))
    ]
    return (("c_relation", max(found)),) if found else ()


def _property_of_event(p: Parser, names: tuple[Lexeme, ...], at: int, score: float) -> Iterator[Asked]:
    """ "(at what time) did Ann call Ben": a property of what a clause tells of."""
    for event in _told_events(p, at, names):
        wanted, _ = wants(p, event.thing.label, names)
        if wanted and not any(w.path for w in wanted):
            more = (
                *property_words(names, score),
                ("c_main", 1.0),
                ("c_fronted", 1.0),
                *_astray(p, at, event),
            )
            yield from whole(p, replace(event, wanted=wanted), Head.LIST, *more)


def day_of_event(p: Parser, at: int) -> Iterator[Asked]:
    """ "(when did) Ann call Ben": the day of what a clause tells of."""
    for event in _told_events(p, at):
        info = p.settler.property_for(event.thing.label, "date")
        if info is not None:
            wanted = (Wanted((), event.thing.label, info.name),)
            more = (("c_main", 1.0), ("c_fronted", 1.0), *_astray(p, at, event))
            yield from whole(p, replace(event, wanted=wanted), Head.LIST, *more)


def _astray(p: Parser, at: int, event: Noun) -> Features:
    """Whether who is done something is taken for who does it: "(when was) Ann called"."""
    passive = p.word(at - 1) in _BEING and not any(w.endswith("ing") for w in p.lower[at:])
    return (("c_side", 1.0),) if passive and _ends(event) == {"doing"} else ()


def _ends(event: Noun) -> set[str]:
    return {role(x.path[0].type) for x in event.thing.limits if isinstance(x, Linked)}


def how_often(p: Parser, at: int) -> Iterator[Asked]:
    """ "(How many times) did Ann call Ben": a count of what the clause tells of."""
    aux = auxiliary(p, at)
    events = _suffered(p, aux.end) if aux.being else _told_events(p, aux.end)
    for event in events if aux.any else ():
        if p.settler.property_for(event.thing.label, "date") is not None:
            astray = _ends(event) == {"doing" if aux.being else "done"}
            more = (("c_main", 1.0), ("c_cue", 3.0), ("c_side", 1.0 * astray))
            yield from whole(p, replace(event, wanted=()), Head.COUNT, *more)


def _suffered(p: Parser, at: int) -> Iterator[Noun]:
    """What a passive clause tells of: "(was) Ben called by Ann"."""
    for subject in p.nouns(at):
        if subject.wanted or subject.quantity or subject.also or subject.either:
            continue
        for verb in verbs(p, subject.end):
            for predicate in with_objects(p, turned(p, subject.end, verb), ()):
                for told in p.attach(subject, predicate):
                    for limit in told.last:
                        for event in _events(p, limit, subject.thing) if isinstance(limit, Linked) else ():
                            yield replace(told, thing=event)


def _told_events(p: Parser, at: int, names: tuple[Lexeme, ...] = ()) -> Iterator[Noun]:
    """What happens by a clause, between its subject and its object; no subject has one of ``names``."""
    for subject in p.nouns(at):
        if subject.wanted or subject.quantity or subject.also or subject.either:
            continue
        if any(subject.thing.label in x.owners for x in names):
            continue
        for predicate in p.predicates(subject.end):
            for told in p.attach(subject, predicate):
                for limit in told.last:
                    for event in _events(p, limit, subject.thing) if isinstance(limit, Linked) else ():
                        yield replace(told, thing=event)


def _events(p: Parser, limit: Linked, subject: Thing) -> Iterator[Thing]:
    """Things between a subject and its object, the object included, tied to both."""
    if len(limit.thing.limits) == 1 and isinstance(limit.thing.limits[0], Linked):
        inner = limit.thing.limits[0]
        limit = Linked((*limit.path, *inner.path), inner.thing)
    for place, step in enumerate(limit.path):
        before, after = limit.path[: place + 1], limit.path[place + 1 :]
        if p.ways.owning(before) and step.forward:
            continue  # what somebody has is not what he does
        back = Linked(p.ways.back(before, subject.label), subject)
        if after:
            yield Thing(step.to, (back, Linked(after, limit.thing)))
        else:
            yield limit.thing.plus(back)
