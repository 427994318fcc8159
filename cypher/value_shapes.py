"""Shapes that ask for measured values and for numbers of things."""

from __future__ import annotations

from collections.abc import Callable

from cypher import form as f
from cypher.builder import Builder
from cypher.constraints import builder, constrain, flags, names_object, only_of
from cypher.schema_graph import (
    LIMIT,
    SUPERSEDED,
    attribute,
    error_attributes,
    hops_from,
    paths,
    valued_relation,
    year_attribute,
)
from cypher.schema_words import TypeWord
from cypher.slots import Slots
from schemas.graph_schema import GraphSchema, RelationType

Build = Callable[[GraphSchema, Slots, int], f.Form | None]


def _valued(schema: GraphSchema, slots: Slots, pick: int) -> tuple[Builder, RelationType] | None:
    """A pattern around the statements of the valued relation, edge r0 from n1 to n0; None if not meant."""
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
    constrain(b, slots)
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
    constrained = bool(slots.entities or slots.values or slots.years or slots.attributes)
    bare = not slots.types and names_object(schema, slots) and not slots.attributes
    return (constrained and not slots.types and named) or bare


def values(schema: GraphSchema, slots: Slots, pick: int) -> f.Form | None:
    """The values of X; limits on X; replaced values of X."""
    if not _about_values(schema, slots) or slots.yes_no or slots.number:
        return None
    built = _valued(schema, slots, pick)
    if built is None:
        return None
    attributes = {c.attribute for c in built[0].conditions}
    name = "limits" if LIMIT in attributes else "superseded" if SUPERSEDED in attributes else "values"
    return built[0].form(name, f.Statements("r0"))


def dated(order: f.Order, name: str) -> Build:
    def build(schema: GraphSchema, slots: Slots, pick: int) -> f.Form | None:
        year, valued = year_attribute(schema), valued_relation(schema)
        if year is None or valued is None or not names_object(schema, slots) or slots.number:
            return None
        if any(t not in (*valued.subjects, *valued.objects) for t in slots.types):
            return None
        built = _valued(schema, slots, pick)
        if built is None:
            return None
        return built[0].form(name, f.Statements("r0", order, only_first=True))

    return build


def precise(schema: GraphSchema, slots: Slots, pick: int) -> f.Form | None:
    """The most precise measurement of X."""
    valued = valued_relation(schema)
    if valued is None or not error_attributes(valued) or not names_object(schema, slots) or slots.number:
        return None
    built = _valued(schema, slots, pick)
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


def count(schema: GraphSchema, slots: Slots, pick: int) -> f.Form | None:
    """How many papers determine X; how many measurements of X."""
    if slots.group or (slots.attributes and not _statements_only(schema, slots)) or slots.number:
        return None
    valued = valued_relation(schema)
    if _counts_statements(slots) and valued is not None:
        built = _valued(schema, slots, pick)
        return built[0].form("count_measurements", f.Count("r0")) if built else None
    if not slots.types or any(e.type == slots.types[0] for e in slots.entities):
        return None
    b = builder(schema, slots, slots.types[0], pick)
    constrain(b, slots)
    if valued is not None:
        flags(b, slots, valued)
    return b.form("count", f.Count("n0"))


def _counts_statements(slots: Slots) -> bool:
    """Whether measurements are counted: by their noun, or "how often was X measured"."""
    return slots.statement or not slots.types


def _statements_only(schema: GraphSchema, slots: Slots) -> bool:
    valued = valued_relation(schema)
    return valued is not None and only_of(slots, [valued.name])


def count_by(schema: GraphSchema, slots: Slots, pick: int) -> f.Form | None:
    """How many measurements of X by year; how many papers for each experiment."""
    if slots.group is None or slots.attributes or slots.number:
        return None
    valued = valued_relation(schema)
    if (slots.statement or not slots.types) and valued is not None:
        built = _valued(schema, slots, pick)
        if built is None:
            return None
        b, counted = built[0], "r0"
    elif slots.types and not any(e.type == slots.types[0] for e in slots.entities):
        b, counted = builder(schema, slots, slots.types[0], pick), "n0"
        constrain(b, slots)
    else:
        return None
    if isinstance(slots.group, TypeWord):
        by = b.reach(slots.group.type)
        return None if by == counted else b.form("count_by", f.CountBy(counted, by))
    by = b.owner(slots.group.owner)
    return b.form("count_by", f.CountBy(counted, by, slots.group.attribute))


def compare(schema: GraphSchema, slots: Slots, pick: int) -> f.Form | None:
    """Compare the number of measurements of X and Y."""
    kinds = {e.type for e in slots.entities}
    if len(slots.entities) < 2 or len(kinds) != 1 or slots.attributes or slots.group or slots.number:
        return None
    by_type = slots.entities[0].type
    counted_types = [t for t in slots.types if t != by_type]
    valued = valued_relation(schema)
    b = builder(schema, slots, by_type, pick)
    names = " and ".join(f"'{e.name}'" for e in slots.entities)
    ids = tuple(sorted(e.id for e in slots.entities))
    b.conditions.append(f.Condition("n0", "id", f.Op.ONE_OF, ids, names))
    b.anchored.add("n0")
    if counted_types:
        counted = b.reach(counted_types[0])
    elif valued is not None and by_type in (*valued.subjects, *valued.objects):
        b.follow("n0", next(h for h in hops_from(schema, by_type) if h.relation == valued.name))
        counted = b.owner(valued.name)
    else:
        return None
    constrain(b, slots, ())
    return b.form("compare", f.Compare(counted, "n0"))
