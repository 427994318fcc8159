"""The first few of things, and what they are ranked by: "the top 5 actors by number of films"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from cypher.semantics.chart.ages import is_year
from cypher.semantics.chart.amounts import names_one
from cypher.semantics.chart.auxiliaries import HAVING
from cypher.semantics.chart.commonest_kinds import by_property, by_quality, commonest_kinds
from cypher.semantics.chart.forms import (
    CUT,
    Counted,
    Each,
    Extreme,
    Features,
    Has,
    Limit,
    Linked,
    Loose,
    LooseExtreme,
    Most,
    Noun,
    Quantity,
    Ranked,
    Thing,
    Together,
    Wanted,
)
from cypher.semantics.chart.phrases import superlative
from cypher.semantics.chart.rates import MEASURES, over
from cypher.semantics.chart.verbs import verbs
from cypher.semantics.chart.wanting import measured_property, past, property_words, wants
from cypher.semantics.chart.wordlists import AUXILIARIES, FREE, PREPOSITIONS
from cypher.semantics.chart.years import of_year
from cypher.semantics.ir import Measure, Operator
from cypher.semantics.irregular import IRREGULAR
from cypher.semantics.lexicon import ANYBODY
from cypher.semantics.schema_paths import Path, Step
from cypher.semantics.score import total

if TYPE_CHECKING:
    from cypher.semantics.chart.parser import Parser

_FIRST: Final = frozenset({"first", "top"})
_BY: Final = (
    ("by",),
    ("based", "on"),
    ("in", "terms", "of"),
    ("according", "to"),
    ("ranked", "by"),
    ("sorted", "by"),
    ("ordered", "by"),
)
_COUNT: Final = (("number", "of"), ("count", "of"), ("amount", "of"))
_TOTAL: Final = FREE | {"total", "highest", "overall", "their", "its", "most"}
_DOERS: Final = frozenset({"a", "an", "those", "these", *ANYBODY})
"""What stands behind "by" where that tells who did it, not what things are ranked by."""
_ONE: Final = frozenset({"a", "an", "one", "some", *ANYBODY})
"""What follows "by" where somebody does something, not where things are ranked."""
_WAYS: Final = {Operator.GT: True, Operator.GE: True, Operator.LT: False, Operator.LE: False}
"""Whether the top ones by a compared number are those with the largest."""
_OFTEN: Final = frozenset({"often", "frequently", "commonly", "highly", "widely"})
_FIGURES: Final = frozenset({"score", "value", "metric", "figure", "level", "index"})
"""What may follow a property that is a number."""
_GOT: Final = frozenset({"received", "receive", "got", "get", "have", "has", "had"})
_THEY: Final = frozenset({"they", "he", "she", "it", "them", "that", "which"}) | AUXILIARIES


def chosen(p: Parser, at: int, begin: Features) -> Iterator[Noun]:
    """Nouns of which so many are wanted, or those of which something is done most."""
    yield from cut_nouns(p, at, begin)
    yield from most_done(p, at, begin)
    yield from of_year(p, at, begin)
    yield from commonest_kinds(p, at, begin)
    yield from by_quality(p, at, begin)
    yield from by_property(p, at, begin)


def most_done(p: Parser, at: int, begin: Features) -> Iterator[Noun]:
    """ "Most reviewed films", "least frequently ordered parts"."""
    if p.word(at) not in ("most", "least"):
        return
    place = at + 1 + (p.word(at + 1) in _OFTEN)
    for lexeme in p.lattice.of(place, "relation"):
        if not p.word(lexeme.end - 1).endswith("ed") or lexeme.score < 0.5:
            continue
        for core in p.cores(lexeme.end):
            for way in p.ways.of(lexeme.name):
                plain = core.bare and not core.quantity and not core.thing.limits
                if plain and way.own and way.start == core.thing.label:
                    more: Features = (*begin, ("c_relation", lexeme.score), ("c_cue", 2.0))
                    thing = core.thing.plus(Most(way.path, Thing(way.end), p.word(at) == "most"))
                    score = core.score + total(more)
                    yield replace(core, thing=thing, score=score, features=more + core.features, bare=False)


def cut_nouns(p: Parser, at: int, begin: Features) -> Iterator[Noun]:
    """ "First three films", "top 5 films", "3 oldest films": a noun of which so many are wanted."""
    word = p.word(at)
    place = past(p, at + 1) if word in _FIRST else at
    for number in p.lattice.of(place, "number"):
        if number.number is None or number.number != int(number.number) or not 0 < number.number <= 1000:
            continue
        more_than = superlative(p.lower, number.end) or p.word(number.end) in ("most", "least")
        if word not in _FIRST and not more_than:
            continue
        quantity = Quantity("top" if word == "top" else "first", number=int(number.number))
        more: Features = (*begin, ("c_cue", 1.5))
        for core in p.cores(number.end):
            if core.quantity is None and not core.named:
                yield replace(
                    core, quantity=quantity, score=core.score + total(more), features=more + core.features,
                    bare=False,
                )  # fmt: skip


def limited(p: Parser, at: int) -> tuple[int, Quantity] | None:
    """ "(...) limited to the top 5"."""
    at += p.word(at) == ","
    if p.word(at) not in ("limited", "limit", "restricted") or p.word(at + 1) != "to":
        return None
    place = past(p, at + 2)
    place = past(p, place + 1) if p.word(place) in _FIRST else place
    for number in p.lattice.of(place, "number"):
        if number.number and number.number == int(number.number):
            return number.end + (p.word(number.end) in ("results", "rows")), Quantity(
                "first", number=int(number.number)
            )
    return None


def is_cut(noun: Noun) -> bool:
    """Whether only the first few of a noun are meant."""
    return noun.quantity is not None and noun.quantity.kind in CUT


def doers(p: Parser, at: int, begin: Features) -> Iterator[Noun]:
    """ "Actors", "reviewers": all who do what a relation says."""
    labelled = {x.end for x in p.lattice.of(at, "label")}
    for lexeme in p.lattice.of(at, "agent"):
        if lexeme.end in labelled:
            continue
        for way in p.ways.of(lexeme.name):
            if way.own and way.start != way.end and way.forward == (lexeme.side == 1):
                features: Features = (*begin, ("c_relation", lexeme.score))
                thing = Thing(way.start, (Linked(way.path, Thing(way.end)),))
                number = "many" if p.word(lexeme.end - 1).endswith("s") else "one"
                yield Noun(lexeme.end, thing, total(features), features, bare=True, number=number)


def had_ones(p: Parser, at: int, begin: Features) -> Iterator[Noun]:
    """ "Wardens", "board members": all whom anything has by a relation that they are named in."""
    labelled = {x.end for x in p.lattice.of(at, "label", "agent")}
    for lexeme in p.lattice.of(at, "relation"):
        noun = lexeme.score >= 1 and not p.word(at).endswith(("ed", "ing")) and p.word(at) not in HAVING
        if lexeme.end in labelled or not noun or p.word(lexeme.end - 1) in PREPOSITIONS:
            continue
        for way in p.ways.of(lexeme.name):
            if way.own and not way.forward and p.ways.owning(p.ways.back(way.path, way.start)):
                features: Features = (*begin, ("c_relation", lexeme.score), ("c_stands", 1.0))
                thing = Thing(way.start, (Linked(way.path, Thing(way.end)),))
                number = "many" if p.word(lexeme.end - 1).endswith("s") else "one"
                yield Noun(lexeme.end, thing, total(features), features, bare=True, number=number)


def done_by(thing: Thing) -> Linked | None:
    """What the things do that are called after it, as :func:`doers` says it."""
    first = thing.limits[0] if thing.limits else None
    return first if isinstance(first, Linked) and not first.thing.limits else None


def ranking(p: Parser, noun: Noun) -> Iterator[tuple[Thing, int, Features]]:
    """The thing with what it is ranked by, behind it: "by number of films", "by age"."""
    at = noun.end + (p.word(noun.end) == ",")
    size = next((len(x) for x in _BY if p.lower[at : at + len(x)] == x), 0)
    ranks = [x for x in noun.thing.limits if isinstance(x, (Extreme, Most, Ranked))]
    done_by = size == 1 and p.word(at + 1) in _DOERS
    if size and ranks:
        yield from _said_anew(p, noun.thing, ranks[0], at + size)
    if not size or done_by or (ranks and not isinstance(ranks[0], Most)):
        return
    if ranks:
        plain = Thing(noun.thing.label, tuple(x for x in noun.thing.limits if x not in ranks))
        for _, end, features in ranking(p, replace(noun, thing=plain)):
            yield noun.thing, end, features
        return
    done = p.word(at) == "by" and p.word(at + size) in _ONE
    at += size
    while p.word(at) in _TOTAL:
        yield from _by_measure(p, noun.thing, at)
        at += 1
    size = next((len(x) for x in _COUNT if p.lower[at : at + len(x)] == x), 0)
    if size or not (done or _is_done(p, noun)):
        yield from _by_number(p, noun.thing, past(p, at + size), counted=bool(size))
    for found in over(p, past(p, at + size), Measure.COUNT, descending=True) if size else ():
        if found.label == noun.thing.label:
            yield noun.thing.plus(*found.limits), found.end, found.features
    yield from _by_measure(p, noun.thing, at)
    for names, end, score in measured_property(p, at):
        wanted, cost = wants(p, noun.thing.label, names)
        info = wanted and p.vocabulary.words.properties.get((wanted[0].label, wanted[0].name))
        if len(wanted) != 1 or not info:
            continue
        if info.numeric and not info.many and (wanted[0].path or wanted[0].step):
            summed = Ranked(wanted[0], Measure.SUM, True)
            gain: Features = (*property_words(names, score), ("c_bridge", cost), ("c_cue", 1.5))
            yield noun.thing.plus(summed), _past_participle(p, end, wanted[0]), gain
        elif info.numeric or info.dated:
            more: Features = (*property_words(names, score), ("c_bridge", cost), ("c_cue", 1.5))
            yield noun.thing.plus(Extreme(wanted[0].name, True)), end, more


def _is_done(p: Parser, noun: Noun) -> bool:
    """Whether "by" tells who does what the participle before it says: "crimes dealt with by officers"."""
    said = any(
        x.end == noun.end and (p.word(at).endswith("ed") or p.word(at) in IRREGULAR)
        for at in range(noun.end - 3, noun.end) if at >= 0
        for x in p.lattice.of(at, "relation")
    )  # fmt: skip
    return said and p.word(noun.end) == "by"


def _said_anew(p: Parser, thing: Thing, rank: Limit, at: int) -> Iterator[tuple[Thing, int, Features]]:
    """ "(The highest-rated films) by reviews", "by average rating": what they are ranked by already."""
    if isinstance(rank, Most):
        return
    while p.word(at) in _TOTAL | MEASURES.keys():
        at += 1
    known = {rank.name} if isinstance(rank, Extreme) else set[str]()
    if isinstance(rank, Ranked):
        known = {rank.wanted.step.type if rank.wanted.step else "", rank.wanted.name}
    for lexeme in p.lattice.of(at, "relation", "property"):
        if lexeme.name in known:
            yield thing, lexeme.end + (p.word(lexeme.end) in _FIGURES), (("c_cue", 1.0),)


def _past_participle(p: Parser, end: int, wanted: Wanted) -> int:
    """Behind "(quantity) ordered", where the property is that of ordering."""
    kind = wanted.step.type if wanted.step else ""
    return max((x.end for x in p.lattice.of(end, "relation") if x.name == kind), default=end)


def _by_measure(p: Parser, thing: Thing, at: int) -> Iterator[tuple[Thing, int, Features]]:
    if measure := MEASURES.get(p.word(at)):
        for found in over(p, at + 1, measure, descending=True):
            if found.label == thing.label:
                yield thing.plus(*found.limits), found.end, found.features


def _by_number(p: Parser, thing: Thing, at: int, *, counted: bool) -> Iterator[tuple[Thing, int, Features]]:
    for owned in p.owned(at) if counted else ():
        if owned.owner == thing.label:
            whole = Thing(thing.label, (*thing.limits, Most(owned.path, owned.thing, True)))
            yield whole, _past_getting(p, owned.end), (*owned.features, ("c_cue", 2.0))
    for noun in p.nouns(at):
        if not (noun.wanted or noun.quantity or noun.also or noun.either or noun.named):
            yield from _by_noun(p, thing, noun, counted=counted)


def _past_getting(p: Parser, end: int) -> int:
    """Behind "(number of reviews) they received"."""
    at = end
    while p.word(at) in _THEY:
        at += 1
    return at + 1 if at > end and p.word(at) in _GOT else at if p.word(at - 1) in _GOT else end


def _by_noun(p: Parser, thing: Thing, noun: Noun, *, counted: bool) -> Iterator[tuple[Thing, int, Features]]:
    if counted:
        own = done_by(thing)
        if own and own.path[-1].to == noun.thing.label:
            yield _most(thing, own.path, noun, ("c_cue", 2.0))
        for settled, cost in p.settler.settle((Loose(noun.thing, "has"),), thing.label):
            if len(settled) == 1 and isinstance(settled[0], Linked):
                yield _most(thing, settled[0].path, noun, ("c_cue", 2.0), ("c_bridge", cost))
    if counted or noun.number != "one":
        yield from _by_verb(p, thing, noun)


def _by_verb(p: Parser, thing: Thing, counted: Noun) -> Iterator[tuple[Thing, int, Features]]:
    """ "(by number of films) they have directed", "(in terms of films) acted in (after 1990)"."""
    at = counted.end
    while p.word(at) in _THEY:
        at += 1
    for verb in verbs(p, at):
        for lexeme in verb.lexemes:
            for way in p.ways.of(lexeme.name):
                if not way.own or (way.start, way.end) != (thing.label, counted.thing.label):
                    continue
                said = replace(counted, end=verb.end)
                more = (("c_relation", lexeme.score), ("c_cue", 2.0))
                yield _most(thing, way.path, said, *more)
                for limit in p.limits(verb.end):
                    for longer in p.attach(said, limit):
                        yield _most(thing, way.path, longer, *more)


def _most(thing: Thing, path: Path, counted: Noun, *more: tuple[str, float]) -> tuple[Thing, int, Features]:
    limits: list[Limit] = [
        x for x in thing.limits if not (isinstance(x, Linked) and x == Linked(path, Thing(path[-1].to)))
    ]
    whole = Thing(thing.label, (*limits, Most(path, counted.thing, True)))
    return whole, counted.end, (*counted.features, *more)


def by_what_is_said(p: Parser, thing: Thing) -> Thing:
    """What the top few are ranked by where nothing tells it: a compared number, or how often it holds.

    "The top 5 films with a budget over 10" are those of the largest budgets, "the top 5 directors of films of
    1999" those of most such films; the films of one director are as they come.
    """
    if any(isinstance(x, (Extreme, Most, Ranked, LooseExtreme, Counted)) for x in thing.limits):
        return thing
    compared = [x for x in thing.limits if isinstance(x, Has) and x.operator in _WAYS and _is_amount(x.value)]
    if len(compared) == 1:
        return thing.plus(Extreme(compared[0].name, _WAYS[compared[0].operator]))
    both = [x for x in thing.limits if isinstance(x, Together)]
    if both:
        return _by_what_is_shared(thing, both[0])
    told = [x for x in thing.limits if isinstance(x, Linked)]
    if not told:
        return thing
    own = told[0]
    best = next((x for x in told if x.path == own.path and x.thing.limits), own)
    if any(names_one(p, best.thing.label, x) for x in best.thing.limits):
        return thing
    rest = tuple(x for x in thing.limits if x is not best and x is not own)
    return Thing(thing.label, (*rest, Most(best.path, best.thing, True)))


def _by_what_is_shared(thing: Thing, limit: Together) -> Thing:
    """Those with the most things that they are tied to by several relationships at once."""
    same = Thing(thing.label, (Each(),))
    back = (Linked((Step(kind, not forward, thing.label),), same) for kind, forward in limit.steps[1:])
    rest = tuple(x for x in thing.limits if x is not limit)
    return Thing(thing.label, (Each(), *rest, Most(limit.path, limit.thing.plus(*back), True)))


def _is_amount(value: object) -> bool:
    return isinstance(value, (int, float)) and not is_year(value)
