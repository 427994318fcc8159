"""How sure an answer is after what reviewers said of other answers of its shape.

The parser's own confidence is a constant for each way of reading. Marked answers of the same shape tell how
often that is so, by the m-estimate of a share, which is the mean of a beta-binomial posterior
(B. Cestnik, Int. J. Appl. Math. Comput. Sci. 29, 783 (2019), doi:10.2478/amcs-2019-0058). No mark is left out
for being one of few: with a cut-off a right mark that reaches it could lower the confidence.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

STRENGTH: Final = 10.0
"""Marks that the parser's own confidence is worth (own choice): of ten, a share of one half is known to
± 0.16, so that fewer say less than the constant does."""
LEAST_WRONG: Final = 5
"""Wrong marks without which a shape is answered on: five of five are the fewest that bound the share of
right answers below one half at 95 %, 1 - 0.05^(1/5) = 0.45 (Clopper and Pearson, Biometrika 26, 404 (1934),
doi:10.1093/biomet/26.4.404)."""


@dataclass(frozen=True, slots=True)
class Tally:
    """Marked answers of one shape."""

    right: int = 0
    wrong: int = 0

    @property
    def marks(self) -> int:
        """All of them."""
        return self.right + self.wrong

    @classmethod
    def of(cls, verdicts: Iterable[bool]) -> Tally:
        """The tally of marks, each true where the answer was right."""
        every = list(verdicts)
        return cls(sum(every), len(every) - sum(every))


def calibrated(prior: float, tally: Tally) -> float:
    """The confidence in [0, 1] of an answer whose own is ``prior``; the same without marks.

    >>> calibrated(0.95, Tally()), calibrated(0.95, Tally(right=8, wrong=2))
    (0.95, 0.875)
    """
    return min(1.0, max(0.0, (STRENGTH * prior + tally.right) / (STRENGTH + tally.marks)))
