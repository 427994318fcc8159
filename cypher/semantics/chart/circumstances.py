"""When and how an event took place that a verb says without naming it: "(who called Ann) on 3 May"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Final, NamedTuple

from cypher.semantics.chart.forms import Features, Limit, Linked, LooseNumber, Predicate, Thing
from cypher.semantics.chart.limits import alternatives
from cypher.semantics.chart.quantities import quantified
from cypher.semantics.chart.wanting import often
from cypher.semantics.chart.wordlists import PREPOSITIONS
from cypher.semantics.schema_paths import Path
from cypher.semantics.score import total

if TYPE_CHECKING:
    from cypher.semantics.chart.parser import Parser

_HOW: Final = frozenset({"in", "by", "with", "during", "over", "on", "through", "via"})
"""What stands before the kind of event, or what served for it: "in a voice call", "by phone"."""
YEARS: Final = 1000
"""Least number that may be a year."""
PARTLY: Final = 0.5
"""Score of a property's word that is but a part of its name."""
_JOINING: Final = frozenset({"and", "or", ","})


class _Told(NamedTuple):
    """Limits of the event, told up to ``end``."""

    end: int
    limits: tuple[Limit, ...]
    features: Features


def circumstances(p: Parser, first: Predicate, path: Path, inner: tuple[Limit, ...]) -> Iterator[Predicate]:
    """The predicate with what is told of an event that ``path`` passes first, of which ``inner`` holds.

    None where nothing holds of it.
    """
    event = path[0].to if path else ""
    passes = bool(inner) and len(path) > 1 and not path[0].forward and path[1].forward
    at = first.end + (p.word(first.end) == "," and p.word(first.end + 1) in PREPOSITIONS)
    for one in _told(p, at, event, path) if passes and first.label != event else ():
        two = list(_joined(p, one, event, path))
        for told in (one, *two, *(x for each in two for x in _joined(p, each, event, path))):
            features = (*first.features, *told.features, ("c_second", 1.0))
            limits = (Linked(path[:1], Thing(event, (*told.limits, *inner))),)
            yield replace(first, end=told.end, limits=limits, score=total(features), features=features)
    for end, quantity in often(p, first.end) if passes and first.label != event else ():
        more = (*first.features, ("c_cue", 1.5))
        counted = (quantified(path[:1], Thing(event, inner), quantity),)
        yield replace(first, end=end, limits=counted, score=total(more), features=more)


def _joined(p: Parser, one: _Told, event: str, path: Path) -> Iterator[_Told]:
    """ "(On 3 May) or in a voice call", "(on 3 May) in a voice call"."""
    word = p.word(one.end)
    for other in _told(p, one.end + (word in _JOINING), event, path):
        limits = alternatives(one.limits, other.limits) if word == "or" else (*one.limits, *other.limits)
        if other.limits and (one.limits or word != "or"):
            yield _Told(other.end, limits, (*one.features, *other.features, ("c_and", 1.0)))


def _told(p: Parser, at: int, event: str, path: Path) -> Iterator[_Told]:
    for found in p.limits(at + (p.word(at) == "for")):
        meant = all(name != "c_property" or x > PARTLY for name, x in found.features)
        if found.label in ("", event) and meant and not any(_is_bare_number(x) for x in found.limits):
            for settled, cost in p.settler.settle(found.limits, event)[:1]:
                yield _Told(found.end, settled, (*found.features, ("c_bridge", cost)))
    passed = {step.to for step in path[1:]}
    for noun in p.cores(at + 1) if p.word(at) in _HOW else ():
        plain = not (noun.wanted or noun.quantity or noun.also or noun.either)
        served = noun.thing.label in passed and noun.bare and not noun.thing.limits
        if plain and (noun.thing.label == event or served):
            means = ("c_cue", 1.0 if served else 0.0)
            yield _Told(noun.end, noun.thing.limits, (*noun.features, ("c_prep", 1.0), means))


def _is_bare_number(limit: Limit) -> bool:
    """Whether a number tells neither when nor how long: "(received) more than one (call)"."""
    if not isinstance(limit, LooseNumber) or limit.unit:
        return False
    return isinstance(limit.value, (int, float)) and limit.value < YEARS
