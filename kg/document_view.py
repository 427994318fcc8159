"""One document's graph as a reader wants it: facts with their quotes and places, and what was refused."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import orjson

from kg.files import name_start, slug
from kg.workspace import StoredDocument, Workspace
from schemas.documents import Document, SourceLocation
from schemas.errors import UsageError, WorkspaceError
from schemas.graph_schema import GraphSchema
from schemas.graphs import Attributes, DocumentGraph, Evidence, Origin, Rejection, Status
from schemas.model import Frozen

MOST_LISTED = 10
"""Documents that an error names when a part of a key or title fits several."""


class Quote(Frozen):
    """A quote and where it stands; offsets are code points of the document's text, half-open."""

    quote: str
    start: int
    end: int
    where: str
    """``file:line``, or ``file, page N``."""


class Fact(Frozen):
    """What records and statements have in common."""

    id: str
    attributes: Attributes
    quotes: tuple[Quote, ...]
    confidence: float
    extractor: str
    origin: Origin
    status: Status


class RecordView(Fact):
    """A record."""

    type: str
    name: str
    description: str
    aliases: tuple[str, ...]


class StatementView(Fact):
    """A statement with the names of its ends."""

    subject: str
    type: str
    object: str


class DocumentView(Frozen):
    """The graph of one document, in the order of its file."""

    document: str
    title: str
    version: str
    run_id: str
    schema_name: str
    schema_version: str
    stale: str
    """Why the next extraction will replace this graph, or empty."""
    records: tuple[RecordView, ...]
    statements: tuple[StatementView, ...]
    rejections: tuple[Rejection, ...]
    rejected: dict[str, int]
    """Code -> how many, the most frequent first."""


def find_document(workspace: Workspace, wanted: str) -> StoredDocument:
    """The document with that key, or the only one whose key or title holds ``wanted`` (any case).

    Raises ``UsageError`` when none or several fit; those are named.
    """
    stored = workspace.documents()
    exact = [s for s in stored if s.slug == slug(wanted)]
    if exact:
        return exact[0]
    heads = [(s, *_head(s.path)) for s in stored]
    part = wanted.casefold().strip()
    fitting = [h for h in heads if part and part in h[1].casefold()]
    fitting = fitting or [h for h in heads if part and part in h[2].casefold()]
    if len(fitting) == 1:
        return fitting[0][0]
    if not fitting:
        raise UsageError(
            f"expected a document key, or a part of one key or title, found {wanted!r}, which fits none of "
            f"{len(stored)} documents; `kg export` lists the keys"
        )
    named = "; ".join(f"{key} ({title[:60]})" if title else key for _, key, title in fitting[:MOST_LISTED])
    more = f" and {len(fitting) - MOST_LISTED} more" if len(fitting) > MOST_LISTED else ""
    raise UsageError(f"{wanted!r} fits {len(fitting)} documents: {named}{more}; write more of the key")


def keys_beginning(workspace: Workspace, beginning: str, *, most: int) -> list[tuple[str, str]]:
    """Key and title of up to ``most`` documents whose key begins so, by key.

    Only files whose name can be that of such a key are opened.
    """
    start = name_start(beginning)
    fitting = [s for s in workspace.documents() if s.slug.startswith(start)]
    heads: list[tuple[str, str]] = []
    for stored in fitting:
        key, title = _head(stored.path)
        if key.startswith(beginning):
            heads.append((key, title))
        if len(heads) == most:
            break
    return sorted(heads)


def _head(path: Path) -> tuple[str, str]:
    """Key and title, without building the document."""
    try:
        found = orjson.loads(path.read_bytes())
        return str(found["key"]), str(found.get("title", ""))
    except (OSError, ValueError, KeyError, TypeError) as e:
        raise WorkspaceError(f"{path} is damaged, it holds no document; add its document again") from e


def document_view(workspace: Workspace, wanted: str) -> DocumentView:
    """The current graph of the document that ``wanted`` names (:func:`find_document`).

    Raises ``UsageError`` when the document has not been extracted yet.
    """
    document = workspace.read_document(find_document(workspace, wanted))
    if not workspace.graph_path(document.key).exists():
        raise UsageError(f"{document.key} has no graph yet; run `kg extract`")
    return view_of(workspace.read_graph(document.key), document, workspace.schema)


def view_of(graph: DocumentGraph, document: Document, schema: GraphSchema) -> DocumentView:
    """A graph with the places of its quotes in the document's source."""
    names = {r.id: r.name for r in graph.records}
    return DocumentView(
        document=graph.document,
        title=document.title,
        version=graph.version,
        run_id=graph.run_id,
        schema_name=graph.schema_name,
        schema_version=graph.schema_version,
        stale=stale_reason(graph, document, schema),
        records=tuple(
            RecordView(quotes=_quotes(document, r.evidence), **r.model_dump(exclude={"document", "evidence"}))
            for r in graph.records
        ),
        statements=tuple(
            StatementView(
                quotes=_quotes(document, s.evidence),
                subject=names[s.subject],
                object=names[s.object],
                **s.model_dump(exclude={"document", "evidence", "subject", "object"}),
            )
            for s in graph.statements
        ),
        rejections=graph.rejections,
        rejected=dict(Counter(r.code for r in graph.rejections).most_common()),
    )


def stale_reason(graph: DocumentGraph, document: Document, schema: GraphSchema) -> str:
    """Why the graph does not fit what is there now: another text, or another schema version; else empty."""
    if graph.version != document.version:
        return f"made from text {graph.version[:8]}, the document now has {document.version[:8]}"
    made, now = (graph.schema_name, graph.schema_version), (schema.name, schema.version)
    if made != now:
        return f"made under schema {' '.join(made)}, the workspace now has {' '.join(now)}"
    return ""


def _quotes(document: Document, evidence: Sequence[Evidence]) -> tuple[Quote, ...]:
    return tuple(
        Quote(quote=e.quote, start=e.start, end=e.end, where=place(document, e.start)) for e in evidence
    )


def place(document: Document, offset: int) -> str:
    """Where an offset of the text stands in the source, as people write it.

    ``file:line``; for a PDF ``file, page N``; with the path where the source has records.
    """
    return shown_place(document.source_map.locate(offset))


def shown_place(found: SourceLocation) -> str:
    """A source location as people write it.

    >>> shown_place(SourceLocation(file="a.tex", line=7)), shown_place(
    ...     SourceLocation(file="a.pdf", line=3, page=2)
    ... )
    ('a.tex:7', 'a.pdf, page 2')
    """
    return f"{found.file}, page {found.page}" if found.page else f"{found.file}:{found.line}"


def attribute_lines(attributes: Attributes) -> Iterator[str]:
    """``name: value`` for each attribute."""
    for name, value in attributes.items():
        yield f"{name}: {', '.join(value) if isinstance(value, tuple) else value}"
