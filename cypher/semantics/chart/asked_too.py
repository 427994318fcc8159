"""A second question behind the first: "who rang Ann, and on what day?", "..., and how long was the call?"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from cypher.semantics.chart.auxiliaries import auxiliary
from cypher.semantics.chart.forms import Features, Linked, Noun, Thing, Wanted
from cypher.semantics.chart.returns import Item, items
from cypher.semantics.chart.wanting import past
from cypher.semantics.chart.wordlists import PREPOSITIONS, UNITS, words_of
from cypher.semantics.schema_paths import Path
from cypher.semantics.score import total

if TYPE_CHECKING:
    from cypher.semantics.chart.parser import Parser

_POINTING: Final = words_of("that this those these the it they he she there his her its their")
_TAIL: Final = words_of(
    "have has had take took taken last lasted place made done happen happened occur occurred live lie",
    "lay held recorded in at on for with done committed belong to",
)
_HAPPENING: Final = words_of("place happen happened occur occurred made done committed")
_ENDS: Final = frozenset({"?", ".", "!", ";", ""})


def asked_too(p: Parser, noun: Noun) -> Iterator[Noun]:
    """The noun with a property that a question behind it asks of what it tells of."""
    at = noun.end + (p.word(noun.end) == ",")
    label = p.vocabulary.schema.label(noun.thing.label)
    if p.word(at) != "and" or label is None or (noun.quantity is not None and not noun.wanted):
        return
    own = noun.wanted or ((Wanted((), label.name, label.name_property),) if label.name_property else ())
    reached = list(_reached(noun.thing))
    for item in _asked(p, at + 1 + (p.word(at + 1) == "also"), noun, reached) if own else ():
        end = _past_tail(p, item.end, {name for name, _ in reached})
        happens = bool(_HAPPENING & set(p.lower[item.end : end]))
        if end and item.wanted not in own and (not happens or _is_of_event(p, item.wanted, reached)):
            features: Features = (*item.features, ("c_cue", 1.0))
            yield replace(
                noun, end=end, wanted=(*own, item.wanted), score=noun.score + total(features),
                features=noun.features + features,
            )  # fmt: skip


def _asked(p: Parser, at: int, noun: Noun, reached: list[tuple[str, Path]]) -> Iterator[Item]:
    at += p.word(at) in PREPOSITIONS
    if p.word(at) in ("which", "what"):
        yield from items(p, past(p, at + 1), noun.thing.label, reached)
        for label, path in reached if _HAPPENING & set(p.lower[at:]) else ():
            if path and p.settler.property_for(label, "date"):
                for item in items(p, past(p, at + 1), label, [(label, ())]):
                    yield replace(item, wanted=replace(item.wanted, path=(*path, *item.wanted.path)))
    hint, end = "", at
    if p.word(at) == "when":
        hint, end = "date", at + 1
    elif p.word(at) == "how" and (p.word(at + 1) == "long" or p.word(at + 2) in UNITS):
        hint, end = "length", at + 2 + (p.word(at + 1) == "many")
    for label, path in reached if hint else ():
        info = p.settler.property_for(label, hint)
        if info is not None and (info.dated == (hint == "date")):
            yield Item(end, Wanted(path, label, info.name), (("c_property", 0.9),))
            return


def _is_of_event(p: Parser, wanted: Wanted, reached: list[tuple[str, Path]]) -> bool:
    """Whether a property is that of something dated, or of what that is tied to."""
    events = [path for label, path in reached if p.settler.property_for(label, "date")]
    return any(wanted.path[: len(path)] == path for path in events)


def _reached(thing: Thing, before: Path = ()) -> Iterator[tuple[str, Path]]:
    """Labels of what a thing is told by, with those on the way there, nearest first."""
    yield thing.label, before
    for limit in thing.limits:
        if isinstance(limit, Linked):
            for size in range(1, len(limit.path)):
                yield limit.path[size - 1].to, (*before, *limit.path[:size])
            yield from _reached(limit.thing, (*before, *limit.path))


def _past_tail(p: Parser, end: int, labels: set[str]) -> int:
    """Behind "did it take place", "does that port have", "the call took"; 0 where the question goes on."""
    at = auxiliary(p, end).end
    while p.word(at) in _POINTING:
        at += 1
    if at > end:
        at = max((x.end for x in p.lattice.of(at, "label") if x.name in labels), default=at)
    while p.word(at) in _TAIL:
        at += 1
    return at if p.word(at) in _ENDS | {",", "and"} else 0
