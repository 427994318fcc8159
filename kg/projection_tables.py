"""The tables of nodes and relationships that a :class:`GraphContent` stands for."""

from __future__ import annotations

import hashlib
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from kg.projection import (
    Edge,
    EdgeTable,
    NodeTable,
    Projection,
    Properties,
    checked,
    entity_row,
    record_row,
    redirect_row,
    statement_row,
)
from kg.queries import Label, Link
from kg.store import GraphContent
from schemas.communities import Communities, CommunityReport
from schemas.documents import Chunk, Document, Section
from schemas.errors import DataError
from schemas.graph_schema import GraphSchema
from schemas.graphs import CanonicalGraph, Entity, Statement
from schemas.ids import EntityId, RecordId, canonical_json

FORMAT = 1
"""Raised whenever the rows change their form, so that every store is compared again."""


@dataclass(slots=True)
class Passages:
    """Documents, sections and chunks as rows, collected in one pass."""

    documents: dict[str, Properties] = field(default_factory=dict)
    sections: dict[str, Properties] = field(default_factory=dict)
    chunks: dict[str, Properties] = field(default_factory=dict)
    section_parents: list[tuple[str, str]] = field(default_factory=list)
    document_sections: list[tuple[str, str]] = field(default_factory=list)
    chunk_sections: list[tuple[str, str]] = field(default_factory=list)
    spans: dict[str, tuple[list[int], list[Chunk]]] = field(default_factory=dict)
    """By document: chunk starts, rising, and the chunks."""

    def add(self, document: Document, chunks: Sequence[Chunk]) -> None:
        """Adds one document; a key that was added before is a ``DataError``."""
        if document.key in self.documents:
            raise DataError(f"document {document.key} was given twice; expected each key once")
        self.documents[document.key] = checked(_document_row(document), f"document {document.key}")
        for section in document.sections:
            self._add_section(document.key, section)
        ordered = sorted(chunks, key=lambda c: c.start)
        self.spans[document.key] = ([c.start for c in ordered], ordered)
        for chunk in ordered:
            self.chunks[chunk.id] = checked(_chunk_row(chunk), f"chunk {chunk.order} of {document.key}")
            self.chunk_sections.append((_section_id(document.key, chunk.section), chunk.id))

    def _add_section(self, key: str, section: Section) -> None:
        node = _section_id(key, section.index)
        self.sections[node] = checked(_section_row(node, section), f"section {section.index} of {key}")
        if section.parent is None:
            self.document_sections.append((key, node))
        else:
            self.section_parents.append((_section_id(key, section.parent), node))

    def chunk_at(self, document: str, offset: int) -> Chunk | None:
        """The chunk that holds a text offset; None between chunks."""
        starts, chunks = self.spans.get(document, ([], []))
        at = bisect_right(starts, offset) - 1
        return chunks[at] if at >= 0 and offset < chunks[at].end else None


def _section_id(key: str, index: int) -> str:
    return f"{key}#{index}"


def _document_row(document: Document) -> Properties:
    row: Properties = {
        "id": document.key,
        "version": document.version,
        "kind": document.kind.value,
        "title": document.title,
        **document.identifiers.model_dump(),
        "experiment": document.experiment,
        "other_keys": list(document.other_keys),
        "attribution": document.attribution,
        "licence": document.licence,
    }
    if document.year is not None:
        row["year"] = document.year
    return row


def _section_row(node: str, section: Section) -> Properties:
    return {
        "id": node,
        "title": section.title,
        "level": section.level,
        "order": section.index,
        "start": section.start,
        "end": section.end,
    }


def _chunk_row(chunk: Chunk) -> Properties:
    return {
        "id": chunk.id,
        "document": chunk.document,
        "order": chunk.order,
        "start": chunk.start,
        "end": chunk.end,
        "text": chunk.text,
    }


def passages_of(content: GraphContent) -> Passages:
    """Reads ``content.documents`` once; each record's document must be among them (``DataError``)."""
    passages = Passages()
    for item in content.documents:
        passages.add(item.document, item.chunks)
    for record in content.graph.records:
        if record.document not in passages.documents:
            raise DataError(
                f"record {record.name!r} is of document {record.document}, which is not among the "
                f"{len(passages.documents)} documents to load; add the document or remove its graph"
            )
    return passages


def projection_hash(content: GraphContent, passages: Passages) -> str:
    """64 hexadecimal digits that change whenever the store would have to change."""
    header, digest = content.header, hashlib.sha256()
    vectors = content.entity_vectors
    head = [
        FORMAT,
        header.graph_hash,
        header.graph_schema.fingerprint,
        header.embedding_model,
        header.embedding_dimension,
        sorted(vectors.ids()) if vectors else [],
        sorted(content.events.items()),
    ]
    digest.update(canonical_json(head).encode("utf-8", "surrogatepass"))
    for rows in (passages.documents, passages.sections, passages.chunks):
        for node in sorted(rows):
            digest.update(canonical_json(rows[node]).encode("utf-8", "surrogatepass"))
    for links in (passages.section_parents, passages.chunk_sections):
        digest.update(canonical_json(sorted(links)).encode("utf-8", "surrogatepass"))
    return digest.hexdigest()


def project(content: GraphContent, passages: Passages) -> Projection:
    """All tables of a load, endpoints before what hangs on them."""
    graph, schema = content.graph, content.header.graph_schema
    _require_types(graph, schema)
    entity_of = graph.entity_of()
    return Projection(
        nodes=(*_entity_tables(graph, schema), *_other_nodes(graph, passages)),
        edges=(
            *_statement_tables(graph, schema, entity_of),
            *_record_edges(content, passages, entity_of),
            *_passage_edges(passages),
        ),
    )


def _require_types(graph: CanonicalGraph, schema: GraphSchema) -> None:
    for entity_type in {e.type for e in graph.entities}:
        schema.entity(entity_type)
    for relation in {s.type for s in graph.statements}:
        schema.relation(relation)


def _entity_tables(graph: CanonicalGraph, schema: GraphSchema) -> list[NodeTable]:
    by_type: dict[str, dict[str, Entity]] = {e.name: {} for e in schema.entities}
    for entity in graph.entities:
        by_type[entity.type][entity.id] = entity
    return [NodeTable((Label.ENTITY, e.label), by_type[e.name], entity_row) for e in schema.entities]


def _other_nodes(graph: CanonicalGraph, passages: Passages) -> list[NodeTable]:
    return [
        NodeTable((Label.RECORD,), {r.id: r for r in graph.records}, record_row),
        NodeTable((Label.REDIRECT,), {r.old: r for r in graph.redirects}, redirect_row),
        NodeTable((Label.DOCUMENT,), passages.documents, dict),
        NodeTable((Label.SECTION,), passages.sections, dict),
        NodeTable((Label.CHUNK,), passages.chunks, dict),
    ]


def _statement_tables(
    graph: CanonicalGraph, schema: GraphSchema, entity_of: Mapping[RecordId, EntityId]
) -> list[EdgeTable]:
    by_type: dict[str, list[Statement]] = {r.name: [] for r in schema.relations}
    for statement in graph.statements:
        if statement.subject not in entity_of or statement.object not in entity_of:
            raise DataError(f"statement {statement.id} of {statement.document} has an end that is no record")
        by_type[statement.type].append(statement)

    def edges(statements: Sequence[Statement]) -> Iterator[Edge]:
        for s in statements:
            yield entity_of[s.subject], entity_of[s.object], statement_row(s)

    return [
        EdgeTable(r.neo4j_type, Label.ENTITY, Label.ENTITY, lambda of=by_type[r.name]: edges(of))  # type: ignore[misc]
        for r in schema.relations
    ]


def _record_edges(
    content: GraphContent, passages: Passages, entity_of: Mapping[RecordId, EntityId]
) -> list[EdgeTable]:
    records, events = content.graph.records, content.events

    def refers_to() -> Iterator[Edge]:
        for r in records:
            yield r.id, entity_of[r.id], ({"event": events[r.id]} if r.id in events else {})

    def mentioned_in() -> Iterator[Edge]:
        for r in records:
            for e in dict.fromkeys(r.evidence):
                chunk = passages.chunk_at(r.document, e.start)
                if chunk is not None:
                    yield r.id, chunk.id, {"start": e.start, "end": e.end, "quote": e.quote}

    def has_document() -> Iterator[Edge]:
        kind = content.header.graph_schema.document_type
        yield from (
            (entity, document, {})
            for entity, document in dict.fromkeys(
                (entity_of[r.id], r.document) for r in records if r.type == kind
            )
        )

    return [
        EdgeTable(Link.REFERS_TO, Label.RECORD, Label.ENTITY, refers_to),
        EdgeTable(Link.FROM, Label.RECORD, Label.DOCUMENT, lambda: ((r.id, r.document, {}) for r in records)),
        EdgeTable(Link.MENTIONED_IN, Label.RECORD, Label.CHUNK, mentioned_in),
        EdgeTable(Link.HAS_DOCUMENT, Label.ENTITY, Label.DOCUMENT, has_document),
    ]


def _links(link: Link, start: Label, end: Label, pairs: Sequence[tuple[str, str]]) -> EdgeTable:
    return EdgeTable(link, start, end, lambda: ((a, b, {}) for a, b in pairs))


def _passage_edges(passages: Passages) -> list[EdgeTable]:
    return [
        _links(Link.HAS_SECTION, Label.DOCUMENT, Label.SECTION, passages.document_sections),
        _links(Link.HAS_SECTION, Label.SECTION, Label.SECTION, passages.section_parents),
        _links(Link.HAS_CHUNK, Label.SECTION, Label.CHUNK, passages.chunk_sections),
    ]


def project_communities(found: Communities, reports: Sequence[CommunityReport]) -> Projection:
    """Community nodes with their reports, and the links of entities to their finest community."""
    report_of = {r.community: r for r in reports}
    rows: dict[str, Properties] = {}
    finest: dict[str, tuple[int, str]] = {}
    for community in found.communities:
        rows[community.id] = {
            "id": community.id,
            "level": community.level,
            "size": len(community.members),
            **_report_row(report_of.get(community.id)),
        }
        for member in community.members:
            here = (community.level, community.id)
            finest[member] = min(here, finest.get(member, here))
    members = [(entity, community) for entity, (_, community) in finest.items()]
    parents = [(c.id, c.parent) for c in found.communities if c.parent is not None]
    return Projection(
        nodes=(NodeTable((Label.COMMUNITY,), rows, dict),),
        edges=(
            _links(Link.IN_COMMUNITY, Label.ENTITY, Label.COMMUNITY, members),
            _links(Link.PART_OF, Label.COMMUNITY, Label.COMMUNITY, parents),
        ),
    )


def _report_row(report: CommunityReport | None) -> Properties:
    if report is None:
        return {}
    findings = [[f.text, list(f.statements)] for f in report.findings]
    return {
        "title": report.title,
        "summary": report.summary,
        "findings": canonical_json(findings),
        "summarizer": report.summarizer,
    }
