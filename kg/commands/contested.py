"""The command that lists decisions which a later extraction contradicts."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from kg import build as steps
from kg.commands.common import JsonOption, WorkspaceOption, out, platform, print_json
from kg.commands.completion import document_keys

app = typer.Typer()


@app.command(rich_help_panel="Review")
def contested(
    docs: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[DOC]...",
            help="Keys, or parts of keys or titles; by default all documents.",
            autocompletion=document_keys,
            show_default=False,
        ),
    ] = None,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """List decisions that the current extraction contradicts or that fit it no more; nothing is changed."""
    with platform(workspace) as opened:
        found = steps.contested(opened, docs or ())
    if as_json:
        print_json([c.model_dump(mode="json") for c in found])
        return
    if not found:
        out().print("no decision is in conflict with the current extraction")
        return
    table = Table("event", box=None, title=f"{len(found)} in conflict", title_justify="left")
    for name in ("document", "item", "conflict", "detail"):
        table.add_column(name, overflow="fold")
    for conflict in found:
        cells = (str(conflict.event), conflict.document, conflict.item, conflict.code, conflict.detail)
        table.add_row(*map(Text, cells))
    out().print(table)
    out().print("edit the graph and run `kg accept` to decide anew, or `kg undo EVENT`", highlight=False)
