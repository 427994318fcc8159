"""The command line in this process."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass

import pytest

from kg.cli import main


@dataclass(frozen=True, slots=True)
class Result:
    code: int
    out: str
    err: str


@pytest.fixture
def kg_in(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., Result]:
    """Runs ``kg`` with these arguments."""

    def run(*arguments: object) -> Result:
        monkeypatch.setattr(sys, "argv", ["kg", *map(str, arguments)])
        monkeypatch.setenv("COLUMNS", "200")
        capsys.readouterr()
        try:
            main()
            code = 0
        except SystemExit as e:
            code = e.code if isinstance(e.code, int) else int(e.code is not None)
        captured = capsys.readouterr()
        return Result(code, captured.out, captured.err)

    return run
