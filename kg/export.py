"""Export: the whole graph as JSON Lines, the same bytes for the same graph."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Iterator
from enum import StrEnum
from importlib.metadata import version
from pathlib import Path
from typing import Final

from kg.store import graph_hash, graph_lines
from schemas.errors import WorkspaceError
from schemas.graph_schema import GraphSchema
from schemas.graphs import CanonicalGraph
from schemas.ids import canonical_json
from schemas.model import Frozen


class ExportFormat(StrEnum):
    """What `kg export` writes."""

    JSONL = "jsonl"
    CSV = "csv"
    BRAT = "brat"


FORMAT: Final = "corpusgraph-jsonl/1"


class ExportHeader(Frozen):
    """The first line of an export."""

    format: str
    graph_hash: str
    schema_name: str
    schema_version: str
    schema_fingerprint: str
    counts: dict[str, int]
    attributions: tuple[str, ...]
    """Citation lines that must stand wherever the content is shown; distinct and sorted."""
    created_by: str


def export_header(graph: CanonicalGraph, attributions: Iterable[str], *, schema: GraphSchema) -> ExportHeader:
    """What the export of a graph says of itself; no time, so that equal graphs give equal bytes."""
    return ExportHeader(
        format=FORMAT,
        graph_hash=graph_hash(graph),
        schema_name=schema.name,
        schema_version=schema.version,
        schema_fingerprint=schema.fingerprint,
        counts={
            "entities": len(graph.entities),
            "records": len(graph.records),
            "statements": len(graph.statements),
            "redirects": len(graph.redirects),
        },
        attributions=tuple(sorted({line for line in attributions if line})),
        created_by=f"corpusgraph {version('corpusgraph')}",
    )


def export_jsonl(
    graph: CanonicalGraph, attributions: Iterable[str], path: Path, *, schema: GraphSchema
) -> ExportHeader:
    """Writes header, entities, records, statements and redirects, one JSON object a line, sorted by id.

    The file appears whole or not at all. ``WorkspaceError`` when it cannot be written.
    """
    header = export_header(graph, attributions, schema=schema)
    try:
        with tempfile.NamedTemporaryFile("wb", dir=path.parent, prefix=f".{path.name}.", delete=False) as out:
            temporary = Path(out.name)
            try:
                out.writelines(_lines(header, graph))
                out.flush()
                os.fsync(out.fileno())
                temporary.replace(path)
            except BaseException:
                temporary.unlink(missing_ok=True)
                raise
    except OSError as e:
        raise WorkspaceError(
            f"the export cannot be written to {path}: {e.strerror or e}; choose another place"
        ) from e
    return header


def _lines(header: ExportHeader, graph: CanonicalGraph) -> Iterator[bytes]:
    yield f"{canonical_json({'kind': 'header', **header.model_dump(mode='json')})}\n".encode()
    for kind, line in graph_lines(graph):
        text = canonical_json({"kind": kind, "value": line})
        yield f"{text}\n".encode("utf-8", "surrogatepass")
