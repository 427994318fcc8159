""" "Who" asks for somebody: of a question about a ship and its crew the ship is no answer."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from cypher.semantics.compose import Candidate
from cypher.semantics.ir import Head, Query
from cypher.semantics.lexicon import PERSONS
from cypher.semantics.mentions import Linked
from cypher.semantics.text import identifier_words
from schemas.store_schema import StoreSchema

NEAR: Final = 1.0
"""Readings that are further behind list people by accident."""
_BEING: Final = frozenset({"is", "are", "was", "were"})
_NO_ONE: Final = re.compile(
    r"\b(?P<lead>has|have|had|did|does|do|was|were|are|is|by) (?:nobody|no one|no-one)\b", re.IGNORECASE
)


def with_somebody(
    linked: Linked,
    candidates: tuple[Candidate, ...],
    nobody: frozenset[str],
    people: frozenset[str] = frozenset(),
) -> tuple[Candidate, ...]:
    """The readings of a question for somebody without those that list what is nobody, where there are others.

    ``nobody`` are labels of things that no question says "who" of. Near readings that list ``people`` come
    before those of groups of them: who works with Ann is no department. But who operates a line is not told
    by whom its operator employs, and who is the rival of a club is a club.
    """
    if not candidates or not linked.words or linked.words[0].lower not in ("who", "whom"):
        return candidates
    if _asks_for_role(linked):
        return candidates
    best, said = candidates[0], _said(linked)
    persons = tuple(c for c in candidates if c.query.head is not Head.LIST or lists_only(c.query, people))
    first = next((c for c in persons if c.query.head is Head.LIST), None)
    near = first is not None and first.score >= best.score - NEAR
    if first is not None and near and _unsaid(first.query, said) <= _unsaid(best.query, said):
        return persons
    return tuple(c for c in candidates if not lists_only(c.query, nobody)) or candidates


def _asks_for_role(linked: Linked) -> bool:
    """ "Who is the rival of ...": the one at the other end of the relation, whatever that is."""
    lower = [w.lower for w in linked.words]
    at = 2 + (lower[2:3] == ["the"])
    noun = next((m for m in linked.relations if m.start == at), None)
    if noun is None or lower[1] not in _BEING or lower[noun.end : noun.end + 1] != ["of"]:
        return False
    return not any(t.kind == "label" for t in noun.terms)


def _said(linked: Linked) -> frozenset[str]:
    """Relationship types that words name."""
    named = (t for m in (*linked.mentions, *linked.relations) for t in m.terms if t.kind == "relation")
    return frozenset(t.name for t in named)


def _unsaid(query: Query, said: frozenset[str]) -> int:
    """Relationships of a reading that no word names."""
    return sum(not set(edge.types) & said for edge in query.edges)


def lists_only(query: Query, labels: frozenset[str]) -> bool:
    """Whether only things of these labels are listed."""
    listed = {query.answer} if not query.project else {r.owner for r in query.project if not r.on_edge}
    return query.head is Head.LIST and bool(listed) and all(query.nodes[i].label in labels for i in listed)


def somebody(schema: StoreSchema, people: Sequence[str]) -> str:
    """The word for people of the schema; empty where there are several kinds of them, or none."""
    named = [x.name for x in schema.labels if x.name.lower() in PERSONS]
    found = named if len(named) == 1 else list(people)
    return " ".join(identifier_words(found[0])) if len(found) == 1 else ""


def with_no_person(question: str, person: str) -> str:
    """The question with a noun for nobody.

    >>> with_no_person("Which films has nobody acted in?", "person")
    'Which films has no person acted in?'
    """
    return _NO_ONE.sub(rf"\g<lead> no {person}", question) if person else question
