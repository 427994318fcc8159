"""arXiv: metadata through the ``arxiv`` client, licences by OAI-PMH, sources and PDF files.

The client (PyPI ``arxiv``, MIT) builds the queries, pages and parses the Atom feed. It has no timeout, no
size limit, no ``Retry-After`` and takes a damaged feed for an empty one, so its requests go through
:class:`~kg.adapters.polite_http.PoliteHttp`. Terms: one request in three seconds over one connection
(arXiv API terms of use, info.arxiv.org/help/api/tou.html).
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from kg.adapters.polite_http import MEGABYTE, FetchSettings, Pace, PoliteHttp, Timing
from schemas.errors import FetchError, UsageError
from schemas.model import Frozen

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

REQUESTS: Final = 1
SECONDS: Final = 3.0
BATCH: Final = 50
"""Papers whose metadata are asked for together."""
AUTHORS: Final = 3
"""Authors that are kept for the attribution line."""

_ID: Final = re.compile(
    r"(?P<id>\d{4}\.\d{4,5}|[a-z][a-z-]*(?:\.[A-Z]{2})?/\d{7})(?:v(?P<version>[1-9]\d{0,2}))?"
)
_ENTRY: Final = re.compile(rf"/abs/{_ID.pattern}$")
_LICENCE: Final = re.compile(r"<license>\s*([^<\s]+)\s*</license>")
_OAI_ERROR: Final = re.compile(r'<error code="(\w+)"[^>]*>([^<]*)<')
_WITHDRAWN: Final = re.compile(
    r"^\W*withdrawn\b|\b(?:paper|article|manuscript|submission|preprint|work)\b[^.]{0,40}\bwithdrawn\b",
    re.IGNORECASE,
)


class ArxivId(Frozen):
    """An arXiv number, with a version where one was named."""

    id: str
    """Without version: ``2104.04421`` or ``hep-ex/0012035``."""
    version: int | None = None

    def __str__(self) -> str:
        return f"{self.id}v{self.version}" if self.version else self.id


def parse_arxiv_id(text: str) -> ArxivId:
    """An arXiv number as people write it; ``UsageError`` for anything else.

    >>> parse_arxiv_id("2104.04421v2")
    ArxivId(id='2104.04421', version=2)
    """
    found = _ID.fullmatch(text.strip())
    if found is None:
        raise UsageError(
            f"expected an arXiv number such as 2104.04421, 2104.04421v2 or hep-ex/0012035, found {text!r}"
        )
    return ArxivId(id=found["id"], version=int(found["version"]) if found["version"] else None)


class ArxivPaper(Frozen):
    """What arXiv says about one version of a paper."""

    id: str
    version: int
    title: str
    authors: tuple[str, ...]
    """The first :data:`AUTHORS`."""
    author_count: int
    doi: str = ""
    """The first one given."""
    year: int
    """Of the first version."""
    withdrawn: str = ""
    """What the authors say of the withdrawal; empty when the paper stands."""


class ArxivSource:
    """Papers of arXiv, or of a server with the same addresses."""

    def __init__(self, settings: FetchSettings, timing: Timing) -> None:
        self._settings = settings
        self.http = PoliteHttp("arXiv", Pace(REQUESTS, SECONDS, timing), settings, timing)

    def papers(self, ids: Sequence[ArxivId]) -> dict[ArxivId, ArxivPaper | FetchError]:
        """Metadata of each id, in few requests; a ``FetchError`` for an id that arXiv does not have."""
        found: dict[ArxivId, ArxivPaper | FetchError] = {}
        for start in range(0, len(ids), BATCH):
            found |= self._batch(ids[start : start + BATCH])
        return found

    def _batch(self, ids: Sequence[ArxivId]) -> dict[ArxivId, ArxivPaper | FetchError]:
        try:
            papers = list(self._ask(ids))
        except FetchError as e:
            if e.status != 400:
                raise
            if len(ids) == 1:
                return {ids[0]: _unknown(ids[0])}
            return {one: answer for each in ids for one, answer in self._batch([each]).items()}
        by_name = {p.id: p for p in papers} | {f"{p.id}v{p.version}": p for p in papers}
        return {one: by_name.get(str(one)) or _unknown(one) for one in ids}

    def _ask(self, ids: Sequence[ArxivId]) -> Iterator[ArxivPaper]:
        import arxiv  # type: ignore[import-untyped]

        client = arxiv.Client(page_size=len(ids), delay_seconds=0, num_retries=0)
        client.query_url_format = self._settings.arxiv + "/api/query?{}"
        client._session = _Transport(self.http)
        search = arxiv.Search(id_list=[str(one) for one in ids], max_results=len(ids))
        try:
            for result in client.results(search):
                if (paper := _paper(result)) is not None:
                    yield paper
        except arxiv.UnexpectedEmptyPageError:
            return  # arXiv counted numbers that it does not have; those are told one by one
        except arxiv.ArxivError as e:
            raise FetchError(f"{e.url}: expected an Atom feed of papers, found: {e.message}") from e

    def licence(self, paper: ArxivPaper) -> str | None:
        """The licence's address, empty for a paper without one; None when no OAI-PMH address is set."""
        if not self._settings.arxiv_oai:
            return None
        reply = self.http.get(
            self._settings.arxiv_oai,
            params={
                "verb": "GetRecord",
                "identifier": f"oai:arXiv.org:{paper.id}",
                "metadataPrefix": "arXiv",
            },
        )
        text = reply.content.decode("utf-8", "replace")
        if (error := _OAI_ERROR.search(text)) is not None:
            raise FetchError(f"{reply.url}: expected the licence of {paper.id}, found {error[1]}: {error[2]}")
        if "<OAI-PMH" not in text:
            raise FetchError(f"{reply.url}: expected an OAI-PMH record, found {text[:80]!r}; see arxiv_oai")
        licence = _LICENCE.search(text)
        return html.unescape(licence[1]) if licence else ""

    def source_path(self, paper: ArxivPaper) -> str:
        return f"/e-print/{paper.id}v{paper.version}"

    def pdf_path(self, paper: ArxivPaper) -> str:
        return f"/pdf/{paper.id}v{paper.version}"

    def download(self, path: str) -> bytes:
        """The file at a path under the address of arXiv."""
        return self.http.get(
            self._settings.arxiv + path, max_bytes=self._settings.max_source_mb * MEGABYTE
        ).content


@dataclass(frozen=True, slots=True)
class _FeedReply:
    """What the client looks at of a reply."""

    content: bytes
    status_code: int = 200


@dataclass(frozen=True, slots=True)
class _Transport:
    """Stands in for the client's HTTP session."""

    http: PoliteHttp

    def get(self, url: str, headers: Mapping[str, str]) -> _FeedReply:  # noqa: ARG002 - it names itself
        """A whole Atom feed, or a ``FetchError``."""
        content = self.http.get(url).content
        if b"<feed" not in content[:2_000] or not content.rstrip().endswith(b"</feed>"):
            found = " ".join(content[:120].decode("utf-8", "replace").split())
            raise FetchError(
                f"{url}: expected a whole Atom feed, found {found!r}; check arxiv under [fetch] in kg.toml"
            )
        return _FeedReply(content)


def _paper(result: object) -> ArxivPaper | None:
    """A result of the client; None for an entry that reports an error instead of a paper."""
    entry_id, comment = str(getattr(result, "entry_id", "")), getattr(result, "comment", None) or ""
    found = _ENTRY.search(entry_id)
    if found is None:
        return None
    published: datetime = getattr(result, "published")  # noqa: B009 - the client is untyped
    authors = [str(author.name) for author in getattr(result, "authors", ())]
    summary = str(getattr(result, "summary", ""))
    said = next((t for t in (str(comment), summary) if _WITHDRAWN.search(t[:300])), "")
    return ArxivPaper(
        id=found["id"],
        version=int(found["version"] or 1),
        title=" ".join(str(getattr(result, "title", "")).split()),
        authors=tuple(authors[:AUTHORS]),
        author_count=len(authors),
        doi=next(iter(str(getattr(result, "doi", None) or "").lower().split()), ""),
        year=published.year,
        withdrawn=" ".join(said.split())[:300],
    )


def _unknown(one: ArxivId) -> FetchError:
    return FetchError(
        f"expected the number of a paper on arXiv, found {one}, which it does not have; check it", status=404
    )
