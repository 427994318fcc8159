"""Events of the append-only log, and what canonicalization takes from and gives to it."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal, Self

from pydantic import Field, model_validator

from schemas.ids import DocumentKey, EntityId, RecordId
from schemas.model import Frozen


class EventKind(StrEnum):
    """What happened."""

    MINT = "mint"
    """Records seen for the first time: each founds an entity of its own id."""
    MERGE = "merge"
    SPLIT = "split"
    UNDO = "undo"
    MUST_LINK = "must_link"
    CANNOT_LINK = "cannot_link"
    ADD = "add"
    """A reviewer added a record or statement to a document's graph."""
    EDIT = "edit"
    REJECT = "reject"
    """A reviewer took a record or statement out of a document's graph."""
    ACCEPT = "accept"
    """A reviewer vetted a record or statement as it stands."""


class Feature(Frozen):
    """One reason for or against a merge."""

    name: str
    value: float


class MergeProposal(Frozen):
    """Two or more records that are one entity, and why."""

    records: tuple[RecordId, ...]
    """Sorted; all records of the merged group."""
    type: str
    score: float
    """Average-link similarity in [-1, 1]; 1 for exact keys."""
    features: tuple[Feature, ...] = ()
    judge: str = ""
    """``exact``, ``threshold``, ``pairs`` or ``llm``, with version."""
    reason: str = ""
    round: int = 1
    name: str = ""
    """The judge's name for the entity, in place of its records' names; empty where it gave none."""
    description: str = ""
    """Likewise."""


class Round(Frozen):
    """One round of clustering and judging of one entity type."""

    type: str
    number: int = Field(ge=1)
    units: int = Field(ge=0)
    """Groups of records before the round."""
    candidates: int = Field(ge=0)
    """Clusters that the judge was given."""
    merged: int = Field(ge=0)
    """Units that vanished in the round."""
    unsure: int = Field(0, ge=0)
    """Candidates that the judge left to reviewers."""
    judge: str = ""
    calls: int = Field(0, ge=0)
    """Requests to a model, cached ones included."""
    tokens: int = Field(0, ge=0)
    """Tokens of the calls that were paid."""
    cost: float = Field(0.0, ge=0)
    """Of these calls, in the currency of the price settings."""


class Blocked(Frozen):
    """A merge that similarity proposed and a rule forbade."""

    left: RecordId
    right: RecordId
    score: float
    rule: str
    """``same_document``, ``identity``, ``veto:charge`` and so on, or ``cannot_link:SEQ``."""


class Constraints(Frozen):
    """What the log demands of a resolution."""

    must_link: tuple[tuple[RecordId, RecordId, int], ...] = ()
    """Pairs and the sequence number of the event."""
    cannot_link: tuple[tuple[RecordId, RecordId, int], ...] = ()


class PriorIds(Frozen):
    """Entity ids in force before this resolution: record -> entity, oldest first."""

    entity_of: dict[RecordId, EntityId] = Field(default_factory=dict)
    redirects: dict[EntityId, EntityId] = Field(default_factory=dict)


class Group(Frozen):
    """One entity of a resolution."""

    id: EntityId
    type: str
    records: tuple[RecordId, ...]
    """Sorted."""
    name: str = ""
    """Chosen by a judge, shown in place of the records' names; empty for the most frequent of these."""
    description: str = ""
    """Likewise, in place of the longest description."""


class Resolution(Frozen):
    """A partition of the records, the merges behind it, and what was blocked."""

    groups: tuple[Group, ...]
    """Sorted by id."""
    proposals: tuple[MergeProposal, ...] = ()
    blocked: tuple[Blocked, ...] = ()
    unsure: tuple[MergeProposal, ...] = ()
    """Merges that a judge neither made nor refused: for review, most uncertain first."""
    rounds: tuple[Round, ...] = ()
    redirects: dict[EntityId, EntityId] = Field(default_factory=dict)
    """Ids that vanished in this resolution -> surviving id."""
    blocked_total: dict[str, int] = Field(default_factory=dict)
    """Entity type -> how many merges were blocked; ``blocked`` lists the best of them."""

    @model_validator(mode="after")
    def _partition(self) -> Self:
        total = sum(len(g.records) for g in self.groups)
        if total != len({r for g in self.groups for r in g.records}):
            raise ValueError("groups must not share records")
        return self


class Contribution(Frozen):
    """One bar of a score waterfall: ``points`` is ``value`` times ``weight``."""

    feature: str
    value: float
    weight: float
    points: float


class PathStep(Frozen):
    """Two records next to each other on the way from one record of an entity to another."""

    left: RecordId
    right: RecordId
    left_name: str
    right_name: str
    why: str
    """``same_key``, ``same_name``, ``must_link:SEQ`` or ``similarity``."""
    score: float


class PairExplanation(Frozen):
    """Why two records are one entity, or are not, recomputed from the records as they are now."""

    left: RecordId
    right: RecordId
    type: str
    names: tuple[str, str]
    documents: tuple[DocumentKey, DocumentKey]
    entities: tuple[EntityId, EntityId]
    same: bool
    verdict: str
    """What decided: ``must_link:SEQ``, ``cannot_link:SEQ``, ``same_key``, ``identity``, ``same_name``,
    ``same_document``, ``veto:RULE``, ``similarity`` (enough of it), ``path`` (through other records) or
    ``below_threshold``; ``left_apart`` where the score suffices and the two are apart all the same; ``judge``
    where a judge joined what the score alone would not."""
    judge: str = ""
    """The judge, where the verdict is ``judge``."""
    score: float | None = None
    """Weighted similarity in [-1, 1]; None for a type that does not merge by similarity."""
    threshold: float | None = None
    waterfall: tuple[Contribution, ...] = ()
    features: tuple[Feature, ...] = ()
    """All columns of the pair, those without a weight too."""
    path: tuple[PathStep, ...] = ()
    events: tuple[int, ...] = ()
    """Events of the log about both records, oldest first."""
    words: str = ""
    """The explanation in one or two sentences."""


class Claim(Frozen):
    """What one document says in a conflict."""

    document: DocumentKey
    item: str
    """Id of the record or statement."""
    value: str
    """As text: the attribute's value, or the record's name."""


class FactConflict(Frozen):
    """Facts of different documents about one entity that cannot all be right."""

    kind: Literal["attribute", "name", "relation"]
    """``name``: a veto tells two names of one entity apart; ``relation``: an attribute of statements."""
    type: str
    entity: EntityId
    name: str
    about: str
    """The attribute, or the veto (``charge``)."""
    object: EntityId | None = None
    """The other end, for ``relation``."""
    object_name: str = ""
    claims: tuple[Claim, ...]
    """Sorted by value, then document; at least two values."""


class Event(Frozen):
    """One row of the log; ``hash`` covers the row and ``prev_hash``."""

    seq: int
    at_utc: str
    """ISO 8601 with Z."""
    actor: str
    kind: EventKind
    payload: str
    """Canonical JSON of the kind's payload."""
    ref: int | None = None
    """For an undo: the event it takes back."""
    prev_hash: str
    hash: str
