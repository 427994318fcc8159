"""Adding files of all kinds to a workspace."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from reportlab.pdfgen.canvas import Canvas

from kg.ledger import Ledger
from kg.progress import SilentProgress
from kg.steps.add import add_paths
from kg.steps.context import StepContext
from kg.workspace import Workspace


@pytest.fixture
def context(tmp_path: Path) -> Iterator[StepContext]:
    workspace = Workspace.create(tmp_path / "w", schema="logbook")
    with Ledger(workspace.root / "ledger.db") as ledger:
        yield StepContext(workspace, ledger, SilentProgress())


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "in"
    path.mkdir()
    return path


def test_the_same_document_under_two_names_is_one(context: StepContext, folder: Path) -> None:
    entry = json.dumps({"id": "1", "text": "Pump tripped."})
    for name in ("shift.jsonl", "deep/shift.jsonl"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(entry)
    report = add_paths(context, [folder])
    assert report.failures == ()
    (stored,) = context.workspace.documents()
    document = context.workspace.read_document(stored)
    (second,) = document.other_keys
    said = f"{folder / second}: the same text as {document.key}; {second} is kept as another key of it"
    assert report.notes == (said,)
    assert sorted([document.key, *document.other_keys]) == ["deep/shift.jsonl", "shift.jsonl"]
    assert add_paths(context, [folder]).changed == 0


def test_a_file_name_that_is_no_text_is_told_and_the_others_are_added(
    context: StepContext, folder: Path
) -> None:
    (folder / "good.md").write_text("# Pump\n\nIt tripped.")
    try:
        (folder / os.fsdecode(b"p\xffmp.md")).write_text("# Pump\n\nIt runs.")
    except OSError:
        pytest.skip("this file system has names of UTF-8 only")
    report = add_paths(context, [folder])
    [failure] = report.failures
    assert (report.changed, failure.item) == (1, f"{folder}/p\\xffmp.md")
    assert "expected a file name in UTF-8" in failure.reason


def test_what_was_not_read_of_a_document_is_noted(context: StepContext, folder: Path) -> None:
    canvas = Canvas(str(folder / "scan.pdf"), invariant=1)
    canvas.drawString(72, 700, "The only page with text.")
    canvas.showPage()
    canvas.rect(72, 72, 300, 300, fill=1)
    canvas.save()
    report = add_paths(context, [folder])
    assert report.notes == (f"{folder / 'scan.pdf'}: no text layer on 1 of 2 pages, which are not read: 2",)
    (stored,) = context.workspace.documents()
    place = context.workspace.read_document(stored).source_map.locate(0)
    assert place.page == 1
    assert place.box is not None


def test_the_largest_file_is_a_setting(context: StepContext, folder: Path) -> None:
    toml = context.workspace.root / "kg.toml"
    text = toml.read_text(encoding="utf-8")
    assert "[extraction]\n" in text
    toml.write_text(text.replace("[extraction]\n", "[extraction]\nmax_file_mb = 1\n"), encoding="utf-8")
    (folder / "large.txt").write_text("word " * 300_000)
    (folder / "small.txt").write_text("word")
    report = add_paths(context, [folder])
    assert report.changed == 1
    (failure,) = report.failures
    assert "at most 1 MB" in failure.reason
