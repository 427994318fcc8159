"""What a chat model is asked about candidates: prompts from files, clusters as numbered lines, batches."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final

from canonicalize.judge import Candidate, Member
from schemas.ids import content_hash
from schemas.ports import ChatRequest
from schemas.prompts import Prompt, PromptFiles, one_line

CHARACTERS_PER_TOKEN: Final = 4
"""Of English prose, about; batches are sized by it."""
MOST_NAMES: Final = 5
LONGEST_NAME: Final = 200
LONGEST_DESCRIPTION: Final = 400
PROMPTS: Final = PromptFiles(
    "canonicalize.prompts",
    "canonicalize",
    {"judge": frozenset({"type", "boundary", "clusters"}), "repair": frozenset({"problem"})},
)
_CUT_ONE_IN: Final = 4


@cache
def load_prompt(name: str, version: int = 1) -> Prompt:
    """The packaged prompt, with its placeholders checked; ``SettingsError`` names file and fault."""
    return PROMPTS.load(name, version)


def judge_request(candidates: Sequence[Candidate], *, type_text: str, max_tokens: int) -> ChatRequest:
    """The request about candidates of one type, numbered from 1 as their members are."""
    prompt = load_prompt("judge")
    clusters = "\n\n".join(f"Cluster {n}\n{cluster_text(c)}" for n, c in enumerate(candidates, 1))
    boundary = content_hash("boundary", clusters)
    return ChatRequest(
        messages=prompt.messages(type=one_line(type_text, 300), clusters=clusters, boundary=boundary),
        purpose=prompt.id,
        json_schema=REPLY_SCHEMA,
        max_tokens=max_tokens,
    )


def cluster_text(candidate: Candidate) -> str:
    """The members as numbered lines."""
    return "\n".join(f"{number}. {_member_text(m)}" for number, m in enumerate(candidate.members, 1))


def _member_text(member: Member) -> str:
    names = [one_line(name, LONGEST_NAME) for name in (*member.names, *member.aliases)]
    names = [name for name in dict.fromkeys(names) if name][:MOST_NAMES] or ["(no name)"]
    also = f" (also: {'; '.join(names[1:])})" if len(names) > 1 else ""
    description = one_line(member.description, LONGEST_DESCRIPTION)
    return f"{names[0]}{also}{' — ' + description if description else ''}"


def batches(candidates: Sequence[Candidate], *, most_tokens: int) -> Iterator[list[int]]:
    """Numbers of the candidates that are asked about together, in order, of about ``most_tokens``.

    Where a batch ends is decided by what is in it: a candidate that is new or gone changes the batch that it
    is in, and those up to the next natural end, so that kept replies to all others are found again.
    """
    batch: list[int] = []
    tokens = 0
    for number, candidate in enumerate(candidates):
        text = cluster_text(candidate)
        size = len(text) // CHARACTERS_PER_TOKEN + 10
        if batch and tokens + size > most_tokens:
            yield batch
            batch, tokens = [], 0
        batch.append(number)
        tokens += size
        natural = int(content_hash("cut", text)[:8], 16) % _CUT_ONE_IN == 0
        if natural and tokens >= most_tokens // 4:
            yield batch
            batch, tokens = [], 0
    if batch:
        yield batch


def _reply_schema() -> str:
    group = {
        "type": "object",
        "properties": {
            "members": {"type": "array", "items": {"type": "integer"}},
            "sure": {"type": "boolean"},
            "reason": {"type": "string"},
            "name": {"type": "string"},
            "description": {"type": "string"},
        },
        "required": ["members", "sure", "reason", "name", "description"],
        "additionalProperties": False,
    }
    cluster = {
        "type": "object",
        "properties": {"cluster": {"type": "integer"}, "groups": {"type": "array", "items": group}},
        "required": ["cluster", "groups"],
        "additionalProperties": False,
    }
    whole = {
        "type": "object",
        "properties": {"clusters": {"type": "array", "items": cluster}},
        "required": ["clusters"],
        "additionalProperties": False,
    }
    return json.dumps(whole, separators=(",", ":"))


REPLY_SCHEMA: Final = _reply_schema()
