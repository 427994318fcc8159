"""Commands that read: ask, status, export, verify, log, runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from kg.commands.common import JsonOption, WorkspaceOption, err, out, platform, print_json
from kg.export import ExportFormat, export_jsonl
from kg.export_tables import export_brat, export_csv
from kg.nouns import counted
from kg.review_payloads import describe
from kg.status import StatusReport, status_report
from kg.workspace import Workspace
from schemas.errors import UsageError
from schemas.questions import Outcome, Question, Scope
from schemas.review import Event

app = typer.Typer()
TIMEOUT = 10.0
"""Seconds for all queries of a question, where nothing else is said."""
EXIT = {Outcome.ANSWERED: 0, Outcome.EMPTY_BUT_VALID: 0, Outcome.AMBIGUOUS: 3, Outcome.UNANSWERABLE: 3}
"""Exit status of `kg ask`: 0 for a result, also an empty one, 3 for an honest "cannot", 1 for the rest."""


@app.command(rich_help_panel="Use")
def ask(
    question: Annotated[str, typer.Argument(help="A question in English; with -i the first one.")] = "",
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
    limit: Annotated[int, typer.Option(min=1, max=1000, help="Rows to show.")] = 25,
    scope: Annotated[Scope, typer.Option(help="Which facts count.")] = Scope.ALL,
    timeout: Annotated[
        float | None,
        typer.Option(
            min=0.1,
            max=120,
            show_default="10 for all queries",
            help="Seconds; where it is given, for a chat model's part as well.",
        ),
    ] = None,
    cypher: Annotated[bool, typer.Option("--cypher", help="Show the Cypher that was run.")] = False,
    follow: Annotated[
        bool, typer.Option("--follow", help="Read it as a follow-up of the question before: 'and for B0?'")
    ] = False,
    interactive: Annotated[
        bool, typer.Option("--interactive", "-i", help="Ask question after question, follow-ups included.")
    ] = False,
    llm: Annotated[
        bool | None,
        typer.Option(
            "--llm/--no-llm",
            help="Let the chat model of kg.toml help, where it may.",
            show_default="llm; with --store no-llm",
        ),
    ] = None,
    store: Annotated[
        str, typer.Option(help="Ask the Neo4j at this address instead; needs --store-schema.")
    ] = "",
    store_schema: Annotated[
        Path | None, typer.Option(help="Schema of that store, as `kg schema infer` writes it.")
    ] = None,
    store_words: Annotated[
        Path | None, typer.Option(help="Words that people use for that store's terms, in YAML.")
    ] = None,
    store_examples: Annotated[
        Path | None, typer.Option(help="Questions with their queries, JSON Lines, that teach its words.")
    ] = None,
    store_encoder: Annotated[
        Path | None, typer.Option(help="What `kg train questions` made of them; with --store-examples.")
    ] = None,
    store_user: Annotated[str, typer.Option(help="Its user; the password is NEO4J_PASSWORD.")] = "neo4j",
    store_database: Annotated[str, typer.Option(help="Database of that server.")] = "neo4j",
) -> None:
    """Ask the graph. Exit status 0: answered, or nothing in it matches; 3: not answerable; 1: failed.

    By outcome: 0 for answered and empty_but_valid, 3 for unanswerable and ambiguous, 1 for refused, failed
    and timeout.
    """
    if interactive and as_json:
        raise UsageError("expected -i or --json, found both; -i shows answers as they come")
    question = question.strip()
    if not question and not interactive:
        raise UsageError("expected a question; with -i you are asked for it")
    limits = Question(
        text="",
        limit=limit,
        scope=scope,
        timeout=timeout or TIMEOUT,
        deadline=timeout,
        use_llm=llm is not False,
    )
    if store or store_schema or store_words or store_examples or store_encoder:
        from kg.commands.ask_of_store import Manner, StoreOptions, ask_of_store

        limits = limits.model_copy(update={"use_llm": bool(llm)})
        options = StoreOptions(
            store, store_schema, store_words, store_examples, store_encoder, store_user, store_database
        )
        how = Manner(follow=follow, interactive=interactive, as_json=as_json, cypher=cypher)
        answered = ask_of_store(question, limits, options, how, workspace=workspace)
        raise typer.Exit(EXIT.get(answered.outcome, 1) if answered else 0)
    from kg.asking import new_conversation
    from kg.commands.ask_session import Session, conversation_before

    with platform(workspace) as opened:
        if llm:
            opened.chat_settings()  # without a [chat] nobody could help, which is told
        kept = opened.workspace.settings.questions
        before = conversation_before(opened.question_log, kept) if follow else ""
        if follow and not before:
            raise UsageError(
                "expected a question before this one in the ledger, found none; leave out --follow"
            )
        settings = opened.workspace.settings
        writes = settings.chat is not None and settings.answers.prose
        session = Session(opened.asking, before or new_conversation(), limits, cypher=cypher, writes=writes)
        if interactive:
            session.talk(question)
            return
        answer = session.answer(question, quiet=as_json)
    if as_json:
        print_json(answer)
    raise typer.Exit(EXIT.get(answer.outcome, 1))


@app.command(rich_help_panel="Use")
def status(workspace: WorkspaceOption = None, as_json: JsonOption = False) -> None:
    """What is in the workspace, where each document stands, which models are in use."""
    with platform(workspace) as opened:
        report = status_report(opened)
    if as_json:
        print_json(report)
    else:
        _print_status(report)


@app.command(rich_help_panel="Use")
def export(
    file: Annotated[Path, typer.Argument(help="File to write; for csv and brat a folder.")],
    workspace: WorkspaceOption = None,
    form: Annotated[ExportFormat, typer.Option("--format", help="What to write.")] = ExportFormat.JSONL,
) -> None:
    """Write the whole graph as JSON Lines with its hash and citation lines, or the documents' graphs.

    csv: nodes.csv and edges.csv with quotes; brat: a .txt and an .ann for each document.
    """
    with platform(workspace) as opened:
        if form is ExportFormat.CSV:
            nodes, edges = export_csv(opened.workspace, file, opened.log.prior_ids().entity_of)
            out().print(
                f"{file}: {counted(nodes, 'node')}, {counted(edges, 'edge')}", highlight=False, soft_wrap=True
            )
            return
        if form is ExportFormat.BRAT:
            documents, left_out = export_brat(opened.workspace, file)
            tail = f"; left out without a quote in the text: {counted(left_out, 'fact')}" if left_out else ""
            out().print(f"{file}: {counted(documents, 'document')}{tail}", highlight=False, soft_wrap=True)
            return
        header = export_jsonl(opened.graph(), opened.attributions(), file, schema=opened.workspace.schema)
    out().print(f"{file}: graph hash {header.graph_hash}", highlight=False, soft_wrap=True)


@app.command(rich_help_panel="Use")
def verify(workspace: WorkspaceOption = None) -> None:
    """Check the log's hash chain, the documents' hashes, and that Neo4j holds just the workspace's graph."""
    with platform(workspace) as opened:
        opened.log.verify()
        documents = opened.workspace.documents()
        with opened.progress.task("checking documents", total=len(documents), unit="documents") as task:
            for stored in documents:
                opened.workspace.read_document(stored)
                task.advance()
        seq, _ = opened.log.head()
        files, database = opened.graph_hash(), opened.database_hash()
    same = files == database
    out().print(
        f"log: {counted(seq, 'event')}, chain intact\n"
        f"documents: {len(documents)}, texts as their hashes say\n"
        f"files:  {files}\nNeo4j:  {database}",
        highlight=False,
        soft_wrap=True,
    )
    if not same:
        err().print("Neo4j differs from the workspace; run `kg load`", highlight=False)
        raise typer.Exit(1)


MOST_READ = 1_000
"""Documents up to which `kg log` reads them for names, unless told."""


def record_names(workspace: Workspace, wanted: bool | None) -> dict[str, str]:
    """Record id -> name, of all current graphs; empty when not wanted or when there are too many."""
    if wanted is False or (wanted is None and len(workspace.documents()) > MOST_READ):
        return {}
    return {r.id: r.name for graph in workspace.graphs() for r in graph.records}


@app.command(name="log", rich_help_panel="Use")
def show_log(
    workspace: WorkspaceOption = None,
    limit: Annotated[int, typer.Option(min=1, help="Latest events to show.")] = 20,
    names: Annotated[
        bool | None,
        typer.Option(help="Show names in place of ids; by default up to 1,000 documents, which are read."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """The latest merge and review events."""
    with platform(workspace) as opened:
        seq, _ = opened.log.head()
        events = list(opened.log.events(since=max(0, seq - limit)))
        known = record_names(opened.workspace, names) if events and not as_json else {}
    if as_json:
        print_json([e.model_dump(mode="json") for e in events])
        return
    out().print(_log_table(events, known))


def _log_table(events: Sequence[Event], known: Mapping[str, str]) -> Table:
    """Narrow columns whole, the last one folded: nothing is cut, however narrow the window."""
    table = Table(box=None, pad_edge=False)
    for name in ("event", "time (UTC)", "kind", "by"):
        table.add_column(name, no_wrap=True)
    table.add_column("what", overflow="fold")
    for event in events:
        time = event.at_utc[:19].replace("T", " ")
        table.add_row(
            str(event.seq),
            time,
            event.kind.value,
            Text(event.actor),
            Text(describe(event, known, present=known or None)),
        )
    return table


@app.command(rich_help_panel="Use")
def runs(workspace: WorkspaceOption = None, as_json: JsonOption = False) -> None:
    """The run ledger: what ran, counts, seconds, tokens, cost."""
    with platform(workspace) as opened:
        rows = opened.ledger.runs()
    if as_json:
        print_json([{f: getattr(r, f) for f in r.__dataclass_fields__} for r in rows])
        return
    table = Table("step", box=None)
    table.add_column("started", no_wrap=True)
    for name in ("seconds", "tokens", "cost"):
        table.add_column(name, no_wrap=True, justify="right")
    table.add_column("state", no_wrap=True)
    table.add_column("counts", overflow="fold")
    for row in rows:
        counts = ", ".join(f"{k} {v}" for k, v in row.counts.items())
        seconds = "" if row.seconds is None else f"{row.seconds:.1f}"
        table.add_row(
            row.step,
            row.started_utc,
            seconds,
            str(row.prompt_tokens + row.completion_tokens),
            f"{row.cost:.4f}",
            row.state,
            counts,
        )
    out().print(table)


def _print_status(report: StatusReport) -> None:
    table = Table(box=None, show_header=False, pad_edge=False)
    for name, value in report.lines():
        table.add_row(Text(name, style="bold"), Text(value))
    out().print(table)
    if report.failures:
        failed = Table("step", "item", "reason", title="failed, not repaired since", title_justify="left")
        for failure in report.failures:
            failed.add_row(failure.step, failure.item, failure.reason)
        out().print(failed)
