"""What only the whole question tells of a reading: sums of amounts, who has been something longest, names."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from cypher.semantics.ir import Filter, Head, Measure, Operator, PropertyRef, Query
from cypher.semantics.lexicon import DATED_WORDS
from cypher.semantics.mentions import Linked
from cypher.semantics.numbered import APART, names_amount
from cypher.semantics.text import identifier_words
from schemas.store_schema import PropertyType, StoreSchema

_NUMERIC: Final = (PropertyType.INTEGER, PropertyType.FLOAT)
_LONG: Final = {"longest": False, "shortest": True}
"""Whether the latest of days or years is meant by a length of time since then."""
_SINCE: Final = DATED_WORDS - {"time"}
"""Words of properties that say since when: a running time is no day."""
_EARLY: Final = 4
"""Words in which what is asked for stands."""


def completed(linked: Linked, query: Query, schema: StoreSchema) -> Query:
    """The reading, where it counts amounts, ranks by years or returns what was told, as it is meant."""
    words = tuple(w.lower for w in linked.words)
    query = _held(_summed(words, query, schema), schema)
    return _told_apart(words, _named(linked, _since(words, query)))


def _held(query: Query, schema: StoreSchema) -> Query:
    """ "How many penalties", where a flag tells of each whether it is one; "how many allergies", a list's."""
    ref = query.measured
    if query.head is not Head.COUNT or ref is None or not ref.name or query.keys or query.measures:
        return query
    if ref.many:
        return replace(query, head=Head.AGGREGATE, measure=Measure.SUM, measured=replace(ref, sized=True))
    if _type(query, ref, schema) is not PropertyType.BOOLEAN:
        return query
    kept = tuple(f for f in query.filters if f.ref != ref or f.operator is not Operator.KNOWN)
    things = PropertyRef(ref.owner, "", on_edge=ref.on_edge)
    return replace(query, filters=(*kept, Filter(ref, Operator.EQ, True)), measured=things)


def _summed(words: tuple[str, ...], query: Query, schema: StoreSchema) -> Query:
    """ "How many hours does Ann work": the hours, not how many different numbers of them there are."""
    ref = query.measured
    if query.head is not Head.COUNT or ref is None or APART & set(words):
        return query
    dated = DATED_WORDS & set(identifier_words(ref.name))
    if dated or not names_amount(ref.name) or _type(query, ref, schema) not in _NUMERIC:
        return query
    return replace(query, head=Head.AGGREGATE, measure=Measure.SUM)


def _type(query: Query, ref: PropertyRef, schema: StoreSchema) -> PropertyType | None:
    """The type of a property as the schema has it."""
    if ref.on_edge:
        kinds = query.edges[ref.owner].types if ref.owner < len(query.edges) else ()
        owned = [p for x in schema.relations if x.type in kinds for p in x.properties]
    else:
        label = schema.label(query.nodes[ref.owner].label)
        owned = list(label.properties) if label else []
    return next((p.type for p in owned if p.name == ref.name), None)


def _since(words: tuple[str, ...], query: Query) -> Query:
    """ "Who has been qualified the longest": since the earliest year."""
    order = query.order
    said = next((x for x in words if x in _LONG), "")
    if not said or order is None or order.ref is None or order.measure or order.count_of is not None:
        return query
    if not _SINCE & set(identifier_words(order.ref.name)):
        return query
    return replace(query, order=replace(order, descending=_LONG[said]))


def _named(linked: Linked, query: Query) -> Query:
    """ "Which vets specialise in surgery": the vets, where all that is returned is what was told."""
    told = [f.ref for f in query.filters if f.operator in (Operator.EQ, Operator.IN)]
    if query.head is not Head.LIST or len(query.project) != 1 or query.project[0] not in told:
        return query
    label = query.nodes[query.answer].label
    asked = (m for m in linked.mentions if m.start < _EARLY)
    if query.project[0].owner != query.answer or not any(
        t.kind == "label" and t.name == label for m in asked for t in m.terms
    ):
        return query
    return replace(query, project=())


def _told_apart(words: tuple[str, ...], query: Query) -> Query:
    """ "The taglines of The Matrix and Top Gun": each with its name, else nobody knows whose it is."""
    owners = {(r.owner, r.on_edge) for r in query.project}
    if query.head is not Head.LIST or query.pooled or len(owners) != 1 or "and" not in words or "or" in words:
        return query
    several = (f for f in query.filters if (f.ref.owner, f.ref.on_edge) in owners)
    named = [f.ref for f in several if f.operator is Operator.IN and _is_all_text(f.value)]
    if len(named) != 1 or named[0].many or named[0] in query.project:
        return query
    return replace(query, project=(named[0], *query.project))


def _is_all_text(value: object) -> bool:
    return isinstance(value, tuple) and all(isinstance(v, str) for v in value)
