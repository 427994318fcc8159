"""How two answers are compared where a question does not tell the columns."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.executed import MOST_COLUMNS, Cells, same_in_common_columns

pytestmark = pytest.mark.skipif(
    not (Path(__file__).resolve().parents[2] / ".." / "shared" / "data" / "metrics.py").exists(),
    reason="the comparison of the question sets is not here",
)
NAMES = Cells((("Ada",), ("Bo",)))


@pytest.mark.parametrize(
    ("other", "same"),
    [
        (Cells((("Bo", 1), ("Ada", 2), ("Ada", 3))), True),
        (Cells(((1, "Ada"), (2, "Cy"))), False),
        (Cells(((1, "Ada"),)), False),
        (Cells(()), False),
        (Cells(tuple((*range(MOST_COLUMNS), name) for name in ("Ada", "Bo"))), False),
    ],
    ids=["more columns", "another name", "a name less", "nothing", "too wide"],
)
def test_columns_that_both_have_are_compared(other: Cells, same: bool) -> None:
    assert same_in_common_columns(NAMES, other) is same
    assert same_in_common_columns(other, NAMES) is same


def test_a_column_counts_once() -> None:
    assert not same_in_common_columns(Cells((("Ada", "Ada"),)), Cells((("Ada", "Bo"),)))
