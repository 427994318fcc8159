"""Reviewers' decisions that do not fit what the extractor says now."""

from __future__ import annotations

from collections.abc import Iterable

from kg.graph_file import read_graph_file
from kg.review_items import Conflict, replay
from kg.review_log import ReviewLog
from kg.workspace import StoredDocument, Workspace


def contested_now(
    workspace: Workspace, log: ReviewLog, documents: Iterable[StoredDocument]
) -> tuple[Conflict, ...]:
    """The conflicts of all decisions in force with the runs behind the current graphs.

    Found anew from log and runs each time, so none is lost and one that was settled is gone. A document
    without a graph has none; ``GraphFileError`` when a graph is no graph file any more.
    """
    decisions = log.decisions()
    found: list[Conflict] = []
    for stored in documents if decisions else ():
        path = workspace.root / "graphs" / f"{stored.slug}.json"
        if not path.exists():
            continue
        graph = read_graph_file(path).graph
        if mine := decisions.get(graph.document):
            extracted = workspace.read_run(graph.document, graph.run_id)
            found += replay(extracted, mine, workspace.read_document(stored).text)[1]
    return tuple(found)
