"""The pair model and the judge that reads it."""

from __future__ import annotations

import json
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from canonicalize.judge import Candidate, Member
from canonicalize.pair_data import (
    LabelledTable,
    joined,
    labelled_pairs,
    labelled_terms,
    pair_columns,
    proposed_columns,
)
from canonicalize.pair_judge import PairJudge, average_link
from canonicalize.pair_model import (
    MEANING,
    decode,
    encode,
    fit_pair_model,
    folds_of,
    from_json,
    shipped_model,
    to_json,
)
from canonicalize.similarity import PAIR_FEATURES
from schemas.errors import DataError, UsageError
from schemas.ids import RecordId
from schemas.learning import ModelArtifact


def toy(count: int = 240, *, seed: int = 5) -> LabelledTable:
    """Pairs that are the same where name and meaning agree."""
    rng = np.random.default_rng(seed)
    columns = rng.uniform(0, 1, (count, len(PAIR_FEATURES)))
    same = columns[:, 0] + columns[:, MEANING] + rng.normal(0, 0.3, count) > 1
    concepts = tuple((f"c{i % 40}", f"c{i % 40}") for i in range(count))
    return LabelledTable(columns, same, concepts, np.ones(count), np.arange(count) % 2 == 0)


@pytest.fixture(scope="module")
def artifact() -> ModelArtifact:
    return encode(fit_pair_model(toy()), source="toy")


def candidate(count: int) -> Candidate:
    members = tuple(Member(record=RecordId(f"r{i}"), records=1, names=(f"name {i}",)) for i in range(count))
    return Candidate(type="source", members=members, score=0.9)


def test_the_labelled_names_are_what_their_readme_says() -> None:
    pairs, terms = labelled_pairs(), labelled_terms()
    assert (len(pairs), sum(p.same for p in pairs)) == (1757, 806)
    assert len({t.concept for t in terms}) == 508
    assert all(p.same == (p.left.concept == p.right.concept) for p in pairs)
    known = {(t.type, t.concept, t.name) for t in terms}
    assert {(t.type, t.concept, t.name) for p in pairs for t in (p.left, p.right)} <= known


def test_the_shipped_model_reads_the_columns_there_are() -> None:
    artifact = shipped_model()
    model = decode(artifact)
    assert json.loads(artifact.header.parameters)["features"] == list(PAIR_FEATURES)
    labelled = pair_columns(labelled_pairs(), None)
    found = model.probabilities(labelled.columns)
    assert found[labelled.same].mean() > found[~labelled.same].mean() + 0.1


def test_a_fit_is_a_function_of_its_pairs(artifact: ModelArtifact) -> None:
    again = encode(fit_pair_model(toy()), source="toy")
    assert again.digest == artifact.digest
    assert from_json(to_json(artifact)).digest == artifact.digest


def test_probabilities_are_calibrated_on_other_pairs() -> None:
    fresh = toy(2_000, seed=6)
    found = fit_pair_model(toy(1_500)).probabilities(fresh.columns)
    for low in (0.0, 0.25, 0.5, 0.75):
        inside = (found >= low) & (found < low + 0.25)
        assert abs(found[inside].mean() - fresh.same[inside].mean()) < 0.12


def test_without_a_cosine_names_decide(artifact: ModelArtifact) -> None:
    columns = toy().columns
    bare = columns.copy()
    bare[:, MEANING] = 0
    model = decode(artifact)
    assert np.array_equal(model.probabilities(bare), model.names_only.probabilities(bare))
    assert not np.allclose(model.probabilities(columns), model.probabilities(bare))


def test_later_columns_are_not_read(artifact: ModelArtifact) -> None:
    columns = toy().columns
    more = np.hstack([columns, np.full((len(columns), 2), 7.0)])
    model = decode(artifact)
    assert np.array_equal(model.probabilities(more), model.probabilities(columns))


def test_too_few_pairs_are_refused() -> None:
    few = toy().pick(np.arange(240) < 24)
    with pytest.raises(UsageError, match="at least 20 pairs"):
        fit_pair_model(few)


def test_folds_share_no_concept() -> None:
    table = joined([toy(), pair_columns(labelled_pairs()[:200], None)])
    for outside, inside in folds_of(table):
        left = {c for i in np.flatnonzero(outside) for c in table.concepts[i]}
        right = {c for i in np.flatnonzero(inside) for c in table.concepts[i]}
        assert not left & right


def test_proposed_pairs_are_the_similar_ones() -> None:
    terms = [t for t in labelled_terms() if t.type == "fault"][:40]
    table = proposed_columns(terms, None)
    assert 0 < len(table) < 40 * 39 / 2
    assert (table.columns[:, 0] >= 0.4).all()
    assert table.proposed.all()


@pytest.mark.parametrize(
    ("wrong", "error"),
    [
        ({"kind": "extractor/learned"}, UsageError),
        ({"format": 99}, UsageError),
        ({"parameters": "{}"}, DataError),
        ({"parameters": json.dumps({"features": ["a", *PAIR_FEATURES[1:]], "pairs": 1})}, UsageError),
    ],
)
def test_a_foreign_model_is_refused(artifact, wrong, error) -> None:
    header = artifact.header.model_copy(update=wrong)
    with pytest.raises(error):
        decode(ModelArtifact(header, artifact.arrays))


def test_a_damaged_model_is_refused(artifact: ModelArtifact) -> None:
    arrays = {**artifact.arrays, "full/weights": np.full(3, np.nan)}
    with pytest.raises(DataError, match="damaged"):
        decode(ModelArtifact(artifact.header, arrays))
    with pytest.raises(DataError, match="no artifact"):
        from_json("[]")


@settings(max_examples=50, deadline=None)
@given(st.integers(2, 9), st.integers(0, 1000))
def test_verdicts_split_and_never_add(count: int, seed: int) -> None:
    judge = PairJudge(shipped_model())
    columns = np.random.default_rng(seed).uniform(0, 1, (count * (count - 1) // 2, len(PAIR_FEATURES)))
    (verdict,) = judge.decide_compared([candidate(count)], [columns])
    members = [m for group in verdict.groups for m in group]
    assert len(members) == len(set(members))
    assert set(members) <= set(range(count))
    assert all(note.probability >= 0.6 - 1e-9 for note in verdict.notes)
    assert all(0.3 <= item.probability < 0.6 for item in verdict.unsure)


def test_a_band_of_doubt_is_left_to_reviewers() -> None:
    def judged(value: float) -> tuple[int, int]:
        groups = average_link(np.array([[1.0, value], [value, 1.0]]), [(0,), (1,)], 0.6)
        wider = average_link(np.array([[1.0, value], [value, 1.0]]), groups, 0.3)
        return len(groups), len(wider)

    assert [judged(v) for v in (0.7, 0.6, 0.59, 0.3, 0.29)] == [(1, 1), (1, 1), (2, 1), (2, 1), (2, 2)]


def test_average_link_is_the_mean_over_members() -> None:
    p = np.eye(4)
    for (a, b), value in zip(combinations(range(4), 2), (0.9, 0.9, 0.1, 0.9, 0.1, 0.1), strict=True):
        p[a, b] = p[b, a] = value
    assert average_link(p, [(m,) for m in range(4)], 0.2) == [(0, 1, 2), (3,)]
    assert average_link(p, [(m,) for m in range(4)], 0.1) == [(0, 1, 2, 3)]


def test_it_needs_the_columns() -> None:
    with pytest.raises(DataError, match="columns"):
        PairJudge(shipped_model()).decide([candidate(2)])
