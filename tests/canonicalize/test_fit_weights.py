"""Name weights and thresholds fitted on labelled pairs, and reviewers' decisions as such pairs."""

from __future__ import annotations

import numpy as np
import pytest

from canonicalize.fit_weights import fit_weights
from canonicalize.pair_data import LabelledTable
from canonicalize.reviewed_pairs import WEIGHT, reviewed_columns
from canonicalize.similarity import PAIR_FEATURES
from schemas.canonicalization_rules import Canonicalization
from schemas.errors import UsageError
from schemas.graph_schema import EntityType
from schemas.graphs import RecordColumns
from schemas.ids import DocumentKey, RecordId
from schemas.review import Constraints

NAME, MEANING = PAIR_FEATURES.index("name_tfidf"), PAIR_FEATURES.index("meaning_cosine")


def labelled(name: list[float], meaning: list[float], same: list[bool]) -> LabelledTable:
    columns = np.zeros((len(same), len(PAIR_FEATURES)))
    columns[:, NAME], columns[:, MEANING] = name, meaning
    count = len(same)
    return LabelledTable(
        columns, np.array(same), (("a", "b"),) * count, np.ones(count), np.ones(count, dtype=bool)
    )


def test_the_feature_that_tells_gets_the_weight() -> None:
    by_meaning = labelled([0.9, 0.2, 0.9, 0.2], [0.9, 0.8, 0.3, 0.2], [True, True, False, False])
    fit = fit_weights(by_meaning)
    assert (fit.precision, fit.recall) == (1.0, 1.0)
    assert fit.name_weight < 0.5
    by_name = labelled([0.9, 0.8, 0.3, 0.2], [0.9, 0.2, 0.9, 0.2], [True, True, False, False])
    assert fit_weights(by_name).name_weight > 0.5


def test_rare_equal_pairs_raise_the_threshold() -> None:
    rng = np.random.default_rng(3)
    same = rng.random(400) < 0.5
    score = np.clip(rng.normal(np.where(same, 0.7, 0.5), 0.1), 0, 1).tolist()
    table = labelled(score, score, same.tolist())
    assert fit_weights(table, same_share=0.05).threshold > fit_weights(table).threshold


def test_one_kind_of_pair_is_not_enough() -> None:
    with pytest.raises(UsageError, match="one kind only"):
        fit_weights(labelled([0.5], [0.5], [True]))


KIND = EntityType(name="source", label="Source", canonicalization=Canonicalization(threshold=0.7))
NAMES = ("oven heat", "Oven heat", "heat of the oven", "oven door", "dough rest")
TABLE = RecordColumns(
    type="source",
    ids=tuple(RecordId(f"r{n}") for n in range(5)),
    documents=tuple(DocumentKey(f"d{n}") for n in range(5)),
    names=NAMES,
    descriptions=("",) * 5,
    aliases=((),) * 5,
    keys=((),) * 5,
)


def links(*pairs: tuple[int, int, int]) -> tuple[tuple[RecordId, RecordId, int], ...]:
    return tuple((RecordId(f"r{a}"), RecordId(f"r{b}"), seq) for a, b, seq in pairs)


def test_decisions_become_pairs_that_share_their_weight() -> None:
    decided = Constraints(
        must_link=links((0, 2, 1), (0, 1, 4)), cannot_link=links((0, 3, 2), (1, 3, 2), (2, 3, 2), (0, 9, 3))
    )
    table = reviewed_columns(TABLE, KIND, decided)
    assert len(table) == 3, "equal names and unknown records teach nothing; r0 and r1 are one unit"
    assert table.same.tolist().count(True) == 1
    assert table.weight[~table.same].sum() == pytest.approx(WEIGHT)
    assert table.weight[table.same].tolist() == [WEIGHT]
    assert (table.columns[table.same, NAME] > table.columns[~table.same, NAME].min()).all()


def test_a_type_without_similarity_teaches_nothing() -> None:
    exact = KIND.model_copy(update={"canonicalization": Canonicalization(similarity=False)})
    assert len(reviewed_columns(TABLE, exact, Constraints(must_link=links((0, 2, 1))))) == 0
    assert len(reviewed_columns(TABLE, KIND, Constraints())) == 0
