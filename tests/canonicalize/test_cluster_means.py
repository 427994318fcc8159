"""The averages of a cluster from sums of rows are those of its matrix."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from canonicalize.features import Unit, build_features
from canonicalize.linkage import Linkage


@given(
    st.lists(st.sampled_from(("fit", "fits", "yield", "a fit", "yields of")), min_size=2, max_size=8),
    st.integers(0, 9),
)
def test_means_are_those_of_the_matrices(names: list[str], seed: int) -> None:
    units = [
        Unit((i,), (name,), ("same thing",) if i % 3 == 0 else (), frozenset())
        for i, name in enumerate(names)
    ]
    vectors = np.random.default_rng(seed).normal(size=(len(names), 4)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    linkage = Linkage(build_features(units, str.lower, vectors=vectors), 0.6, 0.5, None)
    members = list(range(len(names)))
    outside = ~np.eye(len(names), dtype=bool)
    expected = [float(matrix[outside].mean()) for matrix in linkage.matrices(members)]
    assert linkage.means(members) == pytest.approx(expected, abs=1e-5)
    assert not linkage.too_large(10**6)
