"""Resolve only what a new or a removed document touches.

The state of a full resolution is kept. A document's records are compared with all units; the entities of
those that are near enough, and of those with an equal name or key, are resolved again together with the
new records, by the same stages as in a full run. All other entities stay as they are. What a full run
would change further away, and weights of n-grams that shift, are left to the next full run.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace

from canonicalize.features import Features
from canonicalize.one_type import (
    Deciding,
    Outcome,
    Prepared,
    link_units,
    prepare,
    type_features,
    with_fitting_threshold,
)
from canonicalize.resolve import as_resolution
from canonicalize.state import TypeState
from canonicalize.state_start import state_of_type
from canonicalize.tables import check_tables
from canonicalize.touched import Step
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
    redirected: set[EntityId] = field(default_factory=set)
    """Ids of which the redirect changed since the state was saved."""
    base: str = ""
    """The saved state that this one goes on from, and how many changes of it are on disk."""
    changes: int = 0

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
    grown: tuple[EntityId, ...] = ()
    """Entities of the resolution that were not resolved again: they have more records of their names."""

    joined: int = 0
    """How many records those were."""

    @property
    def records(self) -> int:
        """How many records were resolved."""
        again = (g.records for g in self.resolution.groups if g.id not in self.grown)
        return self.joined + sum(map(len, again))


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
        prepared = with_fitting_threshold(prepared, used, constraints, deciding)
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
    steps = {
        name: Step(kind, state.schema, constraints or Constraints(), deciding.policy.margin)
        for name, kind in state.types.items()
    }
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
    return _resolve_again([s for s in steps.values() if s.entities or s.fresh or s.joins], state, deciding)


def _rows_of(steps: Collection[Step], documents: Iterable[str]) -> list[tuple[Step, set[int]]]:
    """The rows of some documents, which all have some."""
    found: list[tuple[Step, set[int]]] = []
    for document in sorted(set(documents)):
        rows = [(s, s.kind.by_document[document]) for s in steps if s.kind.by_document.get(document)]
        if not rows:
            raise DataError(
                f"expected a document with records, found none of {document}; name one that was resolved"
            )
        found += rows
    return found


def _owned(steps: Collection[Step], records: Iterable[RecordId]) -> list[tuple[Step, RecordId]]:
    """Some records, which all are in the state, with the step of their type."""
    found: list[tuple[Step, RecordId]] = []
    for record in sorted(set(records)):
        owner = next((step for step in steps if record in step.kind.row_of), None)
        if owner is None:
            raise DataError(f"expected records that are resolved, found {record}; add its document first")
        found.append((owner, record))
    return found


def _resolve_again(steps: Sequence[Step], state: State, deciding: Deciding) -> Change:
    done = [step.run(deciding) for step in steps if step.entities or step.fresh]
    entity_of = {record: entity for d in done for record, entity in d.prior.entity_of.items()}
    taken = {old: new for d in done for old, new in d.prior.redirects.items()}
    prior = PriorIds(entity_of=entity_of, redirects={**taken, **state.redirects})
    resolution = as_resolution([d.outcome for d in done], prior)
    now = {record: group.id for group in resolution.groups for record in group.records}
    for d in done:
        d.keep(now)
    state.redirects.update(resolution.redirects)
    state.redirected.update(resolution.redirects, (group.id for group in resolution.groups))
    for group in resolution.groups:
        state.redirects.pop(group.id, None)
    grown = [found for step in steps for found in step.keep_joins()]
    return Change(
        resolution=resolution.model_copy(
            update={
                "groups": tuple(sorted((*resolution.groups, *(g for g, _ in grown)), key=lambda g: g.id)),
                "proposals": (*resolution.proposals, *(p for _, p in grown)),
            }
        ),
        replaced=tuple(sorted({e for step in steps for e in step.entities})),
        grown=tuple(sorted(group.id for group, _ in grown)),
        joined=sum(int(feature.value) for _, proposal in grown for feature in proposal.features),
    )


def _check_new(step: Step | None, table: RecordColumns, state: State) -> None:
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
