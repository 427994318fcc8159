"""One question to a chat model that must be answered in a given JSON form, with one repair round."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from extraction.parse import json_object
from extraction.prompts.templates import load_template
from schemas.errors import ChatError
from schemas.ids import content_hash
from schemas.ports import Chat, ChatMessage, ChatRequest

MAX_TOKENS = 4_096
Item = TypeVar("Item")


def ask_each(
    chat: Chat,
    items: Sequence[Item],
    request: Callable[[Sequence[Item]], ChatRequest],
    *,
    read: Callable[[Mapping[str, Any], Sequence[Item]], Mapping[int, str]],
    batch: int,
) -> tuple[str | None, ...]:
    """What the model says of each item, asked in batches; None where it says nothing usable.

    ``read`` turns a reply to some items into answers by position among them. A reply that was cut is
    asked again in halves. Raises ``ChatError`` for a reply that is useless after one repair round or cut
    with one item in it; the chat's own errors pass through.
    """
    if len(items) > batch:
        parts = [items[at : at + batch] for at in range(0, len(items), batch)]
        return tuple(a for part in parts for a in ask_each(chat, part, request, read=read, batch=batch))
    if not items:
        return ()
    asked = request(items)
    answers = _ask(chat, asked, lambda data: read(data, items))
    if answers is None:
        if len(items) == 1:
            raise ChatError(
                f"the reply to {asked.purpose} was cut at {asked.max_tokens} tokens with one item in it"
            )
        return ask_each(chat, items, request, read=read, batch=(len(items) + 1) // 2)
    return tuple(answers.get(at) for at in range(len(items)))


def fenced(name: str, **values: str) -> tuple[ChatMessage, ...]:
    """Messages of a prompt, with a boundary word that the document's text cannot hold."""
    return load_template(name).messages(**values, boundary=content_hash("boundary", dict(values)))


def numbered_schema(field: str, value: Mapping[str, Any]) -> str:
    """JSON Schema of ``{"items": [{"number": 1, field: ...}, ...]}`` as text."""
    item = {
        "type": "object",
        "properties": {"number": {"type": "integer"}, field: value},
        "required": ["number", field],
        "additionalProperties": False,
    }
    whole = {
        "type": "object",
        "properties": {"items": {"type": "array", "items": item}},
        "required": ["items"],
        "additionalProperties": False,
    }
    return json.dumps(whole, separators=(",", ":"))


def read_numbered(data: Mapping[str, Any], field: str, *, count: int) -> dict[int, str]:
    """Texts under ``field`` by position from 0; entries of other shape or number are left out.

    Raises ``ChatError`` without a list of items.

    >>> read_numbered({"items": [{"number": 2, "type": "gene"}, {"number": 9, "type": "x"}]}, "type", count=2)
    {1: 'gene'}
    """
    items = data.get("items")
    if not isinstance(items, list):
        raise ChatError(f"expected a list under 'items', found {type(items).__name__}")
    found: dict[int, str] = {}
    for item in items:
        number, text = (item.get("number"), item.get(field)) if isinstance(item, Mapping) else (None, None)
        if type(number) is int and 1 <= number <= count and isinstance(text, str):
            found.setdefault(number - 1, text)
    return found


def _ask(
    chat: Chat, request: ChatRequest, read: Callable[[Mapping[str, Any]], Mapping[int, str]]
) -> Mapping[int, str] | None:
    """The answers; None when the reply was cut."""
    reply = chat.complete(request)
    if reply.finish_reason == "length":
        return None
    try:
        return read(json_object(reply.text))
    except ChatError as e:
        template = load_template("repair")
        said = ChatMessage(role="assistant", content=reply.text)
        messages = (*request.messages, said, *template.messages(problem=str(e)))
        again = chat.complete(request.model_copy(update={"messages": messages, "purpose": template.id}))
    if again.finish_reason == "length":
        return None
    try:
        return read(json_object(again.text))
    except ChatError as e:
        raise ChatError(f"{chat.model} gave no usable reply to {request.purpose}: {e}") from e
