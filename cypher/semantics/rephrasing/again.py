"""A name said again for "there" and "it": "works at Hull but does not live there" is "... live at Hull"."""

from __future__ import annotations

import re
from typing import Final

from cypher.semantics.rephrasing.rule import Rule, rule

_NAME: Final = re.compile(r"(?<=\w )(?:the )?[A-Z][\w'’-]*(?: [A-Z][\w'’-]*)*")
_PRONOUN: Final = re.compile(
    r"\b(?:and|but|yet|though|although) (?!count|list|name|show|give|tell|say|add)[^,?]*? "
    r"(there|it|not its \w+)(?=\s*[?.!]*$|,| (?:and|but)\b)"
)
_PLACED: Final = re.compile(r"\b(at|in|from|on|to|near|of) $")
_OTHER: Final = re.compile(r"\b(?:an?|one|some|any|each|every|no|most)\b", re.IGNORECASE)
"""Words that bring in another thing, which a pronoun may stand for."""


def _said_again(found: re.Match[str]) -> str:
    text = found[0]
    pronoun = _PRONOUN.search(text)
    names = list(_NAME.finditer(text, 0, pronoun.start(1))) if pronoun else []
    if pronoun is None or len({x[0] for x in names}) != 1:
        return text
    name, said = names[0][0], pronoun[1]
    if said == "there":
        place = _PLACED.search(text[: names[0].start()])
        told = f"{place[1] if place and place[1] != 'of' else 'at'} {name}"
    elif _OTHER.search(text[: pronoun.end()]):
        return text
    else:
        told = name if said == "it" else f"not the {said.split()[-1]} of {name}"
    return f"{text[: pronoun.start(1)]}{told}{text[pronoun.end(1) :]}"


RULES: Final[tuple[Rule, ...]] = (rule(r"^[^\n]+$", _said_again),)
"""Tried in order, each once."""
