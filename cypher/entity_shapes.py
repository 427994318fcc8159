"""Shapes that ask for entities and their connections."""

from __future__ import annotations

from cypher import form as f
from cypher.constraints import builder, constrain, flags, only_of
from cypher.schema_graph import LIMIT, attribute, hops_from, strength_attributes, valued_relation
from cypher.slots import Slots
from cypher.words import Cue
from schemas.graph_schema import GraphSchema


def entities(schema: GraphSchema, slots: Slots, pick: int) -> f.Form | None:
    """Which papers determine X; which decays contain K+; all methods."""
    root = slots.types[0] if slots.types else _asked_for(schema, slots)
    if not root or (slots.statement and not slots.entities) or slots.group or slots.number:
        return None
    if Cue.SHARE in slots.cues and (len(slots.entities) < 2 or any(e.type == root for e in slots.entities)):
        return None
    if any(e.type == root for e in slots.entities):
        return None
    b = builder(schema, slots, root, pick)
    valued = valued_relation(schema)
    if valued is not None and valued.name in _owners(slots):
        hop = next((h for h in hops_from(schema, root) if h.relation == valued.name), None)
        if hop is None:
            return None
        b.follow("n0", hop)
    constrain(b, slots)
    if valued is not None:
        flags(b, slots, valued)
    if not b.edges:
        return b.form("with_attribute" if b.conditions else "all_of_type", f.Entities("n0"))
    if not slots.types:
        return b.form("implied", f.Entities("n0"))
    far = any("n0" not in (e.start, e.end) for e in b.edges)
    return b.form("connected" if far else "related", f.Entities("n0"))


def _owners(slots: Slots) -> set[str]:
    return {a.owner for a in slots.attributes} | {v.word.owner for v in slots.values}


def _asked_for(schema: GraphSchema, slots: Slots) -> str:
    """The type at the other end of a named relation: "what affects X" asks for sources.

    Of measurements only what a document measures: "what measures X" would leave open what is meant.
    """
    valued = valued_relation(schema)
    for word, _ in slots.relations:
        relation = schema.relation(word.relation)
        ends = (relation.subjects, relation.objects)
        for known, asked in (ends, ends[::-1]):
            others = [t for t in asked if t not in known]
            asks = relation != valued or known == relation.subjects
            if asks and others and any(e.type in known for e in slots.entities):
                return others[0]
    return ""


def strongest(schema: GraphSchema, slots: Slots, pick: int) -> f.Form | None:
    """Which uncertainty sources affect X most."""
    valued = valued_relation(schema)
    root = slots.types[0] if slots.types else _asked_for(schema, slots)
    if (
        not root
        or len(slots.types) > 1
        or not slots.entities
        or slots.attributes
        or (slots.statement and not slots.entities)
    ):
        return None
    b = builder(schema, slots, root, pick)
    constrain(b, slots)
    for edge in b.edges:
        relation = schema.relation(edge.relation)
        near = "n0" in (edge.start, edge.end) and bool({edge.start, edge.end} & b.anchored)
        if near and strength_attributes(relation) and relation != valued:
            return b.form("strongest", f.Statements(edge.var, f.Order.STRONGEST, limit=slots.number))
    return None


def top(schema: GraphSchema, slots: Slots, pick: int) -> f.Form | None:
    """Which uncertainty sources affect the most observables."""
    valued = valued_relation(schema)
    if (
        not slots.types
        or len(set(slots.types)) > 2
        or slots.attributes
        or any(e.type == slots.types[0] for e in slots.entities)
    ):
        return None
    root = slots.types[0]
    b = builder(schema, slots, root, pick)
    others = [t for t in slots.types if t != root]
    if slots.statement and valued is not None:
        counted_type = valued.subjects[0]
    elif others:
        counted_type = others[0]
    else:
        hinted = [h for h in hops_from(schema, root) if h.relation in b.hints]
        hops = hinted or (list(hops_from(schema, root)) if Cue.FREQUENT in slots.cues else [])
        if not hops or slots.entities:
            return None
        counted_type = hops[0].target
    counted = b.reach(counted_type)
    if slots.statement and valued is not None:
        counted = b.owner(valued.name)
    constrain(b, slots)
    if any(c.var == counted and _is_one_thing(c) for c in b.conditions):
        return None
    name = "most_frequent" if Cue.FREQUENT in slots.cues else "most_connected"
    return b.form(name, f.Top("n0", counted, slots.number))


def _is_one_thing(condition: f.Condition) -> bool:
    """Whether it leaves one named thing, of which nothing has more than one."""
    named = condition.attribute == "id" and isinstance(condition.value, tuple)
    return named and len(condition.value) == 1  # type: ignore[arg-type]


def sharing(schema: GraphSchema, slots: Slots, pick: int) -> f.Form | None:
    """Which observables share a decay with X."""
    if (
        len(slots.entities) != 1
        or slots.attributes
        or slots.group
        or slots.number
        or slots.years
        or slots.values
    ):
        return None
    known = slots.entities[0]
    between = [t for t in dict.fromkeys(slots.types) if t != known.type]
    if len(between) != 1 or slots.types[0] != known.type or slots.statement:
        return None
    b = builder(schema, slots, known.type, pick)
    path = b.path("n0", between[0])
    if len(path) != 1:
        return None
    middle = b.add("n0", path[0])
    other = b.add(middle, type(path[0])(path[0].relation, not path[0].forward, known.type))
    b.conditions.append(f.Condition(other, "id", f.Op.ONE_OF, (known.id,), f"'{known.name}'"))
    b.different.append(("n0", other))
    return b.form("sharing", f.Entities("n0"))


def only_limits(schema: GraphSchema, slots: Slots, pick: int) -> f.Form | None:
    """Which decays have only limits."""
    valued = valued_relation(schema)
    named = [a for a in slots.attributes if a.attribute == LIMIT]
    if (
        valued is None
        or attribute(valued, LIMIT) is None
        or not slots.types
        or slots.statement
        or slots.group
    ):
        return None
    limits = bool(named) or any(v.word.attribute == LIMIT for v in slots.values)
    if (
        not limits
        or not only_of(slots, [valued.name])
        or any(v.word.attribute == LIMIT for v in slots.values)
    ):
        return None
    b = builder(schema, slots, slots.types[0], pick)
    object_var = b.reach(valued.objects[0])
    hop = next(h for h in hops_from(schema, valued.objects[0]) if h.relation == valued.name and not h.forward)
    b.follow(object_var, hop)
    constrain(b, slots)
    return b.form("only_limits", f.AllHave("n0", b.owner(valued.name), LIMIT))


def check(schema: GraphSchema, slots: Slots, pick: int) -> f.Form | None:
    """Does paper P determine X."""
    if (
        not slots.yes_no
        or slots.types
        or not slots.entities
        or slots.group
        or slots.number
        or slots.attributes
    ):
        return None
    b = builder(schema, slots, slots.entities[0].type, pick)
    constrain(b, slots)
    hinted = [h for r, _ in slots.relations for h in hops_from(schema, b.root) if h.relation == r.relation]
    if not b.edges and hinted:
        b.follow("n0", hinted[0])
    return b.form("check", f.Statements(b.edges[0].var)) if b.edges else None
