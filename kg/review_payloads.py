"""What an event of the log carries, by its kind, and how people are told of it."""

from __future__ import annotations

from collections.abc import Container, Mapping

from pydantic import ValidationError, model_validator

from kg.nouns import counted
from kg.review_items import ITEM_KINDS, ItemPayload
from schemas.errors import DataError
from schemas.ids import EntityId, RecordId
from schemas.model import Frozen
from schemas.review import Event, EventKind, Feature


class GroupPayload(Frozen):
    """Payload of MERGE and SPLIT: from here on, entity ``id`` has exactly ``records``."""

    id: EntityId
    type: str
    records: tuple[RecordId, ...]
    redirects: tuple[EntityId, ...] = ()
    """Ids that vanished into this one."""
    score: float | None = None
    judge: str = ""
    features: tuple[Feature, ...] = ()
    reason: str = ""
    round: int = 1
    """Round of clustering and judging in which it was found."""
    name: str = ""
    """The judge's name for the entity; empty to show the records' most frequent one."""
    description: str = ""


class MintPayload(Frozen):
    """Payload of MINT: records that exist from here on, each as the entity of its own id."""

    records: tuple[RecordId, ...]


class LinkPayload(Frozen):
    """Payload of MUST_LINK and CANNOT_LINK: pairs of records that one decision is about."""

    pairs: tuple[tuple[RecordId, RecordId], ...]
    reason: str = ""

    @model_validator(mode="after")
    def _two_records(self) -> LinkPayload:
        if not self.pairs or any(a == b for a, b in self.pairs):
            raise ValueError("expected one or more pairs of two different records")
        return self


class UndoPayload(Frozen):
    """Payload of UNDO; the event it takes back is ``Event.ref``."""

    reason: str = ""


PAYLOADS: dict[EventKind, type[Frozen]] = {
    EventKind.MINT: MintPayload,
    EventKind.MERGE: GroupPayload,
    EventKind.SPLIT: GroupPayload,
    EventKind.UNDO: UndoPayload,
    EventKind.MUST_LINK: LinkPayload,
    EventKind.CANNOT_LINK: LinkPayload,
    **dict.fromkeys(ITEM_KINDS, ItemPayload),
}


def checked_payload(kind: EventKind, payload: Mapping[str, object]) -> Frozen:
    """The payload as its type, or ``DataError`` when it does not fit the kind."""
    try:
        return PAYLOADS[kind].model_validate(dict(payload))
    except ValidationError as e:
        raise DataError(f"payload of a {kind} event does not fit {PAYLOADS[kind].__name__}: {e}") from e


def records_of(event: Event) -> frozenset[RecordId]:
    """The records that a merge, split or link names; none for other events."""
    if event.kind in (EventKind.MERGE, EventKind.SPLIT):
        return frozenset(GroupPayload.model_validate_json(event.payload).records)
    if event.kind in (EventKind.MUST_LINK, EventKind.CANNOT_LINK):
        payload = LinkPayload.model_validate_json(event.payload)
        return frozenset(record for pair in payload.pairs for record in pair)
    return frozenset()


def describe(
    event: Event, names: Mapping[str, str] | None = None, *, present: Container[str] | None = None
) -> str:
    """What an event did, in a line for people; ``names`` says how records and entities are called.

    ``present`` holds the records that exist now; those of the event that are gone are told apart then.

    >>> event = Event(
    ...     seq=3, at_utc="", actor="", kind=EventKind.UNDO, payload="{}", ref=2, prev_hash="", hash=""
    ... )
    >>> describe(event)
    'takes event 2 back'
    """
    payload = PAYLOADS[event.kind].model_validate_json(event.payload)
    known = names or {}

    def called(id_: str) -> str:
        return f"“{known[id_]}”" if id_ in known else id_

    match payload:
        case MintPayload():
            said = f"{counted(len(payload.records), 'new record')}, each an entity of its own"
        case GroupPayload():
            joined = (
                f", {counted(len(payload.redirects), 'id')} redirected to it" if payload.redirects else ""
            )
            spelled = {known[r] for r in payload.records if r in known} - {known.get(payload.id, "")}
            also = f" ({', '.join(f'“{s}”' for s in sorted(spelled)[:3])})" if spelled else ""
            left = "is left with" if event.kind is EventKind.SPLIT else "has"
            said = f"{payload.type} {called(payload.id)} {left} {_how_many(payload, present)}{also}{joined}"
        case LinkPayload():
            same = "the same" if event.kind is EventKind.MUST_LINK else "different"
            said = "; ".join(f"{called(a)} and {called(b)}" for a, b in payload.pairs[:3]) + f" are {same}"
        case ItemPayload():
            said = f"{event.kind.value} {payload.name} of {payload.document}"
        case _:
            said = f"takes event {event.ref} back"
    reason = getattr(payload, "reason", "")
    return f"{said} ({reason})" if reason else said


def _how_many(payload: GroupPayload, present_now: Container[str] | None) -> str:
    """The number of records, those that are no more apart."""
    gone = 0 if present_now is None else sum(record not in present_now for record in payload.records)
    present = counted(len(payload.records) - gone, "record")
    return f"{present}, and {gone} that {'is' if gone == 1 else 'are'} no more," if gone else present
