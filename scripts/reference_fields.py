"""What a value may be, in words, and the fields of a request: parts of the reference pages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from pydantic.fields import FieldInfo


def cell(text: str) -> str:
    """Text for one cell of a Markdown table."""
    return " ".join(text.split()).replace("|", "\\|").replace("``", "`")


def _number(value: float) -> str:
    return f"{int(value):,}" if float(value).is_integer() else f"{value:g}"


def between(
    least: float | None = None,
    most: float | None = None,
    *,
    above: float | None = None,
    below: float | None = None,
) -> str:
    """The numbers that are allowed; empty where all are.

    >>> between(1, 1000), between(most=60.0, above=0.0), between(0), between()
    ('1 to 1,000', 'above 0, at most 60', 'at least 0', '')
    """
    if least is not None and most is not None:
        return f"{_number(least)} to {_number(most)}"
    words = (("at least", least), ("above", above), ("at most", most), ("below", below))
    return ", ".join(f"{word} {_number(value)}" for word, value in words if value is not None)


def of_field(schema: Mapping[str, Any]) -> str:
    """What a field of a JSON Schema allows: its words, its numbers, or the length of its text.

    >>> of_field({"type": "string", "minLength": 1, "maxLength": 2000})
    '1 to 2,000 characters'
    """
    if options := schema.get("enum"):
        return ", ".join(f"`{x}`" for x in options)
    length = between(schema.get("minLength"), schema.get("maxLength"))
    numbers = between(
        schema.get("minimum"),
        schema.get("maximum"),
        above=schema.get("exclusiveMinimum"),
        below=schema.get("exclusiveMaximum"),
    )
    return f"{length} characters" if length else numbers


def of_setting(info: FieldInfo) -> str:
    """What a field of a model allows."""
    known = {name: value for rule in info.metadata for name, value in _rules(rule)}
    length = between(known.get("min_length"), known.get("max_length"))
    numbers = between(known.get("ge"), known.get("le"), above=known.get("gt"), below=known.get("lt"))
    return f"length {length}" if length else numbers


def _rules(rule: object) -> list[tuple[str, float]]:
    names = ("ge", "gt", "le", "lt", "min_length", "max_length")
    return [(name, value) for name in names if (value := getattr(rule, name, None)) is not None]


def of_parameter(parameter: Any) -> str:
    """What an option or argument of a command allows."""
    return between(getattr(parameter, "min", None), getattr(parameter, "max", None))


def operation_fields(operation: Mapping[str, Any], known: Mapping[str, Any]) -> str:
    """The table of what an operation of the OpenAPI description takes; empty where it takes nothing.

    ``known`` are the schemas of the description by name.
    """
    body = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema")
    if body:
        schema = known[_named(body)]
        return _table(schema["properties"], schema.get("required", ()), known)
    given = [p for p in operation.get("parameters", ()) if p["in"] == "query"]
    fields = {p["name"]: {"description": p.get("description", ""), **p["schema"]} for p in given}
    return _table(fields, [p["name"] for p in given if p["required"]], known) if given else ""


def _table(fields: Mapping[str, Any], required: Iterable[str], known: Mapping[str, Any]) -> str:
    rows = "\n".join(
        f"| `{name}` | {'yes' if name in required else ''} | "
        f"{'`' + str(field['default']) + '`' if 'default' in field else ''} | "
        f"{_allowed(field, known)} | {cell(field.get('description', ''))} |"
        for name, field in fields.items()
    )
    return f"\n| field | required | default | allowed | meaning |\n|---|---|---|---|---|\n{rows}\n"


def _named(schema: Mapping[str, Any]) -> str:
    return str(schema["$ref"]).rsplit("/", 1)[-1]


def _allowed(field: Mapping[str, Any], known: Mapping[str, Any]) -> str:
    """What a field allows, by its own words or those of the schema that it names."""
    kinds = [field, *field.get("anyOf", ())]
    return next((x for k in kinds if (x := of_field(known[_named(k)] if "$ref" in k else k))), "")
