"""What the best reading has and others leave out: who knows one who knows Bob is not who knows Bob."""

from __future__ import annotations

from collections import Counter

from cypher.semantics.compose import Candidate
from cypher.semantics.ir import Query
from cypher.semantics.mentions import Linked
from cypher.semantics.restricted import onlys
from cypher.semantics.unheard import unheard


def as_said(linked: Linked, candidates: tuple[Candidate, ...]) -> tuple[Candidate, ...]:
    """The readings without those that leave out what the best one has: a second relation, "not", "only"."""
    return _as_often_as_said(linked, _as_well_heard(linked, candidates))


def _as_often_as_said(linked: Linked, candidates: tuple[Candidate, ...]) -> tuple[Candidate, ...]:
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


def _as_well_heard(linked: Linked, candidates: tuple[Candidate, ...]) -> tuple[Candidate, ...]:
    """The readings without those that pass over a denial that the best one has: "not", "only".

    Looks into the graph prefer what matches something, and without its denial a reading matches more.
    """
    kinds = {c.kind for c in linked.cues}
    if (
        len(candidates) < 2
        or not ("not" in kinds or onlys(linked))
        or _passes_over(linked, candidates[0].query)
    ):
        return candidates
    best, *others = candidates
    return (best, *(c for c in others if not _passes_over(linked, c.query)))


def _passes_over(linked: Linked, query: Query) -> bool:
    heard = unheard(linked, query)
    return bool(heard["unheard_not"] or heard["unheard_only"])


def _types(query: Query) -> Counter[str]:
    return Counter(kind for edge in query.edges for kind in set(edge.types))
