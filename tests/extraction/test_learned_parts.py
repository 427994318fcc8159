"""Parts of the learned extractor against brute force and small cases."""

from __future__ import annotations

from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays_of

from extraction.learned_calibration import Calibration, fit_calibration
from extraction.learned_crf import Chain, Labelling, Steps, View, best_path, fit_chain, marginals
from extraction.learned_features import VIEWS, hide_names, view_values
from extraction.learned_fit import LearnedTrainer, best_decision
from extraction.learned_gazetteer import Gazetteer, name_key
from extraction.learned_pairs import Decision
from extraction.learned_spans import Tags
from extraction.learned_text import Mention, Sentence
from schemas.documents import BlockKind
from schemas.errors import UsageError

LABELS = 3
ALLOWED = np.array([[True, True, False], [True, True, True], [True, False, True]])
SCORES = arrays_of.arrays(np.float64, (5, LABELS), elements=st.floats(-3, 3))


def paths(scores: np.ndarray, chain: Chain) -> dict[tuple[int, ...], float]:
    """Score of every allowed path of one sentence."""
    found = {}
    for path in product(range(LABELS), repeat=len(scores)):
        if all(ALLOWED[a, b] for a, b in pairwise(path)):
            found[path] = (
                chain.start[path[0]]
                + sum(scores[t, label] for t, label in enumerate(path))
                + sum(chain.transitions[a, b] for a, b in pairwise(path))
            )
    return found


@settings(max_examples=40, deadline=None)
@given(
    SCORES, arrays_of.arrays(np.float64, (LABELS, LABELS), elements=st.floats(-2, 2)), st.permutations([2, 3])
)
def test_forward_backward_and_viterbi_equal_enumeration(
    scores: np.ndarray, transitions: np.ndarray, lengths: list[int]
) -> None:
    chain = Chain((), transitions, np.array([0.0, 0.5, -0.5]))
    steps = Steps(lengths)
    log_z, probable, expected = marginals(scores, chain, ALLOWED, steps)
    labels = best_path(scores, chain, ALLOWED, steps)
    total, jumps, at = 0.0, np.zeros((LABELS, LABELS)), 0
    for length in lengths:
        every = paths(scores[at : at + length], chain)
        z = np.logaddexp.reduce(list(every.values()))
        total += z
        wanted = np.zeros((length, LABELS))
        for path, score in every.items():
            for t, label in enumerate(path):
                wanted[t, label] += np.exp(score - z)
            for a, b in pairwise(path):
                jumps[a, b] += np.exp(score - z)
        assert np.allclose(probable[at : at + length], wanted)
        assert np.isclose(every[tuple(labels[at : at + length].tolist())], max(every.values()))
        at += length
    assert np.isclose(log_z, total)
    assert np.allclose(expected, jumps)


def test_the_gradient_is_that_of_the_value() -> None:
    from scipy.sparse import csr_matrix

    from extraction.learned_crf import _Problem

    rng = np.random.default_rng(3)
    view = View(np.array([0, 1, 1, 0, 2]), csr_matrix(rng.random((3, 4))))
    task = Labelling(np.array([0, 1, 2, 0, 0]), Steps([3, 2]), ALLOWED)
    problem = _Problem([view], task, 0.7)
    at = rng.normal(size=problem.size)
    _, gradient = problem.value_and_gradient(at)
    for index in range(problem.size - LABELS):
        step = np.zeros(problem.size)
        step[index] = 1e-5
        up, down = (problem.value_and_gradient(at + s * step)[0] for s in (1, -1))
        assert gradient[index] == pytest.approx((up - down) / 2e-5, abs=1e-4)


def test_a_chain_learns_its_labels() -> None:
    from scipy.sparse import identity

    rows = np.array([0, 1, 2, 0, 0, 1, 2, 2])
    labels = rows.copy()
    allowed = np.ones((3, 3), bool)
    view, steps = View(rows, identity(3, format="csr")), Steps([4, 4])
    chain = fit_chain([view], Labelling(labels, steps, allowed), penalty=0.01, iterations=50)
    assert (best_path(chain.views[0][rows], chain, allowed, steps) == labels).all()


MENTIONS = st.lists(st.tuples(st.integers(1, 3), st.integers(0, 2), st.sampled_from(["a", "b"])), max_size=5)


@given(MENTIONS)
def test_tags_are_read_back(parts: list[tuple[int, int, str]]) -> None:
    tags, at, mentions = Tags(("a", "b")), 0, []
    for size, gap, kind in parts:
        mentions.append((Mention(0, at + gap, at + gap + size), kind))
        at += gap + size
    labels = tags.encode(mentions, {0: 0}, at + 1)
    assert [(Mention(0, s, e), tags.types[k]) for s, e, k in tags.decode(labels)] == mentions
    allowed = tags.allowed()
    assert all(allowed[a, b] for a, b in pairwise(labels))


def test_hidden_names_keep_nothing_but_their_shape() -> None:
    words = ("The", "press", "Tarvex", "12", "-", "B", "runs")
    spans = tuple(range(len(words)))
    sentence = Sentence(words, spans, tuple(s + 1 for s in spans), BlockKind.PARAGRAPH)
    names = Gazetteer()
    names.add(name_key(("Tarvex", "12")), "machine")
    values = view_values([sentence], names, " ".join(words))
    hidden = hide_names(values)
    assert {len(hidden[name]) for name, _ in VIEWS} == {len(words)}
    assert any("machine" in value for value in values["name"])
    for name, describe in VIEWS:
        for value in hidden[name]:
            assert not any(w in f for f in describe(value) for w in ("tarvex", "Tarvex", "12", "machine"))
    assert "w=press" in {f for value in hidden["word"] for f in [*dict(VIEWS)["word"](value)]}


def test_a_pair_has_its_likeliest_relation_and_others_only_with_a_share() -> None:
    probable = np.array([[0.4, 0.4, 0.2], [0.9, 0.06, 0.04], [0.0, 0.5, 0.5], [1.0, 0.0, 0.0]])
    assert Decision(0.5, 1.0).holds(probable).tolist() == [
        [False, True, False],
        [False, False, False],
        [False, True, False],
        [False, False, False],
    ]
    assert Decision(0.05, 0.3).holds(probable)[:3].sum() == 6


def test_recall_counts_more_with_a_greater_beta() -> None:
    rng = np.random.default_rng(1)
    sure = rng.random(400)
    truth = np.column_stack([np.zeros(400), rng.random(400) < sure])
    probable = np.column_stack([1 - sure, sure])
    careful, _ = best_decision(probable, truth, 0.5)
    bold, _ = best_decision(probable, truth, 2.0)
    assert bold.related < careful.related
    with pytest.raises(UsageError, match="expected beta between 0 and 100, found 0"):
        LearnedTrainer(beta=0)


@given(st.floats(0, 1), st.floats(0.1, 5), st.floats(-5, 5))
def test_a_calibrated_score_is_a_probability(score: float, slope: float, offset: float) -> None:
    assert 0 <= Calibration(slope, offset).apply(score) <= 1


def test_calibration_undoes_overconfidence() -> None:
    rng = np.random.default_rng(2)
    truly = rng.random(2_000)
    claimed = truly**3 / (truly**3 + (1 - truly) ** 3)
    right = (rng.random(2_000) < truly).tolist()
    found = fit_calibration(claimed.tolist(), right)
    assert found.apply(0.9) < 0.8
    assert fit_calibration([0.5] * 30, [True] * 30) == Calibration()
