"""The statements about a thing that no statement of the question found."""

from __future__ import annotations

from cypher.cited import MAX_STATEMENTS
from cypher.general.kinds import Form
from cypher.general.patterns import Bound, PatternWriter
from cypher.identifiers import ENTITY, quote
from schemas.graph_schema import GraphSchema


def mentions(p: PatternWriter, schema: GraphSchema, bound: Bound) -> str:
    """Statements about a thing that was found by its own attributes."""
    if bound.kind.form is Form.STATEMENT:
        return f"[{p.property(bound.text, 'id')}]"
    if bound.kind.is_value:
        return p.parameter(())
    kinds = [
        quote(r.neo4j_type, p.names.types)
        for r in schema.relations
        if bound.kind.owner in (*r.subjects, *r.objects)
    ]
    other = f"({p.new('m')}:{quote(ENTITY, p.names.labels)})"
    edge = p.new("m")
    cap = MAX_STATEMENTS
    ids = p.property(edge, "id")
    path = f"({bound.text})-[{edge}:{'|'.join(kinds)}]-{other}"
    return f"COLLECT {{ MATCH {path} RETURN {ids} AS i LIMIT {cap} }}"
