"""Records that no corpus should hold and every corpus does: a clear result or a clear error, soon."""

from __future__ import annotations

import numpy as np
import pytest

from canonicalize.incremental import add, start
from canonicalize.resolve import resolve
from schemas.canonicalization_rules import Canonicalization
from schemas.errors import DataError
from schemas.graph_schema import AttributeType, EntityType, GraphSchema
from schemas.graphs import RecordColumns
from schemas.ids import DocumentKey, RecordId

SCHEMA = GraphSchema(
    name="toy",
    version="1",
    entities=(
        EntityType(
            name="source",
            label="Source",
            attributes=(AttributeType(name="pdgid"),),
            canonicalization=Canonicalization(
                threshold=0.7, identity=("pdgid",), vetoes=("charge", "numbers", "particles", "antonyms")
            ),
        ),
    ),
    relations=(),
)


def table(names: list[str], *, keys=None, vectors=None, first: int = 0) -> RecordColumns:
    numbers = range(first, first + len(names))
    return RecordColumns(
        type="source",
        ids=tuple(RecordId(f"r{i:06d}") for i in numbers),
        documents=tuple(DocumentKey(f"d{i:06d}") for i in numbers),
        names=tuple(names),
        descriptions=("",) * len(names),
        aliases=((),) * len(names),
        keys=tuple(keys) if keys else ((),) * len(names),
        vectors=vectors,
    )


def test_two_hundred_thousand_records_of_one_name_are_one_entity() -> None:
    names = ["Tracking efficiency", "tracking efficiency"] * 100_000
    (group,) = resolve([table(names)], SCHEMA).groups
    assert len(group.records) == 200_000


def test_one_name_with_as_many_identities_stays_as_many_entities() -> None:
    count = 20_000
    keys = [(f"pdgid={i}",) for i in range(count)]
    resolution = resolve([table(["mass"] * count, keys=keys)], SCHEMA)
    assert len(resolution.groups) == count
    assert resolution.blocked_total == {"source": count - 1}


def test_records_without_names_or_meaning_stay_alone() -> None:
    names = ["", "  ", "", "yield", "Yield"]
    for vectors in (None, np.zeros((5, 3), dtype=np.float32)):
        groups = resolve([table(names, vectors=vectors)], SCHEMA).groups
        assert sorted(len(g.records) for g in groups) == [1, 1, 1, 2]
    assert len(resolve([table([""] * 4)], SCHEMA).groups) == 4


def test_very_long_names_merge_only_when_they_are_equal() -> None:
    long = "systematic model uncertainty " * 3_500
    names = [long + "a", long + "b", long + "A", long + "a", "model"]
    groups = {tuple(g.records) for g in resolve([table(names)], SCHEMA).groups}
    assert groups == {("r000000", "r000003"), ("r000001",), ("r000002",), ("r000004",)}


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_a_vector_that_is_no_vector_is_refused_with_its_record(bad) -> None:
    vectors = np.ones((4, 3), dtype=np.float32)
    vectors[2, 1] = bad
    with pytest.raises(DataError, match="record r000002"):
        resolve([table(["a", "b", "c", "d"], vectors=vectors)], SCHEMA)
    _, state = start([table(["a", "b"], vectors=vectors[:2])], SCHEMA)
    with pytest.raises(DataError, match="record r000004"):
        add(state, [table(["x", "y", "z"], vectors=vectors[:3], first=2)])


def test_many_near_copies_of_one_name_are_bounded_by_the_cluster_limit() -> None:
    names = [f"limited simulation sample size {chr(97 + i // 26)}{chr(97 + i % 26)}" for i in range(600)]
    resolution = resolve([table(names)], SCHEMA)
    assert max(len(g.records) for g in resolution.groups) <= 50
    assert sum(len(g.records) for g in resolution.groups) == 600


def test_an_empty_table_resolves_to_nothing() -> None:
    assert resolve([table([])], SCHEMA).groups == ()
