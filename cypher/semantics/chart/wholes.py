"""Whole questions that end with their noun phrase: what is left, sorted, and asked beside the name."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from cypher.semantics.chart.asides import in_all
from cypher.semantics.chart.asked_too import asked_too
from cypher.semantics.chart.auxiliaries import auxiliary
from cypher.semantics.chart.beside import others, owned_others, with_names
from cypher.semantics.chart.firsts import by_what_is_said, limited, ranking
from cypher.semantics.chart.forms import (
    CUT,
    AnyOf,
    Asked,
    Counted,
    Each,
    Extreme,
    Features,
    Limit,
    Most,
    Noun,
    Predicate,
    Thing,
    Wanted,
    marked,
)
from cypher.semantics.chart.gaps import fronted
from cypher.semantics.chart.holding import to_whom
from cypher.semantics.chart.pairs import known_ones, related, told_apart
from cypher.semantics.chart.returns import returning
from cypher.semantics.chart.valued import pooled
from cypher.semantics.chart.wanting import property_list, property_words, wants
from cypher.semantics.chart.wordlists import FREE, HARD, PREPOSITIONS, TRAILING
from cypher.semantics.ir import Head
from cypher.semantics.score import total
from cypher.semantics.text import identifier_words
from schemas.store_schema import StoreLabel

if TYPE_CHECKING:
    from cypher.semantics.chart.parser import Parser

_ALONG: Final = frozenset(
    {
        "what",
        "are",
        "is",
        "was",
        "were",
        "and",
        "together",
        "along",
        "with",
        "as",
        "well",
        ",",
        "including",
        "plus",
    }
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
_THERE: Final = frozenset(
    ["was", "were", "are", "is", "there", "it", "they", "did", "do", "does", "have", "has", "had"]
)
_DIRECTION: Final = frozenset(["from", "the", "to", "in", "order", "first", "last", "of", "with"])
_ENDS: Final = frozenset(["?", ".", "!", ";"])
LIFE: Final = {"born": ("birth", "born"), "died": ("death", "died"), "die": ("death", "died"),
         "pass": ("death", "died"), "passed": ("death", "died")}  # fmt: skip


def left_behind(p: Parser, end: int) -> float | None:
    """What the words behind ``end`` cost; ``None`` where one of them may not be left."""
    if end in p.left:
        return p.left[end]
    p.left[end] = None
    cost = 0.0
    told = end
    for at in range(end, p.size):
        word = p.word(at)
        told = max(told, in_all(p, at))
        if at < told:
            continue
        if word in _ENDS | FREE or not any(c.isalnum() for c in word):
            continue
        if word in HARD:
            return None
        if word in ("it", "them") and p.word(at - 1) in PREPOSITIONS and p.word(at + 1) in (*_ENDS, ""):
            continue
        if word in TRAILING:
            cost += 0.2
        elif word in PREPOSITIONS | {"is", "are", "was", "were", "do", "does", "did", "have", "has", "be"}:
            cost += 0.4
        else:
            cost += p.lost(at)
    p.left[end] = cost if cost <= 3 else None
    return p.left[end]


def whole(p: Parser, noun: Noun, head: Head, *more: tuple[str, float]) -> Iterator[Asked]:
    """A question that ends with its noun phrase."""
    yield from _ended(p, noun, head, more)
    left = left_behind(p, noun.end)
    if p.topic is None and Each() in noun.thing.limits and head is Head.LIST:
        rest = tuple(x for x in noun.thing.limits if not isinstance(x, Each))
        noun = replace(noun, thing=Thing(noun.thing.label, rest))
    if marked(noun.thing) and p.topic is None and head is not Head.LIST:
        return
    if (
        left is None
        or noun.also
        or (noun.quantity and noun.quantity.kind in ("none", "most", "only", "exceeds"))
    ):
        return
    features: Features = (*noun.features, *more, *((("c_skip", left),) if left else ()))
    thing = _either(noun)
    wanted = noun.wanted
    limit = None
    if noun.quantity and noun.quantity.kind in {"number", *CUT}:
        limit = noun.quantity.number
        thing = by_what_is_said(p, thing) if noun.quantity.kind == "top" else thing
    wanted = with_names(p, thing, wanted) if head is Head.LIST else wanted
    asked = pooled(noun, Asked(thing, head, total(features), features, wanted, limit=limit))
    if p.topic is not None or not marked(noun.thing):
        yield asked
    elif (apart := told_apart(p, asked, first=False)) is not asked:
        yield apart


def _ended(p: Parser, noun: Noun, head: Head, more: Features) -> Iterator[Asked]:
    """A question whose noun phrase is followed by what is returned, its order, or how many."""
    if noun.quantity is None and (cut := limited(p, noun.end)):
        yield from whole(p, replace(noun, end=cut[0], quantity=cut[1]), head, *more, ("c_cue", 1.0))
    if head is not Head.LIST:
        return
    yield from counted_too(p, noun, more)
    if p.word(noun.end) in _ALONG:
        for longer in _along(p, noun):
            yield from whole(p, longer, head, *more)
            for predicate in p.modifiers(longer.end):
                for longest in p.attach(longer, predicate, ("c_second", 1.0)):
                    yield from whole(p, longest, head, *more)
    for longer in (*asked_too(p, noun), *returning(p, noun)):
        yield from whole(p, longer, head, *more)
    for order, stop, gain in _sorted(p, noun):
        for asked in whole(p, replace(noun, end=stop), Head.EXISTS, *more, *gain):
            yield replace(asked, head=Head.LIST, order=order)
    for thing, stop, gain in ranking(p, noun):
        ranked = replace(noun, thing=thing, end=stop)
        behind = [n for m in p.modifiers(stop) for n in p.attach(ranked, m, ("c_second", 1.0))]
        for one in (ranked, *behind):
            for asked in whole(p, one, Head.EXISTS, *more, *gain):
                yield replace(asked, head=Head.LIST)


def counted_too(p: Parser, noun: Noun, more: Features) -> Iterator[Asked]:
    """ "(Which port has the most ships), and how many?": the number beside the answer."""
    at = noun.end + (p.word(noun.end) == ",")
    if p.lower[at : at + 3] != ("and", "how", "many"):
        return
    counted = [x.thing.label for x in noun.thing.limits if isinstance(x, (Most, Counted))]
    labels = [x.end for x in p.lattice.of(at + 3, "label") if x.name in counted]
    end = max(labels, default=at + 3)
    while p.word(end) in _THERE:
        end += 1
    for asked in whole(p, replace(noun, end=end), Head.LIST, *more, ("c_cue", 1.5)) if counted else ():
        yield replace(asked, counted_too=True)


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
        features: Features = (*property_words(names, score), ("c_bridge", cost), ("c_cue", 1.5))
        yield Extreme(wanted[0].name, first in _DOWN), stop, features


def _along(p: Parser, noun: Noun) -> Iterator[Noun]:
    """ "... and their ages", "together with its code": what is returned beside the name."""
    at = noun.end
    while p.word(at) in _ALONG and not (p.word(at) == "as" and not {"well"} & set(p.lower[at - 1 : at + 2])):
        at += 1
    if p.word(at) in ("where", "when"):
        yield from _life_along(p, noun, at)
    if at > noun.end:
        yield from others(p, noun, at)
        yield from related(p, noun, at)
        yield from known_ones(p, noun, at)
    again = any(w.path for w in noun.wanted) and p.word(at - 1) in ("and", ",")
    if at == noun.end or (p.word(at) not in _THEIR and not again):
        return
    at -= p.word(at) not in _THEIR
    yield from owned_others(p, noun, at + 1)
    label = p.vocabulary.schema.label(noun.thing.label)
    for names, end, score in property_list(p, at + 1):
        wanted, cost = wants(p, noun.thing.label, names)
        if not wanted:
            continue
        own = noun.wanted
        if not own and label and label.name_property:
            own = (Wanted((), label.name, label.name_property),)
        more: Features = (*property_words(names, score), ("c_bridge", cost), ("c_cue", 0.5))
        yield replace(
            noun, end=end, wanted=tuple(dict.fromkeys((*own, *wanted))), score=noun.score + total(more),
            features=noun.features + more,
        )  # fmt: skip


def _either(noun: Noun) -> Thing:
    if not noun.either:
        return noun.thing
    return Thing(noun.thing.label, (AnyOf(tuple(t.limits for t in (noun.thing, *noun.either))),))


def asked_gaps(p: Parser, at: int, front: str = "") -> Iterator[Predicate]:
    """ "(which area) does Ann live in", "(in which area) live the people who ...": a fronted object."""
    aux = auxiliary(p, at)
    if aux.any or aux.end == at:
        for gap in fronted(p, at, front) if front else p.gaps(at):
            features = (*gap.features, ("c_fronted", 1.0))
            yield replace(gap, features=features, score=total(features))
    if aux.being:
        yield from to_whom(p, at, stranded=True)


def _life_along(p: Parser, noun: Noun, at: int) -> Iterator[Noun]:
    """ "... and where were they born": a property of everybody beside the name."""
    kinds = ("place", "city", "country") if p.word(at) == "where" else ("date", "year", "day")
    verb = at + 3
    label = p.vocabulary.schema.label(noun.thing.label)
    if p.word(at + 2) not in ("they", "he", "she", "it") or label is None or p.word(verb) not in LIFE:
        return
    for name in life_properties(label, p.word(verb), kinds):
        own = noun.wanted or (Wanted((), label.name, label.name_property),)
        more: Features = (("c_property", 1.5),)
        end = verb + 2 if p.word(verb) in ("pass", "passed") else verb + 1
        wanted = (*own, Wanted((), label.name, name))
        score = noun.score + total(more)
        yield replace(noun, end=end, wanted=wanted, score=score, features=noun.features + more)


def life_properties(label: StoreLabel, verb: str, kinds: tuple[str, ...]) -> Iterator[str]:
    for prop in label.properties:
        parts = identifier_words(prop.name)
        if set(parts) & set(LIFE[verb]) and (set(parts) & set(kinds) or len(parts) == 1):
            yield prop.name
