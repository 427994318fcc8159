"""What may fail while a question is answered, and what is told then."""

from __future__ import annotations

from typing import Final

from schemas.errors import CorpusGraphError, EmbeddingMismatchError, QueryError, ServiceError, WorkspaceError

FAILS: Final = (QueryError, ServiceError, EmbeddingMismatchError, WorkspaceError)
"""What the store, the embedder, the examples and the files that keep their results may raise."""


def not_read(error: CorpusGraphError) -> str:
    """That an answer failed, and on what.

    >>> not_read(WorkspaceError("ledger.db is locked"))
    'What is needed for an answer could not be read, so this is none: ledger.db is locked'
    """
    if isinstance(error, QueryError | ServiceError):
        return f"The graph could not be read, so this is not an answer: {error}"
    return f"What is needed for an answer could not be read, so this is none: {error}"
