"""The fit of the reader's confidence: its measures, its signs, and what counts as the same things found."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.executed import Cells
from benchmarks.fit_reader import (
    Example,
    calibration_error,
    left_out,
    precision,
    rewritten,
    risk_area,
    slopes_of,
)
from benchmarks.judged_readings import Judged, load, same_things, save
from cypher.semantics.doubts import probability


def _examples(source: str, figure: str, *, helps: bool) -> list[Example]:
    having = [Example(source, ((figure, 1.0),), helps) for _ in range(20)]
    return [*having, *(Example(source, (), not helps) for _ in range(20))]


def test_the_area_of_a_perfect_order_is_least() -> None:
    right = [True, True, False]
    assert risk_area([0.9, 0.8, 0.1], right) == pytest.approx(1 / 9)
    assert risk_area([0.1, 0.8, 0.9], right) == pytest.approx((1 + 1 / 2 + 1 / 3) / 3)


def test_calibration_is_the_distance_from_the_share_of_right_ones() -> None:
    assert calibration_error([0.75] * 4, [True, True, True, False]) == pytest.approx(0.0)
    assert calibration_error([1.0, 1.0], [True, False]) == pytest.approx(0.5)


def test_precision_is_of_the_most_confident() -> None:
    assert precision([0.9, 0.8, 0.7, 0.2, 0.1], [True, True, False, False, False]) == pytest.approx(2 / 3)


def test_a_doubt_lowers_the_chance_and_never_raises_it() -> None:
    doubted = slopes_of(_examples("a", "left", helps=False), 1.0)
    assert doubted["left"] < 0
    assert probability((("left", 1.0),), doubted) < probability((), doubted)
    assert "left" not in slopes_of(_examples("a", "left", helps=True), 1.0)
    assert slopes_of(_examples("a", "alike", helps=True), 1.0)["alike"] > 0


def test_each_source_is_foretold_by_the_others_alone() -> None:
    one = _examples("a", "left", helps=False)
    other = [Example("b", e.figures, e.right) for e in one]
    together = left_out([*one, *other], 1.0)
    slopes = slopes_of(other, 1.0)
    assert together[: len(one)] == [probability(e.figures, slopes) for e in one]


def test_the_same_things_may_stand_in_other_columns() -> None:
    assert same_things(Cells((("Ann", 3), ("Ben", 2))), Cells((("Ben",), ("Ann",), ("Ann",))))
    assert same_things(Cells(((3, "Ann"),)), Cells((("Ann", "3"),)))
    assert not same_things(Cells((("Ann", 3),)), Cells((("Ann",), ("Ben",))))
    assert not same_things(Cells(()), Cells((("Ann",),)))


def test_what_was_judged_is_kept(tmp_path: Path) -> None:
    judged = Judged(
        "a", ({"label": 1.0},), (True,), (("alike", 1.0),), True, (("empty", 1.0), ("understood", 0.2)), None
    )
    save([judged], tmp_path / "judged" / "a.jsonl")
    (kept,) = load(tmp_path / "judged" / "a.jsonl")
    assert kept.doubts == judged.doubts
    assert kept.exact is None
    assert dict(rewritten(kept, lambda _: 0.7)) == {"empty": 1.0, "understood": 0.7}
