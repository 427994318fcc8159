"""One entity type in one change: which entities are resolved again, and how."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from canonicalize.features import Features
from canonicalize.joining import Joining
from canonicalize.nearby import Nearby
from canonicalize.one_type import EXACT, Deciding, Outcome, Prepared, link_units, prepare, type_features
from canonicalize.state import TypeState
from canonicalize.tables import take
from schemas.graph_schema import GraphSchema
from schemas.graphs import RecordColumns
from schemas.ids import EntityId, RecordId
from schemas.review import Constraints, Feature, Group, MergeProposal, PriorIds


@dataclass(slots=True)
class Step:
    """One type in one change: the entities to resolve again, and rows that are new or go."""

    kind: TypeState
    schema: GraphSchema
    constraints: Constraints
    margin: float = 0.0
    """How far below the type's threshold clusters are proposed."""
    entities: set[EntityId] = field(default_factory=set)
    fresh: list[int] = field(default_factory=list)
    gone: set[int] = field(default_factory=set)
    known: dict[RecordId, EntityId] = field(default_factory=dict)
    """Entities that the new records were in before."""

    joins: dict[int, int] = field(default_factory=dict)
    """New rows that only join a unit of their name -> that unit; their entities are not resolved again."""

    def take_in(self, table: RecordColumns, known: Mapping[RecordId, EntityId]) -> None:
        """Add records and mark what they touch."""
        self.known = {record: known[record] for record in table.ids if record in known}
        prepared = prepare(table, self.schema, self.constraints, self.kind.acronyms)
        joins = Joining(self.kind, prepared, self._decided(), self.known).found()
        self._touch_by([row for row in range(len(table)) if row not in joins], prepared)
        first = len(self.kind.ids)
        self.kind.add_records(prepared.table)
        for row in range(len(table)):
            unit = joins.get(row)
            if unit is None or self.kind.entity_of[unit] in self.entities:
                self.fresh.append(first + row)
            else:
                self.joins[first + row] = unit

    def _touch_by(self, rows: Sequence[int], new: Prepared) -> None:
        """Mark what some rows of the new table touch."""
        part, chosen = take(new.table, rows), set(rows)
        self.entities |= {e for record in part.ids if (e := self.known.get(record)) in self.kind.rank and e}
        self._touch(self.kind.units_named(part) | self._linked(set(part.ids)))
        features = self._features(
            replace(new, units=[unit for unit in new.units if not chosen.isdisjoint(unit.records)])
        )
        if features is not None:
            self._touch_near(features)

    def _touch_near(self, features: Features) -> None:
        """Mark what new units are near to, and what that is near to: they shift the average of an entity."""
        reached = {e for u in self._near(features.names, features.vectors) if (e := self.kind.entity_of[u])}
        self.entities |= reached
        self._touch_about(sorted(unit for entity in reached for unit in self.kind.units_of[entity]))

    def take_out(self) -> None:
        """Mark what loses records, and what those units are near to: a document that is gone parts nobody."""
        self._touch_about(sorted({self.kind.unit_of[row] for row in self.gone}))

    def mark(self, record: RecordId) -> None:
        """Mark the entity of a known record, and what its units are near to."""
        entity = self.kind.entity_of[self.kind.unit_of[self.kind.row_of[record]]]
        self._touch_about(sorted(self.kind.units_of[entity]) if entity is not None else [])

    def _touch_about(self, units: list[int]) -> None:
        self._touch(units)
        if units and self.kind.name_rows is not None:
            vectors = None if self.kind.unit_vectors is None else self.kind.unit_vectors.rows[units]
            self._touch(self._near(self.kind.name_rows.take(units), vectors))

    def run(self, deciding: Deciding) -> Done:
        """Resolve again all records of the touched entities; their ids so far are the prior ones."""
        prepared = prepare(self.kind.table(self.rows()), self.schema, self.constraints, self.kind.acronyms)
        features = self._features(prepared)
        used = features if prepared.searched else None
        by_age = sorted(self.entities, key=self.kind.rank.__getitem__)
        entity_of = {self.kind.ids[r]: e for e in by_age for r in self.kind.rows_in([e])}
        entity_of |= {record: entity for record, entity in self.known.items() if record not in entity_of}
        oldest = [record for record in deciding.entity_of if record in entity_of]
        entity_of = {record: entity_of[record] for record in dict.fromkeys([*oldest, *entity_of])}
        deciding = replace(deciding, entity_of=entity_of)
        outcome = link_units(prepared, used, constraints=self.constraints, deciding=deciding)
        taken = {
            EntityId(record): EntityId(record)
            for record in prepared.table.ids
            if EntityId(record) in self.kind.rank and EntityId(record) not in self.entities
        }
        return Done(self, outcome, features, PriorIds(entity_of=entity_of, redirects=taken))

    def keep_joins(self) -> Iterator[tuple[Group, MergeProposal]]:
        """Put the rows that only join into their units: each entity as it is now, and why."""
        kind, grown = self.kind, dict[EntityId, int]()
        for row, unit in self.joins.items():
            entity = kind.join(row, unit)
            grown[entity] = grown.get(entity, 0) + 1
        for entity, count in grown.items():
            records = tuple(sorted(kind.ids[row] for row in kind.rows_in([entity])))
            yield (
                Group(id=entity, type=kind.kind.name, records=records),
                MergeProposal(
                    records=records,
                    type=kind.kind.name,
                    score=1.0,
                    features=(Feature(name="same_name", value=count),),
                    judge=EXACT,
                ),
            )

    def rows(self) -> list[int]:
        """Rows of the records to resolve again, while the touched entities still stand."""
        return [row for row in self.kind.rows_in(self.entities) if row not in self.gone] + self.fresh

    def _features(self, prepared: Prepared) -> Features | None:
        known = self.kind.vocabulary
        return None if known is None or not prepared.units else type_features(prepared, known)

    def _touch(self, units: Iterable[int]) -> None:
        found = (self.kind.entity_of[unit] for unit in units)
        self.entities |= {entity for entity in found if entity is not None}

    def _decided(self) -> set[RecordId]:
        """Records that reviewers linked with others or kept from them."""
        links = (*self.constraints.must_link, *self.constraints.cannot_link)
        return {record for link in links for record in link[:2]}

    def _linked(self, records: set[RecordId]) -> set[int]:
        """Units of records that a reviewer linked with one of ``records``."""
        ends = (pair[:2] for pair in self.constraints.must_link)
        other = {b if a in records else a for a, b in ends if (a in records) != (b in records)}
        return {self.kind.unit_of[self.kind.row_of[r]] for r in other if r in self.kind.row_of}

    def _near(self, names: Any, vectors: NDArray[np.float32] | None) -> list[int]:
        """Units that score at least what clusters are proposed at with one of these rows."""
        if self.kind.name_rows is None:
            return []
        rules, known = self.kind.kind.canonicalization, self.kind.unit_vectors
        compared = vectors is not None and known is not None
        nearby = Nearby(
            self.kind.name_rows,
            None if known is None else known.rows,
            rules.name_weight if compared else 1.0,
            max(0.0, rules.threshold - self.margin),
        )
        return [int(unit) for unit in nearby.units(names, vectors)]


@dataclass(frozen=True, slots=True)
class Done:
    """A type resolved again; nothing is changed before all types are."""

    step: Step
    outcome: Outcome
    features: Features | None
    prior: PriorIds

    def keep(self, entity_of: dict[RecordId, EntityId]) -> None:
        """Put the new units in the place of the old."""
        kind, ids = self.step.kind, self.outcome.table.ids
        place = {kind.ids[row]: row for row in self.step.rows()}
        kind.drop_entities(self.step.entities)
        kind.drop_records(self.step.gone)
        for unit in self.outcome.units:
            rows = tuple(place[ids[row]] for row in unit.records)
            kind.add_unit(rows, entity_of[ids[unit.records[0]]])
        if self.features is not None and kind.name_rows is not None:
            kind.name_rows.append(self.features.names)
            if kind.unit_vectors is not None and self.features.vectors is not None:
                kind.unit_vectors.append(self.features.vectors)
