"""Statements about a few of the things that a query counts, where it rests on no statement itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Protocol

from cypher.identifiers import ENTITY, Identifiers, quote
from schemas.graph_schema import GraphSchema
from schemas.questions import Parameter

FEW: Final = 3
"""Things of which a statement is cited where they are only counted."""
LOOKED_AT: Final = 100
"""Things that are looked at, until ``FEW`` have a statement."""


class Writes(Protocol):
    """What writes names and parameters of one query."""

    @property
    def names(self) -> Identifiers: ...

    def parameter(self, value: Parameter, /) -> str: ...

    def property(self, var: str, name: str, /) -> str: ...


def few(w: Writes, things: str) -> str:
    """A list of the first things that a group counts, for ``statements_of_few``."""
    return f"collect(DISTINCT {things})[..{w.parameter(LOOKED_AT)}]"


def statements_of_few(
    w: Writes, schema: GraphSchema, kind: str, things: str, scope: Sequence[str] = ()
) -> str:
    """Ids of one statement about each of ``FEW`` things of a list that have one.

    ``scope`` are conditions on ``m0`` and ``m1``. Each row of a query looks on its own: cut the rows before.
    """
    about = first_about(w, schema, kind, "q0", scope)
    return f"COLLECT {{ UNWIND {things} AS q0 {about} }}" if about else w.parameter(())


def first_about(w: Writes, schema: GraphSchema, kind: str, var: str, scope: Sequence[str] = ()) -> str:
    """Clauses that return the ids of one statement about each of ``FEW`` things that have one.

    Empty where none can be about them. No more things are looked at than that takes.
    """
    types = _types(w, schema, kind)
    if not types:
        return ""
    path = f"({var})-[m0:{types}]-(m1:{quote(ENTITY, w.names.labels)})"
    where = f"WHERE {' AND '.join(scope)} " if scope else ""
    first = f"head(COLLECT {{ MATCH {path} {where}RETURN {w.property('m0', 'id')} AS j LIMIT 1 }})"
    return f"WITH {first} AS i WHERE i IS NOT NULL RETURN i LIMIT {FEW}"


def first_things(
    w: Writes, schema: GraphSchema, kind: str, clauses: str, var: str, scope: Sequence[str] = ()
) -> str:
    """Ids of one statement about each of ``FEW`` of the first things that ``clauses`` find, which have one.

    They are found anew, so that none but these are held. Empty where no statement can be about them.
    """
    about = first_about(w, schema, kind, var, scope)
    return f"COLLECT {{ {clauses} WITH DISTINCT {var} LIMIT {LOOKED_AT} {about} }}" if about else ""


def _types(w: Writes, schema: GraphSchema, kind: str) -> str:
    """Relationship types of the statements that things of a kind can be in."""
    kinds = (
        quote(r.neo4j_type, w.names.types) for r in schema.relations if kind in (*r.subjects, *r.objects)
    )
    return "|".join(kinds)
