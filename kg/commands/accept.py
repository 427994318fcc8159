"""The commands that take edits of graph files and tables over as reviewers' decisions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from kg import build as steps
from kg.commands.build import imports
from kg.commands.common import JsonOption, WorkspaceOption, out, platform, print_json, say
from kg.commands.completion import document_keys
from kg.graph_edit import Entry
from kg.nouns import counted
from schemas.ids import DocumentKey

app = typer.Typer()
app.add_typer(imports, name="import", rich_help_panel="Build")


@app.command(rich_help_panel="Build")
def accept(
    docs: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[DOC]...",
            help="Keys, or parts of keys or titles; by default all whose graph was edited.",
            autocompletion=document_keys,
            show_default=False,
        ),
    ] = None,
    workspace: WorkspaceOption = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only check, and say what would be logged.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Take edits of `graphs/DOC.json` over: checked with line numbers, logged, and undone with `kg undo`."""
    with platform(workspace) as opened:
        accepted = steps.accept(opened, docs or (), dry_run=dry_run)
        behind = () if docs else steps.put_back(opened)
    for line in behind:
        say(line)
    if as_json:
        print_json(_as_data(accepted))
    elif accepted:
        print_decisions(accepted, dry_run=dry_run)
    elif not behind:
        say("no graph was edited by hand")


def print_decisions(accepted: Mapping[DocumentKey, Sequence[Entry]], *, dry_run: bool) -> None:
    """What was decided about each document, and what to do next."""
    for key, entries in accepted.items():
        out().print(Text(f"{key}: {counted(len(entries), 'decision')}", style="bold"))
        for kind, payload in entries:
            out().print(Text(f"  {kind.value} {payload.name}"))
    if not any(accepted.values()):
        say("nothing differs from the graphs as they are")
    elif dry_run:
        say("nothing was logged: leave out --dry-run to log this")
    else:
        say("logged; `kg build` brings it into Neo4j, `kg undo` takes a decision back")


def _as_data(accepted: Mapping[DocumentKey, Sequence[Entry]]) -> list[dict[str, object]]:
    return [
        {"document": key, "decisions": [{"kind": kind.value, "item": p.name} for kind, p in entries]}
        for key, entries in accepted.items()
    ]


@imports.command("csv")
def import_csv(
    folder: Annotated[
        Path, typer.Argument(help="Folder with nodes.csv, edges.csv or both, as `kg export` writes them.")
    ],
    workspace: WorkspaceOption = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only check, and say what would be logged.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Take edits of the tables of `kg export --format csv` over as decisions on the documents' graphs.

    A changed cell is an edit, a new row an addition, a missing row of a document that the table names a
    rejection. What does not stand up is refused with file, line and column, and then nothing is logged.
    """
    with platform(workspace) as opened:
        accepted, notes = steps.import_tables(opened, folder, dry_run=dry_run)
    for note in notes:
        say(note)
    if as_json:
        print_json(_as_data(accepted))
    else:
        print_decisions(accepted, dry_run=dry_run)
