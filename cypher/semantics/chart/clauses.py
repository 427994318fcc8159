"""Verb phrases without their subject, joined by "and", "or" and "but"."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from cypher.semantics.chart import holding
from cypher.semantics.chart.adjuncts import behind_aside, without_doing
from cypher.semantics.chart.ages import is_deed
from cypher.semantics.chart.auxiliaries import Aux, auxiliary, lying
from cypher.semantics.chart.bests import being_best
from cypher.semantics.chart.byline import by_whom
from cypher.semantics.chart.dated_ties import ranked_by_tie
from cypher.semantics.chart.forms import (
    AnyOf,
    Denied,
    Features,
    Has,
    Limit,
    Loose,
    Noun,
    Predicate,
)
from cypher.semantics.chart.frequent import with_often
from cypher.semantics.chart.had_doers import had_doers
from cypher.semantics.chart.including import belonging
from cypher.semantics.chart.limits import alternatives, is_day, is_flagged
from cypher.semantics.chart.naming import brings_in
from cypher.semantics.chart.parted import parted, unknown
from cypher.semantics.chart.participles import done_ones
from cypher.semantics.chart.properties import known
from cypher.semantics.chart.quantities import loosely
from cypher.semantics.chart.relationships import BEARING, partaking, related, vague
from cypher.semantics.chart.restricting import ONLY_WORDS, none_else
from cypher.semantics.chart.sharing import sharing
from cypher.semantics.chart.theirs import counted_of_theirs, had_of_theirs
from cypher.semantics.chart.tied_days import also_when, said_when, says_when
from cypher.semantics.chart.together import together
from cypher.semantics.chart.valued import occurring
from cypher.semantics.chart.verbs import (
    is_particle,
    is_spelling,
    most_often,
    tied,
    ties,
    turned,
    verbs,
    with_objects,
)
from cypher.semantics.chart.wordlists import (
    ADVERBS,
    ENDING,
    FREE,
    HARD,
    MEASURING,
    NAMING,
    NO_VERB,
    NOTED,
    PARTICLES,
    PREPOSITIONS,
    RANKED,
    RUNNING,
    WHO,
)
from cypher.semantics.irregular import IRREGULAR
from cypher.semantics.score import total

if TYPE_CHECKING:
    from cypher.semantics.chart.parser import Parser

_NAMED_BY: Final = frozenset(
    (verb, word)
    for verbs_, words in (
        ("answer answers answering answered", "to"),
        ("go goes going went pass passes", "by under"),
        ("known", "by under as with"),
        ("listed registered recorded filed", "under"),
    )
    for verb in verbs_.split()
    for word in words.split()
)
"""Verbs before a property that say only that its value is so: "answers to the name", "goes by the name"."""
PARTLY: Final = 0.6
"""Score of a word that is but a part of a value."""


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
        for noun in p.objects(after):
            if not noun.wanted:
                both = (*first.limits, *loosely(noun, "has"))
                features = (*first.features, *noun.features, ("c_list", 1.0))
                yield Predicate(noun.end, first.label, both, total(features), features, finite=first.finite)
    if p.word(after) in WHO:
        after += 1
    for other in (*p.predicates(after), *p.limits(after)):
        label = first.label or other.label
        if first.label and other.label and first.label != other.label:
            continue
        features = (*first.features, *other.features, ("c_and", 1.0))
        if first.number and other.number and first.number != other.number:
            features = (*features, ("c_number", 1.0))
        if p.word(first.end) == "," and brings_in(p, first.end) and not auxiliary(p, after).any:
            features = (*features, ("c_second", 2.0))
        limits: tuple[Limit, ...] = (*first.limits, *other.limits)
        if word == "or":
            limits = alternatives(first.limits, other.limits)
        limits = also_when(first, other, word) or limits
        yield Predicate(
            other.end, label, limits, total(features), features, finite=first.finite,
            number=first.number or other.number,
        )  # fmt: skip
    yield from _trailing(p, first)


def _trailing(p: Parser, first: Predicate) -> Iterator[Predicate]:
    """A day behind the verb phrase belongs to its subject, so does "without": "was done in M1 on 3 May"."""
    behind = (*p.limits(first.end), *without_doing(p, first.end))
    flagged = is_flagged(first.limits) and is_deed(p.settler.property_for(first.label, "date"))
    for found in behind if p.word(first.end) not in NAMING else ():
        if flagged and is_day(found.limits):
            continue
        other = ranked_by_tie(p.vocabulary, first.limits, found)
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
            if {"and", "but"} & set(p.lower[first.end + 1 : other.end]):
                continue  # "nor skis, but swims": what is denied ends before
            features = (*first.features, *other.features, ("c_not", 2.0))
            limits = (Denied(first.limits), Denied(other.limits))
            label = first.label or other.label
            yield Predicate(other.end, label, limits, total(features), features, finite=True)


_ONE: Final = frozenset({"is", "was", "has", "does", "isn't", "wasn't", "hasn't", "doesn't"})
_MANY: Final = frozenset({"are", "were", "have", "do", "aren't", "weren't", "haven't", "don't"})


def number_of(p: Parser, at: int) -> str:
    """Whether a verb at a word has one subject or many, as far as its form tells."""
    while p.word(at) in FREE | ADVERBS:
        at += 1
    word = p.word(at)
    if word in _ONE:
        return "one"
    if word in _MANY:
        return "many"
    if not p.lattice.of(at, "relation") or word.endswith(("ed", "ing")):
        return ""
    if word.endswith("s") and not word.endswith("ss"):
        return "one"
    return "" if word in IRREGULAR else "many"


def _single(p: Parser, at: int) -> Iterator[Predicate]:
    yield from behind_aside(p, at)
    if p.word(at) == "neither" or p.word(at + 1) == "neither":
        yield from _neither(p, at + 1 + (p.word(at) != "neither"))
    aux = auxiliary(p, at)
    for found in _positive(p, aux):
        limits: tuple[Limit, ...] = (Denied(found.limits),) if aux.negated else found.limits
        features = (*found.features, ("c_not", 1.0)) if aux.negated else found.features
        number = number_of(p, at)
        for only in none_else(p, at, aux.end, found) if not aux.negated else ():
            yield replace(only, finite=True, number=number)
        yield replace(
            found, limits=limits, finite=True, features=features, score=total(features), number=number
        )


def _positive(p: Parser, aux: Aux) -> Iterator[Predicate]:
    for start, skipped in p.starts(aux.end):
        begin: Features = (("c_skip", skipped),) if skipped else ()
        noun = not aux.any and p.word(start - 1) in ("a", "an")  # "(people) a friend of Ann"
        for verb in verbs(p, start) if not noun else ():
            said = turned(p, start, verb) if aux.being else verb
            yield from with_objects(p, said, begin)
            if not aux.any and verb.word == "from":
                yield from with_objects(p, turned(p, start, verb), begin)
            yield from parted(p, start, said, begin)
            yield from by_whom(p, turned(p, start, verb), begin)
        yield from unknown(p, start, begin)
        yield from sharing(p, start, begin)
        if not skipped:
            yield from holding.of_others(p, start)
        if p.word(start) in _OF_ITSELF or said_alone(p, start) or _is_exceeding(p, start):
            yield from p.limits(start)
    if aux.being or (aux.having and p.word(aux.end) not in NAMING):
        yield from p.limits(aux.end)
    if aux.being:
        yield from _copula(p, aux.end)
    if p.word(aux.end) in _COMING and p.word(aux.end + 1) == "from":
        yield from _copula(p, aux.end + 1)
    if p.word(aux.end) in RANKED:
        yield from being_best(p, aux.end + 1)
    if aux.having:
        yield from had(p, aux.end - (p.word(aux.end - 1) in ONLY_WORDS))
    if p.word(aux.end) in BEARING:
        yield from related(p, aux.end + 1)
        yield from p.limits(aux.end + 1)
    if p.lower[aux.end : aux.end + 2] in _NAMED_BY:
        told = (x for x in p.limits(aux.end + 2) if any(name == "c_property" for name, _ in x.features))
        yield from (replace(x, features=(*x.features, ("c_cue", 3.0))) for x in told)
    yield from together(p, aux.end)
    yield from most_often(p, aux.end)
    yield from vague(p, aux.end)
    yield from belonging(p, aux.end, being=aux.being)
    yield from occurring(p, aux.end)
    yield from _unknown_verb(p, aux)


_COMING: Final = frozenset({"come", "comes", "came", "hail", "hails", "hailed"})
"""Verbs that say with "from" what "is from" says."""
_PAYING: Final = frozenset({"earn", "earns", "earned", "charge", "charges", "charged"})
_OF_ITSELF: Final = RUNNING | ENDING | MEASURING.keys() | _PAYING
"""Verbs that say a property of their subject."""


def said_alone(p: Parser, at: int) -> bool:
    """Whether a verb says a property and no relationship: "(tours that) started in 2017"."""
    return bool(p.lattice.of(at, "verbal")) and not p.lattice.of(at, "relation")


def _is_exceeding(p: Parser, at: int) -> bool:
    return p.word(at).startswith(("exceed", "surpass"))


def _copula(p: Parser, at: int) -> Iterator[Predicate]:
    for noun in p.objects(at):
        if noun.quantity is None and not noun.wanted and not noun.also and (noun.thing.limits):
            if noun.either:
                groups = tuple(t.limits for t in (noun.thing, *noun.either))
                limits: tuple[Limit, ...] = (AnyOf(groups),)
            else:
                limits = noun.thing.limits
            features = (*noun.features, ("c_copula", 1.0))
            yield Predicate(noun.end, noun.thing.label, limits, total(features), features)
    yield from being_best(p, at)
    if p.word(at) in PREPOSITIONS | {"without", "other", "among"}:
        yield from p.modifiers(at)


def had(p: Parser, at: int) -> Iterator[Predicate]:
    """ "(has) a phone", "(has) more than three friends"."""
    if p.word(at) == "neither":
        yield from _had_neither(p, at + 1)
    for noun in with_often(p, p.objects(at)):
        if not noun.wanted:
            yield lying(noun, "has", (("c_have", 1.0),))
        yield from _as(p, noun)
        yield from _to_do(p, noun)
    yield from related(p, at)
    yield from _partaking(p, at)
    yield from done_ones(p, at)
    yield from had_doers(p, at)
    yield from holding.had(p, at)
    yield from known(p, at)
    yield from had_of_theirs(p, at)
    yield from counted_of_theirs(p, at)


def _to_do(p: Parser, noun: Noun) -> Iterator[Predicate]:
    """ "(Has) a ship to repair (in Hull)": what one has to do to it."""
    for verb in verbs(p, noun.end + 1) if p.word(noun.end) == "to" and not noun.wanted else ():
        behind = replace(noun, end=verb.end, quantity=None)
        longer = [x for m in p.modifiers(verb.end) for x in p.attach(behind, m, ("c_second", 1.0))]
        for one in (behind, *longer) if not verb.word else ():
            for label, path, cost in ties(p, verb, noun.thing.label):
                features = (*one.features, *cost, ("c_have", 1.0))
                limits = tied(path, replace(one, quantity=noun.quantity))
                yield Predicate(one.end, label, limits, total(features), features)


def _partaking(p: Parser, at: int) -> Iterator[Predicate]:
    """ "(Has) something, or nothing, to do with Ann"."""
    for found in partaking(p, at):
        yield replace(found, limits=(Denied(found.limits),)) if p.word(at) == "nothing" else found


def _had_neither(p: Parser, at: int) -> Iterator[Predicate]:
    """ "(has) neither a phone nor an address"."""
    for first in p.cores(at):
        for other in p.cores(first.end + 1) if p.word(first.end) == "nor" else ():
            if not first.wanted and not other.wanted:
                features = (*first.features, *other.features, ("c_not", 2.0))
                denied = tuple(Denied((Loose(n.thing, "has"),)) for n in (first, other))
                yield Predicate(other.end, "", denied, total(features), features)
                yield from _as_property(p, first, other, features)


def _as_property(p: Parser, first: Noun, other: Noun, said: Features) -> Iterator[Predicate]:
    """ "(Has neither Ann nor Ben) as the first name"."""
    at = other.end + 1
    while p.word(at) in FREE | {"the", "their"}:
        at += 1
    values = [x for n in (first, other) for x in n.thing.limits if isinstance(x, Has)]
    for lexeme in p.lattice.of(at, "property") if p.word(other.end) == "as" and len(values) == 2 else ():
        own = first.thing.label in lexeme.owners and first.thing.label == other.thing.label
        if own and {x.name for x in values} == {lexeme.name}:
            features = (*said, ("c_property", lexeme.score), ("c_said", 1.0))
            denied = tuple(Denied((x,)) for x in values)
            yield Predicate(lexeme.end, first.thing.label, denied, total(features), features)


def _as(p: Parser, noun: Noun) -> Iterator[Predicate]:
    """ "(has) Ann as a parent", "(uses) the Globe as their venue"."""
    if p.word(noun.end) not in ("as", "among", "for") or noun.wanted:
        return
    at = noun.end + 1
    while p.word(at) in FREE | {"their", "its", "his", "her"}:
        at += 1
    for owned in p.owned(at):
        for bridge, cost in p.ways.bridges(owned.thing.label, noun.thing.label):
            features = (*noun.features, *owned.features, ("c_bridge", cost), ("c_have", 1.0))
            told = replace(noun, thing=noun.thing.plus(*owned.thing.limits)) if not bridge else noun
            limits = tied((*owned.path, *bridge), told)
            yield Predicate(owned.end, owned.owner, limits, total(features), features)


_TAKING: Final = frozenset({"take", "takes", "taken", "taking", "took"})


def _unknown_verb(p: Parser, aux: Aux) -> Iterator[Predicate]:
    """A verb that the schema does not know, or says otherwise ("made in 1990"), and what stands behind it."""
    at = aux.end
    word = p.word(at)
    if not word.isalpha() or word in HARD | PREPOSITIONS | WHO | NO_VERB or is_spelling(p, at):
        return
    named = [x for x in p.lattice.of(at, "label", "value", "number", "day", "text") if x.score > PARTLY]
    if named:
        return
    known = bool(p.lattice.at(at)) and not p.lattice.of(at, "verbal")
    at += 1 + (word in _TAKING and p.word(at + 1) == "place")
    at += is_particle(p, at) or (p.word(at) in PARTICLES - PREPOSITIONS and bool(p.limits(at + 1)))
    lost: Features = (("c_skip", 0.8),)
    yield from said_when(p, aux.end)
    for limit in p.limits(at):
        if says_when(p, aux.end, limit):
            continue
        features = (*limit.features, ("c_relation", 0.6)) if known else (*limit.features, *lost)
        if not known or limit.label == "" or word in BEARING:
            yield replace(limit, score=total(features), features=features)
    word = p.word(at)
    if word in PREPOSITIONS:
        for noun in p.objects(at + 1):
            if not noun.wanted and (not known or not noun.bare):
                noted = 0.2 if p.word(at - 1) in NOTED else 0.8
                yield lying(noun, word, (("c_skip", 0.5 if known else noted),))
    for noun in p.objects(at):
        if not noun.wanted and (not known or noun.named):
            yield lying(noun, "", lost)
        yield from _as(p, noun) if not known else ()
