"""Commands for those who write Cypher: query, cypher check."""

from __future__ import annotations

import json
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from kg.commands.common import JsonOption, WorkspaceOption, err, out, platform, print_json
from kg.query import check_query, plan, run_query
from schemas.errors import UsageError
from schemas.findings import Finding, Repair
from schemas.matched import Provenance
from schemas.questions import GateReport, Parameter, PlanSummary, QueryRequest, Scope

app = typer.Typer()
checks = typer.Typer(no_args_is_help=True, help="Check a query without running it.")

Text_ = Annotated[str, typer.Argument(metavar="CYPHER", help="A reading query in Cypher 5.")]
Given = Annotated[
    list[str] | None, typer.Option("--param", "-p", help="NAME=VALUE of a $name; the value as JSON or text.")
]
ScopeOption = Annotated[Scope, typer.Option(help="Which facts count.")]
Limit = Annotated[int, typer.Option(min=1, max=1000, help="Rows to show.")]
Seconds = Annotated[float, typer.Option(min=0.1, max=120, help="Seconds.")]


@app.command(rich_help_panel="Use")
def query(
    cypher: Text_,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
    param: Given = None,
    limit: Limit = 100,
    scope: ScopeOption = Scope.ALL,
    timeout: Seconds = 10.0,
    provenance: Annotated[
        bool, typer.Option("--provenance", help="Also tell which nodes and relationships were matched.")
    ] = False,
) -> None:
    """Run a reading query of your own; it passes the same gate as every other."""
    request = QueryRequest(
        cypher=cypher,
        parameters=_parameters(param),
        scope=scope,
        limit=limit,
        timeout=timeout,
        provenance=provenance,
    )
    with platform(workspace) as opened:
        result = run_query(opened, request)
    if as_json:
        print_json(result)
        return
    table = Table(*result.columns, box=None)
    for row in result.rows:
        table.add_row(*(Text(_shown(cell)) for cell in row))
    out().print(table)
    say_changes(result.repairs, result.notes)
    if result.provenance is not None:
        _say_matched(result.provenance)
    more = ", more were cut" if result.truncated else ""
    err().print(f"{len(result.rows)} rows{more}, {result.seconds:.2f} s", highlight=False)


@checks.command()
def check(
    cypher: Text_,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
    param: Given = None,
    limit: Limit = 100,
    scope: ScopeOption = Scope.ALL,
    timeout: Seconds = 10.0,
) -> None:
    """Show what the gate makes of a query: findings, repairs, what would run, the server's plan.

    Exit status 0: it may run, 1: it may not.
    """
    request = QueryRequest(
        cypher=cypher, parameters=_parameters(param), scope=scope, limit=limit, timeout=timeout
    )
    found: PlanSummary | None = None
    refusal = ""
    with platform(workspace) as opened:
        report = check_query(opened, request)
        if report.query is not None:
            found, refusal = plan(opened, report.query)
    if as_json:
        shown = found.model_dump(mode="json") if found is not None else None
        print_json({**report.model_dump(mode="json"), "plan": shown, "plan_refused": refusal})
    else:
        _print_report(report, found, refusal)
    raise typer.Exit(0 if report.query is not None and not refusal else 1)


def _parameters(given: list[str] | None) -> dict[str, Parameter]:
    found: dict[str, Parameter] = {}
    for item in given or ():
        name, sign, value = item.partition("=")
        if not sign or not name:
            raise UsageError(f"expected NAME=VALUE after --param, found {item!r}")
        found[name.lstrip("$")] = _value(value)
    return found


def _value(text: str) -> Parameter:
    try:
        value = json.loads(text)
    except ValueError:
        return text
    if isinstance(value, list) and all(isinstance(x, str | int | float | bool | None) for x in value):
        return tuple(value)
    return value if isinstance(value, str | int | float | bool | None) else text


def _print_report(report: GateReport, found: PlanSummary | None, refusal: str) -> None:
    console = out()
    for finding in report.findings:
        console.print(_finding(finding), highlight=False, soft_wrap=True)
    for repair in report.repairs:
        console.print(f"changed  {repair.message}", highlight=False, soft_wrap=True)
    for note in report.notes:
        console.print(f"note     {note}", highlight=False, soft_wrap=True)
    if report.query is None:
        if report.text:
            console.print(f"read as  {report.text}", highlight=False, soft_wrap=True)
        console.print("refused  this query is not run", highlight=False)
        return
    console.print(f"runs     {report.query.text}", highlight=False, soft_wrap=True)
    for name, value in report.query.parameters.items():
        console.print(f"  ${name} = {json.dumps(value, ensure_ascii=False)}", highlight=False, soft_wrap=True)
    if found is not None:
        operators = ", ".join(dict.fromkeys(found.operators))
        console.print(
            f"plan     {'refused: ' + refusal if refusal else 'a read'}; about "
            f"{found.estimated_rows:.0f} rows; {operators}",
            highlight=False,
            soft_wrap=True,
        )
    elif refusal:
        console.print(f"plan     refused: {refusal}", highlight=False, soft_wrap=True)


def _finding(finding: Finding) -> str:
    place = f"line {finding.place.line}, column {finding.place.column}"
    tried = f" Try: {' | '.join(finding.suggestions)}" if finding.suggestions else ""
    return f"{finding.code}     {finding.message} ({place}).{tried}"


def say_changes(repairs: tuple[Repair, ...], notes: tuple[str, ...]) -> None:
    """What the gate changed in a query, and its notes, on standard error."""
    for line in (*(f"changed: {r.told}" for r in repairs), *(f"note: {x}" for x in notes)):
        err().print(line, highlight=False, soft_wrap=True)


def _say_matched(found: Provenance) -> None:
    for word, matched in (("nodes", found.nodes), ("relationships", found.edges)):
        listed = ", ".join(m.id or m.element for m in matched)
        err().print(f"matched {len(matched)} {word}: {listed}", highlight=False, soft_wrap=True)
    if found.truncated:
        err().print("more was matched than is listed", highlight=False)


def _shown(cell: object) -> str:
    if isinstance(cell, tuple):
        return ", ".join(_shown(c) for c in cell)
    return "" if cell is None else str(cell)
