"""What a chat model is told, from files; text of the graph is put into it as data, between boundaries."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

from schemas.errors import SettingsError
from schemas.ids import content_hash
from schemas.ports import ChatMessage

_PLACEHOLDERS: Final = {
    "answer": frozenset({"question", "explanation", "rows", "boundary"}),
    "query": frozenset({"schema", "examples", "drafts", "names", "question", "boundary"}),
    "repair": frozenset({"problem", "boundary"}),
}
_PLACEHOLDER: Final = re.compile(r"\{\{([a-z_]+)\}\}")
_BREAK: Final = "\n---user---\n"
_HIDDEN: Final = re.compile(
    r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff\U000e0000-\U000e007f]+"
)
_FENCE: Final = re.compile(r"\bboundary\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Prompt:
    """One version of one prompt."""

    name: str
    version: int
    system: str
    user: str

    @property
    def id(self) -> str:
        """``cypher/query/1``: the purpose of a request made from it."""
        return f"cypher/{self.name}/{self.version}"

    def messages(self, **values: str) -> tuple[ChatMessage, ...]:
        """The filled-in messages with a boundary that no value holds; values are never read as prompts."""
        known = {name: fenced(value) for name, value in values.items()}
        known["boundary"] = content_hash("boundary", known)[:16]
        parts = (("system", self.system), ("user", self.user))
        filled = ((role, _PLACEHOLDER.sub(lambda m: known[m.group(1)], text)) for role, text in parts)
        return tuple(ChatMessage(role=role, content=text) for role, text in filled if text)


@cache
def load_prompt(name: str, version: int = 1) -> Prompt:
    """The packaged prompt, with its placeholders checked; ``SettingsError`` names file and fault."""
    file = f"{name}.v{version}.md"
    try:
        text = files("cypher.prompts").joinpath(file).read_text(encoding="utf-8")
    except FileNotFoundError as e:
        raise SettingsError(f"there is no prompt {file}; known are {', '.join(sorted(_PLACEHOLDERS))}") from e
    system, found, user = ("\n" + text).partition(_BREAK)
    used, expected = set(_PLACEHOLDER.findall(text)), _PLACEHOLDERS[name]
    if not found or used != expected:
        raise SettingsError(
            f"prompt {file}: expected a line ---user--- and the placeholders {', '.join(sorted(expected))}, "
            f"found {', '.join(sorted(used)) or 'none'}"
        )
    return Prompt(name, version, system.strip(), user.strip())


def one_line(text: str, longest: int = 200) -> str:
    """Text of the graph as one line without control, invisible and direction-turning characters, cut.

    >>> one_line(" a\\n b\\u202e", 80)
    'a b'
    """
    return " ".join(_HIDDEN.sub(" ", text).split())[:longest].strip()


def fenced(text: str) -> str:
    """Text in which nothing looks like a boundary line.

    >>> fenced("x\\nBOUNDARY 1")
    'x\\n(boundary) 1'
    """
    return _FENCE.sub("(boundary)", text)
