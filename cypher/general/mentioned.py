"""The statements about a thing that no statement of the question found."""

from __future__ import annotations

from cypher.cited import MAX_STATEMENTS
from cypher.general.kinds import Form
from cypher.general.patterns import Bound, Pattern, PatternWriter
from cypher.general.plan import Tree
from cypher.identifiers import ENTITY, quote
from cypher.sampled import first_things, statements_of_few
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


def of_few(p: PatternWriter, schema: GraphSchema, bound: Bound) -> str:
    """Statements about a few of the things that are counted, held as ``b``; empty for values."""
    is_entity = bound.kind.form is Form.ENTITY
    return statements_of_few(p, schema, bound.kind.owner, "b") if is_entity else ""


def of_first(p: PatternWriter, schema: GraphSchema, bound: Bound, clauses: str) -> str:
    """Statements about the first things that clauses find; empty for what no statement can be about."""
    if bound.kind.form is not Form.ENTITY:
        return ""
    return first_things(p, schema, bound.kind.owner, clauses, bound.text)


def of_values(p: PatternWriter, schema: GraphSchema, root: Tree) -> str:
    """Statements about a few things that have the values that are counted."""
    pattern = Pattern()
    bound = p.root(root, pattern)
    told = "" if root.branches or not bound.ends else of_first(p, schema, bound.ends[0], pattern.match())
    return told or p.parameter(())
