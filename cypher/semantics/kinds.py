"""Things called by their kind: "which soups are cheap" asks for dishes, where Soups is a course of dishes."""

from __future__ import annotations

from typing import Final

from cypher.semantics.ir import Query
from cypher.semantics.mentions import Linked
from cypher.semantics.text import identifier_words
from schemas.store_schema import StoreSchema

_OPENING: Final = frozenset(
    {"", "which", "what", "any", "many", "list", "show", "find", "all", "the", "our", "no", "some", "other"}
)
"""Words before a noun for several things."""


def named_kind(linked: Linked, query: Query, schema: StoreSchema) -> str | None:
    """The question with a noun behind the name of a kind, for the only things that are of such kinds.

    ``None`` where the answer is not a named thing, several things may be meant, or the noun is there.
    """
    kind = query.nodes[query.answer].label
    ends = ((t.start, t.end) for t in schema.triples)
    beside = {end if start == kind else start for start, end in ends if kind in (start, end) and start != end}
    if len(beside) != 1:
        return None
    (things,) = beside
    nouns = {t.name for m in linked.mentions for t in m.terms if t.kind == "label"}
    named = [m for m in linked.mentions if any(v.owner == kind for v, _ in m.values)]
    if things in nouns or len(named) != 1:
        return None
    before = linked.words[named[0].start - 1].lower if named[0].start else ""
    if before not in _OPENING:
        return None
    noun = " ".join(identifier_words(things)) + "s"
    words = [w.text for w in linked.words]
    return " ".join((*words[: named[0].end], noun, *words[named[0].end :]))
