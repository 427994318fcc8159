"""What earlier sentences tell of, so that the last may ask about it: "Take the ships of Ann. Which ..."."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from cypher.semantics.chart.auxiliaries import auxiliary
from cypher.semantics.chart.forms import Each, Features, Linked, Noun, Thing
from cypher.semantics.chart.limits import unmarked
from cypher.semantics.chart.topics import MOST_TOPICS, Topic, phrase_at, topics
from cypher.semantics.chart.wordlists import FREE
from cypher.semantics.lexicon import ANYBODY
from cypher.semantics.score import total
from cypher.semantics.text import stem

if TYPE_CHECKING:
    from cypher.semantics.chart.parser import Parser

_TAKING: Final = (
    *(("start", "with"), ("start", "from"), ("starting", "with"), ("starting", "from"), ("begin", "with")),
    *(("look", "at"), ("look", "for"), ("think", "of"), ("focus", "on"), ("go", "to"), ("there", "are")),
    *(("there", "is"), ("there", "was"), ("there", "were"), ("i", "have"), ("we", "have"), ("as", "for")),
    *(("with", "regard", "to"), ("with", "respect", "to"), ("regarding",), ("concerning",), ("from",)),
    *(("take",), ("consider",), ("find",), ("get",), ("imagine",), ("suppose",), ("pick",), ("select",)),
    *(("identify",), ("at",), ("list",), ("collect",), ("gather",), ("given",)),
)
"""What stands before things that the next sentence asks about."""
_FRONTED: Final = frozenset({"if", "when", "where", "suppose", "since", "as", "because", "given"})
"""Words before a statement that ends with a comma."""
_STOPS: Final = frozenset({".", ";", ":"})
_NEXT: Final = frozenset({",", "and", "then", "now", "next", "finally", "so", "also", "afterwards", "first"})
MOST_SENTENCES: Final = 3


def spoken(p: Parser, start: int) -> Iterator[tuple[Parser, Topic]]:
    """Parsers that know what earlier sentences tell of, with that; the question starts at its end."""
    for topic in topics(p, start) if {",", ":"} & set(p.lower) else ():
        if not topic.each and p.word(topic.end - 1) in (",", ":"):
            yield p.about(topic.thing), topic
    if _STOPS | {","} & set(p.lower[start : p.size - 1]):
        yield from _chains(p, start, MOST_SENTENCES)


def _chains(p: Parser, start: int, left: int) -> Iterator[tuple[Parser, Topic]]:
    told = sorted(_told(p, start), key=lambda t: -total(t.features))
    for topic in told[:MOST_TOPICS]:
        child = p.about(topic.thing, topic.number, topic.words)
        yield child, topic
        if left > 1 and _STOPS & set(p.lower[topic.end : p.size - 1]):
            for last, further in _chains(child, topic.end, left - 1):
                features = (*topic.features, *further.features)
                yield last, replace(further, features=features)


def _told(p: Parser, start: int) -> Iterator[Topic]:
    at = start
    while p.word(at) in _NEXT:
        at += 1
    taken = phrase_at(p, at, _TAKING)
    for noun in p.nouns(taken) if taken else ():
        if _plain(noun) and (end := _behind(p, noun.end, comma=True)):
            words = _nouns(p, taken, noun.end, noun.thing.label)
            yield _topic(noun.thing, end, noun.features, noun.number, words)
    fronted = p.word(at) in _FRONTED
    if fronted and auxiliary(p, at + 1).any:
        return  # "when did the ship sail, and what is its port" asks for both
    yield from _statements(p, at + fronted, comma=fronted)


def _statements(p: Parser, at: int, *, comma: bool) -> Iterator[Topic]:
    """A sentence of a subject and its verb: its subject, or what it tells of that, is what is asked about."""
    for noun in p.nouns(at):
        if not _plain(noun) or _behind(p, noun.end, comma=True):
            continue
        for predicate in p.predicates(noun.end):
            end = _behind(p, predicate.end, comma=comma)
            for told in p.attach(noun, predicate, ("c_main", 1.0)) if end else ():
                subject = "one" if noun.named else noun.number
                words = _nouns(p, at, noun.end, noun.thing.label)
                yield _topic(told.thing, end, told.features, subject, words)
                for limit in told.last:
                    if isinstance(limit, Linked):
                        rest = tuple(x for x in told.thing.limits if x is not limit)
                        back = p.ways.back(limit.path, noun.thing.label)
                        doer = Linked(back, Thing(noun.thing.label, rest))
                        words = _nouns(p, noun.end, end, limit.thing.label) | _ties(p, noun.end, end)
                        yield _topic(limit.thing.plus(doer), end, told.features, "", words)


def _behind(p: Parser, end: int, *, comma: bool) -> int:
    """Where the next sentence starts, 0 where none does."""
    at = end
    while p.word(at) in FREE and at < p.size:
        at += 1
    then = p.word(at) == "and" and p.word(at + 1) == "then"
    if not (p.word(at) in _STOPS or then or (comma and p.word(at) == ",")):
        return 0
    at += 1
    while p.word(at) in _NEXT | _STOPS:
        at += 1
    return at if any(w.isalnum() for w in p.lower[at:]) and not auxiliary(p, at).negated else 0


def _plain(noun: Noun) -> bool:
    return not (noun.wanted or noun.quantity or noun.also or noun.either)


def _nouns(p: Parser, start: int, end: int, label: str) -> frozenset[str]:
    """The words of a label in a span, which "that person" and "this someone" point to; else an empty one."""
    labels = (x for at in range(start, end) for x in p.lattice.of(at, "label") if x.name == label)
    said = {p.word(x.end - 1) for x in labels} | (set(p.lower[start:end]) & set(ANYBODY))
    return frozenset(map(stem, said)) or frozenset({""})


def _ties(p: Parser, start: int, end: int) -> frozenset[str]:
    """The last words of relations in a span, by which "these friends" points to what is tied so."""
    found = (x for at in range(start, end) for x in p.lattice.of(at, "relation"))
    return frozenset(stem(p.word(x.end - 1)) for x in found)


def _topic(thing: Thing, end: int, features: Features, number: str, words: frozenset[str]) -> Topic:
    marked = Thing(thing.label, (Each(), *unmarked(thing).limits))
    return Topic(marked, end, False, "", (*features, ("c_cue", 1.0)), number, words)
