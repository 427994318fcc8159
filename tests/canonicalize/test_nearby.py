"""What is near to some rows is found without comparing all."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

from canonicalize.nearby import Nearby
from canonicalize.ngrams import fit_ngrams
from canonicalize.state import UnitRows

WORDS = ("tracking", "trigger", "mass", "momentum", "efficiency", "scale", "resolution", "model", "shape")


def forms(count: int, rng: np.random.Generator) -> list[str]:
    return [" ".join(rng.choice(WORDS, size=rng.integers(1, 4))) for _ in range(count)]


@pytest.mark.parametrize(
    ("weight", "floor"), [(0.6, 0.8), (0.5, 0.8), (1.0, 0.7), (0.9, 0.6), (0.6, 0.4), (0.0, 0.7)]
)
@pytest.mark.parametrize("latest", [0, 40])
def test_all_units_that_reach_the_floor_are_found_and_no_others(
    weight: float, floor: float, latest: int
) -> None:
    rng = np.random.default_rng(7)
    rows, _ = fit_ngrams(forms(200, rng))
    vectors = rng.normal(size=(200, 4)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    units = UnitRows(rows[: 200 - latest], sparse.csr_matrix((0, rows.shape[1]), dtype=np.float32))
    units.append(rows[200 - latest :])
    asked = [3, 50, 190]
    found = Nearby(units, vectors, weight, floor).units(rows[asked], vectors[asked])
    names = np.minimum(1.0, (rows[asked] @ rows.T).toarray())
    score = weight * names + (1 - weight) * (vectors[asked] @ vectors.T)
    one_side = (names >= 0.1) | (vectors[asked] @ vectors.T >= 0.1)
    assert found.tolist() == np.flatnonzero(((score >= floor) & one_side).any(axis=0)).tolist()
    assert set(asked) <= set(found.tolist())
