"""Commands on the questions of the ledger: list, show, mark, correct, unmark, labels."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from kg.commands.common import JsonOption, WorkspaceOption, out, platform, print_json, say
from kg.commands.cypher import say_changes
from kg.correcting import correct as correct_question
from kg.files import write_atomic
from kg.nouns import counted
from kg.query_log import WrittenQuery
from kg.question_rows import AskedQuestion, Verdict
from kg.user_name import user_name
from schemas.questions import Outcome

app = typer.Typer()
_COLUMNS = ("number", "time", "outcome", "marked", "ms", "question")
Number = Annotated[int, typer.Argument(min=1, help="Number of the question.")]
Note = Annotated[str, typer.Option(help="Why; kept with it.")]
By = Annotated[str, typer.Option(help="Who says so. Default: your user name.", show_default=False)]


@app.callback(invoke_without_command=True)
def list_questions(
    context: typer.Context,
    workspace: WorkspaceOption = None,
    outcome: Annotated[Outcome | None, typer.Option(help="Only those that ended so.")] = None,
    limit: Annotated[int, typer.Option(min=1, max=1_000_000, help="Latest questions to show.")] = 20,
    as_json: JsonOption = False,
    queries: Annotated[
        bool, typer.Option("--queries", help="The queries that analysts wrote themselves instead.")
    ] = False,
) -> None:
    """What was asked, how it ended, and whether it was right: the latest questions, newest first."""
    if context.invoked_subcommand is not None:
        return
    with platform(workspace) as opened:
        busy = opened.query_log.busy_days(limit=2)
        if queries:
            written = opened.query_log.rows(outcome=outcome, limit=limit)
        else:
            rows = opened.question_log.rows(outcome=outcome, limit=limit)
    for day in busy:
        say(f"{day.day}: told {counted(day.times, 'time')} that the server is busy ({day.what})")
    if queries:
        _show_queries(written, as_json=as_json)
        return
    if as_json:
        print_json([r.model_dump(mode="json") for r in rows])
        return
    table = Table(*_COLUMNS[:4], box=None)
    table.add_column("ms", justify="right")
    table.add_column("question", overflow="fold")
    if any(row.store for row in rows):
        table.add_column("asked of", overflow="fold")
    for row in rows:
        marked = row.verdict.value if row.verdict else ""
        asked = row.resolved or row.question or "(not kept)"
        time = f"{row.seconds * 1000:.0f}"
        where = (Text(row.store),) if len(table.columns) > len(_COLUMNS) else ()
        table.add_row(str(row.number), row.at_utc, row.outcome.value, marked, time, Text(asked), *where)
    out().print(table)


def _show_queries(rows: tuple[WrittenQuery, ...], *, as_json: bool) -> None:
    if as_json:
        print_json([r.model_dump(mode="json") for r in rows])
        return
    table = Table("number", "time", "outcome", box=None)
    table.add_column("rows", justify="right")
    table.add_column("ms", justify="right")
    table.add_column("query", overflow="fold")
    for row in rows:
        cut = f" (cut: {', '.join(row.cut)})" if row.cut else ""
        said = f"{row.query or '(not kept)'}{f' ({row.why})' if row.why else ''}{cut}"
        time = f"{row.seconds * 1000:.0f}"
        table.add_row(str(row.number), row.at_utc, row.outcome.value, str(row.rows), time, Text(said))
    out().print(table)


@app.command()
def show(number: Number, workspace: WorkspaceOption = None, as_json: JsonOption = False) -> None:
    """One question: query, stages, the model's part, marks."""
    with platform(workspace) as opened:
        row = opened.question_log.get(number)
    if as_json:
        print_json(row)
        return
    table = Table(box=None, show_header=False, pad_edge=False)
    for name, value in _lines(row):
        if value:
            table.add_row(Text(name, style="bold"), Text(value))
    out().print(table)


@app.command()
def mark(
    number: Number,
    verdict: Annotated[Verdict, typer.Argument(help="Whether the answer was right.")],
    workspace: WorkspaceOption = None,
    note: Note = "",
    by: By = "",
) -> None:
    """Say that an answer was right or wrong: a wrong one is not given again, right ones become examples."""
    with platform(workspace) as opened:
        row = opened.question_log.mark(number, verdict, note=note, by=by or user_name())
    out().print(f"{row.number}: {row.verdict}", highlight=False)


@app.command()
def correct(
    number: Number,
    query: Annotated[str, typer.Argument(help="The right query, in Cypher; it goes through the gate.")],
    workspace: WorkspaceOption = None,
    note: Note = "",
    by: By = "",
) -> None:
    """Give the right query for a question: it is answered by it from now on, with other names in it too."""
    with platform(workspace) as opened:
        found = correct_question(opened, number, query, by=by or user_name(), note=note)
    rows = f"{'at least ' if found.truncated else ''}{counted(len(found.rows), 'row')}"
    out().print(f"{number}: corrected; the query finds {rows}", highlight=False)
    say_changes(found.repairs, found.notes)


@app.command()
def unmark(number: Number, workspace: WorkspaceOption = None) -> None:
    """Take back what was said last, a mark or a correction, as if it had never been given."""
    with platform(workspace) as opened:
        row = opened.question_log.unmark(number)
    query = ", with the query given for it" if row.corrected else ""
    left = f"{row.verdict} by {row.marked_by} again{query}" if row.verdict else "not marked"
    out().print(f"{row.number}: {left}", highlight=False)


@app.command()
def labels(
    file: Annotated[Path, typer.Argument(help="File to write, JSON Lines.")],
    workspace: WorkspaceOption = None,
) -> None:
    """Write marked answers of all stores with their features, one a line: what a scorer can be fitted on."""
    with platform(workspace) as opened:
        found = opened.question_log.labels(of_all=True)
    write_atomic(file, "".join(f"{row.model_dump_json()}\n" for row in found).encode())
    say(f"{file}: {counted(len(found), 'marked answer')}")


def _lines(row: AskedQuestion) -> tuple[tuple[str, str], ...]:
    stages = ", ".join(f"{s.name} {s.ms:.1f} ms" for s in row.stages)
    model = ""
    if row.model is not None:
        m = row.model
        tokens = m.prompt_tokens + m.completion_tokens
        model = f"{m.model}: {m.calls} calls, {m.repairs} repairs, {tokens} tokens"
    marked = f"{row.verdict.value} by {row.marked_by}, {row.marked_utc}" if row.verdict else ""
    unused = "; not in use, as the answer was marked right since" if row.verdict is Verdict.RIGHT else ""
    return (
        ("number", str(row.number)),
        ("time", row.at_utc),
        ("question", row.question or "(not kept)"),
        ("asked of", row.store),
        ("read as", row.resolved),
        ("scope", row.scope.value),
        ("outcome", row.outcome.value),
        ("shape", row.shape),
        ("explanation", row.explanation),
        ("read otherwise", "\n".join(row.alternatives)),
        ("query", row.query),
        ("parameters", ", ".join(f"${k} = {v!r}" for k, v in row.parameters.items())),
        ("repaired", "\n".join(r.told for r in row.repairs)),
        ("confidence", f"{row.confidence:.2f}"),
        ("rows", str(row.rows)),
        ("dropped", f"{row.dropped} sentences" if row.dropped else ""),
        ("seconds", f"{row.seconds:.3f}"),
        ("stages", stages),
        ("schema", row.schema_fingerprint),
        ("query hash", row.query_hash),
        ("model", model),
        ("marked", marked),
        ("note", row.note),
        ("corrected to", row.corrected),
        ("with", ", ".join(f"${k} = {v!r}" for k, v in row.corrected_parameters.items())),
        ("corrected", f"by {row.corrected_by}, {row.corrected_utc}{unused}" if row.corrected else ""),
    )
