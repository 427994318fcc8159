"""The forms of a chat request that servers understand, from the strictest to the plainest."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from typing import Any

from schemas.ports import ChatRequest

_FORMATS = ("json_schema", "json_object_with_schema", "json_object", "none")
_ABOUT_FORMAT = re.compile(
    r"response_format|json_schema|json_object|schema|grammar|structured output", re.IGNORECASE
)
_ABOUT_TOKENS = re.compile(r"max_completion_tokens", re.IGNORECASE)
_ABOUT_USAGE = re.compile(r"stream_options|include_usage", re.IGNORECASE)
_ABOUT_TEMPERATURE = re.compile(r"temperature", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Dialect:
    """What a server accepts."""

    format: int = 0
    """Index into json_schema; json_object with a schema; json_object; no format at all."""
    token_field: str = "max_tokens"  # noqa: S105
    """``max_tokens``, or ``max_completion_tokens`` for models that think first."""
    temperature: bool = True
    stream_usage: bool = True
    """Whether a stream can be asked to end with the tokens that it took."""


def give_way(dialect: Dialect, request: ChatRequest, message: str) -> Dialect | None:
    """The next simpler dialect after a refusal, or None when ``message`` is about something else.

    >>> request = ChatRequest(messages=(), purpose="t", json_schema="{}")
    >>> give_way(Dialect(), request, "response_format.type json_schema is not supported").format
    1
    >>> give_way(Dialect(), request, "context length exceeded") is None
    True
    """
    if dialect.token_field == "max_tokens" and _ABOUT_TOKENS.search(message):  # noqa: S105
        return replace(dialect, token_field="max_completion_tokens")  # noqa: S106
    if dialect.stream_usage and _ABOUT_USAGE.search(message):
        return replace(dialect, stream_usage=False)
    if dialect.temperature and _ABOUT_TEMPERATURE.search(message):
        return replace(dialect, temperature=False)
    if request.json_schema and dialect.format + 1 < len(_FORMATS) and _ABOUT_FORMAT.search(message):
        return replace(dialect, format=dialect.format + 1)
    return None


def request_body(model: str, request: ChatRequest, dialect: Dialect) -> dict[str, Any]:
    """The JSON body of a request in a dialect."""
    messages = [{"role": m.role, "content": m.content} for m in request.messages]
    body: dict[str, Any] = {"model": model, "messages": messages, dialect.token_field: request.max_tokens}
    if dialect.temperature:
        body["temperature"] = request.temperature
    if request.json_schema:
        response_format = _response_format(request, _FORMATS[dialect.format])
        if response_format:
            body["response_format"] = response_format
        if dialect.format:
            rule = "Reply with one JSON object that fits this JSON Schema:\n" + request.json_schema
            body["messages"] = [{"role": "system", "content": rule}, *messages]
    return body


def stream_fields(dialect: Dialect) -> dict[str, Any]:
    """What a request for a streamed reply has besides."""
    usage: dict[str, Any] = {"stream_options": {"include_usage": True}} if dialect.stream_usage else {}
    return {"stream": True, **usage}


def _response_format(request: ChatRequest, form: str) -> dict[str, Any] | None:
    schema = json.loads(request.json_schema)
    if form == "json_schema":
        name = re.sub(r"[^A-Za-z0-9_-]", "_", request.purpose)[:64] or "reply"
        return {"type": form, "json_schema": {"name": name, "strict": True, "schema": schema}}
    if form == "json_object_with_schema":
        return {"type": "json_object", "schema": schema}
    return {"type": "json_object"} if form == "json_object" else None
