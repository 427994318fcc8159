"""Shapes that ask for measured values."""

from __future__ import annotations

from collections.abc import Callable

from cypher import form as f
from cypher.builder import Builder
from cypher.constraints import builder, constrain, flags, names_object, only_of
from cypher.schema_graph import (
    LIMIT,
    SUPERSEDED,
    VALUE,
    attribute,
    error_attributes,
    hops_from,
    paths,
    valued_relation,
    year_attribute,
)
from cypher.slots import Slots
from schemas.graph_schema import GraphSchema, RelationType

_UPPER, _LOWER = "upper", "lower"
Build = Callable[[GraphSchema, Slots, int], f.Form | None]


def around_values(schema: GraphSchema, slots: Slots, pick: int) -> tuple[Builder, RelationType] | None:
    """A pattern around the statements of the valued relation, edge r0 from n1 to n0; None if not meant.

    Several named entities of a type are alternatives: values of "X and Y" are those of X and those of Y.
    """
    valued = valued_relation(schema)
    if valued is None:
        return None
    object_type, subject_type = valued.objects[0], valued.subjects[0]
    if any(
        t not in (object_type, subject_type) and not _reachable(schema, object_type, t) for t in slots.types
    ):
        return None
    b = builder(schema, slots, object_type, pick)
    hop = next(h for h in hops_from(schema, object_type) if h.relation == valued.name and not h.forward)
    b.follow("n0", hop)
    constrain(b, slots, either=True)
    flags(b, slots, valued)
    if not only_of(slots, [valued.name]):
        return None
    return b, valued


def _reachable(schema: GraphSchema, start: str, end: str) -> bool:
    return start == end or bool(paths(schema, start, end))


def _about_values(schema: GraphSchema, slots: Slots) -> bool:
    """Whether statements are asked for: by noun, by an attribute of theirs, or by nothing but an object."""
    valued = valued_relation(schema)
    if valued is None or slots.group:
        return False
    named = slots.statement or any(a.owner == valued.name for a in slots.attributes)
    named = named or any(v.word.owner == valued.name for v in slots.values)
    replaced = slots.replacer is not None and bool(slots.replacer.ids)
    constrained = bool(slots.entities or slots.values or slots.years or slots.attributes or replaced)
    named = named or (replaced and not slots.types)
    bare = not slots.types and names_object(schema, slots) and not slots.attributes
    return (constrained and not slots.types and named) or bare


def values(schema: GraphSchema, slots: Slots, pick: int) -> f.Form | None:
    """The values of X; limits on X; replaced values of X."""
    if not _about_values(schema, slots) or slots.yes_no or slots.number:
        return None
    built = around_values(schema, slots, pick)
    if built is None:
        return None
    attributes = {c.attribute for c in built[0].conditions if not c.optional}
    name = "limits" if LIMIT in attributes else "superseded" if SUPERSEDED in attributes else "values"
    return built[0].form(name, f.Statements("r0"))


def dated(order: f.Order, name: str) -> Build:
    def build(schema: GraphSchema, slots: Slots, pick: int) -> f.Form | None:
        year, valued = year_attribute(schema), valued_relation(schema)
        if year is None or valued is None or not names_object(schema, slots) or slots.number:
            return None
        if any(t not in valued.objects for t in slots.types):
            return None
        built = around_values(schema, slots, pick)
        if built is None:
            return None
        return built[0].form(name, f.Statements("r0", order, only_first=order is not f.Order.PLAIN))

    return build


def precise(schema: GraphSchema, slots: Slots, pick: int) -> f.Form | None:
    """The most precise measurement of X."""
    valued = valued_relation(schema)
    if valued is None or not error_attributes(valued) or not names_object(schema, slots) or slots.number:
        return None
    built = around_values(schema, slots, pick)
    if built is None:
        return None
    b, _ = built
    set_already = {c.attribute for c in b.conditions}
    if LIMIT in set_already:
        return None
    for name in (LIMIT, SUPERSEDED):
        if attribute(valued, name) is not None and name not in set_already:
            b.set_or_not(valued.name, name, f.Op.UNKNOWN, optional=True)
    return b.form("most_precise", f.Precise("r0"))


def tightest(schema: GraphSchema, slots: Slots, pick: int) -> f.Form | None:
    """The strongest limit on X: the lowest upper one, or the highest lower one where "lower" is said."""
    valued = valued_relation(schema)
    if valued is None or attribute(valued, LIMIT) is None or not names_object(schema, slots) or slots.number:
        return None
    kinds = {v.word.value for v in slots.values if v.word.attribute == LIMIT}
    named = any(a.attribute == LIMIT for a in slots.attributes)
    built = around_values(schema, slots, pick) if named or kinds else None
    if built is None or not kinds <= {_UPPER, _LOWER} or len(kinds) > 1:
        return None
    b, _ = built
    if not kinds:
        b.conditions = [c for c in b.conditions if c.attribute != LIMIT]
        b.conditions.append(f.Condition(b.owner(valued.name), LIMIT, f.Op.IS, _UPPER, f"'{_UPPER}'"))
    b.set_or_not(valued.name, VALUE, f.Op.KNOWN, optional=True)
    return b.form("tightest", f.Tightest("r0", lower=_LOWER in kinds))
