"""The append-only log of merges and reviewers' decisions: SQLite, hash-chained, safe across processes.

Triggers abort every UPDATE and DELETE, each row's hash covers the row and the hash before it, and writers
take turns by ``BEGIN IMMEDIATE``. What the events mean is ``kg.review_state``'s business.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Self

from canonicalize.state_files import collection_paused
from kg.log_snapshot import EVENTS, Head, load_snapshot, save_snapshot, snapshot_path
from kg.review_items import ITEM_KINDS, Decision, decisions_of
from kg.review_payloads import GroupPayload, checked_payload, records_of
from kg.review_state import State, difference, extend, fold, undo_target, unminted
from kg.sqlite_files import make_private, open_to_read, takes_no_writes
from schemas.errors import LogCorruptError, TransientServiceError, UsageError, WorkspaceError
from schemas.ids import DocumentKey, EntityId, RecordId, canonical_json
from schemas.review import Constraints, Event, EventKind, PriorIds, Resolution

FORMAT = 1
"""Version of the table layout, stored as SQLite's ``user_version``."""
GENESIS = "0" * 64
"""``prev_hash`` of the first event."""
LOCK_SECONDS = 30.0
"""How long a writer waits for its turn, in seconds."""
MINT_BATCH = 10_000
"""Records in one MINT event."""
_PAGE = 5_000
_SCHEMA = (
    "CREATE TABLE event (seq INTEGER PRIMARY KEY, at_utc TEXT NOT NULL, actor TEXT NOT NULL,"
    " kind TEXT NOT NULL, payload TEXT NOT NULL, ref INTEGER, prev_hash TEXT NOT NULL,"
    " hash TEXT NOT NULL) STRICT",
    "CREATE TRIGGER event_no_update BEFORE UPDATE ON event"
    " BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END",
    "CREATE TRIGGER event_no_delete BEFORE DELETE ON event"
    " BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END",
)
_COLUMNS = "SELECT seq, at_utc, actor, kind, payload, ref, prev_hash, hash FROM event"
_ITEMS = json.dumps([kind.value for kind in ITEM_KINDS])
Entry = tuple[EventKind, Mapping[str, object]]


class ReviewLog:
    """The event log of one workspace; use ``ReviewLog.open`` in a ``with`` statement.

    One object may be shared by threads, and any number of processes may append to one file.
    """

    def __init__(
        self, connection: sqlite3.Connection, clock: Callable[[], datetime], snapshot: Path | None = None
    ) -> None:
        self._db, self._clock, self._snapshot = connection, clock, snapshot
        self._lock = threading.RLock()
        self._state: State | None = None
        self._folded: Head = (0, GENESIS)
        """The last event in ``_state``."""
        self._kept = 0
        """The event that the snapshot was taken at."""

    @classmethod
    def open(cls, path: Path, *, clock: Callable[[], datetime] | None = None) -> Self:
        """The log at ``path``, created if absent. ``clock`` gives the time of events (default: now, UTC).

        On a disk that is full or may not be written it is read as it is. Raises ``WorkspaceError`` when the
        file is no log or one of another version, and ``TransientServiceError`` when another process holds it
        for more than 30 s.
        """
        with _wrapped(path):
            try:
                db = _opened(path)
            except sqlite3.Error as e:
                if not (takes_no_writes(e) and path.exists()):
                    raise
                db = open_to_read(path)
        return cls(db, clock or (lambda: datetime.now(UTC)), snapshot_path(path))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file; further calls fail."""
        with self._lock:
            self._db.close()

    def append(
        self, kind: EventKind, payload: Mapping[str, object], *, actor: str, ref: int | None = None
    ) -> Event:
        """Append one event; ``DataError`` when the payload does not fit its kind.

        An UNDO is appended by ``undo``, which checks that it is possible.
        """
        if ref is not None or kind is EventKind.UNDO:
            raise UsageError("an event with a reference is an undo; call undo(seq) for it")
        return self.append_many([(kind, payload)], actor=actor)[0]

    def append_many(self, entries: Sequence[Entry], *, actor: str) -> tuple[Event, ...]:
        """Append all entries in one transaction: after a crash there are all of them or none."""
        if any(kind is EventKind.UNDO for kind, _ in entries):
            raise UsageError("an undo cannot be part of a batch; call undo(seq) for it")
        with self._writing():
            return self._insert([(kind, payload, None) for kind, payload in entries], actor)

    def link(
        self, kind: EventKind, pairs: Sequence[tuple[RecordId, RecordId]], *, actor: str, reason: str = ""
    ) -> Event:
        """A reviewer's MUST_LINK or CANNOT_LINK on one or more pairs of records: one decision, one event."""
        return self.append(kind, {"pairs": [list(p) for p in pairs], "reason": reason}, actor=actor)

    def record_resolution(
        self, resolution: Resolution, *, actor: str, before_commit: Callable[[], None] | None = None
    ) -> int:
        """Append what changed since the state in force, in one transaction; the number of merges and splits.

        Records seen for the first time are minted, so that later resolutions keep their ids or redirect them.

        A resolution that is in force already appends nothing. Records of documents that are not part of
        the resolution keep their entities. ``before_commit`` runs when all is appended and nothing is in
        force yet: what it raises takes everything back.
        """
        with self._writing():
            state = self._current()
            changes = difference(state, resolution)
            new = unminted(state, resolution)
            minted: list[tuple[EventKind, Mapping[str, object], int | None]] = [
                (EventKind.MINT, {"records": new[start : start + MINT_BATCH]}, None)
                for start in range(0, len(new), MINT_BATCH)
            ]
            merged = [(kind, _compact(payload), None) for kind, payload in changes]
            self._insert([*minted, *merged], actor)
            if before_commit is not None:
                before_commit()
        self._keep_snapshot()
        return len(changes)

    def undo(self, seq: int, *, actor: str, reason: str = "") -> Event:
        """Take back event ``seq``; taking back an undo is a redo.

        An undone merge stays as a cannot-link between the parts it had joined, an undone split as a
        must-link. Raises ``UsageError`` when the event does not exist, is undone already, or when later
        decisions touch the same records (they are listed): the former state is restored exactly or not
        at all.
        """
        with self._writing():
            undo_target(list(self.events()), seq)
            return self._insert([(EventKind.UNDO, {"reason": reason}, seq)], actor)[0]

    def events(self, since: int = 0) -> Iterator[Event]:
        """Events with a sequence number above ``since``, in order, read page by page."""
        while True:
            with self._lock, _wrapped():
                rows = self._db.execute(
                    f"{_COLUMNS} WHERE seq > ? ORDER BY seq LIMIT ?",
                    (since, _PAGE),
                ).fetchall()
            yield from map(_event, rows)
            if len(rows) < _PAGE:
                return
            since = rows[-1][0]

    def head(self) -> tuple[int, str]:
        """Number and hash of the last event; ``(0, GENESIS)`` for an empty log."""
        with self._lock, _wrapped():
            row = self._db.execute("SELECT seq, hash FROM event ORDER BY seq DESC LIMIT 1").fetchone()
        return (int(row[0]), str(row[1])) if row else (0, GENESIS)

    def verify(self, *, sealed: tuple[int, str] | None = None) -> None:
        """Walk the chain; ``LogCorruptError`` with the first bad sequence number.

        ``sealed`` is a head that a release holds: without one, cutting off the end cannot be seen.
        """
        expected, previous, sealed_hash = 1, GENESIS, GENESIS
        for event in self.events():
            if event.seq != expected or event.prev_hash != previous or event.hash != _hash(event):
                raise LogCorruptError(
                    f"log event {event.seq}: expected event {expected} chained to {previous[:12]},"
                    " found a row that was changed, removed or inserted; restore log.db from a backup",
                    seq=expected,
                )
            if sealed and event.seq == sealed[0]:
                sealed_hash = event.hash
            expected, previous = expected + 1, event.hash
        if sealed and sealed_hash != sealed[1]:
            raise LogCorruptError(
                f"log event {sealed[0]}: expected hash {sealed[1][:12]} as sealed, found {sealed_hash[:12]};"
                " restore log.db from a backup",
                seq=sealed[0],
            )

    def constraints(self) -> Constraints:
        """The reviewers' links in force, those of undone merges and splits included."""
        with self._lock:
            return self._current().constraints()

    def prior_ids(self) -> PriorIds:
        """Entity ids in force; a record that is not listed is the entity of its own id."""
        with self._lock:
            return self._current().prior_ids()

    def decisions(self) -> dict[DocumentKey, tuple[Decision, ...]]:
        """Reviewers' decisions on records and statements in force, by document, oldest first."""
        with self._lock:
            state = self._current()
            return decisions_of(
                self._select("kind IN (SELECT value FROM json_each(?))", _ITEMS), undone=state.undone_by
            )

    def partition(self) -> dict[EntityId, tuple[RecordId, ...]]:
        """Entity id -> records, for the entities that are not just one record under its own id."""
        with self._lock:
            return dict(self._current().members)

    def shown(self) -> dict[EntityId, tuple[str, str]]:
        """Name and description that judges chose for entities; either may be empty."""
        with self._lock:
            return dict(self._current().shown)

    def about(self, records: Sequence[RecordId]) -> tuple[int, ...]:
        """Numbers of the merge events, links and undos that name all of the records, oldest first."""
        wanted = set(records)
        events = list(self.events())
        named: dict[int, bool] = {}
        for event in events:
            target = event.ref if event.ref is not None else None
            named[event.seq] = named[target] if target in named else wanted <= records_of(event)
        return tuple(seq for seq, hit in named.items() if hit)

    def _current(self) -> State:
        """The state at the head: events of others are put on top, and all is folded when one took back."""
        if self._state is None:
            with collection_paused():
                self._start()
        fresh = list(self.events(self._folded[0]))
        if self._state is None or any(event.kind is EventKind.UNDO for event in fresh):
            fresh = fresh if self._state is None else list(self.events())
            self._state = fold(fresh)
        else:
            extend(self._state, fresh, changes=False)
        if fresh:
            self._folded = (fresh[-1].seq, fresh[-1].hash)
        return self._state

    def _start(self) -> None:
        """Begin with the snapshot, if it is one of this log."""
        found = None if self._snapshot is None else load_snapshot(self._snapshot)
        if found is not None and any(e.hash == found[1][1] for e in self._select("seq = ?", found[1][0])):
            self._state, self._folded = found
            self._kept = found[1][0]

    def _keep_snapshot(self) -> None:
        """Take a snapshot where many events came since the last one."""
        if self._snapshot is None:
            return
        state = self._current()
        if self._folded[0] - self._kept > EVENTS:
            save_snapshot(self._snapshot, state, self._folded)
            self._kept = self._folded[0]

    def _select(self, condition: str, value: object) -> list[Event]:
        """The events of a condition, in order."""
        with self._lock, _wrapped():
            rows = self._db.execute(f"{_COLUMNS} WHERE {condition} ORDER BY seq", (value,)).fetchall()
        return list(map(_event, rows))

    @contextmanager
    def _writing(self) -> Iterator[None]:
        with self._lock, _wrapped():
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield
            except BaseException:
                self._db.execute("ROLLBACK")
                raise
            self._db.execute("COMMIT")

    def _insert(
        self, entries: Sequence[tuple[EventKind, Mapping[str, object], int | None]], actor: str
    ) -> tuple[Event, ...]:
        seq, previous = self.head()
        at = self._clock().astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
        made: list[Event] = []
        for kind, payload, ref in entries:
            body = canonical_json(
                checked_payload(kind, payload).model_dump(mode="json", exclude_defaults=True)
            )
            seq += 1
            event = Event(
                seq=seq, at_utc=at, actor=actor, kind=kind, payload=body, ref=ref, prev_hash=previous, hash=""
            )
            previous = _hash(event)
            made.append(event.model_copy(update={"hash": previous}))
        rows = [(e.seq, e.at_utc, e.actor, e.kind.value, e.payload, e.ref, e.prev_hash, e.hash) for e in made]
        self._db.executemany("INSERT INTO event VALUES (?, ?, ?, ?, ?, ?, ?, ?)", rows)
        return tuple(made)


def _compact(payload: GroupPayload) -> dict[str, object]:
    return payload.model_dump(mode="json", exclude_defaults=True)


def _hash(event: Event) -> str:
    row = [event.seq, event.at_utc, event.actor, event.kind.value, event.payload, event.ref, event.prev_hash]
    return hashlib.sha256(canonical_json(row).encode("utf-8", "surrogatepass")).hexdigest()


def _event(row: tuple[int, str, str, str, str, int | None, str, str]) -> Event:
    seq, at, actor, kind, payload, ref, prev_hash, digest = row
    if kind not in tuple(EventKind):
        raise LogCorruptError(
            f"log event {seq}: unknown kind {kind!r}; restore log.db from a backup", seq=seq
        )
    return Event(
        seq=seq,
        at_utc=at,
        actor=actor,
        kind=EventKind(kind),
        payload=payload,
        ref=ref,
        prev_hash=prev_hash,
        hash=digest,
    )


def _opened(path: Path) -> sqlite3.Connection:
    make_private(path)
    db = sqlite3.connect(path, timeout=LOCK_SECONDS, isolation_level=None, check_same_thread=False)
    try:
        _prepare(db, path)
    except BaseException:
        db.close()
        raise
    return db


def _prepare(db: sqlite3.Connection, path: Path) -> None:
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA synchronous = FULL")
    db.execute("BEGIN IMMEDIATE")
    version = db.execute("PRAGMA user_version").fetchone()[0]
    tables = db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    if version == 0 and tables == 0:
        for statement in _SCHEMA:
            db.execute(statement)
        db.execute(f"PRAGMA user_version = {FORMAT}")
    db.execute("COMMIT")
    if (version, tables) != (0, 0) and version != FORMAT:
        raise WorkspaceError(
            f"{path}: expected an event log of format {FORMAT}, found {version}; use its release"
        )


@contextmanager
def _wrapped(path: Path | None = None) -> Iterator[None]:
    where = f"{path}: " if path else ""
    try:
        yield
    except sqlite3.OperationalError as e:
        if "locked" in str(e) or "busy" in str(e):
            raise TransientServiceError(
                f"{where}the event log is locked by another process; try again"
            ) from e
        raise WorkspaceError(f"{where}the event log cannot be used: {e}; check the file and the disk") from e
    except sqlite3.DatabaseError as e:
        raise WorkspaceError(f"{where}the event log is damaged: {e}; restore log.db from a backup") from e
