"""Clustering along candidates or with a matrix, pruned search or exact, one threshold or a higher one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.record_generator import generate, schema
from canonicalize.candidates import Candidates, find_candidates
from canonicalize.cluster import cluster
from canonicalize.features import Features, Unit, build_features
from canonicalize.linkage import Linkage
from canonicalize.neighbours import nearest_vectors, project
from canonicalize.one_type import prepare, type_features
from canonicalize.resolve import resolve
from canonicalize.tables import take
from schemas.canonicalization_rules import Canonicalization
from schemas.graph_schema import GraphSchema
from schemas.review import Constraints

WORDS = ("signal", "shape", "model", "track", "tracks", "efficiency", "width", "scale")
names = st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(" ".join)
corpora = st.lists(names, min_size=2, max_size=16, unique=True)
bans = st.sets(st.tuples(st.integers(0, 15), st.integers(0, 15)), max_size=6)


def features_of(texts: list[str], *, seed: int = 0) -> tuple[list[Unit], Features]:
    units = [Unit((i,), (text,), (), frozenset({f"d{i}"})) for i, text in enumerate(texts)]
    vectors = np.random.default_rng(seed).normal(size=(len(units), 4)).astype(np.float32)
    return units, build_features(units, str.casefold, vectors=vectors + 1)


def clusters(texts, banned, *, threshold: float, dense_units: int, limit: int = 50):
    units, features = features_of(texts)
    candidates = find_candidates(units, features, name_weight=0.7, floor=threshold)

    def forbids(a: int, b: int) -> str | None:
        return "banned" if (min(a, b), max(a, b)) in banned else None

    linkage = Linkage(features, 0.7, threshold, limit)
    return cluster(candidates, linkage, forbids, dense_units=dense_units)


@settings(max_examples=80, deadline=None)
@given(corpora, bans, st.sampled_from((0.3, 0.5, 0.7)))
def test_a_matrix_and_the_candidate_graph_give_one_clustering(texts, pairs, threshold) -> None:
    banned = {(a, b) for a, b in pairs if a < b}
    dense = clusters(texts, banned, threshold=threshold, dense_units=400)
    sparse = clusters(texts, banned, threshold=threshold, dense_units=0)
    assert [c.members for c in dense.clusters] == [c.members for c in sparse.clusters]
    for a, b in zip(dense.clusters, sparse.clusters, strict=True):
        assert a.score == pytest.approx(b.score, abs=1e-6)
    for found in dense.clusters:
        assert not any((a, b) in banned for a in found.members for b in found.members)
        assert found.score >= threshold - 1e-6


@settings(max_examples=60, deadline=None)
@given(corpora, bans, st.sampled_from((0, 400)))
def test_a_higher_threshold_only_splits(texts, pairs, dense_units) -> None:
    banned = {(a, b) for a, b in pairs if a < b}
    low = clusters(texts, banned, threshold=0.4, dense_units=dense_units)
    high = clusters(texts, banned, threshold=0.6, dense_units=dense_units)
    homes = [set(c.members) for c in low.clusters]
    for found in high.clusters:
        assert any(set(found.members) <= home for home in homes)


@pytest.mark.parametrize("dense_units", [0, 400])
def test_the_size_limit_holds_on_both_ways(dense_units) -> None:
    texts = [f"shape model {word} {other}" for word in WORDS for other in WORDS]
    found = clusters(texts, set(), threshold=0.3, dense_units=dense_units, limit=5)
    assert found.clusters
    assert max(len(c.members) for c in found.clusters) <= 5


def test_no_candidates_make_no_clusters() -> None:
    _, features = features_of(["a b", "c d"])
    none = np.empty(0, dtype=np.int64)
    empty = Candidates(none, none, np.empty(0))
    assert cluster(empty, Linkage(features, 0.5, 0.5, 50), lambda _a, _b: None).clusters == ()


def test_the_pruned_search_finds_what_the_exact_one_finds_and_the_same_every_time() -> None:
    made = generate(4_000, seed=3)
    prepared = prepare(made.table, schema(), Constraints())
    features = type_features(prepared)
    exact, first, second = (
        find_candidates(prepared.units, features, name_weight=0.6, floor=0.8, exact=mode)
        for mode in (True, False, False)
    )
    np.testing.assert_array_equal(first.left, second.left)
    np.testing.assert_array_equal(first.right, second.right)
    size = len(prepared.units)
    found = np.isin(exact.left * size + exact.right, first.left * size + first.right)
    assert len(exact) > 1_000
    assert found.mean() >= 0.98


def test_a_projected_cosine_is_near_the_true_one_and_zero_rows_are_not_found() -> None:
    made = generate(400, seed=2).table.names
    _, features = features_of([*dict.fromkeys(made), ""])
    assert features.names.shape[1] > 1_000
    projected = project(features.names)
    true = (features.names @ features.names.T).toarray()
    assert np.abs(projected @ projected.T - true).std() < 0.12
    queries = np.arange(len(projected), dtype=np.int64)
    for hits in nearest_vectors(projected, queries, count=5, least=-1.0, exact=True):
        assert len(projected) - 1 not in {*hits.query.tolist(), *hits.found.tolist()}
        assert not (hits.query == hits.found).any()


def test_resolving_made_records_beats_equal_names_whatever_their_order() -> None:
    made = generate(1_500, dimension=16, seed=5)
    first = resolve([made.table], schema())
    order = np.random.default_rng(0).permutation(1_500).tolist()
    assert resolve([take(made.table, order)], schema()) == first
    gold = dict(zip(made.table.ids, made.concepts.tolist(), strict=True))
    mixed = [g for g in first.groups if len({gold[r] for r in g.records}) > 1]
    assert len(mixed) <= len(first.groups) // 100
    assert len(first.groups) < len({name.lower() for name in made.table.names})


def with_rules(**rules) -> GraphSchema:
    base = schema()
    kind = base.entities[0].model_copy(update={"canonicalization": Canonicalization(**rules)})
    return base.model_copy(update={"entities": (kind,)})


def test_resolving_the_names_of_entities_again_merges_nothing_that_was_apart() -> None:
    made = generate(600, dimension=16, seed=6)
    rules = with_rules(threshold=0.8, similarity=False)
    once = resolve([made.table], rules)
    first = {g.records[0] for g in once.groups}
    rows = [row for row, record in enumerate(made.table.ids) if record in first]
    assert len(resolve([take(made.table, rows)], rules).groups) == len(once.groups)
