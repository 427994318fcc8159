"""Takes words with their boxes and sizes out of a PDF's text layer (PDFium through pypdfium2)."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from schemas.documents import Box
from schemas.errors import ReadError

MAX_PAGES: Final = 5_000
MAX_CHARACTERS: Final = 20_000_000
"""Most characters of one document's text layer."""

_HYPHEN: Final = 2
"""PDFium's code for a hyphen at a line end."""
_WRONG_PASSWORD: Final = 4
_MAY_COPY: Final = 1 << 4
"""Bit 5 of the permissions: text may be taken out (ISO 32000-1, table 22)."""
_LIGATURES: Final = {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"}
_BOLD: Final = (b"bold", b"black", b"heavy", b"cmbx", b"medi")


@dataclass(frozen=True, slots=True)
class Word:
    """Characters without white space; ``box`` in points, ``size`` of the font in points."""

    text: str
    box: Box
    size: float
    bold: bool


@dataclass(frozen=True, slots=True)
class Page:
    """One page; ``number`` from 1, ``has_marks`` whether anything at all is drawn on it."""

    number: int
    width: float
    height: float
    words: tuple[Word, ...]
    has_marks: bool


def read_pages(data: bytes, *, file: str) -> Iterator[Page]:
    """The pages of a PDF, words in the order of the file.

    Raises ``ReadError`` for a file that is damaged, asks for a password, forbids taking text out, or is
    beyond :data:`MAX_PAGES` or :data:`MAX_CHARACTERS`.
    """
    document = _open(data, file)
    try:
        left = MAX_CHARACTERS
        for index in range(len(document)):
            page = _page(document, index, file)
            left -= sum(len(word.text) for word in page.words)
            if left < 0:
                raise ReadError(
                    f"expected at most {MAX_CHARACTERS:,} characters, found more; split it", file=file
                )
            yield page
    finally:
        document.close()


def _open(data: bytes, file: str) -> Any:
    import pypdfium2  # type: ignore[import-untyped]
    import pypdfium2.raw as pdfium  # type: ignore[import-untyped]

    try:
        document = pypdfium2.PdfDocument(data)
    except pypdfium2.PdfiumError as e:
        if getattr(e, "err_code", None) == _WRONG_PASSWORD:
            raise ReadError(
                "expected a PDF without a password, found an encrypted one; save it without encryption",
                file=file,
            ) from e
        raise ReadError(f"expected a PDF, found: {e}; is the file damaged?", file=file) from e
    encrypted = pdfium.FPDF_GetSecurityHandlerRevision(document) >= 0
    if encrypted and not pdfium.FPDF_GetDocPermissions(document) & _MAY_COPY:
        document.close()
        raise ReadError(
            "expected a PDF whose text may be taken out, found an encrypted one that forbids it; ask its "
            "authors for the source",
            file=file,
        )
    if not 0 < len(document) <= MAX_PAGES:
        found = len(document)
        document.close()
        raise ReadError(f"expected 1 to {MAX_PAGES:,} pages, found {found:,}; split it", file=file)
    return document


def _page(document: Any, index: int, file: str) -> Page:
    import pypdfium2
    import pypdfium2.raw as pdfium

    try:
        page = document[index]
        text = page.get_textpage()
    except pypdfium2.PdfiumError as e:
        raise ReadError(f"expected a page that can be read, found: {e}", file=file, line=index + 1) from e
    try:
        count = pdfium.FPDFText_CountChars(text)
        if count > MAX_CHARACTERS:
            raise ReadError(
                f"expected at most {MAX_CHARACTERS:,} characters, found more on page {index + 1}", file=file
            )
        words = tuple(_Words(text, pdfium).words(max(0, count)))
        marks = pdfium.FPDFPage_CountObjects(page) > 0
        return Page(index + 1, page.get_width(), page.get_height(), words, marks)
    finally:
        text.close()
        page.close()


class _Words:
    def __init__(self, text: Any, pdfium: Any) -> None:
        self._text, self._pdfium = text, pdfium
        self._rect = pdfium.FS_RECTF()
        self._name = ctypes.create_string_buffer(128)
        self._flags = ctypes.c_int()

    def words(self, count: int) -> Iterator[Word]:
        """Words among the first ``count`` characters."""
        unicode_at, text = self._pdfium.FPDFText_GetUnicode, self._text
        letters: list[str] = []
        first = last = 0
        for at in range(count):
            code = unicode_at(text, at)
            letter = "-" if code == _HYPHEN else chr(code) if code < 0x110000 else ""
            if letter.isspace() or code in {0, 0xFFFE, 0xFFFF} or 0xD800 <= code < 0xE000:
                if letters:
                    yield self._word(letters, first, last)
                letters = []
                continue
            if not letters:
                first = at
            letters.append(_LIGATURES.get(letter, letter))
            last = at
            if code == _HYPHEN:
                yield self._word(letters, first, last)
                letters = []
        if letters:
            yield self._word(letters, first, last)

    def _word(self, letters: list[str], first: int, last: int) -> Word:
        left, bottom, right, top = self._box(first)
        if last > first:
            end = self._box(last)
            left, right = min(left, end[0]), max(right, end[2])
        size = self._pdfium.FPDFText_GetFontSize(self._text, first)
        # A font scaled by the text matrix has size 1; the box then tells more.
        size = size if size > 1.5 else (top - bottom)
        return Word("".join(letters), (left, bottom, right, top), round(size, 1), self._bold(first))

    def _box(self, at: int) -> Box:
        rect = self._rect
        self._pdfium.FPDFText_GetLooseCharBox(self._text, at, rect)
        return (round(rect.left, 1), round(rect.bottom, 1), round(rect.right, 1), round(rect.top, 1))

    def _bold(self, at: int) -> bool:
        length = self._pdfium.FPDFText_GetFontInfo(self._text, at, self._name, 128, self._flags)
        name = self._name.value.lower() if 0 < length <= 128 else b""
        return any(mark in name for mark in _BOLD)
