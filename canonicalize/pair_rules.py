"""What forbids two units in one entity."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from canonicalize.exact import identities_differ, row_pairs
from canonicalize.features import MAX_FORM, Unit
from canonicalize.linkage import Forbids
from canonicalize.normal_forms import NormalForms
from schemas.graphs import RecordColumns
from schemas.review import Blocked, Constraints


def name_veto(left: str, right: str, names: NormalForms) -> str | None:
    """The veto between two names, if any; names too long to be compared are apart unless they are equal."""
    if left == right or not names.kind.canonicalization.vetoes:
        return None
    if max(len(left), len(right)) > MAX_FORM:
        return "length"
    return names.veto(left, right)


AGREE = 0.5
"""Share of their words that two descriptions have in common where they tell of one thing."""
TELLING = 6
"""Words beside those of the name that two long descriptions of one generic name have in common where they
tell of one thing: such a name ("fit model") is a usual one, and needs less to be the same."""
COVERED = 0.4
"""Share of the shorter description that these words must be."""
MOST_OF_A_NAME = 40
"""Units of one generic name up to which a third one can join two."""
MOST_DESCRIPTIONS = 5
"""Descriptions of a unit that are compared, the first of its records."""


@dataclass(frozen=True, slots=True)
class GenericNames:
    """Units whose names identify no concept by themselves: what they mean only their descriptions tell."""

    table: RecordColumns
    names: NormalForms
    units: Sequence[Unit] = ()
    """All units of the type: what two descriptions of one name agree with, they agree on."""
    _told: dict[str, frozenset[str]] = field(default_factory=dict, repr=False)
    _named: dict[str, list[Unit]] = field(default_factory=dict, repr=False)

    def keep_apart(self, a: Unit, b: Unit) -> bool:
        """Whether either unit has generic names alone, and no description of one agrees with the other's.

        Where both have one name, a third unit of it that agrees with each is enough.
        """
        if not self._differ(a, b):
            return False
        thirds = (c for form in sorted(self._forms(a) & self._forms(b)) for c in self._of_name(form))
        return not any(c is not a and c is not b and self._join(a, b, c) for c in thirds)

    def _join(self, a: Unit, b: Unit, third: Unit) -> bool:
        return not self._differ(a, third) and not self._differ(third, b)

    def _of_name(self, form: str) -> list[Unit]:
        """The units that have a name; none of a name that too many have."""
        if not self._named:
            for unit in self.units:
                for name in self._forms(unit):
                    self._named.setdefault(name, []).append(unit)
        found = self._named.get(form, [])
        return found if len(found) <= MOST_OF_A_NAME else []

    def _differ(self, a: Unit, b: Unit) -> bool:
        if not self.names.kind.canonicalization.generic or not (self._is_generic(a) or self._is_generic(b)):
            return False
        if any(_agree(x, y) for x in self._descriptions(a) for y in self._descriptions(b)):
            return False
        shared = self._forms(a) & self._forms(b)
        return not shared or not self._tell_alike(a, b, frozenset(w for form in shared for w in form.split()))

    def _tell_alike(self, a: Unit, b: Unit, name: frozenset[str]) -> bool:
        """Whether two descriptions of one name share enough words that it does not have."""
        left, right = (
            [self._said(self.table.descriptions[row]) - name for row in unit.records[:MOST_DESCRIPTIONS]]
            for unit in (a, b)
        )
        return any(len(x & y) >= max(TELLING, COVERED * min(len(x), len(y))) for x in left for y in right)

    def _forms(self, unit: Unit) -> frozenset[str]:
        return frozenset(self.names.form(name) for name in unit.names)

    def can_merge(self, units: Sequence[Unit]) -> NDArray[np.int64] | None:
        """Numbers of the units that similarity can merge at all, or None where it can all of them.

        A unit of generic names alone whose descriptions say nothing agrees with no other.
        """
        if not self.names.kind.canonicalization.generic:
            return None
        able = [i for i, u in enumerate(units) if any(self._descriptions(u)) or not self._is_generic(u)]
        return None if len(able) == len(units) else np.array(able, dtype=np.int64)

    def _is_generic(self, unit: Unit) -> bool:
        return all(self.names.is_generic(self.names.form(name)) for name in unit.names)

    def _descriptions(self, unit: Unit) -> list[frozenset[str]]:
        return [self._words(self.table.descriptions[row]) for row in unit.records[:MOST_DESCRIPTIONS]]

    def _words(self, text: str) -> frozenset[str]:
        """The words of a description that are not generic themselves."""
        known = self._told.get(text)
        if known is None:
            said = self._said(text)
            known = self._told[text] = frozenset(w for w in said if not self.names.is_generic(w))
        return known

    def _said(self, text: str) -> frozenset[str]:
        return frozenset(self.names.form(text).split())


def _agree(a: frozenset[str], b: frozenset[str]) -> bool:
    return bool(a & b) and len(a & b) >= AGREE * len(a | b)


def pair_rule(
    table: RecordColumns,
    units: Sequence[Unit],
    names: NormalForms,
    *,
    constraints: Constraints,
    refused: Sequence[Blocked],
    same_document: bool = True,
) -> Forbids:
    """What forbids two units in one entity: a cannot-link, identity, one document, generic names, a veto.

    What the exact stage refused (``refused``), similarity does not join either. Without ``same_document``
    two units of one document are forbidden by the other rules only.
    """
    row_of: dict[str, int] = {record: row for row, record in enumerate(table.ids)}
    unit_of = {row: index for index, unit in enumerate(units) for row in unit.records}
    banned: dict[tuple[int, int], str] = {}
    for block in refused:
        a, b = sorted((unit_of[row_of[block.left]], unit_of[row_of[block.right]]))
        banned[a, b] = block.rule
    for left, right, seq in sorted(row_pairs(constraints.cannot_link, row_of), key=lambda p: p[2]):
        a, b = sorted((unit_of[left], unit_of[right]))
        banned[a, b] = f"cannot_link:{seq}"

    generic = GenericNames(table, names, units) if names.kind.canonicalization.generic else None
    vetoes = _UnitVetoes(units, names)

    def forbids(left: int, right: int) -> str | None:
        a, b = units[left], units[right]
        known = banned.get((min(left, right), max(left, right)))
        if known is not None:
            return known
        if a.keyed and b.keyed and identities_differ(a.identity, b.identity):
            return "identity"
        if same_document and not a.documents.isdisjoint(b.documents):
            return "same_document"
        if generic is not None and generic.keep_apart(a, b):
            return "generic"
        rule = vetoes.between(left, right)
        return f"veto:{rule}" if rule else None

    return forbids


@dataclass(frozen=True, slots=True)
class _UnitVetoes:
    """Vetoes between the names of units, asked once for all names that they read alike."""

    units: Sequence[Unit]
    names: NormalForms
    _read: dict[int, dict[int | str, str]] = field(default_factory=dict)
    """Unit -> what is read of its names, each with the first of them."""

    def between(self, left: int, right: int) -> str | None:
        """The first veto between a name of one unit and a name of the other, if any."""
        if not self.names.kind.canonicalization.vetoes:
            return None
        theirs = self._of(right)
        for reading, name in self._of(left).items():
            for other, spelled in theirs.items():
                rule = None if reading == other else name_veto(name, spelled, self.names)
                if rule is not None:
                    return rule
        return None

    def _of(self, unit: int) -> dict[int | str, str]:
        known = self._read.get(unit)
        if known is None:
            known = self._read[unit] = {}
            for name in self.units[unit].names:
                known.setdefault(name if len(name) > MAX_FORM else self.names.reading(name), name)
        return known
