"""Resolve: records become entities; the difference to the log is appended in one transaction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from canonicalize.incremental import State, start, update
from canonicalize.judge import Judge, ThresholdJudge
from canonicalize.llm_judge import LlmJudge
from canonicalize.one_type import Deciding
from canonicalize.quality import Agreement, pairwise
from canonicalize.resolve import resolve
from canonicalize.rounds import RoundPolicy
from canonicalize.state_files import collection_paused
from kg import nouns
from kg.chat_tally import ChatTally, counted
from kg.corpus import record_columns
from kg.graph_marks import Graphs, Seen
from kg.merge_report import save_report, update_report
from kg.resolution_state import (
    ACTOR,
    Basis,
    Continuation,
    Head,
    InFull,
    Limits,
    appended_alone,
    continuation,
    fitting,
    forget_state,
    keep_state,
    rules_hash,
)
from kg.review_log import ReviewLog
from kg.steps.context import Failure, StepContext, StepReport
from schemas.graph_schema import GraphSchema
from schemas.graphs import DocumentGraph, RecordColumns
from schemas.ids import DocumentKey, EntityId
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
    graphs: Sequence[DocumentGraph] | None,
    log: ReviewLog,
    *,
    embedder: Embedder | None,
    judging: Judgement | None = None,
    full: bool = False,
) -> StepReport:
    """Resolve the corpus; running it again without new documents appends nothing.

    ``graphs`` are all current graphs; with None they are read, as far as they are needed.

    Where a state was saved and little changed since, only what the changed documents touch is resolved
    again, unless ``full``. An error of the judge leaves the log as it was; replies of a chat model that
    came are kept.
    """
    read = Graphs(context.workspace, graphs)
    job = _Job(context, read, log, embedder, judging or Judgement())
    with context.ledger.run("resolve") as run, counted(run, job.judging.tally):
        found = InFull("it was asked for") if full else job.continuation()
        done = job.in_full(found) if isinstance(found, InFull) else job.continued(found)
        run.counts |= {"records": done.total, "resolved": done.records, **_counts(done)}
    return StepReport(
        "resolve",
        done.events,
        0,
        notes=(*done.notes, *_notes(done.resolution, job.judging.judge)),
        not_done=_not_done(job.judging.judge),
    )


@dataclass(frozen=True, slots=True)
class _Done:
    """What a resolution made, of all records or of some."""

    resolution: Resolution
    events: int
    records: int
    """Those that were resolved."""
    total: int
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Job:
    """One run over the current graphs."""

    context: StepContext
    graphs: Graphs
    log: ReviewLog
    embedder: Embedder | None
    judging: Judgement

    @property
    def limits(self) -> Limits:
        """When everything is resolved, by kg.toml."""
        settings = self.context.workspace.settings.canonicalize
        return Limits(below=settings.full_below, share=settings.full_share)

    def rules(self) -> str:
        """Hash of all that decides on merges, besides schema and records."""
        settings = self.context.workspace.settings
        chat = settings.chat.model if settings.chat is not None else ""
        model = self.embedder.model_id if self.embedder is not None else ""
        decides = settings.canonicalize.model_dump(mode="json", exclude={"full_below", "full_share"})
        return rules_hash(decides, self.judging.judge.name, chat, model)

    def continuation(self) -> Continuation | InFull:
        """What can be gone on from."""
        rules, workspace = self.rules(), self.context.workspace
        with collection_paused():
            found = continuation(workspace, self.graphs, self.log, rules=rules, limits=self.limits)
        if isinstance(found, Continuation) and self.embedder is not None:
            return fitting(found, workspace.schema)
        return found

    def in_full(self, why: InFull) -> _Done:
        """Resolve everything, and keep the state where the corpus is large enough to go on from it."""
        workspace, graphs = self.context.workspace, self.graphs.all()
        total = sum(len(graph.records) for graph in graphs)
        before, kept = self.log.head(), total >= self.limits.below and total > 0
        tables = record_columns(graphs, workspace.schema, self.embedder, progress=self.context.progress)
        with self.context.progress.task("resolving", total=total, unit="records") as task:
            state: State | None = None
            if kept:
                resolution, state = self._start(tables)
            else:
                resolution = resolved(tables, workspace.schema, self.log, judging=self.judging)
            made = state

            def keep() -> None:
                save_report(workspace, resolution)
                if made is None:
                    forget_state(workspace)
                else:
                    self._keep(made, before, documents=self.graphs.seen(), drift=0)

            events = self.log.record_resolution(resolution, actor=ACTOR, before_commit=keep)
            task.advance(total)
        records, entities = nouns.counted(total, "record"), nouns.counted(len(resolution.groups), "entity")
        notes = [f"{records} {'is' if total == 1 else 'are'} {entities}"]
        notes += [f"all were resolved: {why.reason}"] if kept else []
        return _Done(resolution, events, total, total, tuple(notes))

    def continued(self, found: Continuation) -> _Done:
        """Resolve what changed and what it touches."""
        if found.empty:
            return _Done(Resolution(groups=()), 0, 0, found.total, ("no record changed since the last time",))
        workspace, before, state = self.context.workspace, self.log.head(), found.state
        type_of = {record: name for name, kind in state.types.items() for record in kind.row_of}
        tables = record_columns(
            found.graphs,
            workspace.schema,
            self.embedder,
            progress=self.context.progress,
            embedded={name for name, kind in state.types.items() if kind.vectors is not None},
        )
        deciding = Deciding(self.judging.judge, self.judging.policy, self.log.prior_ids().entity_of)
        constraints = self.log.constraints()
        with self.context.progress.task("resolving", total=1, unit="change") as task:
            change = update(
                state,
                tables,
                documents=found.gone,
                records=found.relinked,
                constraints=constraints,
                deciding=deciding,
            )
            now = {record for kind in state.types.values() for record in kind.row_of}

            def keep() -> None:
                update_report(
                    workspace,
                    change.resolution,
                    type_of=type_of,
                    gone=type_of.keys() - now,
                    grown=change.grown,
                )
                self._keep(state, before, documents=found.documents, drift=found.drift)

            events = self.log.record_resolution(change.resolution, actor=ACTOR, before_commit=keep)
            task.advance()
        touched = change.records
        documents = {*found.gone, *(g.document for g in found.graphs)}
        note = (
            f"{nouns.counted(len(documents), 'document')} changed: {touched} of"
            f" {nouns.counted(found.total, 'record')} were resolved again; `--full` resolves all"
        )
        return _Done(change.resolution, events, touched, found.total, (note,))

    def _start(self, tables: Sequence[RecordColumns]) -> tuple[Resolution, State]:
        return start(
            tables,
            self.context.workspace.schema,
            constraints=self.log.constraints(),
            prior=self.log.prior_ids(),
            deciding=Deciding(self.judging.judge, self.judging.policy),
        )

    def _keep(self, state: State, before: Head, *, documents: dict[DocumentKey, Seen], drift: int) -> None:
        """Save the state, unless there is something left to ask or someone decided in the meantime."""
        judge = self.judging.judge
        open_ = isinstance(judge, LlmJudge) and (judge.failed or judge.not_asked)
        if open_ or not appended_alone(self.log, before):
            forget_state(self.context.workspace)
            return
        basis = Basis(rules=self.rules(), head=self.log.head(), documents=documents, drift=drift)
        keep_state(self.context.workspace, state, basis)


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


def agreement(
    tables: Sequence[RecordColumns], schema: GraphSchema, log: ReviewLog, *, judging: Judgement
) -> Agreement:
    """How far the entities in force agree with a full resolution, over pairs of records of one entity."""
    full = resolved(tables, schema, log, judging=judging)
    scratch: dict[str, str] = {r: g.id for g in full.groups for r in g.records}
    known = log.prior_ids().entity_of
    now: dict[str, str] = {r: known.get(r, EntityId(r)) for table in tables for r in table.ids}
    return pairwise(now, scratch)


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


def _counts(done: _Done) -> dict[str, int]:
    resolution = done.resolution
    return {
        "entities": len(resolution.groups),
        "merged_groups": sum(len(g.records) > 1 for g in resolution.groups),
        "blocked": sum(resolution.blocked_total.values()),
        "unsure": len(resolution.unsure),
        "events": done.events,
        **round_counts(resolution.rounds),
    }


def _notes(resolution: Resolution, judge: Judge) -> tuple[str, ...]:
    notes: list[str] = []
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
