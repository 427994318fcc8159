"""The command that takes edits of graph files over as reviewers' decisions."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.text import Text

from kg import build as steps
from kg.commands.common import WorkspaceOption, out, platform

app = typer.Typer()


@app.command(rich_help_panel="Build")
def accept(
    docs: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[DOC]...",
            help="Keys, or parts of keys or titles; by default all whose graph was edited.",
            show_default=False,
        ),
    ] = None,
    workspace: WorkspaceOption = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only check, and say what would be logged.")
    ] = False,
) -> None:
    """Take edits of `graphs/DOC.json` over: checked with line numbers, logged, and undone with `kg undo`."""
    with platform(workspace) as opened:
        accepted = steps.accept(opened, docs or (), dry_run=dry_run)
    for key, entries in accepted.items():
        out().print(Text(f"{key}: {len(entries)} decisions", style="bold"))
        for kind, payload in entries:
            out().print(Text(f"  {kind.value} {payload.name}"))
    if not accepted:
        out().print("no graph was edited by hand")
    elif not dry_run:
        out().print("run `kg build` to bring them into Neo4j", highlight=False)
