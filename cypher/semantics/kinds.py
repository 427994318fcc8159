"""Things called by their kind: "which soups are cheap" asks for dishes, where Soups is a course of dishes."""

from __future__ import annotations

from typing import Final

from cypher.semantics.mentions import Linked
from cypher.semantics.text import identifier_words
from schemas.store_schema import StoreSchema

_OPENING: Final = frozenset(
    {"", "which", "what", "any", "many", "list", "show", "find", "all", "the", "our", "no", "some", "other"}
)
"""Words before a noun for several things."""


_ASKING: Final = frozenset({"which", "what", "many"})
"""Words of these before what a question asks for."""


def asks_for_kind(linked: Linked, schema: StoreSchema) -> bool:
    """Whether what is asked for is called by the name of something: "which soups", "how many soups"."""
    mention, label = _kind(linked, schema)
    return bool(label) and linked.words[mention - 1].lower in _ASKING


def named_kind(linked: Linked, schema: StoreSchema) -> str | None:
    """The question with a noun behind the name of a kind, for the only things that are of such kinds.

    ``None`` where no kind is named, several sorts of things may be meant, or the noun is there.
    """
    start, kind = _kind(linked, schema)
    ends = ((t.start, t.end) for t in schema.triples)
    beside = {end if start == kind else start for start, end in ends if kind in (start, end) and start != end}
    if not kind or len(beside) != 1:
        return None
    (things,) = beside
    if things in {t.name for m in linked.mentions for t in m.terms if t.kind == "label"}:
        return None
    end = next(m.end for m in linked.mentions if m.start == start)
    noun = " ".join(identifier_words(things)) + "s"
    words = [w.text for w in linked.words]
    return " ".join((*words[:end], noun, *words[end:]))


def _kind(linked: Linked, schema: StoreSchema) -> tuple[int, str]:
    """Where the only name of something stands that has a word for several things before it; its label."""
    names = {(x.name, x.name_property) for x in schema.labels}
    found = {
        (m.start, v.owner)
        for m in linked.mentions
        for v, _ in m.values
        if (v.owner, v.property) in names and (linked.words[m.start - 1].lower if m.start else "") in _OPENING
    }
    return found.pop() if len(found) == 1 else (0, "")
