"""What a resolution is continued from: the saved state, what it rests on, and what changed since.

The state is derived: ``kg resolve`` writes it after the log, and where it is missing, damaged, of other
rules or out of step with the log, everything is resolved in full. So a crash at any moment costs time only.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import chain, islice

from canonicalize.incremental import State
from canonicalize.state_files import append, bases_of, discard, load, save
from kg.graph_marks import Graphs, Seen
from kg.review_items import ITEM_KINDS
from kg.review_log import ReviewLog
from kg.review_payloads import records_of
from kg.workspace import Workspace
from schemas.errors import DataError
from schemas.graph_schema import GraphSchema
from schemas.graphs import DocumentGraph
from schemas.ids import DocumentKey, EntityId, RecordId, canonical_json
from schemas.model import Frozen
from schemas.review import Event, EventKind

RULES = 1
"""Version of the code that decides on merges: states of another one are not continued."""
ACTOR = "kg resolve"
"""Who appends the events of a resolution."""
_LINKS = (EventKind.MUST_LINK, EventKind.CANNOT_LINK)
Head = tuple[int, str]


class Basis(Frozen):
    """What a saved state rests on."""

    rules: str
    """Hash of judge, settings, model of vectors and version of the code."""
    head: Head
    """Last event of the log that the state knows."""
    documents: dict[DocumentKey, Seen]
    """Documents with records, as they were read."""
    drift: int = 0
    """Records taken in or out since everything was resolved in full."""


@dataclass(frozen=True, slots=True)
class Limits:
    """When everything is resolved in full."""

    below: int = 0
    """With fewer records than so many."""
    share: float = 1.0
    """When more than this share of the records changed since the last time."""


@dataclass(frozen=True, slots=True)
class Continuation:
    """A state in step with the log, and what changed since it was saved."""

    state: State
    gone: tuple[DocumentKey, ...]
    """Documents of the state whose records changed or are no more."""
    graphs: tuple[DocumentGraph, ...]
    """Graphs that are new or changed."""
    relinked: tuple[RecordId, ...]
    """Records that reviewers linked, or took a link back from."""
    drift: int
    total: int
    """All records."""
    documents: dict[DocumentKey, Seen]
    """All documents with records, as they are now."""

    @property
    def empty(self) -> bool:
        """Whether nothing changed."""
        return not (self.gone or self.graphs or self.relinked)


@dataclass(frozen=True, slots=True)
class InFull:
    """Everything is to be resolved, and why."""

    reason: str


def rules_hash(*parts: object) -> str:
    """Hash of what decides on merges besides the schema, which the state holds itself."""
    return hashlib.sha256(canonical_json([RULES, *parts]).encode()).hexdigest()


def continuation(
    workspace: Workspace, graphs: Graphs, log: ReviewLog, *, rules: str, limits: Limits
) -> Continuation | InFull:
    """What changed since the saved state, or why all is to be resolved."""
    if not workspace.resolution_path.exists():
        return InFull("there is no saved state")
    try:
        number, basis = _last_basis(workspace, log)
        if basis.rules != rules:
            return InFull("the rules, the judge or the model changed")
        now = graphs.seen(basis.documents)
        total = sum(seen.records for seen in now.values())
        if total < limits.below:
            return InFull(f"there are fewer than {limits.below} records")
        state = load(workspace.resolution_path, workspace.schema, changes=number)
        relinked = _relinked(log, basis.head)
    except (DataError, ValueError) as e:
        return InFull(str(e).partition("; resolve in full")[0])
    if relinked is None:
        return InFull("entities were changed or undone in the log")
    if not _in_step(state, log):
        return InFull("the log has other entities than the saved state")
    found = _changed(state, basis, graphs, now, relinked)
    if found.drift > limits.share * total:
        return InFull(f"{found.drift} of {total} records changed since all were resolved")
    fresh = {r.type for g in found.graphs for r in g.records} - state.types.keys()
    if fresh:
        return InFull(f"{min(fresh)} is a type without records so far")
    return found


def _last_basis(workspace: Workspace, log: ReviewLog) -> tuple[int, Basis]:
    """The last of the saved changes that got into the log, by number, and what it rests on.

    A run that ended before its events were in the log leaves a change that never was.
    """
    found: tuple[int, Basis] | None = None
    for number, text in bases_of(workspace.resolution_path):
        found = number, Basis.model_validate_json(text)
        seq, digest = found[1].head
        if not seq or any(event.hash == digest for event in _event(log, seq)):
            return found
    if found is None:
        raise DataError("expected a saved state, found none; resolve in full again")
    raise DataError(f"expected event {found[1].head[0]} in the log, found another; resolve in full again")


MOST_CHANGES = 50
"""Changes after which the state is written whole."""


def keep_state(workspace: Workspace, state: State, basis: Basis) -> None:
    """Save the state, or what changed in one that was loaded, with what it rests on."""
    text = basis.model_dump_json()
    if state.base and state.changes < MOST_CHANGES:
        append(state, workspace.resolution_path, basis=text)
    else:
        save(state, workspace.resolution_path, basis=text)


def forget_state(workspace: Workspace) -> None:
    """Remove the state: the next resolution is in full."""
    discard(workspace.resolution_path)


def appended_alone(log: ReviewLog, before: Head) -> bool:
    """Whether all events after ``before`` are of one resolution: nobody decided in the meantime."""
    kinds = (EventKind.MINT, EventKind.MERGE, EventKind.SPLIT)
    return all(e.kind in kinds and e.actor == ACTOR for e in log.events(before[0]))


def _changed(
    state: State,
    basis: Basis,
    graphs: Graphs,
    now: dict[DocumentKey, Seen],
    relinked: frozenset[RecordId],
) -> Continuation:
    before = {key: seen.hash for key, seen in basis.documents.items()}
    after = {key: seen.hash for key, seen in now.items()}
    gone = tuple(sorted(key for key, known in before.items() if after.get(key) != known))
    new = graphs.changed([key for key, known in after.items() if before.get(key) != known])
    dropped = {
        kind.ids[row] for kind in state.types.values() for d in gone for row in kind.by_document.get(d, ())
    }
    held = (r for r in relinked if any(r in kind.row_of for kind in state.types.values()))
    return Continuation(
        state=state,
        gone=gone,
        graphs=new,
        relinked=tuple(sorted(set(held) - dropped)),
        documents=now,
        total=sum(seen.records for seen in now.values()),
        drift=basis.drift + max(len(dropped), sum(len(g.records) for g in new)),
    )


def fitting(found: Continuation, schema: GraphSchema) -> Continuation | InFull:
    """The change, unless it brings vectors that the state does not have."""
    for record in chain.from_iterable(g.records for g in found.graphs):
        kind, entity = found.state.types[record.type], schema.entity(record.type)
        rules = entity.canonicalization
        keyed = any(record.attributes.get(name) for name in rules.identity)
        if entity.embed and rules.similarity and kind.vectors is None and not keyed:
            return InFull(f"{record.type} has records without a key for the first time")
    return found


def _in_step(state: State, log: ReviewLog) -> bool:
    """Whether the log puts the records of the state into the same entities."""
    known: Mapping[RecordId, EntityId] = log.prior_ids().entity_of
    return all(known.get(record) == entity for record, entity in state.entity_of().items())


def _relinked(log: ReviewLog, head: Head) -> frozenset[RecordId] | None:
    """Records of the links since ``head``; None when entities were changed or undone since."""
    found: set[RecordId] = set()
    for event in log.events(head[0]):
        base = event
        while base.kind is EventKind.UNDO and base.ref is not None:
            (base,) = _event(log, base.ref)
        if base.kind in _LINKS:
            found |= records_of(base)
        elif base.kind not in ITEM_KINDS:
            return None
    return frozenset(found)


def _event(log: ReviewLog, seq: int) -> tuple[Event, ...]:
    """Event ``seq``, if the log has it."""
    return tuple(event for event in islice(log.events(seq - 1), 1) if event.seq == seq)
