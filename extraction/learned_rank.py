"""Which pair of a document a relation joins, when it joins one: the rivals of a pair are the other pairs.

The staged model asks of each pair alone how it is related, which many pairs answer alike: "who" is easily
mistaken where one sentence tells several facts. Here the pairs of a document compete for each relation, a
conditional logit over pairs (McFadden 1974). Its weights are sums: those that all relations share, those of
each word of what a relation is called, and those of the relation itself (as in Daume, "Frustratingly easy
domain adaptation", arXiv:0907.1815), so that a relation of few examples learns from its namesakes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from extraction.learned_clues import Likeness
from extraction.learned_crf import Floats, Ints
from extraction.learned_pairs import SEEN, PairData
from extraction.learned_roles import LIKENESSES, Roles

RIVALS: Final = 60
"""Pairs of a document, the nearest, that a true one is compared with in training, in both directions."""
PENALTY: Final = 1.0
"""L2 penalty of a weight."""
LOOSE: Final = 0.1
"""L2 penalty of the weight of a likeness."""
ITERATIONS: Final = 60
TRUSTS: Final = (0.0, 0.5, 0.8)
"""Tried as the weight of the ranking beside the probabilities of the two stages."""


@dataclass(frozen=True, slots=True)
class Owners:
    """Whose weights add up for a relation: number ``i`` is relation ``i``, then come words."""

    relations: int
    of: tuple[tuple[int, ...], ...]
    """Per relation: itself and the words that it is called by."""
    size: int

    @classmethod
    def called(cls, words: Sequence[Sequence[str]]) -> Owners:
        """From the words of each relation."""
        known = {w: at + len(words) for at, w in enumerate(sorted({w for ws in words for w in ws}))}
        told = tuple((at, *sorted({known[w] for w in ws})) for at, ws in enumerate(words))
        return cls(len(words), told, len(words) + len(known))

    def sums(self) -> Any:
        """CSR (size, n_relations) of ones: which owners' weights add up for each relation."""
        from scipy.sparse import csr_matrix

        cells = [(owner, at) for at, owners in enumerate(self.of) for owner in owners]
        rows, columns = zip(*cells, strict=True) if cells else ((), ())
        return csr_matrix((np.ones(len(cells)), (rows, columns)), (self.size, self.relations))


@dataclass(frozen=True, slots=True)
class RankModel:
    """Linear scores of pairs by role for each relation; only differences within a document mean anything."""

    columns: dict[str, int]
    """Features named by role: see ``Roles.named``."""
    own: Any
    """CSR (n_features, n_owners): weights of each relation and word, on top of the shared ones."""
    shared: Floats
    """(n_features + LIKENESSES,)."""
    whole: Any
    """CSR (n_features, n_relations): the owners' weights summed."""
    trust: float = 0.0
    """Weight of the ranking beside the probabilities of the two stages, in [0, 1): 0 leaves these."""
    _chosen: dict[bytes, Any] = field(default_factory=dict, compare=False, repr=False)
    """Columns of ``whole`` by relations: those last asked for."""

    @classmethod
    def of(
        cls, columns: dict[str, int], cells: tuple[Ints, Ints, Floats], shared: Floats, owners: Owners
    ) -> RankModel:
        """From features, owners and weights (n_weights,) each."""
        from scipy.sparse import csr_matrix

        features, owned, weights = cells
        own = csr_matrix((weights, (features, owned)), (len(columns), owners.size))
        return cls(columns, own, shared, (own @ owners.sums()).tocsr())

    def cells(self) -> tuple[Ints, Ints, Floats]:
        """Features, owners and weights, (n_weights,) each."""
        found = self.own.tocoo()
        return found.row.astype(np.int64), found.col.astype(np.int64), found.data

    def scores(self, roles: Roles, likeness: Likeness, relations: Ints) -> Floats:
        """(n_rows, n_relations) of the given relations."""
        key, width = relations.tobytes(), len(self.columns)
        if key not in self._chosen:
            self._chosen.clear()
            self._chosen[key] = self.whole[:, relations].tocsr()
        whole = self._chosen[key]
        near = roles.likeness(np.arange(len(roles.subjects)), likeness, relations)
        total = np.tensordot(near, self.shared[width:], (1, 0))
        for table, rows in zip(roles.tables(self.columns), _row_owners(roles), strict=True):
            scores = np.asarray((table @ whole).toarray()) + (table @ self.shared[:width])[:, None]
            total += scores[rows]
        return np.asarray(total)


def _row_owners(roles: Roles) -> tuple[Ints, Ints, Ints]:
    return roles.subjects, roles.objects, np.arange(len(roles.subjects))


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
    """One fact of one document: rows of pairs by role, of which those of ``right`` tell it."""

    document: int
    relation: int
    rows: Ints
    right: Ints
    """Positions in ``rows``."""


def fit_rank(data: Sequence[tuple[PairData, Roles]], likeness: Likeness) -> RankModel:
    """The ranking of the pairs of documents."""
    index = {name: at for at, name in enumerate(likeness.relations)}
    owners = Owners.called(likeness.words)
    contests = [c for at, (d, _) in enumerate(data) for c in _contests(at, d, index)]
    counts = Counter(
        f for c in sorted({c.document for c in contests}) for row in data[c][1].named() for f in row
    )
    names = sorted(f for f, n in counts.items() if n >= SEEN)
    columns = {name: at for at, name in enumerate(names)}
    if not contests:
        none = np.zeros(0, np.int64)
        return RankModel.of({}, (none, none, np.zeros(0)), np.zeros(LIKENESSES), owners)
    tables = [roles.tables(columns) for _, roles in data]
    problem = _Problem([r for _, r in data], tables, contests, likeness, owners)
    shared, cells, weights = problem.solve()
    kept = np.flatnonzero(
        np.bincount(cells // owners.size, minlength=len(names)) + (shared[:-LIKENESSES] != 0)
    )
    place = np.full(len(names), -1)
    place[kept] = np.arange(len(kept))
    told = (place[cells // owners.size], cells % owners.size, weights)
    slim = {names[at]: new for new, at in enumerate(kept.tolist())}
    return RankModel.of(slim, told, np.concatenate([shared[kept], shared[len(names) :]]), owners)


def _contests(document: int, data: PairData, index: dict[str, int]) -> Iterator[_Contest]:
    """A contest for each fact: other facts of the same relation do not take part."""
    count = len(data.pairs)
    holders: dict[str, set[int]] = {}
    for at, labels in enumerate(data.labels):
        for name, forth in labels:
            holders.setdefault(name, set()).add(at if forth else at + count)
    near = {at + side for at in range(min(count, RIVALS)) for side in (0, count)}
    for name in sorted(holders):
        others = near - holders[name]
        for holder in sorted(holders[name]) if others else ():
            rows = np.array(sorted({*others, holder}), np.int64)
            yield _Contest(document, index[name], rows, np.flatnonzero(rows == holder))


class _Problem:
    """The contests as a function of one flat vector: shared weights, likenesses, owners' weights.

    Mentions and rows of a document that has several contests of different relations stand once for each of
    these relations, as their owners differ.
    """

    def __init__(
        self,
        roles: Sequence[Roles],
        tables: Sequence[Sequence[Any]],
        contests: Sequence[_Contest],
        likeness: Likeness,
        owners: Owners,
    ) -> None:
        tasks = sorted({(c.document, c.relation) for c in contests})
        self._owners, self._width = owners, tables[0][0].shape[1]
        starts = {
            part: np.concatenate([[0], np.cumsum([tables[d][part].shape[0] for d, _ in tasks])])
            for part in range(3)
        }
        place = {task: at for at, task in enumerate(tasks)}
        self._ends = [
            np.concatenate(
                [
                    _row_owners(roles[d])[part] + start
                    for (d, _), start in zip(tasks, starts[part][:-1], strict=True)
                ]
            )
            for part in range(3)
        ]
        self._near = np.concatenate(
            [
                roles[d].likeness(np.arange(len(roles[d].subjects)), likeness, np.array([r]))[:, :, 0]
                for d, r in tasks
            ]
        )
        self._rows = np.concatenate([c.rows + starts[2][place[c.document, c.relation]] for c in contests])
        sizes = [len(c.rows) for c in contests]
        self._sizes = np.array(sizes)
        self._starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
        self._right = np.concatenate([s + c.right for s, c in zip(self._starts, contests, strict=True)])
        self._inputs, self._cells = _inputs(
            [_stacked([tables[d][part] for d, _ in tasks]) for part in range(3)],
            [np.repeat([r for _, r in tasks], np.diff(starts[part])) for part in range(3)],
            owners,
        )
        self._turned = [x.T.tocsr() for x in self._inputs]

    def solve(self) -> tuple[Floats, Ints, Floats]:
        """Shared weights with those of likenesses; cells (feature * n_owners + owner), and their weights."""
        from scipy.optimize import minimize

        size = self._width + len(self._cells) + LIKENESSES
        penalty = np.full(size, PENALTY)
        penalty[size - LIKENESSES :] = LOOSE

        def value(flat: Floats) -> tuple[float, Floats]:
            loss, slope = self._value(flat)
            return loss + 0.5 * float((penalty * flat) @ flat), slope + penalty * flat

        options = {"maxiter": ITERATIONS, "maxcor": 6}
        found = minimize(value, np.zeros(size), jac=True, method="L-BFGS-B", options=options).x
        shared, own, near = np.split(found, [self._width, size - LIKENESSES])
        return np.concatenate([shared, near]), self._cells, own

    def _value(self, flat: Floats) -> tuple[float, Floats]:
        weights, near = flat[: len(flat) - LIKENESSES], flat[len(flat) - LIKENESSES :]
        total = self._near @ near
        for x, ends in zip(self._inputs, self._ends, strict=True):
            total += (x @ weights)[ends]
        scores = total[self._rows]
        scores -= np.repeat(np.maximum.reduceat(scores, self._starts), self._sizes)
        likely = np.exp(scores)
        sums = np.add.reduceat(likely, self._starts)
        loss = float(np.log(sums).sum() - scores[self._right].sum())
        likely /= np.repeat(sums, self._sizes)
        likely[self._right] -= 1
        pull = np.bincount(self._rows, likely, len(total))
        slope = np.zeros(len(weights))
        for x, ends in zip(self._turned, self._ends, strict=True):
            slope += x @ np.bincount(ends, pull, x.shape[1])
        return loss, np.concatenate([slope, self._near.T @ pull])


def _stacked(tables: Sequence[Any]) -> Any:
    from scipy.sparse import vstack

    return vstack(tables).tocsr()


def _inputs(tables: Sequence[Any], relations: Sequence[Ints], owners: Owners) -> tuple[list[Any], Ints]:
    """CSR (n_rows, n_features + n_cells) of each table, and the cells that occur often enough, sorted."""
    found = [_owned(x, told, owners) for x, told in zip(tables, relations, strict=True)]
    cells, counts = np.unique(np.concatenate([c for _, c in found]), return_counts=True)
    cells = cells[counts >= SEEN]
    return [_joined(x, rows, c, cells) for x, (rows, c) in zip(tables, found, strict=True)], cells


def _owned(x: Any, relations: Ints, owners: Owners) -> tuple[Ints, Ints]:
    """Rows and cells of all features of a table under all owners of the rows' relations."""
    rows = np.repeat(np.arange(x.shape[0]), np.diff(x.indptr))
    most = max(len(o) for o in owners.of)
    padded = np.array([[*o, *[-1] * (most - len(o))] for o in owners.of], np.int64)
    owned = padded[relations[rows]]
    held = owned >= 0
    cells = x.indices.astype(np.int64)[:, None] * owners.size + owned
    return np.broadcast_to(rows[:, None], owned.shape)[held], cells[held]


def _joined(x: Any, rows: Ints, cells: Ints, kept: Ints) -> Any:
    from scipy.sparse import csr_matrix, hstack

    at = np.searchsorted(kept, cells)
    told = kept[np.minimum(at, max(0, len(kept) - 1))] == cells if len(kept) else np.zeros(len(cells), bool)
    own = csr_matrix((np.ones(int(told.sum())), (rows[told], at[told])), (x.shape[0], len(kept)))
    return hstack([x, own]).tocsr()
