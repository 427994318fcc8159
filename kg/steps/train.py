"""Train: models are fitted on what reviewers vetted in the current graphs, and decided about merges."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from canonicalize.pair_data import joined, labelled_pairs, labelled_terms, pair_columns, proposed_columns
from canonicalize.pair_model import encode, fit_pair_model
from canonicalize.reviewed_pairs import reviewed_columns
from kg.corpus import record_columns
from kg.files import slug
from kg.nouns import counted
from kg.review_log import ReviewLog
from kg.steps.context import StepContext, StepReport
from kg.workspace import Workspace
from schemas.errors import UsageError
from schemas.graphs import DocumentGraph, Origin, Record, Statement, Status
from schemas.ids import content_hash
from schemas.learning import LabelledDocument, ModelStore, Trainer
from schemas.ports import Embedder

EXTRACTOR = "extractor"
"""Name of the learned extractor's model."""
JUDGE = "judge"
"""Name of the pair model that is trained on reviewers' decisions."""


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
        f"trained on {counted(artifact.header.documents, 'document')} with vetted facts; "
        f"model {artifact.digest[:12]}"
    ]
    if not workspace.settings.extraction.learned:
        notes.append("to use it, set learned = true under [extraction] in kg.toml, then run `kg extract`")
    return StepReport("train", 1, 0, notes=tuple(notes))


def train_judge(
    context: StepContext,
    graphs: Sequence[DocumentGraph],
    log: ReviewLog,
    *,
    models: ModelStore,
    embedder: Embedder | None,
) -> StepReport:
    """Fit the pair model on reviewers' links and undone merges, beside the labelled names that are shipped.

    The columns of all pairs are computed with the workspace's own embedder. Raises ``UsageError`` when
    reviewers decided nothing about merges: the shipped model is what the labelled names alone give.
    """
    schema, links = context.workspace.schema, log.constraints()
    with context.ledger.run("train judge") as run, context.progress.task("training", unit="models") as task:
        tables = record_columns(graphs, schema, embedder, progress=context.progress)
        reviewed = joined([reviewed_columns(t, schema.entity(t.type), links) for t in tables])
        if not len(reviewed):
            raise UsageError(
                "expected decisions on pairs of names that differ, found none; decide with `kg same` and "
                '`kg different`, or use the shipped model: judge = "pairs" under [canonicalize] in kg.toml'
            )
        shipped = [
            pair_columns(labelled_pairs(), embedder),
            proposed_columns(labelled_terms(), embedder),
        ]
        model = fit_pair_model(joined([*shipped, reviewed]))
        source = content_hash("pairs", links.model_dump(mode="json"), embedder.model_id if embedder else "")
        artifact = encode(model, source=source, schema_name=schema.name, schema_version=schema.version)
        models.save(JUDGE, artifact)
        task.advance()
        run.counts |= {"reviewed": len(reviewed), "pairs": model.pairs}
    notes = [
        f"trained on {len(reviewed)} pairs of reviewers and {model.pairs - len(reviewed)} that are shipped; "
        f"model {artifact.digest[:12]}"
    ]
    if context.workspace.settings.canonicalize.judge != "pairs":
        notes.append('to use it, set judge = "pairs" under [canonicalize] in kg.toml, then run `kg resolve`')
    return StepReport("train judge", 1, 0, notes=tuple(notes))


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
