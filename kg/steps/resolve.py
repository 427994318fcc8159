"""Resolve: records become entities; the difference to the log is appended in one transaction."""

from __future__ import annotations

from collections.abc import Sequence

from canonicalize.resolve import resolve
from kg.corpus import record_columns
from kg.merge_report import save_report
from kg.review_log import ReviewLog
from kg.steps.context import StepContext, StepReport
from schemas.graphs import DocumentGraph
from schemas.ports import Embedder


def resolve_all(
    context: StepContext, graphs: Sequence[DocumentGraph], log: ReviewLog, *, embedder: Embedder | None
) -> StepReport:
    """Resolve the whole corpus; running it again without new documents appends nothing."""
    schema = context.workspace.schema
    total = sum(len(g.records) for g in graphs)
    with context.ledger.run("resolve") as run:
        tables = record_columns(graphs, schema, embedder, progress=context.progress)
        with context.progress.task("resolving", total=total, unit="records") as task:
            resolution = resolve(tables, schema, constraints=log.constraints(), prior=log.prior_ids())
            events = log.record_resolution(resolution, actor="kg resolve")
            save_report(context.workspace, resolution)
            task.advance(total)
        run.counts |= {
            "records": total,
            "entities": len(resolution.groups),
            "merged_groups": sum(len(g.records) > 1 for g in resolution.groups),
            "blocked": sum(resolution.blocked_total.values()),
            "unsure": len(resolution.unsure),
            "events": events,
        }
    return StepReport("resolve", events, 0, notes=(f"{total} records are {len(resolution.groups)} entities",))
