"""The ``kg`` command."""

from __future__ import annotations

import sys
from importlib.metadata import version
from typing import Annotated

import typer

from kg.commands import accept, ask, build, contested, diff, merges, schema, server, show, train
from kg.commands.common import err
from schemas.errors import CorpusGraphError

app = typer.Typer(
    no_args_is_help=True,
    help="Turn a collaboration's documents into one vetted, queryable Neo4j graph, and ask it questions.",
    rich_markup_mode="markdown",
    pretty_exceptions_show_locals=False,
)
for part in (
    build.app,
    train.app,
    accept.app,
    contested.app,
    merges.app,
    ask.app,
    show.app,
    diff.app,
    server.app,
):
    app.add_typer(part)
app.add_typer(schema.app, name="schema", rich_help_panel="Build")


def _version(show: bool) -> None:
    if show:
        typer.echo(f"kg {version('corpusgraph')}")
        raise typer.Exit


@app.callback()
def common(
    show_version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Options before the command."""


def main() -> None:
    """Entry point: a known error is one clear line and exit status 1, never a traceback."""
    try:
        app(standalone_mode=True)
    except KeyboardInterrupt:
        err().print("interrupted; nothing is lost, run the command again to go on", style="yellow")
        sys.exit(130)
    except CorpusGraphError as e:
        _fail(str(e))
    except OSError as e:
        _fail(f"the system refused: {e}; check the path, the permissions and the disk")


def _fail(message: str) -> None:
    err().print(f"error: {message}", style="red", markup=False, highlight=False, soft_wrap=True)
    sys.exit(1)
