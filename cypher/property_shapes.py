"""Shapes that ask for attributes: of one entity, over many entities, or by age."""

from __future__ import annotations

from cypher import form as f
from cypher.constraints import builder, constrain, names_object, only_of
from cypher.schema_graph import AVERAGE, RECOMMENDED, SUPERSEDED, attribute, year_attribute
from cypher.slots import Slots
from cypher.value_shapes import Build, around_values
from cypher.words import Cue
from schemas.graph_schema import EntityType, GraphSchema


def attribute_of(schema: GraphSchema, slots: Slots, pick: int) -> f.Form | None:
    """The title of paper P."""
    if (
        len(slots.entities) != 1
        or slots.types
        or slots.values
        or slots.years
        or slots.statement
        or slots.group
    ):
        return None
    entity = slots.entities[0]
    wanted = [a.attribute for a in slots.attributes]
    year = year_attribute(schema)
    if Cue.WHEN in slots.cues and year is not None and year[0] == entity.type:
        wanted.append(year[1])
    if not wanted or not only_of(slots, [entity.type]) or slots.relations:
        return None
    declared = schema.entity(entity.type)
    asked = tuple(dict.fromkeys(wanted))
    wanted += [other for name in asked if (other := _other(declared, name))]
    parts = {f"{w}_{part}" for w in wanted for part in ("text", "unit", "kind")}
    extra = [a.name for a in declared.attributes if a.name in parts]
    b = builder(schema, slots, entity.type, pick)
    b.anchor((entity,))
    for name in asked:
        b.set_or_not(entity.type, name, f.Op.KNOWN, otherwise=_other(declared, name))
    return b.form("attribute", f.AttributesOf("n0", tuple(dict.fromkeys([*wanted, *extra]))))


def _other(declared: EntityType, name: str) -> str:
    """What serves as well: beside an average the recommended value, and a limit, which is printed only."""
    other = RECOMMENDED if name == AVERAGE else f"{name}_text"
    return other if attribute(declared, other) is not None else ""


def describe(schema: GraphSchema, slots: Slots, pick: int) -> f.Form | None:
    """What is decay D."""
    lonely = not (slots.types or slots.values or slots.years or slots.attributes or slots.relations)
    if (
        len(slots.entities) != 1
        or not lonely
        or slots.statement
        or slots.group
        or names_object(schema, slots)
    ):
        return None
    entity = slots.entities[0]
    b = builder(schema, slots, entity.type, pick)
    b.anchor((entity,))
    names = tuple(a.name for a in schema.entity(entity.type).attributes)
    return b.form("describe", f.AttributesOf("n0", names))


def attribute_values(schema: GraphSchema, slots: Slots, pick: int) -> f.Form | None:
    """Which experiments measured X: the values of an attribute, with the number of entities of each."""
    owners = {e.name: e for e in schema.entities}
    if slots.types or len(slots.attributes) != 1 or slots.group or slots.number:
        return None
    word = slots.attributes[0]
    declared = attribute(owners[word.owner], word.attribute) if word.owner in owners else None
    named = any(e.type == word.owner for e in slots.entities)
    if declared is None or declared.type not in {"string", "integer", "strings"} or named:
        return None
    members = declared.type == "strings"
    b = builder(schema, slots, word.owner, pick)
    constrain(b, slots)
    b.conditions.append(f.Condition("n0", word.attribute, f.Op.KNOWN))
    return b.form("attribute_values", f.CountBy("n0", "n0", word.attribute, most_first=True, members=members))


def replaced_by(schema: GraphSchema, slots: Slots, pick: int) -> f.Form | None:
    """Which papers superseded P: what the statements of P, or those on a quantity, say replaced them."""
    if slots.replacer is None or slots.replacer.ids or slots.group or slots.number:
        return None
    built = around_values(schema, slots, pick)
    if built is None:
        return None
    b, valued = built
    edge = b.owner(valued.name)
    b.set_or_not(valued.name, SUPERSEDED, f.Op.KNOWN)
    return b.form("replaced_by", f.CountBy(edge, edge, SUPERSEDED, most_first=True))


def dated_entities(order: f.Order, name: str) -> Build:
    """The newest or oldest entities of a type that has a year."""

    def build(schema: GraphSchema, slots: Slots, pick: int) -> f.Form | None:
        year = year_attribute(schema)
        if year is None or not slots.types or slots.types[0] != year[0] or slots.statement or slots.group:
            return None
        if slots.number or slots.attributes or any(e.type == year[0] for e in slots.entities):
            return None
        b = builder(schema, slots, year[0], pick)
        constrain(b, slots)
        return b.form(name, f.Entities("n0", order, only_first=True))

    return build
