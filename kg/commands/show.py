"""The command that shows one document's graph."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Annotated

import typer
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from kg.commands.common import (
    JsonOption,
    WorkspaceOption,
    out,
    platform,
    print_json,
)
from kg.commands.completion import document_keys
from kg.document_view import (
    DocumentView,
    Fact,
    Quote,
    RecordView,
    StatementView,
    attribute_lines,
    document_view,
)
from kg.nouns import counted
from schemas.graphs import Rejection, Status

app = typer.Typer()
WIDEST_PLACE = 28
_SLOT = re.compile(r"\{(particle|decay)2?\}")
"""The place in a term's name that a rule fills from the sentence; open in an item that was refused."""
LONGEST_QUOTE = 240
"""Characters of a quote on a terminal; `--json` has all of it."""
Doc = Annotated[
    str,
    typer.Argument(
        metavar="DOC",
        help="A document's key, or a part of its key or title.",
        autocompletion=document_keys,
    ),
]


@app.command(rich_help_panel="Use")
def show(
    doc: Doc,
    workspace: WorkspaceOption = None,
    rejected: Annotated[
        bool, typer.Option("--rejected", help="What the checks refused, with code and reason.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Show one document's graph: records and statements with their quotes and where these stand."""
    with platform(workspace) as opened:
        view = document_view(opened.workspace, doc)
    if as_json:
        print_json(
            {"document": view.document, **view.model_dump(mode="json", include={"rejected", "rejections"})}
            if rejected
            else view
        )
        return
    out().print(Group(*_head(view), *(_refused(view) if rejected else _facts(view))))


def _head(view: DocumentView) -> Iterator[RenderableType]:
    yield Text(view.document, style="bold")
    if view.title:
        yield Text(" ".join(view.title.split()))
    yield Text(
        f"{counted(len(view.records), 'record')}, {counted(len(view.statements), 'statement')}, "
        f"{len(view.rejections)} rejected · "
        f"schema {view.schema_name} {view.schema_version} · run {view.run_id[:8]}",
        style="dim",
    )
    if view.stale:
        yield Text(f"{view.stale}; `kg extract` makes it anew", style="yellow")


def _facts(view: DocumentView) -> Iterator[RenderableType]:
    for title, facts in (("Records", view.records), ("Statements", view.statements)):
        if facts:
            yield Text(f"\n{title}", style="bold")
            yield _table(facts)


def _table(facts: Sequence[RecordView | StatementView]) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold", expand=False)
    table.add_column("what", ratio=5, overflow="fold")
    table.add_column("quote", ratio=5, overflow="fold")
    widest = max(len(line) for f in facts for line in _where(f).plain.splitlines())
    table.add_column("where", width=min(widest, WIDEST_PLACE), overflow="fold")
    table.add_column("conf.", justify="right", no_wrap=True, min_width=5)
    for fact in facts:
        table.add_row(_what(fact), _quote(fact.quotes), _where(fact), f"{fact.confidence:.2f}")
    return table


def _what(fact: RecordView | StatementView) -> Text:
    text = Text()
    if isinstance(fact, RecordView):
        text.append(f"{fact.type} ", style="cyan")
        text.append(fact.name)
    else:
        text.append(fact.subject)
        text.append(f" {fact.type} ", style="cyan")
        text.append(fact.object)
    if fact.status is not Status.DRAFT:
        text.append(f" [{fact.status.value}]", style="green")
    for line in attribute_lines(fact.attributes):
        text.append(f"\n  {line}", style="dim")
    return text


def _quote(quotes: Sequence[Quote]) -> Text:
    if not quotes:
        return Text("(no quote: from a structured source)", style="dim")
    words = " ".join(quotes[0].quote.split())
    text = Text(f"“{words if len(words) <= LONGEST_QUOTE else words[:LONGEST_QUOTE] + ' …'}”")
    if len(quotes) > 1:
        text.append(f"\n+ {len(quotes) - 1} more", style="dim")
    return text


def _where(fact: Fact) -> Text:
    text = Text(fact.quotes[0].where if fact.quotes else fact.origin.value)
    text.append(f"\n{fact.extractor}", style="dim")
    return text


def _refused(view: DocumentView) -> Iterator[RenderableType]:
    if not view.rejections:
        yield Text("\nNothing was rejected.")
        return
    yield Text(f"\n{', '.join(f'{code} {n}' for code, n in view.rejected.items())}")
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    table.add_column("code", no_wrap=True, min_width=max(map(len, view.rejected)))
    table.add_column("item", ratio=4, overflow="fold")
    table.add_column("reason", ratio=5, overflow="fold")
    for code in view.rejected:
        for found in (r for r in view.rejections if r.code == code):
            table.add_row(code, _item(found), Text(found.detail))
    yield Text("")
    yield table


def _item(found: Rejection) -> Text:
    text = Text(_SLOT.sub(r"(some \1)", found.item))
    text.append(f"\n{found.extractor}", style="dim")
    return text
