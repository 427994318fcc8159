"""Commands that build the graph: init, add, extract, resolve, load, communities, embed, build."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from kg import build as steps
from kg.commands.common import WorkspaceOption, err, out, platform, say
from kg.steps.context import StepReport
from kg.workspace import Workspace
from schemas.schema_files import catalog_names

app = typer.Typer()

Sources = Annotated[
    list[str],
    typer.Argument(
        help="`pdg`, or files and folders: .tex, .pdf, .xml (JATS), .html, .json (CORD-19), .jsonl and .mbox "
        "(logbooks), .md, .txt.",
        show_default=False,
    ),
]
Experiment = Annotated[
    str | None, typer.Option(help="With `pdg`: only this experiment's papers, for example LHCb.")
]


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
    allow_missing_inputs: Annotated[
        bool, typer.Option(help="LaTeX: mark the place of an absent \\input file instead of failing.")
    ] = False,
) -> None:
    """Add documents. What cannot be read is listed, the rest is added, and the exit status is 1."""
    with platform(workspace) as opened:
        _finish(steps.add(opened, sources, experiment=experiment, missing_inputs_ok=allow_missing_inputs))


@app.command(rich_help_panel="Build")
def remove(
    keys: Annotated[list[str], typer.Argument(help="Document keys, as in answers and exports.")],
    workspace: WorkspaceOption = None,
) -> None:
    """Take documents out of the corpus. Their files are kept in `removed/`."""
    with platform(workspace) as opened:
        _finish([steps.remove(opened, keys)])


@app.command(rich_help_panel="Build")
def extract(workspace: WorkspaceOption = None) -> None:
    """Extract a graph from every document that has no current one."""
    with platform(workspace) as opened:
        _finish([steps.extract(opened)])


@app.command(rich_help_panel="Build")
def resolve(workspace: WorkspaceOption = None) -> None:
    """Decide which records of different documents are one entity."""
    with platform(workspace) as opened:
        _finish([steps.resolve(opened)])


@app.command(rich_help_panel="Build")
def load(
    workspace: WorkspaceOption = None,
    fresh: Annotated[bool, typer.Option(help="Remove this workspace's graph from Neo4j first.")] = False,
) -> None:
    """Write the difference between the workspace and Neo4j to Neo4j."""
    with platform(workspace) as opened:
        opened.ensure_server(say)
        _finish([steps.load(opened, fresh=fresh)])


@app.command(rich_help_panel="Build")
def communities(workspace: WorkspaceOption = None) -> None:
    """Group the entities and describe each group."""
    with platform(workspace) as opened:
        opened.ensure_server(say)
        _finish([steps.communities(opened)])


@app.command(rich_help_panel="Build")
def embed(workspace: WorkspaceOption = None) -> None:
    """Embed the passages of all documents; goes on where it was stopped."""
    with platform(workspace) as opened:
        opened.ensure_server(say)
        _finish([steps.embed_chunks(opened)])


@app.command(rich_help_panel="Build")
def build(
    sources: Annotated[list[str] | None, typer.Argument(help="Also add these first; as in `kg add`.")] = None,
    experiment: Experiment = None,
    workspace: WorkspaceOption = None,
    embed: Annotated[bool, typer.Option(help="Embed the passages at the end.")] = True,
) -> None:
    """All steps in order. Running it again changes nothing; after a crash it goes on."""
    with platform(workspace) as opened:
        opened.ensure_server(say)
        _finish(steps.build(opened, sources or (), experiment=experiment, embed=embed))


@app.command(rich_help_panel="Build")
def undo(
    event: Annotated[int, typer.Argument(help="Number of the event in the log; `kg log` lists them.")],
    workspace: WorkspaceOption = None,
) -> None:
    """Take one merge back; `kg load` brings it into Neo4j."""
    with platform(workspace) as opened:
        done = opened.log.undo(event, actor="kg undo")
        out().print(f"event {done.seq} undoes event {event}; run `kg load` to update Neo4j", highlight=False)


def _finish(reports: Sequence[StepReport]) -> None:
    """Print what the steps did; exit with 1 when something failed."""
    for report in reports:
        out().print(_line(report), highlight=False, markup=False, soft_wrap=True)
        for note in report.notes:
            out().print(f"  {note}", highlight=False, markup=False, soft_wrap=True)
    failures = [(r.step, f) for r in reports for f in r.failures]
    if not failures:
        return
    table = Table("step", title=f"{len(failures)} failed", title_justify="left")
    table.add_column("item", overflow="fold")
    table.add_column("reason", overflow="fold")
    for step, failure in failures:
        table.add_row(step, failure.item, failure.reason)
    err().print(table, markup=False)
    raise typer.Exit(1)


def _line(report: StepReport) -> str:
    failed = f", {len(report.failures)} failed" if report.failures else ""
    return f"{report.step}: {report.changed} changed, {report.unchanged} unchanged{failed}"
