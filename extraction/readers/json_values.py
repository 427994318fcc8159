"""Parses JSON sources and takes typed values out of them, with errors that name the place."""

from __future__ import annotations

from typing import Any, TypeAlias

from schemas.errors import ReadError

JsonObject: TypeAlias = dict[str, Any]


def parse_object(text: str, *, file: str, line: int = 1) -> JsonObject:
    """A JSON object; ``line`` is where ``text`` begins in the file. Raises ``ReadError``."""
    import orjson

    try:
        value = orjson.loads(text)
    except orjson.JSONDecodeError as e:
        raise ReadError(
            f"expected JSON, found: {e.msg} at column {e.colno}", file=file, line=line + e.lineno - 1
        ) from e
    if not isinstance(value, dict):
        raise ReadError(f"expected a JSON object, found {kind_of(value)}", file=file, line=line)
    return value


def kind_of(value: object) -> str:
    """What JSON calls a value.

    >>> kind_of([1]), kind_of(None), kind_of(1.5)
    ('an array', 'null', 'a number')
    """
    names = {dict: "an object", list: "an array", str: "a string", bool: "a truth value"}
    return "null" if value is None else names.get(type(value), "a number")


def text_of(record: JsonObject, key: str, *, file: str, line: int) -> str:
    """A string or number under ``key``; empty where it is absent or null. ``ReadError`` for other kinds."""
    value = record.get(key)
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    raise ReadError(f"expected a string under {key!r}, found {kind_of(value)}", file=file, line=line)


def objects_of(record: JsonObject, key: str, *, file: str) -> list[JsonObject]:
    """The objects in the array under ``key``; empty where it is absent or null."""
    value = record.get(key)
    if value is None:
        return []
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        raise ReadError(f"expected an array of objects under {key!r}, found {kind_of(value)}", file=file)
    return value


def object_of(record: JsonObject, key: str, *, file: str) -> JsonObject:
    """The object under ``key``; empty where it is absent or null."""
    value = record.get(key)
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise ReadError(f"expected an object under {key!r}, found {kind_of(value)}", file=file)
    return value
