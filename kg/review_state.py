"""What the event log means: the pure fold from events to partition, ids and constraints."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import combinations, product

from kg.review_items import ITEM_KINDS, later_decisions
from kg.review_payloads import GroupPayload, LinkPayload, MintPayload
from schemas.errors import UsageError
from schemas.ids import EntityId, RecordId
from schemas.review import Constraints, Event, EventKind, PriorIds, Resolution

Link = tuple[RecordId, RecordId, int]
_NOBODY: tuple[RecordId, ...] = ()


@dataclass(frozen=True, slots=True)
class _Change:
    """A MERGE or SPLIT in force: what it touched and the parts that it joined."""

    kind: EventKind
    touched: frozenset[RecordId]
    parts: tuple[tuple[RecordId, ...], ...]


@dataclass(slots=True)
class State:
    """The log folded: explicit groups, redirects, changes in force and links.

    A record in no explicit group is an entity of its own under its own id.
    """

    members: dict[EntityId, tuple[RecordId, ...]] = field(default_factory=dict)
    """Explicit groups, oldest id first."""
    types: dict[EntityId, str] = field(default_factory=dict)
    shown: dict[EntityId, tuple[str, str]] = field(default_factory=dict)
    """Name and description that a judge chose; either may be empty."""
    owner: dict[RecordId, EntityId] = field(default_factory=dict)
    minted: dict[RecordId, None] = field(default_factory=dict)
    """Records that a resolution has seen, oldest first: their ids may be in use outside."""
    redirects: dict[EntityId, EntityId] = field(default_factory=dict)
    changes: dict[int, _Change] = field(default_factory=dict)
    undone_by: dict[int, int] = field(default_factory=dict)
    """Event taken back -> the UNDO in force that did it."""
    links: dict[tuple[RecordId, RecordId], tuple[int, EventKind]] = field(default_factory=dict)
    """Sorted pair -> the latest decision on it."""

    def entity(self, record: RecordId) -> EntityId:
        """The entity of a record, explicit or implied."""
        return self.owner.get(record, EntityId(record))

    def constraints(self) -> Constraints:
        """The links in force, sorted by event and pair; of two decisions on a pair the later one counts."""
        found: dict[EventKind, list[Link]] = {EventKind.MUST_LINK: [], EventKind.CANNOT_LINK: []}
        for (left, right), (seq, kind) in self.links.items():
            found[kind].append((left, right, seq))
        ordered = {
            kind: tuple(sorted(links, key=lambda x: (x[2], x[0], x[1]))) for kind, links in found.items()
        }
        return Constraints(must_link=ordered[EventKind.MUST_LINK], cannot_link=ordered[EventKind.CANNOT_LINK])

    def prior_ids(self) -> PriorIds:
        """Ids of all records seen so far, oldest record first; and redirects."""
        owner = self.owner
        entity_of = {record: owner.get(record, EntityId(record)) for record in self.minted}
        for entity, records in self.members.items():
            entity_of |= dict.fromkeys(records, entity)
        return PriorIds.model_construct(entity_of=entity_of, redirects=dict(self.redirects))


def fold(events: Iterable[Event]) -> State:
    """State after ``events``, which must be complete and in order."""
    log = list(events)
    state = State(undone_by=_undone(log))
    extend(state, log)
    return state


def extend(state: State, events: Iterable[Event], *, changes: bool = True) -> None:
    """Go on with later events, of which none takes one back; ``changes`` are kept for who undoes them."""
    for event in events:
        if event.kind in (EventKind.MERGE, EventKind.SPLIT):
            payload = GroupPayload.model_validate_json(event.payload)
            if event.seq in state.undone_by:
                _reverse(state, event, payload)
            else:
                if changes:
                    state.changes[event.seq] = _change(state, event, payload)
                _apply(state, payload)
        elif event.kind is EventKind.MINT:
            if event.seq not in state.undone_by:
                state.minted |= dict.fromkeys(MintPayload.model_validate_json(event.payload).records)
        elif event.kind in (EventKind.MUST_LINK, EventKind.CANNOT_LINK) and event.seq not in state.undone_by:
            for left, right in LinkPayload.model_validate_json(event.payload).pairs:
                _link(state, left, right, seq=event.seq, kind=event.kind)


def undo_target(log: list[Event], seq: int) -> None:
    """Raise ``UsageError`` unless event ``seq`` can be taken back now, with the exact former state."""
    if not 1 <= seq <= len(log):
        known = f"the log has events 1 to {len(log)}" if log else "the log is empty"
        raise UsageError(f"event {seq} does not exist; {known}")
    state = fold(log)
    if seq in state.undone_by:
        raise UsageError(
            f"event {seq} is undone already by event {state.undone_by[seq]}; undo that one to redo it"
        )
    base = log[seq - 1]
    while base.kind is EventKind.UNDO and base.ref is not None:
        base = log[base.ref - 1]
    if base.kind in ITEM_KINDS:
        later = later_decisions(log, base, undone=state.undone_by)
    elif base.kind in (EventKind.MERGE, EventKind.SPLIT):
        touched = _touched(log, base, state)
        later = [s for s, change in state.changes.items() if s > base.seq and change.touched & touched]
    else:
        return
    if later:
        listed = ", ".join(map(str, later[:10])) + (" ..." if len(later) > 10 else "")
        raise UsageError(
            f"event {seq} cannot be undone: {len(later)} later decisions depend on it ({listed});"
            " undo them first"
        )


def difference(state: State, resolution: Resolution) -> list[tuple[EventKind, GroupPayload]]:
    """Events that lead from ``state`` to ``resolution``, by entity id; empty when they agree.

    Records that the resolution does not hold (their documents are not part of it) stay where they are.
    """
    present = {record for group in resolution.groups for record in group.records}
    proposals = {p.records: p for p in resolution.proposals}
    gone: dict[EntityId, list[EntityId]] = {}
    for old, new in resolution.redirects.items():
        if state.redirects.get(old) != new:
            gone.setdefault(new, []).append(old)
    changed: list[tuple[EventKind, GroupPayload]] = []
    shrunk: set[EntityId] = set()
    implied: list[tuple[EventKind, GroupPayload]] = []
    for group in resolution.groups:
        explicit = state.members.get(group.id)
        before = explicit if explicit is not None else _implied(state, group.id)
        now = tuple(r for r in before if r in present)
        redirects = tuple(sorted(gone.get(group.id, ())))
        if now == group.records and not redirects:
            continue
        absent = tuple(r for r in before if r not in present)
        gained = not set(group.records) <= set(now)
        kind = EventKind.MERGE if gained and len(group.records) > 1 else EventKind.SPLIT
        why = proposals.get(group.records)
        payload = GroupPayload(
            id=group.id,
            type=group.type,
            records=tuple(sorted({*group.records, *absent})),
            redirects=redirects,
            score=why.score if why else None,
            judge=why.judge if why else "",
            features=why.features if why else (),
            reason=why.reason if why else "",
            round=why.round if why else 1,
            name=why.name if why else "",
            description=why.description if why else "",
        )
        alone = payload.records == (RecordId(group.id),) and not redirects
        (implied if alone else changed).append((kind, payload))
        if not alone:
            shrunk.add(group.id)
    needed = [(k, p) for k, p in implied if state.entity(p.records[0]) not in shrunk]
    return sorted(changed + needed, key=lambda item: (item[0] is EventKind.MERGE, item[1].id))


def unminted(state: State, resolution: Resolution) -> list[RecordId]:
    """Records of the resolution that the log has not seen yet, sorted."""
    return sorted(r for group in resolution.groups for r in group.records if r not in state.minted)


def _implied(state: State, entity: EntityId) -> tuple[RecordId, ...]:
    record = RecordId(entity)
    return () if record in state.owner else (record,)


def _undone(log: list[Event]) -> dict[int, int]:
    """Events taken back by an UNDO that is itself in force: later events decide about earlier ones."""
    undone: dict[int, int] = {}
    for event in reversed(log):
        if event.kind is EventKind.UNDO and event.ref is not None and event.seq not in undone:
            undone[event.ref] = event.seq
    return undone


def _change(state: State, event: Event, payload: GroupPayload) -> _Change:
    touched = {*payload.records, *state.members.get(payload.id, ()), *map(RecordId, payload.redirects)}
    return _Change(event.kind, frozenset(touched), _parts(state, payload))


def _apply(state: State, payload: GroupPayload) -> None:
    before = state.members.get(payload.id, ())
    for record in before:
        state.owner.pop(record, None)
    for record in payload.records:
        _take(state, record)
    state.shown.pop(payload.id, None)
    if payload.name or payload.description:
        state.shown[payload.id] = (payload.name, payload.description)
    if payload.records in (_NOBODY, (RecordId(payload.id),)):
        state.members.pop(payload.id, None)
        state.types.pop(payload.id, None)
    else:
        state.members[payload.id] = tuple(sorted(payload.records))
        state.types[payload.id] = payload.type
        state.owner.update(dict.fromkeys(payload.records, payload.id))
    _revive(state, payload.id, before)
    for old in payload.redirects:
        state.redirects[old] = payload.id
    for old, new in state.redirects.items() if payload.redirects else ():
        if new in payload.redirects:
            state.redirects[old] = payload.id


def _revive(state: State, entity: EntityId, left: Iterable[RecordId]) -> None:
    """Ids in use again lead nowhere else: that of the event, and those of records that were set free."""
    for id_ in (entity, *(EntityId(record) for record in left if record not in state.owner)):
        state.redirects.pop(id_, None)


def _take(state: State, record: RecordId) -> None:
    """Remove a record from its explicit group, if it is in one."""
    owner = state.owner.pop(record, None)
    if owner is None:
        return
    rest = tuple(r for r in state.members[owner] if r != record)
    if rest in (_NOBODY, (RecordId(owner),)):
        state.members.pop(owner)
        state.types.pop(owner)
        for left in rest:
            state.owner.pop(left, None)
    else:
        state.members[owner] = rest


def _reverse(state: State, event: Event, payload: GroupPayload) -> None:
    """An undone merge keeps its parts apart; an undone split keeps its records together."""
    seq = state.undone_by[event.seq]
    if event.kind is EventKind.MERGE:
        for left, right in combinations(_parts(state, payload), 2):
            for a, b in product(left, right):
                _link(state, a, b, seq=seq, kind=EventKind.CANNOT_LINK)
        return
    left_over = sorted(set(state.members.get(payload.id, ())) - set(payload.records))
    for record in left_over:
        if payload.records:
            _link(state, payload.records[0], record, seq=seq, kind=EventKind.MUST_LINK)


def _parts(state: State, payload: GroupPayload) -> tuple[tuple[RecordId, ...], ...]:
    parts: dict[EntityId, list[RecordId]] = {}
    for record in payload.records:
        parts.setdefault(state.entity(record), []).append(record)
    return tuple(tuple(sorted(part)) for part in parts.values())


def _touched(log: list[Event], base: Event, state: State) -> frozenset[RecordId]:
    """Records that the event touches when it is in force, whether or not it is now."""
    if base.seq in state.changes:
        return state.changes[base.seq].touched
    payload = GroupPayload.model_validate_json(base.payload)
    before = fold(e for e in log[: base.seq - 1])
    return frozenset((*payload.records, *before.members.get(payload.id, ())))


def _link(state: State, a: RecordId, b: RecordId, *, seq: int, kind: EventKind) -> None:
    pair = (a, b) if a < b else (b, a)
    known = state.links.get(pair)
    if known is None or known[0] <= seq:
        state.links[pair] = (seq, kind)
