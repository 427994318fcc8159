"""The vocabulary of a graph is read once for all questions that come at the same time."""

from __future__ import annotations

import time
from threading import Barrier, Lock, Thread
from typing import Any

import pytest

from cypher import vocabulary
from cypher.form import Form
from cypher.service import QuestionService
from cypher.vocabulary import Vocabulary, VocabularyCache, forms
from schemas.errors import QueryFailedError, QueryTimeoutError
from schemas.graph_schema import GraphSchema
from schemas.questions import Outcome, Question, Subgraph

AT_ONCE = 8


class Slow:
    """Answers each of the vocabulary's queries with nothing, after a while; the first of them may fail."""

    def __init__(self, *, failing: int = 0) -> None:
        self.asked, self.failing, self._lock = 0, failing, Lock()

    def __call__(self, _form: Form, _row_cap: int) -> Subgraph:
        with self._lock:
            self.asked += 1
            fails = self.asked <= self.failing
        time.sleep(0.005)
        if fails:
            raise QueryFailedError("broken off")
        return Subgraph(columns=(), rows=())


def _all_at_once(cache: VocabularyCache, schema: GraphSchema) -> tuple[list[Vocabulary], int]:
    ready, found, failed = Barrier(AT_ONCE), list[Vocabulary](), list[Exception]()

    def look() -> None:
        ready.wait()
        try:
            found.append(cache.get(schema))
        except QueryFailedError as e:
            failed.append(e)

    threads = [Thread(target=look) for _ in range(AT_ONCE)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return found, len(failed)


def test_many_at_once_read_it_once(particle_schema: GraphSchema, monkeypatch: pytest.MonkeyPatch) -> None:
    run, queries = Slow(), len(list(forms(particle_schema)))
    cache = VocabularyCache(run)
    found, _ = _all_at_once(cache, particle_schema)
    once = run.asked
    assert queries <= once <= 2 * queries
    assert len(found) == AT_ONCE
    assert len({id(v) for v in found}) == 1
    later = cache._kept.until + 1
    monkeypatch.setattr(vocabulary.time, "monotonic", lambda: later)
    again, _ = _all_at_once(cache, particle_schema)
    assert run.asked == 2 * once
    assert {id(v) for v in again}.isdisjoint(id(v) for v in found)


def test_one_that_fails_to_read_it_leaves_it_to_the_next(particle_schema: GraphSchema) -> None:
    cache = VocabularyCache(Slow(failing=1))
    found, failed = _all_at_once(cache, particle_schema)
    assert (len(found), failed) == (AT_ONCE - 1, 1)
    assert cache.fresh(particle_schema)


def test_it_is_not_waited_for_without_end(particle_schema: GraphSchema, dry_service: Any) -> None:
    cache = VocabularyCache(Slow(), wait=0.01)
    with cache._reading, pytest.raises(QueryTimeoutError, match=r"not read within 0\.01 s"):
        cache.get(particle_schema)
    service: QuestionService = dry_service
    service._vocabulary = cache
    with cache._reading:
        answer = service.ask(Question(text="Which papers determine phi_s?"))
    assert answer.outcome is Outcome.TIMEOUT
