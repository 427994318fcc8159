"""Chooses the reader for a file, and finds the documents under a folder."""

from __future__ import annotations

import gzip
import re
import zlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from extraction.readers.cord19 import read_cord19
from extraction.readers.html import read_html
from extraction.readers.jats import read_jats
from extraction.readers.latex import read_latex
from extraction.readers.logbook import read_jsonl, read_mbox
from extraction.readers.markdown import read_markdown
from extraction.readers.pdf import read_pdf
from extraction.readers.source import MAX_BYTES, relative_name
from extraction.readers.text import read_plain
from schemas.documents import Document
from schemas.errors import ReadError

READERS: Final[dict[str, Callable[..., Document]]] = {
    ".tex": read_latex,
    ".ltx": read_latex,
    ".tex.gz": read_latex,
    ".xml": read_jats,
    ".nxml": read_jats,
    ".xml.gz": read_jats,
    ".md": read_markdown,
    ".markdown": read_markdown,
    ".txt": read_plain,
    ".pdf": read_pdf,
    ".html": read_html,
    ".htm": read_html,
    ".json": read_cord19,
    ".jsonl": read_jsonl,
    ".ndjson": read_jsonl,
    ".mbox": read_mbox,
}
"""The reader of each file suffix."""

_LOOK: Final = 64 * 2**20
_MAIN: Final = re.compile(rb"^[^%\n]*\\document(?:class|style)\b", re.MULTILINE)
_LATEX: Final = frozenset({".tex", ".ltx", ".tex.gz"})
_SNIFFED: Final = {
    ".json": re.compile(rb'"(?:body_text|abstract)"\s*:'),
    ".jsonl": re.compile(rb'\A\s*\{[^\n]*"(?:text|body|message|content)"\s*:'),
    ".ndjson": re.compile(rb'\A\s*\{[^\n]*"(?:text|body|message|content)"\s*:'),
}
"""What a JSON file found in a folder must hold to be taken for a document."""


def suffix_of(path: Path) -> str:
    """The suffix that names the format, ``.gz`` with the one before it.

    >>> suffix_of(Path("a.b/paper.XML.gz"))
    '.xml.gz'
    """
    name = path.name.lower()
    inner = Path(name.removesuffix(".gz")).suffix
    return f"{inner}.gz" if name.endswith(".gz") else inner


def read_document(
    path: Path, *, root: Path, missing_inputs_ok: bool = False, max_bytes: int = MAX_BYTES
) -> Document:
    """Read one document; ``root`` is the import root, from which keys and paths are counted.

    A source file, unpacked, may have ``max_bytes``.

    ``missing_inputs_ok`` concerns LaTeX only: see :func:`~extraction.readers.latex.read_latex`.
    Raises ``ReadError`` for an unsupported suffix and for whatever the reader finds wrong.
    """
    if not path.is_file():
        found = "something that is no regular file" if path.exists() else "nothing"
        raise ReadError(f"expected a file or folder, found {found}; check the path", file=str(path))
    reader = READERS.get(suffix_of(path))
    if reader is None:
        raise ReadError(
            f"expected one of {', '.join(READERS)}, found {suffix_of(path) or 'no suffix'!r}; convert it",
            file=relative_name(path, root),
        )
    if suffix_of(path) in _LATEX:
        return read_latex(path, root=root, missing_inputs_ok=missing_inputs_ok, max_bytes=max_bytes)
    return reader(path, root=root, max_bytes=max_bytes)


def find_documents(paths: Sequence[Path]) -> tuple[tuple[Path, Path], ...]:
    """``(path, root)`` of every document in files and folders, sorted, each once.

    A folder is searched recursively and is the root of what it holds; hidden files and unsupported
    suffixes are passed over there. Of a folder's LaTeX files only the main ones (with
    ``\\documentclass``) count, unless there is none; the PDF files beside or below them are figures and
    passed over, and so are JSON files that hold neither a paper nor a logbook. A file that is named
    itself is always taken, with its own folder as root. A path that does not
    exist is taken too, so that reading tells its fault beside those of others.
    """
    found: dict[Path, Path] = {}
    for path in paths:
        if path.is_dir():
            for document in _in_folder(path):
                found.setdefault(document, path)
        else:
            found.setdefault(path, path.parent)
    return tuple(sorted(found.items()))


def _in_folder(folder: Path) -> list[Path]:
    files = [
        path
        for path in sorted(folder.rglob("*"))
        if suffix_of(path) in READERS
        and path.is_file()
        and not any(part.startswith(".") for part in path.relative_to(folder).parts)
    ]
    main = {path for path in files if suffix_of(path) in _LATEX and _holds(path, _MAIN)}
    with_main = {path.parent for path in main}

    def counts(path: Path) -> bool:
        suffix = suffix_of(path)
        if suffix in _SNIFFED:
            return _holds(path, _SNIFFED[suffix])
        if suffix not in _LATEX and suffix != ".pdf":
            return True
        return path in main or not any(parent in with_main for parent in path.parents)

    return [path for path in files if counts(path)]


def _holds(path: Path, pattern: re.Pattern[bytes]) -> bool:
    """Whether the beginning of a file (64 MB, unpacked) matches; True for one that cannot be read.

    Such a file counts as a document, so that its fault is told when it is read.
    """
    try:
        with gzip.open(path, "rb") if path.suffix.lower() == ".gz" else path.open("rb") as stream:
            return pattern.search(stream.read(_LOOK)) is not None
    except (OSError, EOFError, zlib.error):
        return True
