"""Fetched papers: ``fetched/SLUG/`` with ``paper.json`` and the files as they came, whole or absent."""

from __future__ import annotations

import hashlib
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from kg.adapters.arxiv_source import ArxivId, ArxivPaper
from kg.adapters.inspire_source import InspirePaper
from kg.files import dump, load, slug, writable, write_atomic
from schemas.documents import Identifiers
from schemas.errors import DataError
from schemas.model import Frozen

FOLDER = "fetched"
MANIFEST = "paper.json"
PDF = "paper.pdf"


class FetchedFile(Frozen):
    """One file as the server gave it."""

    name: str
    path: str
    """Path on the server it came from, without the host."""
    size: int
    """Bytes."""
    sha256: str
    fetched_utc: str


class FetchedPaper(Frozen):
    """The manifest of one version of a paper."""

    arxiv: ArxivPaper
    inspire: InspirePaper | None = None
    licence_url: str | None = None
    """As arXiv gives it, empty when it gives none; None while it was not told."""
    files: tuple[FetchedFile, ...]

    @property
    def id(self) -> ArxivId:
        return ArxivId(id=self.arxiv.id, version=self.arxiv.version)

    @property
    def identifiers(self) -> Identifiers:
        """The arXiv number without version, DOI and INSPIRE number."""
        inspire = self.inspire
        return Identifiers(
            arxiv=self.arxiv.id,
            inspire=inspire.id if inspire else "",
            doi=self.arxiv.doi or (inspire.doi if inspire else ""),
        )

    @property
    def licence(self) -> str:
        return licence_name(self.licence_url or "")

    @property
    def attribution(self) -> str:
        """The line that cites the paper: who, title, number, licence."""
        authors = self.inspire.collaboration if self.inspire else ""
        if authors:
            authors += " collaboration"
        elif self.arxiv.authors:
            authors = ", ".join(self.arxiv.authors)
            authors += " et al." if self.arxiv.author_count > len(self.arxiv.authors) else ""
        doi = f", doi:{self.identifiers.doi}" if self.identifiers.doi else ""
        licence = f" ({self.licence})" if self.licence else " (licence not known)"
        return f"{authors or 'unknown authors'}: {self.arxiv.title}, arXiv:{self.id}{doi}{licence}"


def licence_name(url: str) -> str:
    """The common name of a licence's address, or the address itself.

    >>> licence_name("http://creativecommons.org/licenses/by-nc-sa/4.0/")
    'CC BY-NC-SA 4.0'
    """
    parts = url.rsplit("://", maxsplit=1)[-1].strip("/").split("/")
    match parts:
        case [("creativecommons.org" | "www.creativecommons.org"), "licenses", terms, version]:
            return f"CC {terms.upper()} {version}"
        case [("creativecommons.org" | "www.creativecommons.org"), "publicdomain", "zero", version]:
            return f"CC0 {version}"
        case ["arxiv.org", "licenses", "nonexclusive-distrib", version]:
            return f"arXiv non-exclusive licence to distribute {version}"
        case _:
            return url


class FetchedPapers:
    """The papers kept in a workspace; written to by one command at a time (``Workspace.writing``)."""

    def __init__(self, root: Path) -> None:
        self.root = root / FOLDER
        self._known: dict[str, dict[int, FetchedPaper]] | None = None

    def find(self, one: ArxivId) -> FetchedPaper | None:
        """The version named, or the highest that is kept."""
        if self._known is None:
            self._known = {}
            for paper in self.papers():
                self._remember(paper)
        versions = self._known.get(one.id, {})
        return versions.get(one.version or max(versions, default=0))

    def _remember(self, paper: FetchedPaper) -> None:
        if self._known is not None:
            self._known.setdefault(paper.arxiv.id, {})[paper.arxiv.version] = paper

    def papers(self) -> Iterator[FetchedPaper]:
        """All manifests, by folder name."""
        for path in sorted(self.root.glob(f"[!.]*/{MANIFEST}")):
            yield load(path, FetchedPaper)

    def folder(self, one: ArxivId) -> Path:
        """Where a version is kept."""
        return self.root / slug(f"arxiv:{one}")

    def keep(self, paper: FetchedPaper, contents: dict[str, bytes]) -> None:
        """Keep a new paper: its folder appears with all files or not at all."""
        target = self.folder(paper.id)
        with self.scratch() as scratch, writable(target):
            made = scratch / "paper"
            made.mkdir()
            for name, content in contents.items():
                (made / name).write_bytes(content)
            (made / MANIFEST).write_bytes(dump(paper))
            made.replace(target)
        self._remember(paper)

    def update(self, paper: FetchedPaper, contents: dict[str, bytes] | None = None) -> None:
        """Keep further files and what more is known of a kept paper."""
        for name, content in (contents or {}).items():
            write_atomic(self.folder(paper.id) / name, content)
        write_atomic(self.folder(paper.id) / MANIFEST, dump(paper))
        self._remember(paper)

    def read(self, paper: FetchedPaper, file: FetchedFile) -> bytes:
        """Bytes of a kept file; ``DataError`` when they are not those that were fetched."""
        path = self.folder(paper.id) / file.name
        try:
            data = path.read_bytes()
        except OSError as e:
            raise DataError(f"{path}: expected a kept file, found: {e}; {self._again(paper)}") from e
        if hashlib.sha256(data).hexdigest() != file.sha256:
            raise DataError(
                f"{path}: expected the bytes that were fetched, found others; {self._again(paper)}"
            )
        return data

    def _again(self, paper: FetchedPaper) -> str:
        return f"remove the folder {self.folder(paper.id)} and run the command again"

    @contextmanager
    def scratch(self) -> Iterator[Path]:
        """A hidden folder, gone afterwards like any that a killed command left; never one in another."""
        with writable(self.root):
            self.root.mkdir(exist_ok=True)
            for left in self.root.glob(".scratch-*"):
                shutil.rmtree(left)
        with tempfile.TemporaryDirectory(prefix=".scratch-", dir=self.root) as folder:
            yield Path(folder)


def fetched_file(name: str, path: str, content: bytes, *, at: str) -> FetchedFile:
    """The manifest entry of a file."""
    return FetchedFile(
        name=name, path=path, size=len(content), sha256=hashlib.sha256(content).hexdigest(), fetched_utc=at
    )
