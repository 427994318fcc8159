"""Verbs that are known as a part of something else: "paid" in a question about quotas is no quota."""

from __future__ import annotations

from typing import Final

from cypher.semantics.inflected import is_verb_form
from cypher.semantics.ir import Query
from cypher.semantics.meeting import refs_of
from cypher.semantics.mentions import Linked, Mention
from cypher.semantics.text import identifier_words

_ALIKE: Final = 4
"""Letters with which "manufactured" begins like ``manufacturer``, and "opened" like ``opens``."""
_TIED: Final = frozenset(
    {"associated", "attached", "connected", "linked", "related", "tied", "based", "located"}
)
"""Participles that say no more than that there is some relationship."""


def holds_no_such_verb(linked: Linked, query: Query) -> bool:
    """Whether a verb has nothing in the reading that holds it.

    Such a verb is a word of properties that only other things have ("paid" of ``paidOn``), or a part of some
    text ("booked" of an address with "book"), and the reading ties what it names in another way.
    """
    kinds = {n.label for n in query.nodes} | {t for e in query.edges for t in e.types}
    text = repr(query)
    names = [*(ref.name for ref in refs_of(query)), *kinds]
    begins = {w[:_ALIKE] for name in names for w in identifier_words(name)}
    said = {i for m in linked.relations for i in range(m.start, m.end)}
    return any(
        not any(repr(v.text) in text for v, _ in m.values)
        for m in linked.mentions
        if _is_verb(m, said) and not _owners(m) & kinds and m.text[:_ALIKE] not in begins
    )


def _is_verb(mention: Mention, said: set[int]) -> bool:
    """Whether a word looks like a verb and is known neither as one nor as the whole of anything."""
    known = any(t.kind != "property" for t in mention.terms) or any(w >= 1 for _, w in mention.values)
    parts = bool(mention.terms or mention.values) and not known and mention.start not in said
    lower = mention.text.islower() and mention.text not in _TIED
    return parts and lower and is_verb_form(mention.text)


def _owners(mention: Mention) -> set[str]:
    return {owner for t in mention.terms for owner in t.owners} | {v.owner for v, _ in mention.values}
