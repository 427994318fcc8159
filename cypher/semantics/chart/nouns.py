"""Noun phrases: names, kinds, quantities, owners, what stands behind them, "and" and "or"."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from cypher.semantics.chart.amounts import is_flag
from cypher.semantics.chart.auxiliaries import auxiliary
from cypher.semantics.chart.bests import of_those, with_participle
from cypher.semantics.chart.eithers import told_of_either
from cypher.semantics.chart.firsts import chosen, doers, had_ones
from cypher.semantics.chart.forms import (
    Extreme,
    Features,
    Has,
    Limit,
    Linked,
    Loose,
    LooseExtreme,
    Noun,
    Quantity,
    Thing,
    Wanted,
)
from cypher.semantics.chart.including import one_of
from cypher.semantics.chart.latest_deed import done_last
from cypher.semantics.chart.lexemes import Lexeme
from cypher.semantics.chart.limits import alternatives, said_instead
from cypher.semantics.chart.lists import lists
from cypher.semantics.chart.naming import (
    brings_in,
    flagged,
    further_behind,
    has_value,
    is_count,
    is_limit,
    is_name,
    is_of_one,
    is_plural,
    labels_between,
    named_so,
    number_of,
    numbered,
    of_the_kind,
    told_by_property,
)
from cypher.semantics.chart.owners import asked_of, going, of_kind, of_owner, possessed
from cypher.semantics.chart.pairs import which_ones
from cypher.semantics.chart.phrases import superlative
from cypher.semantics.chart.pronouns import called, people, spoken_of
from cypher.semantics.chart.quantities import loosely
from cypher.semantics.chart.relation_nouns import behind_verb, named_anew, property_in
from cypher.semantics.chart.restricting import only_behind, restricted
from cypher.semantics.chart.sizes import SIZED, is_sized
from cypher.semantics.chart.stated import having_value
from cypher.semantics.chart.texts import tested, tested_name, text_before
from cypher.semantics.chart.unstored import unstored_code
from cypher.semantics.chart.wanting import joining, past, property_list, property_words, quantities, wants
from cypher.semantics.chart.wordlists import FURTHER, MEASURING, WHO
from cypher.semantics.lexicon import ANYBODY
from cypher.semantics.score import total

if TYPE_CHECKING:
    from cypher.semantics.chart.parser import Parser

MOST_MODIFIERS: Final = 5
MEANT: Final = 0.5
"""Least score of a property's word that asks for the property by itself."""
TOLD_BY_NAME: Final = 0.5
"""What speaks against a clause that would say which of several a name means."""
BARE_VERB: Final = ("c_reduced", 1.0)
"""Marks a clause without "who" whose verb is no participle; against it speaks more behind a name."""
FAR_OFF: Final = 2.0
"""What speaks against "Norwegian airlines" being those with Norwegian passengers."""
ONE_OF_MANY: Final = 0.4
"""What speaks against "nobody" being of another label than it mostly stands for."""
KIND: Final = 0.6
"""What speaks against a property where its word is that of things, which rather have a verb of their own."""
_VERBS: Final = frozenset(MEASURING) - {"cost", "costs", "last"}
"""Verbs that a property may be told by; where things are spoken of, they are asked for: "which lasted"."""
_AND: Final = frozenset({"and", "but", ","})
_BEING: Final = frozenset({"is", "are", "was", "were"})
_LISTED: Final = frozenset({"and", "or", ","})
MANY_NAMED: Final = 0.5
"""What speaks against a name for many: of "people Ann Lee lives with" Ann Lee is none."""


def find(p: Parser, at: int) -> Iterable[Noun]:
    """All noun phrases from ``at`` on, with modifiers and with others that "and" or "or" adds."""
    if p.word(at) == "either":
        yield from (noun for noun in p.nouns(at + 1) if noun.either)
    buckets: dict[int, list[Noun]] = defaultdict(list)
    for core in p.cores(at):
        buckets[core.end].append(core)
    end = at
    while end <= p.size:
        if end in buckets:
            kept = p.best(buckets[end])
            yield from kept
            for noun in kept:
                for longer in _extend(p, noun):
                    buckets[longer.end].append(longer)
        end += 1


def _extend(p: Parser, noun: Noun) -> Iterator[Noun]:
    if noun.also or noun.either:
        yield from (*lists(p, noun), *told_of_either(p, noun))
        return
    if p.possessive(noun.end):
        yield from possessed(p, noun)
        return
    yield from (*called(p, noun), *named_anew(p, noun), *only_behind(p, noun), *done_last(p, noun))
    if noun.modified < MOST_MODIFIERS:
        again = further_behind(p, noun) if noun.modified else ()
        if noun.named and p.word(noun.end) in WHO | {"where", "whose"}:
            again = (*again, ("c_second", TOLD_BY_NAME))
        for predicate in p.modifiers(noun.end):
            bare = (BARE_VERB,) if noun.named and predicate.features[-1:] == (BARE_VERB,) else ()
            yield from p.attach(noun, predicate, *again, *bare)
        yield from joined(p, noun)
    if len(noun.wanted) == 1 and not noun.wanted[0].path:
        yield from _with_text(p, noun)
    for find_name in (tested_name, unstored_code) if noun.bare and not noun.wanted else ():
        for test in find_name(p, noun.end, noun.thing.label):
            yield from p.attach(noun, test)
    yield from lists(p, noun)


def _with_text(p: Parser, noun: Noun) -> Iterator[Noun]:
    """ "Surnames of people that start with Mc": a test of what is asked for."""
    at = noun.end + 1 if p.word(noun.end) in ("that", "which") else noun.end
    ends = (x.end for place in range(max(0, noun.end - 3), noun.end) for x in p.lattice.of(place, "property"))
    if noun.thing.limits and noun.end in ends:
        return  # "names of people with a surname that starts with Mc"
    for test in tested(p, at, noun.thing.label, noun.wanted[0].name, ()):
        thing = noun.thing.plus(*test.limits)
        features = noun.features + test.features
        yield replace(noun, end=test.end, thing=thing, score=noun.score + test.score, features=features)


def joined(p: Parser, noun: Noun) -> Iterator[Noun]:
    """ "who ... and who ...", "who ... or who ...": one more modifier."""
    word, after = p.word(noun.end), noun.end + 1
    if word == "," and p.word(after) in ("and", "but", "or"):
        word, after = p.word(after), after + 1
    if not noun.modified:
        return
    new = (("c_second", 2.0),) if p.word(noun.end) == "," and brings_in(p, noun.end) else ()
    for predicate in p.modifiers(after) if word in _AND else ():
        yield from p.attach(noun, predicate, ("c_and", 1.0), *new)
    clause = any(name == "c_relative" for name, _ in noun.features)
    for predicate in p.predicates(after) if word in _AND and auxiliary(p, after).any else ():
        yield from p.attach(noun, predicate, ("c_and", 1.0), ("c_second", 0.0 if clause else 1.0))
    if word in _AND and WHO & set(p.lower[: noun.end]):
        for predicate in p.gaps(after):
            yield from p.attach(noun, predicate, ("c_and", 1.0), ("c_second", 1.0))
    if word == "or" and noun.last:
        for predicate in p.modifiers(after):
            for longer in p.attach(noun, predicate, ("c_and", 1.0)):
                either = alternatives(noun.last, longer.last)
                yield replace(longer, thing=said_instead(noun, either), last=either)


def cores(p: Parser, at: int) -> Iterable[Noun]:
    """Noun phrases without modifiers behind them."""
    for start, skipped in p.starts(at):
        begin: Features = (("c_skip", skipped),) if skipped else ()
        yield from (replace(n, named=n.named or p.word(at) == "both") for n in _kinds(p, start, begin))
        yield from chosen(p, start, begin)
        yield from spoken_of(p, at, start, begin)
        yield from restricted(p, at, start, begin)
        yield from which_ones(p, start, begin)
        yield from one_of(p, start, begin)
        yield from of_owner(p, start, begin)
        yield from of_kind(p, start, begin)
        yield from asked_of(p, start, begin)
        yield from _properties_of(p, start, begin)
        yield from property_in(p, start, begin)
        yield from having_value(p, start, begin)
        yield from _quantified(p, start, begin)
        if p.word(start) == "where":
            for place in p.places(start + 1):
                doer = p.word(start + 1) in _BEING and any(_points_away(x) for x in place.limits)
                if place.label and not (doer or p.is_person(place.label)):
                    score = place.score + total(begin)
                    features = (*begin, *place.features)
                    yield Noun(place.end, Thing(place.label, place.limits), score, features, modified=1)
        if p.word(start) in ("same", "identical"):
            yield from _same(p, start + 1, begin)
        yield from of_those(p, start, begin)
        found = superlative(p.lower, start)
        if found and not named_so(p, start, found.end):
            hint = "size" if p.word(found.end - 1) in SIZED else found.hint
            extreme = LooseExtreme(hint, found.descending)
            yield from _superlative(p, found.end, extreme, (*begin, ("c_cue", 1.0)))


def _points_away(limit: Limit) -> bool:
    """Whether a thing is where a relation starts, so that it is no place: what is involved in a raid."""
    return isinstance(limit, Linked) and limit.path[0].forward


def _same(p: Parser, at: int, begin: Features) -> Iterator[Noun]:
    """ "The same area as Ann": the area that Ann is tied to."""
    for noun in _plain(p, at, begin):
        if noun.bare and p.word(noun.end) in ("that", "which", "where", "in", "of"):
            yield noun
        if not noun.bare or p.word(noun.end) not in ("as", "with"):
            continue
        for other in p.nouns(noun.end + 1):
            if other.wanted or other.quantity:
                continue
            for settled, cost in p.settler.settle(loosely(other, "in"), noun.thing.label):
                more: Features = (*other.features, ("c_bridge", cost), ("c_cue", 1.0))
                yield replace(
                    noun, end=other.end, thing=noun.thing.plus(*settled), score=noun.score + total(more),
                    features=noun.features + more, bare=False, modified=1,
                )  # fmt: skip


def _superlative(p: Parser, at: int, extreme: LooseExtreme, begin: Features) -> Iterator[Noun]:
    said, at = p.word(at - 1), past(p, at)
    if p.word(at).endswith("ed") and not p.lattice.of(at, "label", "value"):
        at += 1
    owned = (*of_owner(p, at, begin), *of_kind(p, at, begin))
    for noun in (*_kinds(p, at, begin), *people(p, at, begin), *owned):
        if noun.wanted and len(noun.wanted) == 1 and not noun.wanted[0].path:
            wanted = noun.wanted[0]
            info = p.vocabulary.words.properties.get((wanted.label, wanted.name))
            limit = Extreme(wanted.name, extreme.descending, is_sized(info, said))
            yield replace(noun, thing=noun.thing.plus(limit))
            continue
        for settled, cost in p.settler.settle((extreme,), noun.thing.label):
            more: Features = (("c_bridge", cost),)
            score = noun.score + total(more)
            yield replace(
                noun, thing=noun.thing.plus(*settled), score=score, features=noun.features + more, bare=False
            )


def _quantified(p: Parser, at: int, begin: Features) -> Iterator[Noun]:
    """ "No crime", "three crimes", "more than three crimes", "the most crimes", "nobody"."""
    for end, quantity in quantities(p, at):
        yield from _with_quantity(p, end, quantity, begin)
    person = p.word(at) in ("nobody", "none") or p.lower[at : at + 2] == ("no", "one")
    if person or p.word(at) == "nothing":
        labels = [x.name for x in p.vocabulary.schema.labels if not p.is_person(x.name)]
        for place, label in enumerate(p.people() if person else labels):
            more: Features = (*begin, ("c_owner", ONE_OF_MANY * bool(place)))
            end = at + 1 + (p.word(at) == "no")
            yield Noun(end, Thing(label), total(more) + 0.5, more, Quantity("none"))


def _with_quantity(p: Parser, at: int, quantity: Quantity, begin: Features) -> Iterator[Noun]:
    extra: Features = (*begin, ("c_cue", 1.0))
    place = past(p, at)
    place += p.word(place) in FURTHER and bool(p.lattice.of(place + 1, "label"))
    found = [*_kinds(p, place, extra), *people(p, place, extra), *of_owner(p, place, extra)]
    if quantity.kind == "most":
        found += [n for end, more in with_participle(p, place) for n in _kinds(p, end, (*extra, *more))]
    for noun in found:
        if not noun.named or is_plural(p, noun):
            yield replace(noun, quantity=quantity, bare=False, named=False)


def _kinds(p: Parser, at: int, begin: Features) -> Iterator[Noun]:
    yield from _plain(p, at, begin)
    yield from doers(p, at, begin)
    yield from had_ones(p, at, begin)
    yield from flagged(p, at, begin)
    yield from numbered(p, at, begin)
    yield from going(p, at, begin)
    yield from text_before(p, at, begin)


def _plain(p: Parser, at: int, begin: Features) -> Iterator[Noun]:
    """Values and labels in any order, all of one thing: "Inspector Moss", "area M1", "robbery cases"."""
    first = Noun(at, Thing(""), total(begin), begin)
    stack = [first]
    while stack:
        noun = stack.pop()
        if noun.thing.label:
            yield noun
            stack += told_by_property(p, noun)
        numbered = noun.end + (noun.bare and p.word(noun.end) == "number")
        for lexeme in (
            *p.lattice.at(noun.end),
            *(p.lattice.of(numbered, "value") if numbered > noun.end else ()),
        ):
            if longer := _longer(p, noun, lexeme):
                stack.append(longer)
            if lexeme.kind == "value":
                yield from _standing(p, noun, lexeme) if noun is first else of_the_kind(p, noun, lexeme)


def _standing(p: Parser, noun: Noun, lexeme: Lexeme) -> Iterator[Noun]:
    """A kind that stands for the things of that kind: "still lifes" for paintings of that genre."""
    owner = lexeme.owners[0]
    if lexeme.values[0].of_relation:
        yield from of_the_kind(p, noun, lexeme)
        return
    kind = Thing(owner, (has_value(lexeme),))
    for label in p.lattice.of(lexeme.end - 1, "label"):
        if label.end == lexeme.end and label.name != owner and lexeme.end > noun.end + 1:
            for settled, cost in p.settler.settle((Loose(kind, "of"),), label.name)[:1]:
                more: Features = (("c_value", lexeme.score), ("c_label", 0.6), ("c_bridge", cost))
                yield _grown(noun, Thing(label.name, settled), lexeme.end, more, False, True)
    if p.lattice.words[noun.end].text.islower():
        for start, path in p.ways.havers(owner):
            more = (("c_value", lexeme.score), ("c_stands", 1.0))
            yield _grown(noun, Thing(start, (Linked(path, kind),)), lexeme.end, more, False, True)
    yield from of_the_kind(p, noun, lexeme)


def _longer(p: Parser, noun: Noun, lexeme: Lexeme) -> Noun | None:
    thing, said = noun.thing, noun.bare
    if noun.wanted or (noun.end and thing.label and p.possessive(noun.end)):
        return None
    if lexeme.kind == "value" and not lexeme.values[0].of_relation:
        owner = lexeme.owners[0]
        if not thing.label and is_count(p, noun.end, lexeme):
            return None
        if thing.label not in ("", owner) or any(
            isinstance(x, Has) and x.name == lexeme.name for x in thing.limits
        ):
            return None
        if said and p.word(noun.end - 1) in ANYBODY:
            return None
        named = noun.named or is_name(p, lexeme)
        more: Features = (("c_value", lexeme.score), ("c_name", 1.0 if named else 0.0))
        if named and said and noun.number == "many" and p.word(lexeme.end) not in _LISTED:
            more = (*more, ("c_bridge", MANY_NAMED))
        return _grown(noun, Thing(owner, (*thing.limits, has_value(lexeme))), lexeme.end, more, named, said)
    if lexeme.kind == "label" and not said:
        if thing.label in ("", lexeme.name):
            more = (("c_label", lexeme.score),)
            grown = _grown(noun, Thing(lexeme.name, thing.limits), lexeme.end, more, noun.named, True)
            return replace(grown, number=number_of(p.word(lexeme.end - 1)))
        settled = p.settler.settle((Loose(thing, "of"),), lexeme.name)
        if settled:
            far = settled[0][1] + FAR_OFF * any(_against(x) for x in settled[0][0])
            more = (("c_label", lexeme.score), ("c_bridge", far), ("c_compound", 1.0))
            return _grown(noun, Thing(lexeme.name, settled[0][0]), lexeme.end, more, False, True)
    told = any(isinstance(x, Has) and x.name == lexeme.name for x in thing.limits)
    whose = (said or bool(thing.limits)) and lexeme.score >= MEANT
    verbal = said and (p.word(noun.end).endswith(("ed", "born")) or p.word(noun.end) in MEASURING)
    if lexeme.kind == "property" and told and not said and thing.label in lexeme.owners:
        return _grown(noun, thing, lexeme.end, (("c_property", 0.5 * lexeme.score),), noun.named, False)
    if (
        lexeme.kind == "property"
        and whose
        and not told
        and not verbal
        and thing.label in lexeme.owners
        and lexeme.name
    ):
        more = (("c_property", lexeme.score),)
        grown = _grown(noun, thing, lexeme.end, more, noun.named, said)
        return replace(grown, wanted=(Wanted((), thing.label, lexeme.name),), by_value=True)
    return None


def _against(limit: Limit) -> bool:
    """Whether a way of several steps goes against the direction of one: airlines of passengers."""
    return isinstance(limit, Linked) and len(limit.path) > 1 and not all(x.forward for x in limit.path)


def _grown(noun: Noun, thing: Thing, end: int, more: Features, named: bool, said: bool) -> Noun:
    return replace(
        noun, end=end, thing=thing, score=noun.score + total(more), features=noun.features + more,
        named=named, bare=said,
    )  # fmt: skip


def _properties_of(p: Parser, at: int, begin: Features) -> Iterator[Noun]:
    """ "The names and ages of people", "crime types", "the makes of vehicle"."""
    for names, end, score in property_list(p, at):
        more: Features = (*begin, *property_words(names, score))
        for after in (*joining(p, end), *behind_verb(p, end, names[0])):
            for noun in p.nouns(after):
                wanted, cost = wants(p, noun.thing.label, names)
                if wanted and not noun.wanted and (noun.quantity is None or is_limit(noun.quantity)):
                    both: Features = (*more, ("c_bridge", cost))
                    yield replace(
                        noun, wanted=wanted, score=noun.score + total(both), features=both + noun.features,
                        named=False, bare=False, by_value=len(wanted) == 1 and is_of_one(p, after, noun),
                    )  # fmt: skip
        owners = [o for o in names[0].owners if p.vocabulary.schema.label(o)]
        verb = end == at + 1 and p.word(at) in _VERBS and any(p.lattice.of(i, "label") for i in range(p.size))
        for owner in owners if names[0].name and not verb else ():
            wanted, _ = wants(p, owner, names)
            if wanted and not any(w.path for w in wanted):
                kinds = (x.name for x in labels_between(p, at, end) if x.score >= 1)
                other = KIND if any(x != owner for x in kinds) or is_flag(p, wanted[0]) else 0.0
                own: Features = (*more, ("c_owner", 0.3 * len(owners) + other))
                yield Noun(end, Thing(owner), total(own), own, wanted=wanted, by_value=len(wanted) == 1)
