"""Name weight and threshold of a type, fitted on labelled pairs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from canonicalize.pair_data import LabelledTable
from canonicalize.similarity import PAIR_FEATURES
from schemas.errors import UsageError

WEIGHTS = tuple(round(0.1 * step, 1) for step in range(11))
THRESHOLDS = tuple(round(0.3 + 0.02 * step, 2) for step in range(33))
_NAME, _ALIAS, _MEANING = (
    PAIR_FEATURES.index(name) for name in ("name_tfidf", "shared_alias", "meaning_cosine")
)


@dataclass(frozen=True, slots=True)
class WeightFit:
    """What the labelled pairs say of the weighted sum, and how well it does on them."""

    name_weight: float
    threshold: float
    precision: float
    recall: float
    score: float
    """F-measure."""


def fit_weights(table: LabelledTable, *, beta: float = 0.5, same_share: float | None = None) -> WeightFit:
    """The name weight and threshold of the best F-measure; of equals the highest threshold.

    ``beta`` below 1 weighs precision more: a wrong merge costs more than a missed one. ``same_share`` is
    the share of equal pairs among those that are met (by default the table's own): hand-picked pairs
    are balanced, so without it precision would be too good. ``UsageError`` without pairs of both labels.
    """
    same = table.same.astype(bool)
    if not same.any() or same.all():
        raise UsageError(
            "expected labelled pairs that are the same and some that differ, found one kind only"
        )
    weight = np.where(same, table.weight / table.weight[same].sum(), table.weight / table.weight[~same].sum())
    share = float(table.weight[same].sum() / table.weight.sum()) if same_share is None else same_share
    weight = np.where(same, share * weight, (1 - share) * weight)
    names = np.where(table.columns[:, _ALIAS] > 0, 1.0, table.columns[:, _NAME])
    fits = [
        _measured(
            own * names + (1 - own) * table.columns[:, _MEANING],
            same,
            weight,
            setting=(own, least),
            beta=beta,
        )
        for own in WEIGHTS
        for least in THRESHOLDS
    ]
    return max(fits, key=lambda f: (round(f.score, 9), f.threshold, f.name_weight))


def _measured(
    scores: NDArray[np.float64],
    same: NDArray[np.bool_],
    weight: NDArray[np.float64],
    *,
    setting: tuple[float, float],
    beta: float,
) -> WeightFit:
    taken = scores >= setting[1]
    hits = float(weight[taken & same].sum())
    precision = hits / float(weight[taken].sum()) if taken.any() else 0.0
    recall = hits / float(weight[same].sum())
    below = beta * beta * precision + recall
    score = (1 + beta * beta) * precision * recall / below if below else 0.0
    return WeightFit(*setting, precision, recall, score)
