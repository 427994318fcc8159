"""Whom something was done to, where nobody says by whom: "when was Ann trained" is not whom she trained."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from cypher.semantics.alike import form
from cypher.semantics.compose import Candidate
from cypher.semantics.ir import Edge, Operator, Query
from cypher.semantics.irregular import IRREGULAR
from cypher.semantics.mentions import Linked, Mention
from cypher.semantics.text import identifier_words
from schemas.store_schema import StoreSchema

_BEING: Final = frozenset({"was", "were", "is", "are", "be", "been", "being"})
_BETWEEN: Final = frozenset({"never", "not", "ever", "also", "last", "first", "all", "once", "twice", "been"})
_EITHER_WAY: Final = frozenset(
    {"married", "engaged", "divorced", "related", "connected", "linked", "associated", "allied", "known"}
    | {"paired", "joined", "twinned", "acquainted", "affiliated", "befriended"}
)
"""Participles of what two have in common, which is not done by one to the other."""
_DOER: Final = "by"


def undergone(
    linked: Linked, candidates: tuple[Candidate, ...], schema: StoreSchema
) -> tuple[Candidate, ...]:
    """The readings with those to whom it was done at the end of what was done, each once.

    It matters between things of one label alone: else the labels tell who did it.
    """
    found = _passive(linked, schema) if candidates else None
    if found is None:
        return candidates
    turned: dict[tuple[object, ...], Candidate] = {}
    for candidate in candidates:
        query = _turned(candidate.query, *found)
        turned.setdefault(form(query), replace(candidate, query=query))
    return tuple(turned.values())


def _passive(linked: Linked, schema: StoreSchema) -> tuple[str, frozenset[str]] | None:
    """What was done, and the names of whom it was done to; without a name it is what is asked for."""
    for mention in linked.relations:
        kinds = [t.name for t in mention.terms if t.kind == "relation" and _deed(t.name, schema)]
        word = linked.words[mention.end - 1].lower
        if not kinds or not _participle(word) or _DOER in _lower(linked, mention.end, None):
            continue
        names = _suffering(linked, mention)
        if names is not None:
            return kinds[0], names
    return None


def _suffering(linked: Linked, deed: Mention) -> frozenset[str] | None:
    """Names between a form of "be" and the participle; ``None`` where it is no passive."""
    at, names = deed.start - 1, frozenset[str]()
    while at >= 0 and linked.words[at].lower not in _BEING:
        named = next((m for m in linked.mentions if m.values and m.start <= at < m.end), None)
        if named is not None and not names:
            names, at = frozenset(str(v.text) for v, _ in named.values), named.start - 1
        elif linked.words[at].lower in _BETWEEN:
            at -= 1
        else:
            return None
    return names if at >= 0 else None


def _deed(name: str, schema: StoreSchema) -> bool:
    """Whether a relationship is a verb alone between things of one label."""
    ends = [(t.start, t.end) for t in schema.triples if t.type == name]
    return len(identifier_words(name)) == 1 and any(a == b for a, b in ends)


def _participle(word: str) -> bool:
    return (word.endswith("ed") or word in IRREGULAR) and word not in _EITHER_WAY


def _lower(linked: Linked, start: int, end: int | None) -> set[str]:
    return {w.lower for w in linked.words[start:end]}


def _turned(query: Query, kind: str, names: frozenset[str]) -> Query:
    """The query with its one such relationship towards whom it was done to."""
    parts = [p for c in query.clauses for p in c.parts]
    places = [e for edges in (query.edges, *(p.edges for p in parts)) for e in edges if kind in e.types]
    suffering = _named(query, names) if names else query.answer
    if len(places) != 1 or places[0].both or places[0].start != suffering:
        return query
    edge = places[0]
    if query.nodes[edge.start].label != query.nodes[edge.end].label:
        return query
    turned = {edge: replace(edge, start=edge.end, end=edge.start)}
    clauses = tuple(
        replace(c, parts=tuple(replace(p, edges=_with(p.edges, turned)) for p in c.parts))
        for c in query.clauses
    )
    return replace(query, edges=_with(query.edges, turned), clauses=clauses)


def _with(edges: tuple[Edge, ...], turned: dict[Edge, Edge]) -> tuple[Edge, ...]:
    return tuple(turned.get(e, e) for e in edges)


def _named(query: Query, names: frozenset[str]) -> int | None:
    """The node that has one of the names."""
    plain = (f for f in query.filters if f.operator in (Operator.EQ, Operator.IN) and not f.ref.on_edge)
    for told in plain:
        values = told.value if isinstance(told.value, tuple) else (told.value,)
        if names & {str(v) for v in values}:
            return told.ref.owner
    return None
