"""Progress: a bar on a terminal, plain lines elsewhere, silence when asked."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from threading import Event, Lock, Thread
from typing import Final

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    SpinnerColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from kg.nouns import singular
from schemas.ports import ProgressTask

LINE_SECONDS: Final = 5.0
"""On a pipe, one line at most this often."""


class SilentProgress:
    """Shows nothing."""

    @contextmanager
    def task(self, label: str, *, total: int | None = None, unit: str = "") -> Iterator[ProgressTask]:  # noqa: ARG002
        yield _Silent()


class _Silent:
    def advance(self, count: int = 1, *, note: str = "") -> None:
        """Nothing to show."""


class ConsoleProgress:
    """A bar when ``console`` is a terminal, else a line every few seconds, while one item is worked on too,
    and one at the end."""

    def __init__(self, console: Console) -> None:
        self._console = console

    def task(
        self, label: str, *, total: int | None = None, unit: str = ""
    ) -> AbstractContextManager[ProgressTask]:
        return self._bar(label, total) if self._console.is_terminal else self._lines(label, total, unit)

    @contextmanager
    def _bar(self, label: str, total: int | None) -> Iterator[ProgressTask]:
        columns = (
            SpinnerColumn(),
            TextColumn("{task.description:<24}", markup=False),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
            TextColumn("{task.fields[note]}", markup=False),
        )
        with Progress(*columns, console=self._console, transient=False) as bars:
            yield _Bar(bars, bars.add_task(label, total=total, note=""))

    @contextmanager
    def _lines(self, label: str, total: int | None, unit: str) -> Iterator[ProgressTask]:
        lines = _Lines(self._console, label, total, unit)
        with lines.beating():
            yield lines
        lines.close()


class _Bar:
    def __init__(self, bars: Progress, task: object) -> None:
        self._bars, self._task = bars, task

    def advance(self, count: int = 1, *, note: str = "") -> None:
        self._bars.update(self._task, advance=count, note=note)  # type: ignore[arg-type]


class _Lines:
    def __init__(self, console: Console, label: str, total: int | None, unit: str) -> None:
        self._console, self._label, self._total, self._unit = console, label, total, unit
        self._done, self._began, self._shown = 0, time.monotonic(), time.monotonic()

        self._lock = Lock()

    @contextmanager
    def beating(self) -> Iterator[None]:
        """A line also while nothing advances."""
        done = Event()
        thread = Thread(target=self._beat, args=(done,), daemon=True)
        thread.start()
        try:
            yield
        finally:
            done.set()
            thread.join()

    def _beat(self, done: Event) -> None:
        while not done.wait(LINE_SECONDS):
            self.advance(0, note=f"after {time.monotonic() - self._began:.0f} s")

    def advance(self, count: int = 1, *, note: str = "") -> None:
        with self._lock:
            self._done += count
            now = time.monotonic()
            if now - self._shown < LINE_SECONDS:
                return
            self._shown = now
            of = f" of {self._total}" if self._total else ""
            noun = self._noun(self._total or self._done)
            self._say(f"{self._label}: {self._done}{of} {noun} {note}".rstrip())

    def close(self) -> None:
        seconds = time.monotonic() - self._began
        self._say(
            f"{self._label}: {self._done} {self._noun(self._done)} in {seconds:.1f} s".replace("  ", " ")
        )

    def _noun(self, number: int) -> str:
        return singular(self._unit) if number == 1 else self._unit

    def _say(self, line: str) -> None:
        self._console.print(line, markup=False, emoji=False, highlight=False)
