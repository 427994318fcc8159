"""How alike units and groups of units are: the weighted sum of names and vectors, averaged over pairs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from canonicalize.features import Features
from canonicalize.similarity import exact_cosines

Score = TypeVar("Score", float, NDArray[np.float64])
Matrices = tuple[NDArray[np.float64], NDArray[np.float64]]
"""Name similarities and cosines of all pairs of some units: (n, n) each."""
Forbids = Callable[[int, int], str | None]
"""Rule that forbids two units in one entity, or None; must be symmetric and fixed."""


@dataclass(frozen=True, slots=True)
class Refused:
    """A merge that was due and forbidden: the first forbidden pair of units, and the rule."""

    left: int
    right: int
    score: float
    rule: str


@dataclass(slots=True)
class Refusals:
    """The refused merges of a clustering, one for each pair of units."""

    by_pair: dict[tuple[int, int], Refused] = field(default_factory=dict)

    def add(self, left: int, right: int, score: float, rule: str) -> None:
        """Keep the first refusal of a pair."""
        pair = (min(left, right), max(left, right))
        self.by_pair.setdefault(pair, Refused(*pair, score, rule))

    def listed(self) -> tuple[Refused, ...]:
        """Best score first."""
        return tuple(sorted(self.by_pair.values(), key=lambda r: (-r.score, r.left, r.right)))


@dataclass(frozen=True, slots=True)
class Linkage:
    """How clusters are scored: ``name_weight`` in [0, 1] against 1 - name_weight for vectors."""

    features: Features
    name_weight: float
    threshold: float
    max_cluster: int | None
    """Most units of a cluster that a judge is to look at; None where nobody looks."""

    def combine(self, name: Score, cosine: Score) -> Score:
        """The weighted score; names alone where there are no vectors."""
        if self.features.vectors is None:
            return name
        return self.name_weight * name + (1 - self.name_weight) * cosine

    def too_large(self, units: int) -> bool:
        """Whether a cluster of so many units is more than a judge takes."""
        return self.max_cluster is not None and units > self.max_cluster

    def means(self, members: Sequence[int]) -> tuple[float, float]:
        """Mean name similarity and mean cosine over all pairs of two or more members, from sums of rows.

        Rows are unit vectors, so all pairs together are the square of their sum less their own squares.
        """
        index = np.asarray(members, dtype=np.int64)
        pairs = len(index) * (len(index) - 1)
        rows = self.features.names[index]
        total = np.asarray(rows.sum(axis=0), dtype=np.float64).ravel()
        name = float(total @ total) - float(rows.multiply(rows).sum())
        name += 2 * self._alias_bonus_within(members)
        if self.features.vectors is None:
            return min(1.0, name / pairs), 0.0
        vectors = self.features.vectors[index].astype(np.float64)
        summed = vectors.sum(axis=0)
        return min(1.0, name / pairs), float(summed @ summed - (vectors * vectors).sum()) / pairs

    def matrices(self, members: Sequence[int]) -> Matrices:
        """Name similarities in [0, 1] and cosines in [-1, 1] of all pairs of ``members``: (n, n) each."""
        index = np.asarray(members, dtype=np.int64)
        rows = _dense(self.features.names, index)
        names = np.minimum(1.0, rows @ rows.T)
        for left, right in self._alias_pairs(members):
            names[left, right] = names[right, left] = 1.0
        if self.features.vectors is None:
            return names, np.zeros_like(names)
        vectors = self.features.vectors[index].astype(np.float64)
        return names, vectors @ vectors.T

    def small_matrices(self, groups: Sequence[Sequence[int]]) -> list[Matrices]:
        """``matrices`` of many groups of few units, all their pairs computed at once; diagonals are 1."""
        corners = {size: np.triu_indices(size, 1) for size in {len(group) for group in groups}}
        held = [np.asarray(group, dtype=np.int64) for group in groups]
        pairs = np.concatenate(
            [np.empty((0, 2), dtype=np.int64), *(_corner(g, *corners[len(g)]) for g in held)]
        )
        name, cosine = exact_cosines(self.features, pairs)
        found: list[Matrices] = []
        at = 0
        for group in groups:
            corner = corners[len(group)]
            part = slice(at, at + len(corner[0]))
            names = _symmetric(name[part], corner, len(group))
            for left, right in self._alias_pairs(group):
                names[left, right] = names[right, left] = 1.0
            found.append((names, _symmetric(cosine[part], corner, len(group))))
            at = part.stop
        return found

    def alias_bonus(self, left: Sequence[int], right: Sequence[int]) -> float:
        """What it takes to lift the name similarity of pairs that share an alias to 1."""
        aliases, others, rows = self.features.aliases, set(right), self.features.names
        if not aliases:
            return 0.0
        return sum(
            max(0.0, 1.0 - float(rows[a].multiply(rows[b]).sum()))
            for a in left
            for b in sorted(aliases.get(a, frozenset()) & others)
        )

    def _alias_bonus_within(self, members: Sequence[int]) -> float:
        rows = self.features.names
        pairs = ((members[a], members[b]) for a, b in self._alias_pairs(members))
        return sum(max(0.0, 1.0 - float(rows[a].multiply(rows[b]).sum())) for a, b in pairs)

    def _alias_pairs(self, members: Sequence[int]) -> list[tuple[int, int]]:
        aliases = self.features.aliases
        if not aliases:
            return []
        place = {unit: at for at, unit in enumerate(members)}
        return [
            (at, place[other])
            for unit, at in place.items()
            for other in aliases.get(unit, ())
            if other in place and unit < other
        ]


def _corner(members: NDArray[np.int64], left: NDArray[np.intp], right: NDArray[np.intp]) -> NDArray[np.int64]:
    return np.column_stack([members[left], members[right]])


def _symmetric(
    values: NDArray[np.float64], corner: tuple[NDArray[np.intp], NDArray[np.intp]], size: int
) -> NDArray[np.float64]:
    """The symmetric matrix of which these are the values above the diagonal."""
    out = np.eye(size)
    out[corner] = values
    out[corner[::-1]] = values
    return out


def _dense(rows: Any, index: NDArray[np.int64]) -> NDArray[np.float64]:
    """Chosen rows of a CSR matrix, without the columns in which all of them are empty."""
    starts, ends = rows.indptr[index], rows.indptr[index + 1]
    lengths = ends - starts
    at = np.repeat(starts - np.concatenate([[0], np.cumsum(lengths)[:-1]]), lengths)
    at += np.arange(int(lengths.sum()))
    columns, place = np.unique(rows.indices[at], return_inverse=True)
    out = np.zeros((len(index), len(columns)))
    out[np.repeat(np.arange(len(index)), lengths), place] = rows.data[at]
    return out


def clash(left: Sequence[int], right: Sequence[int], forbids: Forbids) -> tuple[int, int, str] | None:
    """The first pair, one unit of each group, that is forbidden, and the rule."""
    for a in sorted(left):
        for b in sorted(right):
            rule = forbids(a, b)
            if rule:
                return a, b, rule
    return None
