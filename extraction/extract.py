"""Extraction of one document: runs the extractors and assembles their drafts."""

from __future__ import annotations

from collections.abc import Sequence

from extraction.assemble import assemble, identify_run
from schemas.documents import Document
from schemas.graph_schema import GraphSchema
from schemas.graphs import DocumentGraph
from schemas.ports import Extractor


def extract_document(
    document: Document,
    schema: GraphSchema,
    extractors: Sequence[Extractor],
    *,
    base: DocumentGraph | None = None,
) -> DocumentGraph:
    """The document's graph from all extractors, on top of ``base`` where a structured source gave one.

    An extractor's own errors (a chat endpoint that fails) pass through: a graph that misses an
    extractor's part is never returned.
    """
    return assemble(document, schema, [e.extract(document, schema) for e in extractors], base=base)


def run_id(document: Document, schema: GraphSchema, extractors: Sequence[Extractor]) -> str:
    """Id that :func:`extract_document` will give the graph, without extracting: same id, same work."""
    return identify_run(document, schema, (e.name for e in extractors))
