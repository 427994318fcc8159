"""Texts that stand for no value: a fax "NULL" is no fax, and no day is later than a day "N/A"."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

from cypher.semantics.ir import (
    Clause,
    ClauseKind,
    Filter,
    Measure,
    Operator,
    Part,
    PropertyRef,
    Query,
    edge_of,
)
from cypher.semantics.text import value_key
from cypher.semantics.values import ValueTable

TEXTS: Final = frozenset({"NULL", "null", "Null", "N/A", "n/a", "NaN", "nan", "#N/A", "<NA>", "<null>"})
"""What exports of tables write where nothing is; words such as "none" may be meant."""
_SORTED: Final = frozenset({Operator.GT, Operator.GE, Operator.LT, Operator.LE})
_EXTREMES: Final = (Measure.MIN, Measure.MAX)

Absent = Mapping[tuple[str, str], tuple[str, ...]]
"""The texts that stand for no value, by label or type and property."""


def absent_texts(values: ValueTable) -> Absent:
    """Where the values of a graph have such texts.

    >>> from cypher.semantics.values import StoredValue
    >>> flags = [StoredValue("Ship", "flag", text) for text in ("NULL", "red")]
    >>> absent_texts(ValueTable(flags))
    {('Ship', 'flag'): ('NULL',)}
    """
    out: dict[tuple[str, str], set[str]] = defaultdict(set)
    for key in {value_key(text) for text in TEXTS}:
        for found in values.exact(key):
            if found.text in TEXTS:
                out[found.owner, found.property].add(found.text)
    return {place: tuple(sorted(texts)) for place, texts in out.items()}


def without_absent(query: Query, absent: Absent) -> Query:
    """The reading with conditions that count such a text as no value, and never compare or sort it."""
    if not absent:
        return query
    top, clauses = _told(query.filters, query, absent)
    sorted_by = [query.order.ref if query.order else None]
    sorted_by += [query.measured] if query.measure in _EXTREMES else []
    sorted_by += [m.ref for m in query.measures if m.measure in _EXTREMES]
    sorted_by += [r for r in (*query.keys, query.group) if r is not None and r.period is not None]
    known = [f for ref in sorted_by if ref is not None for f in _known(ref, query, absent)]
    inner = tuple(_clause(c, query, absent) for c in query.clauses)
    filters = tuple(dict.fromkeys((*top, *known)))
    return replace(query, filters=filters, clauses=(*inner, *clauses))


def _clause(clause: Clause, query: Query, absent: Absent) -> Clause:
    if clause.kind is ClauseKind.ANY and any(_is_gap(p) for p in clause.parts):
        return clause  # told before
    parts = []
    for part in clause.parts:
        filters, more = _told(part.filters, query, absent)
        if clause.kind is ClauseKind.BEST and clause.ref is not None:
            filters += _known(replace(clause.ref, owner=clause.copy), query, absent)
        inside = tuple(_clause(c, query, absent) for c in part.clauses)
        parts.append(replace(part, filters=tuple(dict.fromkeys(filters)), clauses=(*inside, *more)))
    return replace(clause, parts=tuple(parts))


def _is_gap(part: Part) -> bool:
    return not (part.edges or part.clauses) and [f.operator for f in part.filters] == [Operator.UNKNOWN]


def _told(filters: tuple[Filter, ...], query: Query, absent: Absent) -> tuple[list[Filter], list[Clause]]:
    out: list[Filter] = []
    clauses: list[Clause] = []
    for f in filters:
        texts = _texts(f.ref, query, absent)
        if f.operator is Operator.UNKNOWN and texts:
            options = (f, *(Filter(f.ref, Operator.EQ, text) for text in texts))
            clauses.append(Clause(ClauseKind.ANY, tuple(Part(filters=(x,)) for x in options)))
        elif f.operator is Operator.KNOWN and texts:
            out += [Filter(f.ref, Operator.NE, text) for text in texts]
        elif f.operator in _SORTED:
            out += [f, *_known(f.ref, query, absent)]
            out += _known(f.other, query, absent) if f.other is not None else ()
        else:
            out.append(f)
    return out, clauses


def _known(ref: PropertyRef, query: Query, absent: Absent) -> Iterator[Filter]:
    if not ref.numeric_text:
        yield from (Filter(ref, Operator.NE, text) for text in _texts(ref, query, absent))


def _texts(ref: PropertyRef, query: Query, absent: Absent) -> tuple[str, ...]:
    if not ref.name:
        return ()
    owners = edge_of(query, ref).types if ref.on_edge else (query.nodes[ref.owner].label,)
    return tuple(dict.fromkeys(text for owner in owners for text in absent.get((owner, ref.name), ())))
