"""Wives and husbands, of a graph that has marriages and tells men from women."""

from __future__ import annotations

import re
from typing import Final

from cypher.semantics.text import identifier_words
from schemas.store_schema import StoreSchema

_WEDDED: Final = frozenset({"married", "wed", "spouse"})
_KIND: Final = r"(?P<kind>wife|husband)"
_OF: Final = re.compile(rf"\b(?:the )?{_KIND} of (?=[A-Z\"'])")
_OWN: Final = re.compile(rf"\b(?P<name>[A-Z][\w.'’-]*?(?: [A-Z][\w.'’-]*?)*)['’]s {_KIND}\b")
_FIRST: Final = frozenset({"Who", "Is", "Which", "What", "How", "Does", "Did", "Was", "Where", "When"})


def marries(schema: StoreSchema) -> bool:
    """Whether a relationship is a marriage: ``MARRIED_TO``."""
    return any(
        _WEDDED & set(words[:1]) and words[-1] in ("to", "with")
        for r in schema.relations
        if (words := identifier_words(r.type))
    )


def spouses(question: str, person: str) -> str:
    """The question for the woman, or the man, who is married to somebody.

    >>> spouses("Who is the wife of Tom Reed?", "person")
    'Who is the female person married to Tom Reed?'
    >>> spouses("Who is Tom Reed's husband?", "person")
    'Who is the male person married to Tom Reed?'
    """

    def said(found: re.Match[str]) -> str:
        return f"the {'female' if found['kind'] == 'wife' else 'male'} {person} married to "

    def owned(found: re.Match[str]) -> str:
        first, _, rest = found["name"].partition(" ")
        lead, name = (f"{first} ", rest) if first in _FIRST and rest else ("", found["name"])
        return f"{lead}{said(found)}{name}"

    return _OWN.sub(owned, _OF.sub(said, question)) if person else question
