"""Cost rules: what would make a server walk or multiply without end is refused or bounded before it runs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from cypher.gate.parts import UNBOUNDED, check_parts
from cypher.gate.report import finding, nearest
from cypher.gate.symbols import Analysis, Symbol, place
from cypher.syntax import nodes as n
from cypher.syntax.expressions import Quantifier
from cypher.syntax.walk import rebuild, walk
from cypher.syntax.write import write
from schemas.findings import Finding, Repair
from schemas.questions import Parameter
from schemas.store_schema import StoreSchema

MAX_HOPS: Final = 15
"""Most steps of a path of variable length."""
MAX_RELATIONSHIPS: Final = 25
"""Most relationships in one query."""
MAX_NEIGHBOURS: Final = 2_000
"""Most neighbours that a search of an index may ask for."""


def check_cost(query: n.Query, analysis: Analysis) -> Iterator[Finding]:
    """Findings ``COST``: paths without bounds or ends, parts of a query that multiply."""
    anchored = _anchored(analysis)
    edges = {place(e.pattern): e for e in analysis.edges}
    count = 0
    for node in walk(query):
        if isinstance(node, n.RelationshipPattern):
            count += 1
            bounds = node.length or node.quantifier
            if bounds is None:
                continue
            edge = edges.get(place(node))
            ends = (edge.start, edge.end) if edge is not None else ()
            if bounds.upper is None and node.types is None and not any(s in anchored for s in ends):
                message = "a path without bounds needs an end with a label or a condition, or an upper bound"
                yield finding("COST", message, node.span, "-[*1..3]-")
            elif (most := _most(bounds)) > MAX_HOPS:
                message = f"a path may have {MAX_HOPS} steps; this one has up to {most}"
                yield finding("COST", message, node.span, f"*1..{MAX_HOPS}")
        elif isinstance(node, n.GroupPattern) and node.quantifier is not None:
            most, long = _most(node.quantifier), _length(node)
            if most * long > MAX_HOPS:
                message = (
                    f"a path may have {MAX_HOPS} steps; this one has up to {most * long}, {long} each time"
                )
                yield finding("COST", message, node.quantifier.span, f"{{1,{max(1, MAX_HOPS // long)}}}")
    yield from check_parts(query, analysis)
    if count > MAX_RELATIONSHIPS:
        message = f"a query may have {MAX_RELATIONSHIPS} relationships; this one has {count}"
        yield finding("COST", message, query.span)


def _most(bounds: Quantifier) -> int:
    """Most repetitions that are asked for; without an upper bound at least the lower one."""
    return bounds.lower if bounds.upper is None else bounds.upper


def _length(group: n.GroupPattern) -> int:
    """Relationships of a group, each time that it is repeated."""
    return max(1, sum(isinstance(x, n.RelationshipPattern) for x in group.path.elements))


def check_searches(
    query: n.Query, schema: StoreSchema, parameters: Mapping[str, Parameter]
) -> Iterator[Finding]:
    """Findings of calls of an index: its name is known before the query runs, its neighbours are bounded."""
    vectors = sorted({x.vector_index for x in schema.labels if x.vector_index})
    for node in walk(query):
        if not isinstance(node, n.CallProcedure):
            continue
        values = [_value(a, parameters) for a in node.arguments or ()]
        if "index.fulltext" in node.name.lower():
            if schema.fulltext_indexes is not None:
                yield from _unknown_index(node, values, "full-text", schema.fulltext_indexes)
            continue
        if "index.vector" not in node.name.lower():
            continue
        yield from _unknown_index(node, values, "vector", vectors)
        if len(values) > 1 and not (
            isinstance(values[1], int) and not isinstance(values[1], bool) and 0 < values[1] <= MAX_NEIGHBOURS
        ):
            message = f"a search of an index asks for 1 to {MAX_NEIGHBOURS} neighbours, given as a number"
            yield finding("COST", message, node.span, str(MAX_NEIGHBOURS))


def _unknown_index(
    node: n.CallProcedure, values: list[Parameter], kind: str, known: Sequence[str]
) -> Iterator[Finding]:
    if values and values[0] in known:
        return
    near = nearest(str(values[0]), known) if values and values[0] is not None else []
    meant = f"; did you mean {' or '.join(near)}?" if near else f"; there is {', '.join(known) or 'none'}"
    message = f"there is no such {kind} index{meant}"
    yield finding("SCH1", message, node.span, *(near or known))


def _value(node: n.Expression, parameters: Mapping[str, Parameter]) -> Parameter:
    if isinstance(node, n.Parameter):
        return parameters.get(node.name)
    return node.value if isinstance(node, n.Literal) else None


def _anchored(analysis: Analysis) -> set[Symbol]:
    """Symbols that a label or a condition on a property narrows."""
    found = {s for s in analysis.nodes.values() if s.labels}
    found |= {u.symbol for u in analysis.uses if u.symbol is not None}
    return found | {s for s in analysis.nodes.values() if s.outer in found}


def bound_paths(query: n.Query) -> tuple[n.Query, tuple[Repair, ...]]:
    """The query with an upper bound on every path that had none."""
    repairs: list[Repair] = []

    def change(node: n.Node) -> n.Node:
        if isinstance(node, n.RelationshipPattern):
            bounds = node.length or node.quantifier
            if bounds is None or bounds.upper is not None:
                return node
            new = replace(bounds, upper=max(UNBOUNDED, bounds.lower))
            bounded = replace(node, length=new) if node.length is not None else replace(node, quantifier=new)
            repairs.append(_bounded(write(node), write(bounded), new.upper or UNBOUNDED))
            return bounded
        if isinstance(node, n.GroupPattern) and node.quantifier is not None and node.quantifier.upper is None:
            few = min(UNBOUNDED, max(1, MAX_HOPS // _length(node)))
            new = replace(node.quantifier, upper=max(few, node.quantifier.lower))
            group = replace(node, quantifier=new)
            repairs.append(_bounded(write(node), write(group), new.upper or UNBOUNDED))
            return group
        return node

    return rebuild(query, change), tuple(repairs)


def _bounded(before: str, after: str, upper: int) -> Repair:
    return Repair(
        code="COST",
        message=f"a path without an upper bound was given one: {upper}",
        before=before,
        after=after,
    )
