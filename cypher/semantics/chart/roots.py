"""Whole questions: what is asked of the things that a question describes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from cypher.semantics.chart.asides import cleft, clefts, in_all
from cypher.semantics.chart.asked_days import lasting
from cypher.semantics.chart.auxiliaries import auxiliary
from cypher.semantics.chart.carried import through
from cypher.semantics.chart.commonest_values import ranked_values
from cypher.semantics.chart.counting import aggregates, counts, whether
from cypher.semantics.chart.forms import (
    CUT,
    Asked,
    Extreme,
    Has,
    Limit,
    Linked,
    Loose,
    Most,
    Noun,
    Predicate,
    Ranked,
    Thing,
)
from cypher.semantics.chart.groups import groups, told_of
from cypher.semantics.chart.insitu import asked_last
from cypher.semantics.chart.latest_deed import done_last
from cypher.semantics.chart.measures import commonest
from cypher.semantics.chart.most_often import values_by_clause
from cypher.semantics.chart.naming import further_behind
from cypher.semantics.chart.pairs import past_pairs, told_apart
from cypher.semantics.chart.populations import how_many_live
from cypher.semantics.chart.restricting import outnumbering
from cypher.semantics.chart.sentences import spoken
from cypher.semantics.chart.subjects import how_often, maker, property_of_subject
from cypher.semantics.chart.themselves import of_themselves
from cypher.semantics.chart.times import HOW, how, how_many_units, when, where
from cypher.semantics.chart.topics import topics
from cypher.semantics.chart.valued import in_main_clause
from cypher.semantics.chart.wanting import quantities
from cypher.semantics.chart.whethers import embedded
from cypher.semantics.chart.wholes import asked_gaps, whole
from cypher.semantics.chart.wordlists import COMMANDS, FREE, PREPOSITIONS
from cypher.semantics.ir import Head
from cypher.semantics.lexicon import ANYBODY
from cypher.semantics.score import total
from cypher.word_lists import ASKERS

if TYPE_CHECKING:
    from cypher.semantics.chart.parser import Parser


_TELLING: Final = frozenset(
    [
        "find",
        "out",
        "tell",
        "me",
        "us",
        "show",
        "determine",
        "know",
        "see",
        "i",
        "want",
        "to",
        "need",
        "please",
    ]
)
_BEING: Final = frozenset({"is", "are", "was", "were"})
_PERFECT: Final = frozenset({"has", "have", "had", "ever", "also", "already"})
_BUT: Final = frozenset(["other", "apart", "aside", "besides", "except", "excluding", "barring", "but"])
_DOING: Final = frozenset(["do", "does", "did"])
_DAYS: Final = frozenset(["year", "date", "day", "month", "time"])
DOING: Final = 2.0
"""What speaks against "who" for what is no person, where the verb names what such things do."""
ANYTHING: Final = 0.5
"""What speaks against "what" for things of a kind that the question does not name."""
AGENT: Final = ("c_skip", 0.8)
"""What speaks against "by Ann" being said of the phones in "to which phones were calls made by Ann"."""


def questions(p: Parser) -> Iterator[Asked]:
    """Every reading of the whole question; words left over cost."""
    start = 0
    while p.word(start) in ("and", "so", "then", "now", ",", "hello", "hi"):
        start += 1
    start = in_all(p, start)
    start += p.word(start) == ","
    yield from counts(p, start)
    yield from aggregates(p, start)
    yield from groups(p, start)
    yield from whether(p, start)
    yield from embedded(p, start)
    yield from commonest(p, start)
    yield from ranked_values(p, start)
    yield from values_by_clause(p, start)
    yield from _wh(p, start)
    yield from _commands(p, start)
    yield from _about(p, start)
    yield from asked_last(p, start)
    yield from of_themselves(p, start, _asking)
    at = start
    while p.word(at) in _TELLING:
        at += 1
    if at > start and p.word(start) != "to" and p.word(at) in ASKERS:
        yield from counts(p, at)
        yield from _wh(p, at)
    yield from _fronted_counts(p, start)


def _fronted_counts(p: Parser, start: int) -> Iterator[Asked]:
    """ "In how many ports ...", with and without the preposition."""
    if p.word(start) in PREPOSITIONS and p.word(start + 1) == "how":
        yield from counts(p, start + 1)
        yield from counts(p, start + 1, p.word(start))


def _asking(p: Parser, start: int) -> Iterator[Asked]:
    """Questions of who, which and how many."""
    yield from _wh(p, start)
    yield from counts(p, start)


def _about(p: Parser, start: int) -> Iterator[Asked]:
    """ "Considering only ships of Norrline, which port ...": a question about what was named first."""
    for child, topic in spoken(p, start):
        at = topic.end
        while p.word(at) in _TELLING:
            at += 1
        for place in dict.fromkeys((topic.end, at)):
            fronted = _fronted_counts(child, place)
            for asked in (*_wh(child, place), *counts(child, place), *fronted, *whether(child, place)):
                yield told_of(p, asked, topic)
        for asked in (*values_by_clause(child, topic.end), *commonest(child, topic.end)):
            yield told_of(p, asked, topic)
        for asked in _commands(child, topic.end):
            yield told_of(p, asked, topic)
    for topic in topics(p, start):
        child = p.about(topic.thing) if topic.each else p
        for asked in (*_wh(child, topic.end), *_commands(child, topic.end)) if topic.each else ():
            told = told_of(p, asked, topic)
            if (apart := told_apart(p, told)) is not told:
                yield apart


def _commands(p: Parser, start: int) -> Iterator[Asked]:
    """ "List the people who ...", "what are the names of ...", or a bare noun phrase."""
    at = start
    places = [at]
    while p.word(at) in COMMANDS | FREE or p.lower[at - 1 : at + 1] == ("list", "of"):
        at += 1
        places.append(at)
    if p.word(start) == "name" and p.word(start + 1) != "of":
        places = places[1:]
    if p.word(start) in ("who", "whom", "what") and p.word(start + 1) in _DOING:
        return  # "who did Ann call" asks for somebody else
    bare = (("c_lost", 1.0),) if p.word(start) == "which" and p.word(start + 1) not in _BEING else ()
    anybody = [x for x in places if p.word(x) in ANYBODY]
    for place in dict.fromkeys((places[0], *anybody, *places[-2:])):
        for noun in (*p.nouns(place), *_paired(p, place)):
            yield from whole(p, noun, Head.LIST, *(() if noun.bare or noun.wanted else bare))
            main = _mainly(p, noun)
            for predicate in p.predicates(noun.end) if main else ():
                for longer in p.attach(noun, predicate):
                    yield from whole(p, longer, Head.LIST)


def _paired(p: Parser, at: int) -> Iterator[Noun]:
    """ "Pairs of ships and their owners"."""
    for noun in p.nouns(past_pairs(p, at)) if past_pairs(p, at) > at else ():
        more = (("c_cue", 1.0),)
        yield replace(noun, score=noun.score + total(more), features=noun.features + more)


def _mainly(p: Parser, noun: Noun) -> float:
    """How well a verb behind a noun phrase may be the sentence's own."""
    return 1.0 if auxiliary(p, noun.end).any or not noun.modified else 0.0


def _wh(p: Parser, start: int) -> Iterator[Asked]:
    at = start
    preposition = p.word(at) if p.word(at) in PREPOSITIONS else ""
    if preposition:
        at += 1
    word = p.word(at)
    one = p.word(at + 1) in ("one", "ones") and p.word(at + 2) in ("of", "among")
    among = word in ASKERS and (one or p.word(at + 1) in ("of", "among"))
    if word in ("which", "what") or among:
        yield from _which(p, at + 1 + one + among, preposition)
    if word == "what" and auxiliary(p, at + 1).any and not among:
        yield from _what(p, at)
    if word in ("who", "whom", "whose"):
        yield from _who(p, at, p.modifiers(at) if word == "whose" else cleft(p, at + 1))
        yield from maker(p, at + 1) if word == "who" else ()
        yield from _anybody_but(p, at + 1)
    if word == "how" and p.word(at + 1) == "many":
        yield from how_many_units(p, at + 2)
        yield from how_many_live(p, at + 2)
        yield from how_often(p, at + 3) if p.word(at + 2) == "times" else ()
    if word == "how" and p.word(at + 1) in HOW:
        yield from how(p, at + 1)
    if word == "where":
        yield from where(p, at + 1)
    if word == "when":
        yield from when(p, at + 1)
    yield from lasting(p, start)


def _which(p: Parser, at: int, preposition: str) -> Iterator[Asked]:
    for noun in _spoken_of(p, at, p.topic) if p.topic is not None and not preposition else ():
        for predicate in p.predicates(noun.end):
            for longer in p.attach(noun, predicate, ("c_main", 1.0)):
                yield from _continued(p, longer)
    for noun in p.nouns(at):
        if noun.quantity and noun.quantity.kind not in {"number", *CUT}:
            continue
        for longer in _told(p, noun, preposition):
            yield from _continued(p, longer, fronted=bool(preposition))
        if noun.bare and not preposition:
            yield from _which_of(p, noun)
        if preposition:
            yield from _most_happening(p, noun, preposition)
            for predicate in _happening(p, noun, preposition):
                for longer in p.attach(noun, predicate, ("c_main", 1.0)):
                    yield from whole(p, longer, Head.LIST)
    yield from property_of_subject(p, at)
    if p.word(at) in _DAYS:
        yield from when(p, at + 1)


def _told(p: Parser, noun: Noun, preposition: str) -> Iterator[Noun]:
    """What is asked for with its main clause: "(which ship) sailed", "(which port) was it that Ann left"."""
    for predicate in (*p.predicates(noun.end), *asked_gaps(p, noun.end, preposition)):
        for longer in p.attach(noun, predicate, ("c_main", _mainly(p, noun))):
            yield in_main_clause(longer)
    yield from clefts(p, noun)


def _spoken_of(p: Parser, at: int, topic: Thing) -> Iterator[Noun]:
    """ "(Which) have ...", "(which) one has ...", "(which) two have ...": some of what was spoken of."""
    yield Noun(at + (p.word(at) in ("one", "ones")), topic, 0.3)
    for end, quantity in quantities(p, at):
        if quantity.kind == "number" and auxiliary(p, end).any:
            yield Noun(end, topic, 0.3, quantity=quantity)


def _most_happening(p: Parser, place: Noun, word: str) -> Iterator[Asked]:
    """ "(At which port) did ships of Ann unload the most crates?": counted for each place."""
    for subject in p.nouns(auxiliary(p, place.end).end):
        told_alone = not (subject.wanted or subject.quantity or subject.also or subject.either)
        if not told_alone or subject.thing.label == place.thing.label:
            continue
        ways = list(p.settler.lying(place.thing.label, subject.thing.label, word))
        for predicate in p.predicates(subject.end):
            for told in p.attach(subject, predicate):
                for most in [x for x in told.last if isinstance(x, Most)]:
                    for path, cost in ways:
                        counted = through(path, told.thing, most)
                        yield from _continued(p, _counted_at(place, told, counted, cost))


def _counted_at(place: Noun, told: Noun, counted: Most, cost: float) -> Noun:
    more = (*told.features, ("c_fronted", 1.0), ("c_main", 1.0), ("c_bridge", cost))
    features = (*place.features, *more)
    thing = place.thing.plus(counted)
    return replace(
        place, end=told.end, thing=thing, score=total(features), features=features, last=(counted,)
    )


def _happening(p: Parser, place: Noun, word: str) -> Iterator[Predicate]:
    """ "(in which areas) did Ann's friends commit crimes": where the whole of a clause takes place."""
    aux = auxiliary(p, place.end)
    yield from outnumbering(p, aux.end, word)
    for subject in p.nouns(aux.end):
        if subject.wanted or subject.quantity or subject.also or subject.either:
            continue
        if place.wanted and place.thing == Thing(subject.thing.label):
            continue  # "on which dates did crimes happen": those of the crimes themselves
        for predicate in p.predicates(subject.end):
            for told in p.attach(subject, predicate):
                if told.last and all(isinstance(x, Has) for x in told.last):
                    features = (*told.features, ("c_fronted", 1.0))
                    itself = Loose(told.thing, word)
                    yield Predicate(told.end, "", (itself,), total(features), features, hole="place")
                for limit in told.last:
                    if not isinstance(limit, Linked):
                        continue
                    back = p.ways.back(limit.path, subject.thing.label)
                    event = limit.thing.plus(Linked(back, subject.thing))
                    features = (*told.features, ("c_fronted", 1.0))
                    yield Predicate(
                        told.end, "", (Loose(event, word),), total(features), features, hole="place"
                    )


def _continued(p: Parser, noun: Noun, *, fronted: bool = False) -> Iterator[Asked]:
    """A main clause may be followed by more of its own: "... investigate in M1"."""
    for told in (noun, *done_last(p, noun, main=True)):
        yield from whole(p, told, Head.LIST)
    lost = (AGENT,) if fronted and p.word(noun.end) == "by" else ()
    for predicate in p.modifiers(noun.end):
        for longer in p.attach(noun, predicate, *further_behind(p, noun), *lost):
            yield from whole(p, longer, Head.LIST)


def _which_of(p: Parser, noun: Noun) -> Iterator[Asked]:
    """ "Which people are there ...": the noun alone."""
    yield from whole(p, noun, Head.LIST)


def _who(p: Parser, at: int, more: Iterable[Predicate] = ()) -> Iterator[Asked]:
    found = p.doers()
    labels = list(dict.fromkeys((*found, *(x.name for x in p.vocabulary.schema.labels))))
    for predicate in (*p.predicates(at + 1), *asked_gaps(p, at + 1), *more):
        for label in labels:
            if predicate.label not in ("", label) and label not in found[:1]:
                continue
            if predicate.label == "" and label not in found[:1]:
                continue
            if found and label not in found and not _is_named(p, label):
                continue
            related = any(name == "c_relation" for name, _ in predicate.features)
            suffers = related and _suffers(p, at + 1, predicate)
            named = related and not suffers and predicate.label == label
            cost = DOING if named else 4.0 if found else 0.8
            if label in found:
                cost = float(suffers and _acts(p, at + 1))
            noun = Noun(at + 1, Thing(label), 0.0)
            for longer in p.attach(noun, predicate, ("c_main", 1.0), ("c_who", cost)):
                yield from _continued(p, longer)


def _acts(p: Parser, at: int) -> bool:
    """Whether a verb is said of who does it: "(who) directed Ann", "has directed Ann", not "was directed"."""
    while p.word(at) in _PERFECT:
        at += 1
    return bool(p.lattice.of(at, "relation"))


def _suffers(p: Parser, at: int, predicate: Predicate) -> bool:
    """Whether what a verb is said of has it done to itself: the films in "who directed Ann"."""
    types = {lexeme.name for i in range(at, min(at + 3, p.size)) for lexeme in p.lattice.of(i, "relation")}
    schema = p.vocabulary.schema
    if any(t.type in types and schema.triple(t.end, t.type, t.start) for t in schema.triples):
        return False  # one end is like the other
    steps = (step for x in predicate.limits if isinstance(x, Linked) for step in x.path)
    said = [step for step in steps if types.intersection(step.types)]
    return bool(said) and not any(step.forward or "_BY" in step.type for step in said)


def _anybody_but(p: Parser, at: int) -> Iterator[Asked]:
    """ "(Who) other than Ann lives there", "(who) except Ann knows Ben"."""
    for label in p.people()[:1] if p.word(at) in _BUT else ():
        for other in p.modifiers(at):
            for noun in p.attach(Noun(at, Thing(label), 0.0), other):
                for predicate in (*p.predicates(noun.end), *asked_gaps(p, noun.end)):
                    for longer in p.attach(noun, predicate, ("c_main", 1.0)):
                        yield from _continued(p, longer)


def _what(p: Parser, at: int) -> Iterator[Asked]:
    """ "What did Ann give?", "what was given by Ann?": things of any kind but people."""
    labels = [x.name for x in p.vocabulary.schema.labels if not p.is_person(x.name)]
    for predicate in (*p.predicates(at + 1), *asked_gaps(p, at + 1)):
        for label in (x for x in labels if predicate.label in ("", x)):
            noun = Noun(at + 1, Thing(label), 0.0)
            for longer in p.attach(noun, predicate, ("c_main", 1.0), ("c_who", ANYTHING)):
                yield from _continued(p, longer)


def _is_named(p: Parser, label: str) -> bool:
    """Whether things of a label have names, as who does something should."""
    known = p.vocabulary.schema.label(label)
    return known is not None and bool(known.name_property)


def ranked(thing: Thing) -> tuple[Thing, Limit | None]:
    """The thing without its one superlative, and that; a superlative deeper down stays."""
    found = [x for x in thing.limits if isinstance(x, (Extreme, Most, Ranked))]
    if len(found) != 1:
        return thing, None
    return Thing(thing.label, tuple(x for x in thing.limits if x is not found[0])), found[0]


def best_questions(found: Iterable[Asked], *, most: int = 10) -> list[Asked]:
    """The best readings that differ, best first."""
    out: dict[object, Asked] = {}
    for asked in found:
        told = (asked.figures, asked.keys, asked.each, asked.ranked_by, asked.group)
        key = (asked.thing, asked.head, asked.wanted, asked.measure, asked.limit, told)
        if key not in out or out[key].score < asked.score:
            out[key] = asked
    return sorted(out.values(), key=lambda a: -a.score)[:most]
