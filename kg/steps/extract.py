"""Extract: every current document gets the graph of its version, schema and extractors."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import get_context, parent_process
from threading import Thread

from extraction.extract import extract_document, run_id
from extraction.rules import RuleExtractor
from kg.chat_tally import ChatTally, counted
from kg.settings import ExtractionSettings
from kg.steps.context import Failure, StepContext, StepReport
from kg.workspace import StoredDocument, Workspace
from schemas.documents import Document
from schemas.errors import CorpusGraphError, WorkspaceError
from schemas.graph_schema import GraphSchema
from schemas.graphs import DocumentGraph
from schemas.ports import Extractor

AHEAD = 64
"""Documents handed to workers before their results are read: bounds memory."""


@dataclass(frozen=True, slots=True)
class _Work:
    stored: StoredDocument
    document: Document


def extract_all(
    context: StepContext,
    extractors: Sequence[Extractor],
    *,
    concurrency: int = 1,
    tally: ChatTally | None = None,
) -> StepReport:
    """Extract what has no current graph yet; what fails is listed and the rest goes on.

    What ``tally`` counts meanwhile, the tokens and cost of a chat model, goes into the ledger.

    ``concurrency`` above 1 uses threads, for extractors that wait for a model; otherwise rules run in
    one process per core.
    """
    documents = context.workspace.documents()
    failures: list[Failure] = []
    changed = unchanged = 0
    with (
        context.ledger.run("extract") as run,
        context.progress.task("extracting", total=len(documents), unit="documents") as task,
        counted(run, tally or ChatTally()),
        _pool(context.workspace, extractors, concurrency) as submit,
    ):
        for stored, graph in submit(_pending(context.workspace, documents, extractors)):
            if isinstance(graph, CorpusGraphError):
                failures.append(Failure(stored.slug, str(graph)))
                context.ledger.fail("extract", stored.slug, str(graph))
            elif graph is None:
                unchanged += 1
            else:
                context.workspace.save_graph(graph)
                context.ledger.clear_failure("extract", stored.slug)
                changed += 1
                run.count("records", len(graph.records))
                run.count("statements", len(graph.statements))
                run.count("rejected", len(graph.rejections))
            task.advance()
        run.counts |= {"changed": changed, "unchanged": unchanged, "failed": len(failures)}
    return StepReport("extract", changed, unchanged, tuple(failures))


_Result = tuple[StoredDocument, "DocumentGraph | CorpusGraphError | None"]
_Submit = Callable[[Iterable["_Work | _Result"]], Iterator[_Result]]


def _pending(
    workspace: Workspace, documents: Sequence[StoredDocument], extractors: Sequence[Extractor]
) -> Iterator[_Work | _Result]:
    """Per document: the work to do, or the result when there is none."""
    for stored in documents:
        try:
            document = workspace.read_document(stored)
            if document.base_run:
                yield stored, _restore(workspace, document)
            else:
                expected = run_id(document, workspace.schema, extractors)
                current = _has_graph(workspace, document, expected)
                yield (stored, None) if current else _Work(stored, document)
        except CorpusGraphError as e:
            yield stored, e


def _restore(workspace: Workspace, document: Document) -> DocumentGraph | None:
    """The graph that came with a structured document; None when it is in place already."""
    run = workspace.run_path(document.key, document.base_run)
    path = workspace.graph_path(document.key)
    if not path.exists():
        return workspace.read_run(document.key, document.base_run)
    if path.read_bytes() != run.read_bytes():
        current = workspace.read_graph(document.key)
        if current.run_id == document.base_run:
            raise _edited(workspace, document)
        return workspace.read_run(document.key, document.base_run)
    return None


def _has_graph(workspace: Workspace, document: Document, expected: str) -> bool:
    """Whether the graph is that of run ``expected``; one that was edited is never replaced."""
    path = workspace.graph_path(document.key)
    if not path.exists():
        return False
    found = workspace.read_graph(document.key).run_id
    run = workspace.run_path(document.key, found)
    if run.read_bytes() != path.read_bytes() if run.exists() else found != expected:
        raise _edited(workspace, document)
    return found == expected


def _edited(workspace: Workspace, document: Document) -> WorkspaceError:
    path = workspace.graph_path(document.key).relative_to(workspace.root)
    return WorkspaceError(
        f"{path} was edited by hand, which is not taken over without a review; "
        f"delete it to restore the extracted graph of {document.key}"
    )


@contextmanager
def _pool(workspace: Workspace, extractors: Sequence[Extractor], concurrency: int) -> Iterator[_Submit]:
    settings = workspace.settings.extraction
    if concurrency > 1:
        with ThreadPoolExecutor(concurrency) as threads:
            yield lambda items: _ordered(threads, items, _Threaded(workspace.schema, tuple(extractors)))
        return
    workers = settings.workers or os.cpu_count() or 1
    if workers == 1 or not _rules_only(settings):
        yield lambda items: _sequential(items, _Threaded(workspace.schema, tuple(extractors)))
        return
    with ProcessPoolExecutor(
        workers, mp_context=get_context("spawn"), initializer=_start, initargs=(workspace.schema,)
    ) as pool:
        yield lambda items: _ordered(pool, items, _in_process)


def _rules_only(settings: ExtractionSettings) -> bool:
    return settings.rules and not settings.llm


def _sequential(
    items: Iterable[_Work | _Result], call: Callable[[_Work], DocumentGraph | CorpusGraphError]
) -> Iterator[_Result]:
    for item in items:
        yield (item.stored, call(item)) if isinstance(item, _Work) else item


def _ordered(
    pool: Executor,
    items: Iterable[_Work | _Result],
    call: Callable[[_Work], DocumentGraph | CorpusGraphError],
) -> Iterator[_Result]:
    """Results in the order of the documents, never more than ``AHEAD`` in the air."""
    waiting: list[tuple[StoredDocument, Callable[[], DocumentGraph | CorpusGraphError | None]]] = []
    for item in items:
        if isinstance(item, _Work):
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

    def __call__(self, work: _Work) -> DocumentGraph | CorpusGraphError:
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


def _start(schema: GraphSchema) -> None:
    Thread(target=_end_with_parent, daemon=True).start()
    _worker[:] = [_Threaded(schema, (RuleExtractor(),))]


def _in_process(work: _Work) -> DocumentGraph | CorpusGraphError:
    return _worker[0](work)
