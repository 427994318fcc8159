import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.language.names import MAX_KEY_BYTES, name_key, normalise_name, readable_name


def test_dashes_spaces_and_width_are_unified() -> None:
    assert (
        normalise_name(" Trigger\u2013\u00a0efficiency\u200b ", case_sensitive=True) == "Trigger- efficiency"
    )
    assert normalise_name("B⁰ → π⁻", case_sensitive=True) == normalise_name("B0 → π−", case_sensitive=True)


def test_case_is_kept_only_on_request() -> None:
    assert normalise_name("B_s0 MASS", case_sensitive=True) == "B_s0 MASS"
    assert normalise_name("B_s0 MASS", case_sensitive=False) == "b_s0 mass"
    assert normalise_name("STRASSE", case_sensitive=False) == normalise_name("Straße", case_sensitive=False)


@given(st.text(max_size=60), st.booleans())
def test_normal_form_is_a_fixed_point(text: str, case_sensitive: bool) -> None:
    once = normalise_name(text, case_sensitive=case_sensitive)
    assert normalise_name(once, case_sensitive=case_sensitive) == once


@given(st.text(max_size=3000))
def test_keys_are_short_and_without_case(text: str) -> None:
    key = name_key(text)
    assert len(key.encode("utf-8", "surrogatepass")) <= MAX_KEY_BYTES
    assert name_key(f"  {text}\t") == key


@given(st.integers(1000, 3000), st.sampled_from("aπ→"))
def test_long_names_that_differ_at_the_end_have_different_keys(length: int, letter: str) -> None:
    assert name_key(letter * length + "x") != name_key(letter * length + "y")


@pytest.mark.parametrize(
    "written",
    [
        "L\u0435ngth scale",
        "Length\u200b scale",
        "\u202eLength\u202c scale",
        "Len\u200dgth\u2066 scale",
        "Length \u0455\u0441ale",
    ],
)
def test_names_that_look_alike_are_one(written: str) -> None:
    assert readable_name(written) == "Length scale"
    assert normalise_name(written, case_sensitive=True) == "Length scale"


@pytest.mark.parametrize(
    "name",
    [
        "длина волны",
        "τλ_с",
        "B \u0441\u043e\u043d",
        "B\u043c\u0435\u0437\u043e\u043d",
        "می\u200cخواهم",
        "Δm_s",
    ],
)
def test_names_of_other_scripts_stay(name: str) -> None:
    assert readable_name(name) == name


@given(
    st.text("aE\u0430\u0415\u04ba\u1c82\u0412\u0432\u0436\u0301\u200b\u202e\u03bf ", max_size=8),
    st.booleans(),
)
def test_normal_forms_of_mixed_scripts_are_fixed_points(text: str, case_sensitive: bool) -> None:
    once = normalise_name(text, case_sensitive=case_sensitive)
    assert normalise_name(once, case_sensitive=case_sensitive) == once
