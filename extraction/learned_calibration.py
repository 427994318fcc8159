"""Calibrated probabilities, fitted on held-out predictions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

_EDGE: Final = 1e-6
_ENOUGH: Final = 20
"""Outcomes of both kinds from which a calibration is fitted."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """Platt scaling: 1 / (1 + exp(-(slope * logit(score) + offset))); (1, 0) leaves scores as they are.

    Platt, "Probabilistic outputs for support vector machines" (1999).

    >>> round(Calibration(1.0, 0.0).apply(0.25), 6)
    0.25
    """

    slope: float = 1.0
    offset: float = 0.0

    def apply(self, score: float) -> float:
        """The probability in [0, 1] that a proposal with this score is right."""
        held = min(max(score, _EDGE), 1 - _EDGE)
        value = self.slope * math.log(held / (1 - held)) + self.offset
        return 1 / (1 + math.exp(-value)) if value > -700 else 0.0


def fit_calibration(scores: Sequence[float], right: Sequence[bool]) -> Calibration:
    """The calibration of held-out proposals; the identity when there are too few of either outcome."""
    from sklearn.linear_model import LogisticRegression

    if min(sum(right), len(right) - sum(right)) < _ENOUGH:
        return Calibration()
    held = np.clip(np.asarray(scores), _EDGE, 1 - _EDGE)
    model = LogisticRegression(C=10.0).fit(np.log(held / (1 - held))[:, None], np.asarray(right))
    slope = float(model.coef_[0][0])
    return Calibration(slope, float(model.intercept_[0])) if slope > 0 else Calibration()
