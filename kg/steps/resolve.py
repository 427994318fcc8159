"""Resolve: records become entities; the difference to the log is appended in one transaction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from canonicalize.judge import Judge, ThresholdJudge
from canonicalize.llm_judge import LlmJudge
from canonicalize.resolve import resolve
from canonicalize.rounds import RoundPolicy
from kg import nouns
from kg.chat_tally import ChatTally, counted
from kg.corpus import record_columns
from kg.merge_report import save_report
from kg.review_log import ReviewLog
from kg.steps.context import Failure, StepContext, StepReport
from schemas.graph_schema import GraphSchema
from schemas.graphs import DocumentGraph, RecordColumns
from schemas.ports import Embedder
from schemas.review import Resolution, Round


@dataclass(frozen=True, slots=True)
class Judgement:
    """Who judges, in how many rounds, and what counts the tokens meanwhile."""

    judge: Judge = field(default_factory=ThresholdJudge)
    policy: RoundPolicy = field(default_factory=RoundPolicy)
    tally: ChatTally = field(default_factory=ChatTally)


def resolve_all(
    context: StepContext,
    graphs: Sequence[DocumentGraph],
    log: ReviewLog,
    *,
    embedder: Embedder | None,
    judging: Judgement | None = None,
) -> StepReport:
    """Resolve the whole corpus; running it again without new documents appends nothing.

    An error of the judge leaves the log as it was; replies of a chat model that came are kept.
    """
    schema, judging = context.workspace.schema, judging or Judgement()
    total = sum(len(g.records) for g in graphs)
    with context.ledger.run("resolve") as run, counted(run, judging.tally):
        tables = record_columns(graphs, schema, embedder, progress=context.progress)
        with context.progress.task("resolving", total=total, unit="records") as task:
            resolution = resolved(tables, schema, log, judging=judging)
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
            **round_counts(resolution.rounds),
        }
    return StepReport(
        "resolve",
        events,
        0,
        notes=_notes(total, resolution, judging.judge),
        not_done=_not_done(judging.judge),
    )


def resolved(
    tables: Sequence[RecordColumns], schema: GraphSchema, log: ReviewLog, *, judging: Judgement
) -> Resolution:
    """The resolution that the log and the judge lead to; nothing is written."""
    return resolve(
        tables,
        schema,
        constraints=log.constraints(),
        prior=log.prior_ids(),
        judge=judging.judge,
        rounds=judging.policy,
    )


def round_counts(rounds: Sequence[Round]) -> dict[str, int]:
    """Counts of each round over all types, for the ledger: ``round1_merged`` and so on."""
    counts: dict[str, int] = {}
    for done in rounds:
        for what in ("units", "candidates", "merged", "unsure", "calls", "tokens"):
            value = int(getattr(done, what))
            if value:
                key = f"round{done.number}_{what}"
                counts[key] = counts.get(key, 0) + value
    return counts


def _notes(total: int, resolution: Resolution, judge: Judge) -> tuple[str, ...]:
    records, entities = nouns.counted(total, "record"), nouns.counted(len(resolution.groups), "entity")
    notes = [f"{records} {'is' if total == 1 else 'are'} {entities}"]
    if resolution.unsure:
        notes.append(
            f"waiting for a decision: {nouns.counted(len(resolution.unsure), 'merge')}, see `kg merges`"
        )
    if isinstance(judge, LlmJudge) and judge.failed:
        notes.append(f"{judge.failed} clusters got no usable answer and stay as they were")
    return tuple(notes)


def _not_done(judge: Judge) -> tuple[Failure, ...]:
    if not isinstance(judge, LlmJudge) or not judge.not_asked:
        return ()
    reason = "the budget is spent; they stay as they were, run again with more"
    return (Failure(f"{judge.not_asked} clusters", reason),)
