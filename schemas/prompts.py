"""Prompts for chat models: a system and a user part with ``{{placeholders}}`` that are checked on loading.

Every stage that asks a model keeps its prompts as versioned files in a package of its own; this is how they
are read and filled in, and how text of documents and graphs is made fit to stand in them as data.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Final

from schemas.errors import SettingsError
from schemas.ports import ChatMessage

_PLACEHOLDER: Final = re.compile(r"\{\{([a-z_]+)\}\}")
_BREAK: Final = "\n---user---\n"
_HIDDEN: Final = re.compile(
    r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff\U000e0000-\U000e007f]+"
)


@dataclass(frozen=True, slots=True)
class Prompt:
    """One version of one prompt of a stage."""

    stage: str
    name: str
    version: int
    system: str
    user: str

    @property
    def id(self) -> str:
        """``extract/abstract/1``: the purpose of a request made from it."""
        return f"{self.stage}/{self.name}/{self.version}"

    def messages(self, **values: str) -> tuple[ChatMessage, ...]:
        """The filled-in messages; values are inserted once and never read as prompts."""
        parts = (("system", self.system), ("user", self.user))
        filled = ((role, _PLACEHOLDER.sub(lambda m: values[m.group(1)], text)) for role, text in parts)
        return tuple(ChatMessage(role=role, content=text) for role, text in filled if text)


@dataclass(frozen=True, slots=True)
class PromptFiles:
    """The prompts of one stage: files ``NAME.vVERSION.md`` of a package."""

    package: str
    stage: str
    placeholders: Mapping[str, frozenset[str]]
    """What each prompt must use, all of it and nothing else."""

    def load(self, name: str, version: int = 1) -> Prompt:
        """The packaged prompt, with its placeholders checked; ``SettingsError`` names file and fault."""
        file = f"{name}.v{version}.md"
        try:
            text = files(self.package).joinpath(file).read_text(encoding="utf-8")
        except FileNotFoundError as e:
            known = ", ".join(sorted(self.placeholders))
            raise SettingsError(f"there is no prompt {file}; known are {known}") from e
        return self.parse(name, version, text)

    def parse(self, name: str, version: int, text: str) -> Prompt:
        """A prompt from its text: the system part, a line ``---user---``, the user part.

        >>> known = PromptFiles("extraction.prompts", "extract", {"repair": frozenset({"problem"})})
        >>> known.parse("repair", 1, "---user---\\nFix: {{problem}}").id
        'extract/repair/1'
        """
        system, found, user = ("\n" + text).partition(_BREAK)
        if not found:
            raise SettingsError(f"prompt {name}.v{version}: expected a line ---user--- between its two parts")
        used, expected = set(_PLACEHOLDER.findall(text)), self.placeholders[name]
        if used != expected:
            raise SettingsError(
                f"prompt {name}.v{version}: expected the placeholders {', '.join(sorted(expected))}, "
                f"found {', '.join(sorted(used)) or 'none'}"
            )
        return Prompt(self.stage, name, version, system.strip(), user.strip())


def one_line(text: str, longest: int = 200) -> str:
    """Text as one line without control, invisible and direction-turning characters, cut.

    >>> one_line(" a\\n b\\u202e", 80)
    'a b'
    """
    return " ".join(_HIDDEN.sub(" ", text).split())[:longest].strip()
