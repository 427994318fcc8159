"""The prompts of extraction, and worked examples for some schemas."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Final

from schemas.model import Frozen
from schemas.prompts import Prompt, PromptFiles

PROMPTS: Final = PromptFiles(
    "extraction.prompts",
    "extract",
    {
        "abstract": frozenset({"schema", "title", "boundary", "text"}),
        "passages": frozenset({"schema", "title", "known", "boundary", "text"}),
        "repair": frozenset({"problem"}),
        "settle": frozenset({"types", "title", "boundary", "mentions"}),
        "describe": frozenset({"boundary", "records"}),
    },
)
"""The prompts of this stage with what each must use."""


class Example(Frozen):
    """A worked example: a text and the reply to it."""

    stage: str
    title: str
    known: tuple[tuple[str, str, str], ...] = ()
    """(ref, type, name) of what is known before the stage."""
    text: str
    reply: str
    """JSON, as a model should write it."""


@cache
def load_template(name: str, version: int = 1) -> Prompt:
    """The packaged prompt, with its placeholders checked; ``SettingsError`` names file and fault."""
    return PROMPTS.load(name, version)


@cache
def load_examples(schema_name: str, version: int = 1) -> tuple[Example, ...]:
    """Worked examples for a schema by name; none when there is no such file."""
    file = files("extraction.prompts").joinpath("examples", f"{schema_name}.v{version}.json")
    if not file.is_file():
        return ()
    entries = json.loads(file.read_text(encoding="utf-8"))
    return tuple(
        Example.model_validate({**entry, "reply": json.dumps(entry["reply"], ensure_ascii=False)})
        for entry in entries
    )
