"""One entity type in one change: which entities are resolved again, and how."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from canonicalize.features import Features, KeptRows
from canonicalize.joining import Joining
from canonicalize.nearby import Nearby
from canonicalize.one_type import (
    EXACT,
    Deciding,
    Outcome,
    Prepared,
    Together,
    link_units,
    prepare,
    type_features,
)
from canonicalize.short_forms import Elsewhere
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

    forms: set[str] = field(default_factory=set)
    """Normal forms of the names of ``fresh`` rows."""
    loose: set[int] = field(default_factory=set)
    """Units of which a decision was made or taken back."""
    joins: dict[int, int] = field(default_factory=dict)
    """New rows that have the name of one unit and of no other -> that unit."""

    def take_in(self, table: RecordColumns, known: Mapping[RecordId, EntityId]) -> None:
        """Add records and mark what they touch."""
        self.known = {record: known[record] for record in table.ids if record in known}
        prepared = prepare(table, self.schema, self.constraints, self.kind.acronyms)
        joins, shaken = Joining(self.kind, prepared, self._decided(), self.known).found()
        self._touch_by([row for row in range(len(table)) if row not in joins], prepared)
        self.entities |= shaken
        self._touch_about(sorted(unit for entity in shaken for unit in self.kind.units_of[entity]))
        first = len(self.kind.ids)
        self.kind.add_records(prepared.table)
        self.joins = {first + row: unit for row, unit in joins.items()}
        others = [row for row in range(len(table)) if row not in joins]
        self.fresh = [first + row for row in others]
        self.forms = {
            prepared.names.form(prepared.table.names[r], prepared.table.documents[r]) for r in others
        }
        self.forms |= {self.kind.normal.form(prepared.table.names[row]) for row in others}

    def _touch_by(self, rows: Sequence[int], new: Prepared) -> None:
        """Mark what some rows of the new table touch."""
        part, chosen = take(new.table, rows), set(rows)
        self.entities |= {e for record in part.ids if (e := self.known.get(record)) in self.kind.rank and e}
        self._touch(self.kind.units_named(part) | self._linked(set(part.ids)))
        self._touch(self.kind.units_worded(map(new.names.form, part.names)))
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
        unit = self.kind.unit_of[self.kind.row_of[record]]
        self.loose.add(unit)
        entity = self.kind.entity_of[unit]
        self._touch_about(sorted(self.kind.units_of[entity]) if entity is not None else [])

    def _touch_about(self, units: list[int]) -> None:
        self._touch(units)
        self._touch(self.kind.units_worded(form for unit in units for form in self.kind.name_forms(unit)))
        if units and self.kind.name_rows is not None:
            vectors = None if self.kind.unit_vectors is None else self.kind.unit_vectors.rows[units]
            self._touch(self._near(self.kind.name_rows.take(units), vectors))

    def run(self, deciding: Deciding) -> Done:
        """Resolve again all records of the touched entities; their ids so far are the prior ones."""
        rows = sorted(self.rows(), key=self.kind.ids.__getitem__)
        place = {row: at for at, row in enumerate(rows)}
        grown = self._grown()
        settled = {
            tuple(sorted(place[row] for row in (*self.kind.unit_rows[unit], *grown.get(unit, ())))): unit
            for unit in self._settled()
        }
        prepared = prepare(
            self.kind.table(rows), self.schema, self.constraints, self.kind.acronyms, settled=tuple(settled)
        )
        prepared = replace(prepared, kind=self.kind.kind, elsewhere=self._elsewhere())
        same = {at: settled[u.records] for at, u in enumerate(prepared.units) if u.records in settled}
        stays = {at: unit for at, unit in same.items() if unit not in grown}
        features = self._features(prepared, stays)
        prior = self._prior(deciding)
        outcome = link_units(
            prepared,
            features if prepared.searched else None,
            constraints=self.constraints,
            deciding=replace(deciding, entity_of=prior),
            together=self._together(stays),
        )
        taken = {
            EntityId(record): EntityId(record)
            for record in prepared.table.ids
            if EntityId(record) in self.kind.rank and EntityId(record) not in self.entities
        }
        return Done(self, outcome, features, PriorIds(entity_of=prior, redirects=taken), rows, stays)

    def _elsewhere(self) -> Elsewhere:
        """Names of the units that are not resolved again, by word."""
        again = {unit for entity in self.entities for unit in self.kind.units_of[entity]}

        def found(word: str) -> Iterator[str]:
            for unit in sorted(self.kind.by_word.get(word, set[int]()) - again):
                yield from sorted(self.kind.cased_forms(unit))

        return found

    def _prior(self, deciding: Deciding) -> dict[RecordId, EntityId]:
        """The entities of the records so far, the oldest record first."""
        by_age = sorted(self.entities, key=self.kind.rank.__getitem__)
        entity_of = {self.kind.ids[r]: e for e in by_age for r in self.kind.rows_in([e])}
        entity_of |= {record: entity for record, entity in self.known.items() if record not in entity_of}
        oldest = [record for record in deciding.entity_of if record in entity_of]
        return {record: entity_of[record] for record in dict.fromkeys([*oldest, *entity_of])}

    def _grown(self) -> dict[int, list[int]]:
        """Units of the touched entities that new rows join, and those."""
        grown: dict[int, list[int]] = {}
        for row, unit in self.joins.items():
            if self.kind.entity_of[unit] in self.entities:
                grown.setdefault(unit, []).append(row)
        return grown

    def _settled(self) -> list[int]:
        """Touched units that share no name, key or decision with other touched units or with new records."""
        kind = self.kind
        units = {unit for entity in self.entities for unit in kind.units_of[entity]}
        loose = self.loose | {kind.unit_of[row] for row in self.gone}
        loose |= {kind.unit_of[row] for r in self._decided() if (row := kind.row_of.get(r)) is not None}
        names = {unit: kind.name_forms(unit) for unit in units}
        shared = Counter(form for forms in names.values() for form in forms)
        shared.update(dict.fromkeys(self.forms, 2))
        keys = {key for row in self.fresh for key in kind.keys[row]}
        return [
            unit
            for unit in sorted(units - loose)
            if all(shared[form] == 1 for form in names[unit])
            and all(key not in keys and len(kind.by_key[key] & units) == 1 for key in kind.unit_keys(unit))
        ]

    def _together(self, stays: Mapping[int, int]) -> Together:
        """Units of one entity that did not change: what could forbid it was looked at then."""
        home = {at: self.kind.entity_of[unit] for at, unit in stays.items()}
        return lambda a, b: a in home and b in home and home[a] == home[b]

    def keep_joins(self) -> Iterator[tuple[Group, MergeProposal]]:
        """Put the rows that only join into their units: each entity as it is now, and why."""
        kind, grown = self.kind, dict[EntityId, int]()
        for row, unit in self.joins.items():
            if self.kind.unit_of[row] < 0:  # else it was resolved again with the entity
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
        again = [row for rows in self._grown().values() for row in rows]
        return [row for row in self.kind.rows_in(self.entities) if row not in self.gone] + self.fresh + again

    def _features(self, prepared: Prepared, stays: Mapping[int, int] | None = None) -> Features | None:
        """Features of the units; ``stays`` are units that have their rows already."""
        known, rows = self.kind.vocabulary, self.kind.name_rows
        if known is None or rows is None or not prepared.units:
            return None
        if not stays:
            return type_features(prepared, known)
        units = np.array(sorted(stays), dtype=np.int64)
        old = [stays[at] for at in units.tolist()]
        vectors = None if self.kind.unit_vectors is None else self.kind.unit_vectors.rows[old]
        return type_features(prepared, KeptRows(known, units, rows.take(old), vectors))

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
    rows: Sequence[int]
    """Row of the state for each row of the outcome's table."""
    stays: Mapping[int, int]
    """Unit of the outcome -> unit of the state that it is."""

    def keep(self, entity_of: dict[RecordId, EntityId]) -> None:
        """Put the new units in the place of the old."""
        kind, ids, units = self.step.kind, self.outcome.table.ids, self.outcome.units
        homes = [entity_of[ids[unit.records[0]]] for unit in units]
        before = {unit for entity in self.step.entities for unit in kind.units_of[entity]}
        for unit in before - set(self.stays.values()):
            kind.drop_unit(unit)
        kind.drop_records(self.step.gone)
        for at, unit in self.stays.items():
            kind.move_unit(unit, homes[at])
        fresh = [at for at in range(len(units)) if at not in self.stays]
        for at in fresh:
            kind.add_unit(tuple(self.rows[row] for row in units[at].records), homes[at])
        kind.forget_entities(self.step.entities)
        if self.features is not None and kind.name_rows is not None:
            kind.name_rows.append(self.features.names[fresh])
            if kind.unit_vectors is not None and self.features.vectors is not None:
                kind.unit_vectors.append(self.features.vectors[fresh])
