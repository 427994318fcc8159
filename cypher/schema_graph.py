"""The schema as a graph: paths between entity types, and the roles that types and attributes play."""

from __future__ import annotations

from dataclasses import dataclass

from schemas.graph_schema import AttributeType, EntityType, GraphSchema, RelationType

MAX_HOPS = 3
VALUE, LIMIT, SUPERSEDED, UNIT, COLUMN = "value", "limit", "superseded_by", "unit", "column"
LEVEL, AVERAGE, RECOMMENDED = "confidence_level", "average", "pdg_value"
TITLE = "title"
TEXT = "text"
"""Behind the name of a number: as printed."""
SHORT_NAME = "document_id"
"""Attribute with the name by which people cite a document, shown in place of an identifier."""


@dataclass(frozen=True, slots=True)
class Hop:
    """One step of a path; ``forward`` goes from subject to object."""

    relation: str
    forward: bool
    target: str


def hops_from(schema: GraphSchema, entity_type: str) -> tuple[Hop, ...]:
    """Every step that leaves an entity type, in the schema's order."""
    hops: list[Hop] = []
    for relation in schema.relations:
        if entity_type in relation.subjects:
            hops.extend(Hop(relation.name, True, target) for target in relation.objects)
        if entity_type in relation.objects:
            hops.extend(Hop(relation.name, False, source) for source in relation.subjects)
    return tuple(dict.fromkeys(hops))


def paths(schema: GraphSchema, start: str, end: str) -> tuple[tuple[Hop, ...], ...]:
    """All shortest paths of at most ``MAX_HOPS`` steps between two entity types; empty without any."""
    frontier: list[tuple[str, tuple[Hop, ...]]] = [(start, ())]
    for _ in range(MAX_HOPS):
        frontier = [(hop.target, (*path, hop)) for at, path in frontier for hop in hops_from(schema, at)]
        found = tuple(path for at, path in frontier if at == end)
        if found:
            return found
    return ()


def attribute(owner: EntityType | RelationType, name: str) -> AttributeType | None:
    """The owner's attribute of that name, if it has one."""
    return next((a for a in owner.attributes if a.name == name), None)


def valued_relation(schema: GraphSchema) -> RelationType | None:
    """The first relation with a numeric ``value``: its statements are measurements."""
    for relation in schema.relations:
        found = attribute(relation, VALUE)
        if found is not None and found.type in {"number", "integer"}:
            return relation
    return None


def year_attribute(schema: GraphSchema) -> tuple[str, str] | None:
    """(entity type, attribute) that holds a year."""
    for entity in schema.entities:
        for candidate in entity.attributes:
            if candidate.type == "integer" and "year" in (candidate.name, *candidate.verbalisations):
                return entity.name, candidate.name
    return None


def strength_attributes(relation: RelationType) -> tuple[str, ...]:
    """Attributes that order statements by strength: rankings (1 first), then sizes (largest first)."""
    ranks = [a.name for a in relation.attributes if a.type == "integer" and a.derived]
    sizes = [a.name for a in relation.attributes if a.type == "number" and not a.derived]
    return (*ranks, *sizes)


def error_attributes(relation: RelationType) -> frozenset[str]:
    """Names of the error attributes that a valued relation declares."""
    names = {f"{kind}_{side}" for kind in ("stat", "syst", "total") for side in ("plus", "minus")}
    return frozenset(a.name for a in relation.attributes if a.name in names)


def central_error(relation: RelationType) -> str:
    """The error by which a valued relation tells that a value was measured; empty where it declares none.

    The first of the total and the statistical one that there is.
    """
    declared = error_attributes(relation)
    return next((n for n in ("total_plus", "stat_plus") if n in declared), "")


def shown_attributes(entity: EntityType) -> tuple[str, ...]:
    """The columns of a list: the first three declared attributes, years before texts.

    A type with short names shows its first identifier as well.
    """
    first = sorted(entity.attributes[:3], key=lambda a: a.type != "integer")
    declared = {a.name for a in entity.attributes}
    ids = [i for i in entity.canonicalization.identity[:1] if SHORT_NAME in declared and i in declared]
    return tuple(dict.fromkeys([*(a.name for a in first), *ids]))
