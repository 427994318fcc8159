"""Average linkage of many units, along the candidate pairs and without a matrix of all pairs.

Only groups joined by a candidate pair are ever tried, but their score is the true average over *all*
pairs of their members: rows are unit vectors, so the sum of all pairwise cosines of two groups is the
dot product of their row sums.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from canonicalize.candidates import Candidates
from canonicalize.linkage import Forbids, Linkage, Refusals, clash


@dataclass(slots=True)
class _Node:
    """A group in the making: its members and the sums of their feature rows."""

    members: list[int]
    names: dict[int, float]
    vector: NDArray[np.float64] | None
    neighbours: set[int] = field(default_factory=set)


@dataclass(slots=True)
class _Linking:
    """The groups by their smallest unit, and the heap of merges that are due."""

    linkage: Linkage
    threshold: float
    nodes: dict[int, _Node]
    heap: list[tuple[float, int, int, int, int]] = field(default_factory=list)

    def push(self, a: int, b: int, score: float) -> None:
        """A merge that is due as long as neither group grows."""
        low, high = min(a, b), max(a, b)
        sizes = len(self.nodes[low].members), len(self.nodes[high].members)
        heapq.heappush(self.heap, (-score, low, high, *sizes))

    def current(self, unit: int, size: int) -> bool:
        """Whether the group still is what it was."""
        return unit in self.nodes and len(self.nodes[unit].members) == size

    def merge(self, a: int, b: int) -> None:
        """Group ``b`` joins ``a``, and the merges that are due now are queued."""
        node, gone = self.nodes[a], self.nodes.pop(b)
        node.members += gone.members
        for key, value in gone.names.items():
            node.names[key] = node.names.get(key, 0.0) + value
        if node.vector is not None and gone.vector is not None:
            node.vector = node.vector + gone.vector
        node.neighbours = (node.neighbours | gone.neighbours) - {a, b}
        for n in sorted(node.neighbours):
            self.nodes[n].neighbours.discard(b)
            self.nodes[n].neighbours.add(a)
            score = self.linkage.combine(*_averages(node, self.nodes[n], self.linkage))
            if score >= self.threshold:
                self.push(a, n, score)

    def part(self, a: int, b: int) -> None:
        """The two groups are not neighbours any more."""
        self.nodes[a].neighbours.discard(b)
        self.nodes[b].neighbours.discard(a)


def link_sparse(
    members: Sequence[int],
    edges: Candidates,
    linkage: Linkage,
    *,
    threshold: float,
    forbids: Forbids,
    refusals: Refusals,
) -> list[list[int]]:
    """Groups of units: the nearest two merge until none reach the threshold (ties: smallest units)."""
    state = _Linking(linkage, threshold, {unit: _node(unit, linkage) for unit in members})
    for left, right, score in _pairs(edges, threshold):
        state.nodes[left].neighbours.add(right)
        state.nodes[right].neighbours.add(left)
        state.push(left, right, score)
    while state.heap:
        negative, a, b, size_a, size_b = heapq.heappop(state.heap)
        if not state.current(a, size_a) or not state.current(b, size_b):
            continue
        found = clash(state.nodes[a].members, state.nodes[b].members, forbids)
        if found:
            refusals.add(found[0], found[1], -negative, found[2])
            state.part(a, b)
        else:
            state.merge(a, b)
    return [sorted(state.nodes[unit].members) for unit in sorted(state.nodes)]


def _pairs(edges: Candidates, threshold: float) -> list[tuple[int, int, float]]:
    keep = edges.score >= threshold
    columns = (edges.left[keep].tolist(), edges.right[keep].tolist(), edges.score[keep].tolist())
    return list(zip(*columns, strict=True))


def _node(unit: int, linkage: Linkage) -> _Node:
    """The group of one unit."""
    rows, vectors = linkage.features.names, linkage.features.vectors
    part = slice(rows.indptr[unit], rows.indptr[unit + 1])
    names = dict(zip(rows.indices[part].tolist(), rows.data[part].tolist(), strict=True))
    return _Node([unit], names, None if vectors is None else vectors[unit].astype(np.float64))


def _averages(a: _Node, b: _Node, linkage: Linkage) -> tuple[float, float]:
    """Mean name similarity and mean cosine over all pairs of members of two groups."""
    pairs = len(a.members) * len(b.members)
    small, large = (a.names, b.names) if len(a.names) <= len(b.names) else (b.names, a.names)
    name = sum(value * large[key] for key, value in small.items() if key in large)
    name += linkage.alias_bonus(a.members, b.members)
    cosine = 0.0 if a.vector is None or b.vector is None else float(a.vector @ b.vector)
    return name / pairs, cosine / pairs
