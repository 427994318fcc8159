"""Add: sources become documents of the workspace; structured sources bring their graphs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from extraction.readers.pdg import read_pdg
from extraction.readers.registry import READERS, find_documents, read_document
from extraction.readers.source import printable
from kg.files import slug
from kg.steps.context import Failure, StepContext, StepReport
from kg.workspace import StoredDocument
from schemas.documents import Document
from schemas.errors import ReadError, UsageError


def add_paths(context: StepContext, paths: Sequence[Path], *, missing_inputs_ok: bool = False) -> StepReport:
    """Read files and folders; what cannot be read is reported and the rest goes on.

    ``missing_inputs_ok`` marks the place of a LaTeX ``\\input`` whose file is absent instead of failing.
    ``UsageError`` when there is no document at all.
    """
    found = find_documents(paths)
    if not found:
        places = ", ".join(map(str, paths))
        raise UsageError(f"{places}: expected documents ({', '.join(READERS)}), found none; check the path")
    stored = {s.slug: s for s in context.workspace.documents()}
    failures: list[Failure] = []
    notes: list[str] = []
    changed = 0
    max_bytes = context.workspace.settings.extraction.max_file_mb * 2**20
    with (
        context.ledger.run("add") as run,
        context.progress.task("reading documents", total=len(found), unit="documents") as task,
    ):
        for path, root in found:
            name = printable(path)
            try:
                document = read_document(
                    path, root=root, missing_inputs_ok=missing_inputs_ok, max_bytes=max_bytes
                )
                notes += [f"{name}: {note}" for note in document.notes]
                changed += keep_document(context, document, stored)
                notes += _also_known(context, path, document, stored)
                context.ledger.clear_failure("add", name)
            except ReadError as e:
                failures.append(Failure(name, str(e)))
                if path.is_file():
                    context.ledger.fail("add", name, str(e))
            task.advance(note=Path(name).name[:40])
        run.counts |= {"read": len(found) - len(failures), "changed": changed, "failed": len(failures)}
    return StepReport("add", changed, len(found) - changed - len(failures), tuple(failures), tuple(notes))


def remove_documents(context: StepContext, keys: Sequence[str]) -> StepReport:
    """Take documents out of the corpus; their files move to ``removed/`` and nothing is deleted.

    ``WorkspaceError`` when one of the keys is unknown; then none is removed.
    """
    found = [context.workspace.find_document(key) for key in keys]
    with context.ledger.run("remove") as run:
        for stored in found:
            context.workspace.remove_document(stored)
        run.counts |= {"removed": len(found)}
    return StepReport("remove", len(found), 0, notes=("run `kg build` to take their facts out of Neo4j",))


def add_pdg(context: StepContext, *, experiment: str | None) -> StepReport:
    """Add the Particle Data Group's papers and particles, all or of one experiment."""
    source = read_pdg(context.workspace.schema, experiment=experiment)
    stored = {s.slug: s for s in context.workspace.documents()}
    changed = 0
    with (
        context.ledger.run("add") as run,
        context.progress.task("reading PDG listings", total=len(source), unit="documents") as task,
    ):
        for document, graph in source:
            context.workspace.save_graph(graph)
            known = document.model_copy(update={"base_run": graph.run_id})
            changed += context.workspace.save_document(known, stored)
            task.advance()
        run.counts |= {"read": len(source), "changed": changed}
    return StepReport("add", changed, len(source) - changed, notes=(f"Data: {source.citation}",))


def keep_document(context: StepContext, document: Document, stored: dict[str, StoredDocument]) -> bool:
    """Save a document; the same text under a second key becomes a further key of the first."""
    name, version = slug(document.key), document.version
    if name in stored:
        if stored[name].version == version:
            known = context.workspace.read_document(stored[name])
            document = document.model_copy(update={"other_keys": known.other_keys})
    else:
        for twin in stored.values():
            if twin.version == version:
                return _add_key(context, twin, document, stored)
    return context.workspace.save_document(document, stored)


def _also_known(
    context: StepContext, path: Path, document: Document, stored: dict[str, StoredDocument]
) -> list[str]:
    """That a file is the same text as a document of another key, which has taken its key up."""
    if slug(document.key) in stored:
        return []
    twin = next(s for s in stored.values() if s.version == document.version)
    known = context.workspace.read_document(twin)
    return [f"{path}: the same text as {known.key}; {document.key} is kept as another key of it"]


def _add_key(
    context: StepContext, twin: StoredDocument, document: Document, stored: dict[str, StoredDocument]
) -> bool:
    known = context.workspace.read_document(twin)
    if document.key == known.key or document.key in known.other_keys:
        return False
    keys = tuple(sorted({*known.other_keys, document.key}))
    return context.workspace.save_document(known.model_copy(update={"other_keys": keys}), stored)
