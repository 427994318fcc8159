"""How many of a thing there are, as limits: none, so many, the most; and limits of what lies behind a way."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from cypher.semantics.chart.forms import (
    AnyOf,
    Counted,
    Denied,
    Exceeds,
    Has,
    Limit,
    Linked,
    Loose,
    Most,
    Noun,
    Only,
    Quantity,
    Thing,
)
from cypher.semantics.ir import Operator
from cypher.semantics.schema_paths import Path

WITH: Final = frozenset({"with", "alongside"})
GOING: Final = frozenset({"from", "to"})
BESIDE: Final = WITH | GOING | {"by", "for"}
"""Prepositions of somebody who is no name of the thing itself."""


def behind(path: Path, label: str, limits: tuple[Limit, ...]) -> tuple[Limit, ...]:
    """Limits of the thing behind a path; a denial stays outside, and the subject is what has so many."""
    only = limits[0] if len(limits) == 1 else None
    if isinstance(only, Most) and only.path:
        return (only.behind(path),)
    if isinstance(only, Counted) and only.path:
        return (replace(only, path=(*path, *only.path)),)
    if isinstance(only, Has) and only.operator in (Operator.KNOWN, Operator.UNKNOWN):
        linked = Linked(path, Thing(label))
        return (linked,) if only.operator is Operator.KNOWN else (Denied((linked,)),)
    if len(limits) == 1 and isinstance(limits[0], Denied):
        return (Denied((Linked(path, Thing(label, limits[0].limits)),)),)
    if _is_list(limits):
        return tuple(Linked(path, Thing(label, (x,))) for x in limits)
    return (Linked(path, Thing(label, limits)),)


def _is_list(limits: tuple[Limit, ...]) -> bool:
    """Whether several are tied in one way, each by an unnamed thing: "the area where both live"."""
    ways = {(x.path, x.thing.label) for x in limits if isinstance(x, Linked)}
    return len(limits) > 1 and len(ways) == 1 and all(isinstance(x, Linked) for x in limits)


def wanted_so(path: Path, limit: Loose) -> Limit:
    found = quantified(path, limit.thing, limit.quantity)
    if limit.other is not None and limit.quantity:
        found = Exceeds(path, limit.thing, limit.quantity.operator, limit.other)
    return Denied((found,)) if limit.negated else found


def quantified(path: Path, thing: Thing, quantity: Quantity | None) -> Limit:
    """Tied to no, so many, or the most such things."""
    if quantity is None or quantity.kind == "each" or _at_all(quantity):
        return Linked(path, thing)
    if quantity.kind == "only":
        return Only(path, thing) if thing.limits else Linked(path, thing)
    if quantity.kind == "none":
        return Denied((Linked(path, thing),))
    if quantity.kind == "most":
        return Most(path, thing, quantity.descending)
    return Counted(path, thing, quantity.operator, quantity.number)


def loosely(noun: Noun, word: str) -> tuple[Limit, ...]:
    """A noun, with those that "and" and "or" add, as limits that wait for a label."""
    if noun.either:
        return (AnyOf(tuple((Loose(t, word),) for t in (noun.thing, *noun.either))),)
    if exceeds(noun):
        return (Loose(noun.thing, word, noun.quantity, other=noun.also[0]),)
    kind = any(name == "c_label" for name, _ in noun.features)
    first = Loose(noun.thing, word, noun.quantity, apart=kind and word in BESIDE, kind_said=kind)
    return (first, *(Loose(t, word) for t in noun.also))


def exceeds(noun: Noun) -> bool:
    """Whether a noun is counted against what stands behind "than"."""
    return noun.quantity is not None and noun.quantity.kind == "exceeds" and bool(noun.also)


def _at_all(quantity: Quantity) -> bool:
    """Whether one at all is enough: "at least one"."""
    least = {Operator.GE: 1, Operator.GT: 0}.get(quantity.operator)
    return quantity.kind == "number" and quantity.number == least


def of_values(noun: Noun, limits: tuple[Limit, ...]) -> tuple[Limit, ...]:
    """Limits said of values, as limits of the things that have them: so many have it."""
    return tuple(_of_value(noun.thing.label, x) for x in limits)


def _of_value(label: str, limit: Limit) -> Limit:
    if not isinstance(limit, Loose) or limit.quantity is None or limit.thing.label not in ("", label):
        return limit
    if limit.negated or limit.other or limit.quantity.kind not in ("number", "most"):
        return limit
    return quantified((), Thing(label, limit.thing.limits), limit.quantity)
