import pytest

from extraction.readers.pdg_footnotes import METHOD_OF_DIFFERENCE, find_sources

# Written for these tests in the style of the listings.
CASES = [
    ("The last error reflects the uncertainty on the amplitude model.", ["amplitude model"], -1),
    (
        "The third uncertainty is due to the uncertainty in the Xi_c+ mass, taken as known.",
        ["Xi_c+ mass"],
        3,
    ),
    (
        "AAIJ 2000A reports 1+-2+-3+-4 where the last uncertainty comes from the f_s/f_d ratio.",
        ["f_s/f_d ratio"],
        -1,
    ),
    (
        "The second uncertainty includes the systematic and the uncertainties on known branching fractions.",
        ["branching fractions"],
        None,
    ),
    (
        "The last uncertainty includes the uncertainties of the branching fraction B(B0 -> Dbar0 K+ K-) and "
        "B(phi -> K+ K-).",
        ["BR(B0 -> Dbar0 K+ K-)", "BR(phi(1020) -> K+ K-)"],
        None,
    ),
    (
        "which we multiply by our best (shown rounded) value B(B_s0 -> J/psi phi) = 1.0+-0.1E-3. Our first "
        "error is their experiment's error and our second error is the systematic error from using our best "
        "(shown rounded) value.",
        ["BR(B_s0 -> J/psi(1S) phi(1020))"],
        2,
    ),
    (
        "Systematic error includes an uncertainty of +-0.00175 due to the electron energy scale.",
        ["electron energy scale"],
        None,
    ),
]


@pytest.mark.parametrize(("text", "names", "error"), CASES)
def test_sources(text: str, names: list[str], error: int | None) -> None:
    found = find_sources(text)
    assert [s.name for s in found] == names
    assert found[0].error == error
    assert all(0 <= s.start < s.end <= len(text) for s in found)


@pytest.mark.parametrize(
    "text",
    [
        "Statistical error only.",
        "Systematic uncertainty not estimated.",
        "The first error is statistical and the second error is the total systematic error.",
        "The second uncertainty combines in quadrature all systematic uncertainties quoted in the paper.",
        "The first error is from statistics, the second from JES.",
        "The statistical and systematic uncertainties have been combined according to the correlations.",
        "Provides the correlation coefficient between the uncertainties of S and C.",
    ],
)
def test_mere_statements_on_errors_name_no_source(text: str) -> None:
    assert find_sources(text) == ()


def test_a_method_is_kept_with_its_source() -> None:
    (source,) = find_sources(
        "AAIJ 2000B gives results for two S-wave parameterisations. We take the values from the first model, "
        "and the difference as a systematic uncertainty."
    )
    assert (source.name, source.method) == ("S-wave parameterisation", METHOD_OF_DIFFERENCE)
    assert source.kind == "internal systematic"


def test_inputs_of_others_are_external() -> None:
    (source,) = find_sources("The third error is the uncertainty on the Lambda_c+ mass.")
    assert source.kind == "external systematic"
