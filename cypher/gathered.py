"""Writes a list in order of strength in which each thing stands once, beside what its documents tell."""

from __future__ import annotations

from typing import Final

from cypher import form as f
from cypher.cited import MAX_STATEMENTS
from cypher.identifiers import REPLACED, STATEMENTS, quote
from cypher.schema_graph import SHORT_NAME, attribute, strength_attributes
from cypher.writer import Writer, Written
from schemas.graphs import Origin

MAX_DOCUMENTS: Final = 1_000
"""Documents of one thing whose other statements are looked at."""
_DOCUMENTS: Final = "d0"


def gathered(w: Writer, head: f.Gathered) -> Written:
    """The query without its last LIMIT: the mean of the rankings and the largest size order the things."""
    edge = w.form.edge(head.edge)
    far = edge.start if edge.end == head.hub else edge.end
    cap = w.parameter(MAX_STATEMENTS)
    own = " + ".join(f"collect(DISTINCT {w.property(e.var, 'id')})[..{cap}]" for e in w.form.edges)
    sizes = _sizes(w, edge)
    measured = "".join(f"{text} AS {name}, " for _, name, text, _ in sizes)
    documents = f"collect(DISTINCT {w.property(edge.var, 'document')})[..{w.parameter(MAX_DOCUMENTS)}]"
    group = f"{w.match()} WITH {far}, {head.hub}, {measured}{documents} AS {_DOCUMENTS}, {own} AS s0 "
    kind = w.form.node(far).type
    columns = {kind: w.property(far, "name")} | {attribute: name for attribute, name, _, _ in sizes}
    ids = ["s0"]
    for at, (relation, other) in enumerate(head.beside):
        pattern = _told_beside(w, head.hub, relation, other, at)
        columns[other] = (
            f"COLLECT {{ {pattern} RETURN DISTINCT {_shown(w, f'm{at}', other)} AS s ORDER BY s }}"
        )
        ids.append(f"COLLECT {{ {pattern} RETURN DISTINCT {w.property(f'b{at}', 'id')} AS s LIMIT {cap} }}")
    shown = {**columns, STATEMENTS: " + ".join(ids), REPLACED: w.parameter(0)}
    text = ", ".join(w.column(expression, name) for name, expression in shown.items())
    order = ", ".join([part for *_, parts in sizes for part in parts] + [w.property(far, "name")])
    return Written(f"{group}RETURN {text} ORDER BY {order}", tuple(shown))


def _sizes(w: Writer, edge: f.Edge) -> list[tuple[str, str, str, tuple[str, str]]]:
    """Attribute, variable, its number over all statements, and how it orders, for each that tells a size."""
    relation = w.schema.relation(edge.relation)
    out: list[tuple[str, str, str, tuple[str, str]]] = []
    for name in strength_attributes(relation):
        declared = attribute(relation, name)
        rank = declared is not None and declared.type == "integer"
        text = f"{'avg' if rank else 'max'}({w.property(edge.var, name)})"
        var = f"y{len(out)}"
        out.append((name, var, text, (f"{var} IS NULL", var if rank else f"{var} DESC")))
    return out


def _told_beside(w: Writer, hub: str, relation: str, other: str, at: int) -> str:
    """What the documents of a row, or a listing, say of the hub by one relation."""
    declared = w.schema.relation(relation)
    edge, node = f"b{at}", f"m{at}"
    kind = quote(declared.neo4j_type, w.names.types)
    label = w.label(f.Node(node, other))
    hub_type = w.form.node(hub).type
    forward = hub_type in declared.subjects and other in declared.objects
    path = f"({hub})-[{edge}:{kind}]->{label}" if forward else f"{label}-[{edge}:{kind}]->({hub})"
    told = f"{w.property(edge, 'document')} IN {_DOCUMENTS}"
    if w.catalogued(hub_type, other):
        listed = f"{w.property(edge, 'origin')} = {w.parameter(Origin.PDG_TABLES.value)}"
        told = f"{w.parameter(True)} IN [{told}, {listed}]"
    return f"MATCH {path} WHERE {' AND '.join([*w.scope(edge, node), told])}"


def _shown(w: Writer, var: str, kind: str) -> str:
    name = w.property(var, "name")
    if attribute(w.schema.entity(kind), SHORT_NAME) is None:
        return name
    return f"coalesce({w.property(var, SHORT_NAME)}, {name})"
