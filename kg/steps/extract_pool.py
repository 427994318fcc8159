"""Extraction of many documents at a time: threads that wait for a model, and a process per core."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from functools import partial
from itertools import chain
from multiprocessing import active_children, get_context
from threading import Event
from typing import Any, TypeAlias

from kg.steps.extract_worker import extract, ready, start
from kg.steps.pending import Result, Work
from kg.steps.recipe import Recipe
from kg.workspace import StoredDocument, Workspace
from schemas.documents import Document
from schemas.errors import CorpusGraphError, ServiceError
from schemas.graphs import DocumentGraph, Extraction

AHEAD = 64
"""Documents handed to workers before their results are read, at least: bounds memory."""
AHEAD_ASKED = 512
"""The same beside a model that is waited for: what it answers while a worker starts."""
HELD = 50_000_000
"""Characters of the documents in the air beyond which there are no more of them than ``AHEAD``."""
ALONE = 48
"""Documents after which worker processes are worth their start, beside a model that is waited for."""
SHORT = 300_000
"""Characters that are extracted here in about the time that worker processes take to start."""
Outcome: TypeAlias = DocumentGraph | CorpusGraphError
Later: TypeAlias = Future[Outcome] | Future[Future[Outcome]]
Compute: TypeAlias = Callable[[Document, Mapping[str, Extraction]], Later]
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
        yield lambda items: _sequential(items, recipe)
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
            yield from _ordered(chain(first, rest), _in_process(pool()))
            return
    yield from _sequential(first, recipe)


@contextmanager
def _threads(recipe: Recipe, concurrency: int, workers: int) -> Iterator[Submit]:
    """Threads that wait for a model; where there are cores, ``workers`` processes compute meanwhile.

    With all of the computing in one process, its interpreter lock would hold the waiting threads up.
    """
    computing = recipe.computing()
    with ExitStack() as stack:
        threads = ThreadPoolExecutor(concurrency)
        stack.callback(threads.shutdown, cancel_futures=True)
        if computing is None:
            yield lambda items: _ordered(items, lambda work: threads.submit(recipe.extract, work.document))
            return
        here = ThreadPoolExecutor(1)
        stack.callback(here.shutdown, cancel_futures=True)
        relay = _Relay(recipe, lambda *parts: here.submit(computing.extract, *parts))

        def begin() -> None:
            processes = stack.enter_context(_processes(computing, workers))
            here.submit(processes.submit, ready)  # returns only after the worker's imports
            relay.compute = lambda *parts: here.submit(processes.submit, extract, *parts)

        yield lambda items: _ordered(
            relay.decided(items, begin if workers else None),
            lambda work: threads.submit(relay, work),
            ahead=AHEAD_ASKED,
        )


@contextmanager
def _processes(recipe: Recipe, workers: int) -> Iterator[ProcessPoolExecutor]:
    """Worker processes, which are ended at once when this one is interrupted.

    ``ServiceError`` when one of them was ended from outside.
    """
    others = set(active_children())
    pool = ProcessPoolExecutor(
        workers, mp_context=get_context("spawn"), initializer=start, initargs=(recipe,)
    )
    try:
        yield pool
    except BaseException as e:
        for worker in set(active_children()) - others:
            worker.terminate()
        if isinstance(e, BrokenExecutor):
            raise ServiceError(
                "a worker process was ended from outside, as the system does when memory is short; what was "
                "done is kept: run it again, with fewer workers (extraction.workers in kg.toml)"
            ) from e
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def _sequential(items: Iterable[Work | Result], recipe: Recipe) -> Iterator[Result]:
    for item in items:
        yield (item.stored, recipe.extract(item.document)) if isinstance(item, Work) else item


def _in_process(pool: Executor) -> Callable[[Work], Future[Outcome]]:
    return lambda work: pool.submit(extract, work.document)


def _ordered(
    items: Iterable[Work | Result],
    submit: Callable[[Work], Future[Outcome] | Future[Outcome | Later]],
    *,
    ahead: int = AHEAD,
) -> Iterator[Result]:
    """Results in the order of the documents; in the air are never more than ``ahead``, nor much text."""
    waiting: deque[tuple[StoredDocument, int, Callable[[], Outcome | None]]] = deque()
    held = 0
    for item in items:
        if isinstance(item, Work):
            size = len(item.document.text)
            waiting.append((item.stored, size, partial(_outcome, submit(item))))
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


def _outcome(later: Outcome | Future[Any]) -> Outcome:
    """The outcome itself, which others may still have to give, or to give to others."""
    while isinstance(later, Future):
        later = later.result()
    return later


def _same(outcome: Outcome | None) -> Outcome | None:
    return outcome


class _Relay:
    """The waiting extractors in the calling thread, everything else by ``compute``, in a queue.

    The thread goes on with the next document meanwhile, so that the model is always asked: starting a
    worker takes seconds, and what comes before it is ready waits for it. Where the model also describes
    what was made, the thread waits for that.
    """

    def __init__(self, recipe: Recipe, compute: Compute) -> None:
        self._recipe = recipe
        self._decided = Event()
        self.compute = compute

    def decided(
        self, items: Iterable[Work | Result], begin: Callable[[], None] | None
    ) -> Iterator[Work | Result]:
        """The items; ``begin``, which changes ``compute``, is called once they are enough for workers."""
        count = size = 0
        try:
            for item in items:
                if isinstance(item, Work) and not self._decided.is_set():
                    count, size = count + 1, size + len(item.document.text)
                    if begin is None or count >= ALONE or (size > SHORT and count > 1):
                        if begin is not None:
                            begin()
                        self._decided.set()
                yield item
        finally:
            self._decided.set()

    def __call__(self, work: Work) -> Outcome | Later:
        document, schema = work.document, self._recipe.schema
        try:
            given = {e.name: e.extract(document, schema) for e in self._recipe.waiting}
            self._decided.wait()
            later = self.compute(document, given)
            if self._recipe.is_finished_by_workers:
                return later
            graph = _outcome(later)
            return graph if isinstance(graph, CorpusGraphError) else self._recipe.finish(document, graph)
        except CorpusGraphError as e:
            return e
