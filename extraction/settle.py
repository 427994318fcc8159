"""Mentions that a model was unsure of, settled by a chat model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from extraction.ask import MAX_TOKENS, ask_each, fenced, numbered_schema, read_numbered
from extraction.prompts.templates import load_template
from schemas.documents import Document
from schemas.graph_schema import EntityType, GraphSchema
from schemas.language.names import normalise_name
from schemas.ports import Chat, ChatRequest

BATCH = 20
"""Expressions in one request."""
LONGEST_CONTEXT = 400
NONE = "none"


@dataclass(frozen=True, slots=True)
class Unsettled:
    """An expression and the sentence it stands in."""

    text: str
    context: str


def settle_types(
    chat: Chat, document: Document, schema: GraphSchema, mentions: Sequence[Unsettled]
) -> tuple[str | None, ...]:
    """The entity type of each mention by the model's word, None where it says that none fits.

    One expression is asked once, in its first sentence, and has one type throughout the document.
    Raises ``ChatError`` when the model gives no usable reply.
    """
    types = [e for e in schema.entities if e.name != schema.document_type]
    keys = [normalise_name(m.text, case_sensitive=True) for m in mentions]
    first: dict[str, Unsettled] = {}
    for key, mention in zip(keys, mentions, strict=True):
        first.setdefault(key, mention)
    allowed = {e.name for e in types}

    def read(data: Mapping[str, Any], asked: Sequence[Unsettled]) -> dict[int, str]:
        return read_numbered(data, "type", count=len(asked))

    answers = ask_each(
        chat, tuple(first.values()), lambda asked: _request(document, types, asked), read=read, batch=BATCH
    )
    settled = {k: a if a in allowed else None for k, a in zip(first, answers, strict=True)}
    return tuple(settled[key] for key in keys)


def _request(document: Document, types: Sequence[EntityType], mentions: Sequence[Unsettled]) -> ChatRequest:
    told = "\n".join(f"- {e.name}: {e.description or e.name.replace('_', ' ')}" for e in types)
    lines = (
        f"{n}. {_line(m.text)!r} in: {_around(_line(m.context), _line(m.text))}"
        for n, m in enumerate(mentions, 1)
    )
    return ChatRequest(
        messages=fenced("settle", types=told, title=_line(document.title)[:300], mentions="\n".join(lines)),
        purpose=load_template("settle").id,
        json_schema=numbered_schema("type", {"type": "string", "enum": [*(e.name for e in types), NONE]}),
        max_tokens=MAX_TOKENS,
    )


def _line(text: str) -> str:
    return " ".join(text.split())


def _around(context: str, text: str) -> str:
    """The part of a long context that holds the text."""
    if len(context) <= LONGEST_CONTEXT:
        return context
    start = max(0, context.find(text) - LONGEST_CONTEXT // 2)
    return context[start : start + LONGEST_CONTEXT]
