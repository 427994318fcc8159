"""Import of annotated documents: the text and its graph come together, as from a structured source."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from kg.brat import Standoff, from_brat
from kg.files import slug
from kg.nouns import counted
from kg.steps.context import Failure, StepContext, StepReport
from kg.workspace import StoredDocument
from schemas.documents import Document
from schemas.errors import ReadError, UsageError


def import_brat(context: StepContext, folder: Path) -> StepReport:
    """Add every ``NAME.txt`` with its ``NAME.ann`` below a folder; what cannot be read is listed."""
    found = sorted(folder.rglob("*.ann"))
    if not found:
        raise UsageError(f"{folder}: expected brat files (.txt and .ann), found none; check the path")
    workspace = context.workspace
    stored = {s.slug: s for s in workspace.documents()}
    failures: list[Failure] = []
    notes: list[str] = []
    changed = 0
    with context.ledger.run("import") as run:
        for path in found:
            name = path.relative_to(folder).with_suffix("").as_posix()
            try:
                standoff = Standoff(_read(path.with_suffix(".txt")), _read(path))
                document, graph, skipped = from_brat(standoff, name=name, schema=workspace.schema)
                _refuse_twin(context, path, document, stored)
            except ReadError as e:
                failures.append(Failure(str(path), str(e)))
                continue
            if skipped:
                notes.append(
                    f"{path}: {counted(len(skipped), 'line')} without entity or relation, "
                    f"the first {skipped[0]}"
                )
            workspace.save_graph(graph)
            changed += workspace.save_document(document, stored)
        run.counts |= {"read": len(found) - len(failures), "changed": changed, "failed": len(failures)}
    unchanged = len(found) - changed - len(failures)
    return StepReport("import", changed, unchanged, tuple(failures), tuple(notes))


def _refuse_twin(
    context: StepContext, path: Path, document: Document, stored: Mapping[str, StoredDocument]
) -> None:
    """A text that is here under another key would have its facts counted twice."""
    for twin in stored.values():
        if twin.version == document.version and twin.slug != slug(document.key):
            known = context.workspace.read_document(twin).key
            raise ReadError(
                f"expected a text that is not in the workspace yet, found that of {known}; import it into a "
                f"workspace of its own, or correct {known} with `kg import csv` or in its graph file",
                file=str(path),
            )


def _read(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8")
    except (OSError, UnicodeDecodeError) as e:
        reason = getattr(e, "strerror", None) or "it is not UTF-8"
        raise ReadError(f"expected a readable UTF-8 file: {reason}", file=str(path)) from e
