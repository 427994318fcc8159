"""Flags that a store keeps only where they are set: what is not marked as retired is not retired."""

from __future__ import annotations

import time
from dataclasses import replace

from cypher.semantics.ir import Filter, Node, Operator, PropertyRef, Query
from cypher.semantics.probing import matching
from cypher.semantics.reader import SemanticReader
from cypher.semantics.reading import Reading
from cypher.store_empty import MatchProbe, unknown_each

FLAG_SECONDS = 0.5
"""For all looks at flags of one question."""


Places = frozenset[tuple[str, str]]
"""Labels with names of their properties."""


def with_flags(reading: Reading, reader: SemanticReader, probe: MatchProbe) -> tuple[Reading, Places]:
    """The reading, where a flag that is false of nothing is taken for false of what has it not; those flags.

    Where the flag is false of something, or there was no time to look, the reading stays as it is.
    """
    ends = time.monotonic() + FLAG_SECONDS
    asked = {_place(f, c.query): f.ref for c in reading.candidates for f in c.query.filters if _is_off(f)}
    never = frozenset(
        place for place, ref in asked.items() if _is_never_false(place[0], ref, reader, probe, ends)
    )
    if not never:
        return reading, never
    candidates = tuple(replace(c, query=_without_false(c.query, never)) for c in reading.candidates)
    written = reader.write(candidates[0].query)
    return replace(reading, candidates=candidates, written=written), never


def flag_notes(query: Query, never: Places) -> tuple[str, ...]:
    """Which flags were taken so in a reading, in sentences."""
    used = {_place(f, query) for f in query.filters if f.operator is Operator.UNKNOWN and not f.ref.on_edge}
    return tuple(
        f"No {label} has {name} as false, so it was taken as not so where it is missing."
        for label, name in sorted(used & never)
    )


def not_known(query: Query, reader: SemanticReader, probe: MatchProbe, *, seconds: float) -> tuple[str, ...]:
    """Of which conditions that something is not so it is not known of some whether they hold."""
    ends = time.monotonic() + seconds
    said = []
    for text, other in unknown_each(query):
        left = ends - time.monotonic()
        if left > 0 and probe.has_rows(reader.write(matching(other)), timeout=left):
            said.append(f"Of some it is not known whether {text}; they are not among these.")
    return tuple(said)


def _is_off(condition: Filter) -> bool:
    ref = condition.ref
    return condition.operator is Operator.EQ and condition.value is False and not ref.on_edge and not ref.many


def _place(condition: Filter, query: Query) -> tuple[str, str]:
    return query.nodes[condition.ref.owner].label, condition.ref.name


def _is_never_false(
    label: str, ref: PropertyRef, reader: SemanticReader, probe: MatchProbe, ends: float
) -> bool:
    found = Query((Node(label),), filters=(Filter(replace(ref, owner=0), Operator.EQ, False),), limit=1)
    left = ends - time.monotonic()
    return left > 0 and probe.has_rows(reader.write(found), timeout=left) is False


def _without_false(query: Query, never: Places) -> Query:
    filters = tuple(
        Filter(f.ref, Operator.UNKNOWN) if _is_off(f) and _place(f, query) in never else f
        for f in query.filters
    )
    return replace(query, filters=filters)
