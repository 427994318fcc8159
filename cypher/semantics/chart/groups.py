"""Measures, one or several, over all things or for each of something: "the average age per rank"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from cypher.semantics.chart.amounts import counted_by
from cypher.semantics.chart.auxiliaries import auxiliary
from cypher.semantics.chart.counting import MEASURES, further
from cypher.semantics.chart.forms import (
    Asked,
    Each,
    Features,
    Figure,
    Has,
    Loose,
    Noun,
    Thing,
    Wanted,
    marked,
)
from cypher.semantics.chart.keys import keys_behind, keys_on, tells_each, tied
from cypher.semantics.chart.limits import contradicts, unmarked
from cypher.semantics.chart.tallies import broken_down, echoed, plain_counts
from cypher.semantics.chart.topics import COUNTING, JOINING, LEADING, Topic, phrase_at, topics
from cypher.semantics.chart.wanting import is_participle, property_list, property_words, wants
from cypher.semantics.chart.wholes import asked_gaps, left_behind
from cypher.semantics.chart.wordlists import COMMANDS, FREE, FURTHER, WHO
from cypher.semantics.ir import Head, Measure, Operator
from cypher.semantics.score import total
from cypher.semantics.text import identifier_words

if TYPE_CHECKING:
    from cypher.semantics.chart.parser import Parser

_TAIL: Final = frozenset(
    [
        "did",
        "do",
        "does",
        "are",
        "is",
        "were",
        "was",
        "there",
        "have",
        "has",
        "been",
        "in",
        "for",
        "with",
        "to",
    ]
)
_OF: Final = frozenset({"for", "among", "of", "in", "from", "with"})
MOST_FOUND: Final = 24


@dataclass(frozen=True, slots=True)
class _Found:
    """Measures of one thing, up to word ``end``; names of properties wait where no thing was said."""

    end: int
    thing: Thing | None
    figures: tuple[Figure, ...]
    features: Features
    waiting: tuple[Measure, Noun | None] | None = None
    keys: tuple[Wanted, ...] = ()
    """Keys said in front of what is counted."""


def groups(p: Parser, start: int) -> Iterator[Asked]:
    """Readings as measures with keys, or as several measures."""
    yield from _measured(p, start)
    for thing, _, keys, features in broken_down(p, _begin(p, start)):
        yield Asked(thing, Head.GROUP, total(features), features, figures=(_number_of(thing),), keys=keys)
    for topic in topics(p, start):
        child = p.about(topic.thing)
        for asked in _measured(child, topic.end):
            yield told_of(p, asked, topic)
        for key, end in echoed(child, topic):
            for asked in _measured(child, end):
                yield told_of(p, asked, replace(topic, each=True, key=key))


OTHERS: Final = 3.0
"""What speaks against "which other ships" being those that were spoken of."""


def told_of(p: Parser, asked: Asked, about: Topic) -> Asked:
    """The question tied to what it is about, where no pronoun did that."""
    thing, more, topic = asked.thing, about.features, about.thing
    if not marked(thing):
        if about.each and topic.limits == (Each(),) and any(tied(thing, topic.label)):
            keys = (*keys_on(p, thing, (Wanted((), topic.label, about.key),)), *asked.keys)
            features = (*asked.features, *more)
            return replace(asked, head=Head.GROUP, keys=keys, features=features, score=total(features))
        if thing.label == topic.label:
            thing = topic.plus(*thing.limits)
            others = (x for at in range(about.end, p.size) for x in p.lattice.of(at, "label"))
            if any(x.name == topic.label and p.word(x.end - 2) in FURTHER for x in others):
                more = (*more, ("c_second", OTHERS))
        else:
            settled = p.settler.settle((Loose(topic, "of"),), thing.label)
            if settled:
                thing = thing.plus(*settled[0][0])
                more = (*more, ("c_bridge", settled[0][1]))
            else:
                more = (*more, ("c_lost", 4.0))
    both = (*asked.features, *more)
    return replace(asked, thing=thing, each=about.each, each_key=about.key, features=both, score=total(both))


def _number_of(thing: Thing) -> Figure:
    return Figure(Measure.COUNT, Wanted((), thing.label, ""))


def _begin(p: Parser, at: int) -> int:
    while p.word(at) in COMMANDS or p.word(at) in FREE:
        at += 1
    return at


def _measured(p: Parser, start: int) -> Iterator[Asked]:
    leading: list[tuple[tuple[Wanted, ...], str, int, Features]] = [((), "", _begin(p, start), ())]
    each = phrase_at(p, start, LEADING) or (phrase_at(p, _begin(p, start), LEADING) if p.topic else 0)
    for names, end, score in property_list(p, each) if each else ():
        at = _begin(p, end + (p.word(end) == ","))
        said = at > end or (p.topic is not None and phrase_at(p, at, COUNTING))
        for owner in names[0].owners if said else ():
            wanted, _ = wants(p, owner, names)
            if wanted:
                leading.append((wanted, owner, at, (*property_words(names, score), ("c_cue", 1.0))))
    for keys, owner, at, features in leading:
        for found in _best(_figures(p, at)):
            if found.thing is None:
                continue
            ready = keys
            if keys and found.thing.label != owner:
                ready = keys_on(p, found.thing, keys)
                if not ready:
                    continue
            yield from _finished(p, replace(found, features=(*features, *found.features)), ready)


def _finished(p: Parser, found: _Found, keys: tuple[Wanted, ...]) -> Iterator[Asked]:
    """With keys behind, a further count, and words left over."""
    thing = found.thing
    assert thing is not None
    keys = (*keys, *found.keys)
    stack = [(found, keys)]
    for some, end, gain in keys_behind(p, found.end, thing):
        stack.append((replace(found, end=end, features=(*found.features, *gain)), (*keys, *some)))
    for now, its in (*stack, *_told_behind(p, stack)):
        for last in (now, *_counted_too(p, now)):
            assert last.thing is not None
            left = left_behind(p, last.end)
            each = marked(last.thing) and p.topic is None
            plain = (
                not (its or each or p.topic)
                and len(last.figures) == 1
                and not _in_name(last.figures[0].wanted)
            )
            if left is None or plain or (each and not its and _is_of_itself(last)):
                continue
            features: Features = (*last.features, *((("c_skip", left),) if left else ()))
            head = Head.GROUP if its or each else Head.AGGREGATE
            told = each and any(tells_each(last.thing, x.path) for x in its)
            thing = unmarked(last.thing) if told else last.thing
            yield Asked(
                thing, head, total(features), features, figures=last.figures, keys=its, each=each and not told
            )


def _is_of_itself(found: _Found) -> bool:
    """Whether each thing would be counted for itself: "the number of each phone" is a property."""
    assert found.thing is not None
    return Each() in found.thing.limits and all(not (f.wanted.name or f.wanted.path) for f in found.figures)


def _told_behind(
    p: Parser, stack: list[tuple[_Found, tuple[Wanted, ...]]]
) -> Iterator[tuple[_Found, tuple[Wanted, ...]]]:
    """ "(Voyages by status) for ships of Norrline": more of what is counted, behind the key."""
    for found, keys in stack:
        told = keys and found.thing and p.word(found.end) in _OF and p.word(found.end + 1) not in WHO
        for predicate in p.modifiers(found.end) if told else ():
            assert found.thing is not None
            noun = Noun(found.end, found.thing, 0.0, found.features)
            for longer in p.attach(noun, predicate, ("c_second", 1.0)):
                yield replace(found, end=longer.end, thing=longer.thing, features=longer.features), keys


def _best(found: Iterator[_Found]) -> list[_Found]:
    return sorted(found, key=lambda f: -total(f.features))[:MOST_FOUND]


def _figures(p: Parser, at: int) -> Iterator[_Found]:
    """One measure, or two joined by "and"."""
    for first in _figure(p, at):
        yield first
        after = first.end
        while p.word(after) in JOINING or (after > first.end and p.word(after) in FREE):
            after += 1
        if after == first.end:
            continue
        for second in _best(_figure(p, after, first=False)):
            if both := _merged(first, second):
                yield both


def _merged(first: _Found, second: _Found) -> _Found | None:
    features = (*first.features, *second.features)
    thing = first.thing or second.thing
    if thing is None:
        return None
    if first.thing and second.thing:
        if first.thing.label != second.thing.label or contradicts(first.thing, second.thing.limits):
            return None
        thing = first.thing.plus(*second.thing.limits)
    figures: list[Figure] = []
    for part in (first, second):
        if part.waiting:
            measure, noun = part.waiting
            assert noun is not None
            own = [w for w in noun.wanted if w.label == thing.label]
            if not own:
                return None
            figures.append(Figure(measure, own[0]))
        figures += part.figures
    return _Found(second.end, thing, tuple(figures), features)


def _figure(p: Parser, at: int, *, first: bool = True) -> Iterator[_Found]:
    if end := phrase_at(p, at, COUNTING):
        yield from _counted(p, end)
        yield from _counted_by(p, end + (p.word(end) == ","))
    for noun, end in plain_counts(p, at) if first else ():
        yield _Found(end, noun.thing, (_number_of(noun.thing),), (*noun.features, ("c_cue", 1.0)))
    measure = MEASURES.get(p.word(at))
    if measure is None:
        return
    after = at + 1
    while p.word(after) in FREE or p.word(after) in ("of", "value"):
        after += 1
    for noun in p.nouns(after):
        yield from _of_property(p, measure, noun)
    for noun in p.nouns(at):
        if _is_in_name(noun) and not _is_one(p, noun):
            for found in _of_property(p, measure, noun):
                yield replace(found, features=(*found.features, ("c_cue", 1.0)))


def _counted_by(p: Parser, at: int) -> Iterator[_Found]:
    """ "(Count), for each kind, the ships": the key between the verb and what is counted."""
    each = phrase_at(p, at, LEADING)
    for names, end, score in property_list(p, each) if each else ():
        for found in _counted(p, end + (p.word(end) == ",")) if len(names) == 1 else ():
            assert found.thing is not None
            wanted, cost = wants(p, found.thing.label, names)
            own = p.topic is not None and p.topic.label in names[0].owners
            keys = (
                keys_on(p, found.thing, (Wanted((), p.topic.label, names[0].name),))
                if own and p.topic
                else wanted
            )
            features = (
                *found.features,
                *property_words(names, score),
                ("c_bridge", cost),
                ("c_cue", 1.0),
            )
            if keys:
                yield replace(found, features=features, keys=keys)
        for owner in p.lattice.of(end + 1, "label") if p.word(end) == "of" and len(names) == 1 else ():
            stop = owner.end + (p.word(owner.end) == ",")
            for found in _counted(p, stop) if owner.name in names[0].owners and names[0].name else ():
                assert found.thing is not None
                keys = keys_on(p, found.thing, (Wanted((), owner.name, names[0].name),))
                features = (
                    *found.features,
                    *property_words(names, score),
                    ("c_label", owner.score),
                    ("c_cue", 1.0),
                )
                if keys:
                    yield replace(found, features=features, keys=keys)


def _is_one(p: Parser, noun: Noun) -> bool:
    """Whether a thing is told by its name, so that there is nothing to measure over."""
    label = p.vocabulary.schema.label(noun.thing.label)
    names = {x.name for x in noun.thing.limits if isinstance(x, Has) and x.operator is Operator.EQ}
    return noun.named or (label is not None and label.name_property in names)


def _is_in_name(noun: Noun) -> bool:
    """Whether what is wanted of the things named is a measure by the name of their own property."""
    guessed = any(name == "c_owner" for name, _ in noun.features)
    return len(noun.wanted) == 1 and not noun.wanted[0].path and not guessed and _in_name(noun.wanted[0])


def _in_name(wanted: Wanted) -> bool:
    """Whether a property is a measure by its own name: ``average_height``."""
    return bool(wanted.name) and identifier_words(wanted.name)[0] in MEASURES


def _of_property(p: Parser, measure: Measure, noun: Noun) -> Iterator[_Found]:
    if len(noun.wanted) != 1 or noun.quantity is not None or noun.also or noun.either:
        return
    wanted = noun.wanted[0]
    info = p.vocabulary.words.properties.get((wanted.label, wanted.name))
    if info is None or not (info.numeric or (info.dated and measure in (Measure.MAX, Measure.MIN))):
        return
    features = (*noun.features, ("c_cue", 1.0), ("c_main", 1.0))
    yield _Found(noun.end, noun.thing, (Figure(measure, wanted),), features)
    if not noun.thing.limits:
        yield _Found(noun.end, None, (), features, waiting=(measure, noun))


def _counted(p: Parser, at: int) -> Iterator[_Found]:
    while p.word(at) in FREE or p.word(at) == "of":
        at += 1
    aux = auxiliary(p, at)
    if p.topic is not None and aux.being:
        found: Features = (("c_label", 0.6), ("c_cue", 2.0))
        yield _Found(aux.end, p.topic, (_number_of(p.topic),), found)
    for noun in p.nouns(at):
        if noun.quantity is not None or noun.also:
            continue
        if len(noun.wanted) > 1 or (noun.wanted and noun.wanted[0].path):
            continue
        counted = noun.wanted[0] if noun.wanted else Wanted((), noun.thing.label, "")
        figures = (Figure(counted_by(p, counted), counted),)
        cue = ("c_cue", 2.0)
        aux = auxiliary(p, noun.end)
        stop = (
            aux.end
            if aux.any and p.word(aux.end) in ("?", "", "for", "in", "per", ",", "there")
            else noun.end
        )
        yield _Found(stop, noun.thing, figures, (*noun.features, cue))
        for lexeme in p.lattice.of(aux.end, "property", "verbal"):
            if noun.thing.label in lexeme.owners and is_participle(p.word(aux.end)):
                said = ("c_property", lexeme.score / 2)
                yield _Found(lexeme.end, noun.thing, figures, (*noun.features, cue, said))
        for predicate in (*p.predicates(noun.end), *asked_gaps(p, noun.end)):
            for told in p.attach(noun, predicate, ("c_main", 1.0)):
                for longer in (told, *further(p, told)):
                    yield _Found(longer.end, longer.thing, figures, (*longer.features, cue))


def _counted_too(p: Parser, found: _Found) -> Iterator[_Found]:
    """ "(...), and how many people are there in each port": the things themselves are counted as well."""
    at = found.end
    while p.word(at) in JOINING:
        at += 1
    end = phrase_at(p, at, COUNTING)
    if at == found.end or not end or found.thing is None:
        return
    while p.word(end) in FREE:
        end += 1
    for lexeme in p.lattice.of(end, "label"):
        if lexeme.name != found.thing.label:
            continue
        rest = [i for i in range(lexeme.end, p.size) if p.word(i).isalnum() and p.word(i) not in FREE]
        lost = sum(0.25 for i in rest if not p.lattice.at(i) and p.word(i) not in _TAIL | {"each", "every"})
        told = any(p.word(i) in ("each", "every", "per") for i in range(lexeme.end, p.size))
        if rest and not told and lost + len(rest) > 3:
            continue
        counted = Figure(Measure.COUNT, Wanted((), found.thing.label, ""))
        features = (*found.features, ("c_cue", 1.5), ("c_label", lexeme.score), ("c_skip", lost))
        yield _Found(p.size, found.thing, (*found.figures, counted), features)
