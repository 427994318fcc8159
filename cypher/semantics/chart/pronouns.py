"""Nouns that stand for what is spoken of: "it", "that film", "each film", "patients" for what has an age."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from cypher.semantics.chart.appositions import apposed
from cypher.semantics.chart.events import what_happened
from cypher.semantics.chart.forms import Each, Features, Has, Linked, LooseExtreme, Noun, Thing, reverse
from cypher.semantics.chart.lexemes import Lexeme
from cypher.semantics.chart.named_before import named_before
from cypher.semantics.chart.naming import has_value
from cypher.semantics.chart.owners import possessed
from cypher.semantics.chart.phrases import superlative
from cypher.semantics.chart.pointing import THIS, by_relation, the_other
from cypher.semantics.chart.wanting import quantities
from cypher.semantics.chart.wordlists import LYING, PREPOSITIONS, WHO
from cypher.semantics.lexicon import ANYBODY
from cypher.semantics.score import total
from cypher.semantics.text import stem

if TYPE_CHECKING:
    from cypher.semantics.chart.parser import Parser

_PRONOUNS: Final = frozenset({"it", "them", "they", "there", "he", "she", "him"})
_POINTING: Final = frozenset({"that", "this", "those", "these", "such", "the", "said", "each", "every"})
_THEIR: Final = frozenset({"their", "its", "his", "her"})
_ONE: Final = frozenset({"it", "he", "she", "him", "its", "his", "her"})
_MANY: Final = frozenset({"they", "them", "their"})
_THOSE: Final = frozenset({"them", "these", "those"})
_UNNAMED: Final = frozenset(stem(word) for word in ANYBODY)
"""What "that person", "that officer" may have been called by before."""
_ARTICLES: Final = frozenset({"a", "an", "the", "one", "of"})
_DETERMINING: Final = frozenset(
    {"the", "this", "that", "which", "what", "each", "every", "any", "no", "last", "first", "next", "only"}
)
AGAIN: Final = 0.8
"""Score of "one" for one more of a kind that was named before."""
ONE: Final = 0.5
"""Score of "the one" for a kind that only a value tells of."""
WHOLE: Final = 0.8
"""Least score of the word by which it was named."""
OTHER: Final = 0.4
"""Score of "someone" for things of a label that are people, but not those mostly meant."""
MOST_OWN: Final = 3
MOST_KINDS: Final = 3
"""Kinds named before that "another" may be one more of, the last of them first."""
_EACH: Final = frozenset({"each", "every"})
_PEOPLE: Final = frozenset(
    ["people", "persons", "person", "individuals", "individual", "patients", "patient", "users", "user"]
)


def spoken_of(p: Parser, at: int, start: int, begin: Features) -> Iterator[Noun]:
    """Nouns at ``start``; words from ``at`` on were passed over."""
    yield from _topic(p, at, start, begin)
    yield from _each(p, at, begin)
    yield from named_before(p, start, begin)
    yield from people(p, start, begin)
    yield from _whoever(p, start, begin)
    yield from what_happened(p, at, begin)
    yield from _another(p, start, begin)
    yield from _the_one(p, start, begin)


def _the_one(p: Parser, start: int, begin: Features) -> Iterator[Noun]:
    """ "(Who knows) the one with badge 52": the kind is that of which a badge is told."""
    if p.topic is not None or p.word(start) not in ("one", "ones") or p.word(start - 1) not in _DETERMINING:
        return
    for told in p.modifiers(start + 1):
        if told.label and not told.finite and all(isinstance(x, Has) for x in told.limits):
            more: Features = (*begin, *told.features, ("c_label", ONE))
            yield Noun(told.end, Thing(told.label, told.limits), total(more), more, modified=1)


def _another(p: Parser, start: int, begin: Features) -> Iterator[Noun]:
    """ "(Who hit a ship and also) one at Hull", "another that Ann sails": one more of a kind named before."""
    one = p.word(start) == "one" and p.word(start - 1) not in _DETERMINING
    end = start + 1 + (p.lower[start : start + 2] == ("another", "one"))
    if p.topic is not None or not (one or p.word(start) == "another"):
        return
    if p.lattice.of(end, "label", "value") or not _goes_on(p.word(end)):
        return
    kinds = [x.name for at in range(start) for x in p.lattice.of(at, "label") if x.score >= WHOLE]
    for label in list(dict.fromkeys(reversed(kinds)))[:MOST_KINDS]:
        more: Features = (*begin, ("c_label", AGAIN))
        yield Noun(end, Thing(label), total(more), more, bare=True, number="one")


def _goes_on(word: str) -> bool:
    """Whether a word begins what is told of a thing."""
    telling = word in PREPOSITIONS or word in WHO or word in ("where", "whose", "dated", ",")
    return (telling and word != "of") or word.endswith("ed")


def _topic(p: Parser, at: int, start: int, begin: Features) -> Iterator[Noun]:
    if p.topic is None:
        return
    if p.word(at) == "there":
        yield Noun(at + 1, p.topic, total(begin) + 0.6, (*begin, ("c_label", 0.6)), named=True)
    if p.word(start) in _PRONOUNS:
        said: Features = (*begin, ("c_label", 0.6), ("c_number", float(not agrees(p, start))))
        yield Noun(start + 1, p.topic, total(said), said, named=True)
    if p.word(start) in _THEIR:
        said = (*begin, ("c_label", 0.6), ("c_number", float(not agrees(p, start))))
        yield from possessed(p, Noun(start + 1, p.topic, total(said), said, named=True))
    if p.word(at) == "each" and not p.lattice.of(at + 1, "label", "value", "property"):
        end = at + 1 + (p.word(at + 1) == "one") + 2 * (p.lower[at + 1 : at + 3] == ("of", "them"))
        said = (*begin, ("c_label", 0.6), ("c_number", float(p.topic_number == "one")))
        yield Noun(end, p.topic, total(said), said, named=True)
    yield from _best_of_topic(p, at, begin, p.topic)
    if p.word(start) in ("one", "ones"):
        yield Noun(start + 1, p.topic, total(begin) + 0.6, (*begin, ("c_label", 0.6)))
    yield from _part_of_topic(p, start, begin, p.topic)
    yield from by_relation(p, start, begin, p.topic)
    yield from the_other(p, at, begin, p.topic)
    yield from _named_again(p, at, begin, p.topic)
    place = at
    while p.word(place) in _POINTING:
        place += 1
    for lexeme in p.lattice.of(place, "label") if place > at else ():
        if lexeme.name == p.topic.label:
            other = p.word(place - 1) in THIS and not _spoken_by(p, lexeme.end)
            more: Features = (*begin, ("c_label", lexeme.score), ("c_cue", 0.0 if other else 0.5))
            yield Noun(lexeme.end, p.topic, total(more), more, named=True)
        elif p.word(place - 1) in THIS | {"them", "such"}:
            for inner in _told_of(p.topic, lexeme.name):
                known: Features = (*begin, ("c_label", lexeme.score), ("c_cue", 1.0))
                yield Noun(lexeme.end, inner, total(known), known, modified=1)


def _spoken_by(p: Parser, end: int) -> bool:
    """Whether what is spoken of was called by the noun that ends there, as far as that is known."""
    word = p.word(end - 1).removesuffix("'s").removesuffix("'")
    return not p.topic_words or bool(p.topic_words & {stem(word), *_UNNAMED})


def _told_of(topic: Thing, label: str) -> Iterator[Thing]:
    """What the topic is told by: "those robberies" of the ports where robberies happened."""
    for limit in topic.limits:
        if isinstance(limit, Linked) and limit.thing.label == label:
            rest = tuple(x for x in topic.limits if x is not limit)
            back = Linked(reverse(limit.path, topic.label), Thing(topic.label, rest))
            yield limit.thing.plus(back)


def _named_again(p: Parser, at: int, begin: Features, topic: Thing) -> Iterator[Noun]:
    """ "Such a Moss", "those Mosses", "a Moss of that age": what is spoken of, by its own values."""
    place = at
    while p.word(at - 1) in _POINTING:
        at -= 1
    while p.word(place) in _POINTING | _ARTICLES:
        place += 1
    pointed = bool((_POINTING - {"the", "each", "every"}) & set(p.lower[at:place]))
    for end, told in _own_words(p, place, topic):
        stop = _past_key(p, end, topic)
        if pointed or stop > end:
            other = p.word(place - 1) in THIS and place + 1 == end and not _spoken_by(p, end)
            more: Features = (*begin, ("c_label", 0.6), ("c_cue", 0.0 if other else 0.5), *told)
            yield Noun(stop, topic, total(more), more, named=True)


def _own_words(p: Parser, at: int, topic: Thing) -> Iterator[tuple[int, Features]]:
    """Values that the topic is told by, its label among them, with where they end."""
    stack: list[tuple[int, Features]] = [(at, ())]
    if p.word(at) in _PEOPLE and p.is_person(topic.label):
        yield at + 1, ()
    while stack:
        end, told = stack.pop()
        if end > at:
            yield end, told
        for lexeme in p.lattice.of(end, "value", "label") if len(told) < MOST_OWN else ():
            if lexeme.kind == "label" and lexeme.name == topic.label:
                stack.append((lexeme.end, (*told, ("c_label", lexeme.score / 2))))
            elif lexeme.kind == "value" and _is_told_by(topic, lexeme):
                stack.append((lexeme.end, (*told, ("c_value", lexeme.score))))


def _is_told_by(topic: Thing, value: Lexeme) -> bool:
    return value.owners[0] == topic.label and has_value(value) in topic.limits


def _past_key(p: Parser, end: int, topic: Thing) -> int:
    """Behind "(a Moss) of that age", "concerned", "in question"."""
    if p.word(end) in ("of", "with", "in", "at") and p.word(end + 1) in ("that", "this", "such"):
        ends = [x.end for x in p.lattice.of(end + 2, "property") if topic.label in x.owners]
        ends += [end + 3] if p.word(end + 2) in ("name", "kind", "sort", "type") else []
        return max(ends, default=end)
    if p.lower[end : end + 2] == ("in", "question"):
        return end + 2
    return end + (p.word(end) == "concerned")


def agrees(p: Parser, at: int) -> bool:
    """Whether a pronoun may stand for so many as are spoken of."""
    number = "one" if p.word(at) in _ONE else "many" if p.word(at) in _MANY else ""
    anybody = number == "many" and bool(p.topic_words & _UNNAMED)  # "somebody ... they"
    return not number or not p.topic_number or number == p.topic_number or anybody


def _best_of_topic(p: Parser, at: int, begin: Features, topic: Thing) -> Iterator[Noun]:
    """ "The oldest", "the oldest of them" of what is spoken of."""
    if p.word(at - 1) in LYING:
        return  # "which lies furthest north" says where it lies
    at += p.word(at) == "the"
    found = superlative(p.lower, at)
    if found is None or p.lattice.of(found.end, "label", "value", "property"):
        return
    end = found.end + (p.word(found.end) in ("one", "ones"))
    of_those = p.word(end) in ("of", "among") and p.word(end + 1) in _THOSE
    lone = of_those and p.topic_number == "one"
    end += 2 * of_those
    for settled, cost in p.settler.settle((LooseExtreme(found.hint, found.descending),), topic.label):
        more: Features = (*begin, ("c_label", 0.6), ("c_cue", 1.0), ("c_bridge", cost))
        more = (*more, ("c_number", 1.0)) if lone else more
        yield Noun(end, topic.plus(*settled), total(more), more)


def _part_of_topic(p: Parser, start: int, begin: Features, topic: Thing) -> Iterator[Noun]:
    """ "The most of them", "more than three of these"."""
    for end, quantity in quantities(p, start):
        at = end + (p.word(end) == "of")
        if p.word(at) in _PRONOUNS | {"these", "those"}:
            more: Features = (*begin, ("c_label", 0.6), ("c_cue", 1.0))
            yield Noun(at + 1, topic, total(more), more, quantity)


def _each(p: Parser, at: int, begin: Features) -> Iterator[Noun]:
    """ "Each film", "every film": the thing for each of which something is asked."""
    while p.word(at) in ("the", "of"):
        at += 1
    if p.word(at) not in _EACH or p.topic is not None:
        return
    for core in p.cores(at + 1):
        if core.quantity is None and not core.wanted and not core.named:
            more: Features = (*core.features, *begin, ("c_cue", 1.0))
            thing = Thing(core.thing.label, (Each(), *core.thing.limits))
            yield Noun(core.end, thing, total(more), more)


def people(p: Parser, start: int, begin: Features) -> Iterator[Noun]:
    """A general noun for people where the schema has no such label: things with an age, a gender, a birth."""
    yield from _anybody(p, start, begin)
    if p.word(start) not in {*_PEOPLE, *ANYBODY, "others"} or p.lattice.of(start, "label", "value"):
        return
    for label in p.people()[:1]:
        more: Features = (*begin, ("c_label", 0.7))
        yield Noun(start + 1, Thing(label), total(more), more, bare=True, number="many")
        if p.word(start + 1) in ("in", "of", "from", "for", "within"):
            for noun in p.nouns(start + 2):
                if noun.thing.label == label and not noun.wanted and noun.quantity is None:
                    both = (*more, *noun.features)
                    yield Noun(noun.end, noun.thing, total(both), both, modified=noun.modified)


def _anybody(p: Parser, start: int, begin: Features) -> Iterator[Noun]:
    """ "Someone" for people of another label than it mostly stands for: "(led by) someone called Moss"."""
    mostly = {x.name for x in p.lattice.of(start, "label")} or set(p.people()[:1])
    for label in p.people() if p.word(start) in ANYBODY else ():
        if label not in mostly:
            more: Features = (*begin, ("c_label", OTHER))
            yield Noun(start + 1, Thing(label), total(more), more, bare=True, number="one")


def _whoever(p: Parser, start: int, begin: Features) -> Iterator[Noun]:
    """ "Whoever lives there", "those who live there": people of whom nothing but a clause tells."""
    people = p.people()[:1]
    if p.word(start) in ("who", "whom") and p.word(start - 1) in ("those", "ones", "all"):
        for label in people:
            more: Features = (*begin, ("c_label", 0.7))
            yield Noun(start, Thing(label), total(more), more, bare=True, number="many")
    if p.word(start - 1) in ("those", "all") and p.lattice.of(start, "value"):
        for label in people:
            noun = Noun(start, Thing(label), total(begin), (*begin, ("c_label", 0.7)))
            for gap in p.gaps(start):
                yield from p.attach(noun, gap, ("c_reduced", 1.0))
    if p.word(start) in ("whoever", "whomever"):
        for label in people:
            noun = Noun(start + 1, Thing(label), total(begin), (*begin, ("c_label", 0.7)))
            for predicate in (*p.predicates(start + 1), *p.gaps(start + 1)):
                yield from p.attach(noun, predicate, ("c_relative", 1.0))


def called(p: Parser, noun: Noun) -> Iterator[Noun]:
    """ "Lund as a port", "Lund, the port of Ann": a name with its kind behind it."""
    yield from apposed(p, noun)
    if p.word(noun.end) != "as" or not noun.thing.limits:
        return
    at = noun.end + 1
    at += p.word(at) in ("a", "an", "the", "its", "their")
    for lexeme in p.lattice.of(at, "label"):
        if lexeme.name == noun.thing.label:
            more: Features = (("c_label", lexeme.score),)
            yield replace(noun, end=lexeme.end, score=noun.score + total(more), features=noun.features + more)
