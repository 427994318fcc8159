"""How well a clustering agrees with another: pairwise scores and B-cubed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Agreement:
    """Precision, recall and their harmonic mean, each in [0, 1]."""

    precision: float
    recall: float
    f1: float


def pairwise(predicted: Mapping[str, Hashable], gold: Mapping[str, Hashable]) -> Agreement:
    """Agreement on pairs of items in one cluster, over the items of ``gold`` that are predicted.

    With no pair to find, precision and recall are 1 where nothing was claimed.

    >>> pairwise({"a": 1, "b": 1, "c": 2}, {"a": "x", "b": "x", "c": "x"})
    Agreement(precision=1.0, recall=0.3333333333333333, f1=0.5)
    """
    items = [item for item in gold if item in predicted]
    claimed = _pairs(Counter(predicted[i] for i in items))
    true = _pairs(Counter(gold[i] for i in items))
    hits = _pairs(Counter((predicted[i], gold[i]) for i in items))
    return _agreement(hits / claimed if claimed else 1.0, hits / true if true else 1.0)


def b_cubed(predicted: Mapping[str, Hashable], gold: Mapping[str, Hashable]) -> Agreement:
    """B-cubed scores, averaged over items (Bagga and Baldwin 1998, doi:10.3115/980451.980859).

    >>> b_cubed({"a": 1, "b": 1}, {"a": "x", "b": "y"}).precision
    0.5
    """
    items = [item for item in gold if item in predicted]
    if not items:
        return _agreement(1.0, 1.0)
    sizes, classes = Counter(predicted[i] for i in items), Counter(gold[i] for i in items)
    cells = Counter((predicted[i], gold[i]) for i in items)
    precision = sum(n * n / sizes[cluster] for (cluster, _), n in cells.items()) / len(items)
    recall = sum(n * n / classes[label] for (_, label), n in cells.items()) / len(items)
    return _agreement(precision, recall)


def _pairs(counts: Counter[Hashable] | Counter[tuple[Hashable, Hashable]]) -> int:
    return sum(n * (n - 1) // 2 for n in counts.values())


def _agreement(precision: float, recall: float) -> Agreement:
    total = precision + recall
    return Agreement(precision, recall, 2 * precision * recall / total if total else 0.0)
