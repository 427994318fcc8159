"""Names that string similarity confuses and a veto must tell apart."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.errors import SchemaError
from schemas.language.acronyms import expand, find_acronyms
from schemas.language.vetoes import RULES, vetoed

CONFUSED = [
    ("LHC", "LHCb", "particles"),
    ("b-jet energy scale", "c-jet energy scale", "antonyms"),
    ("kaon tracking efficiency", "kaon identification efficiency", "antonyms"),
    ("simulation sample size", "data sample size", "antonyms"),
    ("photon detection asymmetry", "photon detection efficiency", "antonyms"),
    ("Run 1", "Run 2", "numbers"),
    ("Run I", "Run II", "numbers"),
    ("7 TeV", "8 TeV", "numbers"),
    ("B0", "B0s", "charge"),
    ("B0", "B_s0", "charge"),
    ("$B^0$", "$B_s^0$", "charge"),
    ("CP asymmetry A_CP", "CP asymmetry S_CP", "antonyms"),
    ("tracking efficiency", "trigger efficiency", "antonyms"),
    ("muon identification", "electron identification", "particles"),
    ("Lambda_b0", "Lambda_c+", "charge"),
    ("branching fraction", "relative branching fraction", "antonyms"),
    ("alignment constants", "extrapolation of alignment constants", "antonyms"),
    ("systematic uncertainty", "statistical uncertainty", "antonyms"),
    ("D0 -> K- pi+", "D0 -> K+ pi-", "charge"),
    (r"$D^0 \to K^- \pi^+$", r"$D^0 \to K^+ \pi^-$", "charge"),
    ("D⁰ → K⁻π⁺", "D⁰ → K⁺π⁻", "charge"),
    ("B+ -> K+ mu mu", "B- -> K- mu mu", "charge"),
    ("Lambda_c+", "Lambda_c-", "charge"),
    ("pi+", "pi-", "charge"),
    ("K*0", "K0", "charge"),
    ("K*(892)0", "K*(892)+", "charge"),
    (r"B^0", r"\overline{B}^0", "charge"),
    ("eta", "eta'", "charge"),
    ("signal yield", "background yield", "antonyms"),
    ("upper limit", "lower limit", "antonyms"),
    ("magnet up", "magnet down", "antonyms"),
    ("S-wave contribution", "D-wave contribution", "numbers"),
    ("Delta m_s", "Delta m_d", "antonyms"),
    ("f_s/f_d", "f_d/f_s", "particles"),
    ("B0s -> J/psi K+ K-", "B0s -> J/psi pi+ pi-", "particles"),
    ("B0 -> D*- tau+ nu", "B0 -> D*- mu+ nu", "particles"),
]
SAME = [
    (r"$B_s^0 \to J/\psi\,\phi$", "Bs0 -> J/psi phi"),
    (r"$\Lambda_b^0$", "Lb0"),
    ("$K_S^0$", "KS0"),
    (r"\psi(2S)", "psi(3686)"),
    ("$D^{*+}$", "D*(2010)+"),
    (r"\rho^0", "rho(770)0"),
    (r"$\Xi_{cc}^{++}\to\Lambda_c^+K^-\pi^+\pi^+$", "Xicc++ -> Lc+ K- pi+ pi+"),
    ("D0 -> K- pi+", "D0 -> pi+ K-"),
    ("tracking efficiency", "track reconstruction efficiency"),
    ("trigger efficiency", "efficiency of the trigger selection"),
    ("Run 1 luminosity", "luminosity in Run 1"),
    ("integrated luminosity", "luminosity determination"),
    ("Bootstrapping", "Bootstrap method"),
    ("K-factor", "K factor"),
]


@pytest.mark.parametrize(("left", "right", "rule"), CONFUSED)
def test_confusable_names_are_told_apart(left: str, right: str, rule: str) -> None:
    assert vetoed(left, right, RULES) == rule
    assert vetoed(right, left, RULES) == rule


@pytest.mark.parametrize(("left", "right"), SAME)
def test_spellings_of_one_name_are_not_vetoed(left: str, right: str) -> None:
    assert vetoed(left, right, RULES) is None


def test_only_the_rules_asked_for_are_tried() -> None:
    assert vetoed("Run 1", "Run 2", ["charge", "antonyms"]) is None
    assert vetoed("Run 1", "Run 2", []) is None


def test_an_unknown_rule_is_refused() -> None:
    with pytest.raises(SchemaError, match="'spin' does not exist"):
        vetoed("a", "b", ["spin"])


@given(st.text(max_size=40), st.text(max_size=40))
def test_vetoes_are_symmetric_and_never_split_equal_names(left: str, right: str) -> None:
    assert vetoed(left, right, RULES) == vetoed(right, left, RULES)
    assert vetoed(left, left, RULES) is None


def test_acronyms_are_found_with_their_long_form() -> None:
    text = (
        "The particle identification (PID) of muons; a kernel-density estimate (KDE) and some (Figure) too."
    )
    assert find_acronyms(text) == {"PID": "particle identification", "KDE": "kernel-density estimate"}


def test_brackets_that_do_not_spell_an_acronym_are_left_alone() -> None:
    assert find_acronyms("the branching fraction (QT) and the trigger efficiency (XYZ)") == {}


def test_acronyms_are_expanded_as_whole_words() -> None:
    table = {"PID": "particle identification"}
    assert expand("PID calibration", table) == "particle identification calibration"
    assert expand("RAPID", table) == "RAPID"
    assert expand("Particle identification (PID)", table) == "Particle identification"
