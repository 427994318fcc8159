"""Communities of the canonical graph: the Leiden algorithm on its entities.

Traag, Waltman and van Eck, "From Louvain to Leiden: guaranteeing well-connected communities"
(doi:10.1038/s41598-019-41695-z); modularity with resolution after Reichardt and Bornholdt
(doi:10.1103/PhysRevE.74.016110).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from types import ModuleType

from schemas.communities import Communities, Community
from schemas.errors import ModelUnavailableError
from schemas.graphs import CanonicalGraph
from schemas.ids import EntityId, content_hash

COARSER = 0.25
"""Factor on the resolution from one level to the next: at the same one, nothing would join any more."""
Pair = tuple[int, int]


class Objective(StrEnum):
    """What the partition maximises. Parse user input with ``Objective(text)``: the case matters."""

    MODULARITY = "modularity"
    CPM = "cpm"


def find_communities(
    graph: CanonicalGraph,
    *,
    seed: int = 7,
    min_component: int = 3,
    max_levels: int = 2,
    resolution: float = 1.0,
    objective: Objective = Objective.MODULARITY,
) -> Communities:
    """Communities of the entities, level 0 the finest; the same graph and seed give the same result.

    Two entities are joined with weight n by n statements between their records, whatever the direction.
    Entities in components of fewer than ``min_component`` are not grouped but listed as ``dropped``.
    Level n + 1 groups the communities of level n with ``COARSER`` times the resolution, up to
    ``max_levels`` levels, and is left out when it joins nothing.

    Raises ``ModelUnavailableError`` when igraph and leidenalg are not installed.
    """
    weights = entity_weights(graph)
    components = _components(len(graph.entities), weights)
    kept = sorted(n for c in components if len(c) >= min_component for n in c)
    ids = [entity.id for entity in graph.entities]
    dropped = tuple(sorted(ids[n] for c in components if len(c) < min_component for n in c))
    levels: list[list[int]] = []
    quality = 0.0
    if kept:
        renumbered = {node: index for index, node in enumerate(kept)}
        inner = {(renumbered[a], renumbered[b]): w for (a, b), w in weights.items() if a in renumbered}
        levels, quality = _hierarchy(
            len(kept), inner, _Leiden(seed, objective), resolution=resolution, max_levels=max_levels
        )
    return Communities(
        seed=seed,
        quality=quality,
        algorithm=f"leidenalg/{objective.value}/{resolution:g}",
        communities=_communities([ids[n] for n in kept], levels),
        dropped=dropped,
    )


def entity_weights(graph: CanonicalGraph) -> dict[Pair, int]:
    """Number of statements between each pair of entities (positions in ``graph.entities``, a < b)."""
    place = {record: n for n, entity in enumerate(graph.entities) for record in entity.records}
    weights: Counter[Pair] = Counter()
    for statement in graph.statements:
        a, b = place[statement.subject], place[statement.object]
        if a != b:
            weights[(a, b) if a < b else (b, a)] += 1
    return dict(sorted(weights.items()))


@dataclass(frozen=True, slots=True)
class _Leiden:
    seed: int
    objective: Objective

    def partition(
        self, count: int, weights: Mapping[Pair, float], resolution: float
    ) -> tuple[list[int], float]:
        """Community number of each of ``count`` nodes, and the modularity of the partition."""
        igraph, leidenalg = _leiden_modules()
        edges = [pair for pair in weights if pair[0] != pair[1]]
        values = [float(weights[pair]) for pair in edges]
        network = igraph.Graph(n=count, edges=edges)
        kinds = {
            Objective.MODULARITY: leidenalg.RBConfigurationVertexPartition,
            Objective.CPM: leidenalg.CPMVertexPartition,
        }
        found = leidenalg.find_partition(
            network, kinds[self.objective], weights=values, resolution_parameter=resolution, seed=self.seed
        )
        membership = [int(m) for m in found.membership]
        quality = float(network.modularity(membership, weights=values)) if edges else 0.0
        return membership, quality


def _leiden_modules() -> tuple[ModuleType, ModuleType]:
    try:
        import igraph
        import leidenalg
    except ImportError as e:
        raise ModelUnavailableError(
            f"communities need igraph and leidenalg, and {e.name} is not installed;"
            " run: pip install 'corpusgraph[communities]'"
        ) from e
    return igraph, leidenalg


def _hierarchy(
    count: int, weights: Mapping[Pair, int], leiden: _Leiden, *, resolution: float, max_levels: int
) -> tuple[list[list[int]], float]:
    """Per level the community of each node; the modularity of level 0."""
    membership, quality = leiden.partition(count, weights, resolution)
    levels = [membership]
    while len(levels) < max_levels:
        groups = max(levels[-1]) + 1
        resolution *= COARSER
        coarse, _ = leiden.partition(groups, _aggregate(weights, levels[-1]), resolution)
        if max(coarse) + 1 == groups:
            break
        levels.append([coarse[group] for group in levels[-1]])
    return levels, quality


def _aggregate(weights: Mapping[Pair, int], membership: Sequence[int]) -> dict[Pair, float]:
    """Weights between communities."""
    total: Counter[Pair] = Counter()
    for (a, b), weight in weights.items():
        low, high = sorted((membership[a], membership[b]))
        total[low, high] += weight
    return {pair: float(weight) for pair, weight in sorted(total.items())}


def _communities(ids: Sequence[EntityId], levels: Sequence[Sequence[int]]) -> tuple[Community, ...]:
    names: list[dict[int, str]] = []
    members: list[dict[int, tuple[EntityId, ...]]] = []
    for level, membership in enumerate(levels):
        found: dict[int, list[EntityId]] = defaultdict(list)
        for entity, group in zip(ids, membership, strict=True):
            found[group].append(entity)
        members.append({group: tuple(sorted(entities)) for group, entities in found.items()})
        names.append({g: content_hash("community", level, list(m)) for g, m in members[-1].items()})
    made: list[Community] = []
    for level, membership in enumerate(levels):
        above = dict(zip(membership, levels[level + 1], strict=True)) if level + 1 < len(levels) else {}
        for group, entities in members[level].items():
            parent = names[level + 1][above[group]] if above else None
            made.append(Community(id=names[level][group], level=level, members=entities, parent=parent))
    return tuple(sorted(made, key=lambda c: (c.level, -len(c.members), c.id)))


def _components(count: int, weights: Mapping[Pair, int]) -> list[list[int]]:
    parent = list(range(count))

    def find(node: int) -> int:
        while parent[node] != node:
            parent[node] = parent[parent[node]]
            node = parent[node]
        return node

    for a, b in weights:
        low, high = sorted((find(a), find(b)))
        parent[high] = low
    found: dict[int, list[int]] = defaultdict(list)
    for node in range(count):
        found[find(node)].append(node)
    return [found[root] for root in sorted(found)]
