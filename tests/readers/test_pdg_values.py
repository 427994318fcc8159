import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extraction.readers.pdg_tables import Value, load_tables
from extraction.readers.pdg_values import numbers, parse_value, readable, superseded_by


def row(text: str) -> Value:
    return Value(1, 1, "VALUE", text, "", "", None, None, None, None, None, None, None)


def test_the_parser_agrees_with_the_tables_wherever_both_speak() -> None:
    compared = wrong = 0
    for values in load_tables().values.values():
        for value in values:
            printed = parse_value(value.value_text)
            if printed is None or not printed.errors or value.limit or value.total_plus is None:
                continue
            compared += 1
            assert value.value is not None
            found = numbers(row(value.value_text)).total
            assert found is not None
            same = math.isclose(printed.value, value.value, rel_tol=1e-9) and math.isclose(
                found[0], value.total_plus, rel_tol=1e-6
            )
            wrong += not same
    assert compared > 28_000
    assert wrong <= 10


@pytest.mark.parametrize(
    ("text", "value", "stat", "syst"),
    [
        ("0.817 +-0.042 +-0.006 +-0.073", 0.817, (0.042, 0.042), (math.hypot(0.006, 0.073),) * 2),
        ("(22.04 +- 0.28 +- 2.09 +- 1.51) E-2", 0.2204, (0.0028, 0.0028), (math.hypot(0.0209, 0.0151),) * 2),
        ("81.4 +2.7-2.6 +-2.0 +3.3-3.0", 81.4, (2.7, 2.6), (math.hypot(2, 3.3), math.hypot(2, 3.0))),
        ("-9.9 +-1.5 +-0.5", -9.9, (1.5, 1.5), (0.5, 0.5)),
        ("(17 +- 2 + - 8) E-2", 0.17, (0.02, 0.02), (0.08, 0.08)),
    ],
)
def test_errors_the_tables_leave_out(
    text: str, value: float, stat: tuple[float, float], syst: tuple[float, float]
) -> None:
    found = numbers(row(text))
    assert found.value == value
    assert found.stat == pytest.approx(stat)
    assert found.syst == pytest.approx(syst)
    assert found.total == pytest.approx(tuple(math.hypot(a, b) for a, b in zip(stat, syst, strict=True)))


@pytest.mark.parametrize(
    "text", ["", "mixed", "no limit feasible", "<6.1 E-3", "-3.7 to 3.8", "seen", "1 or 2"]
)
def test_what_is_no_value(text: str) -> None:
    assert parse_value(text) is None
    assert numbers(row(text)).value is None


@given(
    st.decimals(-1000, 1000, places=3),
    st.lists(st.decimals(0, 100, places=3), min_size=1, max_size=4),
    st.integers(-12, 12),
)
def test_printed_values_are_read_back(value: object, errors: list[object], power: int) -> None:
    printed = parse_value(f"({value} {' '.join(f'+-{e}' for e in errors)}) E{power}")
    assert printed is not None
    assert printed.value == float(f"{value}e{power}")
    assert [e[0] for e in printed.errors] == [float(f"{e}e{power}") for e in errors]


@pytest.mark.parametrize(
    ("comment", "paper"),
    [
        ("Repl. by AAIJ 2022T", "AAIJ 2022T"),
        ("p p at 7 TeV, Repl. by AAIJ 2014E", "AAIJ 2014E"),
        ("Repl.  by HAYRAPETYAN 2024L", "HAYRAPETYAN 2024L"),
        ("Repl.. by ABREU 1999X", "ABREU 1999X"),
        ("F = 1 - f, Repl by AAD 2020Y", "AAD 2020Y"),
        ("Repl. by AUBERT,B 2004P", "AUBERT,B 2004P"),
        ("Repl. by DEL-AMO-SANCHEZ  2010K", "DEL-AMO-SANCHEZ 2010K"),
        ("p p at 7, 8 TeV", ""),
        ("", ""),
    ],
)
def test_superseded(comment: str, paper: str) -> None:
    assert superseded_by(comment) == paper


def test_readable_signs() -> None:
    assert readable("1.516 +-0.006 +- 0.003") == "1.516 ±0.006 ±0.003"
    assert readable("354 +140-181") == "354 +140-181"
