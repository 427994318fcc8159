"""What a chat model is told, from files; text of the graph is put into it as data, between boundaries."""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from schemas.ids import content_hash
from schemas.ports import ChatMessage
from schemas.prompts import Prompt, PromptFiles

PROMPTS: Final = PromptFiles(
    "cypher.prompts",
    "cypher",
    {
        "answer": frozenset({"question", "explanation", "rows", "boundary"}),
        "query": frozenset({"schema", "examples", "drafts", "names", "question", "boundary"}),
        "repair": frozenset({"problem", "boundary"}),
    },
)
_FENCE: Final = re.compile(r"\bboundary\b", re.IGNORECASE)


@cache
def load_prompt(name: str, version: int = 1) -> Prompt:
    """The packaged prompt, with its placeholders checked; ``SettingsError`` names file and fault."""
    return PROMPTS.load(name, version)


def fenced_messages(prompt: Prompt, **values: str) -> tuple[ChatMessage, ...]:
    """The filled-in messages with a boundary that no value holds; values are never read as prompts."""
    known = {name: fenced(value) for name, value in values.items()}
    return prompt.messages(boundary=content_hash("boundary", known)[:16], **known)


def fenced(text: str) -> str:
    """Text in which nothing looks like a boundary line.

    >>> fenced("x\\nBOUNDARY 1")
    'x\\n(boundary) 1'
    """
    return _FENCE.sub("(boundary)", text)
