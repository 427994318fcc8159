"""A server on loopback that speaks the APIs of arXiv and INSPIRE, with faults on request: for tests.

``/api/query`` (Atom), ``/oai`` (OAI-PMH), ``/e-print/ID``, ``/pdf/ID`` and ``/api/literature`` (JSON, paged).
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Final, Literal, Self
from urllib.parse import parse_qs, urlsplit
from xml.sax.saxutils import escape

from kg.adapters.arxiv_source import parse_arxiv_id
from schemas.errors import ServerStartError, UsageError

_ATOM: Final = (
    '<?xml version="1.0" encoding="UTF-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom" '
    'xmlns:arxiv="http://arxiv.org/schemas/atom" xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/">'
    "<opensearch:totalResults>{total}</opensearch:totalResults>{entries}</feed>\n"
)
_ENTRY: Final = (
    "<entry><id>http://arxiv.org/abs/{id}v{version}</id><updated>{year}-05-01T10:00:00Z</updated>"
    "<published>{year}-04-09T10:00:00Z</published><title>{title}</title><summary>{summary}</summary>"
    "{authors}{doi}{comment}</entry>"
)


@dataclass(frozen=True, slots=True)
class ServedPaper:
    """A paper that the server has."""

    arxiv: str
    """Without version; empty for a paper that only INSPIRE has."""
    eprint: bytes = b""
    """Answer of ``/e-print/``; empty for status 404."""
    pdf: bytes = b""
    """Answer of ``/pdf/``; empty for status 404."""
    version: int = 1
    title: str = "A measurement"
    summary: str = "We measure."
    comment: str = ""
    authors: tuple[str, ...] = ("A. Author",)
    doi: str = ""
    year: int = 2021
    licence: str = "http://creativecommons.org/licenses/by/4.0/"
    inspire: str = ""
    """Record number; empty for a paper that INSPIRE does not have."""
    collaboration: str = ""


@dataclass(frozen=True, slots=True)
class PaperRequest:
    """A request as it came."""

    path: str
    query: dict[str, str]
    headers: dict[str, str] = field(repr=False)
    """Names in lower case."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What the server sends, faults included."""

    content: bytes = b""
    status: int = 200
    content_type: str = "text/plain"
    headers: tuple[tuple[str, str], ...] = ()
    drop: Literal["", "before", "midway"] = ""
    """Close the connection without a reply, or in the middle of it."""


Script = Callable[[PaperRequest, int], Answer | None]
"""Given the request and how many came before: an answer instead of the real one, or None."""


class ScriptedPaperServer:
    """Serves ``papers`` while the ``with`` block lasts; ``requests`` holds all that came, in order.

    A query of INSPIRE is ``and``-joined ``collaboration:NAME``, ``recid:NUMBER`` and words of the title.

    >>> with ScriptedPaperServer([]) as server:
    ...     server.base_url.startswith("http://127.0.0.1:")
    True
    """

    def __init__(self, papers: Sequence[ServedPaper], script: Script = lambda _request, _n: None) -> None:
        self.papers, self._script = tuple(papers), script
        self._requests: list[PaperRequest] = []
        self._lock = threading.Lock()
        self._server: ThreadingHTTPServer | None = None
        self._thread: threading.Thread | None = None

    def __enter__(self) -> Self:
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None
    ) -> None:
        if self._server is not None and self._thread is not None:
            self._server.shutdown()
            self._server.server_close()
            self._thread.join()

    @property
    def base_url(self) -> str:
        """``http://127.0.0.1:PORT``; ``ServerStartError`` outside the ``with`` block."""
        if self._server is None:
            raise ServerStartError("the scripted paper server is not running; use it in a with block")
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    @property
    def settings(self) -> str:
        """The ``[fetch]`` table of kg.toml that leads here."""
        base = self.base_url
        return f'[fetch]\narxiv = "{base}"\narxiv_oai = "{base}/oai"\ninspire = "{base}"\n'

    @property
    def requests(self) -> tuple[PaperRequest, ...]:
        with self._lock:
            return tuple(self._requests)

    @property
    def paths(self) -> tuple[str, ...]:
        """Paths of all requests."""
        return tuple(r.path for r in self.requests)

    def answer(self, request: PaperRequest) -> Answer:
        """Record the request and decide on the answer."""
        with self._lock:
            number = len(self._requests)
            self._requests.append(request)
        return self._script(request, number) or self._real(request)

    def _real(self, request: PaperRequest) -> Answer:
        kind, _, rest = request.path.lstrip("/").partition("/")
        if kind in {"e-print", "pdf"}:
            paper = self._find(rest)
            content = (paper.eprint if kind == "e-print" else paper.pdf) if paper else b""
            return Answer(content, 200 if content else 404, "application/octet-stream")
        if request.path == "/api/query":
            return self._atom(request.query)
        if request.path == "/api/literature":
            return self._literature(request.query)
        if request.path == "/oai":
            return self._oai(request.query["identifier"].removeprefix("oai:arXiv.org:"))
        return Answer(b"nothing here", 404)

    def _find(self, name: str) -> ServedPaper | None:
        one = parse_arxiv_id(name)
        found = [p for p in self.papers if p.arxiv == one.id and one.version in {None, p.version}]
        return max(found, key=lambda p: p.version, default=None)

    def _atom(self, query: dict[str, str]) -> Answer:
        try:
            asked = [self._find(name) for name in query["id_list"].split(",")]
        except UsageError as e:
            return Answer(f"incorrect id format: {e}".encode(), 400)
        found = [p for p in asked if p is not None]
        start = int(query.get("start", "0"))
        shown = found[start : start + int(query.get("max_results", "10"))]
        feed = _ATOM.format(total=len(found), entries="".join(map(_entry, shown)))
        return Answer(feed.encode(), content_type="application/atom+xml")

    def _oai(self, name: str) -> Answer:
        paper = self._find(name)
        if paper is None:
            body = '<error code="idDoesNotExist">no such paper</error>'
        else:
            licence = f"<license>{escape(paper.licence)}</license>" if paper.licence else ""
            body = f"<GetRecord><arXiv><id>{paper.arxiv}</id>{licence}</arXiv></GetRecord>"
        return Answer(f"<?xml version='1.0'?><OAI-PMH>{body}</OAI-PMH>".encode(), content_type="text/xml")

    def _literature(self, query: dict[str, str]) -> Answer:
        size, page = int(query.get("size", "10")), int(query.get("page", "1"))
        found = [p for p in self.papers if p.inspire and _fits(p, query["q"])]
        hits = [{"id": p.inspire, "metadata": _metadata(p)} for p in found[(page - 1) * size : page * size]]
        body = {"hits": {"hits": hits, "total": len(found)}, "links": {}}
        return Answer(json.dumps(body).encode(), content_type="application/json")


def _fits(paper: ServedPaper, query: str) -> bool:
    values = {"collaboration": paper.collaboration.lower(), "recid": paper.inspire}
    for term in re.split(r"\s+and\s+", query.strip().lower()):
        name, _, value = term.partition(":")
        if values[name] != value if value else term not in paper.title.lower():
            return False
    return True


def _metadata(paper: ServedPaper) -> dict[str, object]:
    given: dict[str, object] = {
        "control_number": int(paper.inspire),
        "titles": [{"title": paper.title}],
        "earliest_date": f"{paper.year}-04-09",
        "arxiv_eprints": [{"value": paper.arxiv}] if paper.arxiv else [],
        "dois": [{"value": paper.doi}] if paper.doi else [],
        "collaborations": [{"value": paper.collaboration}] if paper.collaboration else [],
    }
    return {name: value for name, value in given.items() if value}


def _entry(paper: ServedPaper) -> str:
    return _ENTRY.format(
        id=paper.arxiv,
        version=paper.version,
        year=paper.year,
        title=escape(paper.title),
        summary=escape(paper.summary),
        authors="".join(f"<author><name>{escape(a)}</name></author>" for a in paper.authors),
        doi=f"<arxiv:doi>{paper.doi}</arxiv:doi>" if paper.doi else "",
        comment=f"<arxiv:comment>{escape(paper.comment)}</arxiv:comment>" if paper.comment else "",
    )


def _handler(server: ScriptedPaperServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def handle(self) -> None:
            try:
                super().handle()
            except ConnectionError:
                self.close_connection = True  # the client had enough, as it does with what is too large

        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            query = {name: values[0] for name, values in parse_qs(parts.query).items()}
            headers = {name.lower(): value for name, value in self.headers.items()}
            answer = server.answer(PaperRequest(parts.path, query, headers))
            self.close_connection = self.close_connection or bool(answer.drop)
            if answer.drop != "before":
                self._write(answer)

        def _write(self, answer: Answer) -> None:
            content = answer.content
            self.send_response(answer.status)
            self.send_header("content-type", answer.content_type)
            if "transfer-encoding" not in dict(answer.headers):
                self.send_header("content-length", str(len(content)))
            for name, value in answer.headers:
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(content[: len(content) // 2] if answer.drop == "midway" else content)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            """Say nothing."""

    return Handler
