"""Which pair of a document a relation joins, when it joins one: the rivals of a pair are the other pairs.

The staged model asks of each pair alone how it is related, which many pairs answer alike: "who" is easily
mistaken where one sentence tells several facts. Here the pairs of a document compete for each relation, a
conditional logit over pairs (McFadden 1974) with weights that all relations share and weights of each
relation on top (as in Daume, "Frustratingly easy domain adaptation", arXiv:0907.1815).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from extraction.learned_crf import Floats, Ints
from extraction.learned_pairs import SEEN, PairData

RIVALS: Final = 60
"""Pairs of a document, the nearest, that a true one is compared with in training, in both directions."""
PENALTY: Final = 1.0
"""L2 penalty of a weight."""
ITERATIONS: Final = 60
LIKE: Final = 3.0
"""Factor on likenesses beside features of 0 and 1."""
TRUSTS: Final = (0.0, 0.5)
"""Tried as the weight of the ranking beside the probabilities of the two stages."""


@dataclass(frozen=True, slots=True)
class RankModel:
    """Linear scores of pairs by role for each relation; only differences within a document mean anything."""

    own: Any
    """CSR (n_features, n_relations): weights of each relation, on top of the shared ones."""
    shared: Floats
    """(n_features + n_likenesses,)."""
    trust: float = 0.0
    """Weight of the ranking beside the probabilities of the two stages, in [0, 1): 0 leaves these."""

    @classmethod
    def of(cls, cells: tuple[Ints, Ints, Floats], shared: Floats, size: tuple[int, int]) -> RankModel:
        """From features, relations and weights (n_weights,) each; ``size`` is (n_features, n_relations)."""
        from scipy.sparse import csr_matrix

        features, relations, weights = cells
        return cls(csr_matrix((weights, (features, relations)), size), shared)

    def cells(self) -> tuple[Ints, Ints, Floats]:
        """Features, relations and weights, (n_weights,) each."""
        found = self.own.tocoo()
        return found.row.astype(np.int64), found.col.astype(np.int64), found.data

    def scores(self, x: Any, likeness: Floats) -> Floats:
        """(n_rows, n_relations); ``x`` is CSR (n_rows, n_features), ``likeness`` as of ``Likeness.of``."""
        near = np.tensordot(self.shared[x.shape[1] :] * LIKE, likeness, 1)
        shared = x @ self.shared[: x.shape[1]]
        return np.asarray((x @ self.own).toarray() + shared[:, None] + near)


def ranked(probable: Floats, scores: Floats, trust: float) -> Floats:
    """(n_rows, n_relations) probabilities in the order of probability and score together.

    The best row of each relation has the highest probability that any row had for it; the others have
    less in proportion.

    >>> ranked(np.array([[0.5], [0.4]]), np.array([[0.0], [3.0]]), 0.5).round(2).tolist()
    [[0.12], [0.5]]
    """
    if trust == 0:
        return probable
    with np.errstate(divide="ignore"):
        joint = (1 - trust) * np.log(probable) + trust * scores
    top = joint.max(axis=0, initial=-1e9)
    return np.asarray(np.exp(joint - top) * probable.max(axis=0, initial=0.0))


@dataclass(frozen=True, slots=True)
class _Contest:
    """One relation of one document with rows ``first`` to ``last``, pairs by role, of which some hold it."""

    relation: int
    rows: tuple[int, ...]
    right: tuple[bool, ...]


def fit_rank(data: Sequence[PairData], x: Any, likeness: Floats, relations: Sequence[str]) -> RankModel:
    """The ranking of the documents' pairs.

    ``x`` is CSR (n_rows, n_features) of all pairs, document after document, first in one role, then in the
    other; ``likeness`` is (n_likenesses, n_rows, n_relations).
    """
    index = {name: at for at, name in enumerate(relations)}
    contests = [c for c in _contests(data, index) if not all(c.right)]
    places = np.array([row for c in contests for row in c.rows], np.int64)
    owners = np.array([c.relation for c in contests for _ in c.rows], np.int64)
    inputs = x[places]
    near = likeness[:, places, owners].T * LIKE
    cells, own = _own_columns(inputs, owners, len(relations))
    weights = _fit(inputs, near, own, contests)
    width = x.shape[1] + near.shape[1]
    own_weights = (cells // len(relations), cells % len(relations), weights[width:])
    return RankModel.of(own_weights, weights[:width], (x.shape[1], len(relations)))


def _contests(data: Sequence[PairData], index: dict[str, int]) -> Iterator[_Contest]:
    start = 0
    for d in data:
        count = len(d.pairs)
        holders: dict[str, set[int]] = {}
        for at, labels in enumerate(d.labels):
            for name, forth in labels:
                holders.setdefault(name, set()).add(at if forth else at + count)
        for name in sorted(holders):
            near = {at + side for at in range(min(count, RIVALS)) for side in (0, count)}
            rows = sorted(near | holders[name])
            yield _Contest(
                index[name], tuple(start + at for at in rows), tuple(at in holders[name] for at in rows)
            )
        start += 2 * count


def _own_columns(x: Any, owners: Ints, relations: int) -> tuple[Ints, Any]:
    """Cells (feature * n_relations + relation) that occur often enough, and CSR (n_rows, n_cells) of them."""
    from scipy.sparse import csr_matrix

    cells = x.indices.astype(np.int64) * relations + np.repeat(owners, np.diff(x.indptr))
    counts = Counter(cells.tolist())
    kept = np.array(sorted(c for c, n in counts.items() if n >= SEEN), np.int64)
    at = np.searchsorted(kept, cells)
    told = (at < len(kept)) & (kept[np.minimum(at, len(kept) - 1)] == cells) if len(kept) else at < 0
    ends = np.concatenate([[0], np.cumsum(told)])[x.indptr]
    own = csr_matrix((np.ones(int(told.sum())), at[told], ends), shape=(x.shape[0], len(kept)))
    return kept, own


def _fit(x: Any, near: Floats, own: Any, contests: Sequence[_Contest]) -> Floats:
    from scipy.optimize import minimize
    from scipy.sparse import csr_matrix, hstack

    inputs = hstack([x, csr_matrix(near), own]).tocsr()
    if not contests:
        return np.zeros(inputs.shape[1])
    turned = inputs.T.tocsr()
    sizes = np.array([len(c.rows) for c in contests])
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    right = np.concatenate([np.asarray(c.right) / sum(c.right) for c in contests])

    def value(flat: Floats) -> tuple[float, Floats]:
        scores = np.asarray(inputs @ flat)
        scores -= np.repeat(np.maximum.reduceat(scores, starts), sizes)
        likely = np.exp(scores)
        total = np.add.reduceat(likely, starts)
        loss = float(np.log(total).sum() - (right * scores).sum())
        slope = np.asarray(turned @ (likely / np.repeat(total, sizes) - right))
        return loss + 0.5 * PENALTY * float(flat @ flat), slope + PENALTY * flat

    options = {"maxiter": ITERATIONS, "maxcor": 6}
    found = minimize(value, np.zeros(inputs.shape[1]), jac=True, method="L-BFGS-B", options=options)
    return np.asarray(found.x)
