"""Extraction of many documents at a time: threads that wait for a model, or a process per core."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import get_context, parent_process
from threading import Thread
from typing import TypeAlias

from extraction.extract import extract_document
from kg.settings import ExtractionSettings
from kg.steps.pending import Result, Work
from kg.workspace import StoredDocument, Workspace
from schemas.errors import CorpusGraphError
from schemas.graph_schema import GraphSchema
from schemas.graphs import DocumentGraph
from schemas.ports import Extractor

AHEAD = 64
"""Documents handed to workers before their results are read: bounds memory."""
Submit: TypeAlias = Callable[[Iterable[Work | Result]], Iterator[Result]]


@contextmanager
def worker_pool(workspace: Workspace, extractors: Sequence[Extractor], concurrency: int) -> Iterator[Submit]:
    """Yields the function that extracts what is pending; results come in the order of the documents."""
    settings = workspace.settings.extraction
    if concurrency > 1:
        with ThreadPoolExecutor(concurrency) as threads:
            yield lambda items: _ordered(threads, items, _Threaded(workspace.schema, tuple(extractors)))
        return
    workers = settings.workers or os.cpu_count() or 1
    if workers == 1 or not _computes(settings):
        yield lambda items: _sequential(items, _Threaded(workspace.schema, tuple(extractors)))
        return
    with ProcessPoolExecutor(
        workers,
        mp_context=get_context("spawn"),
        initializer=_start,
        initargs=(workspace.schema, tuple(extractors)),
    ) as pool:
        yield lambda items: _ordered(pool, items, _in_process)


def _computes(settings: ExtractionSettings) -> bool:
    """Whether the extractors compute, which processes speed up, and do not wait for a chat model."""
    return (settings.rules or settings.learned) and not settings.llm


def _sequential(
    items: Iterable[Work | Result], call: Callable[[Work], DocumentGraph | CorpusGraphError]
) -> Iterator[Result]:
    for item in items:
        yield (item.stored, call(item)) if isinstance(item, Work) else item


def _ordered(
    pool: Executor,
    items: Iterable[Work | Result],
    call: Callable[[Work], DocumentGraph | CorpusGraphError],
) -> Iterator[Result]:
    """Results in the order of the documents, never more than ``AHEAD`` in the air."""
    waiting: list[tuple[StoredDocument, Callable[[], DocumentGraph | CorpusGraphError | None]]] = []
    for item in items:
        if isinstance(item, Work):
            waiting.append((item.stored, pool.submit(call, item).result))
        elif waiting:
            waiting.append((item[0], lambda value=item[1]: value))  # type: ignore[misc]
        else:
            yield item
        while len(waiting) >= AHEAD:
            stored, result = waiting.pop(0)
            yield stored, result()
    for stored, result in waiting:
        yield stored, result()


@dataclass(frozen=True, slots=True)
class _Threaded:
    """Extraction in this process."""

    schema: GraphSchema
    extractors: tuple[Extractor, ...]

    def __call__(self, work: Work) -> DocumentGraph | CorpusGraphError:
        try:
            return extract_document(work.document, self.schema, self.extractors)
        except CorpusGraphError as e:
            return e


_worker: list[_Threaded] = []
"""Set once in each worker process."""


def _end_with_parent() -> None:
    """A worker whose parent was killed would wait for work forever."""
    if (parent := parent_process()) is not None:
        parent.join()
        os._exit(1)


def _start(schema: GraphSchema, extractors: tuple[Extractor, ...]) -> None:
    Thread(target=_end_with_parent, daemon=True).start()
    _worker[:] = [_Threaded(schema, extractors)]


def _in_process(work: Work) -> DocumentGraph | CorpusGraphError:
    return _worker[0](work)
