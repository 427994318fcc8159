"""Men and women: people of whom a graph tells what they are, or words that nothing in it explains."""

from __future__ import annotations

import re
from typing import Final

from cypher.semantics.name_words import is_part
from cypher.semantics.text import identifier_words, words
from cypher.semantics.values import ValueTable
from schemas.store_schema import StoreSchema

_KEPT: Final = frozenset({"gender", "sex"})
_FEMALE: Final = r"wom[ae]n|lad(?:y|ies)|girls?"
_MALE: Final = r"m[ae]n|gentlem[ae]n|boys?"
_WORD: Final = re.compile(rf"\b(?:(?P<female>{_FEMALE})|(?P<male>{_MALE}))\b")
"""Small letters alone: the Isle of Man is no man."""
_EITHER: Final = re.compile(
    rf"\b(?:(?:{_MALE})(?:,? (?:and|or|or a|and a) |/)(?:{_FEMALE})"
    rf"|(?:{_FEMALE})(?:,? (?:and|or) |/)(?:{_MALE}))\b",
    re.IGNORECASE,
)
_END: Final = re.compile(r"[\s?.!]*")
_TOLD: Final = re.compile(r"\b[a-z]{3,}s? (?:are|is|were|was)(?: not)?(?: an?)? $")
"""Before a word for their sex that is all that is said of somebody: "(which pilots are) men"."""
_ARTICLE: Final = re.compile(r"\b(?P<verb>(?:is|was)(?: not)?) an? (?P<kind>(?:fe)?male)(?=[\s?.!]*$)")
NO_VALUES: Final = ValueTable(())
_SEVERAL: Final = frozenset({"women", "men", "ladies", "gentlemen", "girls", "boys"})


def tells_gender(schema: StoreSchema, values: ValueTable) -> bool:
    """Whether people are kept as male or female."""
    owners = {
        (x.name, p.name) for x in schema.labels for p in x.properties if _KEPT & set(identifier_words(p.name))
    }
    return all(any((v.owner, v.property) in owners for v in values.exact(x)) for x in ("male", "female"))


def gendered(
    question: str, person: str, *, told: bool, values: ValueTable = NO_VALUES
) -> tuple[str, tuple[str, ...]]:
    """The question for male or female people, where the graph tells that; else the words for them.

    Words that are a part of one of the ``values`` are left as they are.

    >>> gendered("How many women are there?", "person", told=True)
    ('How many female persons are there?', ())
    >>> gendered("Which pilots are men?", "person", told=True)
    ('Which pilots are male?', ())
    >>> gendered("Which men live here?", "person", told=False)
    ('Which men live here?', ('men',))
    """
    if not person or _EITHER.search(question):
        return question, ()
    tokens = words(question)
    inside = {w.start for i, w in enumerate(tokens) if is_part(values, tokens, i)}
    said = tuple(found[0] for found in _WORD.finditer(question) if found.start() not in inside)
    if not told or not said:
        return question, said

    def plain(found: re.Match[str]) -> str:
        if found.start() in inside:
            return found[0]
        kind = "female" if found["female"] else "male"
        if _END.fullmatch(question, found.end()) and _TOLD.search(question, 0, found.start()):
            return kind
        return f"{kind} {person}{'s' if found[0].lower() in _SEVERAL else ''}"

    text = _WORD.sub(plain, question)
    return _ARTICLE.sub(r"\g<verb> \g<kind>", text), ()
