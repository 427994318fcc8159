"""Reads the text layer of a PDF: columns, headings, captions, paragraphs (ISO 32000; PDFium).

What a PDF does not say is not guessed: tables and displayed formulas come as lines of text.
"""

from __future__ import annotations

from pathlib import Path

from extraction.readers.builder import DocumentBuilder
from extraction.readers.identifiers import arxiv_in_name, stated_arxiv
from extraction.readers.pdf_blocks import BlockWriter
from extraction.readers.pdf_layout import Line, page_lines, without_furniture
from extraction.readers.pdf_text import read_pages
from extraction.readers.source import MAX_BYTES, read_bytes, relative_name
from schemas.documents import Document, DocumentKind, Identifiers
from schemas.errors import ReadError
from schemas.ids import DocumentKey


def read_pdf(path: Path, *, root: Path, max_bytes: int = MAX_BYTES) -> Document:
    """Read a ``.pdf`` file under the import root; every line leads back to page and box.

    A page with drawings or pictures but without text is named in ``Document.notes``. Raises ``ReadError``
    for a damaged or encrypted file, and when no page at all has a text layer.
    """
    name = relative_name(path, root)
    data = read_bytes(path, root=root, max_bytes=max_bytes)
    pages: list[list[Line]] = []
    heights: list[float] = []
    silent: list[int] = []
    for page in read_pages(data, file=name):
        pages.append(page_lines(page))
        heights.append(page.height)
        if page.has_marks and not page.words:
            silent.append(page.number)
    if not any(pages):
        raise ReadError(
            f"expected a PDF with a text layer, found none on {len(pages)} pages; it is a scan: recognise "
            "its text first (OCR)",
            file=name,
        )
    writer = BlockWriter(DocumentBuilder(DocumentKind.PDF, file=name), name)
    writer.write(without_furniture(pages, heights))
    opening = " ".join(line.text for line in pages[0])
    arxiv = arxiv_in_name(path.name) or stated_arxiv(opening)
    return writer.builder.build(
        DocumentKey(arxiv or name),
        title=writer.title or path.stem,
        identifiers=Identifiers(arxiv=arxiv),
        notes=_notes(silent, len(pages)),
    )


def _notes(silent: list[int], total: int) -> list[str]:
    if not silent:
        return []
    numbers = ", ".join(map(str, silent))
    return [f"no text layer on {len(silent)} of {total} pages, which are not read: {numbers}"]
