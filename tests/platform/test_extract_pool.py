"""Threads that wait for a model while processes compute: the same graphs as one by one."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import pytest

from extraction.rules import RuleExtractor
from kg.build import add
from kg.progress import SilentProgress
from kg.steps import extract_pool
from kg.steps.extract_pool import worker_pool
from kg.steps.pending import Work, pending
from kg.steps.recipe import Recipe
from kg.wiring import open_platform
from kg.workspace import Workspace
from schemas.documents import Document
from schemas.errors import ChatError, ServiceError, SettingsError, WorkspaceError
from schemas.graph_schema import GraphSchema
from schemas.graphs import DocumentGraph, DraftRecord, Evidence, Extraction

NOTE = """# Lifetime number {number}

Abstract: the mean life of the B_s0 meson is measured to be 1.5{number} ± 0.02 ps in Run 1 data.
"""


class Waiting:
    """Finds one source by what only this process knows, and fails for one document."""

    name = "waiting/1"

    def __init__(self) -> None:
        self.lock = threading.Lock()  # no process can be given it
        self.asked = 0

    def extract(self, document: Document, schema: GraphSchema) -> Extraction:
        """One record, quoted from the title."""
        with self.lock:
            self.asked += 1
        if "number 7" in document.text:
            raise ChatError(f"no reply about {document.key} of {schema.name}")
        start = document.text.index("Lifetime")
        quote = Evidence(start=start, end=start + 8, quote="Lifetime")
        record = DraftRecord(ref="s", type="uncertainty_source", name="lifetime scale", evidence=(quote,))
        return Extraction(extractor=self.name, records=(record,))


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    """Five notes."""
    notes = tmp_path / "notes"
    notes.mkdir()
    for number in range(5, 10):
        (notes / f"n{number}.md").write_text(NOTE.format(number=number), encoding="utf-8")
    made = Workspace.create(tmp_path / "ws", schema="particle_physics")
    with open_platform(made, SilentProgress()) as platform:
        add(platform, [str(notes)])
    return made


def test_without_any_extractor_nothing_is_extracted(workspace: Workspace) -> None:
    """Else a mistake in kg.toml would replace every graph by an empty one."""
    found = list(pending(workspace, workspace.documents(), Recipe(workspace.schema, ())))
    assert len(found) == 5
    for item in found:
        assert not isinstance(item, Work)
        assert isinstance(item[1], SettingsError)


def test_processes_compute_what_threads_wait_for(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(extract_pool, "ALONE", 1)
    waiting = Waiting()
    recipe = Recipe(workspace.schema, (RuleExtractor(), waiting))
    work = [w for w in pending(workspace, workspace.documents(), recipe) if isinstance(w, Work)]
    alone = [recipe.extract(w.document) for w in work]
    monkeypatch.delattr(RuleExtractor, "extract")  # here: the worker has its own
    with worker_pool(workspace, recipe, 3) as submit:
        results = [graph for _, graph in submit(work)]
    assert waiting.asked == 2 * len(work)
    assert [isinstance(r, ChatError) for r in results] == [False, False, True, False, False]
    assert [r for r in results if isinstance(r, DocumentGraph)] == [
        g for g in alone if isinstance(g, DocumentGraph)
    ]
    for graph in results:
        if isinstance(graph, DocumentGraph):
            assert {"observable", "uncertainty_source"} <= {r.type for r in graph.records}


def test_a_model_is_asked_on_while_no_worker_has_answered_yet(workspace: Workspace) -> None:
    waiting, stuck = Waiting(), Future[extract_pool.Outcome]()
    recipe = Recipe(workspace.schema, (RuleExtractor(), waiting))
    work = [w for w in pending(workspace, workspace.documents(), recipe) if isinstance(w, Work)]
    relay = extract_pool._Relay(recipe, lambda *_: stuck)
    items = relay.decided(work, None)
    with ThreadPoolExecutor(1) as threads:
        results = extract_pool._ordered(items, lambda w: threads.submit(relay, w), ahead=8)
        threads.submit(stuck.set_exception, WorkspaceError("the worker came too late"))
        with pytest.raises(WorkspaceError):
            list(results)
        threads.submit(int).result()
    assert waiting.asked == len(work)


def test_more_text_than_is_held_waits(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    recipe = Recipe(workspace.schema, (Waiting(),))
    [first, *_] = [w for w in pending(workspace, workspace.documents(), recipe) if isinstance(w, Work)]
    handed: list[int] = []

    def items() -> Iterator[Work]:
        for number in range(8):
            handed.append(number)
            yield first

    monkeypatch.setattr(extract_pool, "AHEAD", 2)
    monkeypatch.setattr(extract_pool, "HELD", 1)
    with ThreadPoolExecutor(1) as threads:
        results = extract_pool._ordered(
            items(), lambda work: threads.submit(recipe.extract, work.document), ahead=100
        )
        next(results)
        assert len(handed) == 2
        assert len(list(results)) == 7


def test_results_of_threads_are_in_order(workspace: Workspace) -> None:
    waiting = Waiting()
    recipe = Recipe(workspace.schema, (RuleExtractor(), waiting))
    work = [w for w in pending(workspace, workspace.documents(), recipe) if isinstance(w, Work)]
    with worker_pool(workspace, recipe, 3) as submit:
        results = list(submit(work * 3))
    assert [stored for stored, _ in results] == [w.stored for w in work] * 3
    assert waiting.asked == 3 * len(work)
    assert sum(isinstance(r, ChatError) for _, r in results) == 3


def test_a_worker_imports_neither_the_workspace_nor_its_settings() -> None:
    heavy = ("kg.workspace", "kg.settings", "openai")
    command = f"import sys, kg.steps.extract_worker; print([m for m in {heavy} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", command], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_worker_that_the_system_ends_is_told(workspace: Workspace) -> None:
    recipe = Recipe(workspace.schema, (RuleExtractor(),))
    with (
        pytest.raises(ServiceError, match=r"ended from outside.*extraction\.workers"),
        extract_pool._processes(recipe, 1) as pool,
    ):
        pool.submit(os._exit, 1).result()
