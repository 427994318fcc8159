"""Amounts told by "in" and "out of": what is out of stock has a stock of 0."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from cypher.semantics.text import identifier_words
from schemas.store_schema import PropertyType, StoreSchema

_NUMERIC: Final = frozenset({PropertyType.INTEGER, PropertyType.FLOAT})
_AMOUNTS: Final = frozenset({"stock", "supply", "inventory", "print", "fuel", "funds", "money", "credit"})
"""What people say that things are in or out of."""
_SAID: Final = re.compile(
    r"\b(?:(?:are|is|were|was)(?: currently| now| still)?|(?:that|which) (?:are|is)) "
    r"(?P<not>not )?(?P<how>out of|in) (?P<noun>\w+)\b",
    re.IGNORECASE,
)


def amounts(schema: StoreSchema) -> Mapping[str, str]:
    """Words of numbers that things can be out of, with what the only property of the kind is called."""
    found: dict[str, set[str]] = {}
    for label in schema.labels:
        for p in label.properties:
            words = identifier_words(p.name)
            if p.type in _NUMERIC and words and words[-1] in _AMOUNTS:
                found.setdefault(words[-1], set()).add(" ".join(words))
    return {word: names.pop() for word, names in found.items() if len(names) == 1}


def run_out(question: str, known: Mapping[str, str]) -> str:
    """The question with the amount as a number.

    >>> run_out("Which products are out of stock?", {"stock": "units in stock"})
    'Which products have 0 units in stock?'
    >>> run_out("How many lamps are not out of stock?", {"stock": "stock"})
    'How many lamps have stock above 0?'
    >>> run_out("Which ships are in port?", {"stock": "stock"})
    'Which ships are in port?'
    """

    def said(found: re.Match[str]) -> str:
        name = known.get(found["noun"].lower())
        if name is None:
            return found[0]
        none = (found["how"].lower() == "out of") != bool(found["not"])
        return f"have 0 {name}" if none else f"have {name} above 0"

    return _SAID.sub(said, question) if known else question
