"""Whether a form honours everything that a reading holds: what it leaves out would be answered wrongly."""

from __future__ import annotations

from cypher import form as f
from cypher.schema_graph import LIMIT, SUPERSEDED, shown_attributes, valued_relation
from cypher.schema_words import AttributeWord
from cypher.slots import Slots
from schemas.graph_schema import GraphSchema

_PRINTED = frozenset({"value", "value_text"})
"""Attributes of a statement that asking for the statement means already ("gives a value of")."""


def uses_everything(found: f.Form, slots: Slots, schema: GraphSchema) -> bool:
    """True if every type, name, value, year, attribute, relation and number of the reading is in the form."""
    return (
        _types(found, slots)
        and _named(found, slots)
        and all(_attribute(found, a, schema) for a in slots.attributes)
        and _relations(found, slots)
        and _bounds(found, slots)
        and _replacer(found, slots)
        and slots.number in (0, getattr(found.head, "limit", 0))
    )


def _types(found: f.Form, slots: Slots) -> bool:
    return set(slots.types) <= {n.type for n in found.nodes}


def _named(found: f.Form, slots: Slots) -> bool:
    """Entities, values and years are conditions."""
    given: set[object] = set()
    for c in found.conditions:
        given.update(c.value if isinstance(c.value, tuple) else (c.value,))
    wanted = [e.id for e in slots.entities]
    wanted += [v for value in slots.values for v in (value.alternatives or (value.word.value,))]
    years = [y for span in slots.years for y in (span.listed or (span.first, span.last)) if y is not None]
    return all(w in given for w in (*wanted, *years))


def _bounds(found: f.Form, slots: Slots) -> bool:
    """Every number that values are compared with is a condition."""
    given = {(c.attribute, c.op, c.shown) for c in found.conditions}
    return all((b.attribute, b.op, b.shown) in given for b in slots.bounds)


def _replacer(found: f.Form, slots: Slots) -> bool:
    """The document that replaced values is a condition, or what the answer lists."""
    if slots.replacer is None:
        return True
    if not slots.replacer.ids:
        return isinstance(found.head, f.CountBy) and found.head.attribute == SUPERSEDED
    return any(c.op is f.Op.NAMES and c.value == slots.replacer.ids for c in found.conditions)


def _relations(found: f.Form, slots: Slots) -> bool:
    used = {e.relation for e in found.edges}
    return all(soft or word.relation in used for word, soft in slots.relations)


def _attribute(found: f.Form, word: AttributeWord, schema: GraphSchema) -> bool:
    """An attribute is a condition, or is shown."""
    owners = {n.var: n.type for n in found.nodes} | {e.var: e.relation for e in found.edges}
    conditions = {(owners[c.var], name) for c in found.conditions for name in (c.attribute, c.otherwise)}
    return (word.owner, word.attribute) in conditions or _shown(found, word, owners, schema)


def _shown(found: f.Form, word: AttributeWord, owners: dict[str, str], schema: GraphSchema) -> bool:
    match found.head:
        case f.Entities(var):
            own = word.owner == owners[var] and word.attribute in shown_attributes(schema.entity(word.owner))
            return own or _is_printed(word, schema)
        case f.AttributesOf(var, attributes):
            return word.owner == owners[var] and word.attribute in attributes
        case f.Statements(edge) | f.Precise(edge) | f.Tightest(edge):
            return word.owner == owners[edge] and word.attribute not in (LIMIT, SUPERSEDED)
        case f.CountBy(_, by, attribute):
            return (word.owner == owners[by] and word.attribute == attribute) or _is_printed(word, schema)
        case f.AllHave(_, edge, attribute):
            return word.owner == owners[edge] and word.attribute == attribute
        case _:
            return _is_printed(word, schema)


def _is_printed(word: AttributeWord, schema: GraphSchema) -> bool:
    valued = valued_relation(schema)
    return valued is not None and word.owner == valued.name and word.attribute in _PRINTED
