"""Ports that pass every call on and keep how long it took: latency by stage."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from cypher.answers.asker import Helper
from schemas.evaluation import StageSpread
from schemas.ports import QueryRunner, StatementSource, ValueIndex
from schemas.questions import (
    Answer,
    CheckedQuery,
    EntityMatch,
    PlanSummary,
    Question,
    StatementDetail,
    Subgraph,
)
from schemas.waiting import never

LINK, EXPLAIN, RUN, CITE, OTHER = "look up names", "explain", "run", "cite", "understand and compose"
MODEL = "chat model"


@dataclass(slots=True)
class Clock:
    """Seconds of the current question by stage, and of all questions before."""

    now: dict[str, float] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)
    questions: list[dict[str, float]] = field(default_factory=list)

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Adds the time of the block to a stage, also when it raises.

        Samples of a chat model do so from several threads; one that is late counts for its own question.
        """
        began, asked = time.perf_counter(), self.now
        try:
            yield
        finally:
            self._add(asked, name, time.perf_counter() - began)

    def add(self, name: str, seconds: float) -> None:
        """Counts for a stage of the current question."""
        self._add(self.now, name, seconds)

    def _add(self, asked: dict[str, float], name: str, seconds: float) -> None:
        with self._lock:
            asked[name] = asked.get(name, 0.0) + seconds

    def told(self) -> float:
        """Seconds of all stages of the current question."""
        with self._lock:
            return sum(self.now.values())

    def close(self, seconds: float) -> None:
        """Ends a question that took ``seconds``; what no stage took is understanding and composing."""
        with self._lock:
            rest = max(0.0, seconds - sum(self.now.values()))
            self.questions.append({**self.now, OTHER: rest})
            self.now = {}

    def times(self) -> tuple[StageSpread, ...]:
        """Median and 95th percentile in ms; a question that does not reach a stage counts 0 for it."""
        asked = any(MODEL in q for q in self.questions)
        every = (LINK, OTHER, EXPLAIN, RUN, CITE, *((MODEL,) if asked else ()))
        rows = [(s, sorted(q.get(s, 0.0) for q in self.questions)) for s in every]
        rows.append(("all", sorted(sum(q.values()) for q in self.questions)))
        return tuple(StageSpread(stage=s, p50=_at(v, 0.5), p95=_at(v, 0.95)) for s, v in rows if v)


def _at(ordered: Sequence[float], share: float) -> float:
    return round(1000 * ordered[min(len(ordered) - 1, int(len(ordered) * share))], 2)


@dataclass(frozen=True, slots=True)
class TimedRunner:
    """A ``QueryRunner``."""

    inner: QueryRunner
    clock: Clock

    def explain(self, query: CheckedQuery) -> PlanSummary:
        with self.clock.stage(EXPLAIN):
            return self.inner.explain(query)

    def run(self, query: CheckedQuery) -> Subgraph:
        with self.clock.stage(RUN):
            return self.inner.run(query)


@dataclass(frozen=True, slots=True)
class TimedStatements:
    """A ``StatementSource``."""

    inner: StatementSource
    clock: Clock

    def statements(self, ids: Sequence[str]) -> tuple[StatementDetail, ...]:
        with self.clock.stage(CITE):
            return self.inner.statements(ids)


@dataclass(frozen=True, slots=True)
class TimedHelper:
    """A ``Helper``; its own queries count for the stages that they are of."""

    inner: Helper
    clock: Clock

    def help(self, question: Question, answer: Answer, *, gone: Callable[[], bool] = never) -> Answer:
        """The parser's answer or a better one."""
        began, before = time.perf_counter(), self.clock.told()
        try:
            return self.inner.help(question, answer, gone=gone)
        finally:
            queries = self.clock.told() - before
            self.clock.add(MODEL, max(0.0, time.perf_counter() - began - queries))


@dataclass(frozen=True, slots=True)
class TimedIndex:
    """A ``ValueIndex``."""

    inner: ValueIndex
    clock: Clock

    def exact(self, phrases: Sequence[str], types: Sequence[str]) -> Mapping[str, tuple[EntityMatch, ...]]:
        with self.clock.stage(LINK):
            return self.inner.exact(phrases, types)

    def similar(self, phrase: str, types: Sequence[str], *, limit: int = 5) -> tuple[EntityMatch, ...]:
        with self.clock.stage(LINK):
            return self.inner.similar(phrase, types, limit=limit)

    def qualified(self, phrase: str, entity_type: str) -> tuple[EntityMatch, ...]:
        with self.clock.stage(LINK):
            return self.inner.qualified(phrase, entity_type)
