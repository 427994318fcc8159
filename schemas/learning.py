"""What a learned model is made from, and the artifact that it becomes."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from schemas.documents import Document
from schemas.graph_schema import GraphSchema
from schemas.graphs import DocumentGraph, Record, Statement
from schemas.ids import DocumentKey, canonical_json, content_hash
from schemas.model import Frozen


class LabelledDocument(Frozen):
    """A document with what reviewers decided about it.

    Records and statements of ``graph`` with status vetted or published are right. Those with status
    draft are undecided: the sentences that hold them teach nothing.
    """

    document: Document
    graph: DocumentGraph
    rejected_records: tuple[Record, ...] = ()
    """Records that a reviewer refused: their mentions are examples of what is no entity."""
    rejected_statements: tuple[Statement, ...] = ()
    """Statements that a reviewer refused, between records of ``graph``."""
    complete: bool = False
    """True when every fact of the text is in ``graph``: then what is not labelled is wrong. False: only
    sentences that hold a decided fact teach anything."""


class ModelHeader(Frozen):
    """What a model is and what it was made from; stands beside its arrays."""

    kind: str
    """``extractor/learned``."""
    format: int
    """Version of the layout of ``parameters`` and arrays."""
    schema_name: str
    schema_version: str
    schema_fingerprint: str
    documents: int
    """How many documents it was trained on."""
    documents_hash: str
    """Hash over the sorted keys and versions of these documents."""
    parameters: str
    """Canonical JSON of everything that is no array."""


@dataclass(frozen=True, slots=True)
class ModelArtifact:
    """A header and its arrays; no code, so that loading one runs none."""

    header: ModelHeader
    arrays: Mapping[str, NDArray[np.generic]] = field(repr=False)

    @property
    def digest(self) -> str:
        """64 hexadecimal digits over header, names, types, shapes and bytes: one model, one digest."""
        sha = hashlib.sha256(canonical_json(self.header.model_dump(mode="json")).encode())
        for name in sorted(self.arrays):
            array = np.ascontiguousarray(self.arrays[name])
            sha.update(canonical_json([name, array.dtype.str, list(array.shape)]).encode())
            sha.update(array.tobytes())
        return sha.hexdigest()


class Trainer(Protocol):
    """Learns from labelled documents."""

    def fit(self, labelled: Sequence[LabelledDocument], schema: GraphSchema) -> ModelArtifact:
        """The model; ``UsageError`` when there is too little to learn from.

        The same documents in any order give the same bytes.
        """
        ...


class ModelStore(Protocol):
    """Keeps artifacts by name."""

    def save(self, name: str, artifact: ModelArtifact) -> None:
        """Keep an artifact under ``name``, in place of an earlier one, whole or not at all."""
        ...

    def load(self, name: str) -> ModelArtifact:
        """The artifact as it was saved.

        Raises ``ModelUnavailableError`` when there is none, ``DataError`` when it is damaged or changed.
        """
        ...


def hash_documents(documents: Sequence[tuple[DocumentKey, str]]) -> str:
    """Hash over (key, version) of documents, whatever their order.

    >>> a, b = (DocumentKey("a"), "1"), (DocumentKey("b"), "2")
    >>> hash_documents([a, b]) == hash_documents([b, a])
    True
    """
    return content_hash("documents", *(list(pair) for pair in sorted(documents)))
