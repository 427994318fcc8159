"""Exports of the documents' graphs: CSV tables, and brat standoff files."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from kg.brat import to_brat
from kg.document_view import place
from kg.files import slug, write_atomic
from kg.workspace import Workspace
from schemas.documents import Document
from schemas.graphs import DocumentGraph, Record, Statement
from schemas.ids import EntityId, RecordId

NODES = ("id", "entity", "document", "type", "name", "description", "aliases")
EDGES = ("id", "document", "subject", "subject_name", "type", "object", "object_name")
FACT = ("attributes", "confidence", "extractor", "origin", "status", "quote", "where", "quotes")
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def export_csv(workspace: Workspace, folder: Path, entity_of: dict[RecordId, EntityId]) -> tuple[int, int]:
    """Write ``nodes.csv`` (a record a row) and ``edges.csv`` (a statement a row); how many rows.

    ``attributes`` and ``quotes`` are JSON; ``quote`` is the first of ``quotes`` and ``where`` its place.
    A cell that a spreadsheet would run as a formula begins with an apostrophe.
    """
    nodes: list[Sequence[str]] = [(*NODES, *FACT)]
    edges: list[Sequence[str]] = [(*EDGES, *FACT)]
    for document, graph in _graphs(workspace):
        names = {r.id: r.name for r in graph.records}
        for r in graph.records:
            head = (r.id, entity_of.get(r.id, r.id), r.document, r.type, r.name, r.description)
            nodes.append((*head, _json(list(r.aliases)), *_fact(r, document)))
        for s in graph.statements:
            ends = (s.subject, names[s.subject], s.type, s.object, names[s.object])
            edges.append((s.id, s.document, *ends, *_fact(s, document)))
    write_atomic(folder / "nodes.csv", _table(nodes))
    write_atomic(folder / "edges.csv", _table(edges))
    return len(nodes) - 1, len(edges) - 1


def export_brat(workspace: Workspace, folder: Path) -> tuple[int, int]:
    """Write ``DOC.txt`` and ``DOC.ann`` for every document with a graph; documents, and facts left out."""
    written = left_out = 0
    for document, graph in _graphs(workspace):
        made = to_brat(graph, document)
        name = slug(document.key)
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
        f"{item.confidence:g}",
        item.extractor,
        item.origin.value,
        item.status.value,
        first.quote if first else "",
        place(document, first.start) if first else "",
        _json([e.model_dump(mode="json") for e in item.evidence]),
    )


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _table(rows: Sequence[Sequence[str]]) -> bytes:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([[_safe(cell) for cell in row] for row in rows])
    return text.getvalue().encode("utf-8", "surrogatepass")


def _safe(cell: str) -> str:
    return f"'{cell}" if cell.startswith(_FORMULA) else cell
