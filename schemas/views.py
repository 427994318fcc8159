"""Entities and documents as the API shows them."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from schemas.graphs import Origin, Status
from schemas.model import Frozen


class EntityView(Frozen):
    """One entity as the API shows it."""

    id: str
    type: str
    name: str
    description: str
    aliases: tuple[str, ...]
    attributes: dict[str, Any]
    status: Status
    records: tuple[RecordView, ...]
    statements: tuple[StatementView, ...]
    statements_total: int
    redirected_from: str = ""


class RecordView(Frozen):
    """A record of an entity, with its evidence."""

    id: str
    document: str
    name: str
    origin: Origin
    quote: str = ""


class StatementView(Frozen):
    """A statement that touches an entity."""

    id: str
    type: str
    subject: str
    subject_name: str
    object: str
    object_name: str
    document: str
    attributes: dict[str, Any]
    quote: str = ""
    origin: Origin
    status: Status


class SectionView(Frozen):
    """A section of a document with the number of its passages."""

    order: int
    level: int
    title: str
    start: int
    end: int
    summary: str = ""
    chunks: int = 0


class DocumentView(Frozen):
    """One document as the API shows it."""

    id: str
    version: str
    kind: str
    title: str
    arxiv: str = ""
    inspire: str = ""
    doi: str = ""
    year: int | None = None
    experiment: str = ""
    other_keys: tuple[str, ...] = ()
    attribution: str = ""
    """The citation line that must stand wherever this document's content is shown."""
    licence: str = ""
    sections: tuple[SectionView, ...] = ()
    records: int = 0
    statements: dict[str, int] = Field(default_factory=dict)
    """By relation of the schema."""


EntityView.model_rebuild()
