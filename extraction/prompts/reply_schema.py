"""What a model is asked for: the types of each stage, told in words and as JSON Schema.

Made from the graph schema alone. Stage one takes the document's own type and all types that relations
lead to from it (paper -> observable -> decay); stage two takes the rest (uncertainty sources, methods).
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from schemas.graph_schema import AttributeType, EntityType, GraphSchema, RelationType

DOCUMENT_REF = "document"
_JSON_TYPES = {"string": "string", "integer": "integer", "number": "number", "boolean": "boolean"}
_KNOWN_OF_DOCUMENT = frozenset({"title", "year", "experiment"})
"""Attributes that a document's metadata give, so a model is not asked for them."""


@dataclass(frozen=True, slots=True)
class Stage:
    """The types that one stage asks for."""

    name: str
    document: EntityType | None
    """The document's own type, where this stage describes it."""
    entities: tuple[EntityType, ...]
    relations: tuple[RelationType, ...]


def stages(schema: GraphSchema) -> tuple[Stage, Stage]:
    """Stage one (abstract) and stage two (passages)."""
    own = schema.document_type
    first = _reachable(schema) if own else {e.name for e in schema.entities}
    second = {e.name for e in schema.entities} - first or first - {own}
    return (
        Stage(
            "abstract",
            schema.entity(own) if own else None,
            tuple(e for e in schema.entities if e.name in first and e.name != own),
            tuple(r for r in schema.relations if _joins(r, first, first)),
        ),
        Stage(
            "passages",
            None,
            tuple(e for e in schema.entities if e.name in second),
            tuple(r for r in schema.relations if _joins(r, second, first | second)),
        ),
    )


def asked_attributes(entity: EntityType) -> tuple[AttributeType, ...]:
    """What a model may fill in: nothing derived, and no identifier (a wrong one would merge entities)."""
    identity = entity.canonicalization.identity
    return tuple(a for a in entity.attributes if not a.derived and a.name not in identity)


def document_attributes(entity: EntityType) -> tuple[AttributeType, ...]:
    """What a model is asked about the document: closed questions only, the metadata know the rest."""
    asked = [a for a in asked_attributes(entity) if a.name not in _KNOWN_OF_DOCUMENT]
    return tuple(a for a in asked if a.enum) or tuple(asked)


def reply_schema(stage: Stage) -> str:
    """JSON Schema of a stage's reply: explanation first, every property required, nothing else allowed."""
    properties: dict[str, Any] = {"explanation": {"type": "string"}}
    if stage.document is not None:
        own = {a.name: _attribute(a) for a in document_attributes(stage.document)}
        properties[DOCUMENT_REF] = _object({"attributes": _object(own), "quotes": _strings()})
    properties["entities"] = _object({e.name: _array(_entity(e)) for e in stage.entities})
    properties["relations"] = _object({r.name: _array(_relation(r)) for r in stage.relations})
    return json.dumps(_object(properties), ensure_ascii=False, separators=(",", ":"))


def describe_stage(stage: Stage) -> str:
    """The stage's types in words, for the prompt."""
    lines = []
    if stage.document is not None:
        lines.append(f"The document (ref `{DOCUMENT_REF}`, type {stage.document.name}):")
        lines += [_told(a) for a in document_attributes(stage.document)]
    lines.append("Entity types:")
    for entity in stage.entities:
        lines.append(f"- {entity.name}: {entity.description}")
        lines += [_told(a) for a in asked_attributes(entity)]
    lines.append("Relations (subject -> object):")
    for relation in stage.relations:
        ends = f"{' or '.join(relation.subjects)} -> {' or '.join(relation.objects)}"
        lines.append(f"- {relation.name}: {ends}: {relation.description}")
        lines += [_told(a) for a in relation.attributes]
    return "\n".join(lines)


def _reachable(schema: GraphSchema) -> set[str]:
    found = {schema.document_type or ""}
    while True:
        more = {o for r in schema.relations if found & set(r.subjects) for o in r.objects} - found
        if not more:
            return found
        found |= more


def _joins(relation: RelationType, new: set[str], allowed: set[str]) -> bool:
    ends = {*relation.subjects, *relation.objects}
    return (
        bool(ends & new) and bool(set(relation.subjects) & allowed) and bool(set(relation.objects) & allowed)
    )


def _told(attribute: AttributeType) -> str:
    kind = " | ".join(attribute.enum) if attribute.enum else attribute.type
    return f"    - {attribute.name} ({kind}): {attribute.description or attribute.name}"


def _entity(entity: EntityType) -> dict[str, Any]:
    attributes = {a.name: _attribute(a) for a in asked_attributes(entity)}
    texts: dict[str, Any] = {name: {"type": "string"} for name in ("ref", "name", "description")}
    return _object({**texts, "aliases": _strings(), "attributes": _object(attributes), "quotes": _strings()})


def _relation(relation: RelationType) -> dict[str, Any]:
    attributes = {a.name: _attribute(a) for a in relation.attributes}
    texts: dict[str, Any] = {name: {"type": "string"} for name in ("subject", "object")}
    return _object({**texts, "attributes": _object(attributes), "quotes": _strings()})


def _attribute(attribute: AttributeType) -> dict[str, Any]:
    if attribute.enum:
        return {"type": ["string", "null"], "enum": [*attribute.enum, None]}
    if attribute.type == "strings":
        return {"type": ["array", "null"], "items": {"type": "string"}}
    return {"type": [_JSON_TYPES[attribute.type], "null"]}


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _array(items: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": items}


def _strings() -> dict[str, Any]:
    return _array({"type": "string"})
