"""How far a type's threshold may fall, as the records themselves show: no labels are needed.

A document never names one concept twice in names that similarity would join, so pairs within a document
are known to differ, and as many of them as reach a score tell how many wrong pairs of two documents reach
it. This is the target-decoy estimate of proteomics (Elias and Gygi 2007, doi:10.1038/nmeth1019), with one
decoy more than was found: a small corpus, whose documents prove little, keeps the threshold of its schema.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from canonicalize.candidates import Candidates
from canonicalize.features import Unit
from canonicalize.linkage import Forbids

MOST_WRONG = 0.02
"""Share of wrong pairs among those that reach a threshold, up to which it may be used."""
STEP = 0.05
"""How far apart the thresholds are that are tried: few, so that one more document seldom changes it."""
_SAMPLE = 2_000
"""Pairs of two documents of which the rules that forbid some are asked; they are drawn evenly by place."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """Scores of the pairs that no rule but that of one document forbids."""

    within: NDArray[np.float64]
    """Of pairs of one document: none is one concept."""
    across: NDArray[np.float64]
    """Of pairs of two documents, or of a sample of them."""
    share: float
    """Part of the pairs of two documents that ``across`` holds."""
    ratio: float
    """All pairs of units, by those of one document."""

    def wrong(self, threshold: float) -> float:
        """At most this share of the pairs that reach the threshold is expected to be wrong; may exceed 1.

        >>> found = Evidence(np.array([0.5]), np.array([0.6, 0.7] * 50), share=1.0, ratio=2.0)
        >>> found.wrong(0.6), found.wrong(0.5)
        (0.02, 0.04)
        """
        reached = float((self.across >= threshold).sum()) / self.share
        return (int((self.within >= threshold).sum()) + 1) * self.ratio / max(1.0, reached)


def lowered(evidence: Evidence, threshold: float, least: float) -> float:
    """The lowest threshold from ``least`` up to ``threshold`` of which all above it hold too."""
    best = threshold
    for step in range(1, round((threshold - least) / STEP) + 1):
        lower = max(least, threshold - step * STEP)
        if evidence.wrong(lower) > MOST_WRONG:
            break
        best = round(lower, 6)
    return best


def evidence_of(units: Sequence[Unit], near: Candidates, forbids: Forbids) -> Evidence | None:
    """What the candidates ``near`` of all units show; None where no document has two units.

    ``forbids`` knows all rules but that of one document.
    """
    within = _pairs_of_one_document(units)
    if not within:
        return None
    one = np.fromiter(map(_one_document(units), near.left, near.right), dtype=bool, count=len(near))
    others = np.flatnonzero(~one)
    drawn = others[:: max(1, -(-len(others) // _SAMPLE))]
    return Evidence(
        _allowed(near.part(np.flatnonzero(one)), forbids),
        _allowed(near.part(drawn), forbids),
        share=len(drawn) / len(others) if len(others) else 1.0,
        ratio=len(units) * (len(units) - 1) / 2 / within,
    )


def _pairs_of_one_document(units: Sequence[Unit]) -> int:
    held: dict[str, int] = defaultdict(int)
    for unit in units:
        for document in unit.documents:
            held[document] += 1
    return sum(count * (count - 1) // 2 for count in held.values())


def _one_document(units: Sequence[Unit]) -> Callable[[int, int], bool]:
    return lambda a, b: not units[a].documents.isdisjoint(units[b].documents)


def _allowed(pairs: Candidates, forbids: Forbids) -> NDArray[np.float64]:
    """Scores of the pairs that no rule forbids."""
    ends = zip(pairs.left.tolist(), pairs.right.tolist(), strict=True)
    free = np.fromiter((forbids(a, b) is None for a, b in ends), dtype=bool, count=len(pairs))
    scores: NDArray[np.float64] = pairs.score[free]
    return scores
