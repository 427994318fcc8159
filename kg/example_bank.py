"""The answers that reviewers found right, as examples for a chat model."""

from __future__ import annotations

import threading

from cypher.generation.bank import SimilarExamples
from kg.question_log import QuestionLog
from schemas.ports import Embedder, Example


class ReviewedExamples:
    """An ``ExampleBank`` that follows the marks in the ledger."""

    def __init__(self, log: QuestionLog, embedder: Embedder | None = None) -> None:
        self._log, self._embedder = log, embedder
        self._lock = threading.Lock()
        self._version: tuple[int, float, str] | None = None
        self._bank = SimilarExamples(())

    def nearest(self, question: str, *, limit: int = 5) -> tuple[Example, ...]:
        """The most similar verified questions; read again after a new mark."""
        with self._lock:
            version = self._log.version
            if version != self._version:
                self._bank = SimilarExamples(self._log.examples(), embedder=self._embedder)
                self._version = version
            return self._bank.nearest(question, limit=limit)
