"""Decisions on merges: two entities are the same or different, what waits for review, what conflicts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from canonicalize.conflicts import find_conflicts
from canonicalize.explain import Explainer
from canonicalize.judge import ThresholdJudge
from kg.corpus import record_columns, resolution_in_force
from kg.entity_lookup import EntityLookup, Named, cross_pairs
from kg.merge_report import load_report
from kg.review_payloads import GroupPayload
from kg.wiring import Platform
from schemas.errors import UsageError
from schemas.graph_schema import EntityType
from schemas.graphs import DocumentGraph, Record
from schemas.ids import EntityId, RecordId
from schemas.model import Frozen
from schemas.review import Constraints, Event, EventKind, FactConflict, Feature, PairExplanation, Round

MOST_PAIRS = 2_500
"""Pairs of records that one decision may be about."""
MOST_EXPLAINED = 200
"""Pairs of spellings of two entities among which the nearest is explained."""


@dataclass(frozen=True, slots=True)
class Decided:
    """A decision on two things, and its event."""

    left: Named
    right: Named
    event: Event
    reverses: tuple[int, ...] = ()
    """Standing decisions to the contrary on the same records, which this one overrides."""


def decide(platform: Platform, left: str, right: str, *, same: bool, reason: str = "") -> Decided:
    """Log that two entities or records are one, or are not; the next resolve does it.

    An entity stands for its spellings, so a decision on two entities is about every pair of these; a
    decision that they are one also overrides every standing one that keeps their records apart. Raises
    ``UsageError`` when the two are of different types, or when they are one entity and only entities were
    named: then records have to be.
    """
    with platform.workspace.writing():
        lookup = EntityLookup(platform.graph())
        a, b = lookup.find(left), lookup.find(right)
        _check(a, b, same=same)
        pairs = [(a.records[0], b.records[0])] if same else cross_pairs(a.records, b.records)
        contrary = _contrary(platform.log.constraints(), a, b, same=same, pairs=pairs)
        pairs = sorted({*pairs, *contrary}) if same else pairs
        if len(pairs) > MOST_PAIRS:
            raise UsageError(
                f"expected a decision on at most {MOST_PAIRS} pairs of spellings, found {len(pairs)}; name "
                "records in place of entities"
            )
        kind = EventKind.MUST_LINK if same else EventKind.CANNOT_LINK
        event = platform.log.link(kind, pairs, actor="kg decide", reason=reason)
        return Decided(a, b, event, tuple(sorted(set(contrary.values()))))


def _contrary(
    constraints: Constraints, a: Named, b: Named, *, same: bool, pairs: Sequence[tuple[RecordId, RecordId]]
) -> dict[tuple[RecordId, RecordId], int]:
    """Pairs with a standing decision that the new one overrides, and its event."""
    if not same:
        wanted = {frozenset(pair) for pair in pairs}
        return {(x, y): seq for x, y, seq in constraints.must_link if frozenset((x, y)) in wanted}
    left, right = {*a.entity.records}, {*b.entity.records}
    if left == right:
        left, right = {*a.records}, {*b.records}
    return {
        (x, y): seq
        for x, y, seq in constraints.cannot_link
        if (x in left and y in right) or (x in right and y in left)
    }


def _check(a: Named, b: Named, *, same: bool) -> None:
    if a.entity.type != b.entity.type:
        raise UsageError(
            f"expected two entities of one type, found {a.entity.type} {a.entity.name!r} and "
            f"{b.entity.type} {b.entity.name!r}"
        )
    if a.records == b.records:
        raise UsageError(f"expected two things, found one: {a.text} ({a.records[0]})")
    if not same and set(a.records) & set(b.records):
        raise UsageError(
            f"{a.text} is one entity: name two of its records to tell them apart; `kg why` lists them"
        )


class QueueItem(Frozen):
    """A merge that waits for a reviewer, or that a rule forbade."""

    type: str
    names: tuple[str, ...]
    records: tuple[RecordId, ...]
    """One per part; ``kg same`` and ``kg different`` take them."""
    documents: tuple[str, ...]
    score: float
    judge: str = ""
    rule: str = ""
    reason: str = ""
    features: tuple[Feature, ...] = ()


class Queue(Frozen):
    """What the latest resolution left for people, without what has been decided since."""

    unsure: tuple[QueueItem, ...]
    blocked: tuple[QueueItem, ...]
    blocked_total: dict[str, int]
    rounds: tuple[Round, ...]


def merge_queue(platform: Platform) -> Queue:
    """The merges left open; pairs on which a reviewer has decided, and vanished records, are left out."""
    report = load_report(platform.workspace)
    lookup = EntityLookup(platform.graph())
    constraints = platform.log.constraints()
    decided = {frozenset((a, b)) for a, b, _ in (*constraints.must_link, *constraints.cannot_link)}
    unsure = [
        QueueItem(
            type=p.type, score=p.score, judge=p.judge, reason=p.reason, features=p.features, **_who(found)
        )
        for p in report.unsure
        if len(found := _parts(lookup, p.records)) > 1 and not _settled(found, decided)
    ]
    blocked = [
        QueueItem(type=found[0].type, score=b.score, rule=b.rule, **_who(found))
        for b in report.blocked
        if len(found := _parts(lookup, (b.left, b.right))) > 1
        and not b.rule.startswith("cannot_link")
        and not _settled(found, decided)
    ]
    return Queue(
        unsure=tuple(unsure),
        blocked=tuple(blocked),
        blocked_total=report.blocked_total,
        rounds=report.rounds,
    )


def _parts(lookup: EntityLookup, records: Sequence[RecordId]) -> list[Record]:
    """One record of each entity that the records belong to now, in order."""
    first: dict[EntityId, Record] = {}
    for record in records:
        entity, found = lookup.entity_of(record), lookup.record(record)
        if entity is not None and found is not None:
            first.setdefault(entity.id, found)
    return list(first.values())


def _settled(parts: Sequence[Record], decided: set[frozenset[RecordId]]) -> bool:
    return len(parts) == 2 and frozenset(r.id for r in parts) in decided


def _who(parts: Sequence[Record]) -> dict[str, tuple[str, ...]]:
    return {
        "names": tuple(r.name for r in parts),
        "records": tuple(r.id for r in parts),
        "documents": tuple(r.document for r in parts),
    }


def why(platform: Platform, left: str, right: str) -> PairExplanation:
    """Why two records are one entity or not; an entity stands for its spelling nearest to the other's.

    Raises ``UsageError`` when a name fits nothing or several, or when the two are of different types.
    """
    lookup = EntityLookup(platform.graph())
    a, b = lookup.find(left), lookup.find(right)
    if a.entity.type != b.entity.type:
        raise UsageError(
            f"{a.text} and {b.text} are of different types; entities of different types are never one"
        )
    pairs = [(x, y) for x in a.records for y in b.records if x != y]
    if not pairs:
        raise UsageError(f"expected two things, found one: {a.text} has one record, {a.records[0]}")
    kind = platform.workspace.schema.entity(a.entity.type)
    explainer = _explainer(platform, kind)
    found = [explainer.explain(x, y) for x, y in pairs[:MOST_EXPLAINED]]
    best = max(found, key=lambda e: (e.same, 1.0 if e.score is None else e.score, e.left, e.right))
    events = platform.log.about((best.left, best.right))
    if judge := _judge_of(platform, events):
        best = explainer.explain(best.left, best.right, judge=judge)
    return best.model_copy(update={"events": events})


def _judge_of(platform: Platform, events: Sequence[int]) -> str:
    """The judge that the latest merge among the events names; empty for the threshold."""
    wanted = frozenset(events)
    merges = [e for e in platform.log.events() if e.seq in wanted and e.kind is EventKind.MERGE]
    judge = GroupPayload.model_validate_json(merges[-1].payload).judge if merges else ""
    return "" if judge == ThresholdJudge.name else judge


def _explainer(platform: Platform, kind: EntityType) -> Explainer:
    graphs = tuple(platform.workspace.graphs())
    mine = [g.model_copy(update={"records": _of_type(g, kind), "statements": ()}) for g in graphs]
    tables = record_columns(mine, platform.workspace.schema, platform.embedder, progress=platform.progress)
    force = resolution_in_force(graphs, platform.log)
    owners = {r: g.id for g in force.groups if g.type == kind.name for r in g.records}
    return Explainer(tables[0], platform.workspace.schema, platform.log.constraints(), owners)


def _of_type(graph: DocumentGraph, kind: EntityType) -> tuple[Record, ...]:
    return tuple(r for r in graph.records if r.type == kind.name)


def conflicts(platform: Platform, *, kind: str = "") -> tuple[FactConflict, ...]:
    """Facts of different documents that cannot all be right; ``kind`` is an entity or relation type."""
    schema = platform.workspace.schema
    known = [*(e.name for e in schema.entities), *(r.name for r in schema.relations)]
    if kind and kind not in known:
        raise UsageError(f"expected one of {', '.join(known)}, found {kind!r}")
    found = find_conflicts(platform.graph(), schema)
    return tuple(c for c in found if not kind or c.type == kind)
