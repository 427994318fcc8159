"""Which documents have to be extracted, and which have their graph already."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from kg.steps.follow import Follower
from kg.steps.recipe import Recipe
from kg.workspace import StoredDocument, Workspace
from schemas.documents import Document
from schemas.errors import CorpusGraphError, SettingsError, WorkspaceError
from schemas.graphs import DocumentGraph

_NOTHING_ON = (
    "expected an extractor, found none switched on; set extraction.rules, llm or learned to true in kg.toml"
)


@dataclass(frozen=True, slots=True)
class Work:
    """A document to extract."""

    stored: StoredDocument
    document: Document


Result: TypeAlias = tuple[StoredDocument, DocumentGraph | CorpusGraphError | None]
"""A document's new graph, or why there is none; None when the graph is current."""


def pending(
    workspace: Workspace, documents: Sequence[StoredDocument], recipe: Recipe
) -> Iterator[Work | Result]:
    """Per document: the work to do, or the result when there is none."""
    follower = Follower(workspace)
    for stored in documents:
        try:
            document = workspace.read_document(stored)
            if document.base_run:
                restored = _restore(workspace, document)
                yield stored, follower.follow(stored, document) or restored
            elif not recipe.extractors:
                yield stored, SettingsError(_NOTHING_ON)
            else:
                expected = recipe.run_id(document)
                current = _has_graph(workspace, document, expected)
                yield (stored, None) if current else Work(stored, document)
        except CorpusGraphError as e:
            yield stored, e


def _restore(workspace: Workspace, document: Document) -> DocumentGraph | None:
    """The graph that came with a structured document; None when it is in place already."""
    path = workspace.graph_path(document.key)
    if not path.exists():
        return workspace.read_run(document.key, document.base_run)
    if workspace.is_edited(document.key, document.base_run):
        current = workspace.read_graph(document.key)
        if current.run_id == document.base_run:
            raise _edited(workspace, document)
        return workspace.read_run(document.key, document.base_run)
    return None


def _has_graph(workspace: Workspace, document: Document, expected: str) -> bool:
    """Whether the graph is that of run ``expected``; one that was edited is never replaced."""
    path = workspace.graph_path(document.key)
    if not path.exists():
        return False
    found = workspace.read_graph(document.key).run_id
    run = workspace.run_path(document.key, found)
    if workspace.is_edited(document.key, found) if run.exists() else found != expected:
        raise _edited(workspace, document)
    return found == expected


def _edited(workspace: Workspace, document: Document) -> WorkspaceError:
    path = workspace.graph_path(document.key).relative_to(workspace.root)
    return WorkspaceError(
        f"{path} was edited by hand, which is not taken over without a review; "
        f"`kg accept {document.key}` logs the changes as decisions, "
        f"or delete it to restore the extracted graph of {document.key}"
    )
