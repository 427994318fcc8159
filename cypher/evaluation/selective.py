"""Answering only when sure: shares with intervals, and the risk-coverage curve."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from schemas.evaluation import CoveragePoint, Share

Z = 1.96
"""Standard deviations of a two-sided 95 % interval."""


def share(flags: Iterable[bool]) -> Share:
    """How many are true, with Wilson's interval (J. Am. Stat. Assoc. 22, 209 (1927), doi:10.2307/2276774).

    >>> share([True] * 8 + [False] * 2).model_dump()
    {'hits': 8, 'trials': 10, 'low': 0.4902, 'high': 0.9433}
    """
    every = list(flags)
    hits, trials = sum(every), len(every)
    if not trials:
        return Share(hits=0, trials=0)
    rate, spread = hits / trials, Z * Z / trials
    middle = (rate + spread / 2) / (1 + spread)
    half = Z * math.sqrt(rate * (1 - rate) / trials + spread / (4 * trials)) / (1 + spread)
    return Share(
        hits=hits,
        trials=trials,
        low=round(max(0.0, middle - half), 4),
        high=round(min(1.0, middle + half), 4),
    )


def risk_coverage(answered: Sequence[tuple[float, bool]], total: int) -> tuple[CoveragePoint, ...]:
    """Risk at each coverage, most confident first (R. El-Yaniv, Y. Wiener, JMLR 11, 1605 (2010)).

    ``answered`` holds (confidence, right) of each answered question; ``total`` counts those not answered too.
    Answers of equal confidence come in together, because no threshold separates them.
    """
    points: list[CoveragePoint] = []
    ranked = sorted(answered, key=lambda a: -a[0])
    wrong = 0
    for at, (confidence, right) in enumerate(ranked, start=1):
        wrong += not right
        if at == len(ranked) or ranked[at][0] != confidence:
            points.append(CoveragePoint(coverage=at / total, risk=wrong / at))
    return tuple(points)


def aurc(points: Sequence[CoveragePoint]) -> float | None:
    """Mean risk over the coverage that was reached (arXiv:1705.08500); None without an answer.

    >>> aurc((CoveragePoint(coverage=0.5, risk=0.0), CoveragePoint(coverage=1.0, risk=0.5)))
    0.25
    """
    if not points:
        return None
    before, area = 0.0, 0.0
    for point in points:
        area += (point.coverage - before) * point.risk
        before = point.coverage
    return area / before
