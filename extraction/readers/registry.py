"""Chooses the reader for a file, and finds the documents under a folder."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from extraction.readers.jats import read_jats
from extraction.readers.latex import read_latex
from extraction.readers.markdown import read_markdown
from extraction.readers.source import read_bytes, relative_name
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
}
"""The reader of each file suffix."""

_MAIN: Final = re.compile(rb"^[^%\n]*\\document(?:class|style)\b", re.MULTILINE)
_LATEX: Final = frozenset({".tex", ".ltx", ".tex.gz"})


def suffix_of(path: Path) -> str:
    """The suffix that names the format, ``.gz`` with the one before it.

    >>> suffix_of(Path("a.b/paper.XML.gz"))
    '.xml.gz'
    """
    name = path.name.lower()
    inner = Path(name.removesuffix(".gz")).suffix
    return f"{inner}.gz" if name.endswith(".gz") else inner


def read_document(path: Path, *, root: Path, missing_inputs_ok: bool = False) -> Document:
    """Read one document; ``root`` is the import root, from which keys and paths are counted.

    ``missing_inputs_ok`` concerns LaTeX only: see :func:`~extraction.readers.latex.read_latex`.
    Raises ``ReadError`` for an unsupported suffix and for whatever the reader finds wrong.
    """
    reader = READERS.get(suffix_of(path))
    if reader is None:
        raise ReadError(
            f"expected one of {', '.join(READERS)}, found {suffix_of(path) or 'no suffix'!r}; convert it",
            file=relative_name(path, root),
        )
    if suffix_of(path) in _LATEX:
        return read_latex(path, root=root, missing_inputs_ok=missing_inputs_ok)
    return reader(path, root=root)


def find_documents(paths: Sequence[Path]) -> tuple[tuple[Path, Path], ...]:
    """``(path, root)`` of every document in files and folders, sorted, each once.

    A folder is searched recursively and is the root of what it holds; hidden files and unsupported
    suffixes are passed over there. Of a folder's LaTeX files only the main ones (with
    ``\\documentclass``) count, unless there is none. A file that is named itself is always taken, with
    its own folder as root. Raises ``ReadError`` for a path that does not exist.
    """
    found: dict[Path, Path] = {}
    for path in paths:
        if path.is_dir():
            for document in _in_folder(path):
                found.setdefault(document, path)
        elif path.is_file():
            found.setdefault(path, path.parent)
        else:
            raise ReadError("expected a file or folder, found nothing; check the path", file=str(path))
    return tuple(sorted(found.items()))


def _in_folder(folder: Path) -> list[Path]:
    files = [
        path
        for path in sorted(folder.rglob("*"))
        if suffix_of(path) in READERS
        and path.is_file()
        and not any(part.startswith(".") for part in path.relative_to(folder).parts)
    ]
    latex = [path for path in files if suffix_of(path) in _LATEX]
    main = {path for path in latex if _MAIN.search(read_bytes(path, root=folder))} if latex else set()
    with_main = {path.parent for path in main}
    return [
        path
        for path in files
        if path not in latex or path in main or not any(parent in with_main for parent in path.parents)
    ]
