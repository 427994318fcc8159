"""Extraction of one document: runs the extractors and assembles their drafts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from extraction.assemble import assemble, identify_run
from extraction.describe import Describer
from extraction.evidence import check_extraction
from schemas.documents import Document
from schemas.graph_schema import GraphSchema
from schemas.graphs import DocumentGraph, Extraction
from schemas.ports import Extractor, SecondPassExtractor


def extract_document(
    document: Document,
    schema: GraphSchema,
    extractors: Sequence[Extractor],
    *,
    base: DocumentGraph | None = None,
    describer: Describer | None = None,
    given: Mapping[str, Extraction] | None = None,
) -> DocumentGraph:
    """The document's graph from all extractors, on top of ``base`` where a structured source gave one.

    ``given`` holds extractions of this document by their extractor's name; these extractors are not run.

    A second-pass extractor runs after the others and is given what of theirs passed the checks.
    A ``describer`` describes the records that have no description.

    An extractor's own errors (a chat endpoint that fails) pass through: a graph that misses an
    extractor's part is never returned.
    """
    graph = assemble(document, schema, _extract(document, schema, extractors, given or {}), base=base)
    if describer is None:
        return graph
    return described(graph, schema, describer, run=run_id(document, schema, extractors, describer=describer))


def described(graph: DocumentGraph, schema: GraphSchema, describer: Describer, *, run: str) -> DocumentGraph:
    """The graph with descriptions, as the result of ``run``."""
    return describer.describe(graph, schema).model_copy(update={"run_id": run})


def run_id(
    document: Document,
    schema: GraphSchema,
    extractors: Sequence[Extractor],
    *,
    describer: Describer | None = None,
) -> str:
    """Id that :func:`extract_document` will give the graph, without extracting: same id, same work."""
    names = [e.name for e in extractors]
    return identify_run(document, schema, [*names, describer.name] if describer else names)


def _extract(
    document: Document,
    schema: GraphSchema,
    extractors: Sequence[Extractor],
    given: Mapping[str, Extraction],
) -> list[Extraction]:
    later = [e for e in extractors if isinstance(e, SecondPassExtractor)]
    first = [
        given[e.name] if e.name in given else e.extract(document, schema)
        for e in extractors
        if not isinstance(e, SecondPassExtractor)
    ]
    if not later:
        return first
    checked = [check_extraction(document, schema, extraction) for extraction in first]
    return [*first, *(e.extract_after(document, schema, checked) for e in later)]
