"""One canonical graph from the documents' graphs and a resolution."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain

from canonicalize.naming import compress_redirects
from schemas.errors import DataError
from schemas.graph_schema import GraphSchema
from schemas.graphs import (
    CanonicalGraph,
    DocumentGraph,
    Entity,
    Origin,
    Record,
    Redirect,
    Statement,
    Status,
)
from schemas.ids import EntityId, RecordId, canonical_json
from schemas.model import AttributeValue
from schemas.review import Group, Resolution

_RANK = {Status.DRAFT: 0, Status.VETTED: 1, Status.PUBLISHED: 2}


def canonical_graph(
    graphs: Iterable[DocumentGraph],
    resolution: Resolution,
    schema: GraphSchema,
    *,
    redirects: Mapping[EntityId, EntityId] | None = None,
) -> CanonicalGraph:
    """The graph of entities that ``resolution`` makes of the records of ``graphs``.

    Entities, records, statements and redirects are sorted by id; nothing depends on the order of
    ``graphs``. Of an entity's records, those from a listing choose name and attributes; among equals
    the most frequent name wins (ties: shorter, then alphabetical), the longest description, the highest
    status. A description that a judge chose for the group goes before, and so does its name where no
    listing gives one; the records' own names are aliases then. ``redirects`` are those in force before
    this resolution; a redirect whose target is not in the graph (its documents were removed) is left out.

    Raises ``DataError`` when records and resolution do not match, ``SchemaError`` for an unknown type.
    """
    records, statements = _collect(graphs)
    for kind in sorted({r.type for r in records.values()}):
        schema.entity(kind)
    grouped = {record for group in resolution.groups for record in group.records}
    if grouped != records.keys():
        odd = min(grouped ^ records.keys())
        raise DataError(
            f"expected every record in exactly one group, found record {odd} only in"
            f" {'a group' if odd in grouped else 'a document graph'}; resolve these documents again"
        )
    groups = sorted(resolution.groups, key=lambda g: g.id)
    return CanonicalGraph(
        entities=tuple(merge_records(group, [records[r] for r in group.records]) for group in groups),
        records=tuple(records[r] for r in sorted(records)),
        statements=tuple(statements[s] for s in sorted(statements)),
        redirects=_redirects(redirects or {}, resolution),
    )


def merge_records(group: Group, records: Sequence[Record]) -> Entity:
    """The entity of one group; ``records`` are its records in any order."""
    strange = next((r for r in records if r.type != group.type), None)
    if strange is not None:
        raise DataError(
            f"group {group.id} is of type {group.type}, its record {strange.id} of {strange.type}"
        )
    if len(records) == 1:
        return _single(group, records[0])
    listed = [r for r in records if r.origin is Origin.PDG_TABLES]
    chosen = "" if listed else group.name
    name = chosen or _most_frequent(r.name for r in listed or records)
    others = {r.name for r in records} | set(chain.from_iterable(r.aliases for r in records))
    return Entity(
        id=group.id,
        type=group.type,
        name=name,
        description=group.description or min((r.description for r in records), key=lambda d: (-len(d), d)),
        aliases=tuple(sorted(others - {name})),
        attributes=_attributes(listed, records),
        records=group.records,
        status=max((r.status for r in records), key=_RANK.__getitem__),
    )


def _single(group: Group, record: Record) -> Entity:
    return Entity(
        id=group.id,
        type=group.type,
        name=record.name,
        description=record.description,
        aliases=tuple(sorted({*record.aliases} - {record.name})),
        attributes={key: record.attributes[key] for key in sorted(record.attributes)},
        records=group.records,
        status=record.status,
    )


def _collect(
    graphs: Iterable[DocumentGraph],
) -> tuple[dict[RecordId, Record], dict[str, Statement]]:
    records: dict[RecordId, Record] = {}
    statements: dict[str, Statement] = {}
    for graph in graphs:
        expected = (len(records) + len(graph.records), len(statements) + len(graph.statements))
        records.update((r.id, r) for r in graph.records)
        statements.update((s.id, s) for s in graph.statements)
        if (len(records), len(statements)) != expected:
            raise DataError(
                f"document {graph.document}: a record or statement id occurs in two document graphs;"
                " expected each document once"
            )
    return records, statements


def _most_frequent(names: Iterable[str]) -> str:
    counts = Counter(names)
    return min(counts, key=lambda n: (-counts[n], len(n), n))


def _attributes(listed: Sequence[Record], records: Sequence[Record]) -> dict[str, AttributeValue]:
    """Per attribute the most frequent value, those of listings first (ties: smallest JSON)."""
    chosen: dict[str, AttributeValue] = {}
    for source in (listed, records):
        values: dict[str, dict[str, tuple[AttributeValue, int]]] = {}
        for record in source:
            for key, value in record.attributes.items():
                if key not in chosen:
                    seen = values.setdefault(key, {})
                    text = canonical_json(value)
                    seen[text] = (value, seen.get(text, (value, 0))[1] + 1)
        for key, seen in values.items():
            chosen[key] = seen[min(seen, key=lambda t, s=seen: (-s[t][1], t))][0]  # type: ignore[misc]
    return {key: chosen[key] for key in sorted(chosen)}


def _redirects(before: Mapping[EntityId, EntityId], resolution: Resolution) -> tuple[Redirect, ...]:
    live = {group.id for group in resolution.groups}
    table = compress_redirects(
        {old: new for old, new in before.items() if old not in live},
        {old: new for old, new in resolution.redirects.items() if old not in live},
    )
    return tuple(Redirect(old=old, new=new) for old, new in table.items() if new in live)
