"""The request for a query: pruned schema, names, verified examples, drafts, and the question as data."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from cypher.generation.ports import Hints
from cypher.generation.reply import REPLY_SCHEMA
from cypher.generation.schema_text import describe, pruned
from cypher.generation.settings import LlmQuerySettings
from cypher.prompts import fenced_messages, load_prompt
from schemas.findings import Finding
from schemas.ports import ChatMessage, ChatReply, ChatRequest, Example
from schemas.prompts import one_line
from schemas.questions import Parameter
from schemas.store_schema import StoreSchema

MOST_NAMES = 12
MOST_DRAFTS = 3
MOST_LEFT = 8
MOST_FINDINGS = 8


@dataclass(frozen=True, slots=True)
class Material:
    """All that the prompt of one question is made of."""

    question: str
    schema: StoreSchema
    hints: Hints
    examples: tuple[Example, ...]


def query_request(material: Material, settings: LlmQuerySettings, *, sample: int) -> ChatRequest:
    """The request for one sample; each has a purpose of its own, so that kept replies differ."""
    prompt = load_prompt("query")
    hints = material.hints
    return ChatRequest(
        messages=fenced_messages(
            prompt,
            schema=describe(pruned(material.schema, hints.labels)),
            names="\n".join(_names(hints)) or "(none)",
            examples="\n".join(_example(e) for e in material.examples) or "(none)",
            drafts="\n".join(_drafts(hints)[:MOST_DRAFTS]) or "(none)",
            question=one_line(material.question, 500),
        ),
        purpose=f"{prompt.id}#{sample}",
        json_schema=REPLY_SCHEMA,
        max_tokens=settings.max_tokens,
        temperature=settings.temperature if sample else 0.0,
    )


def repair_request(request: ChatRequest, reply: ChatReply, findings: Sequence[Finding]) -> ChatRequest:
    """The same conversation with the findings of the gate."""
    prompt = load_prompt("repair")
    lines = "\n".join(_finding(f) for f in findings[:MOST_FINDINGS])
    said = ChatMessage(role="assistant", content=reply.text[:20_000])
    return request.model_copy(
        update={
            "messages": (*request.messages, said, *fenced_messages(prompt, problem=lines)),
            "purpose": f"{prompt.id}#{request.purpose.partition('#')[2]}",
        }
    )


def _finding(f: Finding) -> str:
    where = f" at characters {f.place.start}-{f.place.end}" if f.place.end else ""
    legal = f"; legal here: {', '.join(one_line(x, 60) for x in f.suggestions)}" if f.suggestions else ""
    return f"{f.code}{where}: {one_line(f.message, 400)}{legal}"


def _names(hints: Hints) -> list[str]:
    lines = []
    for phrase, matches in hints.names[:MOST_NAMES]:
        named = "; ".join(f"{json.dumps(one_line(m.name))} ({m.type})" for m in matches[:3])
        lines.append(f"{json.dumps(one_line(phrase))}: {named}")
    return lines


def _example(e: Example) -> str:
    return f"Question: {one_line(e.question, 300)}\n{_query(e.query, e.parameters)}"


def _drafts(hints: Hints) -> list[str]:
    whole = [_draft(a.explanation, a.cypher, a.parameters) for a in hints.drafts]
    return [*whole, *(_draft(d.explanation, d.query, d.parameters, d.left) for d in hints.partial)]


def _draft(
    explanation: str, query: str, parameters: Mapping[str, Parameter], left: Sequence[str] = ()
) -> str:
    words = ", ".join(json.dumps(one_line(w, 60), ensure_ascii=False) for w in left[:MOST_LEFT])
    out = f"Leaves out {words}: " if left else ""
    return f"{out}{one_line(explanation, 400)}\n{_query(query, parameters)}"


def _query(text: str, parameters: Mapping[str, Parameter]) -> str:
    return f"Query: {one_line(text, 1_200)}\nParameters: {_given(parameters)}"


def _given(parameters: Mapping[str, Parameter]) -> str:
    plain = {k: list(v) if isinstance(v, tuple) else v for k, v in parameters.items() if k != "scope"}
    return one_line(json.dumps(plain, ensure_ascii=False), 600)
