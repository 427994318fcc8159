"""The shell is offered the keys of the workspace's documents."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from kg.build import add
from kg.cli import app
from kg.progress import SilentProgress
from kg.wiring import open_platform
from kg.workspace import Workspace


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three notes."""
    folder = tmp_path_factory.mktemp("completion")
    notes = folder / "notes"
    (notes / "deep").mkdir(parents=True)
    for name in ("alpha.md", "deep/alpine one.md", "beta.md"):
        (notes / name).write_text(f"# About {Path(name).stem}\n\nText.\n", encoding="utf-8")
    made = Workspace.create(folder / "ws", schema="particle_physics")
    with open_platform(made, SilentProgress()) as platform:
        add(platform, [str(notes)])
    return made.root


def offered(words: str, workspace: Path) -> str:
    """What zsh is given for a line that ends in the word to complete."""
    line = {"_KG_COMPLETE": "complete_zsh", "_TYPER_COMPLETE_ARGS": words, "KG_WORKSPACE": str(workspace)}
    return CliRunner().invoke(app, [], prog_name="kg", env=line).output


@pytest.mark.parametrize(
    ("words", "keys"),
    [
        ("kg show ", {"alpha.md", "beta.md", "deep/alpine one.md"}),
        ("kg show al", {"alpha.md"}),
        ("kg show deep/al", {"deep/alpine one.md"}),
        ("kg diff b", {"beta.md"}),
        ("kg accept alpha.md ", {"beta.md", "deep/alpine one.md"}),
        ("kg contested no", set()),
        ("kg remove beta.md a", {"alpha.md"}),
    ],
)
def test_document_keys_are_offered(workspace: Path, words: str, keys: set[str]) -> None:
    said = offered(words, workspace)
    assert {k for k in ("alpha.md", "beta.md", "deep/alpine one.md") if f'"{k}":"About' in said} == keys


def test_nothing_is_offered_outside_a_workspace(tmp_path: Path) -> None:
    assert "About" not in offered("kg show ", tmp_path)


def test_commands_are_offered_without_being_loaded(workspace: Path) -> None:
    said = offered("kg ex", workspace)
    assert '"extract":' in said
    assert '"export":' in said
