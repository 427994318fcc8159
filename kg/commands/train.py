"""Commands that learn from what reviewers vetted and decided: train."""

from __future__ import annotations

import typer

from kg import build as steps
from kg.commands.build import finish
from kg.commands.common import WorkspaceOption, platform

app = typer.Typer()
train = typer.Typer(no_args_is_help=True, help="Learn from vetted facts, without any language model.")
app.add_typer(train, name="train", rich_help_panel="Build")


@train.callback()
def learning() -> None:
    """Learn from vetted facts, without any language model."""


@train.command()
def extractor(workspace: WorkspaceOption = None) -> None:
    """Train the learned extractor on the vetted records and statements of this workspace."""
    with platform(workspace) as opened:
        finish([steps.train(opened)])


@train.command()
def judge(workspace: WorkspaceOption = None) -> None:
    """Train the model of `canonicalize.judge = "pairs"` on the decisions of `kg same` and `kg different`."""
    with platform(workspace) as opened:
        finish([steps.train_pairs(opened)])
