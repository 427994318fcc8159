"""The command that compares two graphs of a document."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from kg.commands.common import JsonOption, WorkspaceOption, err, out, platform, print_json
from kg.commands.completion import document_keys
from kg.document_view import find_document
from kg.graph_diff import Difference, GraphDiff, diff_graphs
from kg.graph_file import read_graph_file
from kg.nouns import counted
from kg.workspace import Workspace
from schemas.errors import CorpusGraphError, UsageError
from schemas.graphs import DocumentGraph

app = typer.Typer()
LONGEST_QUOTE = 160
"""Characters of a quote on a terminal."""


@app.command(rich_help_panel="Use")
def diff(
    before: Annotated[
        str,
        typer.Argument(
            metavar="A",
            help="A graph file, or a document's key or part of key or title.",
            autocompletion=document_keys,
        ),
    ],
    after: Annotated[
        str | None,
        typer.Argument(
            metavar="[B]",
            help="With a file: another graph file. With a document: a run id, or its beginning; by default "
            "the run before the current one.",
        ),
    ] = None,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """What changed between two graphs, by content. Exit status 0: nothing, 1: something, 2: failed."""
    try:
        found = _compared(before, after, workspace)
    except CorpusGraphError as e:
        err().print(f"error: {e}", style="red", markup=False, highlight=False, soft_wrap=True)
        raise typer.Exit(2) from e
    if as_json:
        print_json(found)
    else:
        _print_diff(found)
    raise typer.Exit(1 if found.differences else 0)


def _compared(before: str, after: str | None, workspace: Path | None) -> GraphDiff:
    if Path(before).is_file():
        if after is None:
            raise UsageError(f"expected a second graph file to compare {before} with, found none")
        left, right = (read_graph_file(Path(name)).graph for name in (before, after))
        return diff_graphs(left, right, names=(before, after))
    with platform(workspace) as opened:
        return _against_run(opened.workspace, before, after)


def _against_run(workspace: Workspace, doc: str, run: str | None) -> GraphDiff:
    key = workspace.read_document(find_document(workspace, doc)).key
    if not workspace.graph_path(key).exists():
        raise UsageError(f"{key} has no graph yet; run `kg extract`")
    current = workspace.read_graph(key)
    earlier = _run(workspace, current, run)
    return diff_graphs(
        earlier, current, names=(f"{key} run {earlier.run_id[:8]}", f"{key} run {current.run_id[:8]}")
    )


def _run(workspace: Workspace, current: DocumentGraph, wanted: str | None) -> DocumentGraph:
    """The run whose id begins so; without one, the run before the current one."""
    paths = workspace.run_paths(current.document)
    if wanted is None:
        paths = tuple(p for p in paths if p.stem != current.run_id)[-1:]
        if not paths:
            raise UsageError(f"{current.document} has only one run, so there is nothing to compare")
    else:
        known = ", ".join(p.stem[:12] for p in paths)
        paths = tuple(p for p in paths if p.stem.startswith(wanted))
        if len(paths) != 1:
            raise UsageError(
                f"expected the id of one run of {current.document}, found {wanted!r}, which fits "
                f"{len(paths)}; its runs are {known}"
            )
    return read_graph_file(paths[0]).graph


_MARKS = {"added": ("+", "green"), "removed": ("-", "red"), "changed": ("~", "yellow")}


def _print_diff(found: GraphDiff) -> None:
    console = out()
    console.print(Text(f"- {found.before}\n+ {found.after}", style="dim"))
    if not found.differences:
        console.print("the same records and statements")
        return
    for difference in found.differences:
        console.print(_shown(difference))
    counts = ", ".join(_many(what, n) for what, n in found.counts().items())
    console.print(Text(counts, style="bold"))


def _many(what: str, number: int) -> str:
    """How many, as in "2 records added"."""
    noun, verb = what.rsplit(" ", 1)
    return f"{counted(number, noun)} {verb}"


def _shown(difference: Difference) -> Text:
    mark, colour = _MARKS[difference.kind]
    text = Text(f"{mark} {difference.what} {difference.item}", style=colour)
    if difference.kind != "changed" and difference.quote:
        text.append(f"\n    “{' '.join(difference.quote.split())[:LONGEST_QUOTE]}”", style="dim")
    for change in difference.changes:
        text.append(
            f"\n    {change.field}: {_value(change.before)} → {_value(change.after)}", style="default"
        )
    return text


def _value(value: object) -> str:
    if value is None:
        return "(none)"
    return "; ".join(value) if isinstance(value, tuple) else str(value)
