"""What a question is about, named before it is asked: "for each film, ...", "Ann, and how many ..."."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from cypher.semantics.chart.forms import Each, Features, Has, Noun, Thing, marked
from cypher.semantics.chart.wanting import property_list
from cypher.semantics.chart.wordlists import COMMANDS, FREE
from cypher.semantics.ir import Operator

if TYPE_CHECKING:
    from cypher.semantics.chart.parser import Parser

COUNTING: Final = (
    *(("how", "many"), ("total", "number", "of"), ("number", "of"), ("count", "of"), ("counts", "of")),
    *(("numbers", "of"), ("totals", "of"), ("tally", "of"), ("total", "of"), ("count",)),
)
EACH: Final = (
    ("for", "each"),
    ("for", "every"),
    ("per",),
    ("in", "each"),
    ("across", "each"),
    ("by", "each"),
    ("separately", "for", "each"),
)
LEADING: Final = (*EACH, ("break", "down", "by"), ("broken", "down", "by"), ("grouped", "by"), ("by",))
"""What stands before a key at the beginning of a question."""
JOINING: Final = frozenset(
    {",", "and", "also", "as", "well", "along", "with", "together", "plus", "what", "is"}
)
_TOPIC: Final = (
    *(
        ("looking", "at"),
        ("looking", "only", "at"),
        ("looking", "just", "at"),
        ("out", "of"),
        ("from", "among"),
        ("when", "considering"),
        ("focusing", "on"),
    ),
    *(
        ("for",),
        ("among",),
        ("taking",),
        ("in",),
        ("considering", "only"),
        ("considering",),
        ("across",),
        ("within",),
        ("of",),
        ("given",),
    ),
)
_BESIDE: Final = frozenset({"together", "along", "with", "and", "plus"})
_TOLD: Final = frozenset({"identified", "listed", "shown", "given", "told", "named", "labelled"})
_CONCERNED: Final = frozenset({"concerned", "involved", "found", "present", "occurring"})
MOST_TOPICS: Final = 4


@dataclass(frozen=True, slots=True)
class Topic:
    """What is asked about, and where the rest of the question starts."""

    thing: Thing
    end: int
    each: bool
    """Whether it is asked for each of them."""
    key: str
    """The property that tells them apart, empty for their name."""
    features: Features
    number: str = ""
    """``one`` or ``many`` where it is said of how many the question is."""
    words: frozenset[str] = frozenset()
    """The nouns that it was spoken of by."""


def phrase_at(p: Parser, at: int, phrases: tuple[tuple[str, ...], ...]) -> int:
    """Where the first of some phrases ends that stands at a word, else 0."""
    return next((at + len(x) for x in phrases if p.lower[at : at + len(x)] == x), 0)


def topics(p: Parser, start: int) -> Iterator[Topic]:
    """ "For each film, ...", "considering Ann: ...", "show Ann together with how many ..."."""
    each = phrase_at(p, start, EACH)
    at = each or phrase_at(p, start, _TOPIC)
    colon = not at and start + 1 < p.size and ":" in p.lower and p.word(start) not in COMMANDS - {"the"}
    found = [n for n in p.nouns(at or start) if _may_be_topic(n, each=bool(each))] if at or colon else []
    ends = ((n, *told) for n in found for told in _ends(p, n))
    told = [x for x in ends if (p.word(x[1]) == ":" if colon else _starts_question(p, x[1]))]
    for noun, end, key in sorted(told, key=lambda x: -x[0].score)[:MOST_TOPICS]:
        yield _topic(noun, end + (p.word(end) in (",", ":")), key, each=bool(each))
    yield from _listed(p, start)


def _may_be_topic(noun: Noun, *, each: bool) -> bool:
    plain = len(noun.wanted) == int(each) and not any(w.path or w.step for w in noun.wanted)
    return not (noun.quantity or noun.also or noun.either) and (plain or not noun.wanted)


def _ends(p: Parser, noun: Noun) -> Iterator[tuple[int, str]]:
    """Where a topic ends, with the property it is told by: "each person, identified by badge number,"."""
    key = noun.wanted[0].name if noun.wanted else ""
    yield noun.end, key
    if p.word(noun.end) in _CONCERNED:
        yield noun.end + 1, key
    at = noun.end + (p.word(noun.end) == ",")
    if p.word(at) in _TOLD and p.word(at + 1) == "by":
        at += 2
        while p.word(at) in FREE | {"their", "its"}:
            at += 1
        for names, end, _ in property_list(p, at):
            if len(names) == 1 and names[0].name and noun.thing.label in names[0].owners:
                yield end, names[0].name


def _topic(noun: Noun, end: int, key: str, *, each: bool) -> Topic:
    thing = noun.thing if marked(noun.thing) else Thing(noun.thing.label, (Each(), *noun.thing.limits))
    return Topic(thing, end, each, key, (*noun.features, ("c_cue", 1.0)))


def _starts_question(p: Parser, at: int) -> bool:
    return p.word(at) in (",", ":") or p.word(at) in COMMANDS | {"how", "count"} - {"the", "all", "are", "is"}


def _listed(p: Parser, start: int) -> Iterator[Topic]:
    """ "(show) Ann together with the number of films she made": a count for each beside it."""
    at = start
    while p.word(at) in COMMANDS | FREE:
        at += 1
    counting = any(word in ("many", "number", "count") for word in p.lower)
    found = [*p.nouns(at), *_valued(p, at)] if at > start and counting else []
    for noun in found:
        end = noun.end
        while p.word(end) in JOINING or (end > noun.end and p.word(end) in FREE):
            end += 1
        if p.word(noun.end) in _BESIDE and phrase_at(p, end, COUNTING) and _may_be_topic(noun, each=False):
            yield _topic(noun, end, _own_value(p, noun), each=True)


def _valued(p: Parser, at: int) -> Iterator[Noun]:
    """ "The first name Ann": all that have a value, by the property that it is said with."""
    for limit in p.limits(at) if p.lattice.of(at, "property") else ():
        only = limit.limits[0] if limit.label and len(limit.limits) == 1 else None
        if isinstance(only, Has) and only.operator is Operator.EQ:
            yield Noun(limit.end, Thing(limit.label, limit.limits), limit.score, limit.features)


def _own_value(p: Parser, noun: Noun) -> str:
    """The property of the value that alone was said of a thing: "the rank Captain"."""
    label = p.vocabulary.schema.label(noun.thing.label)
    values = [name for name in (getattr(x, "name", "") for x in noun.thing.limits) if name]
    only = len(values) == len(noun.thing.limits) == 1 and label is not None
    return values[0] if only and label and values[0] != label.name_property else ""
