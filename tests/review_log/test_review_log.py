"""The event log: append-only, tamper-evident, exact undo, safe across processes."""

from __future__ import annotations

import multiprocessing
import sqlite3
import tempfile
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from canonicalize.naming import name_groups
from kg.review_log import GENESIS, ReviewLog
from schemas.errors import DataError, LogCorruptError, UsageError, WorkspaceError
from schemas.ids import EntityId, RecordId
from schemas.review import EventKind, Group, PriorIds, Resolution

RECORDS = tuple(RecordId(c) for c in "abcdefgh")


def clock() -> datetime:
    return datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


def resolution(assignment: list[int], prior: PriorIds | None = None) -> Resolution:
    """Groups by label; a group keeps a prior id where it can, else takes its smallest record."""
    groups: dict[int, list[RecordId]] = {}
    for record, label in zip(RECORDS, assignment, strict=False):
        groups.setdefault(label, []).append(record)
    known = prior.entity_of if prior else {}
    made: list[Group] = []
    used: set[EntityId] = set()
    for records in sorted(groups.values()):
        options = [known[r] for r in records if r in known and known[r] in records and known[r] not in used]
        entity = min(options, default=EntityId(records[0]))
        used.add(entity)
        made.append(Group(id=entity, type="t", records=tuple(records)))
    live = {g.id for g in made}
    home = {r: g.id for g in made for r in g.records}
    gone = {e: home[r] for r, e in sorted(known.items()) if e not in live and r in home}
    return Resolution(groups=tuple(sorted(made, key=lambda g: g.id)), redirects=gone)


def snapshot(log: ReviewLog) -> tuple[dict[EntityId, tuple[RecordId, ...]], PriorIds]:
    return log.partition(), log.prior_ids()


assignments = st.lists(st.integers(0, 3), min_size=8, max_size=8)


@settings(max_examples=40, deadline=None)
@given(st.lists(assignments, min_size=1, max_size=4))
def test_recording_is_idempotent_and_undo_restores_every_prefix(steps) -> None:
    with tempfile.TemporaryDirectory() as folder, ReviewLog.open(Path(folder) / "log.db", clock=clock) as log:
        for step in steps:
            target = resolution(step, log.prior_ids())
            log.record_resolution(target, actor="test")
            assert log.record_resolution(target, actor="test") == 0
            explicit = {g.id: g.records for g in target.groups if g.records != (g.id,)}
            assert log.partition() == explicit
        with tempfile.TemporaryDirectory() as other:
            states = []
            with ReviewLog.open(Path(other) / "log.db", clock=clock) as replay:
                states.append(snapshot(replay))
                for event in list(log.events()):
                    replay.append(event.kind, _payload(event.payload), actor=event.actor)
                    states.append(snapshot(replay))
        last = log.head()[0]
        undos = []
        for seq in range(last, 0, -1):
            undos.append(log.undo(seq, actor="test").seq)
            assert snapshot(log) == states[seq - 1]
        for seq, undo in zip(range(1, last + 1), reversed(undos), strict=True):
            log.undo(undo, actor="test")
            assert snapshot(log) == states[seq]
        log.verify()


def _payload(text: str) -> dict[str, object]:
    import json

    loaded: dict[str, object] = json.loads(text)
    return loaded


@pytest.fixture
def log(tmp_path: Path):
    with ReviewLog.open(tmp_path / "log.db", clock=clock) as opened:
        yield opened


def test_an_undone_merge_is_a_cannot_link_until_it_is_redone(log: ReviewLog) -> None:
    log.record_resolution(resolution([0, 0, 1, 1]), actor="kg")
    assert log.partition() == {"a": ("a", "b"), "c": ("c", "d")}
    undo = log.undo(2, actor="ana", reason="different detectors")
    assert log.partition() == {"c": ("c", "d")}
    assert log.constraints().cannot_link == (("a", "b", undo.seq),)
    log.undo(undo.seq, actor="ana")
    assert log.partition() == {"a": ("a", "b"), "c": ("c", "d")}
    assert log.constraints().cannot_link == ()


def test_an_undone_split_is_a_must_link(log: ReviewLog) -> None:
    log.record_resolution(resolution([0, 0, 0]), actor="kg")
    log.record_resolution(resolution([0, 0, 1], log.prior_ids()), actor="kg")
    assert [e.kind for e in log.events()] == [EventKind.MINT, EventKind.MERGE, EventKind.SPLIT]
    undo = log.undo(3, actor="ana")
    assert log.partition() == {"a": ("a", "b", "c")}
    assert log.constraints().must_link == (("a", "c", undo.seq),)


def test_an_undo_that_later_decisions_depend_on_is_refused(log: ReviewLog) -> None:
    log.record_resolution(resolution([0, 0, 1]), actor="kg")
    log.record_resolution(resolution([0, 0, 0], log.prior_ids()), actor="kg")
    with pytest.raises(UsageError, match=r"1 later decisions depend on it \(3\)"):
        log.undo(2, actor="ana")
    assert log.head()[0] == 3
    with pytest.raises(UsageError, match="does not exist"):
        log.undo(9, actor="ana")
    log.undo(3, actor="ana")
    with pytest.raises(UsageError, match="undone already by event 4"):
        log.undo(3, actor="ana")


def test_a_vanished_id_is_redirected_and_comes_back_with_the_undo(log: ReviewLog) -> None:
    log.record_resolution(resolution([0, 0, 1, 1]), actor="kg")
    log.record_resolution(resolution([0, 0, 0, 0], log.prior_ids()), actor="kg")
    assert log.prior_ids().redirects == {"c": "a"}
    log.undo(4, actor="ana")
    assert log.prior_ids().redirects == {}
    assert log.partition() == {"a": ("a", "b"), "c": ("c", "d")}


def test_an_entity_seen_before_keeps_its_id_when_a_smaller_record_joins_it(log: ReviewLog) -> None:
    alone = Resolution(groups=(Group(id=EntityId("b"), type="t", records=(RECORDS[1],)),))
    assert log.record_resolution(alone, actor="kg") == 0
    names, redirects = name_groups([(RECORDS[0], RECORDS[1])], log.prior_ids())
    assert (names, redirects) == (["b"], {})


def test_two_entities_seen_before_leave_a_redirect_when_they_merge(log: ReviewLog) -> None:
    log.record_resolution(resolution([0, 1]), actor="kg")
    names, redirects = name_groups([(RECORDS[0], RECORDS[1])], log.prior_ids())
    assert (names, redirects) == (["a"], {"b": "a"})


def test_the_later_of_two_decisions_on_a_pair_counts(log: ReviewLog) -> None:
    pair = [(RECORDS[0], RECORDS[1])]
    log.link(EventKind.MUST_LINK, pair, actor="ana")
    second = log.link(EventKind.CANNOT_LINK, pair, actor="ben", reason="other beam")
    assert log.constraints().must_link == ()
    assert log.constraints().cannot_link == (("a", "b", 2),)
    log.undo(second.seq, actor="ben")
    assert log.constraints().must_link == (("a", "b", 1),)


def test_records_outside_a_resolution_stay_where_they_are(log: ReviewLog) -> None:
    log.record_resolution(resolution([0, 0, 0]), actor="kg")
    partial = Resolution(groups=(Group(id=EntityId("a"), type="t", records=(RECORDS[0], RECORDS[1])),))
    assert log.record_resolution(partial, actor="kg") == 0
    assert log.partition() == {"a": ("a", "b", "c")}


def test_a_payload_that_does_not_fit_is_refused(log: ReviewLog) -> None:
    with pytest.raises(DataError, match="LinkPayload"):
        log.append(EventKind.MUST_LINK, {"pairs": [["a", "a"]]}, actor="ana")
    with pytest.raises(UsageError, match="undo"):
        log.append(EventKind.UNDO, {}, actor="ana", ref=1)
    assert log.head() == (0, GENESIS)


def test_a_batch_is_appended_whole_or_not_at_all(log: ReviewLog) -> None:
    good = {"pairs": [["a", "b"]]}
    with pytest.raises(DataError):
        log.append_many([(EventKind.MUST_LINK, good), (EventKind.MUST_LINK, {})], actor="ana")
    assert list(log.events()) == []
    assert [e.seq for e in log.append_many([(EventKind.MUST_LINK, good)] * 2, actor="ana")] == [1, 2]


def _tampering(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(path)


@pytest.mark.parametrize("statement", ["UPDATE event SET actor = 'eve'", "DELETE FROM event"])
def test_rows_cannot_be_changed_or_deleted(log: ReviewLog, tmp_path: Path, statement: str) -> None:
    log.record_resolution(resolution([0, 0]), actor="kg")
    db = _tampering(tmp_path / "log.db")
    with pytest.raises(sqlite3.IntegrityError, match="append-only"):
        db.execute(statement)
    db.close()


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE event SET payload = replace(payload, 'c', 'x') WHERE seq = 2",
        "DELETE FROM event WHERE seq = 2",
    ],
)
def test_tampering_is_found_at_its_place(log: ReviewLog, tmp_path: Path, statement: str) -> None:
    log.record_resolution(resolution([0, 0, 1, 1, 2, 2]), actor="kg")
    log.verify()
    db = _tampering(tmp_path / "log.db")
    with db:
        db.execute("DROP TRIGGER event_no_update")
        db.execute("DROP TRIGGER event_no_delete")
        db.execute(statement)
    db.close()
    with pytest.raises(LogCorruptError) as caught:
        log.verify()
    assert caught.value.seq == 2


def test_a_cut_off_end_is_found_against_a_sealed_head(log: ReviewLog, tmp_path: Path) -> None:
    log.record_resolution(resolution([0, 0, 1, 1]), actor="kg")
    sealed = log.head()
    log.verify(sealed=sealed)
    db = _tampering(tmp_path / "log.db")
    with db:
        db.execute("DROP TRIGGER event_no_delete")
        db.execute("DELETE FROM event WHERE seq = 3")
    db.close()
    log.verify()
    with pytest.raises(LogCorruptError, match="as sealed"):
        log.verify(sealed=sealed)


def test_a_file_that_is_no_log_is_refused(tmp_path: Path) -> None:
    (tmp_path / "text.db").write_text("not a database, " * 100)
    with pytest.raises(WorkspaceError, match="damaged"):
        ReviewLog.open(tmp_path / "text.db")
    db = sqlite3.connect(tmp_path / "new.db")
    db.execute("PRAGMA user_version = 99")
    db.execute("CREATE TABLE event (seq INTEGER)")
    db.close()
    with pytest.raises(WorkspaceError, match="found 99"):
        ReviewLog.open(tmp_path / "new.db")


def _append(path: str, name: str) -> None:
    with ReviewLog.open(Path(path)) as log:
        for n in range(25):
            log.append(EventKind.MUST_LINK, {"pairs": [[f"{name}{n}", "z"]]}, actor=name)


def test_two_processes_append_to_one_chain(tmp_path: Path) -> None:
    path = tmp_path / "log.db"
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=_append, args=(str(path), name)) for name in ("p", "q")]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(60)
        assert worker.exitcode == 0
    with ReviewLog.open(path) as log:
        log.verify()
        assert log.head()[0] == 50
        assert {e.actor for e in log.events()} == {"p", "q"}
        assert len(log.constraints().must_link) == 50


def test_a_log_that_takes_no_writes_is_read(tmp_path: Path) -> None:
    path = tmp_path / "log.db"
    with ReviewLog.open(path, clock=clock) as log:
        log.record_resolution(resolution([0] * 8), actor="test")
        head = log.head()
    (tmp_path / "log.db-wal").mkdir()  # as on a full or read-only disk: nothing can be made there
    with ReviewLog.open(path, clock=clock) as log:
        log.verify()
        assert log.head() == head
        with pytest.raises(WorkspaceError, match="check the file and the disk"):
            log.record_resolution(resolution([0] * 4 + [1] * 4), actor="test")
    (tmp_path / "none.db").symlink_to("/proc/self/fd/none.db")
    with pytest.raises(WorkspaceError, match="check the file and the disk"):
        ReviewLog.open(tmp_path / "none.db")
