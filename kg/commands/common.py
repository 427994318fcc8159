"""What all commands share: the workspace option, consoles, and how errors become exit codes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from pydantic import BaseModel
from rich.console import Console

from kg.control_characters import escaped
from kg.progress import ConsoleProgress
from kg.settings import read_environment
from kg.terminal import console
from kg.wiring import Platform, open_platform
from kg.workspace import Workspace

WorkspaceOption = Annotated[
    Path | None,
    typer.Option(
        "--workspace",
        "-w",
        help="Workspace folder. Default: $KG_WORKSPACE, else this folder.",
        show_default=False,
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON instead of tables.")]


def out() -> Console:
    """Standard output, for results. Brackets and colons of a text are printed as they stand."""
    return console()


def err() -> Console:
    """Standard error, for progress and messages; see :func:`out`."""
    return console(error=True)


def workspace_root(option: Path | None) -> Path:
    """The folder that the option, the environment or the current folder names."""
    return option or Path(read_environment().workspace or ".")


@contextmanager
def platform(option: Path | None) -> Iterator[Platform]:
    """The opened workspace with its services."""
    with open_platform(Workspace(workspace_root(option)), ConsoleProgress(err())) as opened:
        yield opened


def print_json(value: BaseModel | object) -> None:
    """One JSON document on standard output."""
    data = value.model_dump(mode="json") if isinstance(value, BaseModel) else value
    typer.echo(escaped(json.dumps(data, ensure_ascii=False, indent=2)))


def say(message: str) -> None:
    """A line on standard error."""
    err().print(message, highlight=False, markup=False, soft_wrap=True)
