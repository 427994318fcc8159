"""Conditions told of the very relationship that a thing is tied by: "(who) trades with Ann at a fee of 5"."""

from __future__ import annotations

from dataclasses import replace

from cypher.semantics.chart.forms import Counted, Limit, Linked, Most, Ranked, Thing, Told, reverse
from cypher.semantics.schema_paths import Step
from schemas.store_schema import StoreSchema


def retold(thing: Thing, limits: tuple[Limit, ...], schema: StoreSchema) -> tuple[Limit, ...]:
    """The limits, where a property of a relationship that nobody named is that of the one named.

    Types with one property of a name are many, and a condition may be made for another of them.
    """
    steps = [x.path[0] for x in thing.limits if isinstance(x, Linked) and x.path]
    out: list[Limit] = []
    for limit in limits:
        out.append(_retold(limit, steps, schema) if steps else limit)
        steps += [x.step for x in out[-1:] if isinstance(x, Told) and x.step not in steps]
    return tuple(out)


def drawn_in(thing: Thing, limits: tuple[Limit, ...]) -> tuple[Limit, ...]:
    """The limits, where what no word ties is what a thing is called after: "wardens who work for guilds".

    >>> from cypher.semantics.chart.forms import Has
    >>> from cypher.semantics.ir import Operator
    >>> led = Linked((Step("LED_BY", False, "Guild"),), Thing("Guild"))
    >>> funded = Linked((Step("FUNDED_BY", False, "Guild"),), Thing("Guild", (Has("size", Operator.GT, 4),)))
    >>> [x.path[0].type for x in drawn_in(Thing("Person", (led,)), (funded,)) if isinstance(x, Linked)]
    ['LED_BY']
    """
    own = {x.thing.label: x.path for x in thing.limits if isinstance(x, Linked) and not x.thing.limits}
    return tuple(
        replace(x, path=own[x.thing.label]) if isinstance(x, Linked) and x.thing.label in own else x
        for x in limits
    )


def told_of_counted(thing: Thing) -> Thing:
    """The thing, where what is told of a relationship is told of those that are counted.

    Who is the skipper "of more than two boats" is so of each of them.

    >>> from cypher.semantics.chart.forms import Has
    >>> from cypher.semantics.ir import Operator
    >>> step = Step("SAILED", True, "Boat")
    >>> skipper = Told(step, Has("duty", Operator.EQ, "skipper"))
    >>> found = told_of_counted(Thing("Sailor", (skipper, Counted((step,), Thing("Boat"), Operator.GT, 2))))
    >>> [type(x).__name__ for x in found.limits], [type(x).__name__ for x in found.limits[0].thing.limits]
    (['Counted'], ['Told'])
    """
    out = list(thing.limits)
    for told in [x for x in thing.limits if isinstance(x, Told)]:
        counted = [x for x in out if isinstance(x, (Counted, Most)) and x.path == (told.step,)]
        tied = any(isinstance(x, Linked) and x.path[:1] == (told.step,) for x in out)
        if len(counted) == 1 and not tied:
            inner = Told(reverse(counted[0].path, thing.label)[0], told.has)
            out[out.index(counted[0])] = replace(counted[0], thing=counted[0].thing.plus(inner))
            out.remove(told)
    return replace(thing, limits=tuple(out))


def _retold(limit: Limit, steps: list[Step], schema: StoreSchema) -> Limit:
    if isinstance(limit, Told):
        step = _one(limit.step, limit.has.name, steps, schema)
        return replace(limit, step=step) if step else limit
    if isinstance(limit, Ranked) and limit.wanted.step and not limit.wanted.path:
        step = _one(limit.wanted.step, limit.wanted.name, steps, schema)
        return replace(limit, wanted=replace(limit.wanted, label=step.type, step=step)) if step else limit
    return limit


def _one(told: Step, name: str, steps: list[Step], schema: StoreSchema) -> Step | None:
    """The only relationship of the thing that has the property, where the one told of is none of its own."""
    if any(set(told.types) & set(step.types) for step in steps):
        return None
    holding = [step for step in steps if _holds(schema, step, name)]
    return holding[0] if len(holding) == 1 else None


def _holds(schema: StoreSchema, step: Step, name: str) -> bool:
    found = schema.relation(step.type)
    return found is not None and any(x.name == name for x in found.properties)
