"""Identifiers: what they are made of and how.

All ids are the first 32 hexadecimal digits (128 bits) of a SHA-256 over a canonical JSON list, so
that the same content has the same id on every machine and in every run.
"""

from __future__ import annotations

import hashlib
import json
from typing import NewType

DocumentKey = NewType("DocumentKey", str)
"""arXiv id without version, else ``inspire:ID``, ``doi:ID``, or the path under the import root."""
RecordId = NewType("RecordId", str)
"""One document's entity."""
StatementId = NewType("StatementId", str)
"""One document's relation."""
EntityId = NewType("EntityId", str)
"""A canonical entity: the id of its founding record."""


def canonical_json(value: object) -> str:
    """JSON with sorted keys, no spaces and no ASCII escapes; refuses NaN.

    >>> canonical_json({"b": 1, "a": [1.5, "π"]})
    '{"a":[1.5,"π"],"b":1}'
    """
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def content_hash(*parts: object) -> str:
    """32 hexadecimal digits that depend on every part and on their order.

    >>> content_hash("a", "b") == content_hash("ab", "")
    False
    """
    return hashlib.sha256(canonical_json(list(parts)).encode()).hexdigest()[:32]


def record_id(document: DocumentKey, entity_type: str, normalised_name: str) -> RecordId:
    """Id of the entity that one document names; ``normalised_name`` as of ``language.names``."""
    return RecordId(content_hash("record", document, entity_type, normalised_name))


def statement_id(
    document: DocumentKey,
    subject: RecordId,
    relation: str,
    obj: RecordId,
    *,
    qualifiers: tuple[tuple[str, str], ...] = (),
    ordinal: int = 0,
) -> StatementId:
    """Id of one document's relation.

    ``qualifiers`` are the attribute values that tell two statements of one document apart (for
    example the column of a measurement); ``ordinal`` counts repeats at different evidence.
    """
    return StatementId(content_hash("statement", document, subject, relation, obj, list(qualifiers), ordinal))


def text_version(normalised_text: str) -> str:
    """Version of a document: the hash of its normalised text (32 hexadecimal digits)."""
    return hashlib.sha256(normalised_text.encode("utf-8", "surrogatepass")).hexdigest()[:32]
