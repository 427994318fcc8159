"""What every benchmark shares: figures with a floor, a goal and an anchor, written as JSON."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pydantic import BaseModel, Field

ROOT = Path(__file__).resolve().parent.parent
OUT = ROOT / "build" / "bench"
DATA = ROOT.parent / "shared" / "data"
"""Corpora and benchmark sets beside the checkout; they are measured on and never copied."""


class Figure(BaseModel):
    """One measured value, with what it is to be read beside."""

    figure: str
    value: float
    unit: str
    goal: str = ""
    """What the project wants, for example ``<= 600``."""
    floor: str = ""
    """The simplest honest method or the limit of the machine, measured in the same run."""
    anchor: str = ""
    """A published or peer figure, with its source."""
    note: str = ""

    @property
    def met(self) -> str:
        """``yes``, ``no``, or empty without a numeric goal."""
        sign, _, number = self.goal.partition(" ")
        if sign not in {"<=", ">=", "="} or not number:
            return ""
        wanted = float(number.replace(",", ""))
        ok = {"<=": self.value <= wanted, ">=": self.value >= wanted, "=": self.value == wanted}[sign]
        return "yes" if ok else "no"


class Result(BaseModel):
    """One run of one benchmark."""

    name: str
    figures: list[Figure]
    command: str
    commit: str
    seconds: float
    machine: str
    notes: list[str] = Field(default_factory=list)


class Recorder:
    """Collects figures while a benchmark runs."""

    def __init__(self) -> None:
        self.figures: list[Figure] = []
        self.notes: list[str] = []

    def add(self, figure: str, value: float, unit: str, **beside: str) -> None:
        self.figures.append(Figure(figure=figure, value=round(value, 4), unit=unit, **beside))
        sys.stderr.write(f"{figure} = {value:.4g} {unit}\n")


@contextmanager
def benchmark(name: str, command: str = "") -> Iterator[Recorder]:
    """Write ``build/bench/NAME.json`` when the block ends without an error.

    ``command`` is the module with its arguments, where that is not the name.
    """
    recorder, began = Recorder(), time.perf_counter()
    yield recorder
    result = Result(
        name=name,
        figures=recorder.figures,
        command=f".venv/bin/python -m benchmarks.{command or name}",
        commit=_commit(),
        seconds=round(time.perf_counter() - began, 1),
        machine=machine(),
        notes=recorder.notes,
    )
    OUT.mkdir(parents=True, exist_ok=True)
    (OUT / f"{name}.json").write_text(
        json.dumps(result.model_dump(), indent=2, ensure_ascii=False) + "\n", encoding="utf-8"
    )


def machine() -> str:
    """Cores, memory, Python: enough to read a figure by."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return (
        f"{os.cpu_count()} cores, {memory:.0f} GiB, {platform.machine()}, Python {platform.python_version()}"
    )


def _commit() -> str:
    done = subprocess.run(
        ["git", "describe", "--always", "--dirty"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    return done.stdout.strip() or "unknown"


@contextmanager
def stopwatch() -> Iterator[list[float]]:
    """``with stopwatch() as t: ...`` then ``t[0]`` is the seconds."""
    spent: list[float] = []
    began = time.perf_counter()
    yield spent
    spent.append(time.perf_counter() - began)
