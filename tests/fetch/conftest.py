"""A workspace whose archives are a scripted server, and a clock that does not wait."""

from __future__ import annotations

import gzip
import io
import tarfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from kg.adapters.polite_http import Timing
from kg.adapters.scripted_paper_server import Script, ScriptedPaperServer, ServedPaper
from kg.build import add
from kg.progress import SilentProgress
from kg.settings import read_environment
from kg.steps.context import StepReport
from kg.wiring import open_platform
from kg.workspace import Workspace
from schemas.documents import Document


@dataclass(slots=True)
class FakeTime:
    """Time passes only by waiting."""

    waits: list[float] = field(default_factory=list)

    @property
    def timing(self) -> Timing:
        return Timing(clock=lambda: sum(self.waits), sleep=self.waits.append)


@dataclass(slots=True)
class Bench:
    """One workspace and what its archives were asked."""

    root: Path
    server: ScriptedPaperServer
    time: FakeTime

    def add(self, *sources: str, limit: int = 100) -> StepReport:
        workspace = Workspace(self.root)
        with open_platform(workspace, SilentProgress(), environment=read_environment({})) as platform:
            platform.timing = self.time.timing
            return add(platform, sources, limit=limit)[-1]

    def documents(self) -> dict[str, Document]:
        workspace = Workspace(self.root)
        found = [workspace.read_document(s) for s in workspace.documents()]
        return {str(d.key): d for d in found}

    def failures(self) -> list[tuple[str, str]]:
        with open_platform(Workspace(self.root), SilentProgress()) as platform:
            return [(item, reason) for _, item, reason in platform.ledger.failures()]

    def folders(self) -> list[str]:
        return sorted(p.name for p in (self.root / "fetched").glob("*"))


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Callable[..., Bench]]:
    """Makes a :class:`Bench` whose server has ``papers``; further text goes to ``[fetch]``."""
    with ExitStack() as stack:

        def make(
            papers: Sequence[ServedPaper], script: Script = lambda _r, _n: None, settings: str = ""
        ) -> Bench:
            server = stack.enter_context(ScriptedPaperServer(papers, script))
            root = tmp_path / "w"
            Workspace.create(root, schema="particle_physics")
            toml = root / "kg.toml"
            toml.write_text(toml.read_text() + "\n" + server.settings + settings)
            return Bench(root, server, FakeTime())

        yield make


def latex(title: str = "A measurement", text: str = "We measure the mass of the meson.") -> bytes:
    """A whole small paper."""
    return (
        "\\documentclass{article}\n\\title{" + title + "}\n\\begin{document}\n\\maketitle\n"
        "\\section{Introduction}\n" + text + "\n\\end{document}\n"
    ).encode()


def archive(files: dict[str, bytes]) -> bytes:
    """A gzipped tar archive, the same bytes each time."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as tar:
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            tar.addfile(member, io.BytesIO(content))
    return gzip.compress(buffer.getvalue(), mtime=0)


@pytest.fixture
def make_latex() -> Callable[..., bytes]:
    return latex


@pytest.fixture
def make_archive() -> Callable[[dict[str, bytes]], bytes]:
    return archive
