"""The ledger keeps runs, failures and questions."""

import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from kg.ledger import Ledger
from schemas.errors import LedgerBusyError


@pytest.fixture
def ledger(tmp_path: Path):  # type: ignore[no-untyped-def]
    with Ledger(tmp_path / "ledger.db") as opened:
        yield opened


def test_a_run_is_recorded_with_its_counts(ledger: Ledger) -> None:
    with ledger.run("extract") as run:
        run.count("records", 3)
        run.count("records")
        run.prompt_tokens = 7
    row = ledger.runs()[0]
    assert (row.step, row.state, row.counts, row.prompt_tokens) == ("extract", "done", {"records": 4}, 7)
    assert row.seconds is not None
    assert row.seconds >= 0


def test_an_error_is_recorded_and_goes_on(ledger: Ledger) -> None:
    with pytest.raises(ValueError, match="broken"), ledger.run("load"):
        raise ValueError("broken")
    assert ledger.runs()[0].state == "failed"
    assert "broken" in ledger.runs()[0].detail


def test_a_killed_run_is_marked_by_the_next_one_of_its_step(tmp_path: Path) -> None:
    path = tmp_path / "ledger.db"
    code = "import os, sys; from pathlib import Path; from kg.ledger import Ledger\n"
    code += "with Ledger(Path(sys.argv[1])).run('load'): os._exit(9)"
    assert subprocess.run([sys.executable, "-c", code, str(path)], check=False).returncode == 9
    with Ledger(path) as second:
        with second.run("load"):
            pass
        assert [r.state for r in second.runs()] == ["done", "interrupted"]


def test_a_failure_stays_until_the_item_succeeds(ledger: Ledger) -> None:
    ledger.fail("add", "a.tex", "first")
    ledger.fail("add", "a.tex", "second")
    assert ledger.failures() == (("add", "a.tex", "second"),)
    ledger.clear_failure("add", "a.tex")
    assert ledger.failures() == ()


def test_a_locked_ledger_is_told_from_a_broken_one(ledger: Ledger, tmp_path: Path) -> None:
    ledger.execute("PRAGMA busy_timeout = 0")
    with closing(sqlite3.connect(tmp_path / "ledger.db", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(LedgerBusyError, match="locked by another process; try again"):
            ledger.fail("add", "a.tex", "first")
        other.execute("ROLLBACK")
    ledger.fail("add", "a.tex", "second")
    assert ledger.failures() == (("add", "a.tex", "second"),)
