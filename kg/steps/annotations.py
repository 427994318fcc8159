"""Import of annotated documents: the text and its graph come together, as from a structured source."""

from __future__ import annotations

from pathlib import Path

from kg.brat import Standoff, from_brat
from kg.nouns import counted
from kg.steps.context import Failure, StepContext, StepReport
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


def _read(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8")
    except (OSError, UnicodeDecodeError) as e:
        reason = getattr(e, "strerror", None) or "it is not UTF-8"
        raise ReadError(f"expected a readable UTF-8 file: {reason}", file=str(path)) from e
