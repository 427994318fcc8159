"""Extraction of many documents at a time: threads that wait for a model, and a process per core."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import chain
from multiprocessing import active_children, get_context, parent_process
from threading import Thread
from typing import TypeAlias

from kg.steps.pending import Result, Work
from kg.steps.recipe import Recipe
from kg.workspace import StoredDocument, Workspace
from schemas.errors import CorpusGraphError
from schemas.graphs import DocumentGraph, Extraction

AHEAD = 64
"""Documents handed to workers before their results are read, at least: bounds memory."""
AHEAD_EACH = 16
"""The same for each document that a model is asked about: what it answers in about six seconds."""
HELD = 50_000_000
"""Characters of the documents in the air beyond which there are no more of them than ``AHEAD``."""
ALONE = 48
"""Documents after which worker processes are worth their start, beside a model that is waited for."""
SHORT = 300_000
"""Characters that are extracted here in about the time that worker processes take to start."""
Outcome: TypeAlias = DocumentGraph | CorpusGraphError
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
    computing = recipe.computing() if workers else None
    with ExitStack() as stack:
        relay = _Relay(recipe)
        threads = ThreadPoolExecutor(concurrency)
        stack.callback(threads.shutdown, cancel_futures=True)

        def watched(items: Iterable[Work | Result]) -> Iterator[Work | Result]:
            count = size = 0
            for item in items:
                if isinstance(item, Work) and computing is not None and relay.pool is None:
                    count, size = count + 1, size + len(item.document.text)
                    if count >= ALONE or (size > SHORT and count > 1):
                        relay.pool = stack.enter_context(_processes(computing, workers))
                        relay.pool.submit(_ready)
                yield item

        ahead = max(AHEAD, AHEAD_EACH * concurrency)
        yield lambda items: _ordered(threads, watched(items), relay, ahead=ahead)


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


def _sequential(items: Iterable[Work | Result], call: Callable[[Work], Outcome]) -> Iterator[Result]:
    for item in items:
        yield (item.stored, call(item)) if isinstance(item, Work) else item


def _ordered(
    pool: Executor,
    items: Iterable[Work | Result],
    call: Callable[[Work], Outcome | Future[Outcome]],
    *,
    ahead: int = AHEAD,
) -> Iterator[Result]:
    """Results in the order of the documents; in the air are never more than ``ahead``, nor much text."""
    waiting: deque[tuple[StoredDocument, int, Callable[[], Outcome | None]]] = deque()
    held = 0
    for item in items:
        if isinstance(item, Work):
            size = len(item.document.text)
            waiting.append((item.stored, size, partial(_outcome, pool.submit(call, item))))
            held += size
        elif waiting:
            waiting.append((item[0], 0, partial(_same, item[1])))
        else:
            yield item
        while len(waiting) >= ahead or (held > HELD and len(waiting) >= AHEAD):
            stored, size, result = waiting.popleft()
            held -= size
            yield stored, result()
    for stored, _, result in waiting:
        yield stored, result()


def _outcome(future: Future[Outcome | Future[Outcome]]) -> Outcome:
    """The outcome, also where a worker process still has to give it."""
    found = future.result()
    return found.result() if isinstance(found, Future) else found


def _same(outcome: Outcome | None) -> Outcome | None:
    return outcome


@dataclass(frozen=True, slots=True)
class _Here:
    """Extraction in this process."""

    recipe: Recipe

    def __call__(self, work: Work, given: Mapping[str, Extraction] | None = None) -> Outcome:
        return self.recipe.extract(work.document, given)


class _Relay:
    """The waiting extractors in the calling thread, everything else in a worker process once there is one.

    The thread goes on with the next document meanwhile, so that the model is always asked: starting a
    worker takes seconds, and what comes before it is ready waits for it in a queue. Where the model also
    describes what a worker made, the thread waits for the worker.
    """

    def __init__(self, recipe: Recipe) -> None:
        self._recipe = recipe
        self.pool: Executor | None = None

    def __call__(self, work: Work) -> Outcome | Future[Outcome]:
        document, schema = work.document, self._recipe.schema
        try:
            given = {e.name: e.extract(document, schema) for e in self._recipe.waiting}
            if self.pool is None:
                return self._recipe.extract(document, given)
            future = self.pool.submit(_in_process, work, given)
            if self._recipe.is_finished_by_workers:
                return future
            graph = future.result()
            return graph if isinstance(graph, CorpusGraphError) else self._recipe.finish(document, graph)
        except CorpusGraphError as e:
            return e


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


def _ready() -> None:
    """Nobody waits for it: it only starts a worker."""


def _in_process(work: Work, given: Mapping[str, Extraction] | None = None) -> Outcome:
    return _worker[0](work, given)
