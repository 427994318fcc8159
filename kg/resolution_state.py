"""What a resolution is continued from: the saved state, what it rests on, and what changed since.

The state is derived: ``kg resolve`` writes it after the log, and where it is missing, damaged, of other
rules or out of step with the log, everything is resolved in full. So a crash at any moment costs time only.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from canonicalize.incremental import State
from canonicalize.state_files import basis_of, discard, load, save
from kg.review_items import ITEM_KINDS
from kg.review_log import ReviewLog
from kg.review_state import records_of
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
    documents: dict[DocumentKey, str]
    """Documents with the hash of their records."""
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
    documents: dict[DocumentKey, str]
    """All documents with the hash of their records, as they are now."""

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


def document_hashes(graphs: Sequence[DocumentGraph]) -> dict[DocumentKey, str]:
    """The hash of what resolution reads of each document with records."""
    return {g.document: _hash(g) for g in graphs if g.records}


def _hash(graph: DocumentGraph) -> str:
    read = [
        (r.id, r.document, r.type, r.name, r.description, r.aliases, r.attributes)
        for r in sorted(graph.records, key=lambda r: r.id)
    ]
    return hashlib.sha256(canonical_json(read).encode("utf-8", "surrogatepass")).hexdigest()


def continuation(
    workspace: Workspace, graphs: Sequence[DocumentGraph], log: ReviewLog, *, rules: str, limits: Limits
) -> Continuation | InFull:
    """What changed since the saved state, or why all is to be resolved."""
    total = sum(len(g.records) for g in graphs)
    if total < limits.below:
        return InFull(f"there are fewer than {limits.below} records")
    if not workspace.resolution_path.exists():
        return InFull("there is no saved state")
    try:
        basis = Basis.model_validate_json(basis_of(workspace.resolution_path))
        if basis.rules != rules:
            return InFull("the rules, the judge or the model changed")
        state = load(workspace.resolution_path, workspace.schema)
        relinked = _relinked(log, basis.head)
    except (DataError, ValueError) as e:
        return InFull(str(e).partition("; resolve in full")[0])
    if relinked is None:
        return InFull("entities were changed or undone in the log")
    if not _in_step(state, log):
        return InFull("the log has other entities than the saved state")
    found = _changed(state, basis, graphs, relinked)
    if found.drift > limits.share * total:
        return InFull(f"{found.drift} of {total} records changed since all were resolved")
    fresh = {r.type for g in found.graphs for r in g.records} - state.types.keys()
    if fresh:
        return InFull(f"{min(fresh)} is a type without records so far")
    return found


def keep_state(workspace: Workspace, state: State, basis: Basis) -> None:
    """Save the state with what it rests on."""
    save(state, workspace.resolution_path, basis=basis.model_dump_json())


def forget_state(workspace: Workspace) -> None:
    """Remove the state: the next resolution is in full."""
    discard(workspace.resolution_path)


def appended_alone(log: ReviewLog, before: Head) -> bool:
    """Whether all events after ``before`` are of one resolution: nobody decided in the meantime."""
    kinds = (EventKind.MINT, EventKind.MERGE, EventKind.SPLIT)
    return all(e.kind in kinds and e.actor == ACTOR for e in log.events(before[0]))


def _changed(
    state: State, basis: Basis, graphs: Sequence[DocumentGraph], relinked: frozenset[RecordId]
) -> Continuation:
    now = document_hashes(graphs)
    gone = tuple(sorted(d for d, known in basis.documents.items() if now.get(d) != known))
    new = tuple(g for g in graphs if g.records and basis.documents.get(g.document) != now[g.document])
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
    if head[0] and _event(log, head[0]).hash != head[1]:
        return None
    found: set[RecordId] = set()
    for event in log.events(head[0]):
        base = event
        while base.kind is EventKind.UNDO and base.ref is not None:
            base = _event(log, base.ref)
        if base.kind in _LINKS:
            found |= records_of(base)
        elif base.kind not in ITEM_KINDS:
            return None
    return frozenset(found)


def _event(log: ReviewLog, seq: int) -> Event:
    found = next(log.events(seq - 1), None)
    if found is None:
        raise DataError(f"expected event {seq} in the log, found none; resolve in full again")
    return found
