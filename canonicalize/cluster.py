"""Average-link agglomerative clustering that honours constraints at every step.

Only pairs of clusters joined by a candidate pair are ever tried, but their score is the true average
over *all* pairs of their members, absent candidates included: rows are unit vectors, so the sum of all
pairwise cosines of two clusters is the dot product of their row sums. An average of at least t needs one
pair of at least t, so no merge is missed by looking at candidates only.

The threshold rises in steps for any cluster above the size limit (arXiv 2509.06855, appendix D.2.2).
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from canonicalize.candidates import Candidates
from canonicalize.features import Features

STEP = 0.02
"""How much the threshold rises for a cluster that is too large."""
Forbids = Callable[[int, int], str | None]
"""Rule that forbids two units in one entity, or None; must be symmetric and fixed."""


@dataclass(frozen=True, slots=True)
class Refused:
    """A merge that was due and forbidden: the first forbidden pair of units, and the rule."""

    left: int
    right: int
    score: float
    rule: str


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


@dataclass(slots=True)
class _Node:
    """A cluster in the making: its members and the sums of their feature rows."""

    members: list[int]
    names: dict[int, float]
    vector: NDArray[np.float64] | None
    neighbours: set[int] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class Linkage:
    """How clusters are scored: ``name_weight`` in [0, 1] against 1 - name_weight for vectors."""

    features: Features
    name_weight: float
    threshold: float
    max_cluster: int

    def node(self, unit: int) -> _Node:
        """The cluster of one unit."""
        row = self.features.names[unit]
        vectors = self.features.vectors
        return _Node(
            [unit],
            dict(zip(row.indices.tolist(), row.data.tolist(), strict=True)),
            None if vectors is None else vectors[unit].astype(np.float64),
        )

    def averages(self, a: _Node, b: _Node) -> tuple[float, float]:
        """Mean name similarity and mean cosine over all pairs of members of two clusters."""
        pairs = len(a.members) * len(b.members)
        small, large = (a.names, b.names) if len(a.names) <= len(b.names) else (b.names, a.names)
        name = sum(value * large[key] for key, value in small.items() if key in large)
        name += self._alias_bonus(a, b)
        cosine = 0.0 if a.vector is None or b.vector is None else float(a.vector @ b.vector)
        return name / pairs, cosine / pairs

    def combine(self, name: float, cosine: float) -> float:
        """The weighted score; names alone where there are no vectors."""
        if self.features.vectors is None:
            return name
        return self.name_weight * name + (1 - self.name_weight) * cosine

    def _alias_bonus(self, a: _Node, b: _Node) -> float:
        """What it takes to lift the name similarity of pairs that share an alias to 1."""
        aliases, others = self.features.aliases, set(b.members)
        rows = self.features.names
        return sum(
            max(0.0, 1.0 - float(rows[left].multiply(rows[right]).sum()))
            for left in a.members
            for right in sorted(aliases.get(left, frozenset()) & others)
        )


def cluster(candidates: Candidates, linkage: Linkage, forbids: Forbids) -> Clustering:
    """Clusters of the units that ``candidates`` names, none above ``linkage.max_cluster`` units."""
    edges: dict[int, dict[int, float]] = defaultdict(dict)
    columns = (candidates.left, candidates.right, candidates.score)
    for left, right, score in zip(*(c.tolist() for c in columns), strict=True):
        edges[left][right] = edges[right][left] = score
    done: list[Cluster] = []
    refused: dict[tuple[int, int], Refused] = {}
    work = [(component, linkage.threshold) for component in _components(edges)]
    while work:
        members, threshold = work.pop()
        for node in _agglomerate(
            members, edges, linkage, forbids=forbids, threshold=threshold, refused=refused
        ):
            if len(node.members) > linkage.max_cluster:
                work.append((sorted(node.members), threshold + STEP))
            elif len(node.members) > 1:
                done.append(_finished(node, linkage, threshold))
    return Clustering(
        tuple(sorted(done, key=lambda c: c.members)),
        tuple(sorted(refused.values(), key=lambda r: (-r.score, r.left, r.right))),
    )


def _components(edges: dict[int, dict[int, float]]) -> list[list[int]]:
    seen: set[int] = set()
    out: list[list[int]] = []
    for start in sorted(edges):
        if start in seen:
            continue
        seen.add(start)
        stack, component = [start], [start]
        while stack:
            fresh = [n for n in edges[stack.pop()] if n not in seen]
            seen.update(fresh)
            stack += fresh
            component += fresh
        out.append(sorted(component))
    return out


def _agglomerate(
    members: Sequence[int],
    edges: dict[int, dict[int, float]],
    linkage: Linkage,
    *,
    forbids: Forbids,
    threshold: float,
    refused: dict[tuple[int, int], Refused],
) -> Iterable[_Node]:
    """Merge the nearest pair of clusters until none reaches the threshold (ties: smallest units)."""
    if threshold > 1:
        return [linkage.node(unit) for unit in members]
    nodes = {unit: linkage.node(unit) for unit in members}
    heap: list[tuple[float, int, int, int, int]] = []
    for unit in members:
        nodes[unit].neighbours = {n for n, s in edges[unit].items() if n in nodes and s >= threshold}
        heap += [(-edges[unit][n], unit, n, 1, 1) for n in nodes[unit].neighbours if unit < n]
    heapq.heapify(heap)
    while heap:
        negative, a, b, size_a, size_b = heapq.heappop(heap)
        if not _current(nodes, a, size_a) or not _current(nodes, b, size_b):
            continue
        clash = _clash(nodes[a], nodes[b], forbids)
        if clash:
            left, right, rule = clash
            refused.setdefault((left, right), Refused(left, right, -negative, rule))
            nodes[a].neighbours.discard(b)
            nodes[b].neighbours.discard(a)
            continue
        _merge(nodes, a, b)
        for n in sorted(nodes[a].neighbours):
            score = linkage.combine(*linkage.averages(nodes[a], nodes[n]))
            if score >= threshold:
                low, high = min(a, n), max(a, n)
                heapq.heappush(heap, (-score, low, high, len(nodes[low].members), len(nodes[high].members)))
    return [nodes[unit] for unit in sorted(nodes)]


def _current(nodes: dict[int, _Node], unit: int, size: int) -> bool:
    return unit in nodes and len(nodes[unit].members) == size


def _clash(a: _Node, b: _Node, forbids: Forbids) -> tuple[int, int, str] | None:
    for left in sorted(a.members):
        for right in sorted(b.members):
            rule = forbids(left, right)
            if rule:
                return min(left, right), max(left, right), rule
    return None


def _merge(nodes: dict[int, _Node], a: int, b: int) -> None:
    """``b`` joins ``a`` (a < b)."""
    node, gone = nodes[a], nodes.pop(b)
    node.members += gone.members
    for key, value in gone.names.items():
        node.names[key] = node.names.get(key, 0.0) + value
    if node.vector is not None and gone.vector is not None:
        node.vector = node.vector + gone.vector
    node.neighbours = (node.neighbours | gone.neighbours) - {a, b}
    for n in node.neighbours:
        nodes[n].neighbours.discard(b)
        nodes[n].neighbours.add(a)


def _finished(node: _Node, linkage: Linkage, threshold: float) -> Cluster:
    """Averages over all pairs of a cluster, from those of its members one by one."""
    members = sorted(node.members)
    names = cosines = 0.0
    grown = linkage.node(members[0])
    for unit in members[1:]:
        single = linkage.node(unit)
        name, cosine = linkage.averages(grown, single)
        names, cosines = names + name * len(grown.members), cosines + cosine * len(grown.members)
        both = {0: grown, 1: single}
        _merge(both, 0, 1)
    pairs = len(members) * (len(members) - 1) / 2
    name, cosine = min(1.0, names / pairs), cosines / pairs
    return Cluster(tuple(members), linkage.combine(name, cosine), name, cosine, threshold)
