"""What a store does not know of the things that a question compares or asks about: a "no" would mislead."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final, Protocol

from cypher.semantics.denied import denied_nodes
from cypher.semantics.ir import Filter, Head, Operator, PropertyRef, Query, edge_of
from cypher.semantics.probing import matching
from cypher.semantics.reader import SemanticReader
from cypher.semantics.stored import type_of
from cypher.semantics.text import identifier_words
from cypher.semantics.weighing import AnswerProbe
from cypher.store_empty import MatchProbe
from schemas.store_schema import PropertyType

_TELLING: Final = frozenset({Operator.EQ, Operator.NE, Operator.GT, Operator.GE, Operator.LT, Operator.LE})
_MOST_NAMED: Final = 5


class StoreProbe(MatchProbe, AnswerProbe, Protocol):
    """Looks into a store."""


def unknown_of_named(query: Query, reader: SemanticReader, probe: StoreProbe, *, seconds: float) -> str:
    """What is not known of things that are compared by name, in a sentence; empty where all of it is."""
    order = query.order
    if order is None or order.ref is None or order.ref.on_edge or order.ref.owner != query.answer:
        return ""
    name = _name_of(query.answer, query, reader)
    named = any(_is_same(f.ref, name) and f.operator is Operator.IN for f in query.filters)
    if not named or query.head is not Head.LIST or not seconds:
        return ""
    unknown = (*query.filters, Filter(order.ref, Operator.UNKNOWN))
    without = replace(query, filters=unknown, order=None, limit=None, project=(), show_order=False)
    rows = probe.rows(reader.write(without), most=_MOST_NAMED, timeout=seconds)
    return " ".join(_told(order.ref, query, str(row[0])) for row in rows or ())


def unknown_whether(query: Query, reader: SemanticReader, probe: StoreProbe, *, seconds: float) -> str:
    """Why it is not known whether something is so, in a sentence; empty where "no" is the answer.

    That is where a condition fails for want of a value alone: what fits all others has none. A flag that is
    false of nothing is not set where it is missing.
    """
    ends = time.monotonic() + seconds

    def holds(other: Query) -> bool | None:
        left = ends - time.monotonic()
        return probe.has_rows(reader.write(matching(other)), timeout=left) if left > 0 else None

    for i, told in _conditions(query, reader):
        rest = query.filters[:i] + query.filters[i + 1 :]
        refs = [told.ref, *([told.other] if told.other is not None else [])]
        known = (Filter(ref, Operator.KNOWN) for ref in refs)
        if holds(replace(query, filters=(*rest, *known))) is not False or _is_unset(
            told, query, reader, holds
        ):
            continue
        for ref in refs:
            if holds(replace(query, filters=(*rest, Filter(ref, Operator.UNKNOWN)))):
                return _told(ref, query, _called(ref, query, reader))
    return ""


def _conditions(query: Query, reader: SemanticReader) -> Iterator[tuple[int, Filter]]:
    """What is asked of things, not what they are called by."""
    inner = query.inner | denied_nodes(query)
    for i, f in enumerate(query.filters):
        own = f.ref.on_edge or f.ref.owner not in inner
        plain = own and f.ref.name and not f.ref.many and f.operator in _TELLING
        if plain and (f.ref.on_edge or not _is_same(f.ref, _name_of(f.ref.owner, query, reader))):
            yield i, f


def _is_unset(
    told: Filter, query: Query, reader: SemanticReader, holds: Callable[[Query], bool | None]
) -> bool:
    """Whether it is a flag that is false of nothing."""
    if type_of(query, told.ref, reader.schema) is not PropertyType.BOOLEAN or told.ref.on_edge:
        return False
    off = Filter(replace(told.ref, owner=0), Operator.EQ, False)
    return holds(Query((query.nodes[told.ref.owner],), filters=(off,))) is False


def _is_same(ref: PropertyRef, name: PropertyRef | None) -> bool:
    return name is not None and not ref.on_edge and (ref.owner, ref.name) == (name.owner, name.name)


def _name_of(owner: int, query: Query, reader: SemanticReader) -> PropertyRef | None:
    label = reader.schema.label(query.nodes[owner].label)
    return PropertyRef(owner, label.name_property) if label and label.name_property else None


def _called(ref: PropertyRef, query: Query, reader: SemanticReader) -> str:
    """What the thing that has the property is called, where the question says it."""
    name = None if ref.on_edge else _name_of(ref.owner, query, reader)
    called = [f.value for f in query.filters if _is_same(f.ref, name) and f.operator is Operator.EQ]
    return str(called[0]) if called else ""


def _told(ref: PropertyRef, query: Query, called: str) -> str:
    """That a property is not known, in a sentence."""
    words = " ".join(identifier_words(ref.name))
    owner = called or "/".join(edge_of(query, ref).types if ref.on_edge else (query.nodes[ref.owner].label,))
    return f"The graph has no '{words}' for {owner}."
