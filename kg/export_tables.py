"""Exports of the documents' graphs: CSV tables, and brat standoff files."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from kg.brat import to_brat
from kg.csv_files import table_bytes
from kg.document_view import place
from kg.files import slug, write_atomic
from kg.workspace import Workspace
from schemas.documents import Document
from schemas.graphs import DocumentGraph, Record, Statement
from schemas.ids import EntityId, RecordId, content_hash

NODES = ("id", "entity", "document", "type", "name", "description", "aliases")
EDGES = ("id", "document", "subject", "subject_name", "type", "object", "object_name")
FACT = ("attributes", "confidence", "extractor", "origin", "status", "quote", "where", "quotes", "graph")
NODE_COLUMNS = (*NODES, *FACT)
EDGE_COLUMNS = (*EDGES, *FACT)


def export_csv(workspace: Workspace, folder: Path, entity_of: dict[RecordId, EntityId]) -> tuple[int, int]:
    """Write ``nodes.csv`` (a record a row) and ``edges.csv`` (a statement a row); how many rows.

    ``attributes`` and ``quotes`` are JSON; ``quote`` is the first of ``quotes`` and ``where`` its place;
    ``graph`` is the fingerprint of the document's graph. A cell that a spreadsheet would run as a formula
    begins with an apostrophe.
    """
    nodes: list[Sequence[str]] = [NODE_COLUMNS]
    edges: list[Sequence[str]] = [EDGE_COLUMNS]
    for document, graph in _graphs(workspace):
        made = graph_rows(graph, document, entity_of)
        nodes += made[0]
        edges += made[1]
    write_atomic(folder / "nodes.csv", table_bytes(nodes))
    write_atomic(folder / "edges.csv", table_bytes(edges))
    return len(nodes) - 1, len(edges) - 1


def graph_rows(
    graph: DocumentGraph, document: Document, entity_of: Mapping[RecordId, EntityId]
) -> tuple[list[tuple[str, ...]], list[tuple[str, ...]]]:
    """The cells of a graph's records and statements, in the order of :data:`NODE_COLUMNS`, `EDGE_COLUMNS`."""
    mark = graph_fingerprint(graph)
    names = {r.id: r.name for r in graph.records}
    nodes, edges = [], []
    for r in graph.records:
        head = (r.id, entity_of.get(r.id, r.id), r.document, r.type, r.name, r.description)
        nodes.append((*head, _json(list(r.aliases)), *_fact(r, document), mark))
    for s in graph.statements:
        ends = (s.subject, names[s.subject], s.type, s.object, names[s.object])
        edges.append((s.id, s.document, *ends, *_fact(s, document), mark))
    return nodes, edges


def graph_fingerprint(graph: DocumentGraph) -> str:
    """Changes with every fact of a graph; begins with a letter, so that no spreadsheet counts with it."""
    items: tuple[Record | Statement, ...] = (*graph.records, *graph.statements)
    facts = [item.model_dump(mode="json") for item in sorted(items, key=lambda item: item.id)]
    return f"g{content_hash(graph.version, facts)[:15]}"


def export_brat(workspace: Workspace, folder: Path) -> tuple[int, int]:
    """Write ``DOC.txt`` and ``DOC.ann`` for every document with a graph; documents, and facts left out."""
    written = left_out = 0
    for document, graph in _graphs(workspace):
        made = to_brat(graph, document)
        name = slug(document.key).removesuffix(".txt")
        write_atomic(folder / f"{name}.txt", made.text.encode("utf-8", "surrogatepass"))
        write_atomic(folder / f"{name}.ann", made.annotations.encode("utf-8", "surrogatepass"))
        written, left_out = written + 1, left_out + made.left_out
    return written, left_out


def _graphs(workspace: Workspace) -> Iterator[tuple[Document, DocumentGraph]]:
    stored = {s.slug: s for s in workspace.documents()}
    for graph in workspace.graphs():
        yield workspace.read_document(stored[slug(graph.document)]), graph


def _fact(item: Record | Statement, document: Document) -> tuple[str, ...]:
    first = item.evidence[0] if item.evidence else None
    return (
        _json(dict(item.attributes)),
        repr(item.confidence),
        item.extractor,
        item.origin.value,
        item.status.value,
        first.quote if first else "",
        place(document, first.start) if first else "",
        _json([e.model_dump(mode="json") for e in item.evidence]),
    )


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
