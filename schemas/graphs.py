"""Per-document graphs, and the one canonical graph made from them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Self

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, model_validator

from schemas.ids import DocumentKey, EntityId, RecordId, StatementId
from schemas.model import AttributeValue, Frozen

Attributes = Mapping[str, AttributeValue]


class Origin(StrEnum):
    """What a fact rests on."""

    TEXT = "text"
    """The document's own words: ``quote`` is from the document."""
    PDG_TABLES = "pdg-tables"
    """A row of the Particle Data Group's listing: never presented as a quote from the paper."""


class Status(StrEnum):
    """How far a fact has been vetted."""

    DRAFT = "draft"
    VETTED = "vetted"
    PUBLISHED = "published"


class Evidence(Frozen):
    """Where a document says so: ``document.text[start:end] == quote``, checked before it is kept."""

    start: int
    end: int
    quote: str


class Record(Frozen):
    """One document's entity."""

    id: RecordId
    document: DocumentKey
    type: str
    """Entity type of the schema, for example ``observable``."""
    name: str
    """Canonical notation where the schema's normaliser knows one, else as written."""
    description: str = ""
    aliases: tuple[str, ...] = ()
    attributes: Attributes = Field(default_factory=dict)
    evidence: tuple[Evidence, ...] = ()
    origin: Origin = Origin.TEXT
    extractor: str = ""
    """Name and version, for example ``rules/2``."""
    confidence: float = Field(1.0, ge=0, le=1)
    status: Status = Status.DRAFT


class Statement(Frozen):
    """One document's relation between two of its records."""

    id: StatementId
    document: DocumentKey
    subject: RecordId
    type: str
    """Relation type of the schema, for example ``determines``."""
    object: RecordId
    attributes: Attributes = Field(default_factory=dict)
    evidence: tuple[Evidence, ...] = ()
    origin: Origin = Origin.TEXT
    extractor: str = ""
    confidence: float = Field(1.0, ge=0, le=1)
    status: Status = Status.DRAFT


class Rejection(Frozen):
    """Something an extractor proposed and the checks refused; kept and counted."""

    extractor: str
    code: str
    """``quote_not_found``, ``unknown_type`` and so on: ``extraction.evidence`` lists them all."""
    detail: str
    item: str = ""
    """What was proposed, as short text."""


class DocumentGraph(Frozen):
    """What one version of one document says, under one version of one schema."""

    document: DocumentKey
    version: str
    schema_name: str
    schema_version: str
    run_id: str
    """Hash of document version, schema fingerprint and extractor versions."""
    records: tuple[Record, ...] = ()
    statements: tuple[Statement, ...] = ()
    rejections: tuple[Rejection, ...] = ()

    @model_validator(mode="after")
    def _ends_exist(self) -> Self:
        ids = {r.id for r in self.records}
        if len(ids) != len(self.records):
            raise ValueError("two records with one id")
        if len({s.id for s in self.statements}) != len(self.statements):
            raise ValueError("two statements with one id")
        for s in self.statements:
            if s.subject not in ids or s.object not in ids:
                raise ValueError(f"statement {s.id} has an end that is no record of this graph")
        return self


class Entity(Frozen):
    """A concept of the corpus: one or more records, chosen name, all aliases."""

    id: EntityId
    type: str
    name: str
    description: str = ""
    aliases: tuple[str, ...] = ()
    attributes: Attributes = Field(default_factory=dict)
    records: tuple[RecordId, ...]
    status: Status = Status.DRAFT


class Redirect(Frozen):
    """A vanished entity id and where it leads; never reused."""

    old: EntityId
    new: EntityId


class CanonicalGraph(Frozen):
    """The corpus as one graph: a partition of the records into entities, and all statements."""

    entities: tuple[Entity, ...]
    records: tuple[Record, ...]
    statements: tuple[Statement, ...]
    redirects: tuple[Redirect, ...] = ()

    @model_validator(mode="after")
    def _partition(self) -> Self:
        seen: set[RecordId] = set()
        total = 0
        for entity in self.entities:
            seen.update(entity.records)
            total += len(entity.records)
        if total != len(seen) or seen != {r.id for r in self.records}:
            raise ValueError("entities must partition the records")
        return self

    def entity_of(self) -> dict[RecordId, EntityId]:
        """Map of every record to its entity."""
        return {r: e.id for e in self.entities for r in e.records}


@dataclass(frozen=True, slots=True)
class RecordColumns:
    """Records of one entity type as columns of one length, for canonicalization (bulk path).

    ``keys`` holds, per record, its identity keys: attribute values that the schema declares as
    ``identity`` ("pdgid=S086M"); ``order`` ranks records by age (0 is oldest), ties by id.
    """

    type: str
    ids: tuple[RecordId, ...]
    documents: tuple[DocumentKey, ...]
    names: tuple[str, ...]
    descriptions: tuple[str, ...]
    aliases: tuple[tuple[str, ...], ...]
    keys: tuple[tuple[str, ...], ...]
    vectors: NDArray[np.float32] | None = None
    """(n_records, dimension), rows L2-normalised, of name and description; None without an embedder."""
    attributes: Mapping[str, tuple[AttributeValue | None, ...]] = field(default_factory=dict)
    """Attribute -> its value per record; an attribute that no record has may be missing."""

    def __len__(self) -> int:
        return len(self.ids)


class DraftRecord(Frozen):
    """What an extractor proposes, before the checks; ``ref`` is local to one extraction."""

    ref: str
    type: str
    name: str
    description: str = ""
    aliases: tuple[str, ...] = ()
    attributes: Attributes = Field(default_factory=dict)
    evidence: tuple[Evidence, ...] = ()
    quotes: tuple[str, ...] = ()
    """Quotes without a span (from an LLM): the checks look for them in the text."""
    confidence: float = Field(1.0, ge=0, le=1)
    origin: Origin = Origin.TEXT


class DraftStatement(Frozen):
    """A proposed relation between two drafts of the same extraction."""

    subject: str
    type: str
    object: str
    attributes: Attributes = Field(default_factory=dict)
    qualifiers: tuple[tuple[str, str], ...] = ()
    evidence: tuple[Evidence, ...] = ()
    quotes: tuple[str, ...] = ()
    confidence: float = Field(1.0, ge=0, le=1)
    origin: Origin = Origin.TEXT


class Extraction(Frozen):
    """Everything one extractor found in one document."""

    extractor: str
    records: tuple[DraftRecord, ...] = ()
    statements: tuple[DraftStatement, ...] = ()
    rejections: tuple[Rejection, ...] = ()
