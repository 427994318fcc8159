"""What starting ``kg`` loads, what long items show, and that SIGTERM leaves nothing behind."""

from __future__ import annotations

import io
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import typer
from rich.console import Console

from extraction.rules import RuleExtractor
from kg import progress
from kg.build import add
from kg.cli import EXIT_TERMINATED, app
from kg.command_table import COMMANDS
from kg.progress import ConsoleProgress, SilentProgress
from kg.steps import extract_pool
from kg.steps.extract_pool import worker_pool
from kg.steps.pending import Work, pending
from kg.steps.recipe import Recipe
from kg.wiring import open_platform
from kg.workspace import Workspace

ROOT = Path(__file__).resolve().parents[2]
HEAVY = ("numpy", "neo4j", "pydantic", "yaml", "kg.wiring", "schemas.graphs")
LISTED = f"""
import sys
from kg.cli import app
from typer.testing import CliRunner
result = CliRunner().invoke(app, sys.argv[1:])
assert result.exit_code == 0, result.output
print(sorted(set({HEAVY!r}) & set(sys.modules)))
"""
TERMINATED = """
import signal, sys, time
from pathlib import Path
from extraction.rules import RuleExtractor
from kg.cli import _terminated
from kg.steps import extract_pool
from kg.steps.pending import pending
from kg.steps.recipe import Recipe
from kg.workspace import Workspace

if __name__ == "__main__":
    signal.signal(signal.SIGTERM, _terminated)
    workspace = Workspace(Path(sys.argv[1]))
    extract_pool.SHORT = 0
    recipe = Recipe(workspace.schema, (RuleExtractor(),))
    with extract_pool.worker_pool(workspace, recipe, 1) as submit:
        for _ in submit(list(pending(workspace, workspace.documents(), recipe)) * 300):
            print("one is done", flush=True)
            time.sleep(0.2)
"""


def test_table_of_commands_is_that_of_the_modules() -> None:
    group = typer.main.get_command(app)
    assert isinstance(group, typer.core.TyperGroup)
    context = typer.Context(group)
    for listed in COMMANDS:
        command = group.get_command(context, listed.name)
        assert command is not None, listed.name
        said = " ".join((command.help or "").split("\n\n")[0].split())
        assert (said, command.name) == (listed.help, listed.name)
        assert listed.whole or command.rich_help_panel == listed.panel
    modules = {c.module for c in COMMANDS if not c.whole}
    for module in modules:
        part = __import__(f"kg.commands.{module}", fromlist=["app"]).app
        names = set(typer.main.get_group(part).commands)
        assert names == {c.name for c in COMMANDS if c.module == module and not c.whole}


@pytest.mark.parametrize("asked", [["--version"], ["--help"]])
def test_version_and_help_load_no_library(asked: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-c", LISTED, *asked], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (done.stdout.strip(), done.stderr) == ("[]", "")


def test_extracting_does_not_load_the_driver_of_the_database() -> None:
    code = "import sys, kg.commands.build; print('neo4j' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_what_reads_questions_is_loaded_for_a_question() -> None:
    code = "import sys, kg.commands.build, kg.commands.ask, kg.commands.server; print(*sorted(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    loaded = {name for name in done.stdout.split() if name.split(".")[0] == "cypher"}
    assert loaded == {"cypher", "cypher.generation", "cypher.generation.settings"}


def test_an_item_that_takes_long_shows_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "LINE_SECONDS", 0.01)
    written = io.StringIO()
    shown = ConsoleProgress(Console(file=written))
    ends = time.monotonic() + 60
    with shown.task("extracting", total=1, unit="documents") as task:
        while "after" not in written.getvalue() and time.monotonic() < ends:
            time.sleep(0.01)
        task.advance()
    lines = written.getvalue().splitlines()
    assert lines[0].startswith("extracting: 0 of 1 document after")
    assert lines[-1].startswith("extracting: 1 document in")


def _workspace(folder: Path) -> Workspace:
    notes = folder / "notes"
    notes.mkdir()
    for number in range(3):
        text = f"# Note {number}\n\nThe mass of the B_s0 meson is 5366.{number} ± 0.2 MeV.\n"
        (notes / f"n{number}.md").write_text(text, encoding="utf-8")
    made = Workspace.create(folder / "ws", schema="particle_physics")
    with open_platform(made, SilentProgress()) as platform:
        add(platform, [str(notes)])
    return made


def test_few_short_documents_need_no_worker_processes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> object:
        raise AssertionError("worker processes were started")

    monkeypatch.setattr(extract_pool, "_processes", refuse)
    workspace = _workspace(tmp_path)
    recipe = Recipe(workspace.schema, (RuleExtractor(),))
    work = list(pending(workspace, workspace.documents(), recipe))
    with worker_pool(workspace, recipe, 1) as submit:
        results = list(submit(work))
    assert [stored for stored, _ in results] == [w.stored for w in work if isinstance(w, Work)]
    assert len(results) == 3


@pytest.mark.timeout(120)
def test_sigterm_ends_workers_and_leaks_nothing(tmp_path: Path) -> None:
    workspace = _workspace(tmp_path)
    driver = tmp_path / "driver.py"
    driver.write_text(TERMINATED)
    with subprocess.Popen(
        [sys.executable, str(driver), str(workspace.root)],
        cwd=ROOT,
        env={"PYTHONPATH": str(ROOT), "PATH": ""},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as running:
        assert running.stdout is not None
        assert running.stdout.readline().strip() == "one is done"
        running.send_signal(signal.SIGTERM)
        _, errors = running.communicate(timeout=60)
    assert running.returncode == EXIT_TERMINATED
    assert errors == ""
