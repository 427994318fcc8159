"""Where people live, of a graph that has a city of theirs and no relationship for it."""

from __future__ import annotations

import re
from typing import Final

from cypher.semantics.text import identifier_words, stem, value_key
from cypher.semantics.values import ValueTable
from schemas.store_schema import StoreSchema

_HOMES: Final = frozenset({"city", "town", "hometown", "village", "residence", "country", "state", "county"})
_LIVING: Final = frozenset({"live", "reside", "home", "dwell", "inhabit", "resident"})
_SAID: Final = re.compile(
    r"\b(?:(?P<clause>(?:who|that|which) (?:live|lives|reside|resides))|(?P<verb>live|lives|reside|resides)"
    r"|(?P<participle>living|residing)) in (?:the )?(?P<where>[A-Z][\w'.-]*(?: [A-Z][\w'.-]*)*)"
)


def homes(schema: StoreSchema) -> tuple[tuple[str, str], ...]:
    """Labels with properties that say where somebody lives; none where a relationship does."""
    living = {stem(w) for w in _LIVING}
    if any(stem(w) in living for r in schema.relations for w in identifier_words(r.type)):
        return ()
    return tuple(
        (label.name, p.name)
        for label in schema.labels
        for p in label.properties
        if identifier_words(p.name)[-1:] and identifier_words(p.name)[-1] in _HOMES
    )


def residing(question: str, known: tuple[tuple[str, str], ...], values: ValueTable) -> str:
    """The question for the property that holds the place, where there is but one.

    >>> from cypher.semantics.values import StoredValue
    >>> table = ValueTable([StoredValue("Sailor", "city", "Oslo")])
    >>> residing("Which sailors live in Oslo?", (("Sailor", "city"),), table)
    'Which sailors have the city Oslo?'
    >>> residing("ships of sailors living in Rome", (("Sailor", "city"),), table)
    'ships of sailors living in Rome'
    """
    if not known:
        return question

    def said(found: re.Match[str]) -> str:
        held = {v.property for v in values.exact(value_key(found["where"])) if (v.owner, v.property) in known}
        if len(held) != 1:
            return found[0]
        name = " ".join(identifier_words(held.pop()))
        if found["participle"]:
            return f"with {name} {found['where']}"
        pronoun = f"{found['clause'].split()[0]} " if found["clause"] else ""
        one = (found["verb"] or found["clause"]).endswith("s")
        return f"{pronoun}{'has' if one else 'have'} the {name} {found['where']}"

    return _SAID.sub(said, question)
