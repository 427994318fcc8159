"""Things told of the one place that something has: "raids in Lund at a quay" are at a quay in Lund."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import Final

from cypher.semantics.chart.forms import Limit, Linked, Thing
from cypher.semantics.schema_paths import Step
from schemas.store_schema import StoreSchema

NEARLY_EACH: Final = 0.9
"""Least share of the things of a label that have such a relationship, where each is taken to have one."""


def gathered(thing: Thing, schema: StoreSchema) -> Thing:
    """The thing, with ways that begin with one relationship, of which it has only one, made one way.

    >>> from schemas.store_schema import StoreLabel, StoreTriple
    >>> labels = tuple(StoreLabel(name=x, count=9) for x in ("Raid", "Berth", "Port"))
    >>> hit, part = ("Raid", "HIT", "Berth"), ("Berth", "PART_OF", "Port")
    >>> triples = tuple(StoreTriple(start=a, type=t, end=b, count=9) for a, t, b in (hit, part))
    >>> schema = StoreSchema(labels=labels, triples=triples)
    >>> first, second = Step("HIT", True, "Berth"), Step("PART_OF", True, "Port")
    >>> raid = Thing("Raid", (Linked((first, second), Thing("Port")), Linked((first,), Thing("Berth"))))
    >>> [len(x.path) for x in gathered(raid, schema).limits if isinstance(x, Linked)]
    [1]
    """
    limits = tuple(
        replace(x, thing=gathered(x.thing, schema)) if isinstance(x, Linked) else x for x in thing.limits
    )
    ways: dict[Step, list[Linked]] = defaultdict(list)
    for limit in limits:
        if isinstance(limit, Linked) and limit.path and _has_one(thing.label, limit.path[0], schema):
            ways[limit.path[0]].append(limit)
    shared = {step: found for step, found in ways.items() if _is_one(found)}
    if not shared:
        return Thing(thing.label, limits)
    out: list[Limit] = []
    for limit in limits:
        step = limit.path[0] if isinstance(limit, Linked) and limit.path else None
        if step not in shared:
            out.append(limit)
        elif limit is shared[step][0]:
            inner = tuple(x for way in shared[step] for x in _rest(way))
            out.append(Linked((step,), gathered(Thing(step.to, tuple(dict.fromkeys(inner))), schema)))
    return Thing(thing.label, tuple(out))


def _is_one(ways: list[Linked]) -> bool:
    """Whether one way is told of the nearest thing and the others only pass it."""
    return len(ways) > 1 and sum(len(x.path) == 1 for x in ways) == 1


def _rest(way: Linked) -> tuple[Limit, ...]:
    return way.thing.limits if len(way.path) == 1 else (Linked(way.path[1:], way.thing),)


def _has_one(label: str, step: Step, schema: StoreSchema) -> bool:
    """Whether nearly each thing of a label has one such relationship, as far as their numbers tell."""
    ends = (label, step.to) if step.forward else (step.to, label)
    found = schema.label(label)
    number = sum(x.count for x in schema.triples if (x.type, x.start, x.end) == (step.type, *ends))
    return found is not None and NEARLY_EACH * found.count <= number <= found.count and number > 0
