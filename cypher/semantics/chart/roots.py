"""Whole questions: what is asked of the things that a question describes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from cypher.semantics.chart.clauses import auxiliary
from cypher.semantics.chart.forms import (
    AnyOf,
    Asked,
    Extreme,
    Features,
    Limit,
    Linked,
    Loose,
    Most,
    Noun,
    Predicate,
    Thing,
    Wanted,
)
from cypher.semantics.chart.lexemes import Lexeme
from cypher.semantics.chart.nouns import property_list, wants
from cypher.semantics.chart.wordlists import FREE, HARD, PREPOSITIONS
from cypher.semantics.ir import Head, Measure
from cypher.semantics.score import total
from cypher.semantics.text import identifier_words
from schemas.store_schema import StoreLabel

if TYPE_CHECKING:
    from cypher.semantics.chart.parser import Parser

_COMMANDS: Final = frozenset(
    [
        "list",
        "show",
        "find",
        "give",
        "get",
        "name",
        "identify",
        "return",
        "tell",
        "display",
        "provide",
        "retrieve",
        "fetch",
        "enumerate",
        "report",
        "determine",
        "me",
        "us",
        "out",
        "who",
        "what",
        "which",
        "are",
        "is",
        "was",
        "were",
        "all",
        "the",
        "do",
        "does",
        "did",
        "can",
        "you",
        "i",
        "want",
        "need",
        "know",
        "to",
        "see",
        "search",
        "look",
        "up",
        "for",
        "please",
        "everyone",
    ]
)
_PLACES: Final = ("area", "region", "city", "town", "country", "location", "place", "planet", "address")
_MEASURES: Final = {
    "average": Measure.AVG, "mean": Measure.AVG, "total": Measure.SUM, "sum": Measure.SUM,
    "maximum": Measure.MAX, "highest": Measure.MAX, "largest": Measure.MAX, "latest": Measure.MAX,
    "longest": Measure.MAX, "minimum": Measure.MIN, "lowest": Measure.MIN, "smallest": Measure.MIN,
    "earliest": Measure.MIN, "shortest": Measure.MIN, "greatest": Measure.MAX,
}  # fmt: skip
_ALONG: Final = frozenset(
    {"what", "are", "is", "and", "together", "along", "with", "as", "well", ",", "including", "plus"}
)
_THEIR: Final = frozenset({"their", "its", "his", "her"})
_SORTED: Final = frozenset({"sorted", "ordered", "ranked", "arranged", "listed", "organized"})
_DOWN: Final = frozenset(
    [
        "descending",
        "decreasing",
        "longest",
        "highest",
        "largest",
        "latest",
        "newest",
        "most",
        "greatest",
        "biggest",
        "reverse",
    ]
)
_UP: Final = frozenset(
    [
        "ascending",
        "increasing",
        "shortest",
        "lowest",
        "smallest",
        "earliest",
        "oldest",
        "least",
        "fewest",
        "alphabetical",
        "chronological",
    ]
)
_DIRECTION: Final = frozenset(["from", "the", "to", "in", "order", "first", "last", "of", "with"])
_ENDS: Final = frozenset(["?", ".", "!", ";"])


def questions(p: Parser) -> Iterator[Asked]:
    """Every reading of the whole question; words left over cost."""
    start = 0
    while p.word(start) in ("and", "so", "then", "now", ",", "hello", "hi"):
        start += 1
    yield from _counts(p, start)
    yield from _aggregates(p, start)
    yield from _whether(p, start)
    yield from _wh(p, start)
    yield from _commands(p, start)


def _left(p: Parser, end: int) -> float | None:
    """What the words behind ``end`` cost; ``None`` where one of them may not be left."""
    if end in p.left:
        return p.left[end]
    p.left[end] = None
    cost = 0.0
    for at in range(end, p.size):
        word = p.word(at)
        if word in _ENDS | FREE or not word[:1].isalnum():
            continue
        if word in HARD:
            return None
        if word in PREPOSITIONS | {"is", "are", "was", "were", "do", "does", "did", "have", "has", "be"}:
            cost += 0.4
        else:
            cost += p.lost(at)
    p.left[end] = cost if cost <= 3 else None
    return p.left[end]


def _whole(p: Parser, noun: Noun, head: Head, *more: tuple[str, float]) -> Iterator[Asked]:
    """A question that ends with its noun phrase."""
    if head is Head.LIST and p.word(noun.end) in _ALONG:
        for longer in _along(p, noun):
            yield from _whole(p, longer, head, *more)
    if head is Head.LIST:
        for order, stop, gain in _sorted(p, noun):
            for asked in _whole(p, replace(noun, end=stop), Head.EXISTS, *more, *gain):
                yield replace(asked, head=Head.LIST, order=order)
    left = _left(p, noun.end)
    if left is None or noun.also or (noun.quantity and noun.quantity.kind in ("none", "most")):
        return
    features: Features = (*noun.features, *more, *((("c_skip", left),) if left else ()))
    thing = _either(noun)
    wanted = noun.wanted
    limit = None
    if noun.quantity and noun.quantity.kind == "number":
        limit = noun.quantity.number
    yield Asked(thing, head, total(features), features, wanted, limit=limit)


def _sorted(p: Parser, noun: Noun) -> Iterator[tuple[Limit, int, Features]]:
    """ "... sorted by age from oldest to youngest": a sort key, where it ends, what it explains."""
    at, turn = noun.end + (p.word(noun.end) == ","), ""
    if p.word(at) in _SORTED and p.word(at + 1) == "by":
        at += 2
    elif p.lower[at : at + 3] == ("in", "order", "of"):
        at += 3
    elif p.word(at) in _SORTED and p.word(at + 1) == "from":
        turn = p.word(at + 3) if p.word(at + 2) == "the" else p.word(at + 2)
        while at < p.size and p.word(at) not in ("by", "on"):
            at += 1
        at += 1
    else:
        return
    at += p.word(at) in _THEIR
    for names, end, score in property_list(p, at):
        wanted, cost = wants(p, noun.thing.label, names)
        if len(wanted) != 1 or wanted[0].path or (noun.wanted and noun.wanted[0].path):
            continue
        rest = p.lower[end:]
        first = turn or next((w for w in rest if w in _DOWN | _UP), "")
        stop = p.size if all(w in _DOWN | _UP | _DIRECTION or not w.isalnum() for w in rest) else end
        features: Features = (("c_property", score), ("c_bridge", cost), ("c_cue", 1.5))
        yield Extreme(wanted[0].name, first in _DOWN), stop, features


def _along(p: Parser, noun: Noun) -> Iterator[Noun]:
    """ "... and their ages", "together with its code": what is returned beside the name."""
    at = noun.end
    while p.word(at) in _ALONG:
        at += 1
    if p.word(at) in ("where", "when"):
        yield from _life_along(p, noun, at)
    if p.word(at) not in _THEIR or at == noun.end:
        return
    label = p.vocabulary.schema.label(noun.thing.label)
    for names, end, score in property_list(p, at + 1):
        wanted, cost = wants(p, noun.thing.label, names)
        if not wanted:
            continue
        own = noun.wanted
        if not own and label and label.name_property:
            own = (Wanted((), label.name, label.name_property),)
        more: Features = (("c_property", score), ("c_bridge", cost), ("c_cue", 0.5))
        yield replace(
            noun, end=end, wanted=tuple(dict.fromkeys((*own, *wanted))), score=noun.score + total(more),
            features=noun.features + more,
        )  # fmt: skip


def _either(noun: Noun) -> Thing:
    if not noun.either:
        return noun.thing
    return Thing(noun.thing.label, (AnyOf(tuple(t.limits for t in (noun.thing, *noun.either))),))


def _commands(p: Parser, start: int) -> Iterator[Asked]:
    """ "List the people who ...", "what are the names of ...", or a bare noun phrase."""
    at = start
    places = [at]
    while p.word(at) in _COMMANDS or p.word(at) in FREE:
        at += 1
        places.append(at)
    for place in dict.fromkeys((places[0], *places[-2:])):
        for noun in p.nouns(place):
            yield from _whole(p, noun, Head.LIST)
            main = _mainly(p, noun)
            for predicate in p.predicates(noun.end) if main else ():
                for longer in p.attach(noun, predicate):
                    yield from _whole(p, longer, Head.LIST)


def _mainly(p: Parser, noun: Noun) -> float:
    """How well a verb behind a noun phrase may be the sentence's own."""
    return 1.0 if auxiliary(p, noun.end).any or not noun.modified else 0.0


def _wh(p: Parser, start: int) -> Iterator[Asked]:
    at = start
    preposition = p.word(at) if p.word(at) in PREPOSITIONS else ""
    if preposition:
        at += 1
    word = p.word(at)
    among = p.word(at + 1) in ("of", "among")
    if word in ("which", "what") or among:
        yield from _which(p, at + 1 + among, preposition)
    if word in ("who", "whom", "whose"):
        yield from _who(p, at)
    if word == "how" and p.word(at + 1) in _HOW:
        yield from _how(p, at + 1)
    if word == "where":
        yield from _where(p, at + 1)
    if word == "when":
        yield from _when(p, at + 1)


_HOW: Final = {
    "long": "length", "old": "age", "tall": "length", "heavy": "mass", "fast": "speed", "expensive": "price",
}  # fmt: skip


def _how(p: Parser, at: int) -> Iterator[Asked]:
    """ "How long was the call": the property that an adjective measures."""
    aux = auxiliary(p, at + 1)
    for noun in p.nouns(aux.end):
        info = p.settler.property_for(noun.thing.label, _HOW[p.word(at)])
        if info is not None and not noun.wanted and noun.quantity is None:
            done = replace(noun, wanted=(Wanted((), noun.thing.label, info.name),))
            yield from _whole(p, done, Head.LIST, ("c_main", 1.0), ("c_cue", 1.0))


def _which(p: Parser, at: int, preposition: str) -> Iterator[Asked]:
    for noun in p.nouns(at):
        if noun.quantity and noun.quantity.kind != "number":
            continue
        for predicate in (*p.predicates(noun.end), *_asked_gaps(p, noun.end)):
            for longer in p.attach(noun, predicate, ("c_main", _mainly(p, noun))):
                yield from _continued(p, longer)
        if noun.bare and not preposition:
            yield from _which_of(p, noun)
        if preposition:
            for predicate in _happening(p, noun.end, preposition):
                for longer in p.attach(noun, predicate, ("c_main", 1.0)):
                    yield from _whole(p, longer, Head.LIST)
    yield from _property_of_subject(p, at)


def _happening(p: Parser, at: int, word: str) -> Iterator[Predicate]:
    """ "(in which areas) did Ann's friends commit crimes": where the whole of a clause takes place."""
    aux = auxiliary(p, at)
    for subject in p.nouns(aux.end):
        if subject.wanted or subject.quantity or subject.also or subject.either:
            continue
        for predicate in p.predicates(subject.end):
            for whole in p.attach(subject, predicate):
                for limit in whole.last:
                    if not isinstance(limit, Linked):
                        continue
                    back = p.ways.back(limit.path, subject.thing.label)
                    event = limit.thing.plus(Linked(back, subject.thing))
                    features = (*whole.features, ("c_fronted", 1.0))
                    yield Predicate(
                        whole.end, "", (Loose(event, word),), total(features), features, hole="place"
                    )


def _continued(p: Parser, noun: Noun) -> Iterator[Asked]:
    """A main clause may be followed by more of its own: "... investigate in M1"."""
    yield from _whole(p, noun, Head.LIST)
    for predicate in p.modifiers(noun.end):
        for longer in p.attach(noun, predicate, ("c_second", 1.0)):
            yield from _whole(p, longer, Head.LIST)


def _which_of(p: Parser, noun: Noun) -> Iterator[Asked]:
    """ "Which people are there ...": the noun alone."""
    yield from _whole(p, noun, Head.LIST)


def _asked_gaps(p: Parser, at: int) -> Iterator[Predicate]:
    """ "(which area) does Ann live in", "(in which area) live the people who ...": a fronted object."""
    aux = auxiliary(p, at)
    if aux.any or aux.end == at:
        for gap in p.gaps(at):
            features = (*gap.features, ("c_fronted", 1.0))
            yield replace(gap, features=features, score=total(features))


def _property_of_subject(p: Parser, at: int) -> Iterator[Asked]:
    """ "What rank does Ann have", "what surname do the people have who ..."."""
    for names, end, score in property_list(p, at):
        aux = auxiliary(p, end)
        if not aux.any:
            continue
        yield from _property_of_event(p, names, aux.end, score)
        for noun in p.nouns(aux.end):
            wanted, cost = wants(p, noun.thing.label, names)
            if not wanted or noun.quantity or noun.wanted:
                continue
            more: Features = (("c_property", score), ("c_main", 1.0), ("c_bridge", cost))
            base = replace(noun, wanted=wanted)
            stop = noun.end
            if (p.word(stop).isalpha() and p.word(stop + 1) in ("?", ".", "")) or p.word(stop) in (
                "have",
                "has",
                "had",
                "hold",
                "holds",
                "bear",
                "go",
                "use",
            ):
                stop += 1
            done = replace(base, end=stop)
            yield from _whole(p, done, Head.LIST, *more)
            for predicate in p.modifiers(stop) if stop > noun.end else ():
                for longer in p.attach(done, predicate):
                    yield from _whole(p, longer, Head.LIST, *more)


def _property_of_event(p: Parser, names: tuple[Lexeme, ...], at: int, score: float) -> Iterator[Asked]:
    """ "(at what time) did Ann call Ben": a property of what a clause tells of."""
    for subject in p.nouns(at):
        if subject.wanted or subject.quantity or subject.also or subject.either:
            continue
        for predicate in p.predicates(subject.end):
            for whole in p.attach(subject, predicate):
                for limit in whole.last:
                    for event in _events(p, limit, subject.thing) if isinstance(limit, Linked) else ():
                        wanted, _ = wants(p, event.label, names)
                        if wanted and not any(w.path for w in wanted):
                            done = replace(whole, thing=event, wanted=wanted)
                            more = (("c_property", score), ("c_main", 1.0), ("c_fronted", 1.0))
                            yield from _whole(p, done, Head.LIST, *more)


def _events(p: Parser, limit: Linked, subject: Thing) -> Iterator[Thing]:
    """Things between a subject and its object, the object included, tied to both."""
    if len(limit.thing.limits) == 1 and isinstance(limit.thing.limits[0], Linked):
        inner = limit.thing.limits[0]
        limit = Linked((*limit.path, *inner.path), inner.thing)
    for place, step in enumerate(limit.path):
        before, after = limit.path[: place + 1], limit.path[place + 1 :]
        back = Linked(p.ways.back(before, subject.label), subject)
        if after:
            yield Thing(step.to, (back, Linked(after, limit.thing)))
        else:
            yield limit.thing.plus(back)


def _who(p: Parser, at: int) -> Iterator[Asked]:
    found = p.people()
    labels = list(dict.fromkeys((*found, *(x.name for x in p.vocabulary.schema.labels))))
    for predicate in (*p.predicates(at + 1), *_asked_gaps(p, at + 1)):
        for label in labels:
            if predicate.label not in ("", label) and label not in found[:1]:
                continue
            if predicate.label == "" and label not in found[:1]:
                continue
            cost = 0.0 if label in found else 2.0 if found else 0.8
            noun = Noun(at + 1, Thing(label), 0.0)
            for longer in p.attach(noun, predicate, ("c_main", 1.0), ("c_who", cost)):
                yield from _continued(p, longer)


def _where(p: Parser, at: int) -> Iterator[Asked]:
    known = {label.name.lower(): label.name for label in p.vocabulary.schema.labels}
    yield from _of_life(p, at, ("place", "city", "country", "location"))
    for gap in (*_asked_gaps(p, at), *p.predicates(at)):
        for name in _PLACES:
            if name in known:
                for noun in p.attach(Noun(at, Thing(known[name]), 0.0), gap, ("c_main", 1.0)):
                    yield from _whole(p, noun, Head.LIST)


_LIFE: Final = {"born": ("birth", "born"), "died": ("death", "died"), "die": ("death", "died"),
         "pass": ("death", "died"), "passed": ("death", "died")}  # fmt: skip


def _life_along(p: Parser, noun: Noun, at: int) -> Iterator[Noun]:
    """ "... and where were they born": a property of everybody beside the name."""
    kinds = ("place", "city", "country") if p.word(at) == "where" else ("date", "year", "day")
    verb = at + 3
    label = p.vocabulary.schema.label(noun.thing.label)
    if p.word(at + 2) not in ("they", "he", "she", "it") or label is None or p.word(verb) not in _LIFE:
        return
    for name in _life_properties(label, p.word(verb), kinds):
        own = noun.wanted or (Wanted((), label.name, label.name_property),)
        more: Features = (("c_property", 1.5),)
        end = verb + 2 if p.word(verb) in ("pass", "passed") else verb + 1
        wanted = (*own, Wanted((), label.name, name))
        score = noun.score + total(more)
        yield replace(noun, end=end, wanted=wanted, score=score, features=noun.features + more)


def _life_properties(label: StoreLabel, verb: str, kinds: tuple[str, ...]) -> Iterator[str]:
    for prop in label.properties:
        parts = identifier_words(prop.name)
        if set(parts) & set(_LIFE[verb]) and (set(parts) & set(kinds) or len(parts) == 1):
            yield prop.name


def _of_life(p: Parser, at: int, kinds: tuple[str, ...]) -> Iterator[Asked]:
    """ "Where was Ann born", "when did Ben die": the property named after it."""
    aux = auxiliary(p, at)
    for noun in p.nouns(aux.end):
        label = p.vocabulary.schema.label(noun.thing.label)
        if label is None or p.word(noun.end) not in _LIFE:
            continue
        end = noun.end + 1 + (p.word(noun.end) in ("pass", "passed"))
        for name in _life_properties(label, p.word(noun.end), kinds):
            done = replace(noun, end=end, wanted=(Wanted((), label.name, name),))
            yield from _whole(p, done, Head.LIST, ("c_property", 1.5), ("c_main", 1.0))


def _when(p: Parser, at: int) -> Iterator[Asked]:
    yield from _of_life(p, at, ("date", "year", "day"))
    aux = auxiliary(p, at)
    for noun in p.nouns(aux.end):
        info = p.settler.property_for(noun.thing.label, "date")
        if info is None or noun.wanted:
            continue
        wanted = (Wanted((), noun.thing.label, info.name),)
        yield from _whole(p, replace(noun, wanted=wanted), Head.LIST, ("c_main", 1.0))
        for predicate in p.predicates(noun.end):
            for longer in p.attach(replace(noun, wanted=wanted), predicate, ("c_main", 1.0)):
                yield from _whole(p, longer, Head.LIST)


def _counts(p: Parser, start: int) -> Iterator[Asked]:
    at = _count_phrase(p, start)
    if at is None:
        return
    for noun in p.nouns(at):
        if noun.quantity is not None:
            continue
        cue = (("c_cue", 2.0),)
        aux = auxiliary(p, noun.end)
        stop = aux.end if aux.any and p.word(aux.end) in ("?", "") else noun.end
        yield from _whole(p, replace(noun, end=stop), Head.COUNT, *cue)
        for predicate in (*p.predicates(noun.end), *_asked_gaps(p, noun.end)):
            for longer in p.attach(noun, predicate, ("c_main", 1.0)):
                yield from _whole(p, longer, Head.COUNT, *cue)
                for more in p.modifiers(longer.end):
                    for longest in p.attach(longer, more, ("c_second", 1.0)):
                        yield from _whole(p, longest, Head.COUNT, *cue)
    for names, end, score in property_list(p, at):
        aux = auxiliary(p, end)
        for noun in p.nouns(aux.end) if aux.any else ():
            wanted, cost = wants(p, noun.thing.label, names)
            if wanted and not noun.wanted and noun.quantity is None:
                stop = noun.end + (p.word(noun.end) in ("have", "has"))
                done = replace(noun, wanted=wanted, end=stop)
                yield from _whole(
                    p, done, Head.COUNT, ("c_property", score), ("c_bridge", cost), ("c_cue", 1.0)
                )


def _count_phrase(p: Parser, start: int) -> int | None:
    """Where the noun of "how many", "count the", "what is the number of" starts."""
    at = start
    while p.word(at) in _COMMANDS or p.word(at) in FREE:
        at += 1
    for phrase in (("how", "many"), ("number", "of"), ("count", "of"), ("total", "number", "of"), ("count",)):
        if p.lower[at : at + len(phrase)] == phrase:
            at += len(phrase)
            while p.word(at) in FREE or p.word(at) == "of":
                at += 1
            return at
    return None


def _whether(p: Parser, start: int) -> Iterator[Asked]:
    aux = auxiliary(p, start)
    if not aux.any or aux.negated or p.word(start) in FREE:
        return
    for noun in p.nouns(aux.end):
        if noun.wanted or (noun.quantity and noun.quantity.kind != "number"):
            continue
        open_thing = noun.named or p.word(start + 1) in ("there", "any", "a", "an", "the", "some")
        cost = ("c_whether", 0.0 if open_thing else 1.0)
        yield from _whole(p, replace(noun, quantity=None), Head.EXISTS, cost, ("c_cue", 1.0))
        for predicate in _main_predicates(p, noun.end, aux.being):
            for longer in p.attach(replace(noun, quantity=None), predicate, ("c_main", 1.0), cost):
                yield from _whole(p, longer, Head.EXISTS, ("c_cue", 1.0))


def _main_predicates(p: Parser, at: int, being: bool) -> Iterator[Predicate]:
    yield from p.predicates(at)
    yield from p.limits(at)
    if being:
        yield from p.modifiers(at)
        for noun in p.nouns(at):
            if noun.thing.limits and noun.quantity is None and not noun.wanted:
                yield Predicate(noun.end, noun.thing.label, noun.thing.limits, noun.score, noun.features)


def _aggregates(p: Parser, start: int) -> Iterator[Asked]:
    at = start
    while p.word(at) in _COMMANDS or p.word(at) in FREE:
        at += 1
    measure = _MEASURES.get(p.word(at))
    if measure is None:
        return
    after = at + 1
    while p.word(after) in FREE or p.word(after) in ("of", "value"):
        after += 1
    for noun in p.nouns(after):
        if len(noun.wanted) != 1 or noun.quantity is not None:
            continue
        wanted = noun.wanted[0]
        info = p.vocabulary.words.properties.get((wanted.label, wanted.name))
        if info is None or not (info.numeric or (info.dated and measure in (Measure.MAX, Measure.MIN))):
            continue
        for asked in _whole(p, noun, Head.AGGREGATE, ("c_cue", 1.0), ("c_main", 1.0)):
            yield replace(asked, measure=measure)


def ranked(thing: Thing) -> tuple[Thing, Limit | None]:
    """The thing without its one superlative, and that; a superlative deeper down stays."""
    found = [x for x in thing.limits if isinstance(x, (Extreme, Most))]
    if len(found) != 1:
        return thing, None
    return Thing(thing.label, tuple(x for x in thing.limits if x is not found[0])), found[0]


def best_questions(found: Iterable[Asked], *, most: int = 6) -> list[Asked]:
    """The best readings that differ, best first."""
    out: dict[object, Asked] = {}
    for asked in found:
        key = (asked.thing, asked.head, asked.wanted, asked.measure, asked.limit)
        if key not in out or out[key].score < asked.score:
            out[key] = asked
    return sorted(out.values(), key=lambda a: -a.score)[:most]
