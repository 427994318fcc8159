"""The staged pair model, for schemas of many relations: first who is related, then how.

P(subject, relation, object) = P(subject, object related) * P(relation | related). The second factor is a
conditional logit (McFadden 1974): each relation has weights of its own, learned from its examples, and all
share the weights of how near the text is to what a relation is called, so that a relation without an example
can be proposed as well. Then the pairs of the document compete for each relation
(:mod:`extraction.learned_rank`).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from extraction.learned_clues import Clue, Likeness, clue_of, turned
from extraction.learned_crf import Floats, Ints
from extraction.learned_labels import LabelledRecord
from extraction.learned_pairs import (
    NONE,
    SEEN,
    Direction,
    Neighbourhood,
    Pair,
    PairData,
    candidate_pairs,
    feature_matrix,
    possible,
    record_features,
)
from extraction.learned_rank import RankModel, fit_rank, ranked
from extraction.learned_roles import WORDED, Roles
from schemas.graph_schema import GraphSchema

STAGED_FROM: Final = 24
"""Relations of the training documents from which pairs are judged in two stages."""
ITERATIONS: Final = 60
TOLD: Final = 3
"""Related pairs that a feature must occur in to tell how they are related."""
VECTOR: Final = 3.0
"""Factor on the numbers of a clue's vector beside features of 0 and 1."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """When a relation holds: its probability reaches ``least``, and ``rival`` times the best of its document.

    The best is over all pairs, in both directions, for the same relation. Both are in [0, 1].
    """

    least: float = 0.5
    rival: float = 0.0

    def holds(self, probable: Floats) -> NDArray[np.bool_]:
        """(n_pairs, n_classes) bool for the (n_pairs, n_classes) probabilities of one document."""
        best = probable[:, 1:].max(axis=0, initial=0.0).reshape(-1, 2).max(axis=1).repeat(2)
        chosen = np.zeros(probable.shape, bool)
        told = probable[:, 1:]
        chosen[:, 1:] = (told >= self.least) & (told >= self.rival * best) & (told > 0)
        return chosen


@dataclass(frozen=True, slots=True)
class StagedModel:
    """Two stages over pairs by role; the first entity of a row is taken to be the subject."""

    relations: tuple[str, ...]
    """All of the schema; those without an example have weights of 0 and a common bias."""
    columns: dict[str, int]
    gate: Floats
    """(1 + n_features + dimension,): bias first."""
    weights: Floats
    """(1 + n_features + dimension, n_relations): bias first."""
    shared: Floats
    """(WORDED + n_likenesses,)."""
    decision: Ranked
    reach: int
    likeness: Likeness
    rank: RankModel
    _kept: dict[bytes, Floats] = field(default_factory=dict, compare=False, repr=False)
    """Weights by relations: those last asked for."""

    @property
    def classes(self) -> tuple[Direction, ...]:
        """ "None", then each relation forth and back."""
        return ((NONE, True), *((r, d) for r in self.relations for d in (True, False)))

    def judge(
        self,
        pairs: Sequence[Pair],
        around: Neighbourhood,
        schema: GraphSchema,
        asked: Collection[str] | None = None,
    ) -> Floats:
        """(n_pairs, n_classes); ``asked`` are the relations to choose from."""
        seen = staged_rows(pairs, around)
        return self.probabilities(pairs, seen, schema, asked)

    def probabilities(
        self,
        pairs: Sequence[Pair],
        seen: StagedRows,
        schema: GraphSchema,
        asked: Collection[str] | None = None,
    ) -> Floats:
        """(n_pairs, n_classes) of pairs whose rows are known; 0 where the schema forbids it."""
        told, order = self.factors(pairs, seen, schema, asked)
        return self.joint(told, order, self.rank.trust)

    def factors(
        self,
        pairs: Sequence[Pair],
        seen: StagedRows,
        schema: GraphSchema,
        asked: Collection[str] | None = None,
    ) -> tuple[Floats, Floats]:
        """(2 * n_pairs, n_relations) each: probabilities of the two stages, and the order of pairs.

        The order is the score of the ranking and the logarithm of the second stage: whether two entities are
        related at all says little of which pair holds a relation.
        """
        chosen = self._relations(asked)
        near, vectors = _near(seen, self.likeness, chosen)
        x = _inputs(_features(seen, self.columns), vectors)
        related = 1 / (1 + np.exp(-np.clip(x @ self.gate, -500, 500)))
        scores = np.asarray(x @ self._chosen_weights(chosen)) + np.tensordot(self.shared, near, 1)
        open_to = possible([(self.relations[at], d) for at in chosen for d in (True, False)], pairs, schema)
        shares = _shares(scores, np.concatenate([open_to[:, 0::2], open_to[:, 1::2]]))
        told, order = np.zeros((2, len(x.indptr) - 1, len(self.relations)))
        told[:, chosen] = related[:, None] * shares
        with np.errstate(divide="ignore"):
            order[:, chosen] = self.rank.scores(seen.roles, self.likeness, chosen) + np.log(shares)
        return told, order

    def _relations(self, asked: Collection[str] | None) -> Ints:
        return np.array([at for at, r in enumerate(self.relations) if asked is None or r in asked], np.int64)

    def _chosen_weights(self, relations: Ints) -> Floats:
        key = relations.tobytes()
        if key not in self._kept:
            self._kept.clear()
            self._kept[key] = np.ascontiguousarray(self.weights[:, relations])
        return self._kept[key]

    def joint(self, told: Floats, order: Floats, trust: float) -> Floats:
        """(n_pairs, n_classes) of the factors, the ranking trusted by so much."""
        count = len(told) // 2
        likely = ranked(told, order, trust)
        result = np.zeros((count, len(self.classes)))
        result[:, 1::2], result[:, 2::2] = likely[:count], likely[count:]
        result[:, 0] = np.clip(1 - result.sum(axis=1), 0.0, 1.0)
        return result


@dataclass(frozen=True, slots=True)
class StagedRows:
    """Of pairs: features that are not of one place, clues, and roles.

    A row is a pair with the first entity as subject; then come those with the second.
    """

    records: tuple[tuple[str, ...], ...]
    clues: tuple[Clue, ...]
    roles: Roles


def staged_pairs(records: Sequence[LabelledRecord], schema: GraphSchema, *, reach: int) -> list[Pair]:
    """Candidate pairs that are apart: entities may overlap, as all likely spans are tried."""
    pairs = candidate_pairs(records, schema, reach=reach)
    return [p for p in pairs if not p.nearest[0].overlaps(p.nearest[1])]


def staged_rows(pairs: Sequence[Pair], around: Neighbourhood) -> StagedRows:
    """What the model sees of pairs of one document."""
    both = (*pairs, *(turned(p) for p in pairs))
    return StagedRows(
        tuple(tuple(record_features(p, around)) for p in both),
        tuple(clue_of(p, around) for p in pairs),
        Roles.of(pairs, around),
    )


def _features(seen: StagedRows, columns: dict[str, int]) -> Any:
    """CSR (2 * n_pairs, n_features) of ones."""
    return feature_matrix(seen.records, columns) + seen.roles.table(columns)


def _near(seen: StagedRows, likeness: Likeness, relations: Ints) -> tuple[Floats, Floats]:
    """(n_likenesses, 2 * n_pairs, n_relations) likenesses of all rows, and their clues' vectors."""
    lexical = seen.roles.likeness(np.arange(2 * len(seen.clues)), likeness, relations)[:, :WORDED]
    clues, vectors = likeness.of(seen.clues)
    near = np.concatenate([lexical.transpose(1, 0, 2), np.tile(clues[:, :, relations], (1, 2, 1))])
    return near, np.tile(vectors, (2, 1))


def _shares(scores: Floats, allowed: Any) -> Floats:
    held = np.where(allowed, scores, -np.inf)
    top = held.max(axis=1, keepdims=True, initial=-1e9)
    likely = np.exp(held - top)
    total = likely.sum(axis=1, keepdims=True)
    return np.asarray(likely / np.where(total > 0, total, 1.0))


def _inputs(plain: Any, vectors: Floats) -> Any:
    from scipy.sparse import csr_matrix, hstack

    ones = csr_matrix(np.ones((plain.shape[0], 1)))
    parts = [ones, plain]
    return hstack([*parts, csr_matrix(vectors * VECTOR)] if vectors.shape[1] else parts).tocsr()


def fit_stages(
    data: Sequence[tuple[PairData, StagedRows]], likeness: Likeness, *, reach: int, strength: float
) -> StagedModel | None:  # fmt: skip
    """A staged model without thresholds; None when no pair has a relation, or each has one."""
    labels = [
        sorted(name for name, side in label if side is forth)
        for d, _ in data for forth in (True, False) for label in d.labels
    ]  # fmt: skip
    related = np.array([bool(x) for x in labels])
    if not related.any() or related.all():
        return None
    columns, features = _table([s for _, s in data])
    vectors = np.concatenate([np.tile(likeness.of(s.clues)[1], (2, 1)) for _, s in data])
    x = _inputs(features, vectors)
    gate = _fit_gate(x, related, strength)
    index = {name: at for at, name in enumerate(likeness.relations)}
    chosen = [(at, index[name], 1 / len(labels[at])) for at in np.flatnonzero(related) for name in labels[at]]
    places, wanted, share = (np.array(found) for found in zip(*chosen, strict=True))
    near = _near_rows(data, likeness, places)
    weights, shared = _conditional(x[places], near, wanted, share, strength=strength)
    rank = fit_rank([(d, s.roles) for d, s in data], likeness)
    return StagedModel(likeness.relations, columns, gate, weights, shared, Ranked(), reach, likeness, rank)


def _table(seen: Sequence[StagedRows]) -> tuple[dict[str, int], Any]:
    """Columns of the features that occur often enough, and the CSR of all rows."""
    from scipy.sparse import vstack

    names = sorted({f for s in seen for part in (s.records, s.roles.named()) for row in part for f in row})
    every = {f: at for at, f in enumerate(names)}
    features = vstack([_features(s, every) for s in seen]).tocsc()
    kept = np.flatnonzero(np.diff(features.indptr) >= SEEN)
    return {names[at]: new for new, at in enumerate(kept.tolist())}, features[:, kept].tocsr()


def _near_rows(data: Sequence[tuple[PairData, StagedRows]], likeness: Likeness, places: Ints) -> Floats:
    """(n_likenesses, n_places, n_relations) of chosen rows, ``places`` in order of all documents."""
    every = np.arange(len(likeness.relations))
    ends = np.cumsum([2 * len(s.clues) for _, s in data])
    found = []
    for (_, seen), end in zip(data, ends, strict=True):
        mine = places[(places >= end - 2 * len(seen.clues)) & (places < end)]
        if len(mine):
            found.append(_near(seen, likeness, every)[0][:, mine - (end - 2 * len(seen.clues))])
    return np.concatenate(found, axis=1)


def _fit_gate(x: Any, related: Any, strength: float) -> Floats:
    from sklearn.linear_model import LogisticRegression

    model = LogisticRegression(C=strength, solver="liblinear", fit_intercept=False, random_state=0, tol=1e-3)
    return np.asarray(model.fit(x, related).coef_[0], np.float64)


def _conditional(
    x: Any, near: Floats, wanted: Ints, share: Floats, *, strength: float
) -> tuple[Floats, Floats]:
    """Weights (n_inputs, n_relations) and of the likenesses (size,), by L-BFGS, penalised."""
    from scipy.optimize import minimize

    size, n, k = near.shape
    used = np.unique(wanted)
    whole, told = x.shape[1], np.flatnonzero(np.bincount(x.indices, minlength=x.shape[1]) >= TOLD)
    x = x[:, told]
    near_used, target = near[:, :, used], np.searchsorted(used, wanted)
    turned_x, width, at = x.T.tocsr(), x.shape[1], np.arange(n)

    def value(flat: Floats) -> tuple[float, Floats]:
        w, v = flat[: width * len(used)].reshape(width, len(used)), flat[width * len(used) :]
        scores = x @ w + np.tensordot(v, near_used, 1)
        scores -= scores.max(axis=1, keepdims=True)
        likely = np.exp(scores)
        total = likely.sum(axis=1, keepdims=True)
        loss = float((share * (np.log(total[:, 0]) - scores[at, target])).sum())
        likely /= total
        likely[at, target] -= 1
        likely *= share[:, None]
        slope = np.asarray(turned_x @ likely) + w / strength
        steep = np.tensordot(near_used, likely, 2) + 0.01 * v
        penalty = 0.5 / strength * float((w**2).sum()) + 0.005 * float((v**2).sum())
        return loss + penalty, np.concatenate([slope.ravel(), steep])

    start = np.zeros(width * len(used) + size)
    found = minimize(value, start, jac=True, method="L-BFGS-B", options={"maxiter": ITERATIONS, "maxcor": 6})
    weights = np.zeros((whole, k))
    weights[np.ix_(told, used)] = found.x[: width * len(used)].reshape(width, len(used))
    unseen = np.setdiff1d(np.arange(k), used)
    weights[0, unseen] = weights[0, used].mean()
    return weights, np.asarray(found.x[width * len(used) :])
