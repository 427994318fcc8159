"""Shares of things, "what percentage of flights were late", which no reading tells."""

from __future__ import annotations

import re
from typing import Final

from cypher.semantics.ir import PropertyRef, Query, edge_of
from cypher.semantics.meeting import refs_of
from cypher.semantics.mentions import Linked
from cypher.semantics.text import identifier_words

SHARES: Final = frozenset({"percentage", "percentages", "percent", "pct", "proportion"})
"""Words of properties that hold a share: ``discountPct``."""
_SHARE_OF: Final = re.compile(
    r"\b(?:percent(?:age)?|proportion|share|fraction) of (?:all |the |our |its |their )*", re.IGNORECASE
)
_NEAR: Final = 3
"""Words within which the things are named behind "percentage of"."""


def asks_for_share(linked: Linked, query: Query) -> bool:
    """Whether a share of things is asked for, and no property of theirs that holds one is read."""
    found = _SHARE_OF.search(linked.text)
    if found is None:
        return False
    at = linked.word_at(found.end())
    of = {t.name for m in linked.mentions if at <= m.start < at + _NEAR for t in m.terms if t.kind == "label"}
    held = {_owner(query, ref) for ref in refs_of(query) if SHARES & set(identifier_words(ref.name))}
    return bool(of) and not of & held


def _owner(query: Query, ref: PropertyRef) -> str:
    return "/".join(edge_of(query, ref).types) if ref.on_edge else query.nodes[ref.owner].label
