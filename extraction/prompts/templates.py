"""Prompt files: a system and a user part with ``{{placeholders}}`` that are checked on loading."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from schemas.errors import SettingsError
from schemas.model import Frozen
from schemas.ports import ChatMessage

_PLACEHOLDER = re.compile(r"\{\{([a-z_]+)\}\}")
_BREAK = "\n---user---\n"
PLACEHOLDERS = {
    "abstract": frozenset({"schema", "title", "boundary", "text"}),
    "passages": frozenset({"schema", "title", "known", "boundary", "text"}),
    "repair": frozenset({"problem"}),
    "settle": frozenset({"types", "title", "boundary", "mentions"}),
    "describe": frozenset({"boundary", "records"}),
}
"""What each prompt must use, all of it and nothing else."""


@dataclass(frozen=True, slots=True)
class Template:
    """One version of one prompt."""

    name: str
    version: int
    system: str
    user: str

    @property
    def id(self) -> str:
        """``extract/abstract/1``: the purpose of a request made from it."""
        return f"extract/{self.name}/{self.version}"

    def messages(self, **values: str) -> tuple[ChatMessage, ...]:
        """The filled-in messages; values are inserted once and never read as templates."""
        parts = (("system", self.system), ("user", self.user))
        filled = ((role, _PLACEHOLDER.sub(lambda m: values[m.group(1)], text)) for role, text in parts)
        return tuple(ChatMessage(role=role, content=text) for role, text in filled if text)


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
def load_template(name: str, version: int = 1) -> Template:
    """The packaged prompt, with its placeholders checked; ``SettingsError`` names file and fault."""
    file = f"{name}.v{version}.md"
    try:
        text = files("extraction.prompts").joinpath(file).read_text(encoding="utf-8")
    except FileNotFoundError as e:
        raise SettingsError(f"there is no prompt {file}; known are {', '.join(sorted(PLACEHOLDERS))}") from e
    return parse_template(name, version, text)


def parse_template(name: str, version: int, text: str) -> Template:
    """A template from its text: the system part, a line ``---user---``, the user part.

    >>> parse_template("repair", 1, "---user---\\nFix: {{problem}}").id
    'extract/repair/1'
    """
    system, found, user = ("\n" + text).partition(_BREAK)
    if not found:
        raise SettingsError(f"prompt {name}.v{version}: expected a line ---user--- between its two parts")
    used, expected = set(_PLACEHOLDER.findall(text)), PLACEHOLDERS[name]
    if used != expected:
        raise SettingsError(
            f"prompt {name}.v{version}: expected the placeholders {', '.join(sorted(expected))}, "
            f"found {', '.join(sorted(used)) or 'none'}"
        )
    return Template(name, version, system.strip(), user.strip())


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
