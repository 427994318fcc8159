"""Ways of writing a number, its errors and its unit that must not be read as another quantity."""

from __future__ import annotations

import pytest

from schemas.language.quantities import find_quantities, numbers_of


@pytest.mark.parametrize(
    "text",
    [
        r"80\,354 \pm 23 MeV",
        r"80{,}354 \pm 23 MeV",
        "80,354 ± 23 MeV",
        "80 354 ± 23 MeV",
        "80\u2009354 ± 23 MeV",
        "80\u202f354 ± 23 MeV",
    ],
)
def test_thousands_are_one_number(text: str) -> None:
    [found] = find_quantities(f"The mass is {text}.")
    assert (found.value, found.unit, found.errors[0].plus) == (80354.0, "MeV", 23.0)


def test_groups_after_the_point_and_what_is_no_group() -> None:
    assert find_quantities(r"0.510\,998\,95 MeV")[0].value == 0.51099895
    assert numbers_of("in 2011 354 runs, 12 3456 and 1.5 100") == (2011.0, 354.0, 12.0, 3456.0, 1.5, 100.0)
