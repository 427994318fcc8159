"""Verbs with their objects, and clauses that lack one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from cypher.semantics.chart.auxiliaries import HAVING
from cypher.semantics.chart.carried import CARRIED, carried
from cypher.semantics.chart.circumstances import circumstances
from cypher.semantics.chart.dated_ties import days_of, ranked_by_tie
from cypher.semantics.chart.forms import (
    AnyOf,
    Denied,
    Exceeds,
    Features,
    Limit,
    Linked,
    Most,
    Noun,
    Predicate,
    Thing,
)
from cypher.semantics.chart.frequent import with_often
from cypher.semantics.chart.lexemes import QUOTED, Lexeme
from cypher.semantics.chart.pairs import each_other
from cypher.semantics.chart.phrases import text_test
from cypher.semantics.chart.quantities import exceeds, quantified
from cypher.semantics.chart.settle import role
from cypher.semantics.chart.stated import said_day, timed
from cypher.semantics.chart.tied_days import on_tie, told_when
from cypher.semantics.chart.tied_values import told_as
from cypher.semantics.chart.verb_sides import Verb, fits, revisits, said_by, turns
from cypher.semantics.chart.wanting import often, past
from cypher.semantics.chart.ways import Way
from cypher.semantics.chart.wordlists import PARTICLES, PLACING, PREPOSITIONS
from cypher.semantics.ir import Operator
from cypher.semantics.irregular import IRREGULAR
from cypher.semantics.schema_paths import Path
from cypher.semantics.score import total
from cypher.semantics.text import identifier_words

if TYPE_CHECKING:
    from cypher.semantics.chart.parser import Parser

MOST_OBJECTS: Final = 10
_ROLE: Final = frozenset(
    ["involved", "credited", "listed", "work", "worked", "working", "serve", "served", "serving", "featured"]
)
"""Verbs that say a relation only with what follows "as": "(was) credited as a writer (of)"."""
HAPPENING: Final = frozenset(
    ["happen", "happens", "happened", "happening", "occur", "occurs", "occurred", "occurring", "place"]
)
"""Last words of verbs that say of what they are said no more than that it was, where only a day follows."""
_TAKING: Final = frozenset({"take", "takes", "took", "taken", "taking"})
_DONE: Final = frozenset(
    {"committed", "perpetrated", "carried", "made", "placed", "held", "started", "begun"}
)
"""Participles that say no more than that of what is dated by itself: "a call made on 3 May"."""
_KNOWN: Final = frozenset({"known", "familiar"})
"""Participles and the like behind which "to" stands before who does it, as "by" elsewhere."""
_WHEN: Final = frozenset({"on", "at", "in", "during", "of", "for"})
UNNAMED: Final = 1.5
"""What speaks against an event that only its day tells: "(what) called on 3 May"."""
_SHARED: Final = frozenset({"with", "alongside"})
"""Prepositions of what two share, so that a way may well come back to the label that it left."""
_DOERS: Final = ("er", "or", "ers", "ors")
"""Ends of nouns for who does something, which are no forms of the verb."""
_ROLES: Final = {"from": "doing", "to": "done"}
_TRAILED: Final = frozenset({"out", "up", "together", "down", "over", "place", "a", "part"})
"""What may stand between a verb and its preposition."""
_BOTH: Final = frozenset({"both", "either"})
UNLIKE: Final = 0.5
"""What speaks against two names behind one verb for things of two kinds: "a Ford and a Seat"."""
NEARBY: Final = 1.0
"""Most that the way to a further object may cost, which has the same verb as the first."""
FELLOWS: Final = 0.2
"""Cost of the way to who did the same to the same thing: "(who) sailed with Ann"."""
UNSURE: Final = 0.5
"""Most that may speak against a day being that of what a verb says."""
REVISIT: Final = 1.0
"""Cost of coming back to a label by a way that no word names."""


def verbs(p: Parser, at: int) -> Iterator[Verb]:
    ends: dict[int, list[Lexeme]] = defaultdict(list)
    doers = {(x.name, x.end) for x in p.lattice.of(at, "agent") if p.word(x.end - 1).endswith(_DOERS)}
    for lexeme in p.lattice.of(at, "relation") if not is_spelling(p, at) else ():
        if lexeme.score < 1 and (lexeme.name, lexeme.end) in doers:
            continue
        if lexeme.score < 0.5 or (identifier_words(lexeme.name)[0] in HAVING and lexeme.score <= 1.05):
            continue
        if lexeme.end == at + 1 and p.word(at) in _TAKING and p.word(at + 1) in ("place", "part"):
            continue
        ends[lexeme.end].append(lexeme)
    if p.word(at) in _ROLE and p.word(at + 1) == "as":
        for lexeme in p.lattice.of(past(p, at + 2), "agent"):
            ends[lexeme.end].append(lexeme)
    for end, lexemes in ends.items():
        passive = p.word(end) == "by" or p.word(end - 1) == "by"
        yield Verb(end, tuple(lexemes), passive=passive)
        after = end
        while p.word(after) in _TRAILED or is_particle(p, after):
            after += 1
        after += p.word(after) in _BOTH and p.word(after + 1) in PREPOSITIONS
        if p.word(after) in PREPOSITIONS:
            word = "by" if p.word(after) == "to" and p.word(at) in _KNOWN else p.word(after)
            yield joined(p, Verb(end, tuple(lexemes)), after + 1, word)


def joined(p: Parser, verb: Verb, end: int, word: str) -> Verb:
    """The verb with a preposition that ends before word ``end``."""
    both = (*verb.lexemes, *_at_other_end(p, verb.lexemes, word))
    return replace(verb, end=end, lexemes=both, word=word, passive=word == "by")


def is_spelling(p: Parser, at: int) -> bool:
    """Whether a verb says how a text begins or ends: "starting with '6-'"."""
    found = text_test(p.lower, at)
    return found is not None and found[1] is not Operator.CONTAINS and bool(p.lattice.of(found[0], "text"))


def _at_other_end(p: Parser, lexemes: Sequence[Lexeme], word: str) -> Iterator[Lexeme]:
    """What a verb for one end of an event says of its other end: who "sent" it, and whom it was "sent to"."""
    asked = _ROLES.get(word)
    said = {role(x.name) for x in lexemes}
    if asked is None or asked in said or not said & set(_ROLES.values()):
        return
    for lexeme in lexemes:
        starts = {
            way.start for way in p.ways.of(lexeme.name) if way.own and way.forward and role(lexeme.name)
        }
        for triple in p.vocabulary.schema.triples:
            if triple.start in starts and role(triple.type) == asked:
                yield replace(lexeme, name=triple.type, side=0)


def is_particle(p: Parser, at: int) -> bool:
    """Whether a word belongs to the verb before it, as its own preposition follows: "went *on* at"."""
    return p.word(at) in PARTICLES and p.word(at + 1) in PREPOSITIONS | {"by"}


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
    for noun in with_often(p, nouns):
        yield from _on_day(p, verb, noun, begin)
        for label, path, cost in ties(p, verb, noun.thing.label):
            features = (*begin, *noun.features, *cost)
            if noun.wanted:
                features = (*features, ("c_lost", 0.6))
            if verb.word in _WHEN and p.settler.says_when(noun.thing) and not _labelled(noun):
                features = (*features, ("c_doubled", UNNAMED))
            one = Predicate(noun.end, label, tied(path, noun), total(features), features)
            yield one
            yield from (*told_when(p, one, path), *told_as(p, one, path))
            if most := carried(p, verb.end, path, noun):
                more = (*features, *CARRIED)
                yield Predicate(noun.end, label, (most,), total(more), more)
            if noun.quantity is None:
                yield from circumstances(p, one, path, tied(path[1:], noun) if path[1:] else ())
            yield from _but_not(p, one, path)
            if p.word(noun.end) == "and" and noun.quantity is None:
                yield from _further(p, verb, one, noun.thing.label)
    yield from each_other(p, verb.end, verb.lexemes, begin)
    yield from _without_object(p, verb, begin, alone=not nouns)
    if not verb.word:
        yield from _so_often(p, verb, begin)


def _but_not(p: Parser, first: Predicate, path: Path) -> Iterator[Predicate]:
    """ "(Who borrowed) Dust but not Salt": of two things of a kind one and not the other."""
    at = first.end + (p.word(first.end) == ",")
    for other in p.objects(at + 2) if p.word(at) in ("but", "and") and p.word(at + 1) == "not" else ():
        if other.thing.label == path[-1].to and not (other.wanted or other.quantity):
            features = (*first.features, *other.features, ("c_cue", 1.0), ("c_list", 1.0))
            limits = (*first.limits, Denied(tied(path, other)))
            yield replace(first, end=other.end, limits=limits, score=total(features), features=features)


def _without_object(p: Parser, verb: Verb, begin: Features, *, alone: bool) -> Iterator[Predicate]:
    """ "(have) directed", "(was) committed on 3 May"."""
    ends = alone or p.word(verb.end) in ("and", "or", ",", "?", ".", "but", "")
    adverbs = [*(x for x in p.limits(verb.end) if x.label == ""), *timed(p, verb.end)]
    stored = list(said_day(p, verb.end - 1 - bool(verb.word), verb.end))
    ways = [(x, way) for x in verb.lexemes for way in p.ways.of(x.name) if way.own]
    for lexeme, way in ways:
        said = (*begin, *said_by(verb, lexeme, way), ("c_open", 1.0))
        anything = Linked(way.path, Thing(way.end))
        open_end = Predicate(verb.end, way.start, (anything,), total(said), said)
        if ends and not verb.word:
            yield open_end
        yield from told_as(p, open_end, way.path) if not verb.word else ()
        for day in (*adverbs, *stored) if QUOTED not in p.lower[verb.end : verb.end + 2] else ():
            passive = p.word(day.end) in ("by", "from")  # "(phones) dialled on 3 May from Ann's phone"
            if not (passive and role(lexeme.name) == "doing" and not way.forward):
                yield from _dated(p, way, day, (*begin, *said_by(verb, lexeme, way)))
        for adverb in (ranked_by_tie(p.vocabulary, (anything,), x) for x in adverbs):
            if told := on_tie(p, way.path, adverb):
                when = (*said, *adverb.features)
                yield Predicate(adverb.end, way.start, (anything, *told), total(when), when)
                continue
            if adverb.label not in ("", way.start):
                continue
            features = (*said, *adverb.features)
            yield Predicate(adverb.end, way.start, (*adverb.limits, anything), total(features), features)
            happens = _happens(p, verb) and way.forward
            if (happens or _is_done(p, verb, way.start)) and not verb.word:
                when_said: Features = (("c_relation", lexeme.score), *begin, *adverb.features)
                yield Predicate(adverb.end, way.start, adverb.limits, total(when_said), when_said)


def _dated(p: Parser, way: Way, when: Predicate, said: Features) -> Iterator[Predicate]:
    """ "(The phones that were) called on 3 May": the day of the call, as phones have none."""
    if days_of(p.vocabulary, way.path[0].type) and not when.label:
        return  # the relationship has a day of its own
    own = not when.label and any(c < UNSURE for _, c in p.settler.settle(when.limits, way.start)[:1])
    for settled, cost in p.settler.settle(when.limits, way.end)[:1] if not own else ():
        if when.label in ("", way.end) and cost < UNSURE:
            features = (*said, *when.features, ("c_bridge", cost))
            yield Predicate(
                when.end, way.start, (Linked(way.path, Thing(way.end, settled)),), total(features), features
            )


def _happens(p: Parser, verb: Verb) -> bool:
    return p.word(verb.end - 1 - bool(verb.word)) in HAPPENING


def _is_done(p: Parser, verb: Verb, label: str) -> bool:
    """Whether a participle says of something dated only that somebody did it."""
    start = verb.end - 1 - bool(verb.word)
    found = p.vocabulary.schema.label(label)
    table = p.vocabulary.words.properties
    dated = found is not None and any(table[label, x.name].dated for x in found.properties)
    return dated and bool(_DONE & {p.word(start), p.word(start - 1)})


def _on_day(p: Parser, verb: Verb, noun: Noun, begin: Features) -> Iterator[Predicate]:
    """ "(Took place) on 3 May": no more than the day of what did."""
    label = noun.thing.label
    done = _is_done(p, verb, label)
    if verb.word not in _WHEN or not (done or _happens(p, verb)) or _labelled(noun) or noun.quantity:
        return
    ways = (way for x in verb.lexemes for way in p.ways.of(x.name))
    starts = {way.start for way in ways if way.forward or done}
    if label in starts and p.settler.says_when(noun.thing):
        features = (*begin, *noun.features, ("c_relation", max(x.score for x in verb.lexemes)))
        yield Predicate(noun.end, noun.thing.label, noun.thing.limits, total(features), features)


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
                    features = (*begin, *said_by(verb, lexeme, way), ("c_cue", 1.5))
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
                said = tuple(x for x in cost if x[0] != "c_relation")
                alike = noun.named and not _labelled(noun) and all(x != "c_label" for x, _ in first.features)
                apart: Features = (("c_second", UNLIKE),) if alike else ()
                features = (*first.features, *noun.features, *said, ("c_list", 1.0), *apart)
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
                if not fits(verb, lexeme, way):
                    continue
                said = said_by(verb, lexeme, way)
                back = 1.0 if bridge and turns(way.path[-1], bridge[0]) else 0.0
                back += REVISIT * revisits(way, bridge) * (1 if verb.word in _SHARED else 2)
                both: Features = (*said, ("c_bridge", cost + back)) if cost else said
                out.append((way.start, (*way.path, *bridge), both))
            if verb.word in _SHARED and way.own and way.start == label != way.end:
                both = (*said_by(verb, lexeme, way), ("c_bridge", FELLOWS))
                out.append((label, (*way.path, *p.ways.back(way.path, label)), both))
    out.sort(key=lambda x: -total(x[2]))
    return out[:MOST_OBJECTS]
