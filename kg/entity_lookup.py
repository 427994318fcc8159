"""Entities and records by what people type: an id, the beginning of one, or a name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from schemas.errors import UsageError
from schemas.graphs import CanonicalGraph, Entity, Record
from schemas.ids import EntityId, RecordId
from schemas.language.names import name_key

LEAST_PREFIX = 4
"""Characters from which the beginning of an id is taken for one."""
MOST_LISTED = 8


@dataclass(frozen=True, slots=True)
class Named:
    """What was meant: an entity, and the records of it that stand for the choice."""

    entity: Entity
    records: tuple[RecordId, ...]
    """One record when a record was named, else one per spelling of the entity's name."""
    text: str
    """As people see it."""


class EntityLookup:
    """Finds entities of one canonical graph; redirected ids lead to where they point now."""

    def __init__(self, graph: CanonicalGraph) -> None:
        self._entities = {e.id: e for e in graph.entities}
        self._records = {r.id: r for r in graph.records}
        self._owner = graph.entity_of()
        self._redirects = {r.old: r.new for r in graph.redirects}

    def find(self, wanted: str, *, kind: str = "") -> Named:
        """The one entity or record that ``wanted`` names: an id, its beginning, or a name or alias.

        ``type:name`` and ``kind`` narrow a name to one type. Raises ``UsageError`` when none or several
        fit; several are listed with their ids.
        """
        text = wanted.strip()
        exact = self._by_id(text)
        if exact:
            return exact
        head, _, tail = text.partition(":")
        if tail and any(e.type == head for e in self._entities.values()):
            kind, text = head, tail.strip()
        found = self._by_name(text, kind) or self._by_prefix(text)
        if len(found) == 1:
            return found[0]
        if not found:
            raise UsageError(
                f"expected an entity's or record's id or name, found {wanted!r}, which fits nothing; "
                "`kg ask` and `kg show` list names, `kg export` has all ids"
            )
        listed = "; ".join(f"{n.entity.type} {n.entity.name} ({n.records[0]})" for n in found[:MOST_LISTED])
        more = f" and {len(found) - MOST_LISTED} more" if len(found) > MOST_LISTED else ""
        told_apart = len({n.entity.type for n in found}) == len(found)
        give = "give an id, or type:name" if told_apart else "give one of the ids in brackets"
        raise UsageError(f"{wanted!r} fits {len(found)}: {listed}{more}; {give}")

    def record(self, record: RecordId) -> Record | None:
        """A record of the graph."""
        return self._records.get(record)

    def entity_of(self, record: RecordId) -> Entity | None:
        """The entity that a record belongs to; None for a record that the graph does not have."""
        owner = self._owner.get(record)
        return self._entities.get(owner) if owner else None

    def _by_id(self, text: str) -> Named | None:
        entity = self._entities.get(self._redirects.get(EntityId(text), EntityId(text)))
        record = self._records.get(RecordId(text))
        if entity is not None and (record is None or len(entity.records) == 1):
            return self._named(entity)
        return self._single(record) if record is not None else None

    def _by_prefix(self, text: str) -> list[Named]:
        if len(text) < LEAST_PREFIX:
            return []
        entities = [self._named(e) for e in self._entities.values() if e.id.startswith(text)]
        return entities or [self._single(r) for r in self._records.values() if r.id.startswith(text)]

    def _by_name(self, text: str, kind: str) -> list[Named]:
        key = name_key(text)
        same = [e for e in self._entities.values() if not kind or e.type == kind]
        exact = [e for e in same if e.name == text]
        by_name = exact or [e for e in same if name_key(e.name) == key]
        found = by_name or [e for e in same if any(name_key(a) == key for a in e.aliases)]
        return [self._named(e) for e in found]

    def _single(self, record: Record) -> Named:
        return Named(self._entities[self._owner[record.id]], (record.id,), f"{record.type} {record.name}")

    def _named(self, entity: Entity) -> Named:
        records = _one_per_name(self._records[r] for r in entity.records)
        return Named(entity, records, f"{entity.type} {entity.name}")


def _one_per_name(records: Iterable[Record]) -> tuple[RecordId, ...]:
    first: dict[str, RecordId] = {}
    for record in sorted(records, key=lambda r: r.id):
        first.setdefault(name_key(record.name), record.id)
    return tuple(first.values())


def cross_pairs(left: Sequence[RecordId], right: Sequence[RecordId]) -> list[tuple[RecordId, RecordId]]:
    """Every record of one with every record of the other, sorted within a pair.

    >>> cross_pairs([RecordId("b")], [RecordId("a"), RecordId("c")])
    [('a', 'b'), ('b', 'c')]
    """
    return sorted({(min(a, b), max(a, b)) for a in left for b in right if a != b})
