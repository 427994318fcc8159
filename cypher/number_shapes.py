"""Shapes that ask for numbers of things, and for values side by side."""

from __future__ import annotations

from cypher import form as f
from cypher.builder import Builder
from cypher.constraints import builder, constrain, flags, only_of
from cypher.schema_graph import SUPERSEDED, attribute, hops_from, valued_relation, year_attribute
from cypher.schema_words import TypeWord
from cypher.slots import Slots
from cypher.value_shapes import around_values
from cypher.words import Cue
from schemas.graph_schema import GraphSchema


def count(schema: GraphSchema, slots: Slots, pick: int) -> f.Form | None:
    """How many papers determine X; how many measurements of X."""
    if slots.group or (slots.attributes and not _statements_only(schema, slots)) or slots.number:
        return None
    valued = valued_relation(schema)
    if _is_of_values_alone(slots):
        return None
    if _counts_statements(slots) and valued is not None:
        built = around_values(schema, slots, pick)
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


def _is_of_values_alone(slots: Slots) -> bool:
    """ "How many B mesons are there": what is counted is no kind of thing that the graph has."""
    named = slots.statement or slots.types or slots.entities or slots.relations
    return bool(slots.values) and not named


def _statements_only(schema: GraphSchema, slots: Slots) -> bool:
    valued = valued_relation(schema)
    return valued is not None and only_of(slots, [valued.name])


def _counted(schema: GraphSchema, slots: Slots, pick: int, *, statements: bool) -> tuple[Builder, str] | None:
    """The pattern and the variable that is counted: measurements, else entities of the type asked for."""
    if statements and valued_relation(schema) is not None:
        built = around_values(schema, slots, pick)
        return (built[0], "r0") if built else None
    if not slots.types or any(e.type == slots.types[0] for e in slots.entities):
        return None
    b = builder(schema, slots, slots.types[0], pick)
    constrain(b, slots)
    return b, "n0"


def count_by(schema: GraphSchema, slots: Slots, pick: int) -> f.Form | None:
    """How many measurements of X by year; how many papers for each experiment."""
    if slots.group is None or slots.attributes or slots.number:
        return None
    found = _counted(schema, slots, pick, statements=_counts_statements(slots))
    if found is None:
        return None
    b, counted = found
    if isinstance(slots.group, TypeWord):
        by = b.reach(slots.group.type)
        return None if by == counted else b.form("count_by", f.CountBy(counted, by))
    by = b.owner(slots.group.owner)
    return b.form("count_by", f.CountBy(counted, by, slots.group.attribute))


def top_year(schema: GraphSchema, slots: Slots, pick: int) -> f.Form | None:
    """Which year had the most papers; or the most measurements of X."""
    year = year_attribute(schema)
    if year is None or slots.group or slots.number or slots.attributes or slots.years:
        return None
    found = _counted(schema, slots, pick, statements=slots.statement)
    if found is None:
        return None
    b, counted = found
    return b.form("top_year", f.CountBy(counted, b.reach(year[0]), year[1], most_first=True))


def compare(schema: GraphSchema, slots: Slots, pick: int) -> f.Form | None:
    """Compare the number of measurements of X and Y."""
    kinds = {e.type for e in slots.entities}
    if len(slots.entities) < 2 or len(kinds) != 1 or slots.attributes or slots.group or slots.number:
        return None
    by_type = slots.entities[0].type
    counted_types = [t for t in slots.types if t != by_type]
    if counted_types and not slots.cues & {Cue.COMPARE, Cue.MORE}:
        return None
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


def side_by_side(schema: GraphSchema, slots: Slots, pick: int) -> f.Form | None:
    """Compare X and Y: the values of each that no later paper replaced, newest first."""
    valued = valued_relation(schema)
    if valued is None or len(slots.entities) < 2 or slots.group or slots.number:
        return None
    if any(e.type not in valued.objects for e in slots.entities) or set(slots.types) - set(valued.objects):
        return None
    built = around_values(schema, slots, pick)
    if built is None:
        return None
    b, _ = built
    if attribute(valued, SUPERSEDED) is not None:
        b.set_or_not(valued.name, SUPERSEDED, f.Op.UNKNOWN, optional=True)
    names = tuple(e.name for e in slots.entities)
    return b.form("side_by_side", f.Statements("r0", f.Order.BY_OBJECT, expected=names))
