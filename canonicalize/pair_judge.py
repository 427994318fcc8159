"""The local judge: splits a candidate by the probabilities of its pairs, and says where it is unsure."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from canonicalize.judge import Candidate, Columns, Note, Unsure, Verdict
from canonicalize.pair_model import decode
from schemas.errors import DataError
from schemas.learning import ModelArtifact

ACCEPT = 0.6
"""Average probability from which two groups are one; by cross-validation over the labelled names."""
REFUSE = 0.3
"""Average probability below which two groups are not worth a reviewer's time."""
Floats = NDArray[np.float64]


class PairJudge:
    """Average link on the probabilities of a pair model.

    Groups grow while their average probability is at least ``accept``. What would go on growing down to
    ``refuse`` is unsure: its groups stay as they are and the whole is left to reviewers.
    """

    def __init__(self, artifact: ModelArtifact, *, accept: float = ACCEPT, refuse: float = REFUSE) -> None:
        self._model = decode(artifact)
        self._accept, self._refuse = accept, min(refuse, accept)
        self.name = f"pairs/1:{artifact.digest[:12]}"

    def decide(self, candidates: Sequence[Candidate]) -> Sequence[Verdict]:
        """Raises ``DataError``: this judge needs the columns of the pairs."""
        raise DataError(
            f"judge {self.name}: expected the columns of {len(candidates)} candidates' pairs, found none; "
            "call decide_compared"
        )

    def decide_compared(
        self, candidates: Sequence[Candidate], columns: Sequence[Columns]
    ) -> tuple[Verdict, ...]:
        """One verdict per candidate."""
        if not candidates:
            return ()
        values = self._model.probabilities(np.concatenate(columns))
        ends = np.cumsum([len(c) for c in columns]).tolist()
        parts = [values[end - len(c) : end] for end, c in zip(ends, columns, strict=True)]
        return tuple(
            self._verdict(c, _matrix(p, len(c.members))) for c, p in zip(candidates, parts, strict=True)
        )

    def _verdict(self, candidate: Candidate, probabilities: Floats) -> Verdict:
        single = [(m,) for m in range(len(candidate.members))]
        sure = average_link(probabilities, single, self._accept)
        open_ = average_link(probabilities, sure, self._refuse)
        groups = [g for g in sure if len(g) > 1]
        parts = {whole: [g for g in sure if set(g) <= set(whole)] for whole in open_}
        return Verdict(
            groups=tuple(groups),
            notes=tuple(self._note(candidate, g, probabilities) for g in groups),
            unsure=tuple(
                Unsure(members=whole, probability=between, reason=f"probability {between:.2f}")
                for whole, inner in parts.items()
                if len(inner) > 1
                for between in [_between(probabilities, inner)]
            ),
        )

    def _note(self, candidate: Candidate, group: tuple[int, ...], probabilities: Floats) -> Note:
        pairs = list(combinations(group, 2))
        values = [float(probabilities[a, b]) for a, b in pairs]
        average = float(np.mean(values))
        reason = f"probability {average:.2f}"
        if len(pairs) > 1:
            a, b = pairs[int(np.argmin(values))]
            names = (candidate.members[m].names[0][:60] for m in (a, b))
            reason += f" on average; weakest {min(values):.2f}, {' / '.join(names)}"
        return Note(reason=reason, probability=average)


def average_link(
    probabilities: Floats, groups: Sequence[tuple[int, ...]], least: float
) -> list[tuple[int, ...]]:
    """Unite the two groups of highest average probability while it is ``least`` or more; sorted.

    >>> p = np.array([[1, 0.9, 0.2], [0.9, 1, 0.4], [0.2, 0.4, 1]])
    >>> average_link(p, [(0,), (1,), (2,)], 0.5)
    [(0, 1), (2,)]
    """
    left = [tuple(g) for g in groups]
    while len(left) > 1:
        averages = {
            (a, b): float(probabilities[np.ix_(left[a], left[b])].mean())
            for a, b in combinations(range(len(left)), 2)
        }
        (a, b), best = min(averages.items(), key=lambda item: (-round(item[1], 12), item[0]))
        if best < least:
            break
        united = tuple(sorted((*left[a], *left[b])))
        left = sorted([*(g for at, g in enumerate(left) if at not in (a, b)), united])
    return sorted(left)


def _between(probabilities: Floats, parts: Sequence[tuple[int, ...]]) -> float:
    """Mean probability over the pairs of members of different parts."""
    values = [probabilities[np.ix_(a, b)].ravel() for a, b in combinations(parts, 2)]
    return float(np.concatenate(values).mean())


def _matrix(values: Floats, count: int) -> Floats:
    """The symmetric matrix of pairs in the order of ``itertools.combinations``."""
    out = np.eye(count)
    rows, cols = np.triu_indices(count, 1)
    out[rows, cols] = out[cols, rows] = values
    return out
