"""What the shell offers for the arguments of commands."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import typer

from kg.commands.common import workspace_root
from kg.document_view import keys_beginning
from kg.workspace import Workspace
from schemas.errors import WorkspaceError

MOST: Final = 200
"""Documents offered at most."""


def document_keys(ctx: typer.Context, incomplete: str) -> list[tuple[str, str]]:
    """Keys of the workspace's documents that begin so, each with its title; none outside a workspace."""
    option = ctx.params.get("workspace")
    try:
        workspace = Workspace(workspace_root(Path(option) if option else None))
        found = keys_beginning(workspace, incomplete, most=MOST)
    except WorkspaceError:  # a shell that completes has no place for a message
        return []
    given = {str(key) for value in ctx.params.values() if isinstance(value, list | tuple) for key in value}
    return [(key, title) for key, title in found if key not in given]
