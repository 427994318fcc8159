"""Several things of one name: an answer about "John MacLeod" is about both of them, and says so."""

from __future__ import annotations

import time
from collections.abc import Iterator

from cypher.semantics.ir import Filter, Head, Node, Operator, PropertyRef, Query
from cypher.semantics.reader import SemanticReader
from cypher.semantics.weighing import AnswerProbe

_MOST_NAMES = 3


def namesakes(query: Query, reader: SemanticReader, probe: AnswerProbe, *, seconds: float) -> tuple[str, ...]:
    """A sentence for each name in a question that several things of its kind have; ``seconds`` for all looks.

    A look that is late says nothing.
    """
    ends = time.monotonic() + seconds
    told: list[str] = []
    for label, told_by in dict.fromkeys(_named(query, reader)):
        left = ends - time.monotonic()
        if left <= 0 or len(told) >= _MOST_NAMES:
            break
        plain = Query((Node(label),), filters=(told_by,), head=Head.COUNT)
        rows = probe.rows(reader.write(plain), most=1, timeout=left)
        count = rows[0][0] if rows else None
        if isinstance(count, int) and count > 1:
            told.append(f"{count} of {label} are called '{told_by.value}': all of them are meant.")
    return tuple(told)


def _named(query: Query, reader: SemanticReader) -> Iterator[tuple[str, Filter]]:
    """The conditions on what things are called, each with its label, as of the only node of a pattern."""
    for told in query.filters:
        ref = told.ref
        if ref.on_edge or told.operator is not Operator.EQ or not isinstance(told.value, str):
            continue
        known = reader.schema.label(query.nodes[ref.owner].label)
        if known is not None and known.name_property == ref.name:
            yield known.name, Filter(PropertyRef(0, ref.name), Operator.EQ, told.value)
