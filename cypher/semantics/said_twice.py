"""Relations that a question says more than once: "who knows somebody who knows Bob" is not who knows Bob."""

from __future__ import annotations

from collections import Counter

from cypher.semantics.compose import Candidate
from cypher.semantics.ir import Query
from cypher.semantics.mentions import Linked


def as_often_as_said(linked: Linked, candidates: tuple[Candidate, ...]) -> tuple[Candidate, ...]:
    """The readings without those that leave a relation out which the best has as often as it is said.

    They match more than the best, so that it would tell nothing for them that they match anything.
    """
    kinds = ({t.name for t in m.terms if t.kind == "relation"} for m in linked.relations)
    said = {name: n for name, n in Counter(name for some in kinds for name in some).items() if n > 1}
    if not said or not candidates:
        return candidates
    best, *others = candidates
    held = _types(best.query)
    kept = (c for c in others if not any(held[name] >= n > _types(c.query)[name] for name, n in said.items()))
    return (best, *kept)


def _types(query: Query) -> Counter[str]:
    return Counter(kind for edge in query.edges for kind in set(edge.types))
