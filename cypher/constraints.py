"""What the shapes share: every named entity, value, year and type becomes part of the pattern."""

from __future__ import annotations

from collections.abc import Sequence

from cypher import form as f
from cypher.bounds import Bound
from cypher.builder import Builder, NoPathError
from cypher.schema_graph import (
    LIMIT,
    SUPERSEDED,
    VALUE,
    attribute,
    hops_from,
    valued_relation,
)
from cypher.schema_words import ReplacerWord
from cypher.slots import Slots
from cypher.words import Cue
from schemas.graph_schema import GraphSchema, RelationType
from schemas.questions import EntityMatch


def builder(schema: GraphSchema, slots: Slots, root: str, pick: int) -> Builder:
    return Builder(schema, root, frozenset(r.relation for r, _ in slots.relations), pick)


def constrain(
    b: Builder, slots: Slots, entities: Sequence[EntityMatch] | None = None, *, either: bool = False
) -> None:
    """Puts every named entity, value, year and type on the pattern.

    ``either``: entities of one type are alternatives, as they are after "or".
    """
    left = list(slots.entities if entities is None else entities)
    if either or Cue.OR in slots.cues or Cue.COMPARE in slots.cues:
        for entity_type in dict.fromkeys(e.type for e in left):
            b.anchor(tuple(e for e in left if e.type == entity_type))
    else:
        for entity in left:
            b.anchor((entity,))
    for entity_type in slots.types:
        b.reach(entity_type)
    for value in slots.values:
        b.value(value.word, value.alternatives, absent=value.absent)
    for year in slots.years:
        b.year(year)
    for bound in slots.bounds:
        _compare(b, bound)
    if slots.replacer is not None and slots.replacer.ids:
        _replaced(b, slots.replacer)


def _replaced(b: Builder, replacer: ReplacerWord) -> None:
    """The values that a document replaced."""
    var = b.owner(_measured(b, SUPERSEDED).name)
    shown = f"'{replacer.text}'"
    b.conditions.append(f.Condition(var, SUPERSEDED, f.Op.NAMES, replacer.ids, shown))


def _measured(b: Builder, name: str) -> RelationType:
    """The valued relation, which has the attribute ``name``, with a statement of it on the pattern."""
    valued = valued_relation(b.schema)
    if valued is None or attribute(valued, name) is None:
        raise NoPathError(f"no relation has {name}")
    if all(e.relation != valued.name for e in b.edges) and b.root in (*valued.subjects, *valued.objects):
        b.follow("n0", next(h for h in hops_from(b.schema, b.root) if h.relation == valued.name))
    return valued


def _compare(b: Builder, bound: Bound) -> None:
    """A measured value against a number; of limits only the levels are compared."""
    valued = _measured(b, bound.attribute)
    var = b.owner(valued.name)
    units = bound.scaled if bound.unit else ()
    b.conditions.append(f.Condition(var, bound.attribute, bound.op, bound.number, bound.shown, units=units))
    given = {c.attribute for c in b.conditions if c.var == var}
    if bound.attribute == VALUE and LIMIT not in given and attribute(valued, LIMIT) is not None:
        b.set_or_not(valued.name, LIMIT, f.Op.UNKNOWN, optional=True)


def flags(b: Builder, slots: Slots, valued: RelationType) -> None:
    """Attributes of statements that are named without a value: limits, replaced values."""
    given = {v.word.attribute for v in slots.values}
    for word in slots.attributes:
        if (
            word.owner == valued.name
            and word.attribute in {LIMIT, SUPERSEDED}
            and word.attribute not in given
        ):
            b.set_or_not(word.owner, word.attribute, f.Op.KNOWN)


def only_of(slots: Slots, owners: Sequence[str]) -> bool:
    return all(a.owner in owners for a in slots.attributes)


def names_object(schema: GraphSchema, slots: Slots) -> bool:
    valued = valued_relation(schema)
    if valued is None:
        return False
    objects = valued.objects
    return any(e.type in objects for e in slots.entities) or any(
        v.word.owner in objects for v in slots.values
    )
