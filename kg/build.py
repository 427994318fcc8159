"""The pipeline: each step by itself, and all together."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from canonicalize.llm_prompt import load_prompt
from canonicalize.quality import Agreement
from kg.adapters.chat_usage import PastChat
from kg.adapters.forecast_chat import ForecastChat
from kg.corpus import corpus_graph, record_columns
from kg.document_view import find_document
from kg.fetch import DEFAULT_LIMIT, add_papers, is_paper_source, parse_sources
from kg.fetched_reading import Reading
from kg.files import slug
from kg.forecast import Asking, Forecast, Probe, forecast_calls, forecast_extraction, sample
from kg.graph_edit import Entry
from kg.money import parse_budget
from kg.review_items import Conflict
from kg.steps.add import add_paths, add_pdg, remove_documents
from kg.steps.annotations import import_brat
from kg.steps.contested import contested_now
from kg.steps.context import StepContext, StepReport
from kg.steps.extract import extract_all
from kg.steps.group import embed_passages, group_graph
from kg.steps.load import load_graph
from kg.steps.resolve import Judgement, agreement, resolve_all, resolved
from kg.steps.review import accept_edits, decisions_to_accept, edited_documents, replay_decisions, turned_back
from kg.steps.tables import import_csv
from kg.steps.train import train_extractor, train_judge
from kg.summarize import ExtractiveSummarizer
from kg.wiring import Platform
from kg.workspace import StoredDocument
from schemas.errors import UsageError
from schemas.graphs import DocumentGraph
from schemas.ids import DocumentKey

PDG = "pdg"


def context_of(platform: Platform) -> StepContext:
    """What the steps are given."""
    return StepContext(platform.workspace, platform.ledger, platform.progress)


def add(
    platform: Platform,
    sources: Sequence[str],
    *,
    experiment: str | None = None,
    missing_inputs_ok: bool = False,
    limit: int = DEFAULT_LIMIT,
) -> list[StepReport]:
    """Add ``pdg``, files or folders, and papers: ``arxiv:NUMBER``, ``inspire:QUERY`` (``limit`` of each)."""
    if experiment and PDG not in sources:
        raise UsageError("--experiment belongs to the source `pdg`; write `kg add pdg --experiment NAME`")
    if not all(s.strip() for s in sources):
        raise UsageError(
            "expected `pdg`, papers, files or folders, found an empty name; `.` is the current folder"
        )
    context, reports = context_of(platform), []
    papers = [s for s in sources if is_paper_source(s)]
    wanted = parse_sources(papers, limit=limit)
    paths = [Path(s) for s in sources if s != PDG and s not in papers]
    with platform.workspace.writing():
        if PDG in sources:
            reports.append(add_pdg(context, experiment=experiment))
        if paths:
            reports.append(add_paths(context, paths, missing_inputs_ok=missing_inputs_ok))
        if papers:
            reading = Reading(context, missing_inputs_ok=missing_inputs_ok)
            reports.append(add_papers(reading, wanted, platform.timing))
    return reports


def import_annotations(platform: Platform, folder: Path) -> StepReport:
    """Add documents with their graphs from brat standoff."""
    with platform.workspace.writing():
        return import_brat(context_of(platform), folder)


def import_tables(
    platform: Platform, folder: Path, *, dry_run: bool = False
) -> tuple[dict[DocumentKey, list[Entry]], tuple[str, ...]]:
    """Take edits of the tables of ``kg export --format csv`` over as decisions; and notes.

    All edits of both tables are checked before any is logged.
    """
    with platform.workspace.writing():
        return import_csv(context_of(platform), platform.log, folder, dry_run=dry_run)


def remove(platform: Platform, keys: Sequence[str]) -> StepReport:
    """Take documents out of the corpus."""
    with platform.workspace.writing():
        return remove_documents(context_of(platform), keys)


def extract(platform: Platform, *, budget: str = "") -> StepReport:
    """Extract what has no current graph, spending at most ``budget`` (``5USD``) on the chat model."""
    if budget:
        platform.budget.limit = chat_budget(budget, platform)
    return _extract(platform, platform.workspace.documents())


def _extract(platform: Platform, documents: Sequence[StoredDocument]) -> StepReport:
    with platform.workspace.writing():
        report = extract_all(
            context_of(platform),
            platform.recipe(),
            documents,
            concurrency=platform.chat_concurrency(),
            tally=platform.tally,
            budget=platform.budget,
        )
        return replace(report, notes=(*report.notes, *_replayed(platform)))


def _replayed(platform: Platform) -> tuple[str, ...]:
    """Bring the reviewers' decisions, also those just undone, into the graphs; the conflicts."""
    return replay_decisions(context_of(platform), platform.log).notes


def accept(
    platform: Platform, docs: Sequence[str], *, dry_run: bool = False
) -> dict[DocumentKey, list[Entry]]:
    """Take edits of graph files over as decisions; without ``docs`` those of all documents.

    All edits are checked before any is logged.
    """
    workspace = platform.workspace
    with workspace.writing():
        found = [find_document(workspace, doc) for doc in docs] or [
            workspace.find_document(key) for key in edited_documents(workspace)
        ]
        documents = [workspace.read_document(stored) for stored in found]
        checked = {d.key: decisions_to_accept(workspace, platform.log, d)[1] for d in documents}
        if dry_run:
            return checked
        return {d.key: accept_edits(context_of(platform), platform.log, d) for d in documents}


def put_back(platform: Platform) -> tuple[str, ...]:
    """What to say of graph files that hold what was before decisions in force; nothing is changed."""
    workspace = platform.workspace
    stored = {s.slug: s for s in workspace.documents()}
    found = (stored[slug(key)] for key in sorted(platform.log.decisions()) if slug(key) in stored)
    told = (turned_back(workspace, platform.log, workspace.read_document(s)) for s in found)
    return tuple(line for line in told if line)


def contested(platform: Platform, docs: Sequence[str]) -> tuple[Conflict, ...]:
    """Decisions that the current extraction contradicts or cannot take up; by default of all documents."""
    workspace = platform.workspace
    found = [find_document(workspace, doc) for doc in docs] or list(workspace.documents())
    return contested_now(workspace, platform.log, found)


def chat_budget(budget: str, platform: Platform) -> float:
    """The amount of a budget as it is written, checked against the settings."""
    if not platform.asks_chat() and platform.workspace.settings.canonicalize.judge != "llm":
        raise UsageError(
            "a budget is for a chat model, but extraction asks none and canonicalize.judge is not llm: "
            "nothing is spent"
        )
    return parse_budget(budget, platform.chat_settings())


def forecast(platform: Platform) -> Forecast:
    """What :func:`extract` would take; nothing is asked and nothing written."""
    workspace, progress = platform.workspace, platform.progress
    if not platform.asks_chat():
        return forecast_extraction(workspace, platform.recipe(), None, progress=progress)
    settings, past = platform.chat_settings(), PastChat(workspace.ledger_path)
    chat = ForecastChat(settings.model, past)
    asking = Asking(chat, settings, past.usage(settings.model))
    return forecast_extraction(workspace, platform.recipe(chat), asking, progress=progress)


def probe(platform: Platform, count: int, *, budget: str = "") -> Probe:
    """Extract ``count`` documents of all sizes for real, so that a forecast knows the model's ways."""
    if not platform.asks_chat():
        raise UsageError("a probe asks a chat model, but extraction asks none")
    if budget:
        platform.budget.limit = chat_budget(budget, platform)
    chosen = sample(platform.workspace, platform.recipe(), count)
    before, began = platform.tally.sums(), time.perf_counter()
    report = _extract(platform, chosen)
    calls, _, prompt, completion, cost = (
        now - then for now, then in zip(platform.tally.sums(), before, strict=True)
    )
    return Probe(
        documents=report.changed,
        calls=int(calls),
        prompt_tokens=int(prompt),
        completion_tokens=int(completion),
        cost=cost,
        seconds=time.perf_counter() - began,
        failures=tuple(f"{f.item}: {f.reason}" for f in (*report.failures, *report.not_done)),
    )


def train(platform: Platform) -> StepReport:
    """Train the learned extractor on the vetted facts of the current graphs."""
    with platform.workspace.writing():
        return train_extractor(context_of(platform), platform.trainer(), platform.models)


def train_pairs(platform: Platform) -> StepReport:
    """Train the pair model on reviewers' decisions and the labelled names that are shipped."""
    workspace = platform.workspace
    with workspace.writing():
        return train_judge(
            context_of(platform),
            tuple(workspace.graphs()),
            platform.log,
            models=platform.models,
            embedder=platform.embedder,
        )


def resolve(platform: Platform, *, budget: str = "", full: bool = False) -> StepReport:
    """Resolve the corpus and log the difference, spending at most ``budget`` (``5USD``) on the judge.

    What did not change since the last time is left alone, unless ``full``.
    """
    if budget:
        platform.budget.limit = chat_budget(budget, platform)
    with platform.workspace.writing():
        _replayed(platform)
        return _resolved(platform, None, full=full)


def check_resolution(platform: Platform) -> Agreement:
    """How far the entities in force agree with a full resolution, over pairs of records; nothing is written.

    ``UsageError`` when kg.toml names the judge ``llm``, which would be asked again and paid.
    """
    workspace = platform.workspace
    if workspace.settings.canonicalize.judge == "llm":
        raise UsageError(
            'a check resolves everything anew, but canonicalize.judge is "llm", which would be asked and '
            "paid; check with another judge, or resolve with --full"
        )
    judging = Judgement(platform.judge(), workspace.settings.canonicalize.policy)
    graphs = tuple(workspace.graphs())
    tables = record_columns(graphs, workspace.schema, platform.embedder, progress=platform.progress)
    return agreement(tables, workspace.schema, platform.log, judging=judging)


def forecast_resolve(platform: Platform) -> Forecast:
    """What the chat model would take in :func:`resolve`; no model is asked and nothing is decided.

    Later rounds are known as far as the replies to earlier ones are kept. ``UsageError`` when kg.toml
    names another judge.
    """
    workspace = platform.workspace
    if workspace.settings.canonicalize.judge != "llm":
        raise UsageError(
            'a forecast is for a chat model, but canonicalize.judge is not "llm": nothing is asked'
        )
    settings, past = platform.chat_settings(), PastChat(workspace.ledger_path)
    chat = ForecastChat(settings.model, past)
    judging = Judgement(platform.judge(chat), workspace.settings.canonicalize.policy)
    graphs = tuple(workspace.graphs())
    tables = record_columns(graphs, workspace.schema, platform.embedder, progress=platform.progress)
    resolved(tables, workspace.schema, platform.log, judging=judging)
    first = load_prompt("judge").id
    calls = [call for call in chat.take() if call.purpose == first]
    return forecast_calls(calls, Asking(chat, settings, past.usage(settings.model)))


def _resolved(platform: Platform, graphs: Sequence[DocumentGraph] | None, *, full: bool) -> StepReport:
    judging = Judgement(platform.judge(), platform.workspace.settings.canonicalize.policy, platform.tally)
    return resolve_all(
        context_of(platform), graphs, platform.log, embedder=platform.embedder, judging=judging, full=full
    )


def load(platform: Platform, *, fresh: bool = False) -> StepReport:
    """Project the corpus into Neo4j."""
    with platform.workspace.writing():
        _replayed(platform)
        return load_graph(
            context_of(platform), platform.graph(), platform.store, embedder=platform.embedder, fresh=fresh
        )


def communities(platform: Platform) -> StepReport:
    """Group and describe."""
    settings = platform.workspace.settings.communities
    with platform.workspace.writing():
        return group_graph(
            context_of(platform),
            platform.graph(),
            platform.store,
            ExtractiveSummarizer(platform.workspace.schema),
            embedder=platform.embedder,
            settings=settings,
        )


def embed_chunks(platform: Platform) -> StepReport:
    """Embed the passages."""
    with platform.workspace.writing():
        return embed_passages(context_of(platform), platform.store, embedder=platform.embedder)


def build(
    platform: Platform,
    sources: Sequence[str],
    *,
    experiment: str | None = None,
    embed: bool = True,
    budget: str = "",
    full: bool = False,
) -> list[StepReport]:
    """All steps in order. Every step can be broken off anywhere and goes on in the next build.

    A budget ends the extraction, not the build: the graph is made of what was extracted. ``full`` is as in
    :func:`resolve`.
    """
    if budget:
        chat_budget(budget, platform)
    reports = add(platform, sources, experiment=experiment) if sources else []
    reports.append(extract(platform, budget=budget))
    workspace, context = platform.workspace, context_of(platform)
    with workspace.writing():
        graphs = tuple(workspace.graphs())
        reports.append(_resolved(platform, graphs, full=full))
        graph = corpus_graph(graphs, workspace.schema, platform.log)
        del graphs
        reports.append(load_graph(context, graph, platform.store, embedder=platform.embedder))
        if workspace.settings.communities.enabled:
            reports.append(
                group_graph(
                    context,
                    graph,
                    platform.store,
                    ExtractiveSummarizer(workspace.schema),
                    embedder=platform.embedder,
                    settings=workspace.settings.communities,
                )
            )
        if embed:
            reports.append(embed_passages(context, platform.store, embedder=platform.embedder))
    return reports
