"""The fit of the ranking's weights, on invented readings."""

from __future__ import annotations

from benchmarks.fit_ranking import Readings, first_right, fit, tables

NAMES = ("r_twin", "r_unsaid")


def _question(wrong: dict[str, float]) -> Readings:
    """A wrong reading that the chart likes a little better than the right one."""
    return Readings((wrong, {}), (1.1, 1.0), (False, True))


def test_what_wrong_readings_have_speaks_against_them() -> None:
    asked = tables([_question({"r_twin": 1.0}) for _ in range(30)], NAMES)
    weights = fit(asked, 1.0)
    assert weights[0] < -0.1
    assert weights[1] == 0
    assert first_right(asked, 0 * weights) == 0
    assert first_right(asked, weights) == 30


def test_nothing_speaks_for_a_reading() -> None:
    twins_are_right = Readings(({}, {"r_twin": 1.0}), (1.0, 1.0), (False, True))
    assert fit(tables([twins_are_right] * 30, NAMES), 1.0)[0] == 0
