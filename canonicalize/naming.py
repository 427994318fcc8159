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

    A record founds the id that it is called by, and a group is named by its oldest record: so the same
    partition always has the same ids, an id that vanished is taken up again by the group that holds its
    founding record, and a redirect leads to that group as long as there is none. Records that ``prior``
    does not know are younger than those that it does, in the order of their ids. A prior id whose founding
    record is gone stays with most of its records (ties: smallest record); one all of whose records are
    gone is left as it is.
    """
    group_of = {record: index for index, records in enumerate(groups) for record in records}
    orphans = _orphans(prior, group_of)
    names = _oldest(groups, prior, orphans)
    kept, redirects = set(names), dict[EntityId, EntityId]()
    for entity in dict.fromkeys((*prior.entity_of.values(), *prior.redirects)):
        index = group_of.get(RecordId(entity), orphans.get(entity))
        if entity in kept or index is None or prior.redirects.get(entity) == entity:
            continue
        if prior.redirects.get(entity) != names[index]:
            redirects[entity] = names[index]
    return names, redirects


def _orphans(prior: PriorIds, group_of: Mapping[RecordId, int]) -> dict[EntityId, int]:
    """The group with most records of each prior id without its founding record, oldest id first."""
    claims: dict[EntityId, Counter[int]] = {}
    smallest: dict[int, RecordId] = {}
    for record, entity in prior.entity_of.items():
        if record in group_of and RecordId(entity) not in group_of:
            index = group_of[record]
            claims.setdefault(entity, Counter())[index] += 1
            smallest[index] = min(record, smallest.get(index, record))
    return {
        entity: min(votes, key=lambda index, votes=votes: (-votes[index], smallest[index]))  # type: ignore[misc]
        for entity, votes in claims.items()
    }


def _oldest(groups: Sequence[Members], prior: PriorIds, orphans: Mapping[EntityId, int]) -> list[EntityId]:
    """The oldest id that each group has a claim to; a hash of its records where all are in use elsewhere."""
    age = {record: at for at, record in enumerate(prior.entity_of)}
    in_use = {old for old, new in prior.redirects.items() if old == new}
    claims: dict[int, tuple[int, EntityId]] = {}
    for record, entity in prior.entity_of.items():
        if entity in orphans:
            claim = age.get(RecordId(entity), age[record]), entity
            claims[orphans[entity]] = min(claim, claims.get(orphans[entity], claim))
    names: list[EntityId] = []
    for index, records in enumerate(groups):
        free = (EntityId(r) for r in records if EntityId(r) not in in_use)
        own = min(((age.get(RecordId(r), len(age)), r) for r in free), default=None)
        orphan = claims.get(index)
        if orphan is not None and (own is None or orphan[0] <= own[0]):
            names.append(orphan[1])
        else:
            names.append(own[1] if own else EntityId(content_hash("entity", *records)))
    return names


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
