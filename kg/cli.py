"""The ``kg`` command."""

from __future__ import annotations

import signal
import sys
from importlib.metadata import version
from threading import current_thread, main_thread
from typing import Annotated, NoReturn

import typer

from kg.command_table import LazyCommands
from schemas.errors import CorpusGraphError

EXIT_TERMINATED = 128 + signal.SIGTERM
"""Exit status after SIGTERM, as a shell gives it."""

app = typer.Typer(
    cls=LazyCommands,
    no_args_is_help=True,
    help="Turn a collaboration's documents into one vetted, queryable Neo4j graph, and ask it questions.",
    rich_markup_mode="markdown",
    pretty_exceptions_show_locals=False,
)


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
    if current_thread() is main_thread():
        signal.signal(signal.SIGTERM, _terminated)
    try:
        app(standalone_mode=True)
    except KeyboardInterrupt:
        _say("interrupted; nothing is lost, run the command again to go on", style="yellow")
        sys.exit(130)
    except CorpusGraphError as e:
        _fail(str(e))
    except OSError as e:
        _fail(f"the system refused: {e}; check the path, the permissions and the disk")


def _terminated(_number: int, _frame: object) -> NoReturn:
    """Everything that is open is closed on the way out, as after an error."""
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    raise SystemExit(EXIT_TERMINATED)


def _fail(message: str) -> NoReturn:
    _say(f"error: {message}", style="red")
    sys.exit(1)


def _say(message: str, *, style: str) -> None:
    from kg.terminal import console

    console(error=True).print(message, style=style, markup=False, highlight=False, soft_wrap=True)
