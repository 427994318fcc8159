"""Statements about a few of the things that a query counts, where it rests on no statement itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Protocol

from cypher.identifiers import ENTITY, Identifiers, quote
from schemas.graph_schema import GraphSchema
from schemas.questions import Parameter

FEW: Final = 3
"""Things of which a statement is cited where they are only counted."""


class Writes(Protocol):
    """What writes names and parameters of one query."""

    @property
    def names(self) -> Identifiers: ...

    def parameter(self, value: Parameter, /) -> str: ...

    def property(self, var: str, name: str, /) -> str: ...


def few(w: Writes, things: str) -> str:
    """A list of a few of the things that are counted, for ``statements_of_few``."""
    return f"collect(DISTINCT {things})[..{w.parameter(FEW)}]"


def statements_of_few(
    w: Writes, schema: GraphSchema, kind: str, things: str, scope: Sequence[str] = ()
) -> str:
    """Ids of one statement about each thing of a list; ``scope`` are conditions on ``m0`` and ``m1``.

    A thing of which nothing is stated has none.
    """
    about = first_about(w, schema, kind, "q0", scope)
    return f"COLLECT {{ UNWIND {things} AS q0 {about} }}" if about else w.parameter(())


def first_about(w: Writes, schema: GraphSchema, kind: str, var: str, scope: Sequence[str] = ()) -> str:
    """Clauses that return the id of one statement about each thing; empty where none can be about it."""
    types = _types(w, schema, kind)
    if not types:
        return ""
    path = f"({var})-[m0:{types}]-(m1:{quote(ENTITY, w.names.labels)})"
    where = f"WHERE {' AND '.join(scope)} " if scope else ""
    return f"MATCH {path} {where}WITH {var}, head(collect({w.property('m0', 'id')})) AS i RETURN i"


def _types(w: Writes, schema: GraphSchema, kind: str) -> str:
    """Relationship types of the statements that things of a kind can be in."""
    kinds = (
        quote(r.neo4j_type, w.names.types) for r in schema.relations if kind in (*r.subjects, *r.objects)
    )
    return "|".join(kinds)
