"""Whether two readings ask the same, however their nodes are numbered."""

from __future__ import annotations

from dataclasses import replace

from cypher.semantics.ir import Clause, ClauseKind, Head, Operator, Part, PropertyRef, Query

_ROUNDS = 4


def form(query: Query) -> tuple[object, ...]:
    """A form that is equal for readings that differ in the numbers of their nodes alone.

    Colours of nodes are refined by their neighbours' (Weisfeiler and Leman 1968), which tells the small trees
    of readings apart. That a property that is asked for be known asks nothing more.
    """
    asked = query.project
    known = tuple(f for f in query.filters if f.operator is not Operator.KNOWN or f.ref not in asked)
    query = replace(query, filters=known)
    colours = _colours(query)
    order = query.order
    return (
        query.head,
        colours[query.answer],
        tuple(sorted(c for i, c in enumerate(colours) if i not in query.inner)),
        tuple(sorted(_ref(r, colours) for r in query.project)),
        *_measured(query, colours),
        order and (_ref(order.ref, colours), order.descending, order.extreme, order.measure, order.distinct),
        order and (order.figure, order.count_edge is not None),
        order and order.within is not None and colours[order.within],
        order and order.count_of is not None and colours[order.count_of],
        query.having and (colours[query.having.node], query.having.operator, query.having.value),
        query.having and query.having.edge is not None,
        (query.limit, query.pooled, query.count_asked),
        tuple(sorted(_clause(c, colours) for c in query.clauses)),
        tuple(sorted(f"{f.ref.name}{f.operator}{f.value}" for f in query.filters if f.ref.on_edge)),
    )


def _measured(query: Query, colours: list[str]) -> tuple[object, ...]:
    """What is measured for each of what, whichever way the reading holds it."""
    if query.measures:
        return (
            tuple((m.measure, _ref(m.ref, colours)) for m in query.measures),
            tuple(_ref(k, colours) for k in query.keys),
        )
    if query.measure is None:
        return ((), ())
    measured = query.measured or PropertyRef(query.answer, "")
    key = query.group or PropertyRef(query.answer, "")
    keys = (_ref(key, colours),) if query.head is Head.GROUP else ()
    return ((query.measure, _ref(measured, colours)),), keys


def _colours(query: Query) -> list[str]:
    parts = [Part(query.edges, query.filters, query.clauses), *_parts(query.clauses)]
    colours = [n.label for n in query.nodes]
    for i in range(len(colours)):
        said = [
            f"{f.ref.name}{f.operator}{f.value}"
            for p in parts
            for f in p.filters
            if not f.ref.on_edge and f.ref.owner == i
        ]
        colours[i] = f"{colours[i]}[{','.join(sorted(said))}]"
    for _ in range(_ROUNDS):
        near: list[list[str]] = [[] for _ in colours]
        for edge in (e for p in parts for e in p.edges):
            sign = "!" if edge.negated else ""
            there, back = "--" if edge.both else "><"
            near[edge.start].append(f"{sign}{edge.types}{there}{colours[edge.end]}")
            near[edge.end].append(f"{sign}{edge.types}{back}{colours[edge.start]}")
        colours = [f"{hash_text(c)}({','.join(sorted(n))})" for c, n in zip(colours, near, strict=True)]
        colours = [hash_text(c) for c in colours]
    return colours


def hash_text(text: str) -> str:
    """A short name for a colour, the same in every run."""
    from hashlib import blake2b

    return blake2b(text.encode(), digest_size=8).hexdigest()


def _parts(clauses: tuple[Clause, ...]) -> list[Part]:
    out: list[Part] = []
    for clause in clauses:
        for part in clause.parts:
            out += [part, *_parts(part.clauses)]
    return out


def _ref(ref: PropertyRef | None, colours: list[str]) -> str:
    if ref is None:
        return ""
    return f"edge.{ref.name}" if ref.on_edge else f"{colours[ref.owner]}.{ref.name}"


def _clause(clause: Clause, colours: list[str]) -> str:
    number = str(clause.number) if clause.kind is ClauseKind.COUNT else ""
    number += f"{clause.measure}{clause.figure}{_ref(clause.ref, colours)}" if clause.measure else ""
    return f"{clause.kind}{clause.operator}{number}{colours[clause.node]}"
