"""JSON Schema (2020-12) of a DocumentGraph file, in general or under one graph schema."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from schemas.graph_schema import AttributeType, GraphSchema
from schemas.graphs import DocumentGraph

DIALECT = "https://json-schema.org/draft/2020-12/schema"
_TYPES: Mapping[str, Mapping[str, Any]] = {
    "string": {"type": "string"},
    "integer": {"type": "integer"},
    "number": {"type": "number"},
    "boolean": {"type": "boolean"},
    "strings": {"type": "array", "items": {"type": "string"}},
}


def graph_file_json_schema(schema: GraphSchema | None = None) -> dict[str, Any]:
    """JSON Schema of a DocumentGraph file, for editors and for readers of a published graph.

    With ``schema`` only its types, relations and attributes are allowed. What JSON Schema cannot say is
    checked by the program alone: that the ends of a statement exist and have the right types, that quotes
    are in the text, that numbers are in the quotes, that strings match an attribute's pattern.

    >>> from schemas.schema_files import load_schema
    >>> made = graph_file_json_schema(load_schema("logbook"))
    >>> "fault" in made["$defs"]["Record"]["properties"]["type"]["enum"]
    True
    """
    made = {"$schema": DIALECT, **copy.deepcopy(_general())}
    if schema is None:
        return made
    made["title"] = f"DocumentGraph under {schema.name} {schema.version}"
    made["properties"]["schema_name"] = {"const": schema.name}
    made["properties"]["schema_version"] = {"const": schema.version}
    _restrict(made["$defs"]["Record"], {e.name: e.attributes for e in schema.entities})
    _restrict(made["$defs"]["Statement"], {r.name: r.attributes for r in schema.relations})
    return made


@cache
def _general() -> dict[str, Any]:
    return DocumentGraph.model_json_schema()


def _restrict(item: dict[str, Any], kinds: Mapping[str, Sequence[AttributeType]]) -> None:
    """Only these types, each with its own attributes."""
    item["properties"]["type"] = {**item["properties"]["type"], "enum": list(kinds)}
    item["allOf"] = [
        {
            "if": {"properties": {"type": {"const": name}}},
            "then": {"properties": {"attributes": _attributes(attributes)}},
        }
        for name, attributes in kinds.items()
    ]


def _attributes(attributes: Sequence[AttributeType]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {a.name: _attribute(a) for a in attributes},
        "additionalProperties": False,
    }


def _attribute(attribute: AttributeType) -> dict[str, Any]:
    made = dict(_TYPES[attribute.type])
    if attribute.description:
        made["description"] = attribute.description
    if attribute.enum:
        (made["items"] if attribute.type == "strings" else made)["enum"] = list(attribute.enum)
    return made
