"""Pairs of units similar enough to be looked at, without comparing all with all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from canonicalize.features import Features, Unit

NEIGHBOURS = 40
"""Most neighbours kept per unit: the default bound of names that one name can be confused with."""
_BLOCK = 512
_STRONGEST = 16
_LEAST_PARTIAL = 0.12
_VECTOR_SEARCH_BELOW = 0.3


@dataclass(frozen=True, slots=True)
class Candidates:
    """Pairs ``left < right`` of unit numbers, sorted, each at least at the floor; one length."""

    left: NDArray[np.int64]
    right: NDArray[np.int64]
    score: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.left)


def find_candidates(
    units: Sequence[Unit], features: Features, *, name_weight: float, floor: float
) -> Candidates:
    """All pairs found with score >= ``floor``, at least one of them without an identity key.

    Two units with identity keys either merged by key or never will, so they are not searched. Names
    are searched by each unit's strongest n-grams and then scored in full; aliases always count;
    vectors are searched only where the name weight is so small that a pair may reach the floor with
    names that hardly match.
    """
    free = np.array([i for i, unit in enumerate(units) if not unit.keyed], dtype=np.int64)
    if len(units) < 2 or not len(free):
        return _unique(np.empty((0, 2), dtype=np.int64), features, name_weight=name_weight, floor=floor)
    weight = 1.0 if features.vectors is None else name_weight
    least_name = (floor - (1 - weight)) / weight if weight > 0 else -1.0
    parts = [_alias_pairs(features, units)]
    if weight > 0:
        parts += list(_name_pairs(features.names, free, least_name))
    if features.vectors is not None and least_name < _VECTOR_SEARCH_BELOW:
        parts += list(_vector_pairs(features.vectors, free))
    return _unique(np.concatenate(parts), features, name_weight=weight, floor=floor)


def pair_scores(
    pairs: NDArray[np.int64], features: Features, name_weight: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Name similarity in [0, 1] and cosine in [-1, 1] of each pair (n_pairs, 2); cosine 0 without vectors."""
    left, right = pairs[:, 0], pairs[:, 1]
    names = np.zeros(len(pairs))
    cosines = np.zeros(len(pairs))
    for start in range(0, len(pairs), 50_000):
        part = slice(start, start + 50_000)
        product = features.names[left[part]].multiply(features.names[right[part]])
        names[part] = np.asarray(product.sum(axis=1)).ravel()
        if features.vectors is not None and name_weight < 1:
            cosines[part] = np.einsum(
                "ij,ij->i", features.vectors[left[part]], features.vectors[right[part]], dtype=np.float64
            )
    shared = [b in features.aliases.get(a, ()) for a, b in pairs.tolist()]
    names[np.array(shared, dtype=bool)] = 1.0
    return np.minimum(names, 1.0), cosines


def _unique(pairs: NDArray[np.int64], features: Features, *, name_weight: float, floor: float) -> Candidates:
    pairs = np.unique(np.sort(pairs, axis=1), axis=0)
    if not len(pairs):
        return Candidates(pairs[:, 0], pairs[:, 1], np.empty(0))
    names, cosines = pair_scores(pairs, features, name_weight)
    score = name_weight * names + (1 - name_weight) * cosines
    keep = score >= floor
    return Candidates(pairs[keep, 0], pairs[keep, 1], score[keep])


def _alias_pairs(features: Features, units: Sequence[Unit]) -> NDArray[np.int64]:
    pairs = [
        (a, b)
        for a, others in features.aliases.items()
        for b in others
        if a < b and not (units[a].keyed and units[b].keyed)
    ]
    return np.array(sorted(pairs), dtype=np.int64).reshape(-1, 2)


def _name_pairs(rows: Any, queries: NDArray[np.int64], least: float) -> Iterator[NDArray[np.int64]]:
    """Per block of queries the nearest rows by the product with each query's strongest n-grams.

    The full cosine is at most the partial one plus the norm of what was left out.
    """
    columns = rows.T.tocsr()
    for start in range(0, len(queries), _BLOCK):
        block = queries[start : start + _BLOCK]
        strong, left_out = _strongest(rows[block])
        partial = (strong @ columns).tocoo()
        bound = np.maximum(_LEAST_PARTIAL, least - left_out)[partial.row]
        keep = (partial.data >= bound) & (partial.col != block[partial.row])
        yield _nearest(block, partial.row[keep], partial.col[keep], partial.data[keep])


def _strongest(rows: Any) -> tuple[Any, NDArray[np.float64]]:
    """The rows with only their strongest entries, and the norm of the others per row."""
    from scipy import sparse

    owner = np.repeat(np.arange(rows.shape[0]), np.diff(rows.indptr))
    order = np.lexsort((rows.indices, -rows.data, owner))
    rank = np.arange(len(owner)) - rows.indptr[owner]
    keep = order[rank < _STRONGEST]
    strong = sparse.csr_matrix((rows.data[keep], (owner[keep], rows.indices[keep])), shape=rows.shape)
    kept = np.bincount(owner[keep], weights=rows.data[keep] ** 2, minlength=rows.shape[0])
    return strong, np.sqrt(np.maximum(0.0, 1.0 - kept))


def _nearest(
    block: NDArray[np.int64], row: NDArray[np.int64], col: NDArray[np.int64], data: NDArray[np.float64]
) -> NDArray[np.int64]:
    order = np.lexsort((col, -data, row))
    row, col = row[order], col[order]
    first = np.searchsorted(row, np.arange(len(block)))
    keep = np.arange(len(row)) - first[row] < NEIGHBOURS
    return np.column_stack([block[row[keep]], col[keep]]).astype(np.int64)


def _vector_pairs(vectors: NDArray[np.float32], queries: NDArray[np.int64]) -> Iterator[NDArray[np.int64]]:
    count = min(NEIGHBOURS + 1, len(vectors))
    for start in range(0, len(queries), _BLOCK):
        block = queries[start : start + _BLOCK]
        cosines = vectors[block] @ vectors.T
        nearest = np.argpartition(-cosines, count - 1, axis=1)[:, :count]
        pairs = np.column_stack([np.repeat(block, count), nearest.ravel()])
        yield pairs[pairs[:, 0] != pairs[:, 1]].astype(np.int64)
