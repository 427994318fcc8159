"""Pairs of a document compete for each relation."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_matrix

from extraction.learned_labels import LabelledRecord
from extraction.learned_pairs import Pair, PairData
from extraction.learned_rank import RankModel, fit_rank, ranked
from extraction.learned_text import Mention
from schemas.ids import RecordId

A, B = (LabelledRecord(RecordId(n), "thing", n, (Mention(0, at, at + 1),)) for at, n in enumerate("ab"))
PAIR = Pair(A, B, (A.mentions[0], B.mentions[0]), (0, 0))


def contest(winner: int) -> PairData:
    """Two pairs, of which the one that has the relation says so by its feature."""
    labels = tuple(
        frozenset({("owns", True)}) if at == winner else frozenset[tuple[str, bool]]() for at in (0, 1)
    )
    return PairData((PAIR, PAIR), ((), ()), labels)


def learned(winners: list[int]) -> tuple[RankModel, Any]:
    """Feature 0 stands at the pair of the relation, feature 1 at every pair forth, feature 2 at one back."""
    rows = [[at == winner, True, False] for winner in winners for at in (0, 1)]
    every = [
        row
        for n in range(len(winners))
        for row in (*rows[2 * n : 2 * n + 2], [False, False, True], [False] * 3)
    ]
    x = csr_matrix(np.array(every, np.float64))
    return fit_rank([contest(w) for w in winners], x, np.zeros((2, x.shape[0], 2)), ("owns", "sells")), x


def test_it_learns_which_pair_a_relation_joins() -> None:
    model, x = learned([0, 1, 1, 0, 1])
    scores = model.scores(x, np.zeros((2, x.shape[0], 2)))[:, 0].reshape(-1, 4)
    assert scores.argmax(axis=1).tolist() == [0, 1, 1, 0, 1]
    features, relations, _ = model.cells()
    assert set(relations.tolist()) == {0}
    assert set(features.tolist()) <= {0, 1, 2}


def test_its_cells_make_the_same_model() -> None:
    model, x = learned([0, 1, 0])
    again = RankModel.of(model.cells(), model.shared, (3, 2))
    none = np.zeros((2, x.shape[0], 2))
    assert np.array_equal(again.scores(x, none), model.scores(x, none))


def test_without_a_contest_all_scores_are_equal() -> None:
    empty = PairData((PAIR,), ((),), (frozenset(),))
    model = fit_rank([empty], csr_matrix(np.ones((2, 1))), np.zeros((2, 2, 1)), ("owns",))
    assert not model.scores(csr_matrix(np.ones((2, 1))), np.zeros((2, 2, 1))).any()


@given(
    st.lists(st.tuples(st.floats(0, 1), st.floats(-40, 40)), min_size=1, max_size=6),
    st.sampled_from([0.0, 0.3, 0.5]),
)
def test_a_ranking_keeps_the_best_probability_and_what_cannot_be(
    rows: list[tuple[float, float]], trust: float
) -> None:
    probable, scores = (np.array([[row[at]] for row in rows]) for at in (0, 1))
    found = ranked(probable, scores, trust)
    assert np.isclose(found.max(), probable.max())
    assert not found[probable == 0].any()
    if trust == 0:
        assert np.array_equal(found, probable)
