"""Which condition leaves nothing of a store's answer: each is left out in turn."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Protocol

from cypher.conditions_looked_at import not_all
from cypher.semantics.denied import denied_nodes
from cypher.semantics.explain import condition_texts, edge_text
from cypher.semantics.ir import Edge, Filter, Head, Node, Operator, Query
from cypher.semantics.probing import matching
from cypher.semantics.reader import SemanticReader
from cypher.semantics.write import Written
from schemas.questions import Value


class MatchProbe(Protocol):
    """Whether a query finds anything; ``None`` where that was not told in time."""

    def has_rows(self, written: Written, *, timeout: float) -> bool | None: ...


def why_empty(
    query: Query,
    reader: SemanticReader,
    probe: MatchProbe,
    *,
    seconds: float,
    clock: Callable[[], float] = time.monotonic,
) -> str:
    """Why a reading matches nothing, in a sentence, with how much was not looked at within ``seconds``.

    First the conditions of which each alone leaves nothing; where there is none, relationships of which the
    graph has none at all.
    """
    ends = clock() + seconds

    def holds(other: Query) -> bool | None:
        left = ends - clock()
        return probe.has_rows(reader.write(matching(other)), timeout=left) if left > 0 else None

    told = [(text, holds(other)) for text, other in without_each(query)]
    left = not_all([held for _, held in told], of=len(told))
    if culprits := [text for text, held in told if held]:
        said = f"Without one of these conditions there would be results: {'; '.join(culprits)}."
        unknown = [text for text, other in unknown_each(query) if text in culprits and holds(other)]
        noted = [f"Of some it is not known whether {text}." for text in unknown]
        return " ".join([said, *noted, left]).rstrip()
    if absent := [text for text, pattern in _patterns(query) if holds(pattern) is False]:
        return f"The graph has no {' and no '.join(dict.fromkeys(absent))}."
    surely = told and all(held is False for _, held in told)
    if not told and len(apart := [text for text, _ in _patterns(query)]) > 1:
        return f"The graph has {' and '.join(dict.fromkeys(apart))}, but nothing for which all of it is so."
    return "Nothing matches with any one of the conditions left out either." if surely else left


def tells_nothing(query: Query, rows: Sequence[Sequence[Value]]) -> bool:
    """Whether there are no rows, or only what a measure of nothing is.

    >>> from cypher.semantics.ir import Measure
    >>> average = Query((Node("Ferry"),), head=Head.AGGREGATE, measure=Measure.AVG)
    >>> tells_nothing(average, [(None,)]), tells_nothing(Query((Node("Ferry"),)), [(None,)])
    (True, False)
    """
    return not rows or (_is_one_figure(query) and len(rows) == 1 and all(v is None for v in rows[0]))


def counts_nothing(query: Query, rows: Sequence[Sequence[Value]]) -> bool:
    """Whether the answer is that there are none."""
    return query.head is Head.COUNT and _is_one_figure(query) and list(map(tuple, rows)) == [(0,)]


def _is_one_figure(query: Query) -> bool:
    return query.head in (Head.COUNT, Head.AGGREGATE) and not query.keys


def without_each(query: Query) -> Iterator[tuple[str, Query]]:
    """Each condition in English, with the query without it; what is denied is one condition."""
    filters, clauses, having = condition_texts(query)
    denied = denied_nodes(query)
    for i, text in enumerate(filters):
        if query.filters[i].ref.on_edge or query.filters[i].ref.owner not in denied:
            yield text, _without_filter(query, i)
    for i, text in enumerate(clauses):
        yield text, replace(query, clauses=query.clauses[:i] + query.clauses[i + 1 :])
    if having:
        yield having, replace(query, having=None)
    no = [i for i, e in enumerate(query.edges) if e.negated or {e.start, e.end} & denied]
    if no and not any(f.ref.on_edge for f in query.filters):  # they tell edges by their places
        text = " and ".join(edge_text(query, i) for i in no)
        kept = tuple(e for i, e in enumerate(query.edges) if i not in no)
        plain = tuple(f for f in query.filters if f.ref.owner not in denied)
        yield text, replace(query, edges=kept, filters=plain, inner=query.inner | denied)


def _without_filter(query: Query, i: int) -> Query:
    """The query without a condition; what is told of nothing any more may be what another is told of."""
    ref = query.filters[i].ref
    ends = set() if ref.on_edge or ref.owner == query.answer else {ref.owner}
    free = {k for k, e in enumerate(query.edges) if ends & {e.start, e.end} and _has_twin(query, k)}
    kept = query.filters[:i] + query.filters[i + 1 :]
    return replace(query, filters=kept, again=query.again | free)


def _has_twin(query: Query, k: int) -> bool:
    """Whether another relationship of the pattern may be the same one."""
    own = query.edges[k]
    return any(i != k and set(e.types) & set(own.types) and not e.negated for i, e in enumerate(query.edges))


def unknown_each(query: Query) -> Iterator[tuple[str, Query]]:
    """Each condition that something is not so, with the query for what that is not known of.

    A flag that is told of what has it alone is unknown of all else, which no condition on it lets through.
    """
    filters, _, _ = condition_texts(query)
    for i, f in enumerate(query.filters):
        if f.ref.name and f.other is None and (f.operator is Operator.NE or f.value is False):
            unknown = Filter(f.ref, Operator.UNKNOWN)
            yield filters[i], replace(query, filters=(*query.filters[:i], unknown, *query.filters[i + 1 :]))


def _patterns(query: Query) -> Iterator[tuple[str, Query]]:
    """Each relationship of the pattern alone; the node alone where there is none."""
    inner = query.inner | denied_nodes(query)
    plain = [i for i, e in enumerate(query.edges) if not e.negated and not {e.start, e.end} & inner]
    for i in plain:
        edge = query.edges[i]
        ends = (query.nodes[edge.start], query.nodes[edge.end])
        yield edge_text(query, i, plain=True), _found(ends, (Edge(0, 1, edge.types, both=edge.both),))
    if not plain:
        node = query.nodes[query.answer]
        yield node.label, _found((node,), ())


def _found(nodes: tuple[Node, ...], edges: tuple[Edge, ...]) -> Query:
    return Query(nodes, edges)
