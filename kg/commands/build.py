"""Commands that build the graph: init, add, extract, resolve, load, communities, embed, build."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from canonicalize.quality import Agreement
from kg import build as steps
from kg.commands.common import JsonOption, WorkspaceOption, err, out, platform, print_json, say
from kg.commands.completion import document_keys
from kg.commands.forecast import print_forecast
from kg.fetch import DEFAULT_LIMIT
from kg.steps.context import Failure, StepReport
from kg.workspace import Workspace
from schemas.errors import UsageError
from schemas.schema_files import catalog_names

app = typer.Typer()
imports = typer.Typer(no_args_is_help=True, help="Add documents that come with their graphs.")

Sources = Annotated[
    list[str],
    typer.Argument(
        help="`pdg`; papers: `arxiv:NUMBER`, `inspire:QUERY`; or files and folders: .tex, .pdf, .xml (JATS), "
        ".html, .json (CORD-19), .jsonl and .mbox (logbooks), .md, .txt.",
        show_default=False,
    ),
]
Experiment = Annotated[
    str | None, typer.Option(help="With `pdg`: only this experiment's papers, for example LHCb.")
]
Full = Annotated[
    bool, typer.Option("--full", help="Resolve all records anew, not just what changed documents touch.")
]
Budget = Annotated[
    str,
    typer.Option(
        help="Most to spend on the chat model in this run, such as 5USD; what is left out is listed.",
        show_default=False,
    ),
]
EXIT_BUDGET = 4
"""Exit status when nothing failed and the budget left something out."""


def _schemas() -> list[str]:
    return list(catalog_names())


@app.command(rich_help_panel="Build")
def init(
    folder: Annotated[Path, typer.Argument(help="Where to make the workspace.")] = Path(),
    schema: Annotated[
        str, typer.Option(help="A catalog schema or a YAML file.", autocompletion=_schemas)
    ] = "particle_physics",
) -> None:
    """Make a workspace."""
    source = str(Path(schema).resolve()) if Path(schema).suffix in {".yaml", ".yml"} else schema
    workspace = Workspace.create(folder, schema=source)
    out().print(
        f"workspace {workspace.root} with schema {workspace.schema.name} {workspace.schema.version}",
        highlight=False,
    )


@app.command(rich_help_panel="Build")
def add(
    sources: Sources,
    experiment: Experiment = None,
    workspace: WorkspaceOption = None,
    limit: Annotated[
        int, typer.Option(min=1, max=10_000, help="With `inspire:QUERY`: most papers to take of each query.")
    ] = DEFAULT_LIMIT,
    allow_missing_inputs: Annotated[
        bool, typer.Option(help="LaTeX: mark the place of an absent \\input file instead of failing.")
    ] = False,
) -> None:
    """Add documents. What cannot be read is listed, the rest is added, and the exit status is 1."""
    with platform(workspace) as opened:
        finish(
            steps.add(
                opened,
                sources,
                experiment=experiment,
                missing_inputs_ok=allow_missing_inputs,
                limit=limit,
            )
        )


@imports.command()
def brat(
    folder: Annotated[Path, typer.Argument(help="Folder with .txt and .ann files.")],
    workspace: WorkspaceOption = None,
) -> None:
    """Add documents with their graphs from brat standoff; every quote is checked against the text."""
    with platform(workspace) as opened:
        finish([steps.import_annotations(opened, folder)])


@app.command(rich_help_panel="Build")
def remove(
    keys: Annotated[
        list[str],
        typer.Argument(help="Document keys, as in answers and exports.", autocompletion=document_keys),
    ],
    workspace: WorkspaceOption = None,
) -> None:
    """Take documents out of the corpus. Their files are kept in `removed/`."""
    with platform(workspace) as opened:
        finish([steps.remove(opened, keys)])


@app.command(rich_help_panel="Build")
def extract(
    workspace: WorkspaceOption = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Forecast calls, tokens, money and time; ask and write nothing.")
    ] = False,
    budget: Budget = "",
    probe: Annotated[
        int,
        typer.Option(
            min=0,
            max=1_000,
            help="With --dry-run: first extract so many documents for real, paid and kept, to learn from.",
            show_default=False,
        ),
    ] = 0,
    as_json: JsonOption = False,
) -> None:
    """Extract a graph from every document that has no current one. Exit status 4: the budget ended it."""
    with platform(workspace) as opened:
        if not dry_run:
            if probe:
                raise UsageError("--probe belongs to --dry-run; write `kg extract --dry-run --probe 5`")
            finish([steps.extract(opened, budget=budget)], as_json=as_json)
            return
        limit = steps.chat_budget(budget, opened) if budget else None
        probed = steps.probe(opened, probe, budget=budget) if probe else None
        forecast = steps.forecast(opened).model_copy(update={"probe": probed})
    if as_json:
        print_json(forecast)
    else:
        print_forecast(forecast, limit)


@app.command(rich_help_panel="Build")
def resolve(
    workspace: WorkspaceOption = None,
    dry_run: Annotated[
        bool,
        typer.Option("--dry-run", help="Forecast what the judge `llm` would take; ask and decide nothing."),
    ] = False,
    budget: Budget = "",
    full: Full = False,
    check: Annotated[
        bool,
        typer.Option("--check", help="Compare the entities in force with a full resolution; write nothing."),
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Decide which records of different documents are one entity. Exit status 4: the budget ended it."""
    if check and (dry_run or full or budget):
        raise UsageError("--check writes nothing and asks no one; use it without --dry-run, --full, --budget")
    with platform(workspace) as opened:
        if check:
            _print_agreement(steps.check_resolution(opened), as_json=as_json)
            return
        if not dry_run:
            finish([steps.resolve(opened, budget=budget, full=full)], as_json=as_json)
            return
        limit = steps.chat_budget(budget, opened) if budget else None
        forecast = steps.forecast_resolve(opened)
    if as_json:
        print_json(forecast)
    else:
        print_forecast(forecast, limit, head=f"would ask {forecast.model} about clusters of names")


@app.command(rich_help_panel="Build")
def load(
    workspace: WorkspaceOption = None,
    fresh: Annotated[bool, typer.Option(help="Remove this workspace's graph from Neo4j first.")] = False,
) -> None:
    """Write the difference between the workspace and Neo4j to Neo4j."""
    with platform(workspace) as opened:
        opened.ensure_server(say)
        finish([steps.load(opened, fresh=fresh)])


@app.command(rich_help_panel="Build")
def communities(workspace: WorkspaceOption = None) -> None:
    """Group the entities and describe each group."""
    with platform(workspace) as opened:
        opened.ensure_server(say)
        finish([steps.communities(opened)])


@app.command(rich_help_panel="Build")
def embed(workspace: WorkspaceOption = None) -> None:
    """Embed the passages of all documents; goes on where it was stopped."""
    with platform(workspace) as opened:
        opened.ensure_server(say)
        finish([steps.embed_chunks(opened)])


@app.command(rich_help_panel="Build")
def build(
    sources: Annotated[list[str] | None, typer.Argument(help="Also add these first; as in `kg add`.")] = None,
    experiment: Experiment = None,
    workspace: WorkspaceOption = None,
    embed: Annotated[bool, typer.Option(help="Embed the passages at the end.")] = True,
    budget: Budget = "",
    full: Full = False,
) -> None:
    """All steps in order. Running it again changes nothing; after a crash it goes on."""
    with platform(workspace) as opened:
        opened.ensure_server(say)
        finish(
            steps.build(opened, sources or (), experiment=experiment, embed=embed, budget=budget, full=full)
        )


@app.command(rich_help_panel="Build")
def undo(
    event: Annotated[int, typer.Argument(help="Number of the event in the log; `kg log` lists them.")],
    workspace: WorkspaceOption = None,
) -> None:
    """Take one event of the log back: a merge, or a decision on a fact or on two entities."""
    with platform(workspace) as opened:
        done = opened.log.undo(event, actor="kg undo")
        out().print(f"event {done.seq} undoes event {event}; run `kg build` to apply it", highlight=False)


def _print_agreement(found: Agreement, *, as_json: bool) -> None:
    if as_json:
        print_json(asdict(found))
        return
    out().print(
        f"entities in force against a full resolution, over pairs of records: F1 {found.f1:.4f}"
        f" (precision {found.precision:.4f}, recall {found.recall:.4f})",
        highlight=False,
        soft_wrap=True,
    )


def finish(reports: Sequence[StepReport], *, as_json: bool = False) -> None:
    """Show what the steps did; exit with 1 when something failed, else 4 when the budget left some out."""
    if as_json:
        print_json([asdict(report) for report in reports])
    else:
        _print_reports(reports)
    if any(r.failures for r in reports):
        raise typer.Exit(1)
    if any(r.not_done for r in reports):
        raise typer.Exit(EXIT_BUDGET)


def _print_reports(reports: Sequence[StepReport]) -> None:
    for report in reports:
        out().print(_line(report), highlight=False, markup=False, soft_wrap=True)
        for note in report.notes:
            out().print(f"  {note}", highlight=False, markup=False, soft_wrap=True)
    _print_items([(r.step, f) for r in reports for f in r.failures], "failed")
    _print_items([(r.step, f) for r in reports for f in r.not_done], "not done because of the budget")


def _print_items(items: Sequence[tuple[str, Failure]], what: str) -> None:
    if not items:
        return
    table = Table("step", title=f"{len(items)} {what}", title_justify="left")
    table.add_column("item", overflow="fold")
    table.add_column("reason", overflow="fold")
    for step, item in items:
        table.add_row(step, Text(item.item), Text(item.reason))
    err().print(table, markup=False)


def _line(report: StepReport) -> str:
    failed = f", {len(report.failures)} failed" if report.failures else ""
    left = f", {len(report.not_done)} not done" if report.not_done else ""
    return f"{report.step}: {report.changed} changed, {report.unchanged} unchanged{failed}{left}"
