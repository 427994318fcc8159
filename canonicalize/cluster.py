"""Average-link agglomerative clustering that honours constraints at every step.

An average of at least t needs one pair of at least t, so only units joined by a chain of candidates can
become one cluster: each connected component is clustered by itself, a small one with the similarity of all
its pairs at hand, a large one along its candidates. Either way a merge is judged by the average over *all*
pairs of members, and a forbidden pair keeps two clusters apart for good.

The threshold rises in steps for any cluster that is larger than a judge takes (arXiv 2509.06855, appendix
D.2.2). Where no judge looks at the clusters there is no such limit: it makes the outcome depend on how many
spellings happen to be near, and takes apart what is alike.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from canonicalize.candidates import Candidates
from canonicalize.dense_link import link_dense
from canonicalize.linkage import Forbids, Linkage, Matrices, Refusals, Refused
from canonicalize.sparse_link import link_sparse

STEP = 0.02
"""How much the threshold rises for a cluster that is too large."""
DENSE_UNITS = 400
"""Up to so many units the similarity of all pairs is held as a matrix."""

_FEW_UNITS = 12
"""Up to so many units the similarities of components are computed together, not for each by itself."""


@dataclass(frozen=True, slots=True)
class Cluster:
    """Units of one entity, sorted, and their average similarity by feature over all pairs."""

    members: tuple[int, ...]
    score: float
    name: float
    cosine: float
    threshold: float


@dataclass(frozen=True, slots=True)
class Clustering:
    """Clusters of two or more units, sorted, and the refused merges."""

    clusters: tuple[Cluster, ...]
    refused: tuple[Refused, ...]


def cluster(
    candidates: Candidates, linkage: Linkage, forbids: Forbids, *, dense_units: int = DENSE_UNITS
) -> Clustering:
    """Clusters of the units that ``candidates`` names, none above ``linkage.max_cluster`` units, if given.

    ``dense_units`` bounds the components that are clustered with a matrix of all their pairs.
    """
    run = _Run(linkage, forbids, dense_units)
    parts = list(_components(candidates))
    few = [members.tolist() for members, _ in parts if len(members) <= min(_FEW_UNITS, dense_units)]
    for group, matrices in zip(few, linkage.small_matrices(few), strict=True):
        run.dense(group, matrices, linkage.threshold)
    for members, edges in parts:
        if len(members) > min(_FEW_UNITS, dense_units):
            run.component(members, edges, linkage.threshold)
    return Clustering(tuple(sorted(run.done, key=lambda c: c.members)), run.refusals.listed())


@dataclass(slots=True)
class _Run:
    linkage: Linkage
    forbids: Forbids
    dense_units: int
    refusals: Refusals = field(default_factory=Refusals)
    done: list[Cluster] = field(default_factory=list)

    def component(self, members: NDArray[np.int64], edges: Candidates, threshold: float) -> None:
        """Cluster one connected component; ``threshold`` above 1 leaves all units alone."""
        if threshold > 1:
            return
        if len(members) <= self.dense_units:
            self.dense(members.tolist(), self.linkage.matrices(members.tolist()), threshold)
            return
        groups = link_sparse(
            members.tolist(),
            edges,
            self.linkage,
            threshold=threshold,
            forbids=self.forbids,
            refusals=self.refusals,
        )
        for group in groups:
            if self.linkage.too_large(len(group)):
                inner = edges.among(np.array(group, dtype=np.int64))
                for part, pairs in _components(inner, least=threshold + STEP):
                    self.component(part, pairs, threshold + STEP)
            elif len(group) > 1:
                self._finish(group, threshold)

    def dense(self, members: list[int], matrices: Matrices, threshold: float) -> None:
        """Cluster few units, given the similarities of all their pairs."""
        names, cosines = matrices
        combined = self.linkage.combine(names, cosines)
        work = [(np.arange(len(members)), threshold)]
        while work:
            places, least = work.pop()
            if least > 1:
                continue
            similarity = _block(combined, places)
            units = [members[place] for place in places.tolist()]
            found = link_dense(units, similarity, least, forbids=self.forbids, refusals=self.refusals)
            for group in found:
                chosen = places[sorted(group)]
                if self.linkage.too_large(len(group)):
                    work.append((chosen, least + STEP))
                elif len(group) > 1:
                    mean = _mean(names, chosen), _mean(cosines, chosen)
                    self._keep(tuple(members[place] for place in chosen.tolist()), mean, least)

    def _finish(self, group: list[int], threshold: float) -> None:
        self._keep(tuple(group), self.linkage.means(group), threshold)

    def _keep(self, members: tuple[int, ...], mean: tuple[float, float], threshold: float) -> None:
        self.done.append(Cluster(members, self.linkage.combine(*mean), *mean, threshold))


def _mean(matrix: NDArray[np.float64], places: NDArray[np.int64]) -> float:
    """Average over all pairs of different places."""
    block = _block(matrix, places)
    pairs = len(places) * (len(places) - 1)
    return float((block.sum() - np.trace(block)) / pairs)


def _block(matrix: NDArray[np.float64], places: NDArray[np.int64]) -> NDArray[np.float64]:
    """The rows and columns ``places``, which are sorted."""
    return matrix if len(places) == len(matrix) else matrix[np.ix_(places, places)]


def _components(
    candidates: Candidates, *, least: float = -np.inf
) -> Iterator[tuple[NDArray[np.int64], Candidates]]:
    """Connected components by pairs of at least ``least``: units in order, and their pairs."""
    from scipy import sparse
    from scipy.sparse.csgraph import connected_components

    strong = candidates.part(np.flatnonzero(candidates.score >= least))
    if not len(strong):
        return
    units, ends = np.unique(np.concatenate([strong.left, strong.right]), return_inverse=True)
    left, right = ends[: len(strong)], ends[len(strong) :]
    graph = sparse.coo_matrix((np.ones(len(strong), dtype=bool), (left, right)), shape=(len(units),) * 2)
    _, label = connected_components(graph, directed=False)
    by_unit, by_pair = np.argsort(label, kind="stable"), np.argsort(label[left], kind="stable")
    unit_ends = np.cumsum(np.bincount(label))
    pair_ends = np.cumsum(np.bincount(label[left], minlength=len(unit_ends)))
    unit_parts = np.split(units[by_unit], unit_ends[:-1])
    for members, pairs in zip(unit_parts, np.split(by_pair, pair_ends[:-1]), strict=True):
        yield members, strong.part(pairs)
