"""Particles in every notation: by grammar alone, and with the tables."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.language.notation import (
    canonical_decay,
    canonical_particle,
    conjugate_decay,
    parse_decay,
)
from schemas.language.notation_fold import expand_macros, lhcb_macros, plain_latex
from schemas.language.notation_numbers import decay_numbers, particle_numbers
from schemas.language.particle_ids import conjugate_particle, number_of, numbers_of
from schemas.language.particle_rules import ParticleParts, parse_particle
from schemas.language.particle_states import complete_states
from schemas.language.particle_words import decay_in_words, particle_in_words
from schemas.language.particles import particle_table

STATES = sorted(
    n for n in particle_table().states if not n.startswith(("T_", "P_", "graviton")) and "~" not in n
)
SPELLINGS = {
    "K*(892)0": ["K*0", "K^{*0}", "K^*(892)0", r"\Kstarz", "Kst_892_0", "K<sup>*0</sup>", "K^{*}(892)^{0}"],
    "Kbar*(892)0": ["anti-K*0", r"\overline{K}{}^{*0}", r"\Kstarzb", "K*(892)~0", "Kst_892_0_bar"],
    "B_s0": ["B_s()0", r"\Bs", r"B^0_{\mathrm{s}}", "B_s^0", "Bs0", r"\ensuremath{\PB_s^0}"],
    "Lambdabar_b0": [r"\Lbbar", r"\overline{\Lambda}_b^0", "anti-Lambda_b0", "Lambda(b)~0", "Lambda_b_0_bar"],
    "Xi_cc++": ["Xicc++", r"\Xiccpp", r"\Xi_{cc}^{++}", "Ξ_cc^{++}"],
    "Lambda_c+": ["Lc+", r"\Lc", "Λ_c^+", "Lambda_c_plus"],
    "nubar_mu": [r"\bar\nu_\mu", "anti-nu_mu", "nu(mu)~", "nu_mu_bar", r"\neumb"],
    "D_1(2430)0": ["D'_10", "D(1)(2430)0"],
    "pbar": ["p~", "anti-p-", r"\antiproton", "p_bar"],
    "J/psi(1S)": [r"\jpsi", r"J\!/\!\psi", "J/ψ", r"\PJ\mskip -3mu/\mskip -2mu\Ppsi"],
    "K0S": [r"\KS", r"K^0_{\mathrm{S}}", r"K_\text{S}^0", "KS0"],
    "psi(2S)": ["psi(3686)", r"\psitwos", "psi'"],
    "Lambda": ["Lambda(1116)", r"\Lz", "Λ"],
}


@pytest.mark.parametrize(("name", "text"), [(n, t) for n, ts in SPELLINGS.items() for t in ts])
def test_every_notation_of_a_particle_has_one_name(name: str, text: str) -> None:
    assert canonical_particle(text) == name


@pytest.mark.parametrize(
    "texts",
    [
        ("D(s2)*(2573)-", "D_s2st_2573_minus", "D_{s2}^{*}(2573)^{-}", "D_s2^*(2573)-"),
        ("anti-Xi_c(2815)0", r"\overline{\Xi}_{c}(2815)^{0}", "Xi_c_2815_0_bar", "Xibar_c(2815)0"),
        ("~chi(2)0", r"\tilde{\chi}_{2}^{0}"),
        ("Delta_1905_pp", r"\Delta(1905)^{++}"),
        ("He3", r"^{3}\mathrm{He}"),
        ("(cs)(1)", "cs_1", "(cs)_{1}"),
    ],
)
def test_grammar_alone_gives_one_form(texts: tuple[str, ...]) -> None:
    forms = {canonical_particle(text, lookup=False) for text in texts}
    assert len(forms) == 1
    assert None not in forms


@pytest.mark.parametrize(
    "text", ["trigger", "LHCb", "MC", "K-matrix", "B0 B0", "", "signal", "run", "$", "\\"]
)
def test_words_are_no_particles_to_the_grammar(text: str) -> None:
    assert parse_particle(text) is None


def test_a_bare_name_is_the_lightest_of_its_family_and_a_primed_one_the_next() -> None:
    names = ["K_1+", "K'_1+", "K_1(1270)+", "K_1(1400)+", "Sigma*0", "Sigma(1385)0", "K+", "K(1460)+"]
    parsed = {name: parse_particle(name) for name in names}
    full = complete_states(p for p in parsed.values() if p is not None)
    states = {name: full[p].name for name, p in parsed.items() if p is not None}
    assert states["K_1+"] == "K_1(1270)+"
    assert states["K'_1+"] == "K_1(1400)+"
    assert states["Sigma*0"] == states["Sigma(1385)0"]
    assert states["K+"] == "K+"


@given(st.sampled_from(STATES))
def test_a_canonical_name_is_its_own(name: str) -> None:
    assert canonical_particle(name) == name


@given(st.text(alphabet="BDKpi_*0123()+-^{}\\~ abcsu'/", max_size=14))
def test_the_normaliser_is_idempotent(text: str) -> None:
    for lookup in (True, False):
        name = canonical_particle(text, lookup=lookup)
        if name is not None:
            assert canonical_particle(name, lookup=lookup) == name


@given(st.sampled_from(STATES))
def test_the_conjugate_of_the_conjugate_is_the_particle(name: str) -> None:
    assert conjugate_particle(conjugate_particle(name)) == name


@pytest.mark.parametrize(
    "text", ["D0 -> K- pi+", "B0 -> J/psi K0S", "Lambda_b0 -> p K- J/psi", "B+ -> K+ mu+ mu-"]
)
def test_the_conjugate_of_the_conjugate_is_the_decay(text: str) -> None:
    decay = parse_decay(text)
    assert decay is not None
    turned = conjugate_decay(decay)
    assert turned.name != decay.name
    assert conjugate_decay(turned) == decay
    assert turned.charge_conserved


def test_numbers_of_a_state_and_of_its_conjugate_differ_in_sign() -> None:
    for name in ("B_s0", "Lambda_c+", "K-", "Xi_b-", "nu_tau"):
        number = number_of(name)
        assert number is not None
        assert number_of(conjugate_particle(name)) == -number
    assert numbers_of("nonsense") == frozenset()
    assert particle_numbers("trigger") == frozenset()
    assert decay_numbers("a sentence") is None


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (r"\decay{\Lb}{\Lc\pim}", "Lambda_b0 -> Lambda_c+ pi-"),
        (r"\Bs\to\jpsi\phiz", "B_s0 -> J/psi(1S) phi(1020)"),
        (r"\Bd \to \jpsi(\to\mumu)\,\KS", "B0 -> J/psi(1S) K0S"),
        (r"\ensuremath{\Bp\to\Kp\mup\mun}\xspace", "B+ -> K+ mu+ mu-"),
        ("Xicc++ -> Lc+ K- pi+ pi+", "Xi_cc++ -> Lambda_c+ K- pi+ pi+"),
        (r"\tau^-\to3\pi\nu_\tau", "tau- -> pi pi pi nu_tau"),
        (r"D^{*+}\to D^0\pi^+_{\mathrm{soft}}", "D*(2010)+ -> D0 pi+"),
    ],
)
def test_decays_in_the_macros_of_papers(text: str, name: str) -> None:
    assert canonical_decay(text) == name


def test_every_macro_of_the_table_names_particles() -> None:
    for macro, plain in lhcb_macros().items():
        assert expand_macros(rf"\{macro}").strip() == plain
        assert "\\kern" not in plain_latex(rf"\{macro}")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("charged kaon", "K+-"),
        ("Higgs boson", "H"),
        ("B+ mesons", "B+"),
        ("antineutron", "nbar"),
        ("fit", None),
    ],
)
def test_particles_in_words(text: str, name: str | None) -> None:
    assert particle_in_words(text) == name


def test_decays_in_words_take_the_charges_that_conservation_leaves() -> None:
    one = decay_in_words("B0 decays to K*0 mu mu")
    assert one is not None
    assert one.name == "B0 -> K*(892)0 mu+ mu-"
    assert decay_in_words("the trigger decays to nothing") is None


def test_parts_are_spelled_back() -> None:
    parts = ParticleParts("K", bar=True, subs="2", star="*", state="1430", charge="0")
    assert parse_particle(parts.name) == parts


@pytest.mark.parametrize(
    ("macro", "name"),
    [
        (r"\BuToKll", "B+ -> K+ lepton+ lepton-"),
        (r"\BsToJPsiPhi", "B_s0 -> J/psi(1S) phi(1020)"),
        (r"\LbTopKmumu", "Lambda_b0 -> p K- mu+ mu-"),
        (r"\bsgamma", "b -> s gamma"),
        (r"\BdToKpi", "B0 -> K+ pi-"),
        (r"\BsToPiK", "B_s0 -> K- pi+"),
        (r"\BsToDspi", "B_s0 -> D_s- pi+"),
        (r"\BdToDstmunu", "B0 -> D*(2010)- mu+ nu_mu"),
        (r"\LbToLcpipipi", "Lambda_b0 -> Lambda_c+ pi+ pi- pi-"),
        (r"\BuToDK", "B+ -> D K+"),
        (r"\DspToKKpi", "D_s+ -> K+ K- pi+"),
        (r"\DstToDzPi", "D*(2010)+ -> D0 pi+"),
        (r"\jpsiToMuMu", "J/psi(1S) -> mu+ mu-"),
        (r"\tauToMuMuMu", "tau- -> mu+ mu- mu-"),
        (r"\DzToemu", None),
        (r"\rhopi", None),
        (r"\Bigg", None),
    ],
)
def test_a_lone_macro_without_definition_is_read_by_its_name(macro: str, name: str | None) -> None:
    assert canonical_decay(macro) == name


@pytest.mark.parametrize(
    ("macro", "name"),
    [
        (r"\Kstz", "K*(892)0"),
        (r"\Bsz", "B_s0"),
        (r"\Xicbarm", "Xibar_c-"),
        (r"\muplus", "mu+"),
        (r"\neumbar", "nubar_mu"),
        (r"\km", None),
        (r"\nu", "nu"),
    ],
)
def test_macros_in_the_style_of_the_template_name_particles(macro: str, name: str | None) -> None:
    assert canonical_particle(macro) == name


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (r"\Lambda_b^0\to pK^-", "Lambda_b0 -> p K-"),
        (r"B^-\to DK^-", "B- -> D K-"),
        (r"b\to cW^-", "b -> W- c"),
        (r"\decay{\Bs}{(\jpsi\to\mumu)(\phi\to\Kp\Km)}", "B_s0 -> J/psi(1S) phi(1020)"),
        (r"\decay{\Bm}{[\Km\pip]_{\D}\Km}", "B- -> [K- pi+]_D K-"),
        (r"\Bp\to\Kp(\Kp\Km)", None),
        (r"\Bs \ra \mumu", "B_s0 -> mu+ mu-"),
        (r"\taup\to\pip\pim\pip(\piz)\neutb", None),
    ],
)
def test_decays_with_brackets_and_without_blanks(text: str, name: str | None) -> None:
    assert canonical_decay(text) == name


def test_a_family_keeps_its_name() -> None:
    assert [canonical_particle(n) for n in ("f_0", "pi_1(1600)", "Kbar^*_0")] == [
        "f_0",
        "pi_1(1600)",
        "Kbar_0*",
    ]
