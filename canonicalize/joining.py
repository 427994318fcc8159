"""New records that only repeat a name: each joins the unit of that name, and nothing else changes.

Most records of a new document say what others said before. Where a full resolution would put such a record
into one unit by name alone, and the entity of that unit stays what it is, no similarity is looked at.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass

from canonicalize.one_type import Prepared
from canonicalize.pair_rules import name_veto
from canonicalize.state import TypeState
from schemas.ids import EntityId, RecordId

STEADY = 0.99
"""Least cosine of a unit's vector with the one before a record joined, for its entity to stay as it is."""


@dataclass(frozen=True, slots=True)
class Joining:
    """Finds the records of one new table that only join a unit."""

    kind: TypeState
    new: Prepared
    linked: Set[RecordId]
    """Records of which reviewers decided something: similarity and links decide on those."""
    known: Mapping[RecordId, EntityId]
    """Entities in which the new records were before."""

    def found(self) -> tuple[dict[int, int], set[EntityId]]:
        """Row of the new table -> the unit that it joins; and the entities that do not stay as they are."""
        by_entity: dict[EntityId, dict[int, int]] = defaultdict(dict)
        for row in range(len(self.new.table)):
            unit = self._unit(row)
            entity = None if unit is None else self.kind.entity_of[unit]
            if unit is not None and entity is not None and self._may_join(row, entity):
                by_entity[entity][row] = unit
        shaken = {entity for entity, joins in by_entity.items() if not self._stays(entity, joins)}
        return {row: unit for joins in by_entity.values() for row, unit in joins.items()}, shaken

    def _unit(self, row: int) -> int | None:
        """The only unit with the record's normal form, if it has the form as a name and no veto forbids."""
        table, names = self.new.table, self.new.names
        form = names.form(table.names[row], table.documents[row])
        if not form or names.is_generic(form) or table.keys[row]:
            return None
        named = [unit for unit in self.kind.by_form.get(form, ()) if form in self.kind.name_forms(unit)]
        said = self.kind.forms([table.names[row], *table.aliases[row]])
        if len(named) != 1 or not said.issubset(self.kind.unit_forms[named[0]]):
            return None
        return named[0] if self._no_veto(row, {named[0]}) else None

    def _may_join(self, row: int, entity: EntityId) -> bool:
        """Whether no decision and no id of the past speaks of the record."""
        record = self.new.table.ids[row]
        founder = EntityId(record) in self.kind.rank
        return record not in self.linked and not founder and self.known.get(record, entity) == entity

    def _stays(self, entity: EntityId, joins: Mapping[int, int]) -> bool:
        """Whether the entity is what it was once the records are in their units."""
        units = self.kind.units_of[entity]
        return (
            self._apart(units, joins)
            and all(self._no_veto(row, units) for row in joins)
            and all(self._steady(unit, [r for r, u in joins.items() if u == unit]) for unit in joins.values())
        )

    def _apart(self, units: Set[int], joins: Mapping[int, int]) -> bool:
        """Whether no document then has records in two units of the entity."""
        homes: dict[str, set[int]] = defaultdict(set)
        for row, unit in joins.items():
            document = self.new.table.documents[row]
            before = {self.kind.unit_of[r] for r in self.kind.by_document.get(document, ())}
            homes[document] |= {unit, *(before & units)}
        return all(len(found) == 1 for found in homes.values())

    def _no_veto(self, row: int, units: Set[int]) -> bool:
        """Whether the record's spelling goes with every other of the entity."""
        name = self.new.table.names[row]
        spelled = {other for unit in units for other in self.kind.unit_names(unit)}
        return name in spelled or not any(name_veto(name, other, self.new.names) for other in sorted(spelled))

    def _steady(self, unit: int, rows: Sequence[int]) -> bool:
        """Whether the unit's vector hardly turns."""
        if self.kind.unit_vectors is None or self.new.table.vectors is None:
            return True
        before = self.kind.unit_vectors.rows[unit]
        after = self.kind.mean_with(unit, self.new.table.vectors[list(rows)])
        return bool(float(before @ after) >= STEADY or not (before.any() or after.any()))
