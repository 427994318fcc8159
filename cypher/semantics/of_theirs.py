"""What nobody of theirs did: "teams whose players never scored" are those without a player who did."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from cypher.semantics.ir import Clause, ClauseKind, Edge, Filter, Head, Query
from cypher.semantics.mentions import Linked

_WHOSE: Final = re.compile(
    r"\bwhose (?:\w+s|people|children|men|women|staff)(?: (?:have|had|were|are|did|do))? (?:never|not|no)\b",
    re.IGNORECASE,
)


def of_none_of_theirs(linked: Linked, query: Query) -> Query:
    """The reading with all of theirs denied, where it had one of theirs of whom something is denied."""
    absent = [i for i, c in enumerate(query.clauses) if c.kind is ClauseKind.ABSENT and len(c.parts) == 1]
    if len(absent) != 1 or query.head not in (Head.LIST, Head.COUNT) or not _WHOSE.search(linked.text):
        return query
    clause = query.clauses[absent[0]]
    theirs = {n for e in clause.parts[0].edges for n in (e.start, e.end)} - query.inner - {query.answer}
    ties = [e for e in query.edges if theirs & {e.start, e.end}]
    if len(theirs) != 1 or len(ties) != 1 or query.answer not in (ties[0].start, ties[0].end):
        return query
    return _moved(query, clause, theirs.pop(), ties[0])


def _moved(query: Query, clause: Clause, theirs: int, tie: Edge) -> Query:
    """The query with the tie to theirs, and what is said of them, inside the denial."""
    part = clause.parts[0]
    if any(f.ref.on_edge for f in query.filters) or query.order is not None or query.having is not None:
        return query
    said, others = _split(query.filters, theirs)
    inside = replace(
        part, edges=(tie, *part.edges), filters=(*said, *part.filters), nodes=(theirs, *part.nodes)
    )
    clauses = tuple(replace(c, parts=(inside,)) if c is clause else c for c in query.clauses)
    edges = tuple(e for e in query.edges if e is not tie)
    return replace(query, edges=edges, filters=others, clauses=clauses, inner=query.inner | {theirs})


def _split(filters: tuple[Filter, ...], owner: int) -> tuple[tuple[Filter, ...], tuple[Filter, ...]]:
    own = tuple(f for f in filters if f.ref.owner == owner)
    return own, tuple(f for f in filters if f.ref.owner != owner)
