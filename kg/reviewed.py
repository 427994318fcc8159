"""What reviewers said of answers, for what learns from it: a chat model's prompt and every new answer."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass

from cypher.answers.corrected import Correction
from cypher.answers.verdicts import ReviewedAnswer, weighed
from cypher.generation.bank import SimilarExamples
from cypher.generation.masking import without_values
from kg.question_log import QuestionLog
from schemas.ports import Embedder, Example
from schemas.questions import Answer


class ReviewedExamples:
    """An ``ExampleBank`` that follows the marks in the ledger.

    Questions to another store may have been meant for no model: its examples come without what they name
    (:mod:`cypher.generation.masking`), and those that might name something still are left out.
    """

    def __init__(
        self, log: QuestionLog, embedder: Embedder | None = None, *, given: Sequence[Example] = ()
    ) -> None:
        """``given`` are examples beside those of the ledger."""
        self._log, self._embedder, self._given = log, embedder, tuple(given)
        self._lock = threading.Lock()
        self._version: tuple[int, float, str] | None = None
        self._bank = SimilarExamples(())

    def nearest(self, question: str, *, limit: int = 5) -> tuple[Example, ...]:
        """The most similar verified questions; read again after a new mark."""
        with self._lock:
            version = self._log.version
            if version != self._version:
                known = {e.question: e for e in (*self._given, *self._reviewed())}
                self._bank = SimilarExamples(tuple(known.values()), embedder=self._embedder)
                self._version = version
            return self._bank.nearest(question, limit=limit)

    def _reviewed(self) -> tuple[Example, ...]:
        """The examples of the ledger, one per question."""
        found = self._log.examples()
        if not self._log.store:
            return found
        own: dict[str, Example] = {}
        for example in filter(None, map(without_values, found)):
            own.setdefault(example.question, example)
        return tuple(own.values())


@dataclass(frozen=True, slots=True)
class _Marks:
    version: tuple[int, float, str]
    answers: tuple[ReviewedAnswer, ...]
    corrections: tuple[Correction, ...]


class ReviewedAnswers:
    """Marks and corrections of the ledger as every question needs them; usable from several threads.

    They are read again when one was given, changed or taken back, in this process or another.
    """

    def __init__(self, log: QuestionLog) -> None:
        self._log, self._lock = log, threading.Lock()
        self._marks: _Marks | None = None

    def weighed(self, answer: Answer) -> Answer:
        """The answer as the marks leave it; see :mod:`cypher.answers.verdicts`."""
        return weighed(answer, self._current().answers, correctable=not self._log.store)

    def corrections(self) -> tuple[Correction, ...]:
        """The queries that reviewers gave, the latest first."""
        return self._current().corrections

    def _current(self) -> _Marks:
        with self._lock:
            version = self._log.version
            if self._marks is None or version != self._marks.version:
                self._marks = _Marks(version, self._log.reviewed(), self._log.corrections())
            return self._marks
