"""Measures, one or several, over all things or for each of something: "the average age per rank"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from cypher.semantics.chart.auxiliaries import auxiliary
from cypher.semantics.chart.counting import MEASURES
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
from cypher.semantics.chart.wanting import property_list, wants
from cypher.semantics.chart.wholes import asked_gaps, left_behind
from cypher.semantics.chart.wordlists import COMMANDS, FREE
from cypher.semantics.ir import Head, Measure, Operator
from cypher.semantics.score import total
from cypher.semantics.text import identifier_words

if TYPE_CHECKING:
    from cypher.semantics.chart.parser import Parser

_COUNTING: Final = (("how", "many"), ("total", "number", "of"), ("number", "of"), ("count", "of"), ("count",))
_EACH: Final = (
    ("for", "each"),
    ("for", "every"),
    ("per",),
    ("in", "each"),
    ("across", "each"),
    ("by", "each"),
)
_GROUPED: Final = (
    *(("grouped", "by"), ("group", "by"), ("broken", "down", "by"), ("categorized", "by"), ("split", "by")),
    *(("per",), ("by",), ("for", "each"), ("for", "every"), ("by", "each"), ("of", "each"), ("in", "each")),
)
_TOPIC: Final = frozenset({"for", "among", "in", "considering", "across", "within"})
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
_JOINING: Final = frozenset(
    {",", "and", "also", "as", "well", "along", "with", "together", "plus", "what", "is"}
)
MOST_TOPICS: Final = 4
MOST_KEYS: Final = 3
_BETWEEN: Final = frozenset({"and", ",", "both", "their", "its", "his", "her", "each"})
MOST_FOUND: Final = 24


@dataclass(frozen=True, slots=True)
class _Found:
    """Measures of one thing, up to word ``end``; names of properties wait where no thing was said."""

    end: int
    thing: Thing | None
    figures: tuple[Figure, ...]
    features: Features
    waiting: tuple[Measure, Noun | None] | None = None


def groups(p: Parser, start: int) -> Iterator[Asked]:
    """Readings as measures with keys, or as several measures."""
    yield from _measured(p, start)
    for topic, end, each, features in _topics(p, start):
        child = p.about(topic)
        for asked in _measured(child, end):
            yield _told(p, asked, topic, each, features)


def _told(p: Parser, asked: Asked, topic: Thing, each: bool, features: Features) -> Asked:
    """The question tied to what it is about, where no pronoun did that."""
    thing, more = asked.thing, features
    if not marked(thing):
        if thing.label == topic.label:
            thing = topic.plus(*thing.limits)
        else:
            settled = p.settler.settle((Loose(topic, "of"),), thing.label)
            if settled:
                thing = thing.plus(*settled[0][0])
                more = (*features, ("c_bridge", settled[0][1]))
            else:
                more = (*features, ("c_lost", 4.0))
    both = (*asked.features, *more)
    return replace(asked, thing=thing, each=each, features=both, score=total(both))


def _phrase(p: Parser, at: int, phrases: tuple[tuple[str, ...], ...]) -> int:
    """Where the first of some phrases ends that stands at a word, else 0."""
    return next((at + len(x) for x in phrases if p.lower[at : at + len(x)] == x), 0)


def _topics(p: Parser, start: int) -> Iterator[tuple[Thing, int, bool, Features]]:
    """ "For each film, ...", "among the people who know Ann, ...": thing, where the rest starts."""
    each = _phrase(p, start, _EACH)
    at = each or (start + 1 if p.word(start) in _TOPIC else 0)
    if not at:
        return
    found = [n for n in p.nouns(at) if not (n.wanted or n.quantity or n.also or n.either)]
    found = [n for n in found if p.word(n.end) in (",", ":") or _starts_question(p, n.end)]
    for noun in sorted(found, key=lambda n: -n.score)[:MOST_TOPICS]:
        end = noun.end + (p.word(noun.end) in (",", ":"))
        thing = noun.thing if marked(noun.thing) else Thing(noun.thing.label, (Each(), *noun.thing.limits))
        yield thing, end, bool(each), (*noun.features, ("c_cue", 1.0))


def _starts_question(p: Parser, at: int) -> bool:
    return p.word(at) in COMMANDS | {"how", "count"} - {"the", "all", "are", "is"}


def _begin(p: Parser, at: int) -> int:
    while p.word(at) in COMMANDS or p.word(at) in FREE:
        at += 1
    return at


def _measured(p: Parser, start: int) -> Iterator[Asked]:
    leading: list[tuple[tuple[Wanted, ...], str, int, Features]] = [((), "", _begin(p, start), ())]
    each = _phrase(p, start, _EACH) if p.topic is None else 0
    for names, end, score in property_list(p, each) if each else ():
        at = _begin(p, end + (p.word(end) == ","))
        for owner in names[0].owners if at > end else ():
            wanted, _ = wants(p, owner, names)
            if wanted:
                leading.append((wanted, owner, at, (("c_property", score), ("c_cue", 1.0))))
    for keys, owner, at, features in leading:
        for found in _best(_figures(p, at)):
            if found.thing is None:
                continue
            ready = keys
            if keys and found.thing.label != owner:
                ready = _keys_on(p, found.thing.label, keys)
                if not ready:
                    continue
            yield from _finished(p, replace(found, features=(*features, *found.features)), ready)


def _keys_on(p: Parser, label: str, keys: tuple[Wanted, ...]) -> tuple[Wanted, ...]:
    """Properties of another label, by the shortest way to it."""
    out = []
    for key in keys:
        bridges = p.ways.bridges(label, key.label)
        if not bridges:
            return ()
        out.append(Wanted((*bridges[0][0], *key.path), key.label, key.name))
    return tuple(out)


def _finished(p: Parser, found: _Found, keys: tuple[Wanted, ...]) -> Iterator[Asked]:
    """With keys behind, a further count, and words left over."""
    thing = found.thing
    assert thing is not None
    stack = [(found, keys)]
    for some, end, gain in _keys_behind(p, found.end, thing.label):
        stack.append((replace(found, end=end, features=(*found.features, *gain)), (*keys, *some)))
    for now, its in stack:
        for last in (now, *_counted_too(p, now)):
            assert last.thing is not None
            left = left_behind(p, last.end)
            each = marked(last.thing) and p.topic is None
            plain = (
                not (its or each or p.topic)
                and len(last.figures) == 1
                and not _in_name(last.figures[0].wanted)
            )
            if left is None or plain:
                continue
            features: Features = (*last.features, *((("c_skip", left),) if left else ()))
            head = Head.GROUP if its or each else Head.AGGREGATE
            yield Asked(
                last.thing, head, total(features), features, figures=last.figures, keys=its, each=each
            )


def _keys_behind(p: Parser, at: int, label: str) -> Iterator[tuple[tuple[Wanted, ...], int, Features]]:
    """ "(...) grouped by rank and gender", "per port": what tells the rows apart, where it ends."""
    at += p.word(at) == ","
    place = _phrase(p, at, _GROUPED)
    stack: list[tuple[tuple[Wanted, ...], int, Features]] = [((), place, (("c_cue", 1.5),))] if place else []
    while stack:
        keys, end, features = stack.pop()
        if keys:
            yield keys, end, features
        if len(keys) == MOST_KEYS:
            continue
        while p.word(end) in _BETWEEN | FREE:
            end += 1
        for key, after, gain in _key(p, end, label):
            stack.append(((*keys, *key), after, (*features, *gain)))


def _key(p: Parser, at: int, label: str) -> Iterator[tuple[tuple[Wanted, ...], int, Features]]:
    for names, end, score in property_list(p, at):
        wanted, cost = wants(p, label, names)
        if wanted and len(names) == 1:
            yield wanted, _past_owner(p, end, label), (("c_property", score), ("c_bridge", cost))
    for lexeme in p.lattice.of(at, "label"):
        for path, cost in p.ways.bridges(label, lexeme.name)[:2]:
            if path:
                key = Wanted(path, lexeme.name, "")
                yield (
                    (key,),
                    _past_owner(p, lexeme.end, label),
                    (("c_label", lexeme.score), ("c_bridge", cost)),
                )


def _past_owner(p: Parser, end: int, label: str) -> int:
    """Behind "(the gender) of the person", where that is what is measured."""
    if p.word(end) not in ("of", "for"):
        return end
    for noun in p.nouns(end + 1):
        if noun.bare and noun.thing.label == label:
            return noun.end
    return end


def _best(found: Iterator[_Found]) -> list[_Found]:
    return sorted(found, key=lambda f: -total(f.features))[:MOST_FOUND]


def _figures(p: Parser, at: int) -> Iterator[_Found]:
    """One measure, or two joined by "and"."""
    for first in _figure(p, at):
        yield first
        after = first.end
        while p.word(after) in _JOINING or (after > first.end and p.word(after) in FREE):
            after += 1
        if after == first.end:
            continue
        for second in _best(_figure(p, after)):
            if both := _merged(first, second):
                yield both


def _merged(first: _Found, second: _Found) -> _Found | None:
    features = (*first.features, *second.features)
    thing = first.thing or second.thing
    if thing is None:
        return None
    if first.thing and second.thing:
        if first.thing.label != second.thing.label:
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


def _figure(p: Parser, at: int) -> Iterator[_Found]:
    if end := _phrase(p, at, _COUNTING):
        yield from _counted(p, end)
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
    for noun in p.nouns(at):
        if noun.quantity is not None or noun.also:
            continue
        if len(noun.wanted) > 1 or (noun.wanted and noun.wanted[0].path):
            continue
        counted = noun.wanted[0] if noun.wanted else Wanted((), noun.thing.label, "")
        figures = (Figure(Measure.COUNT, counted),)
        cue = ("c_cue", 2.0)
        aux = auxiliary(p, noun.end)
        stop = (
            aux.end
            if aux.any and p.word(aux.end) in ("?", "", "for", "in", "per", ",", "there")
            else noun.end
        )
        yield _Found(stop, noun.thing, figures, (*noun.features, cue))
        for predicate in (*p.predicates(noun.end), *asked_gaps(p, noun.end)):
            for longer in p.attach(noun, predicate, ("c_main", 1.0)):
                yield _Found(longer.end, longer.thing, figures, (*longer.features, cue))


def _counted_too(p: Parser, found: _Found) -> Iterator[_Found]:
    """ "(...), and how many people are there in each port": the things themselves are counted as well."""
    at = found.end
    while p.word(at) in _JOINING:
        at += 1
    end = _phrase(p, at, _COUNTING)
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
