"""Fetch papers of arXiv and INSPIRE, keep them in the workspace, and add them as documents.

What was fetched is kept under ``fetched/`` and never fetched again; the answer to a query is, since it grows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Final

from kg.adapters.arxiv_source import ArxivId, ArxivPaper, ArxivSource, parse_arxiv_id
from kg.adapters.inspire_source import InspirePaper, InspireSource, inspire_query
from kg.adapters.polite_http import MEGABYTE, Timing
from kg.eprint import EprintKind, check, open_eprint
from kg.fetched import PDF, FetchedFile, FetchedPaper, FetchedPapers, fetched_file
from kg.fetched_reading import Reading, read_pdf_of, read_source
from kg.ledger import utc_now
from kg.steps.add import keep_document
from kg.steps.context import Failure, StepReport
from kg.workspace import StoredDocument
from schemas.documents import Document
from schemas.errors import CorpusGraphError, DataError, FetchError, ReadError, TransientServiceError
from schemas.ports import ProgressTask

ARXIV: Final = "arxiv:"
INSPIRE: Final = "inspire:"
DEFAULT_LIMIT: Final = 100
"""Papers taken of one query unless more are asked for: at three seconds a request, some ten minutes."""
_PER_PAPER: Final = (DataError, FetchError, ReadError, TransientServiceError)
_ABSENT: Final = frozenset({403, 404, 410})


@dataclass(frozen=True, slots=True)
class Query:
    """A search of INSPIRE, of which ``limit`` papers are taken."""

    text: str
    limit: int

    def __str__(self) -> str:
        return f"{INSPIRE}{self.text}"


@dataclass(frozen=True, slots=True)
class Wanted:
    """A paper to fetch, with what INSPIRE says of it."""

    id: ArxivId
    inspire: InspirePaper | None = None

    def __str__(self) -> str:
        return f"{ARXIV}{self.id}"


def is_paper_source(source: str) -> bool:
    """Whether a source of ``kg add`` names papers to fetch.

    >>> is_paper_source("arXiv:2104.04421"), is_paper_source("paper.tex")
    (True, False)
    """
    return source.lower().startswith((ARXIV, INSPIRE))


def parse_sources(sources: Sequence[str], *, limit: int) -> list[ArxivId | Query]:
    """What the sources name, each once; ``UsageError`` for one that cannot be meant."""
    parsed: dict[ArxivId | Query, None] = {}
    for source in sources:
        rest = source.partition(":")[2]
        is_arxiv = source.lower().startswith(ARXIV)
        parsed[parse_arxiv_id(rest) if is_arxiv else Query(inspire_query(rest), limit)] = None
    return list(parsed)


def add_papers(reading: Reading, wanted: Sequence[ArxivId | Query], timing: Timing) -> StepReport:
    """Fetch what is not kept yet, and add each paper as a document.

    What fails is reported and remembered in the ledger; the rest goes on.
    """
    context = reading.context
    settings = context.workspace.settings.fetch
    arxiv, inspire = ArxivSource(settings, timing), InspireSource(settings, timing)
    with ExitStack() as stack:
        stack.enter_context(arxiv.http)
        stack.enter_context(inspire.http)
        run = stack.enter_context(context.ledger.run("fetch"))
        task = stack.enter_context(context.progress.task("fetching papers", unit="papers"))
        job = _Job(reading, FetchedPapers(context.workspace.root), arxiv, inspire, task)
        job.add(wanted)
        run.counts |= {
            "papers": job.papers,
            "downloads": job.downloads,
            "changed": job.changed,
            "failed": len(job.failures),
        }
    return StepReport("fetch", job.changed, job.papers - job.changed, tuple(job.failures), tuple(job.notes))


@dataclass(slots=True)
class _Job:
    """One run: what it works with, and what came of it so far."""

    reading: Reading
    kept: FetchedPapers
    arxiv: ArxivSource
    inspire: InspireSource
    task: ProgressTask
    papers: int = 0
    downloads: int = 0
    changed: int = 0
    failures: list[Failure] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    done: set[ArxivId] = field(default_factory=set)
    stored: dict[str, StoredDocument] = field(default_factory=dict)

    def add(self, wanted: Sequence[ArxivId | Query]) -> None:
        self.stored |= {s.slug: s for s in self.reading.context.workspace.documents()}
        self._batch([Wanted(one) for one in wanted if isinstance(one, ArxivId)])
        for query in wanted:
            if isinstance(query, Query):
                self._query(query)

    def _query(self, query: Query) -> None:
        """Papers of a search, page by page, so that each page is fetched before the next is asked for."""
        total = taken = 0
        try:
            for page in self.inspire.pages(query.text, limit=query.limit):
                total, taken = page.total, taken + len(page.papers)
                self._batch(self._on_arxiv(page.papers))
        except _PER_PAPER as e:
            self._fail(str(query), e)
            return
        self.reading.context.ledger.clear_failure("fetch", str(query))
        if taken < total:
            self.notes.append(f"{query}: {taken} of {total} papers taken; --limit sets another number")

    def _on_arxiv(self, papers: Iterable[InspirePaper]) -> Iterator[Wanted]:
        for paper in papers:
            if paper.arxiv:
                yield Wanted(ArxivId(id=paper.arxiv), paper)
                continue
            reason = f"expected an arXiv number of {paper.title[:80]!r}, found none; add its file by hand"
            self._fail(f"{INSPIRE}{paper.id}", FetchError(reason))

    def _batch(self, wanted: Iterable[Wanted]) -> None:
        """Fetch and add some papers; metadata are asked for together, and only of new ones."""
        todo = {w.id: w for w in wanted if w.id not in self.done}
        self.done |= set(todo)
        new = [one for one in todo if self.kept.find(one) is None]
        known: dict[ArxivId, ArxivPaper | FetchError | TransientServiceError] = {}
        try:
            known |= self.arxiv.papers(new)
        except (FetchError, TransientServiceError) as e:
            known |= dict.fromkeys(new, e)
        for one, want in todo.items():
            try:
                self._paper(want, known.get(one))
                self.papers += 1
                self.reading.context.ledger.clear_failure("fetch", str(want))
            except _PER_PAPER as e:
                self._fail(str(want), e)
            self.task.advance(note=str(one))

    def _paper(self, want: Wanted, known: ArxivPaper | CorpusGraphError | None) -> None:
        if isinstance(known, CorpusGraphError):
            raise known
        paper = self.kept.find(want.id)
        if paper is None and known is not None:
            paper = self._download(known, want.inspire)
        if paper is None:
            raise FetchError(f"expected metadata of {want}, found none; run the same command again")
        paper = self._completed(paper, want.inspire)
        document = self._read(paper)
        self.notes += [f"{want}: {note}" for note in document.notes]
        self.changed += keep_document(self.reading.context, document, self.stored)

    def _download(self, known: ArxivPaper, inspire: InspirePaper | None) -> FetchedPaper:
        """Fetch the source, or the PDF where there is no TeX source, check it, and keep it."""
        limit = self.reading.context.workspace.settings.fetch.max_unpacked_mb * MEGABYTE
        path = self.arxiv.source_path(known)
        try:
            content = self._get(path)
            eprint = open_eprint(content, name=path, max_bytes=limit)
            check(eprint, name=path, max_bytes=limit)
            kind = eprint.kind
        except FetchError as e:
            if e.status not in _ABSENT:
                raise
            kind = EprintKind.OTHER
        if kind is EprintKind.OTHER:
            file, content = self._pdf(known)
        else:
            name = PDF if kind is EprintKind.PDF else f"source{eprint.suffix}"
            content = eprint.content if kind is EprintKind.PDF else content
            file = fetched_file(name, path, content, at=utc_now())
        paper = FetchedPaper(arxiv=known, inspire=inspire, files=(file,))
        self.kept.keep(paper, {file.name: content})
        return paper

    def _pdf(self, known: ArxivPaper) -> tuple[FetchedFile, bytes]:
        """The PDF of a paper; a withdrawn paper has none, and then its authors' words are told."""
        path = self.arxiv.pdf_path(known)
        try:
            content = self._get(path)
        except FetchError as e:
            if known.withdrawn:
                earlier = f"; an earlier version is arxiv:{known.id}v{known.version - 1}"
                raise FetchError(
                    f"expected a paper, found that version {known.version} was withdrawn "
                    f"({known.withdrawn!r}){earlier if known.version > 1 else ''}"
                ) from e
            if e.status in _ABSENT:
                raise FetchError(f"expected a source or a PDF, found neither: {e}; look at its page") from e
            raise
        if not content.startswith(b"%PDF-"):
            raise FetchError(f"{path}: expected a PDF, found {content[:20]!r}; run the same command later")
        return fetched_file(PDF, path, content, at=utc_now()), content

    def _get(self, path: str) -> bytes:
        content = self.arxiv.download(path)
        self.downloads += 1
        return content

    def _completed(self, paper: FetchedPaper, inspire: InspirePaper | None) -> FetchedPaper:
        """With what INSPIRE says, and with the licence if it was not had before; a missing one is noted."""
        update: dict[str, object] = {}
        if inspire is not None and inspire != paper.inspire:
            update["inspire"] = inspire
        if paper.licence_url is None:
            try:
                licence = self.arxiv.licence(paper.arxiv)
            except (FetchError, TransientServiceError) as e:
                self.notes.append(
                    f"{ARXIV}{paper.id}: its licence is not known; the next run asks again: {e}"
                )
            else:
                update |= {} if licence is None else {"licence_url": licence}
        if update:
            paper = paper.model_copy(update=update)
            self.kept.update(paper)
        return paper

    def _read(self, paper: FetchedPaper) -> Document:
        """From TeX, else from the PDF, which is fetched for that if need be."""
        if all(f.name == PDF for f in paper.files):
            return read_pdf_of(self.reading, self.kept, paper)
        try:
            return read_source(self.reading, self.kept, paper)
        except ReadError as e:
            fault = e
        if all(f.name != PDF for f in paper.files):
            try:
                file, content = self._pdf(paper.arxiv)
            except FetchError as e:
                raise ReadError(f"{fault}; its PDF cannot be had instead: {e}") from e
            paper = paper.model_copy(update={"files": (*paper.files, file)})
            self.kept.update(paper, {file.name: content})
        document = read_pdf_of(self.reading, self.kept, paper)
        note = f"read from the PDF, since its TeX source cannot be read: {fault}"
        return document.model_copy(update={"notes": (*document.notes, note)})

    def _fail(self, item: str, error: CorpusGraphError) -> None:
        """Report, and remember unless there is nothing of that name: a misspelt one would stay forever."""
        self.failures.append(Failure(item, str(error)))
        if not (isinstance(error, FetchError) and error.status == 404):
            self.reading.context.ledger.fail("fetch", item, str(error))
