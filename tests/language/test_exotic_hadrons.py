"""Tetraquarks and pentaquarks under the names of papers and of the listings."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cypher.schema_words import ValueWord
from cypher.spelling import spellings
from cypher.vocabulary import Vocabulary
from schemas.language.names import name_key
from schemas.language.notation import canonical_particle, parse_decay


@pytest.mark.parametrize(
    ("written", "listed"),
    [
        ("P_c(4312)+", "P_c_cbar(4312)+"),
        ("P_c^+(4312)", "P_c_cbar(4312)+"),
        ("$P_{c\\bar{c}}(4312)^+$", "P_c_cbar(4312)+"),
        ("P_ccbar(4312)+", "P_c_cbar(4312)+"),
        ("Pc(4312)+", "P_c_cbar(4312)+"),
        ("P_\\psi^N(4312)^+", "P_c_cbar(4312)+"),
        ("P_{cs}(4459)^0", "P_c_cbar_s(4459)0"),
        ("P_{\\psi s}^{\\Lambda}(4338)^0", "P_c_cbar_s(4338)0"),
        ("P_c(4450)+", "P_c_cbar(4457)+"),
        ("T_cc^+", "T_c_c(3875)+"),
        ("T_{cc}(3875)^+", "T_c_c(3875)+"),
        ("Z_{cs}(4220)^+", "T_c_cbar_sbar_1(4220)+"),
        ("T_c cbar sbar 1(4000)", "T_c_cbar_sbar_1(4000)"),
        ("T_{c\\bar s0}^*(2900)^{++}", "T_c_sbar_0*(2900)++"),
    ],
)
def test_names_of_papers_become_those_of_the_listings(written: str, listed: str) -> None:
    assert canonical_particle(written) == listed


@given(
    heavy=st.sampled_from("cb"),
    strange=st.booleans(),
    mass=st.integers(4000, 12000),
    charge=st.sampled_from(["", "0", "+"]),
)
def test_all_spellings_of_a_pentaquark_are_one(heavy: str, strange: bool, mass: int, charge: str) -> None:
    s = "s" if strange else ""
    pair = {"c": "psi", "b": "Upsilon"}[heavy]
    spelled = (
        f"P_{heavy}{s}({mass}){charge}",
        f"P_{{{heavy}{s}}}^{{{charge}}}({mass})" if charge else f"P_{{{heavy}{s}}}({mass})",
        f"P_{{{heavy}\\overline{{{heavy}}}{s}}}({mass})^{{{charge}}}" if charge else f"P_{heavy}{s}({mass})",
        f"P_{heavy}_{heavy}bar{'_s' if s else ''}({mass}){charge}",
        f"P_{{\\{pair} {s}}}({mass}){charge}",
    )
    names = {canonical_particle(text) for text in spelled}
    assert len(names) == 1
    assert canonical_particle(names.pop() or "") is not None


def test_quarks_are_no_part_of_a_boson_beside_them() -> None:
    decay = parse_decay("H -> Z b bbar")
    assert decay is None or "Z0" in decay.children


def test_a_state_named_without_charge_is_that_of_any_charge() -> None:
    words = [ValueWord("observable", "particle", v) for v in ("P_c_cbar(4312)+", "D(2550)0", "D(2550)+")]
    vocabulary = Vocabulary({name_key(w.value): (w,) for w in words})
    (pentaquark,) = vocabulary.lookup("P_c(4312)")
    assert (pentaquark.value, pentaquark.among) == ("P_c_cbar(4312)+", ())
    assert vocabulary.lookup("P_c(4312)+") == (pentaquark,)
    (several,) = vocabulary.lookup("D(2550)")
    assert set(several.among) == {"D(2550)+", "D(2550)0"}
    assert vocabulary.lookup("P_c(4312)0") == ()
    assert "P_c_cbar(4440)+ mass" in spellings("P_c(4440)+ mass")
