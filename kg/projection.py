"""The graph as rows of nodes and relationships, and back.

A table knows its rows by key and makes each only when it is needed, so that a difference against
the store can be streamed. ``decode_*`` are the exact inverses of the rows.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from kg.migrations import ENTITY_PROPERTIES, STATEMENT_PROPERTIES
from schemas.errors import DataError
from schemas.graphs import Attributes, Entity, Evidence, Origin, Record, Redirect, Statement, Status
from schemas.ids import DocumentKey, EntityId, RecordId, StatementId, canonical_json
from schemas.language.names import name_key
from schemas.model import AttributeValue

Properties = dict[str, Any]
Edge = tuple[str, str, Properties]
"""Start id, end id, properties."""
_INT64 = 2**63


@dataclass(frozen=True, slots=True)
class NodeTable:
    """Nodes with the same labels; the first label carries the unique id."""

    labels: tuple[str, ...]
    ids: Mapping[str, object]
    row: Callable[[Any], Properties]

    def properties(self, node_id: str) -> Properties:
        """The wanted properties of one node."""
        return self.row(self.ids[node_id])


@dataclass(frozen=True, slots=True)
class EdgeTable:
    """Relationships of one type between two labels."""

    type: str
    start: str
    end: str
    rows: Callable[[], Iterator[Edge]]


@dataclass(frozen=True, slots=True)
class Projection:
    """Everything that the store should hold, without embeddings."""

    nodes: tuple[NodeTable, ...]
    edges: tuple[EdgeTable, ...]


def checked(properties: Properties, owner: str) -> Properties:
    """The same properties, or ``DataError`` where a value cannot be stored as it is."""
    for name, value in properties.items():
        for item in value if isinstance(value, list) else (value,):
            if isinstance(item, float) and not math.isfinite(item):
                raise DataError(f"{owner}: {name} is {item}, expected a finite number; leave it out instead")
            if isinstance(item, int) and not -_INT64 <= item < _INT64:
                raise DataError(f"{owner}: {name} is {item}, expected a whole number of at most 64 bits")
            if isinstance(item, str) and not item.isascii():
                _require_unicode(item, f"{owner}: {name}")
    return properties


def _require_unicode(text: str, owner: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError as e:
        raise DataError(
            f"{owner} holds half of a surrogate pair at {e.start}; expected valid Unicode text"
        ) from e


def _stored(attributes: Attributes) -> Properties:
    return {k: list(v) if isinstance(v, tuple) else v for k, v in attributes.items()}


def _loaded(attributes: Mapping[str, Any]) -> dict[str, AttributeValue]:
    return {k: tuple(v) if isinstance(v, list) else v for k, v in attributes.items()}


def _evidence_row(evidence: tuple[Evidence, ...]) -> Properties:
    if not evidence:
        return {}
    first, *more = evidence
    row: Properties = {"quote": first.quote, "start": first.start, "end": first.end}
    if more:
        row["more_evidence"] = canonical_json([[e.start, e.end, e.quote] for e in more])
    return row


def shown_quote(row: Mapping[str, Any]) -> str:
    """All quotes of a statement on one line, in the order of the text: a table's head, then the row."""
    return " … ".join(dict.fromkeys(e.quote for e in _evidence_of(row)))


def _evidence_of(row: Mapping[str, Any]) -> tuple[Evidence, ...]:
    if "quote" not in row:
        return ()
    more = json.loads(row.get("more_evidence", "[]"))
    spans = [[row["start"], row["end"], row["quote"]], *more]
    return tuple(Evidence(start=s, end=e, quote=q) for s, e, q in spans)


# --- entities, records, statements ------------------------------------------------------------


def entity_row(entity: Entity) -> Properties:
    """Properties of an entity's node; its records are in REFERS_TO."""
    row = {
        "id": entity.id,
        "name": entity.name,
        "name_key": name_key(entity.name),
        "description": entity.description,
        "aliases": list(entity.aliases),
        "status": entity.status.value,
        **_stored(entity.attributes),
    }
    return checked(row, f"entity {entity.name!r}")


def decode_entity(row: Mapping[str, Any], entity_type: str, records: Iterable[str]) -> Entity:
    """The entity of a node of the label of ``entity_type``."""
    return Entity(
        id=EntityId(row["id"]),
        type=entity_type,
        name=row["name"],
        description=row["description"],
        aliases=tuple(row["aliases"]),
        attributes=_loaded({k: v for k, v in row.items() if k not in ENTITY_PROPERTIES}),
        records=tuple(RecordId(r) for r in sorted(records)),
        status=Status(row["status"]),
    )


def record_row(record: Record) -> Properties:
    """Properties of a record's node; attributes as JSON text, what is empty left out."""
    row: Properties = {
        "id": record.id,
        "document": record.document,
        "type": record.type,
        "name": record.name,
        "origin": record.origin.value,
        "extractor": record.extractor,
        "confidence": record.confidence,
        "status": record.status.value,
        **_evidence_row(record.evidence),
    }
    if record.description:
        row["description"] = record.description
    if record.aliases:
        row["aliases"] = list(record.aliases)
    if record.attributes:
        attributes = checked(_stored(record.attributes), f"record {record.name!r} of {record.document}")
        row["attributes"] = canonical_json(attributes)
    return checked(row, f"record {record.name!r} of {record.document}")


def decode_record(row: Mapping[str, Any]) -> Record:
    """The record of a node."""
    return Record(
        id=RecordId(row["id"]),
        document=DocumentKey(row["document"]),
        type=row["type"],
        name=row["name"],
        description=row.get("description", ""),
        aliases=tuple(row.get("aliases", ())),
        attributes=_loaded(json.loads(row.get("attributes", "{}"))),
        evidence=_evidence_of(row),
        origin=Origin(row["origin"]),
        extractor=row["extractor"],
        confidence=row["confidence"],
        status=Status(row["status"]),
    )


def statement_row(statement: Statement) -> Properties:
    """Properties of a statement's relationship."""
    row = {
        "id": statement.id,
        "document": statement.document,
        "subject_record": statement.subject,
        "object_record": statement.object,
        "origin": statement.origin.value,
        "extractor": statement.extractor,
        "confidence": statement.confidence,
        "status": statement.status.value,
        **_evidence_row(statement.evidence),
        **_stored(statement.attributes),
    }
    return checked(row, f"statement {statement.id} of {statement.document}")


def decode_statement(row: Mapping[str, Any], statement_type: str) -> Statement:
    """The statement of a relationship."""
    return Statement(
        id=StatementId(row["id"]),
        document=DocumentKey(row["document"]),
        subject=RecordId(row["subject_record"]),
        type=statement_type,
        object=RecordId(row["object_record"]),
        attributes=_loaded(statement_attributes(row)),
        evidence=_evidence_of(row),
        origin=Origin(row["origin"]),
        extractor=row["extractor"],
        confidence=row["confidence"],
        status=Status(row["status"]),
    )


def statement_attributes(row: Mapping[str, Any]) -> Properties:
    """What a statement says beyond what every statement has."""
    return {k: v for k, v in row.items() if k not in STATEMENT_PROPERTIES}


def redirect_row(redirect: Redirect) -> Properties:
    """Properties of a redirect's node."""
    return {"id": redirect.old, "target": redirect.new}


def decode_redirect(row: Mapping[str, Any]) -> Redirect:
    """The redirect of a node."""
    return Redirect(old=EntityId(row["id"]), new=EntityId(row["target"]))
