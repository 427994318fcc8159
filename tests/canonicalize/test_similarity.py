"""The columns of pairs: range, symmetry, and what each says about two names."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from canonicalize.features import Unit, build_features
from canonicalize.similarity import PAIR_FEATURES, acronym_match, pair_table


def unit(index: int, *names: str, aliases: tuple[str, ...] = ()) -> Unit:
    return Unit((index,), names, aliases, frozenset({f"d{index}"}))


def columns(*units: Unit, **given_features) -> dict[str, float]:
    features = build_features(units, str.casefold, **given_features)
    (row,) = pair_table(units, features, np.array([[0, 1]]))
    return dict(zip(PAIR_FEATURES, row.tolist(), strict=True))


names = st.lists(st.text(max_size=25), min_size=1, max_size=4, unique=True)


@settings(max_examples=80, deadline=None)
@given(st.lists(names, min_size=2, max_size=6))
def test_columns_are_finite_symmetric_and_in_range(rows) -> None:
    units = [unit(i, *row) for i, row in enumerate(rows)]
    rng = np.random.default_rng(0)
    vectors = rng.normal(size=(len(units), 5)).astype(np.float32)
    values = {"kind": [None if i % 3 == 0 else str(i % 2) for i in range(len(units))]}
    features = build_features(units, str.casefold, vectors=vectors, attributes=values)
    pairs = np.array([(a, b) for a in range(len(units)) for b in range(a)])
    table = pair_table(units, features, pairs)
    assert table.shape == (len(pairs), len(PAIR_FEATURES))
    assert np.isfinite(table).all()
    np.testing.assert_allclose(table, pair_table(units, features, pairs[:, ::-1]), atol=1e-6)
    assert (table[:, :10] >= 0).all()
    assert (table <= 1).all()
    assert (table[:, 10:] >= -1).all()


def test_no_pairs_give_no_rows() -> None:
    units = [unit(0, "a"), unit(1, "b")]
    features = build_features(units, str.casefold)
    assert pair_table(units, features, np.empty((0, 2), dtype=np.int64)).shape == (0, len(PAIR_FEATURES))


def test_word_order_does_not_matter_to_the_tokens_and_the_head_is_found_before_a_preposition() -> None:
    row = columns(unit(0, "Tracking efficiency"), unit(1, "efficiency of tracking"))
    assert row["token_containment"] == 1.0
    assert row["token_jaccard"] == pytest.approx(2 / 3)
    assert row["head_word_equal"] == 1.0


def test_numbers_and_heads_tell_names_apart() -> None:
    row = columns(unit(0, "yield in 2011"), unit(1, "width in 2012"))
    assert row["numbers_agree"] == 0.0
    assert row["head_word_equal"] == 0.0
    assert columns(unit(0, "yield"), unit(1, "yields"))["numbers_agree"] == 1.0


def test_the_best_of_several_names_counts() -> None:
    row = columns(unit(0, "zzz", "signal shape"), unit(1, "signal shape model"))
    assert row["token_containment"] == 1.0
    assert row["length_ratio"] == pytest.approx(12 / 18)


def test_aliases_attributes_and_meaning_have_their_columns() -> None:
    vectors = np.array([[1, 0], [0.6, 0.8]], dtype=np.float32)
    attributes = {"year": [2011, 2011], "charge": ["+", "-"], "beam": ["a", None], "spin": [1, 1]}
    row = columns(
        unit(0, "x y", aliases=("first",)),
        unit(1, "z", aliases=("First",)),
        vectors=vectors,
        attributes=attributes,
    )
    assert row["shared_alias"] == 1.0
    assert row["attribute_agreement"] == 1.0
    assert row["meaning_cosine"] == pytest.approx(0.6)


@pytest.mark.parametrize(
    ("left", "right", "same"),
    [
        ("BDT selection", "boosted decision tree selection", True),
        ("boosted decision tree", "BDT", True),
        ("BDTs", "boosted decision tree", True),
        ("BDT selection", "boosted decision tree training", False),
        ("PID", "trigger efficiency", False),
        ("model", "amplitude model", False),
    ],
)
def test_an_acronym_matches_the_words_it_stands_for(left, right, same) -> None:
    assert acronym_match(left, right) is same
    assert acronym_match(right, left) is same
    assert columns(unit(0, left), unit(1, right))["acronym_match"] == float(same)
