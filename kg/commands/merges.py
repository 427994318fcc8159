"""Commands on merges: why, same, different, merges, conflicts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated

import typer
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from kg import merges as decisions
from kg.commands.common import JsonOption, WorkspaceOption, out, platform, print_json
from kg.merges import Decided, Queue, QueueItem
from kg.nouns import counted
from kg.review_payloads import describe
from schemas.review import Event, FactConflict, PairExplanation

app = typer.Typer()
Thing = Annotated[
    str, typer.Argument(help="An entity or record: id, beginning of an id, name, or type:name.")
]
Reason = Annotated[str, typer.Option(help="Why; kept with the decision.")]
Limit = Annotated[int, typer.Option(min=1, help="Most to show; --json shows all.")]
MOST_CLAIMS = 6


@app.command(rich_help_panel="Review")
def why(left: Thing, right: Thing, workspace: WorkspaceOption = None, as_json: JsonOption = False) -> None:
    """Explain why two records are one entity, or are not: the rule or the score that decided, bar by bar."""
    with platform(workspace) as opened:
        found = decisions.why(opened, left, right)
        events = [e for e in opened.log.events() if e.seq in found.events] if not as_json else []
    if as_json:
        print_json(found)
        return
    names: dict[str, str] = dict(zip((found.left, found.right), found.names, strict=True))
    out().print(Group(*_explained(found), *(_event(e, names) for e in events)))


BAR = 30
"""Characters of a bar that stands for a similarity of 1."""


def _explained(found: PairExplanation) -> Iterator[RenderableType]:
    yield Text(found.words)
    for record, name, document in zip((found.left, found.right), found.names, found.documents, strict=True):
        yield Text.assemble(f"  {name}", (f"  {document}, record {record}", "dim"))
    if found.score is not None and found.threshold is not None:
        yield Text("")
        yield _waterfall(found, found.score, found.threshold)
    if found.path:
        yield Text("\nstep by step", style="bold")
        for step in found.path:
            yield Text(f"  {step.left_name} – {step.right_name}: {step.why} {step.score:.2f}")
    if found.features:
        values = ", ".join(f"{f.name} {f.value:.2f}" for f in found.features)
        yield Text(f"\nall features: {values}", style="dim")


def _waterfall(found: PairExplanation, score: float, threshold: float) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), show_header=False)
    for name in ("what", "sum", "bar"):
        table.add_column(name, no_wrap=True)
    for bar in found.waterfall:
        said = f"{bar.value:.2f} × {bar.weight:.2f} = {bar.points:.2f}"
        table.add_row(bar.feature.replace("_", " "), said, Text(_bar(bar.points), style="cyan"))
    table.add_row("score", f"{score:.2f}", Text(_bar(score), style="green" if score >= threshold else "red"))
    table.add_row("threshold", f"{threshold:.2f}", Text(_bar(threshold), style="dim"))
    return table


def _bar(value: float) -> str:
    return "█" * max(0, round(value * BAR))


def _event(event: Event, names: Mapping[str, str]) -> Text:
    return Text(f"event {event.seq}, {event.at_utc[:16]}: {describe(event, names)}", style="dim")


@app.command(rich_help_panel="Review")
def same(left: Thing, right: Thing, workspace: WorkspaceOption = None, reason: Reason = "") -> None:
    """Decide that two entities are one. `kg undo` takes it back; `kg build` applies it."""
    with platform(workspace) as opened:
        _say_decided(decisions.decide(opened, left, right, same=True, reason=reason), "the same as")


@app.command(rich_help_panel="Review")
def different(left: Thing, right: Thing, workspace: WorkspaceOption = None, reason: Reason = "") -> None:
    """Decide that two entities, or two records of one, are not the same. `kg undo` takes it back."""
    with platform(workspace) as opened:
        _say_decided(decisions.decide(opened, left, right, same=False, reason=reason), "not the same as")


def _say_decided(done: Decided, what: str) -> None:
    out().print(Text(f"event {done.event.seq}: {done.left.text} is {what} {done.right.text}"), soft_wrap=True)
    if done.reverses:
        before = ", ".join(map(str, done.reverses))
        events = f"event{'s' if len(done.reverses) > 1 else ''} {before}"
        out().print(Text(f"this reverses {events}, which said the contrary"), soft_wrap=True)
    hint = f"run `kg build` to apply it; `kg undo {done.event.seq}` takes it back"
    out().print(hint, style="dim", highlight=False, soft_wrap=True)


@app.command(rich_help_panel="Review")
def merges(
    workspace: WorkspaceOption = None,
    blocked: Annotated[
        bool, typer.Option("--blocked", help="Show what a rule forbade instead of what waits for a decision.")
    ] = False,
    limit: Limit = 20,
    as_json: JsonOption = False,
) -> None:
    """Merges that wait for a reviewer, the most uncertain first; or those that a rule forbade."""
    with platform(workspace) as opened:
        queue = decisions.merge_queue(opened)
    if as_json:
        print_json(queue)
        return
    out().print(Group(*_queue(queue, blocked=blocked, limit=limit)))


def _queue(queue: Queue, *, blocked: bool, limit: int) -> Iterator[RenderableType]:
    items = queue.blocked if blocked else queue.unsure
    if not items:
        yield Text("No merge was forbidden." if blocked else "No merge waits for a decision.")
    else:
        yield _items(items[:limit], blocked=blocked)
        rest = (sum(queue.blocked_total.values()) if blocked else len(items)) - min(limit, len(items))
        if rest > 0:
            yield Text(f"and {rest} more; --limit or --json shows them", style="dim")
    if not blocked:
        if items:
            yield Text("decide with `kg same A B` or `kg different A B`; `kg why A B` explains", style="dim")
        total = sum(queue.blocked_total.values())
        if total:
            yield Text(
                f"forbidden by rules: {counted(total, 'merge')}, see `kg merges --blocked`", style="dim"
            )


def _items(items: Sequence[QueueItem], *, blocked: bool) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    table.add_column("score", justify="right", no_wrap=True)
    table.add_column("type", no_wrap=True, style="cyan")
    table.add_column("names", ratio=5, overflow="fold")
    table.add_column("rule" if blocked else "judge", ratio=2, overflow="fold")
    for item in items:
        names = Text("\n").join(
            Text.assemble(name, (f"  {record[:10]}", "dim"))
            for name, record in zip(item.names, item.records, strict=True)
        )
        why = item.rule or f"{item.judge}{': ' + item.reason if item.reason else ''}"
        table.add_row(f"{item.score:.2f}", item.type, names, Text(why))
    return table


@app.command(rich_help_panel="Review")
def conflicts(
    workspace: WorkspaceOption = None,
    kind: Annotated[str, typer.Option("--type", help="Only this entity or relation type.")] = "",
    limit: Limit = 50,
    as_json: JsonOption = False,
) -> None:
    """Facts of different documents that cannot all be right. Two values of one observable are no conflict."""
    with platform(workspace) as opened:
        found = decisions.conflicts(opened, kind=kind)
    if as_json:
        print_json([c.model_dump(mode="json") for c in found])
        return
    if not found:
        out().print("no conflicts")
    for conflict in found[:limit]:
        out().print(Group(*_conflict(conflict)))
    if len(found) > limit:
        out().print(Text(f"and {len(found) - limit} more; --limit or --json shows them", style="dim"))


def _conflict(conflict: FactConflict) -> Iterator[RenderableType]:
    head = Text.assemble((f"{conflict.type} ", "cyan"), (conflict.name, "bold"))
    if conflict.object_name:
        head.append(f" – {conflict.object_name}")
    head.append(f": two {'names' if conflict.kind == 'name' else 'values'}, {conflict.about}")
    yield head
    for claim in conflict.claims[:MOST_CLAIMS]:
        yield Text(f"  {claim.value}  ({claim.document})")
    if len(conflict.claims) > MOST_CLAIMS:
        yield Text(f"  and {len(conflict.claims) - MOST_CLAIMS} more", style="dim")
