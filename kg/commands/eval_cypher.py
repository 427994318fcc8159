"""The command that measures the question service."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from cypher.evaluation.page import figures, gold_remarks, page
from kg.commands.common import JsonOption, WorkspaceOption, out, platform, print_json, say
from kg.evaluation import read_cases, run_evaluation
from kg.files import write_atomic
from schemas.evaluation import EvaluationReport

app = typer.Typer(no_args_is_help=True, help="Measure how good the answers are.")


@app.callback()
def evaluate() -> None:
    """Measure how good the answers are."""


@app.command()
def cypher(
    questions: Annotated[
        Path, typer.Argument(metavar="QUESTIONS.jsonl", help="Questions with their right answers.")
    ],
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
    html: Annotated[
        Path | None, typer.Option("--html", metavar="PAGE", help="Write a page with examples of failures.")
    ] = None,
    limit: Annotated[int, typer.Option(min=1, max=1000, help="Rows asked for.")] = 1000,
    timeout: Annotated[float, typer.Option(min=0.1, max=120, help="Seconds per question.")] = 10.0,
    llm: Annotated[
        bool, typer.Option("--llm/--no-llm", help="Let the chat model of kg.toml write queries too.")
    ] = False,
) -> None:
    """Ask each question of a file and compare the rows, queries and refusals with the right ones.

    Each line of the file is a JSON object: id, question; the right answer as rows (lists) or as cypher with
    parameters (a reading query, which passes the gate); ordered (true: the order of the rows counts); expect
    (answer, abstain, ask back or refuse); group (a name to count by).

    No language model is asked, unless --llm is given and kg.toml has a [chat]. Marks and corrections of
    reviewers are left out.
    """
    cases = read_cases(questions)
    with platform(workspace) as opened:
        result = run_evaluation(opened, cases, limit=limit, timeout=timeout, use_llm=llm)
    if html is not None:
        write_atomic(html, page(result, title=f"Questions of {questions.name}").encode())
        say(f"{html}: {len(result.results)} questions")
    if as_json:
        print_json(result)
    else:
        print_report(result)


def print_report(report: EvaluationReport) -> None:
    """Figures, then the failures by code, the groups and the stages."""
    table = Table("figure", "value", "remark", box=None)
    for row in figures(report):
        table.add_row(*row)
    out().print(table)
    if report.codes:
        failures = Table("code", "questions", "meaning", title="failures", box=None, title_justify="left")
        for code, count in report.codes.items():
            failures.add_row(code.value, str(count), code.meaning)
        out().print(failures)
    remarks = gold_remarks(report)
    if remarks:
        gold = Table("question", "what", title="gold queries", box=None, title_justify="left")
        for remark in remarks:
            gold.add_row(*map(Text, remark))
        out().print(gold)
    if report.groups:
        groups = Table("group", "right", "of", title="groups", box=None, title_justify="left")
        for name, share in report.groups.items():
            groups.add_row(name, str(share.hits), str(share.trials))
        out().print(groups)
    stages = Table("stage", "p50 ms", "p95 ms", title="latency", box=None, title_justify="left")
    for time in report.stages:
        stages.add_row(time.stage, f"{time.p50:.1f}", f"{time.p95:.1f}")
    out().print(stages)
