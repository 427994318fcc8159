"""A linear-chain conditional random field over factorised features.

Lafferty, McCallum and Pereira, "Conditional random fields" (ICML 2001); forward, backward and gradient as in
Sutton and McCallum, "An introduction to conditional random fields" (arXiv:1011.4088). Trained by L-BFGS on
the L2-penalised likelihood, so the result is unique and needs no seed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
_FORBIDDEN: Final = -1e4


@dataclass(frozen=True, slots=True)
class View:
    """One aspect of every token: row ``rows[i]`` of ``table`` holds the features of token ``i``.

    ``table`` is a SciPy CSR matrix, (n_rows, n_features): tokens that look alike share a row, so that
    its product with the weights is taken once per distinct token.
    """

    rows: Ints
    table: Any


@dataclass(frozen=True, slots=True)
class Chain:
    """Weights: per view (n_features, n_labels); transitions (n_labels, n_labels); start (n_labels,)."""

    views: tuple[Floats, ...]
    transitions: Floats
    start: Floats


class Steps:
    """Sentences side by side: step ``t`` lists the tokens at position ``t``, the longest sentence first."""

    def __init__(self, lengths: Sequence[int]) -> None:
        sizes = np.asarray(lengths, np.int64)
        order = np.argsort(-sizes, kind="stable")
        offsets = np.concatenate([[0], np.cumsum(sizes)])[:-1][order]
        self.total = int(sizes.sum())
        self.tokens: list[Ints] = []
        """Per step, indices of tokens."""
        ordered = sizes[order]
        for t in range(int(ordered[0]) if len(ordered) else 0):
            self.tokens.append(offsets[: int(np.searchsorted(-ordered, -t, side="left"))] + t)


def marginals(
    scores: Floats, chain: Chain, allowed: NDArray[np.bool_], steps: Steps
) -> tuple[float, Floats, Floats]:
    """(log partition over all sentences, label probabilities (n, L), expected transitions (L, L)).

    ``scores`` are (n_tokens, n_labels); ``allowed`` says which label may follow which.
    """
    top = scores.max(axis=1, keepdims=True)
    local = np.exp(scores - top)
    jump = np.where(allowed, np.exp(chain.transitions), 0.0)
    alpha, beta = np.zeros_like(local), np.ones_like(local)
    scale = np.ones(len(local))
    for t, now in enumerate(steps.tokens):
        before = np.exp(chain.start) if t == 0 else alpha[steps.tokens[t - 1][: len(now)]] @ jump
        value = before * local[now]
        scale[now] = value.sum(axis=1)
        alpha[now] = value / scale[now][:, None]
    expected = np.zeros_like(jump)
    for t in range(len(steps.tokens) - 1, 0, -1):
        now = steps.tokens[t]
        previous = steps.tokens[t - 1][: len(now)]
        after = local[now] * beta[now] / scale[now][:, None]
        beta[previous] = after @ jump.T
        expected += alpha[previous].T @ after
    return float(np.log(scale).sum() + top.sum()), alpha * beta, expected * jump


def best_path(scores: Floats, chain: Chain, allowed: NDArray[np.bool_], steps: Steps) -> Ints:
    """The likeliest labels (n,) of every sentence (Viterbi)."""
    jump = np.where(allowed, chain.transitions, _FORBIDDEN)
    best = np.zeros_like(scores)
    came = np.zeros(scores.shape, np.int64)
    for t, now in enumerate(steps.tokens):
        if t == 0:
            best[now] = scores[now] + chain.start
            continue
        options = best[steps.tokens[t - 1][: len(now)]][:, :, None] + jump[None]
        came[now] = options.argmax(axis=1)
        best[now] = options.max(axis=1) + scores[now]
    labels = np.zeros(len(scores), np.int64)
    for t in range(len(steps.tokens) - 1, -1, -1):
        now = steps.tokens[t]
        goes_on = len(steps.tokens[t + 1]) if t + 1 < len(steps.tokens) else 0
        if goes_on:
            following = steps.tokens[t + 1]
            labels[now[:goes_on]] = came[following, labels[following]]
        labels[now[goes_on:]] = best[now[goes_on:]].argmax(axis=1)
    return labels


@dataclass(frozen=True, slots=True)
class Labelling:
    """Labels (n_tokens,) of sentences, and (n_labels, n_labels) which label may follow which.

    A sentence may begin with what may follow label 0.
    """

    labels: Ints
    steps: Steps
    allowed: NDArray[np.bool_]


def fit_chain(views: Sequence[View], task: Labelling, *, penalty: float, iterations: int) -> Chain:
    """Weights of the maximum of the penalised likelihood of the labels.

    ``penalty`` is the L2 penalty of each weight w, 0.5 * penalty * w^2; ``iterations`` are the most steps
    of L-BFGS.
    """
    from scipy.optimize import minimize

    problem = _Problem(views, task, penalty)
    found = minimize(
        problem.value_and_gradient,
        np.zeros(problem.size),
        jac=True,
        method="L-BFGS-B",
        options={"maxiter": iterations, "maxcor": 6},
    )
    return problem.chain(found.x)


class _Problem:
    """The negative penalised log likelihood as a function of one flat vector."""

    def __init__(self, views: Sequence[View], task: Labelling, penalty: float) -> None:
        from scipy.sparse import csr_matrix

        labels, steps = task.labels, task.steps
        self._views, self._labels, self._steps = views, labels, steps
        self._allowed, self._penalty = task.allowed, penalty
        self._n, self._k = len(labels), len(task.allowed)
        ones, at = np.ones(self._n), np.arange(self._n)
        self._spread = [
            csr_matrix((ones, (view.rows, at)), shape=(view.table.shape[0], self._n)) for view in views
        ]
        self._turned = [view.table.T.tocsr() for view in views]
        self._sizes = [view.table.shape[1] * self._k for view in views]
        self.size = sum(self._sizes) + self._k * self._k + self._k
        self._observed = np.zeros((self._k, self._k))
        for t in range(1, len(steps.tokens)):
            now = steps.tokens[t]
            np.add.at(self._observed, (labels[steps.tokens[t - 1][: len(now)]], labels[now]), 1.0)

    def chain(self, flat: Floats) -> Chain:
        """The vector as weights."""
        cuts = np.cumsum([*self._sizes, self._k * self._k])
        *parts, transitions, start = np.split(flat, cuts)
        return Chain(
            tuple(part.reshape(-1, self._k) for part in parts),
            transitions.reshape(self._k, self._k),
            np.where(self._allowed[0], start, _FORBIDDEN),
        )

    def value_and_gradient(self, flat: Floats) -> tuple[float, Floats]:
        chain, labels, at = self.chain(flat), self._labels, np.arange(self._n)
        scores = emissions(self._views, chain)
        log_z, probable, expected = marginals(scores, chain, self._allowed, self._steps)
        first = self._steps.tokens[0]
        gold = scores[at, labels].sum() + chain.start[labels[first]].sum()
        gold += float((self._observed * chain.transitions).sum())
        excess = probable
        start = probable[first].sum(axis=0) - np.bincount(labels[first], minlength=self._k)
        excess[at, labels] -= 1.0
        parts = [
            turned @ (spread @ excess) for turned, spread in zip(self._turned, self._spread, strict=True)
        ]
        gradient = np.concatenate(
            [
                *(p.ravel() for p in parts),
                (expected - self._observed).ravel(),
                np.where(self._allowed[0], start, 0.0),
            ]
        )
        value = log_z - gold + 0.5 * self._penalty * float(flat @ flat)
        return value, gradient + self._penalty * flat


def emissions(views: Sequence[View], chain: Chain) -> Floats:
    """(n_tokens, n_labels): summed weights of each token's features."""
    total: Floats = np.zeros((len(views[0].rows), len(chain.start)))
    for view, weights in zip(views, chain.views, strict=True):
        total += np.asarray(view.table @ weights)[view.rows]
    return total
