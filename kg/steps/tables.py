"""Import of edited CSV tables: what was changed in them becomes decisions in the log."""

from __future__ import annotations

from pathlib import Path

from kg.export_tables import graph_fingerprint, graph_rows
from kg.graph_edit import Entry, decisions_in
from kg.import_tables import Tables, graph_of_tables, read_tables, shown
from kg.review_log import ReviewLog
from kg.steps.context import StepContext
from kg.steps.review import current_base, is_edited, turned_back, write_decided
from kg.workspace import Workspace
from schemas.documents import Document
from schemas.errors import UsageError, WorkspaceError
from schemas.graphs import DocumentGraph
from schemas.ids import DocumentKey

_OUTDATED = (
    "is no longer the one that was exported: export again and repeat the edits, or empty the column `graph` "
    "to take all that differs as your decision"
)


def import_csv(
    context: StepContext, log: ReviewLog, folder: Path, *, dry_run: bool = False
) -> tuple[dict[DocumentKey, list[Entry]], tuple[str, ...]]:
    """Log the edits of ``nodes.csv`` and ``edges.csv``, all or none, and write the graphs as decided.

    Gives the decisions of each document that the tables name, and notes. Documents that they do not name are
    left alone. Raises ``GraphFileError`` with file, line and column of what does not stand up, also when
    a graph is no longer the one that was exported.
    """
    workspace = context.workspace
    tables = read_tables(folder)
    entity_of = log.prior_ids().entity_of
    found: dict[DocumentKey, list[Entry]] = {}
    runs: list[tuple[DocumentGraph, Document]] = []
    for key, rows in tables.documents().items():
        try:
            document = workspace.read_document(workspace.find_document(key))
            extracted, base = _base(workspace, log, document)
        except UsageError as e:
            raise tables.fault(rows, "document", str(e)) from e
        behind = turned_back(workspace, log, document)
        if behind and rows.fingerprints() == {graph_fingerprint(extracted)}:
            edited = graph_of_tables(
                tables, rows, shown(extracted, graph_rows(extracted, document, entity_of))
            )
            if decisions_in(edited, extracted, document, workspace.schema):
                raise tables.fault(rows, "graph", f"{behind}; then export again")
            found[key] = []
            continue
        edited = graph_of_tables(tables, rows, shown(base, graph_rows(base, document, entity_of)))
        found[key] = decisions_in(edited, base, document, workspace.schema)
        if found[key] and rows.fingerprints() - {graph_fingerprint(base)}:
            raise tables.fault(rows, "graph", f"the graph of {key} {_OUTDATED}")
        runs.append((extracted, document))
    entries = [entry for mine in found.values() for entry in mine]
    if not dry_run:
        _log(context, log, entries, runs)
    return found, _notes(tables)


def _base(workspace: Workspace, log: ReviewLog, document: Document) -> tuple[DocumentGraph, DocumentGraph]:
    """The run behind a document's graph, and that run with the decisions so far."""
    if not workspace.graph_path(document.key).exists():
        raise UsageError(f"{document.key} has no graph yet; run `kg extract`")
    if is_edited(workspace, document.key):
        raise WorkspaceError(
            f"the graph file of {document.key} was edited as well: `kg accept {document.key}` first"
        )
    return current_base(workspace, log, document)


def _log(
    context: StepContext,
    log: ReviewLog,
    entries: list[Entry],
    runs: list[tuple[DocumentGraph, Document]],
) -> None:
    with context.ledger.run("import") as run:
        if entries:
            log.append_many(
                [(kind, payload.model_dump(mode="json", exclude_defaults=True)) for kind, payload in entries],
                actor="kg import csv",
            )
        decisions = log.decisions()
        for extracted, document in runs:
            if mine := decisions.get(document.key, ()):
                write_decided(context.workspace, extracted, mine, document)
        run.counts |= {"events": len(entries)}


def _notes(tables: Tables) -> tuple[str, ...]:
    found = [t for t in (tables.nodes, tables.edges) if t is not None]
    return tuple(
        f"{table.path}: columns that mean nothing here: {', '.join(table.ignored)}"
        for table in found
        if table.ignored
    )
