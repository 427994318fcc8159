"""Train: the learned extractor is fitted on what reviewers vetted in the current graphs."""

from __future__ import annotations

from collections.abc import Iterable

from kg.files import slug
from kg.steps.context import StepContext, StepReport
from kg.workspace import Workspace
from schemas.errors import UsageError
from schemas.graphs import DocumentGraph, Origin, Record, Statement, Status
from schemas.learning import LabelledDocument, ModelStore, Trainer

EXTRACTOR = "extractor"
"""Name of the learned extractor's model."""


def train_extractor(context: StepContext, trainer: Trainer, models: ModelStore) -> StepReport:
    """Fit the extractor on the vetted facts of the workspace and keep it in ``models/``.

    Raises ``UsageError`` when no text facts are vetted, or too few.
    """
    workspace = context.workspace
    with context.ledger.run("train") as run, context.progress.task("training", unit="models") as task:
        labelled = vetted_documents(workspace)
        if not labelled:
            raise UsageError(
                "expected documents with vetted facts, found none: the learned extractor learns from records "
                "and statements with status vetted or published; review documents, then train"
            )
        artifact = trainer.fit(labelled, workspace.schema)
        models.save(EXTRACTOR, artifact)
        task.advance()
        run.counts |= {"documents": artifact.header.documents}
    notes = [
        f"trained on {artifact.header.documents} documents with vetted facts; model {artifact.digest[:12]}"
    ]
    if not workspace.settings.extraction.learned:
        notes.append("to use it, set learned = true under [extraction] in kg.toml, then run `kg extract`")
    return StepReport("train", 1, 0, notes=tuple(notes))


def vetted_documents(workspace: Workspace) -> list[LabelledDocument]:
    """The documents whose current graph holds a vetted record from the text, with their graphs.

    A graph of another version of its document is left out: its spans are those of another text.
    """
    stored = {s.slug: s for s in workspace.documents()}
    found: list[LabelledDocument] = []
    for graph in workspace.graphs():
        if not any(_vetted(r) for r in graph.records):
            continue
        document = workspace.read_document(stored[slug(graph.document)])
        if document.version == graph.version:
            found.append(LabelledDocument(document=document, graph=graph, complete=_all_decided(graph)))
    return found


def _vetted(fact: Record | Statement) -> bool:
    return fact.origin is Origin.TEXT and fact.status is not Status.DRAFT


def _all_decided(graph: DocumentGraph) -> bool:
    facts: Iterable[Record | Statement] = (*graph.records, *graph.statements)
    return all(_vetted(f) for f in facts if f.origin is Origin.TEXT)
