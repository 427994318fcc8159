"""Resolve only what a new or a removed document touches.

The state of a full resolution is kept. A document's records are compared with all units; the entities of
those that are near enough, and of those with an equal name or key, are resolved again together with the
new records, by the same stages as in a full run. All other entities stay as they are. What a full run
would change further away, and weights of n-grams that shift, are left to the next full run.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from canonicalize.candidates import NEIGHBOURS
from canonicalize.features import Features
from canonicalize.neighbours import best_columns, best_products
from canonicalize.one_type import Deciding, Outcome, Prepared, link_units, prepare, type_features
from canonicalize.resolve import as_resolution
from canonicalize.state import TypeState
from canonicalize.state_start import state_of_type
from canonicalize.tables import check_tables
from schemas.errors import DataError
from schemas.graph_schema import GraphSchema
from schemas.graphs import RecordColumns
from schemas.ids import EntityId, RecordId
from schemas.review import Constraints, PriorIds, Resolution


@dataclass(slots=True)
class State:
    """What a resolution is continued from, by entity type; every change is made in place."""

    schema: GraphSchema
    types: dict[str, TypeState]
    redirects: dict[EntityId, EntityId] = field(default_factory=dict)

    def entity_of(self) -> dict[RecordId, EntityId]:
        """Every record and its entity."""
        return {
            state.ids[row]: entity
            for state in self.types.values()
            for entity, units in state.units_of.items()
            for unit in units
            for row in state.unit_rows[unit]
        }


@dataclass(frozen=True, slots=True)
class Change:
    """What a document changed: the entities that were resolved again, as they are now.

    ``replaced`` are the ids of the entities that were resolved again, as they were before; those that
    neither live on nor are redirected lost all their records.
    """

    resolution: Resolution
    replaced: tuple[EntityId, ...]


def start(
    tables: Sequence[RecordColumns],
    schema: GraphSchema,
    *,
    constraints: Constraints | None = None,
    prior: PriorIds | None = None,
    deciding: Deciding | None = None,
) -> tuple[Resolution, State]:
    """A full resolution, as ``canonicalize.resolve.resolve`` makes it, and the state to continue from."""
    check_tables(tables)
    constraints = constraints or Constraints()
    prior = prior or PriorIds()
    deciding = replace(deciding or Deciding(), entity_of=prior.entity_of)
    made: list[tuple[Prepared, Features | None, Outcome]] = []
    for table in sorted(tables, key=lambda t: t.type):
        kind = schema.entity(table.type)
        prepared = prepare(table, schema, constraints)
        features = type_features(prepared) if kind.canonicalization.similarity else None
        used = features if prepared.searched else None
        outcome = link_units(prepared, used, constraints=constraints, deciding=deciding)
        made.append((prepared, features, outcome))
    resolution = as_resolution([outcome for _, _, outcome in made], prior)
    entity_of = {record: group.id for group in resolution.groups for record in group.records}
    ages = list(dict.fromkeys([*prior.entity_of.values(), *(g.id for g in resolution.groups)]))
    rank = {entity: age for age, entity in enumerate(ages)}
    types = {p.table.type: state_of_type(p, f, entity_of, rank, schema) for p, f, _ in made}
    return resolution, State(schema, types, {**prior.redirects, **resolution.redirects})


def add(
    state: State,
    tables: Sequence[RecordColumns],
    *,
    constraints: Constraints | None = None,
    deciding: Deciding | None = None,
) -> Change:
    """Resolve new records, at most one table per entity type, and what they touch; see ``update``."""
    return update(state, tables, constraints=constraints, deciding=deciding)


def remove(
    state: State,
    documents: Iterable[str],
    *,
    constraints: Constraints | None = None,
    deciding: Deciding | None = None,
) -> Change:
    """Take out all records of some documents, and resolve again the entities that they were in.

    Raises ``DataError`` for a document without records in the state.
    """
    return update(state, documents=documents, constraints=constraints, deciding=deciding)


def relink(
    state: State, records: Iterable[RecordId], *, constraints: Constraints, deciding: Deciding | None = None
) -> Change:
    """Resolve again the entities of some records, after a reviewer linked them or took a link back.

    Raises ``DataError`` for a record that the state does not have.
    """
    return update(state, records=records, constraints=constraints, deciding=deciding)


def update(
    state: State,
    tables: Sequence[RecordColumns] = (),
    *,
    documents: Iterable[str] = (),
    records: Iterable[RecordId] = (),
    constraints: Constraints | None = None,
    deciding: Deciding | None = None,
) -> Change:
    """Take out ``documents``, add ``tables``, and resolve again with all that they or ``records`` touch.

    A document that changed is taken out and its new records are in the tables: they may have the ids of
    the old ones. ``constraints`` are all links in force, as for a full resolution; those between records
    that nothing here touches have no effect. ``deciding.entity_of`` says which entities the new records were
    in when they were last resolved.

    Raises ``DataError`` for a new record that is resolved already, a document or record without a place in
    the state, a type that the state does not have, or vectors of another dimension, before anything is
    changed. After an error of the judge the state is not to be used again.
    """
    check_tables(tables)
    deciding = deciding or Deciding()
    steps = {name: _Step(kind, state, constraints or Constraints()) for name, kind in state.types.items()}
    for step, rows in _rows_of(steps.values(), documents):
        step.gone |= rows
    marked = _owned(steps.values(), records)
    for table in tables:
        _check_new(steps.get(table.type), table, state)
    for step in steps.values():
        step.take_out()
    for step, record in marked:
        step.mark(record)
    for table in tables:
        steps[table.type].take_in(table, deciding.entity_of)
    return _resolve_again([s for s in steps.values() if s.entities or s.fresh], state, deciding)


def _rows_of(steps: Collection[_Step], documents: Iterable[str]) -> list[tuple[_Step, set[int]]]:
    """The rows of some documents, which all have some."""
    found: list[tuple[_Step, set[int]]] = []
    for document in sorted(set(documents)):
        rows = [(s, s.kind.by_document[document]) for s in steps if s.kind.by_document.get(document)]
        if not rows:
            raise DataError(
                f"expected a document with records, found none of {document}; name one that was resolved"
            )
        found += rows
    return found


def _owned(steps: Collection[_Step], records: Iterable[RecordId]) -> list[tuple[_Step, RecordId]]:
    """Some records, which all are in the state, with the step of their type."""
    found: list[tuple[_Step, RecordId]] = []
    for record in sorted(set(records)):
        owner = next((step for step in steps if record in step.kind.row_of), None)
        if owner is None:
            raise DataError(f"expected records that are resolved, found {record}; add its document first")
        found.append((owner, record))
    return found


@dataclass(slots=True)
class _Step:
    """One type in one change: the entities to resolve again, and rows that are new or go."""

    kind: TypeState
    state: State
    constraints: Constraints
    entities: set[EntityId] = field(default_factory=set)
    fresh: list[int] = field(default_factory=list)
    gone: set[int] = field(default_factory=set)
    known: dict[RecordId, EntityId] = field(default_factory=dict)
    """Entities that the new records were in before."""

    def take_in(self, table: RecordColumns, known: Mapping[RecordId, EntityId]) -> None:
        """Add records and mark what they touch."""
        self.known = {record: known[record] for record in table.ids if record in known}
        self.entities |= {entity for entity in self.known.values() if entity in self.kind.rank}
        prepared = prepare(table, self.state.schema, self.constraints, self.kind.acronyms)
        self._touch(self.kind.units_named(table) | self._linked(set(table.ids)))
        features = self._features(prepared)
        if features is not None:
            self._touch_near(features)
        first = len(self.kind.ids)
        self.kind.add_records(prepared.table)
        self.fresh = list(range(first, len(self.kind.ids)))

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

    def run(self, deciding: Deciding) -> _Done:
        """Resolve again all records of the touched entities; their ids so far are the prior ones."""
        prepared = prepare(
            self.kind.table(self.rows()), self.state.schema, self.constraints, self.kind.acronyms
        )
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
        return _Done(self, outcome, features, PriorIds(entity_of=entity_of, redirects=taken))

    def rows(self) -> list[int]:
        """Rows of the records to resolve again, while the touched entities still stand."""
        return [row for row in self.kind.rows_in(self.entities) if row not in self.gone] + self.fresh

    def _features(self, prepared: Prepared) -> Features | None:
        known = self.kind.vocabulary
        return None if known is None or not prepared.units else type_features(prepared, known)

    def _touch(self, units: Iterable[int]) -> None:
        found = (self.kind.entity_of[unit] for unit in units)
        self.entities |= {entity for entity in found if entity is not None}

    def _linked(self, records: set[RecordId]) -> set[int]:
        """Units of records that a reviewer linked with one of ``records``."""
        ends = (pair[:2] for pair in self.constraints.must_link)
        other = {b if a in records else a for a, b in ends if (a in records) != (b in records)}
        return {self.kind.unit_of[self.kind.row_of[r]] for r in other if r in self.kind.row_of}

    def _near(self, names: Any, vectors: NDArray[np.float32] | None) -> set[int]:
        """Units that score at least the threshold with one of these rows."""
        if self.kind.name_rows is None:
            return set()
        rules = self.kind.kind.canonicalization
        weight = 1.0 if vectors is None else rules.name_weight
        near: set[int] = set()
        for start in range(0, names.shape[0], 64):
            part = slice(start, start + 64)
            found = best_products(names[part], self.kind.name_rows.parts(), count=4 * NEIGHBOURS)
            near |= _reaching(found, self._cosines(vectors, part), weight, rules.threshold)
        return near

    def _cosines(self, vectors: NDArray[np.float32] | None, part: slice) -> NDArray[np.float32] | None:
        if vectors is None or self.kind.unit_vectors is None:
            return None
        cosines: NDArray[np.float32] = vectors[part] @ self.kind.unit_vectors.rows.T
        return cosines


@dataclass(frozen=True, slots=True)
class _Done:
    """A type resolved again; nothing is changed before all types are."""

    step: _Step
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


def _resolve_again(steps: Sequence[_Step], state: State, deciding: Deciding) -> Change:
    done = [step.run(deciding) for step in steps]
    entity_of = {record: entity for d in done for record, entity in d.prior.entity_of.items()}
    taken = {old: new for d in done for old, new in d.prior.redirects.items()}
    prior = PriorIds(entity_of=entity_of, redirects={**taken, **state.redirects})
    resolution = as_resolution([d.outcome for d in done], prior)
    now = {record: group.id for group in resolution.groups for record in group.records}
    for d in done:
        d.keep(now)
    state.redirects.update(resolution.redirects)
    for group in resolution.groups:
        state.redirects.pop(group.id, None)
    return Change(resolution, tuple(sorted({e for step in steps for e in step.entities})))


def _reaching(
    names: tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float32]],
    cosines: NDArray[np.float32] | None,
    weight: float,
    threshold: float,
) -> set[int]:
    """Units of which a query's weighted score reaches the threshold."""
    query, unit, name = names
    if cosines is None:
        return set(unit[weight * name >= threshold].tolist())
    score = weight * name + (1 - weight) * cosines[query, unit]
    found = set(unit[score >= threshold].tolist())
    if (1 - weight) >= threshold:
        found |= set(best_columns(cosines, least=threshold / (1 - weight), count=NEIGHBOURS).tolist())
    return found


def _check_new(step: _Step | None, table: RecordColumns, state: State) -> None:
    if step is None:
        raise DataError(
            f"expected records of {', '.join(state.types)}, found {table.type}; resolve in full instead"
        )
    kind = step.kind
    rows = ((record, kind.row_of[record]) for record in table.ids if record in kind.row_of)
    found = next((record for record, row in rows if row not in step.gone), None)
    if found is not None:
        raise DataError(f"expected new records, found {found}, which is resolved; remove its document first")
    known_width = None if kind.vectors is None else kind.vectors.rows.shape[1]
    width = None if table.vectors is None else table.vectors.shape[1]
    if width != known_width:
        raise DataError(
            f"table {table.type}: expected vectors of dimension {known_width}, found {width};"
            " embed with the model of the full resolution"
        )
