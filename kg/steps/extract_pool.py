"""Extraction of many documents at a time: threads that wait for a model, and a process per core."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import chain
from multiprocessing import active_children, get_context, parent_process
from threading import Lock, Thread
from typing import TypeAlias

from kg.steps.pending import Result, Work
from kg.steps.recipe import Recipe
from kg.workspace import StoredDocument, Workspace
from schemas.errors import CorpusGraphError
from schemas.graphs import DocumentGraph, Extraction

AHEAD = 64
"""Documents handed to workers before their results are read, at least: bounds memory."""
ALONE = 48
"""Documents after which worker processes are worth their start, beside a model that is waited for."""
SHORT = 300_000
"""Characters that are extracted here in about the time that worker processes take to start."""
Submit: TypeAlias = Callable[[Iterable[Work | Result]], Iterator[Result]]


@contextmanager
def worker_pool(workspace: Workspace, recipe: Recipe, concurrency: int) -> Iterator[Submit]:
    """Yields the function that extracts what is pending; results come in the order of the documents."""
    wanted, cores = workspace.settings.extraction.workers, os.cpu_count() or 1
    if concurrency > 1:  # this process needs a core for what comes from the model
        with _threads(recipe, concurrency, 0 if wanted == 1 else wanted or cores - 1) as submit:
            yield submit
        return
    workers = wanted or cores
    if workers == 1 or not recipe.only_computes:
        yield lambda items: _sequential(items, _Here(recipe))
        return
    with ExitStack() as stack:
        yield lambda items: _spread(items, recipe, lambda: stack.enter_context(_processes(recipe, workers)))


def _spread(items: Iterable[Work | Result], recipe: Recipe, pool: Callable[[], Executor]) -> Iterator[Result]:
    """In worker processes, unless there is too little to do for their start."""
    rest, first, size = iter(items), list[Work | Result](), 0
    for item in rest:
        if not first and not isinstance(item, Work):
            yield item
            continue
        first.append(item)
        size += len(item.document.text) if isinstance(item, Work) else 0
        if size > SHORT and len(first) > 1:
            yield from _ordered(pool(), chain(first, rest), _in_process)
            return
    yield from _sequential(first, _Here(recipe))


@contextmanager
def _threads(recipe: Recipe, concurrency: int, workers: int) -> Iterator[Submit]:
    """Threads that wait for a model; where there are cores, ``workers`` processes compute meanwhile.

    With all of the computing in one process, its interpreter lock would hold the waiting threads up.
    """
    computing = recipe.computing()
    with ExitStack() as stack:
        call: Callable[[Work], DocumentGraph | CorpusGraphError] = _Here(recipe)
        if workers and computing is not None:
            call = _Shared(recipe, stack.enter_context(_processes(computing, workers)))
        threads = ThreadPoolExecutor(concurrency)
        stack.callback(threads.shutdown, cancel_futures=True)
        yield lambda items: _ordered(threads, items, call, ahead=max(AHEAD, 2 * concurrency))


@contextmanager
def _processes(recipe: Recipe, workers: int) -> Iterator[ProcessPoolExecutor]:
    """Worker processes, which are ended at once when this one is interrupted."""
    others = set(active_children())
    pool = ProcessPoolExecutor(
        workers, mp_context=get_context("spawn"), initializer=_start, initargs=(recipe,)
    )
    try:
        yield pool
    except BaseException:
        for worker in set(active_children()) - others:
            worker.terminate()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def _sequential(
    items: Iterable[Work | Result], call: Callable[[Work], DocumentGraph | CorpusGraphError]
) -> Iterator[Result]:
    for item in items:
        yield (item.stored, call(item)) if isinstance(item, Work) else item


def _ordered(
    pool: Executor,
    items: Iterable[Work | Result],
    call: Callable[[Work], DocumentGraph | CorpusGraphError],
    *,
    ahead: int = AHEAD,
) -> Iterator[Result]:
    """Results in the order of the documents, never more than ``ahead`` in the air."""
    waiting: list[tuple[StoredDocument, Callable[[], DocumentGraph | CorpusGraphError | None]]] = []
    for item in items:
        if isinstance(item, Work):
            waiting.append((item.stored, pool.submit(call, item).result))
        elif waiting:
            waiting.append((item[0], lambda value=item[1]: value))  # type: ignore[misc]
        else:
            yield item
        while len(waiting) >= ahead:
            stored, result = waiting.pop(0)
            yield stored, result()
    for stored, result in waiting:
        yield stored, result()


@dataclass(frozen=True, slots=True)
class _Here:
    """Extraction in this process."""

    recipe: Recipe

    def __call__(
        self, work: Work, given: Mapping[str, Extraction] | None = None
    ) -> DocumentGraph | CorpusGraphError:
        return self.recipe.extract(work.document, given)


class _Shared:
    """The waiting extractors in this process, everything else in a worker.

    Starting workers takes seconds: a few documents are done here, and so are those that come before the
    first worker is ready.
    """

    def __init__(self, recipe: Recipe, pool: Executor) -> None:
        self._recipe, self._pool = recipe, pool
        self._lock = Lock()
        self._seen = 0
        self._first: Future[DocumentGraph | CorpusGraphError] | None = None

    def __call__(self, work: Work) -> DocumentGraph | CorpusGraphError:
        document, schema = work.document, self._recipe.schema
        try:
            given = {e.name: e.extract(document, schema) for e in self._recipe.waiting}
            future = self._submitted(work, given)
            if future is None:
                return self._recipe.extract(document, given)
            graph = future.result()
            return graph if isinstance(graph, CorpusGraphError) else self._recipe.finish(document, graph)
        except CorpusGraphError as e:
            return e

    def _submitted(
        self, work: Work, given: Mapping[str, Extraction]
    ) -> Future[DocumentGraph | CorpusGraphError] | None:
        with self._lock:
            self._seen += 1
            if self._first is None and self._seen >= ALONE:  # nobody waits for it: it only starts a worker
                self._first = self._pool.submit(_in_process, work, given)
            ready = self._first is not None and self._first.done()
        return self._pool.submit(_in_process, work, given) if ready else None


_worker: list[_Here] = []
"""Set once in each worker process."""


def _end_with_parent() -> None:
    """A worker whose parent was killed would wait for work forever."""
    if (parent := parent_process()) is not None:
        parent.join()
        os._exit(1)


def _start(recipe: Recipe) -> None:
    Thread(target=_end_with_parent, daemon=True).start()
    _worker[:] = [_Here(recipe)]


def _in_process(
    work: Work, given: Mapping[str, Extraction] | None = None
) -> DocumentGraph | CorpusGraphError:
    return _worker[0](work, given)
