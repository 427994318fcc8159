"""Facts of different documents about one entity that cannot all be right.

Two values for one observable are normal and no conflict; two charges, or two values of an attribute that the
schema calls functional, are. Nothing is dropped: conflicts are listed, and people decide.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import combinations

from schemas.graph_schema import AttributeType, EntityType, GraphSchema, RelationType
from schemas.graphs import CanonicalGraph, Entity, Record, Statement
from schemas.ids import EntityId, RecordId
from schemas.language.names import normalise_name
from schemas.language.units import canonical_unit, unit_scale
from schemas.language.vetoes import vetoed
from schemas.model import AttributeValue
from schemas.review import Claim, FactConflict

Attributes = Mapping[str, AttributeValue]
MOST_NAMES = 200
"""Distinct names of one entity that are compared with one another, the most frequent first."""


def find_conflicts(graph: CanonicalGraph, schema: GraphSchema) -> tuple[FactConflict, ...]:
    """All conflicts, sorted by type, entity and what they are about.

    Compared are functional attributes of entities and relations, and the names of an entity's records
    under the type's vetoes. Numbers with units (an attribute ``NAME_unit`` or ``unit`` beside them) are
    compared in one unit, so that 1500 fs and 1.5 ps agree, and two units of one dimension are no conflict.
    Statements and records of one document never conflict with each other alone.
    """
    records = {r.id: r for r in graph.records}
    found = [
        conflict
        for entity in graph.entities
        if len(entity.records) > 1
        for conflict in _entity_conflicts(entity, [records[r] for r in entity.records], schema)
    ]
    found += _relation_conflicts(graph, schema)
    return tuple(sorted(found, key=lambda c: (c.type, c.entity, c.kind, c.about, c.object or "")))


def is_functional(attribute: AttributeType, *, of_entity: bool) -> bool:
    """Whether one thing has one value of the attribute, as the schema says or by default.

    >>> is_functional(AttributeType(name="charge", type="integer"), of_entity=True)
    True
    >>> is_functional(AttributeType(name="title"), of_entity=True)
    False
    """
    if attribute.functional is not None:
        return attribute.functional
    plain = attribute.type in ("integer", "number", "boolean") or bool(attribute.enum)
    return of_entity and plain and not attribute.derived


def _entity_conflicts(
    entity: Entity, records: Sequence[Record], schema: GraphSchema
) -> Iterator[FactConflict]:
    kind = schema.entity(entity.type)
    make = partial(FactConflict, type=entity.type, entity=entity.id, name=entity.name)
    for attribute in kind.attributes:
        if is_functional(attribute, of_entity=True):
            listed = _differing([(r.document, str(r.id), r.attributes) for r in records], attribute.name)
            if listed:
                yield make(kind="attribute", about=attribute.name, claims=listed)
    for rule, claims_of in _name_conflicts(kind, records).items():
        yield make(kind="name", about=rule, claims=claims_of)


def _name_conflicts(kind: EntityType, records: Sequence[Record]) -> dict[str, tuple[Claim, ...]]:
    """Veto -> the names that it tells apart, with the documents that write them."""
    vetoes = kind.canonicalization.symbol_vetoes or (("charge",) if kind.notation else ())
    holders: dict[str, list[Record]] = defaultdict(list)
    for record in records:
        holders[record.name].append(record)
    if len(holders) < 2 or not vetoes:
        return {}
    names = sorted(holders, key=lambda n: (-len(holders[n]), n))[:MOST_NAMES]
    apart: dict[str, set[str]] = defaultdict(set)
    for left, right in combinations(names, 2):
        rule = vetoed(left, right, vetoes)
        documents = {r.document for n in (left, right) for r in holders[n]}
        if rule and len(documents) > 1:
            apart[rule] |= {left, right}
    return {
        rule: tuple(
            Claim(document=r.document, item=str(r.id), value=name)
            for name in sorted(told)
            for r in sorted(holders[name], key=lambda r: (r.document, r.id))
        )
        for rule, told in apart.items()
    }


def _relation_conflicts(graph: CanonicalGraph, schema: GraphSchema) -> Iterator[FactConflict]:
    watched = {r.name: names for r in schema.relations if (names := _functional_names(r))}
    if not watched:
        return
    owner = graph.entity_of()
    named = {e.id: e for e in graph.entities}
    for (subject, relation, target), statements in _by_ends(graph.statements, owner, watched).items():
        for name in watched[relation]:
            listed = _differing([(s.document, str(s.id), s.attributes) for s in statements], name)
            if listed:
                yield FactConflict(
                    kind="relation",
                    type=relation,
                    entity=subject,
                    name=named[subject].name,
                    about=name,
                    object=target,
                    object_name=named[target].name,
                    claims=listed,
                )


def _functional_names(relation: RelationType) -> tuple[str, ...]:
    return tuple(a.name for a in relation.attributes if is_functional(a, of_entity=False))


def _by_ends(
    statements: Iterable[Statement], owner: Mapping[RecordId, EntityId], watched: Mapping[str, object]
) -> dict[tuple[EntityId, str, EntityId], list[Statement]]:
    found: dict[tuple[EntityId, str, EntityId], list[Statement]] = defaultdict(list)
    for s in statements:
        if s.type in watched:
            found[owner[s.subject], s.type, owner[s.object]].append(s)
    return found


def _differing(stated: Sequence[tuple[str, str, Attributes]], name: str) -> tuple[Claim, ...]:
    """The claims on an attribute, when at least two documents give different values; else nothing."""
    claims = [(document, item, told) for document, item, told in stated if name in told]
    claims.sort(key=lambda c: (_text(c[2][name]), c[0], c[1]))
    units = [_unit_of(name, told) for _, _, told in claims]
    by_value: dict[object, set[str]] = defaultdict(set)
    for (document, _, told), unit in zip(claims, units, strict=True):
        value = told[name]
        by_value[_measured(value, unit) if all(units) else _compared(name, value)].add(document)
    if len(by_value) < 2 or len(set().union(*by_value.values())) < 2:
        return ()
    return tuple(
        Claim(document=document, item=item, value=f"{_text(told[name])} {unit}".strip())
        for (document, item, told), unit in zip(claims, units, strict=True)
    )


def _unit_of(name: str, told: Attributes) -> str:
    """The unit that is stated beside a number; empty for texts, and where none is."""
    value = told[name]
    if isinstance(value, bool) or not isinstance(value, int | float):
        return ""
    unit = told.get(f"{name}_unit", told.get("unit"))
    return unit.strip() if isinstance(unit, str) else ""


def _measured(value: AttributeValue, unit: str) -> object:
    """A number in the base unit of its dimension, and the dimension; in its own unit if that is unknown."""
    scale = unit_scale(unit)
    if scale is None or not isinstance(value, int | float):
        return canonical_unit(unit), _comparable(value)
    return scale[0], _comparable(value * scale[1])


def _compared(name: str, value: AttributeValue) -> object:
    """A value as it is compared; of a unit what it measures, as another unit of it says no other thing."""
    if isinstance(value, str) and (name == "unit" or name.endswith("_unit")):
        scale = unit_scale(value)
        return canonical_unit(value) if scale is None else scale[0]
    return _comparable(value)


def _comparable(value: AttributeValue) -> object:
    """Equal for values that say the same: numbers to nine digits, texts in their normal form."""
    if isinstance(value, bool):
        return value
    if isinstance(value, int | float):
        return float(f"{value:.9g}")
    if isinstance(value, str):
        return normalise_name(value, case_sensitive=False)
    return tuple(sorted(normalise_name(v, case_sensitive=False) for v in value))


def _text(value: AttributeValue) -> str:
    return ", ".join(value) if isinstance(value, tuple) else str(value)
