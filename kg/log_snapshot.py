"""The folded log in one file, so that a command need not fold thousands of events again.

It is derived: it names the event that it was taken at, and is left aside where the log does not have that
event, where the file is damaged, or where something was taken back since. Losing it costs time only.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import orjson

from kg.files import write_atomic
from kg.review_state import State
from schemas.ids import EntityId, RecordId
from schemas.review import EventKind

FORMAT = 1
"""Version of the file's layout."""
EVENTS = 200
"""Events after which a snapshot is taken anew."""
Head = tuple[int, str]


def snapshot_path(log: Path) -> Path:
    """Where the snapshot of a log is kept."""
    return log.with_name("log-state.json")


def save_snapshot(path: Path, state: State, head: Head) -> None:
    """Write the state after the event ``head``, whole or not at all."""
    body = orjson.dumps(
        {
            "head": head,
            "members": list(state.members.items()),
            "types": state.types,
            "shown": state.shown,
            "minted": list(state.minted),
            "redirects": list(state.redirects.items()),
            "undone_by": list(state.undone_by.items()),
            "links": [(a, b, seq, kind.value) for (a, b), (seq, kind) in state.links.items()],
        }
    )
    write_atomic(path, b"%d %s\n" % (FORMAT, _digest(body)) + body)


def load_snapshot(path: Path) -> tuple[State, Head] | None:
    """The state and the event that it was taken at; None where there is none that can be read.

    ``State.changes`` is empty: who takes events back folds the whole log.
    """
    if not path.exists():
        return None
    first, _, body = path.read_bytes().partition(b"\n")
    if first != b"%d %s" % (FORMAT, _digest(body)):
        return None
    found: dict[str, Any] = orjson.loads(body)
    members = {EntityId(entity): tuple(map(RecordId, records)) for entity, records in found["members"]}
    return State(
        members=members,
        types=found["types"],
        shown={entity: (name, text) for entity, (name, text) in found["shown"].items()},
        owner={record: entity for entity, records in members.items() for record in records},
        minted=dict.fromkeys(found["minted"]),
        redirects=dict(found["redirects"]),
        undone_by=dict(found["undone_by"]),
        links={(a, b): (seq, EventKind(kind)) for a, b, seq, kind in found["links"]},
    ), (found["head"][0], found["head"][1])


def _digest(body: bytes) -> bytes:
    return hashlib.sha256(body).hexdigest().encode()
