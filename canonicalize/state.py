"""What is kept of a resolution, so that one more document need not resolve all of them again."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from canonicalize.features import Vocabulary, write_out
from canonicalize.normal_forms import NormalForms
from canonicalize.short_forms import MOST, in_case, words_of
from schemas.errors import DataError
from schemas.graph_schema import EntityType
from schemas.graphs import RecordColumns
from schemas.ids import DocumentKey, EntityId, RecordId
from schemas.model import AttributeValue


@dataclass(slots=True)
class GrowingRows:
    """A matrix to which rows are added at the end, now and then without copying what is there."""

    buffer: NDArray[np.float32]
    count: int

    @property
    def rows(self) -> NDArray[np.float32]:
        """All rows so far."""
        return self.buffer[: self.count]

    def append(self, rows: NDArray[np.float32]) -> None:
        """Add rows (n, dimension) of the same dimension."""
        needed = self.count + len(rows)
        if needed > len(self.buffer) or not self.buffer.flags.writeable:
            larger = np.zeros((needed + needed // 4, self.buffer.shape[1]), dtype=np.float32)
            larger[: self.count] = self.rows
            self.buffer = larger
        self.buffer[self.count : needed] = rows
        self.count = needed


@dataclass(slots=True)
class UnitRows:
    """TF-IDF rows of all units ever: most in one matrix that is ready to be searched, the latest apart."""

    base: Any
    latest: Any
    columns: Any = None
    """The base transposed, made at the first search."""

    def __len__(self) -> int:
        return int(self.base.shape[0] + self.latest.shape[0])

    def append(self, rows: Any) -> None:
        """Add rows; when many are new, they join the base."""
        from scipy import sparse

        width = rows.shape[1]
        self.latest.resize((self.latest.shape[0], width))
        self.latest = sparse.vstack([self.latest, rows], format="csr")
        if self.latest.shape[0] > max(2_000, self.base.shape[0] // 20):
            self.base.resize((self.base.shape[0], width))
            self.base = sparse.vstack([self.base, self.latest], format="csr")
            self.latest = sparse.csr_matrix((0, width), dtype=np.float32)
            self.columns = None

    def parts(self) -> list[tuple[int, Any]]:
        """The first unit of each part and the part transposed, (n_columns, n_units) with its own columns."""
        if self.columns is None:
            self.columns = self.base.T.tocsr()
        return [(0, self.columns), (self.base.shape[0], self.latest.T.tocsr())]

    def take(self, units: Sequence[int]) -> Any:
        """The rows of some units, in that order, as one CSR matrix."""
        from scipy import sparse

        first = self.base.shape[0]
        chosen = np.asarray(units, dtype=np.int64)
        parts = [self.base[chosen[chosen < first]], self.latest[chosen[chosen >= first] - first]]
        width = max(part.shape[1] for part in parts)
        for part in parts:
            part.resize((part.shape[0], width))
        if not parts[1].shape[0]:
            return parts[0]
        order = np.concatenate([np.flatnonzero(chosen < first), np.flatnonzero(chosen >= first)])
        return sparse.vstack(parts, format="csr")[np.argsort(order)]


@dataclass(slots=True)
class Saved:
    """How far a type is on disk, and what changed in that part since."""

    rows: int = 0
    units: int = 0
    ngrams: int = 0
    units_changed: set[int] = field(default_factory=set)
    rows_gone: set[int] = field(default_factory=set)
    entities: set[EntityId] = field(default_factory=set)
    """Those that are new or no more."""


@dataclass(slots=True)
class TypeState:
    """One entity type: its records, units and entities. Rows and units are numbered and never renumbered.

    ``unit_of`` is -1 for a row whose record is gone, ``entity_of`` is None for a unit that is no more.
    """

    kind: EntityType
    normal: NormalForms
    """How names are normalised, without the acronyms of documents."""
    acronyms: dict[str, str]
    """Those that had one meaning in all documents of the full resolution."""
    ids: list[RecordId]
    documents: list[DocumentKey]
    names: list[str]
    descriptions: list[str]
    aliases: list[tuple[str, ...]]
    keys: list[tuple[str, ...]]
    attributes: dict[str, list[AttributeValue | None]]
    vectors: GrowingRows | None
    unit_of: list[int]
    unit_rows: list[tuple[int, ...]]
    entity_of: list[EntityId | None]
    vocabulary: Vocabulary | None
    """None for a type that similarity does not merge."""
    name_rows: UnitRows | None
    unit_vectors: GrowingRows | None
    unit_forms: list[tuple[str, ...]]
    """Normal forms of each unit's names and aliases, as written and with acronyms written out; those of the
    last units may be left to be found."""
    rank: dict[EntityId, int] = field(default_factory=dict)
    """Live entities -> age, 0 is oldest."""
    saved: Saved = field(default_factory=Saved)
    youngest: int = -1
    row_of: dict[RecordId, int] = field(default_factory=dict)
    units_of: dict[EntityId, set[int]] = field(default_factory=lambda: defaultdict(set))
    by_form: dict[str, set[int]] = field(default_factory=lambda: defaultdict(set))
    """Normal form of a name or alias, as written and with acronyms written out -> units."""
    by_key: dict[str, set[int]] = field(default_factory=lambda: defaultdict(set))
    by_document: dict[str, set[int]] = field(default_factory=lambda: defaultdict(set))
    """Document -> rows."""
    by_word: dict[str, set[int]] = field(default_factory=lambda: defaultdict(set))
    """Mark of the words of a name (``short_forms.Words``) -> units, of a type with short forms."""

    def __post_init__(self) -> None:
        known = len(self.unit_forms)
        self.unit_forms += [self._forms_of(unit) for unit in range(known, len(self.unit_rows))]
        self.youngest = max(self.rank.values(), default=-1)
        for row, unit in enumerate(self.unit_of):
            if unit >= 0:
                self._enlist(row, unit)
        for unit, entity in enumerate(self.entity_of):
            if entity is not None:
                self._index(unit, entity)

    def is_saved(self) -> None:
        """All that there is now is on disk."""
        ngrams = 0 if self.vocabulary is None else len(self.vocabulary.ngrams.weight)
        self.saved = Saved(len(self.ids), len(self.unit_rows), ngrams)

    def table(self, rows: Sequence[int]) -> RecordColumns:
        """The records of some rows, in that order."""
        return RecordColumns(
            type=self.kind.name,
            ids=tuple(self.ids[r] for r in rows),
            documents=tuple(self.documents[r] for r in rows),
            names=tuple(self.names[r] for r in rows),
            descriptions=tuple(self.descriptions[r] for r in rows),
            aliases=tuple(self.aliases[r] for r in rows),
            keys=tuple(self.keys[r] for r in rows),
            vectors=None if self.vectors is None else self.vectors.rows[np.array(rows, dtype=np.int64)],
            attributes={name: tuple(column[r] for r in rows) for name, column in self.attributes.items()},
        )

    def forms(self, texts: Iterable[str]) -> set[str]:
        """Normal forms under which names are found."""
        acronyms = {} if self.vocabulary is None else self.vocabulary.acronyms
        found = {self.normal.form(form) for text in texts for form in (text, write_out(text, acronyms))}
        return found - {""}

    def units_named(self, table: RecordColumns) -> set[int]:
        """Units with a name, alias or key of the table's records."""
        texts = {*table.names, *(alias for row in table.aliases for alias in row)}
        found = {unit for form in self.forms(texts) for unit in self.by_form.get(form, ())}
        return found | {unit for row in table.keys for key in row for unit in self.by_key.get(key, ())}

    def units_worded(self, forms: Iterable[str]) -> set[int]:
        """Units of which a name has a mark of ``forms`` that tells; none unless the type has short forms."""
        if not self.by_word:
            return set()
        found = (self.by_word.get(word, set[int]()) for form in forms for word in self._marks(form))
        return {unit for units in found if len(units) <= MOST for unit in units}

    def rows_in(self, entities: Iterable[EntityId]) -> list[int]:
        """Rows of all records of some entities, sorted."""
        units = (unit for entity in entities for unit in self.units_of.get(entity, ()))
        return sorted(row for unit in units for row in self.unit_rows[unit])

    def add_records(self, table: RecordColumns) -> None:
        """Rows for new records; they are known once a unit has them."""
        before = len(self.ids)
        self.ids += table.ids
        self.documents += table.documents
        self.names += table.names
        self.descriptions += table.descriptions
        self.aliases += table.aliases
        self.keys += table.keys
        self.unit_of += [-1] * len(table)
        for name in {*self.attributes, *table.attributes}:
            column = self.attributes.setdefault(name, [None] * before)
            column += table.attributes.get(name, (None,) * len(table))
        if self.vectors is not None and table.vectors is not None:
            self.vectors.append(table.vectors)

    def drop_unit(self, unit: int) -> None:
        """A unit is no more; its records are in no unit."""
        entity = self.entity_of[unit]
        if entity is None:
            return
        for index, values in self._indexed(unit):
            for value in values:
                index[value].discard(unit)
                if not index[value]:
                    del index[value]
        for row in self.unit_rows[unit]:
            self.unit_of[row] = -1
        self.entity_of[unit] = None
        self.saved.units_changed.add(unit)
        self._leave(unit, entity)

    def move_unit(self, unit: int, entity: EntityId) -> None:
        """A unit is of another entity now."""
        before = self.entity_of[unit]
        if before is not None and before != entity:
            self._leave(unit, before)
            self.entity_of[unit] = entity
            self.saved.units_changed.add(unit)
            self._place(unit, entity)

    def _leave(self, unit: int, entity: EntityId) -> None:
        self.units_of[entity].discard(unit)
        if not self.units_of[entity]:
            del self.units_of[entity]

    def drop_records(self, rows: Iterable[int]) -> None:
        """Records that are in no unit are gone."""
        for row in rows:
            self.saved.rows_gone.add(row)
            del self.row_of[self.ids[row]]
            self.by_document[self.documents[row]].discard(row)

    def add_unit(self, rows: tuple[int, ...], entity: EntityId) -> None:
        """A new unit of an entity, which is the youngest if it is new."""
        unit = len(self.unit_rows)
        self.unit_rows.append(rows)
        self.entity_of.append(entity)
        self.unit_forms.append(self._forms_of(unit))
        for row in rows:
            self._enlist(row, unit)
        self._index(unit, entity)

    def forget_entities(self, entities: Iterable[EntityId]) -> None:
        """Entities without units have no age any more."""
        for entity in entities:
            if entity not in self.units_of:
                self.rank.pop(entity, None)
                self.saved.entities.add(entity)

    def unit_names(self, unit: int) -> set[str]:
        """The names of a unit's records, as written."""
        return {self.names[row] for row in self.unit_rows[unit]}

    def name_forms(self, unit: int) -> set[str]:
        """Normal forms of the names of a unit's records, without acronyms of documents."""
        return {self.normal.form(name) for name in self.unit_names(unit)}

    def cased_forms(self, unit: int) -> set[str]:
        """The same, in the case in which the names are written where that tells."""
        if not self.normal.case_tells:
            return self.name_forms(unit)
        return {in_case(self.normal.form(name), name) for name in self.unit_names(unit)}

    def mean_with(self, unit: int, more: NDArray[np.float32]) -> NDArray[np.float32]:
        """The unit's vector if records with the vectors ``more`` (n, dimension) were in it."""
        if self.vectors is None:
            raise DataError(f"expected vectors of {self.kind.name}, found none; resolve in full again")
        total = self.vectors.rows[list(self.unit_rows[unit])].sum(axis=0, dtype=np.float64)
        total += more.sum(axis=0, dtype=np.float64)
        mean: NDArray[np.float32] = (total / (np.linalg.norm(total) or 1.0)).astype(np.float32)
        return mean

    def join(self, row: int, unit: int) -> EntityId:
        """A new record in a unit that has its name; the unit's entity."""
        entity = self.entity_of[unit]
        if entity is None:
            raise DataError(f"expected a unit to join, found {unit}, which is no more; resolve in full again")
        if self.vectors is not None and self.unit_vectors is not None:
            self.unit_vectors.rows[unit] = self.mean_with(unit, self.vectors.rows[[row]])
        self.saved.units_changed.add(unit)
        self.unit_rows[unit] = (*self.unit_rows[unit], row)
        self._enlist(row, unit)
        more = self.forms((self.names[row], *self.aliases[row])) - set(self.unit_forms[unit])
        self.unit_forms[unit] = (*self.unit_forms[unit], *sorted(more))
        for form in more:
            self.by_form[form].add(unit)
        return entity

    def _enlist(self, row: int, unit: int) -> None:
        self.unit_of[row] = unit
        self.row_of[self.ids[row]] = row
        self.by_document[self.documents[row]].add(row)

    def _index(self, unit: int, entity: EntityId) -> None:
        self._place(unit, entity)
        for index, values in self._indexed(unit):
            for value in values:
                index[value].add(unit)

    def _place(self, unit: int, entity: EntityId) -> None:
        self.units_of[entity].add(unit)
        if entity not in self.rank:
            self.rank[entity] = self.youngest = self.youngest + 1
            self.saved.entities.add(entity)

    def _forms_of(self, unit: int) -> tuple[str, ...]:
        rows = self.unit_rows[unit]
        aliases = {alias for row in rows for alias in self.aliases[row]}
        return tuple(sorted(self.forms(self.unit_names(unit) | aliases)))

    def _indexed(self, unit: int) -> tuple[tuple[dict[str, set[int]], Collection[str]], ...]:
        known = (self.by_form, self.unit_forms[unit]), (self.by_key, self.unit_keys(unit))
        if not self.kind.canonicalization.short_forms:
            return known
        words = {word for form in self.name_forms(unit) for word in self._marks(form)}
        return (*known, (self.by_word, words))

    def _marks(self, form: str) -> frozenset[str]:
        return words_of(form, cased=self.normal.case_tells).marks

    def unit_keys(self, unit: int) -> set[str]:
        """The identity keys of a unit's records."""
        return {key for row in self.unit_rows[unit] for key in self.keys[row]}
