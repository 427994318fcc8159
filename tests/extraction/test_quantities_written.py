"""Ways of writing a number, its errors and its unit that must not be read as another quantity."""

from __future__ import annotations

import pytest

from schemas.language.quantities import find_quantities, number_occurs, numbers_of


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


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        (r"$1.20 \pm 0.10$ ps$^{-1}$", "ps^-1"),
        (r"$1.20 \pm 0.10$\,ps$^{-1}$", "ps^-1"),
        (r"$1.20 \pm 0.10\,\mathrm{ps}^{-1}$", "ps^-1"),
        (r"$1.20 \pm 0.10~\mathrm{ns}^{-1}$", "ns^-1"),
        (r"$1.20 \pm 0.10$ $\mathrm{ps}^{-1}$", "ps^-1"),
        (r"$1.20 \pm 0.10\,{\rm ns}^{-1}$", "ns^-1"),
        (r"$1.20 \pm 0.10\,\text{ps}$", "ps"),
        (r"\SI{1.20(10)}{\per\pico\second}", "ps^-1"),
        (r"\SI{1.20 \pm 0.10}{\mega\electronvolt}", "MeV"),
        (r"\SI{1.20(10)}{MeV}", "MeV"),
        (r"1.20 \pm 0.10 MeV/$c^2$", "MeV/c^2"),
        (r"1.20 ± 0.10 /ps", "ps^-1"),
        (r"1.20 ± 0.10 ps", "ps"),
        (r"1.20 ± 0.10 $f_s$", ""),
    ],
)
def test_units_of_markup_keep_their_exponent(text: str, unit: str) -> None:
    found = find_quantities(f"x = {text}")[0]
    assert (found.value, found.unit, found.errors[0].plus) == (1.2, unit, 0.1)


@pytest.mark.parametrize(
    ("text", "value", "errors"),
    [
        ("5,1 ± 0,3 ps", 5.1, (0.3,)),
        ("5,123 ± 0,003 ps", 5.123, (0.003,)),
        ("5·1 ± 0·3 (stat) ± 0·2 (syst) ps", 5.1, (0.3, 0.2)),
        ("٥٫١ ± ٠٫٣ ps", 5.1, (0.3,)),
        ("5,123 ± 12 ps", 5123.0, (12.0,)),
        ("5.1 ± 10^{-3} ps", 5.1, (0.001,)),
    ],
)
def test_decimal_commas_and_powers_beside_errors(text: str, value: float, errors: tuple[float, ...]) -> None:
    [found] = find_quantities(f"It is {text}.")
    assert (found.value, tuple(e.plus for e in found.errors), found.unit) == (value, errors, "ps")
    assert found.text == text
    assert number_occurs(value, text)


@pytest.mark.parametrize("text", ["5, 1 ± 0, 3 ps", "5.123,1 ± 0,3 ps", "5'123.1 ± 0.3 ps"])
def test_half_a_number_in_another_notation_has_no_errors(text: str) -> None:
    assert not any(q.errors for q in find_quantities(f"It is {text}."))


@pytest.mark.parametrize("label", ["stat+syst", "stat. and syst.", "syst ⊕ stat"])
def test_an_error_that_is_both_is_neither_statistical_nor_systematic(label: str) -> None:
    [found] = find_quantities(f"x = 1.5 ± 0.3 ({label}) ps")
    assert found.error("stat") is found.error("syst") is None
    assert found.total() == found.errors[0]
