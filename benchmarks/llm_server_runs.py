"""Workspaces and runs of ``llm_server``."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks.llm_server_model import document
from kg.build import add, extract
from kg.ledger import RunRow
from kg.progress import SilentProgress
from kg.steps.context import StepReport
from kg.wiring import Platform, open_platform
from kg.workspace import Workspace

_SETTINGS = """schema = "particle_physics"
[extraction]
rules = true
llm = true
[chat]
base_url = "{url}"
model = "scripted"
concurrency = {concurrency}
price_prompt = 2.0
price_completion = 10.0
"""


@contextmanager
def workspace(folder: Path, numbers: range, url: str, *, concurrency: int) -> Iterator[Platform]:
    """A workspace that holds the documents of these numbers."""
    root = folder / "ws"
    Workspace.create(root, schema="particle_physics")
    (root / "kg.toml").write_text(_SETTINGS.format(url=url, concurrency=concurrency), encoding="utf-8")
    with open_platform(Workspace(root), SilentProgress()) as platform:
        add_more(platform, folder / "papers", numbers)
        yield platform


def run(platform: Platform) -> tuple[StepReport, RunRow, float]:
    """Extract; the report, the ledger's row and the seconds."""
    began = time.perf_counter()
    report = extract(platform)
    seconds = time.perf_counter() - began
    return report, next(r for r in platform.ledger.runs() if r.step == "extract"), seconds


def add_more(platform: Platform, folder: Path, numbers: range) -> None:
    """Add the documents of these numbers."""
    folder.mkdir(parents=True)
    for number in numbers:
        (folder / f"p{number:04}.md").write_text(document(number), encoding="utf-8")
    add(platform, [str(folder)])
