"""The ledger keeps runs, failures and questions."""

import sqlite3
import stat
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from kg.ledger import Ledger
from kg.question_log import QuestionLog
from kg.question_rows import Verdict
from kg.review_log import ReviewLog
from kg.store_address import spell_alike
from schemas.errors import LedgerBusyError, WorkspaceError
from schemas.questions import Answer, Outcome, Question


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


def takes_no_writes(path: Path, beside: str = "wal") -> None:
    """What a full or read-only disk does to a database: a file beside it cannot be made."""
    path.with_name(f"{path.name}-{beside}").mkdir()


ASKED = Question(text="Which papers?")
UNANSWERED = Answer(outcome=Outcome.UNANSWERABLE, question=ASKED.text, text="It knows none.")


@pytest.mark.parametrize("beside", ["wal", "shm"])
def test_a_ledger_that_takes_no_writes_is_read(tmp_path: Path, beside: str) -> None:
    path = tmp_path / "ledger.db"
    with Ledger(path) as ledger:
        with ledger.run("load"):
            pass
        ledger.fail("add", "a.tex", "why")
        QuestionLog(ledger).add(ASKED, UNANSWERED)
    kept = path.read_bytes()
    takes_no_writes(path, beside)
    with Ledger(path) as ledger:
        assert [r.step for r in ledger.runs()] == ["load"]
        assert ledger.failures() == (("add", "a.tex", "why"),)
        log = QuestionLog(ledger)
        assert [q.question for q in log.rows()] == [ASKED.text]
        writes: tuple[Callable[[], object], ...] = (
            lambda: log.add(ASKED, UNANSWERED),
            lambda: log.mark(1, Verdict.WRONG),
            lambda: ledger.clear_failure("add", "a.tex"),
            lambda: ledger.run("load").__enter__(),
        )
        for write in writes:
            with pytest.raises(WorkspaceError, match=r"free space.*keep the file.*corrections") as refused:
                write()
            assert "remove" not in str(refused.value)
        assert log.get(1).verdict is None
    assert path.read_bytes() == kept


@pytest.mark.parametrize("beside", ["wal", "shm"])
def test_a_ledger_without_its_latest_columns_that_takes_no_writes_is_read(
    tmp_path: Path, beside: str
) -> None:
    path = tmp_path / "ledger.db"
    with Ledger(path) as ledger:
        ledger.fail("add", "a.tex", "why")
    takes_no_writes(path, beside)
    with Ledger(path) as ledger:
        log = QuestionLog(ledger)
        assert (log.rows(), ledger.failures()) == ((), (("add", "a.tex", "why"),))
        with pytest.raises(WorkspaceError, match="free space"):
            log.add(ASKED, UNANSWERED)


def with_old_rows(path: Path) -> None:
    """A ledger with a correction from before it was kept who gave it, and a store spelled as it was given."""
    answer = UNANSWERED.model_copy(update={"outcome": Outcome.ANSWERED, "rows": ((1,),), "columns": ("n",)})
    with Ledger(path) as ledger:
        log = QuestionLog(ledger)
        log.correct(log.add(ASKED, answer), "RETURN 1", {}, by="Ann")
        QuestionLog(ledger, store="neo4j://DB.example").add(ASKED, answer)
        ledger.execute("UPDATE questions SET corrected_utc='', corrected_by=''")


@pytest.mark.parametrize("beside", ["wal", "shm"])
def test_old_rows_of_a_ledger_that_takes_no_writes_are_read_as_they_are(tmp_path: Path, beside: str) -> None:
    path = tmp_path / "ledger.db"
    with_old_rows(path)
    takes_no_writes(path, beside)
    with Ledger(path) as ledger:
        log = QuestionLog(ledger)
        spell_alike(ledger)
        assert [(q.corrected, q.store) for q in log.rows()] == [("", "neo4j://DB.example"), ("RETURN 1", "")]
        assert [c.query for c in log.corrections()] == ["RETURN 1"]


def test_old_rows_of_a_ledger_on_a_disk_that_became_full_are_read_as_they_are(
    ledger: Ledger, tmp_path: Path
) -> None:
    with_old_rows(tmp_path / "ledger.db")
    full = "CREATE TEMP TRIGGER full BEFORE UPDATE ON questions BEGIN INSERT INTO failures "
    full += "VALUES ('fill', hex(randomblob(100000)), '', ''); END"
    ledger.execute(full)
    [(pages,)] = ledger.execute("PRAGMA page_count")
    ledger.execute(f"PRAGMA max_page_count = {pages}")
    spell_alike(ledger)
    assert [c.by for c in QuestionLog(ledger).corrections()] == [""]
    ledger.execute("PRAGMA max_page_count = 100000")
    spell_alike(ledger)
    assert [c.by for c in QuestionLog(ledger).corrections()] == ["Ann"]
    assert [q.store for q in QuestionLog(ledger).rows()] == ["bolt://db.example:7687", ""]


def test_a_place_without_a_ledger_that_takes_none_is_read(tmp_path: Path) -> None:
    (tmp_path / "ledger.db").symlink_to("/proc/self/fd/ledger.db")
    with Ledger(tmp_path / "ledger.db") as ledger:
        log = QuestionLog(ledger)
        assert (log.rows(), ledger.runs()) == ((), ())
        with pytest.raises(WorkspaceError, match="free space"):
            log.add(ASKED, UNANSWERED)


def test_a_full_disk_is_told_without_the_advice_to_remove_the_file(ledger: Ledger) -> None:
    [(pages,)] = ledger.execute("PRAGMA page_count")
    ledger.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(WorkspaceError, match=r"is full; free space.*keep the file") as refused:
        ledger.fail("add", "a.tex", "x" * 100_000)
    assert "remove" not in str(refused.value)


def test_a_damaged_ledger_is_to_be_put_back(tmp_path: Path) -> None:
    path = tmp_path / "ledger.db"
    path.write_bytes(b"no database" * 1_000)
    with pytest.raises(WorkspaceError, match=r"put back a copy.*corrections"):
        Ledger(path)


def test_a_ledger_that_cannot_be_read_either_is_refused(tmp_path: Path) -> None:
    (tmp_path / "ledger.db").mkdir()
    with pytest.raises(WorkspaceError, match="cannot be used"):
        Ledger(tmp_path / "ledger.db")


def test_what_is_made_is_for_its_owner_alone(tmp_path: Path) -> None:
    """The ledger holds everybody's questions; a file that is there keeps its mode."""
    before = tmp_path / "before.db"
    before.touch(mode=0o644)
    before.chmod(0o644)
    with Ledger(tmp_path / "ledger.db") as ledger, Ledger(before):
        ledger.execute("INSERT INTO failures VALUES ('a', 'b', 'c', 'd')")
        modes = {p.name: stat.S_IMODE(p.stat().st_mode) for p in tmp_path.iterdir()}
    assert {mode for name, mode in modes.items() if name.startswith("ledger.db")} == {0o600}
    assert modes["before.db"] == 0o644
    ReviewLog.open(tmp_path / "log.db").close()
    assert stat.S_IMODE((tmp_path / "log.db").stat().st_mode) == 0o600


def test_a_log_in_memory_makes_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    ReviewLog.open(Path(":memory:")).close()
    assert list(tmp_path.iterdir()) == []
