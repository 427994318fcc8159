"""What limits of a thing say together: implied ones, merged ones, the one number asked for."""

from __future__ import annotations

import re
from dataclasses import replace

from cypher.semantics.chart.forms import (
    AnyOf,
    Asked,
    Counted,
    Denied,
    Each,
    Extreme,
    Features,
    Has,
    Limit,
    Linked,
    Loose,
    LooseNumber,
    Noun,
    Thing,
    Told,
)
from cypher.semantics.ir import Head, Operator
from cypher.semantics.lexicon import Words
from cypher.semantics.schema_paths import Path

_DAY = re.compile(r"\d{4}-\d\d-\d\d")
"""Days are compared as the property holds them, so one by one."""


def is_day(limits: tuple[Limit, ...]) -> bool:
    """Whether nothing but days is said, or years."""
    for limit in limits:
        if isinstance(limit, AnyOf):
            if not all(is_day(some) for some in limit.options):
                return False
        elif not isinstance(limit, LooseNumber) or limit.hint != "date" or limit.thing or limit.unit:
            return False
    return bool(limits)


def is_flagged(limits: tuple[Limit, ...]) -> bool:
    """Whether a word that says yes or no is among them, of which nobody knows since when it is so."""
    return any(isinstance(x, Has) and isinstance(x.value, bool) for x in limits)


def goes_without_saying(thing: Thing, limits: tuple[Limit, ...]) -> bool:
    """Whether a limit says only that what has one value has not another: "a Ford but not a Seat"."""
    told = {x.name for x in thing.limits if isinstance(x, Has) and x.operator is Operator.EQ}
    denied = [y for x in limits if isinstance(x, Denied) for y in x.limits]
    return any(isinstance(y, Has) and y.operator is Operator.EQ and y.name in told for y in denied)


def contradicts(thing: Thing, limits: tuple[Limit, ...]) -> bool:
    """Whether a limit says another value of a property than the thing has.

    >>> ann, ben = (Has("name", Operator.EQ, x) for x in ("Ann", "Ben"))
    >>> contradicts(Thing("Person", (ann,)), (ben,))
    True
    """
    told = {x.name: x.value for x in thing.limits if isinstance(x, Has) and x.operator is Operator.EQ}
    equal = (x for x in limits if isinstance(x, Has) and x.operator is Operator.EQ)
    return any(x.name in told and told[x.name] != x.value for x in equal)


def unmarked(thing: Thing) -> Thing:
    """The thing without the marks of what is spoken of, at any depth of plain ties."""
    kept = (x for x in thing.limits if not isinstance(x, Each))
    inner = (replace(x, thing=unmarked(x.thing)) if isinstance(x, Linked) else x for x in kept)
    return Thing(thing.label, tuple(inner))


def without(thing: Thing, limit: Limit) -> Thing:
    """The thing without one of its limits."""
    return Thing(thing.label, tuple(x for x in thing.limits if x is not limit))


def without_bare(thing: Thing, path: Path) -> Thing:
    """The thing without "has one at all" where a number of the same is told."""
    bare = (x for x in thing.limits if isinstance(x, Linked) and x.path == path and not x.thing.limits)
    return Thing(thing.label, tuple(x for x in thing.limits if x not in set(bare)))


def counted_alone(asked: Asked, thing: Thing, best: Limit | None) -> Counted | None:
    """The one number of things that is asked for, so that it can be shown."""
    found = [x for x in thing.limits if isinstance(x, Counted)]
    plain = not any(w.path or w.step for w in asked.wanted)
    if asked.head is not Head.LIST or best is not None or asked.order is not None or not plain:
        return None
    if len(found) != 1 or found[0].number < 1:
        return None
    rising = found[0].operator in (Operator.GT, Operator.GE, Operator.EQ)
    return found[0] if rising or asked.pooled else None


def implied(limit: Limit, limits: tuple[Limit, ...]) -> bool:
    """Whether "has one at all" is said by a further limit that starts the same way."""
    if not isinstance(limit, Linked) or limit.thing.limits:
        return False
    size = len(limit.path)
    return any(
        isinstance(x, (Linked, Counted)) and x is not limit and x != limit and x.path[:size] == limit.path
        for x in limits
    )


def merged(limit: AnyOf) -> Limit | None:
    """ "M1 or M2" as one condition: values of one property, or things that differ in one value."""
    if not all(len(group) == 1 for group in limit.options):
        return None
    only = [group[0] for group in limit.options]
    first = only[0]
    if isinstance(first, Has):
        same = [x for x in only if isinstance(x, Has) and x.name == first.name]
        if len(same) < len(only) or any(x.operator not in (Operator.EQ, Operator.IN) for x in same):
            return None
        values = [v for x in same for v in (x.value if isinstance(x.value, tuple) else (x.value,))]
        if any(_DAY.fullmatch(str(v)) for v in values):
            return None
        return Has(first.name, Operator.IN, tuple(v for v in values if v is not None))
    if isinstance(first, Linked):
        linked = [x for x in only if isinstance(x, Linked) and x.path == first.path]
        if len(linked) < len(only) or len({x.thing.label for x in linked}) > 1:
            return None
        inner = merged(AnyOf(tuple(x.thing.limits for x in linked)))
        return Linked(first.path, Thing(first.thing.label, (inner,))) if inner else None
    return None


def alternatives(first: tuple[Limit, ...], other: tuple[Limit, ...]) -> tuple[Limit, ...]:
    """What "or" joins: the last of what was said before it, where that is said anew with another value.

    "Not M1 or M2" denies both values of a property.

    >>> kind, m1, m2 = (Has(n, Operator.EQ, v) for n, v in (("kind", "fire"), ("code", 1), ("code", 2)))
    >>> alternatives((Denied((m1,)),), (m2,)) == (Denied((m1,)), Denied((m2,)))
    True
    >>> alternatives((kind, m1), (m2,)) == (kind, AnyOf(((m1,), (m2,))))
    True
    """
    denied = first[0].limits[0] if len(first) == 1 and isinstance(first[0], Denied) else None
    again = other[0] if len(other) == 1 else None
    if isinstance(denied, Has) and isinstance(again, Has) and denied.name == again.name:
        return (*first, Denied((again,)))
    if len(first) > 1 and again is not None and _say_alike(first[-1], again):
        return (*first[:-1], AnyOf(((first[-1],), other)))
    return (AnyOf((first, other)),)


def said_instead(noun: Noun, limits: tuple[Limit, ...]) -> Thing:
    """The thing with these limits in place of those that its last modifier added."""
    before = (x for x in noun.thing.limits if x not in noun.last)
    return Thing(noun.thing.label, (*before, *limits))


def _say_alike(first: Limit, other: Limit) -> bool:
    """Whether two limits say the same of a thing with other values: "on 3 May or on 5 May"."""
    if isinstance(first, Has) and isinstance(other, Has):
        return (first.name, first.operator) == (other.name, other.operator)
    if isinstance(first, LooseNumber) and isinstance(other, LooseNumber):
        return (first.hint, first.operator) == (other.hint, other.operator)
    return False


def of_one_kind(limits: tuple[Limit, ...], label: str) -> tuple[Limit, ...]:
    """Several things of the label itself after "of", as any of them: "the ages of Ann and Ben"."""
    named = (isinstance(x, Loose) and x.thing.label == label and x.word == "of" for x in limits)
    if len(limits) < 2 or not all(named):
        return limits
    return (AnyOf(tuple((x,) for x in limits)),)


def one_head(noun: Noun, other: Noun) -> tuple[Limit, ...]:
    """Values before one noun, any of which it may have: "theft and arson crimes (at the harbour)"."""
    first = (noun.thing, *noun.also, *noun.either)
    alone = not (noun.bare or noun.named or noun.modified) and not any(
        x == "c_label" for x, _ in noun.features
    )
    if not (alone and other.bare) or other.named or other.modified:
        return ()
    told = [x.limits[0] for x in (*first, other.thing) if len(x.limits) == 1]
    values = [x for x in told if isinstance(x, Has) and x.operator in (Operator.EQ, Operator.IN)]
    same = len(values) == len(first) + 1 and len({x.name for x in values}) == 1
    return (AnyOf(tuple((x,) for x in values)),) if same else ()


def said_of_both(noun: Noun, other: Noun) -> bool:
    """Whether what stands behind a second value belongs to the whole: "of the kind A or B that lie in M1"."""
    if len(other.thing.limits) < 2:
        return False
    names = {limit.name for limit in noun.last or noun.thing.limits if isinstance(limit, Has)}
    again = [isinstance(limit, Has) and limit.name in names for limit in other.thing.limits]
    return any(again) and not all(again)  # two full names are two names


def goes_with(noun: Noun, other: Noun, *, again: bool, new: bool = False) -> bool:
    """Whether a noun phrase may be one more in a list behind another (``again``: and its preposition).

    Of what is ``new`` nothing has to be told: "a theft and another raid".
    """
    if other.quantity is not None or other.wanted or other.also or other.either:
        return False
    plain = all(isinstance(x, Has) for x in other.thing.limits)
    if (other.modified > noun.modified and not (plain or again)) or said_of_both(noun, other):
        return False
    told = bool(noun.thing.limits and (other.thing.limits or new))
    return other.thing.label == noun.thing.label and told


def listed(noun: Noun, other: Noun, *, again: bool) -> Features:
    """What is explained by a list that goes on with a noun phrase (``again``: and its preposition).

    A name goes with the name before it: in "people who know Ann or Ben" two are known, by first names both.
    """
    said: Features = (("c_list", 1.0 + again),)
    if noun.modified and not noun.named and other.named and not other.modified:
        return (*said, ("c_second", 1.0))
    values = [x.limits[0] for x in (noun.thing, other.thing) if len(x.limits) == 1]
    names = {x.name for x in values if isinstance(x, Has)}
    return (*said, ("c_second", 0.5)) if len(values) == len(names) == 2 else said


def kinds_of(limit: Limit) -> tuple[str, ...]:
    """Types of the one relationship that a limit tells of, if it does."""
    if isinstance(limit, Linked) and len(limit.path) == 1:
        return limit.path[0].types
    return limit.step.types if isinstance(limit, Told) else ()


def is_elsewhere(thing: Thing, told: Told) -> bool:
    """Whether the relationship that a condition tells of ties not the thing but one that it is told by.

    >>> from cypher.semantics.schema_paths import Step
    >>> reviewed = Linked((Step("REVIEWED", False, "Critic"),), Thing("Critic"))
    >>> made = Linked((Step("MADE", True, "Film"),), Thing("Film", (reviewed,)))
    >>> rated = Told(Step("REVIEWED", True, "Film"), Has("rating", Operator.GT, 4))
    >>> is_elsewhere(Thing("Critic", (made,)), rated)
    True
    """
    kinds = set(told.step.types)
    if any(kinds & set(kinds_of(x)) for x in thing.limits):
        return False
    return any(_has(x.thing, kinds) for x in thing.limits if isinstance(x, Linked))


def _has(thing: Thing, kinds: set[str]) -> bool:
    inner = [x for x in thing.limits if isinstance(x, Linked)]
    return any(kinds & set(kinds_of(x)) for x in inner) or any(_has(x.thing, kinds) for x in inner)


def within_day(best: Extreme, thing: Thing, words: Words) -> Extreme:
    """The first or last of one day is so by its time: "the latest call of 3 May"."""
    told = [x for x in thing.limits if isinstance(x, Has) and x.operator is Operator.EQ]
    one_day = any(x.name == best.name for x in told)
    own = [info for (owner, _), info in words.properties.items() if owner == thing.label]
    times = [info.name for info in own if info.time_text]
    days = [info for info in own if info.name == best.name and (info.day_text or info.iso_text)]
    return replace(best, name=times[0]) if one_day and days and times else best
