"""The units that score at least a floor with some rows, among all units: exact, without comparing all.

A pair reaches the floor only if its vectors, or its names, are alike enough were the other side perfect; the
side that tells more is searched, the other computed for what that finds. Names are searched by their rare
n-grams alone: what the frequent ones of a row add is bounded by their length (Cauchy-Schwarz), as in prefix
filtering (Bayardo, Ma and Srikant 2007, doi:10.1145/1242572.1242591).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from canonicalize.state import UnitRows

_LEAST = 0.1
"""Similarity below which one side alone does not find a pair."""
_RARE = 0.6
"""Share of the least name similarity that the frequent n-grams of a row may add."""
_QUERIES = 256
_PAIRS = 20_000
Pairs = tuple[NDArray[np.int64], NDArray[np.int64]]
"""Numbers of queries and of units."""


@dataclass(frozen=True, slots=True)
class Nearby:
    """All units to be searched: TF-IDF rows, and vectors (n_units, dimension) if the type has them."""

    names: UnitRows
    vectors: NDArray[np.float32] | None
    weight: float
    """Share of the names in the score; 1 without vectors."""
    floor: float

    def units(self, names: Any, vectors: NDArray[np.float32] | None) -> NDArray[np.int64]:
        """Numbers of the units that reach the floor with a row of ``names`` (CSR) and ``vectors``, sorted."""
        found = [np.empty(0, dtype=np.int64)]
        for start in range(0, names.shape[0], _QUERIES):
            rows = names[start : start + _QUERIES]
            meaning = None if vectors is None else vectors[start : start + _QUERIES]
            found += [self._reaching(rows, meaning, pairs) for pairs in self._candidates(rows, meaning)]
        near: NDArray[np.int64] = np.unique(np.concatenate(found))
        return near

    def _candidates(self, names: Any, vectors: NDArray[np.float32] | None) -> Iterator[Pairs]:
        by_name = (self.floor - (1 - self.weight)) / self.weight if self.weight > 0 else -1.0
        by_vector = (self.floor - self.weight) / (1 - self.weight) if self.weight < 1 else -1.0
        tells = by_vector >= _LEAST or by_name < _LEAST
        if vectors is not None and self.vectors is not None and tells:
            cosines = vectors @ self.vectors.T
            queries, units = np.nonzero(cosines >= max(by_vector, _LEAST) - 1e-6)
            yield queries.astype(np.int64), units.astype(np.int64)
        if by_vector < _LEAST and self.weight > 0:
            yield from self._by_rare_ngrams(names, max(by_name, _LEAST))

    def _by_rare_ngrams(self, names: Any, least: float) -> Iterator[Pairs]:
        for first, columns in self.names.parts():
            if columns.nnz:
                rare = _rare(names[:, : columns.shape[0]], np.diff(columns.indptr), _RARE * least)
                product = (rare @ columns).tocoo()
                keep = product.data >= (1 - _RARE) * least - 1e-6
                yield product.row[keep].astype(np.int64), product.col[keep].astype(np.int64) + first

    def _reaching(self, names: Any, vectors: NDArray[np.float32] | None, pairs: Pairs) -> NDArray[np.int64]:
        """The units of those pairs that reach the floor."""
        reached = [np.empty(0, dtype=np.int64)]
        for start in range(0, len(pairs[0]), _PAIRS):
            query, unit = (side[start : start + _PAIRS] for side in pairs)
            chosen, place = np.unique(unit, return_inverse=True)
            known = self.names.take(chosen.tolist())
            width = min(known.shape[1], names.shape[1])
            product = names[:, :width][query].multiply(known[:, :width][place])
            score = self.weight * np.minimum(1.0, np.asarray(product.sum(axis=1)).ravel())
            if vectors is not None and self.vectors is not None:
                score += (1 - self.weight) * np.einsum("ij,ij->i", vectors[query], self.vectors[unit])
            reached.append(unit[score >= self.floor - 1e-6])
        return np.concatenate(reached)


def _rare(rows: Any, frequency: NDArray[np.int64], most: float) -> Any:
    """The rows (CSR) without their most frequent columns, as far as these are no longer than ``most``."""
    kept = rows.tocsr(copy=True)
    for row in range(kept.shape[0]):
        part = slice(kept.indptr[row], kept.indptr[row + 1])
        order = np.argsort(-frequency[kept.indices[part]], kind="stable")
        length = np.sqrt(np.cumsum(kept.data[part][order] ** 2))
        kept.data[part][order[length <= most]] = 0
    kept.eliminate_zeros()
    return kept
