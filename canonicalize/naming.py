"""Entity ids that live on: who keeps an id, who gets a new one, where vanished ids lead."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from schemas.errors import DataError
from schemas.ids import EntityId, RecordId, content_hash
from schemas.review import PriorIds

Members = tuple[RecordId, ...]


def name_groups(
    groups: Sequence[Members], prior: PriorIds
) -> tuple[list[EntityId], dict[EntityId, EntityId]]:
    """An id for every group (sorted record ids) and redirects of the prior ids that vanished.

    A prior id goes, oldest first, to the group with its founding record, else to the one with most of
    its records (ties: smallest record), so a group keeps the oldest id it has a claim to. Any other
    group is named by its smallest record id that is neither in use nor redirected, and by a hash of all
    its record ids where there is none. A prior id all of whose records are gone is left as it is.
    """
    group_of = {record: index for index, records in enumerate(groups) for record in records}
    claims: dict[EntityId, Counter[int]] = {}
    for record, entity in prior.entity_of.items():
        votes = claims.setdefault(entity, Counter())
        if record in group_of:
            votes[group_of[record]] += 1
    names: dict[int, EntityId] = {}
    for entity, votes in claims.items():
        unnamed = [index for index in votes if index not in names]
        if unnamed:
            names[_owner(unnamed, votes, group_of.get(RecordId(entity)), groups)] = entity
    taken = {*claims, *prior.redirects}
    for index in sorted(range(len(groups)), key=lambda i: groups[i]):
        if index not in names:
            names[index] = _new_id(groups[index], taken)
            taken.add(names[index])
    kept = set(names.values())
    redirects = {
        entity: names[_owner(list(votes), votes, None, groups)]
        for entity, votes in claims.items()
        if entity not in kept and votes
    }
    return [names[index] for index in range(len(groups))], redirects


def compress_redirects(*tables: Mapping[EntityId, EntityId]) -> dict[EntityId, EntityId]:
    """All redirects, later tables winning, each leading straight to its last id; ``DataError`` on a cycle.

    >>> compress_redirects({EntityId("a"): EntityId("b")}, {EntityId("b"): EntityId("c")})
    {'a': 'c', 'b': 'c'}
    """
    merged: dict[EntityId, EntityId] = {}
    for table in tables:
        merged.update(table)
    out: dict[EntityId, EntityId] = {}
    for start in sorted(merged):
        seen, current = {start}, merged[start]
        while current in merged:
            if current in seen:
                raise DataError(f"redirects run in a circle through {current}; undo the merge that made it")
            seen.add(current)
            current = merged[current]
        out[start] = current
    return out


def _owner(
    options: Sequence[int], votes: Counter[int], founding: int | None, groups: Sequence[Members]
) -> int:
    if founding is not None and founding in options:
        return founding
    return min(options, key=lambda index: (-votes[index], groups[index][0]))


def _new_id(records: Members, taken: set[EntityId]) -> EntityId:
    for record in records:
        if EntityId(record) not in taken:
            return EntityId(record)
    return EntityId(content_hash("entity", *records))
