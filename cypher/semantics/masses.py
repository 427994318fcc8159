"""What comes in amounts, not in numbers: "the most honey" is not the most batches of it."""

from __future__ import annotations

from typing import Final

from cypher.semantics.inflected import singulars
from cypher.semantics.ir import Query
from cypher.semantics.irregular import IRREGULAR
from cypher.semantics.mentions import Linked
from cypher.semantics.text import identifier_words

_MOST: Final = frozenset({"most", "least", "more", "less", "much"})


def counts_a_mass(linked: Linked, query: Query) -> bool:
    """Whether things are ranked by how many there are, where an amount of a part of their name is said.

    That is one behind "most" or "much" in the singular: honey of honey batches.
    """
    order = query.order
    counted = order.count_of if order is not None else None
    if counted is None:
        return False
    name = identifier_words(query.nodes[counted].label)
    for mention in linked.mentions:
        words = [w.lower for w in linked.words[mention.start : mention.end]]
        before = linked.words[mention.start - 1].lower if mention.start else ""
        part = len(words) < len(name) and words[-1] in name[:-1] and words[-1] not in IRREGULAR
        if before in _MOST and part and not any(one != words[-1] for one in singulars(words[-1])):
            return True
    return False
