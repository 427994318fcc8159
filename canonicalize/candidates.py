"""Pairs of units similar enough to be looked at, without comparing all with all."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from canonicalize.features import Features, Unit
from canonicalize.neighbours import (
    PROJECTION_ERROR,
    Hits,
    near_names,
    nearest_names,
    nearest_vectors,
    project,
)
from canonicalize.similarity import meaning_cosines, name_cosines, row_products, shared_aliases

NEIGHBOURS = 40
"""Most neighbours kept per unit and search, where too many are near: what one name can be confused with."""
EXACT_UNITS = 20_000
"""Up to so many units the search is exact; its cost grows with their square."""
CROWD = 1_024
"""Near names of one unit from which on only the nearest are kept."""
_LEAST_NAME = 0.12
_ROUNDING = 1e-4
"""More than float32 can be off in a cosine."""
_BLOCK = 200_000


@dataclass(frozen=True, slots=True)
class Candidates:
    """Pairs ``left < right`` of unit numbers, sorted, each at least at the floor; one length."""

    left: NDArray[np.int64]
    right: NDArray[np.int64]
    score: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.left)

    def part(self, rows: NDArray[np.int64]) -> Candidates:
        """The pairs in these rows."""
        return Candidates(self.left[rows], self.right[rows], self.score[rows])

    def among(self, units: NDArray[np.int64]) -> Candidates:
        """The pairs of which both are in ``units``."""
        return self.part(np.flatnonzero(np.isin(self.left, units) & np.isin(self.right, units)))


@dataclass(frozen=True, slots=True)
class _Bounds:
    """What a pair needs on each side to reach the floor, were the other side perfect."""

    weight: float
    floor: float

    @property
    def name(self) -> float:
        return (self.floor - (1 - self.weight)) / self.weight if self.weight > 0 else -1.0

    @property
    def cosine(self) -> float:
        return (self.floor - self.weight) / (1 - self.weight) if self.weight < 1 else -1.0


def find_candidates(
    units: Sequence[Unit],
    features: Features,
    *,
    name_weight: float,
    floor: float,
    queries: NDArray[np.int64] | None = None,
    exact: bool | None = None,
) -> Candidates:
    """The pairs found with score >= ``floor``, at least one unit of each without an identity key.

    Two units with identity keys either merged by key or never will, so they are not searched. Each unit
    is compared with all whose names are near, or where these are too many or the search is not exact, with
    its nearest by name and its nearest by vector; shared aliases always count. With ``queries`` (unit
    numbers) only pairs of which one unit is a query are looked for. ``exact`` says how to search; the
    default is exactly up to ``EXACT_UNITS`` units.
    """
    free = np.array([i for i, unit in enumerate(units) if not unit.keyed], dtype=np.int64)
    searched = free if queries is None else np.intersect1d(queries, free)
    weight = 1.0 if features.vectors is None else name_weight
    bounds = _Bounds(weight, floor)
    if len(units) < 2 or not len(searched):
        return _scored(np.empty(0, dtype=np.int64), features, bounds)
    if exact is None:
        exact = len(units) <= EXACT_UNITS or len(searched) <= EXACT_UNITS // 20
    find = _exact_keys if exact else _pruned_keys
    keys = [*find(features, searched, bounds), _alias_keys(features, units, searched)]
    return _scored(np.unique(np.concatenate(keys)), features, bounds)


def pair_scores(
    pairs: NDArray[np.int64], features: Features, name_weight: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Name similarity in [0, 1] and cosine in [-1, 1] of each pair (n_pairs, 2); cosine 0 without vectors.

    The name similarity of two units that share an alias is 1; where names alone count, no cosine is.
    """
    names = name_cosines(features, pairs)
    names[shared_aliases(features, pairs)] = 1.0
    cosines = meaning_cosines(features, pairs) if name_weight < 1 else np.zeros(len(pairs))
    return names, cosines


def _exact_keys(
    features: Features, queries: NDArray[np.int64], bounds: _Bounds
) -> Iterator[NDArray[np.int64]]:
    """All that are near by name, or the nearest by name and by vector where too many are.

    Names alone find every pair that reaches the floor where it asks for names that are alike at all.
    """
    size = len(features.forms)
    least = max(_LEAST_NAME, bounds.name - _ROUNDING)
    several = 2 * len(queries) > size and bounds.weight > 0
    all_near = near_names(features.names, most=CROWD, least=least) if several else None
    if all_near is None:
        yield from _nearest_keys(features, queries, bounds, least)
        return
    asked = np.zeros(size, dtype=bool)
    asked[queries] = True
    near = (hits.part(np.flatnonzero(asked[hits.query] | asked[hits.found])) for hits in all_near)
    yield from _keys((_reaching(hits, features, bounds) for hits in near), size)
    if least > bounds.name:
        yield from _vector_keys(features, queries, bounds)


def _nearest_keys(
    features: Features, queries: NDArray[np.int64], bounds: _Bounds, least: float
) -> Iterator[NDArray[np.int64]]:
    """Nearest by name, and by vector for the units of which more names are near than are kept.

    All others have every name that a pair needs to reach the floor, so their vectors can add none.
    """
    size = len(features.forms)
    near = np.zeros(size, dtype=np.int64)
    if bounds.weight > 0:
        for hits in nearest_names(features.names, queries, count=NEIGHBOURS, least=least):
            near += np.bincount(hits.query, minlength=size)
            yield from _keys([_reaching(hits, features, bounds)], size)
    if least > bounds.name:
        near[:] = NEIGHBOURS
    yield from _vector_keys(features, queries[near[queries] >= NEIGHBOURS], bounds)


def _vector_keys(
    features: Features, queries: NDArray[np.int64], bounds: _Bounds
) -> Iterator[NDArray[np.int64]]:
    """Nearest by vector, where the vectors count."""
    if features.vectors is None or bounds.weight >= 1:
        return
    least = max(0.0, bounds.cosine)
    found = nearest_vectors(features.vectors, queries, count=NEIGHBOURS, least=least, exact=True)
    yield from _keys(found, len(features.forms))


def _reaching(hits: Hits, features: Features, bounds: _Bounds) -> Hits:
    """The hits by exact cosine of names that reach the floor with their vectors."""
    cosines = meaning_cosines(features, np.column_stack([hits.query, hits.found]))
    score = bounds.weight * hits.score + (1 - bounds.weight) * cosines
    keep = score >= bounds.floor - _ROUNDING
    return hits.part(np.flatnonzero(keep))


def _pruned_keys(
    features: Features, queries: NDArray[np.int64], bounds: _Bounds
) -> Iterator[NDArray[np.int64]]:
    """Nearest by projected name, and nearest by vector whose projected names do not rule it out."""
    size = len(features.forms)
    least = max(_LEAST_NAME, bounds.name) - PROJECTION_ERROR
    projected = project(features.names)
    if bounds.weight > 0:
        found = nearest_vectors(projected, queries, count=2 * NEIGHBOURS, least=least, exact=False)
        for keys in _keys(found, size):
            yield _plausible(keys, projected, features, bounds)
    if features.vectors is not None and bounds.weight < 1:
        found = nearest_vectors(
            features.vectors, queries, count=NEIGHBOURS, least=max(0.0, bounds.cosine), exact=False
        )
        for keys in _keys(found, size):
            yield _plausible(keys, projected, features, bounds)


def _plausible(
    keys: NDArray[np.int64], projected: NDArray[np.float32], features: Features, bounds: _Bounds
) -> NDArray[np.int64]:
    """Those pairs whose score may reach the floor, given the error of projected names."""
    pairs = _pairs(keys, len(projected))
    if bounds.weight < 1:
        rest = bounds.floor - (1 - bounds.weight) * meaning_cosines(features, pairs)
        possible = rest <= bounds.weight
        keys, pairs, rest = keys[possible], pairs[possible], rest[possible]
    else:
        rest = np.full(len(keys), bounds.floor)
    names = row_products(projected, pairs) + PROJECTION_ERROR
    plausible: NDArray[np.int64] = keys[bounds.weight * np.minimum(1.0, names) >= rest]
    return plausible


def _keys(hits: Iterable[Hits], size: int) -> Iterator[NDArray[np.int64]]:
    """Each block of pairs as numbers ``smaller * size + larger``, without repeats."""
    for found in hits:
        low, high = np.minimum(found.query, found.found), np.maximum(found.query, found.found)
        yield np.unique(low * size + high)


def _pairs(keys: NDArray[np.int64], size: int) -> NDArray[np.int64]:
    pairs: NDArray[np.int64] = np.column_stack(np.divmod(keys, size))
    return pairs


def _scored(keys: NDArray[np.int64], features: Features, bounds: _Bounds) -> Candidates:
    """The pairs at or above the floor, with their scores."""
    kept: list[NDArray[np.int64]] = [np.empty((0, 2), dtype=np.int64)]
    scores: list[NDArray[np.float64]] = [np.empty(0)]
    for start in range(0, len(keys), _BLOCK):
        pairs = _pairs(keys[start : start + _BLOCK], len(features.forms))
        names, cosines = pair_scores(pairs, features, bounds.weight)
        score = bounds.weight * names + (1 - bounds.weight) * cosines
        kept.append(pairs[score >= bounds.floor])
        scores.append(score[score >= bounds.floor])
    pairs = np.concatenate(kept)
    return Candidates(pairs[:, 0], pairs[:, 1], np.concatenate(scores))


def _alias_keys(features: Features, units: Sequence[Unit], queries: NDArray[np.int64]) -> NDArray[np.int64]:
    wanted = set(queries.tolist())
    size = len(units)
    keys = [
        a * size + b
        for a, others in features.aliases.items()
        for b in others
        if a < b and (a in wanted or b in wanted) and not (units[a].keyed and units[b].keyed)
    ]
    return np.array(sorted(keys), dtype=np.int64)
