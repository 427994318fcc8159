"""Resolving what changed: the same entities as in full, the same log, and nothing lost to a crash."""

from __future__ import annotations

import pkgutil
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kg.review_log import ReviewLog
from kg.workspace import Workspace

ROOT = Path(__file__).resolve().parents[2]
ALWAYS = "\n[canonicalize]\nfull_below = 0\nfull_share = 1.0\n"
ONE, OTHER = "momentum scale", "trigger efficiency"
NOTES = {
    "third": "# Branching fraction\n\nA systematic uncertainty is due to the trigger efficiency.\n",
    "fourth": "# Width\n\nThe dominant systematic uncertainty is due to the momentum scale calibration.\n",
}
KILLER = """
import os, pkgutil, signal, sys
from kg.cli import main

place, _, name = sys.argv[2].rpartition(".")
owner, original = pkgutil.resolve_name(place), pkgutil.resolve_name(sys.argv[2])

def killing(*arguments, **named):
    original(*arguments, **named)
    os.kill(os.getpid(), signal.SIGKILL)

setattr(owner, name, killing)
sys.argv = ["kg", "resolve", "-w", sys.argv[1]]
main()
"""
POINTS = (
    "kg.steps.resolve.update",  # resolved in memory, nothing written
    "kg.review_log.ReviewLog._insert",  # in the transaction, which is taken back
    "kg.steps.resolve.update_report",
    "canonicalize.state_files.write_change",  # the change is written, its events are not in the log
    "kg.review_log.ReviewLog.record_resolution",
)


class Stopped(BaseException):
    """The run ends here; nothing between here and the command catches it."""


@pytest.fixture
def resolved(kg: Any, workspace: Path, corpus: Path) -> Path:
    """A workspace with three notes, resolved, that goes on from its state always."""
    with (workspace / "kg.toml").open("a", encoding="utf-8") as settings:
        settings.write(ALWAYS)
    for name, text in NOTES.items():
        (corpus / f"{name}.md").write_text(text, encoding="utf-8")
    notes = [corpus / f"{name}.md" for name in ("first", "second", "third")]
    assert kg("add", *notes, "-w", workspace).code == 0
    assert kg("extract", "-w", workspace).code == 0
    assert "all were resolved: there is no saved state" in kg("resolve", "-w", workspace).text
    return workspace


def add(kg: Any, workspace: Path, *paths: Path) -> None:
    assert kg("add", *paths, "-w", workspace).code == 0
    assert kg("extract", "-w", workspace).code == 0


def home(workspace: Path) -> dict[str, str]:
    """Every record and its entity, as the log has it."""
    records = [r.id for g in Workspace(workspace).graphs() for r in g.records]
    with ReviewLog.open(workspace / "log.db") as log:
        log.verify()
        known = log.prior_ids().entity_of
    return {r: known.get(r, r) for r in records}


def named(workspace: Path, name: str) -> list[str]:
    return sorted(r.id for g in Workspace(workspace).graphs() for r in g.records if r.name == name)


def agrees(kg: Any, workspace: Path) -> bool:
    """Whether a full resolution in another workspace state would change nothing."""
    checked = kg("resolve", "--check", "--json", "-w", workspace)
    assert checked.code == 0, checked.text
    return bool(checked.data["f1"] == 1.0)


def test_a_new_document_is_resolved_with_what_it_touches(kg: Any, resolved: Path, corpus: Path) -> None:
    before = home(resolved)
    assert "no record changed" in kg("resolve", "-w", resolved).text
    add(kg, resolved, corpus / "fourth.md")
    said = kg("resolve", "-w", resolved)
    assert said.text.startswith("resolve: 1 changed")
    assert "1 document changed: " in said.text
    now = home(resolved)
    assert {record: now[record] for record in before} == before
    assert len({now[record] for record in named(resolved, ONE)}) == 1
    assert len(named(resolved, ONE)) == 3
    assert agrees(kg, resolved)
    assert "resolve: 0 changed" in kg("resolve", "--full", "-w", resolved).text
    assert "F1 1.0000" in kg("resolve", "--check", "-w", resolved).text


def test_a_document_that_goes_and_comes_back_has_the_same_entities(
    kg: Any, resolved: Path, corpus: Path
) -> None:
    before = home(resolved)
    key = next(s for s in Workspace(resolved).documents() if "second" in s.slug)
    document = Workspace(resolved).read_document(key).key
    assert kg("remove", document, "-w", resolved).code == 0
    assert "1 document changed" in kg("resolve", "-w", resolved).text
    assert agrees(kg, resolved)
    add(kg, resolved, corpus / "second.md")
    assert "1 document changed" in kg("resolve", "-w", resolved).text
    assert home(resolved) == before


def test_decisions_hold_and_an_undone_merge_means_in_full(kg: Any, resolved: Path) -> None:
    decided = kg("same", ONE, OTHER, "-w", resolved)
    event = int(decided.text.split("event ")[1].split(":")[0])
    assert "0 documents changed" in kg("resolve", "-w", resolved).text
    homes = home(resolved)
    assert len({homes[r] for r in (*named(resolved, ONE), *named(resolved, OTHER))}) == 1
    merge = max(
        kg("why", named(resolved, ONE)[0], named(resolved, OTHER)[0], "-w", resolved, "--json").data["events"]
    )
    assert kg("undo", event, "-w", resolved).code == 0
    assert kg("undo", merge, "-w", resolved).code == 0
    assert "entities were changed or undone" in kg("resolve", "-w", resolved).text
    homes = home(resolved)
    assert homes[named(resolved, ONE)[0]] != homes[named(resolved, OTHER)[0]]
    assert agrees(kg, resolved)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ("damage", "missing or changed"),
        ("header", "expected a resolution state"),
        ("judge", "the rules, the judge or the model changed"),
        ("share", "records changed since all were resolved"),
        ("log", "expected event"),
    ],
)
def test_what_cannot_be_gone_on_from_is_resolved_in_full(
    kg: Any, resolved: Path, corpus: Path, change: str, reason: str
) -> None:
    settings = resolved / "kg.toml"
    text = settings.read_text("utf-8")
    if change == "damage":
        path = next((resolved / "resolution").glob("*/records.json"))
        path.write_bytes(path.read_bytes().replace(b"a", b"b", 1))
    elif change == "header":
        (resolved / "resolution" / "state.json").write_bytes(b"{")
    elif change == "judge":
        settings.write_text(text.replace("full_below", 'judge = "pairs"\nfull_below'), encoding="utf-8")
    elif change == "share":
        settings.write_text(text.replace("full_share = 1.0", "full_share = 0.01"), encoding="utf-8")
        add(kg, resolved, corpus / "fourth.md")
    else:
        for path in resolved.glob("log.db*"):
            path.unlink()
    said = kg("resolve", "-w", resolved)
    assert said.code == 0
    assert "all were resolved: " in said.text
    assert reason in said.text
    assert "no record changed" in kg("resolve", "-w", resolved).text


@pytest.fixture
def changed(kg: Any, resolved: Path, corpus: Path) -> Path:
    """The resolved workspace with a fourth note that is extracted and not resolved."""
    add(kg, resolved, corpus / "fourth.md")
    return resolved


@pytest.mark.parametrize(
    "point", ["kg.review_log.ReviewLog._insert", "canonicalize.state_files.write_change"]
)
def test_a_killed_transaction_leaves_log_and_state_as_they_were(kg: Any, changed: Path, point: str) -> None:
    before = home(changed)
    command = [sys.executable, "-c", KILLER, str(changed), point]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == -signal.SIGKILL, (done.stdout, done.stderr)
    assert home(changed) == before
    assert "1 document changed" in kg("resolve", "-w", changed).text
    assert agrees(kg, changed)
    assert "no record changed" in kg("resolve", "-w", changed).text


def test_stopped_anywhere_the_next_run_ends_with_the_same_entities(
    kg: Any, changed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copies = [shutil.copytree(changed, tmp_path / f"stopped{n}") for n in range(len(POINTS))]
    assert "1 document changed" in kg("resolve", "-w", changed).text
    wanted = home(changed)
    for point, copy in zip(POINTS, copies, strict=True):
        with monkeypatch.context() as patch:
            patch.setattr(point, stopping_after(pkgutil.resolve_name(point)))
            with pytest.raises(Stopped):
                kg("resolve", "-w", copy)
        assert kg("resolve", "-w", copy).code == 0
        assert home(copy) == wanted, point
        assert "no record changed" in kg("resolve", "-w", copy).text


def stopping_after(original: Callable[..., Any]) -> Callable[..., Any]:
    """The function, after which the run ends."""

    def stopped(*arguments: Any, **named: Any) -> Any:
        original(*arguments, **named)
        raise Stopped

    return stopped


def test_an_undone_decision_gives_the_former_ids_without_a_full_resolution(kg: Any, resolved: Path) -> None:
    workspace = Workspace(resolved)

    def in_force() -> tuple[dict[str, str], dict[str, str]]:
        with ReviewLog.open(workspace.log_path) as log:
            prior = log.prior_ids()
            return dict(prior.entity_of), dict(prior.redirects)

    before = in_force()
    said = kg("same", ONE, OTHER, "-w", resolved).text
    assert "were resolved again" in kg("resolve", "-w", resolved).text
    assert in_force() != before
    assert kg("undo", int(said.split("event ")[1].split(":")[0]), "-w", resolved).code == 0
    assert "were resolved again" in kg("resolve", "-w", resolved).text
    assert in_force() == before
