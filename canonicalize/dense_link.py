"""Average linkage of a few units, with the similarity of all their pairs in one matrix.

The average over all pairs of two groups is kept up to date by adding rows (Lance and Williams 1967,
doi:10.1093/comjnl/9.4.373); a group that a rule keeps from another stays apart from it as it grows.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from canonicalize.linkage import Forbids, Refusals, clash


def link_dense(
    members: Sequence[int],
    similarity: NDArray[np.float64],
    threshold: float,
    *,
    forbids: Forbids,
    refusals: Refusals,
) -> list[list[int]]:
    """Groups of places in ``members``: the nearest two merge until none reach the threshold.

    ``similarity`` (n, n) is symmetric. Of merges equally near, the one of the smallest places is made.
    """
    if len(members) == 2:
        return _link_two(members, float(similarity[0, 1]), threshold, forbids=forbids, refusals=refusals)
    groups = {place: [place] for place in range(len(members))}
    sums = similarity.copy()
    averages = similarity.copy()
    np.fill_diagonal(averages, -np.inf)
    sizes = np.ones(len(members))
    apart = np.zeros(averages.shape, dtype=bool)
    while len(groups) > 1:
        a, b = divmod(int(averages.argmax()), len(members))
        if averages[a, b] < threshold:
            break
        found = clash([members[p] for p in groups[a]], [members[p] for p in groups[b]], forbids)
        if found:
            refusals.add(found[0], found[1], float(averages[a, b]), found[2])
            apart[a, b] = apart[b, a] = True
            averages[a, b] = averages[b, a] = -np.inf
            continue
        groups[a] += groups.pop(b)
        _join(a, b, sums, sizes, apart)
        row = np.where(apart[a] | (sizes == 0), -np.inf, sums[a] / (sizes[a] * np.maximum(sizes, 1)))
        row[a] = -np.inf
        averages[a], averages[:, a] = row, row
        averages[b], averages[:, b] = -np.inf, -np.inf
    return [groups[place] for place in sorted(groups)]


def _link_two(
    members: Sequence[int], score: float, threshold: float, *, forbids: Forbids, refusals: Refusals
) -> list[list[int]]:
    rule = forbids(*sorted(members)) if score >= threshold else None
    if rule:
        refusals.add(members[0], members[1], score, rule)
    return [[0, 1]] if score >= threshold and not rule else [[0], [1]]


def _join(
    a: int, b: int, sums: NDArray[np.float64], sizes: NDArray[np.float64], apart: NDArray[np.bool_]
) -> None:
    """Row ``b`` joins row ``a`` and is empty from then on."""
    sums[a] += sums[b]
    sums[:, a] = sums[a]
    apart[a] |= apart[b]
    apart[:, a] = apart[a]
    sizes[a] += sizes[b]
    sizes[b] = 0
