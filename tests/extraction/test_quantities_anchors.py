"""Values with errors, powers and units; quotes in texts."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemas.language.anchors import find_quote, find_quote_near
from schemas.language.quantities import find_quantities, number_occurs


@pytest.mark.parametrize(
    ("text", "value", "unit", "errors"),
    [
        ("(3.0 ± 0.6 ^{+0.3}_{-0.2}) × 10^{-9}", 3e-9, "", [(6e-10, 6e-10), (3e-10, 2e-10)]),
        ("(2.0 ± 0.9(stat) ± 0.5(syst))×10^{-13}", 2.0e-13, "", [(0.9e-13, 0.9e-13), (0.5e-13, 0.5e-13)]),
        ("(2.0 ± 0.9 stat ± 0.5 syst) × 10^{-13}", 2.0e-13, "", [(0.9e-13, 0.9e-13), (0.5e-13, 0.5e-13)]),
        (r"17.79 \pm 0.04$ ps", 17.79, "ps", [(0.04, 0.04)]),
        (r"0.66~^{+~0.11}_{-~0.07} (stat) \pm 0.03 (syst)", 0.66, "", [(0.11, 0.07), (0.03, 0.03)]),
        ("203.5 ± 1.0 ± 1.3 ± 1.4 fs", 203.5, "fs", [(1.0, 1.0), (1.3, 1.3), (1.4, 1.4)]),
        ("−0.23 ± 0.02 rad", -0.23, "rad", [(0.02, 0.02)]),
        ("5366.88(14) MeV/c²", 5366.88, "MeV/c^2", [(0.14, 0.14)]),
        ("(12.3 ± 0.5)%", 12.3, "%", [(0.5, 0.5)]),
        ("1.2 +0.3 -0.4 ps^{-1}", 1.2, "ps^-1", [(0.3, 0.4)]),
        ("4.2×10⁻⁷", 4.2e-7, "", []),
        ("12,345 ± 67", 12345.0, "", [(67.0, 67.0)]),
    ],
)
def test_quantity(text: str, value: float, unit: str, errors: list[tuple[float, float]]) -> None:
    found = find_quantities("x = " + text, offset=100)[0]
    assert found.value == pytest.approx(value, rel=1e-12)
    assert found.unit == unit
    assert [(e.plus, e.minus) for e in found.errors] == [pytest.approx(e) for e in errors]
    assert found.text == ("x = " + text)[found.start - 100 : found.end - 100]


def test_labels_and_limits() -> None:
    labelled = find_quantities("0.66 ± 0.11 (syst) ± 0.03 (stat)")[0]
    syst, stat = labelled.error("syst"), labelled.error("stat")
    assert syst is not None
    assert stat is not None
    assert (syst.plus, stat.plus) == (0.11, 0.03)
    limit = find_quantities("an upper limit of 3.4 × 10^{-9} at 95% CL is set")[0]
    assert (limit.limit, limit.confidence_level, limit.value) == ("upper", 95.0, 3.4e-9)


@pytest.mark.parametrize(
    ("value", "quote", "unit", "expected"),
    [
        (3.0e-9, "(3.0 ± 0.6)×10^{-9}", "", True),
        (3.0e-8, "(3.0 ± 0.6)×10^{-9}", "", False),
        (0.12, "12 %", "", True),
        (1.479, "1479 fs", "ps", True),
        (1.479, "1479 fs", "mm", False),
        (8.0, "1.8", "", False),
        (0.5, "0.51", "", False),
    ],
)
def test_number_occurs(value: float, quote: str, unit: str, *, expected: bool) -> None:
    assert number_occurs(value, quote, unit=unit) is expected


@given(st.floats(min_value=1e-6, max_value=1e6), st.integers(-20, 20))
def test_a_printed_number_occurs(value: float, power: int) -> None:
    shown = f"{value:.4f}"
    assert number_occurs(float(f"{shown}e{power}"), f"({shown} ± 0.1) × 10^{{{power}}}")


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet="0123456789.,±+-−–^_{}()×e% \n<>·10⁻⁹GeVfsA\\", max_size=120))
def test_quantities_stand_where_they_say(text: str) -> None:
    last = 0
    for found in find_quantities(text):
        assert text[found.start : found.end] == found.text
        assert found.start >= last
        last = found.end


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    "bomb", ["1" * 60_000, "1.0 ± " * 12_000, "(" * 60_000, "10^" * 20_000, "1 " * 30_000]
)
def test_long_texts_take_bounded_time(bomb: str) -> None:
    assert all(0 <= q.start < q.end <= len(bomb) for q in find_quantities(bomb))


_SWAP = str.maketrans({" ": "\n ", "-": "\u2013", "'": "\u2019"})


@settings(max_examples=200)
@given(st.text(alphabet="abfilo -'é", min_size=1, max_size=40), st.text(max_size=30), st.text(max_size=30))
def test_a_quote_is_found_where_it_stands(quote: str, before: str, after: str) -> None:
    text = before + quote.strip().translate(_SWAP) + after
    span = find_quote(text, quote)
    assert (span is None) is (not quote.strip())
    if span is not None:
        found = text[slice(*span)]
        assert "".join(found.split()).translate({0x2013: "-", 0x2019: "'"}) == "".join(quote.split())


def test_nothing_looser() -> None:
    assert find_quote("the efficiency is 0.95", "the efficiency is 0.96") is None
    assert find_quote("eﬃciency of the ﬁt", "efficiency of the fit") == (0, 18)
    assert find_quote_near("aa b aa", "aa", 6) == (5, 7)
