"""Fetched papers become documents: LaTeX when it can be read, else the PDF."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from extraction.readers.pdf import read_pdf
from extraction.readers.registry import find_documents, read_document, suffix_of
from kg.adapters.polite_http import MEGABYTE
from kg.eprint import EprintKind, named_main, open_eprint, unpack
from kg.fetched import PDF, FetchedPaper, FetchedPapers
from kg.steps.context import StepContext
from schemas.documents import Document, DocumentKind
from schemas.errors import ReadError
from schemas.ids import DocumentKey

MAIN_FILES: Final = 20
"""Main files of one source that are looked at, in order of their names."""
_TEX: Final = frozenset({".tex", ".ltx"})


@dataclass(frozen=True, slots=True)
class Reading:
    """Where documents go, and how lenient the LaTeX reader is."""

    context: StepContext
    missing_inputs_ok: bool = False

    @property
    def max_bytes(self) -> int:
        return self.context.workspace.settings.extraction.max_file_mb * MEGABYTE


def read_source(reading: Reading, papers: FetchedPapers, paper: FetchedPaper) -> Document:
    """The paper from its TeX source; ``ReadError`` when it has none that can be read."""
    source = next((f for f in paper.files if f.name != PDF), None)
    if source is None:
        raise ReadError("expected a TeX source, found a PDF only", file=str(paper.id))
    limit = reading.context.workspace.settings.fetch.max_unpacked_mb * MEGABYTE
    name = f"{paper.id}/{source.name}"
    eprint = open_eprint(papers.read(paper, source), name=name, max_bytes=limit)
    if eprint.kind not in {EprintKind.TAR, EprintKind.TEX}:
        raise ReadError("expected a TeX source, found another format", file=name)
    with papers.scratch() as scratch:
        folder = scratch / "source"
        unpack(eprint, folder, name=name, max_bytes=limit)
        return _described(_main_document(reading, folder, name), paper)


def read_pdf_of(reading: Reading, papers: FetchedPapers, paper: FetchedPaper) -> Document:
    """The paper from its PDF, which must have been fetched."""
    file = next(f for f in paper.files if f.name == PDF)
    papers.read(paper, file)
    folder = papers.folder(paper.id)
    return _described(read_pdf(folder / PDF, root=folder, max_bytes=reading.max_bytes), paper)


def _main_document(reading: Reading, folder: Path, name: str) -> Document:
    """The document that the authors named, else the longest of those with ``\\documentclass``.

    What is shorter is a supplement, a cover letter or a drawing; it is named in a note.
    """
    told = named_main(folder)
    found = [folder / told] if told else [p for p, _ in find_documents([folder]) if suffix_of(p) in _TEX]
    if not found:
        raise ReadError("expected a .tex file in the source, found none", file=name)
    documents: list[tuple[Path, Document]] = []
    faults: list[ReadError] = []
    for path in found[:MAIN_FILES]:
        try:
            document = read_document(
                path,
                root=folder,
                missing_inputs_ok=reading.missing_inputs_ok,
                max_bytes=reading.max_bytes,
            )
            documents.append((path, document))
        except ReadError as e:
            faults.append(e)
    if not documents:
        raise ReadError(str(faults[0]), file=name) from faults[0]
    main, document = max(documents, key=lambda d: len(d[1].text))
    others = [p.relative_to(folder).as_posix() for p in found if p != main]
    note = f"{len(others)} more main files are not read: {', '.join(others[:5])}"
    title = "" if document.title == main.name.split(".")[0] else document.title
    return document.model_copy(
        update={"title": title, "notes": (*document.notes, note) if others else document.notes}
    )


def _described(document: Document, paper: FetchedPaper) -> Document:
    """The document under its arXiv number, with what the archives say of it."""
    inspire = paper.inspire
    known = paper.identifiers
    experiment = inspire.collaboration if inspire else ""
    from_pdf = document.kind is DocumentKind.PDF
    return document.model_copy(
        update={
            "key": DocumentKey(paper.arxiv.id),
            "title": paper.arxiv.title if from_pdf or not document.title else document.title,
            "identifiers": known.model_copy(update={"doi": known.doi or document.identifiers.doi}),
            "year": paper.arxiv.year,
            "experiment": experiment or document.experiment,
            "attribution": paper.attribution,
            "licence": paper.licence,
        }
    )
