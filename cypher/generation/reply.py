"""A chat model's reply as a query. Nothing in it is trusted; what cannot be used is told as findings."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from schemas.findings import Finding
from schemas.prompts import one_line
from schemas.questions import Parameter, Scalar

LARGEST_REPLY: Final = 60_000
LONGEST_QUERY: Final = 8_000
MOST_PARAMETERS: Final = 40
MOST_ITEMS: Final = 200
LONGEST_VALUE: Final = 2_000
_NAME: Final = re.compile(r"^[A-Za-z_][A-Za-z0-9_]{0,40}$")
_RESERVED: Final = frozenset({"scope"})


@dataclass(frozen=True, slots=True)
class Reading:
    """Words of the question that the model says the schema calls ``term``."""

    words: str
    term: str


@dataclass(frozen=True, slots=True)
class Written:
    """A query as the model wrote it; ``answerable`` False when it says that the graph cannot tell."""

    answerable: bool
    query: str = ""
    parameters: Mapping[str, Parameter] | None = None
    explanation: str = ""
    readings: tuple[Reading, ...] = ()


class UnusableReplyError(Exception):
    """Why a reply cannot be used; never leaves this package."""

    def __init__(self, message: str) -> None:
        self.finding = Finding(code="SYN1", message=message)
        super().__init__(message)


def read_reply(text: str) -> Written:
    """The query of a reply; else ``UnusableReplyError``, which does not repeat the reply: it goes back.

    >>> read_reply('{"explanation": "x", "answerable": false, "query": ""}').answerable
    False
    """
    data = _object(text)
    if data.get("answerable") is False:
        return Written(False, explanation=_text(data, "explanation"))
    query = data.get("query")
    if not isinstance(query, str) or not query.strip():
        raise UnusableReplyError("expected a query under 'query', found none")
    if len(query) > LONGEST_QUERY:
        raise UnusableReplyError(
            f"expected a query of at most {LONGEST_QUERY} characters, found {len(query)}"
        )
    return Written(
        True,
        query.strip(),
        _parameters(data.get("parameters", [])),
        _text(data, "explanation"),
        _readings(data),
    )


def _object(text: str) -> Mapping[str, Any]:
    if len(text) > LARGEST_REPLY:
        raise UnusableReplyError(f"expected a reply of at most {LARGEST_REPLY} characters, found {len(text)}")
    start, end = text.find("{"), text.rfind("}")
    if start < 0 or end < start:
        raise UnusableReplyError("expected one JSON object, found none")
    try:
        data = json.loads(text[start : end + 1])
    except (ValueError, RecursionError) as e:
        raise UnusableReplyError("expected one JSON object, found text that is not valid JSON") from e
    if not isinstance(data, Mapping):
        raise UnusableReplyError("expected one JSON object, found another value")
    return data


def _parameters(found: object) -> dict[str, Parameter]:
    """Pairs of name and value; an object of values is read too."""
    if isinstance(found, Mapping):
        found = [{"name": k, "value": v} for k, v in found.items()]
    if not isinstance(found, list) or len(found) > MOST_PARAMETERS:
        raise UnusableReplyError(
            f"expected a list of at most {MOST_PARAMETERS} parameters under 'parameters'"
        )
    out: dict[str, Parameter] = {}
    for item in found:
        name = item.get("name") if isinstance(item, Mapping) else None
        name = name.removeprefix("$") if isinstance(name, str) else ""
        if not _NAME.match(name) or name in _RESERVED or name in out:
            raise UnusableReplyError("expected each parameter once, with a plain name other than 'scope'")
        out[name] = _value(item.get("value"), name)
    return out


def _value(value: object, name: str) -> Parameter:
    if isinstance(value, list):
        if len(value) > MOST_ITEMS:
            raise UnusableReplyError(f"parameter {name}: expected at most {MOST_ITEMS} items")
        return tuple(_scalar(v, name) for v in value)
    return _scalar(value, name)


def _scalar(value: object, name: str) -> Scalar:
    if isinstance(value, str) and len(value) <= LONGEST_VALUE:
        return value
    if isinstance(value, bool) or (isinstance(value, int) and abs(value) < 2**53):
        return value
    if isinstance(value, float) and math.isfinite(value):
        return value
    raise UnusableReplyError(
        f"parameter {name}: expected a short text, a number, true or false, or a list of these"
    )


def _readings(data: Mapping[str, Any]) -> tuple[Reading, ...]:
    found = data.get("readings")
    items = [i for i in found if isinstance(i, Mapping)] if isinstance(found, list) else []
    return tuple(Reading(_text(i, "words")[:80], _text(i, "term")[:80]) for i in items[:10])


def _text(data: Mapping[str, Any], key: str) -> str:
    value = data.get(key)
    return one_line(value, 600) if isinstance(value, str) else ""


def _reply_schema() -> str:
    scalar = {"anyOf": [{"type": t} for t in ("string", "number", "boolean")]}
    value = {"anyOf": [*scalar["anyOf"], {"type": "array", "items": scalar}]}
    parameter = _closed({"name": {"type": "string"}, "value": value})
    reading = _closed({"words": {"type": "string"}, "term": {"type": "string"}})
    whole = _closed(
        {
            "explanation": {"type": "string"},
            "answerable": {"type": "boolean"},
            "readings": {"type": "array", "items": reading},
            "query": {"type": "string"},
            "parameters": {"type": "array", "items": parameter},
        }
    )
    return json.dumps(whole, separators=(",", ":"))


def _closed(properties: dict[str, Any]) -> dict[str, Any]:
    required = list(properties)
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


REPLY_SCHEMA: Final = _reply_schema()
"""JSON Schema of a reply; the explanation comes before the query."""
