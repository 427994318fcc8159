"""Decays that the names of undefined macros spell."""

import pytest

from schemas.language.macro_names import decay_of_macro
from schemas.language.notation import canonical_decay, canonical_particle, conjugate_decay, parse_decay


@pytest.mark.parametrize(
    ("macro", "plain"),
    [
        (r"\BdbToKstmm", "Bbar0 -> Kbar*0 mu+ mu-"),
        (r"\BdbDpi", "Bbar0 -> D+ pi-"),
        (r"\BmToDzK", "B- -> D0 K-"),
        (r"\DsmToKKpi", "D_s- -> K+ K- pi-"),
        (r"\KstarzbKpi", "Kbar*0 -> K- pi+"),
        (r"\BsPhiGam", "B_s0 -> phi gamma"),
        (r"\BcJpsirho", "B_c+ -> J/psi rho+"),
        (r"\BdToRhoMuMu", "B0 -> rho0 mu+ mu-"),
        (r"\BcToBspi", "B_c+ -> B_s0 pi+"),
        (r"\BsToJpsifz", "B_s0 -> J/psi f_0(980)"),
        (r"\BsToKstKstb", "B_s0 -> K*0 Kbar*0"),
        (r"\BuToDstK", "B+ -> Dbar*0 K+"),
        (r"\LbLcmunuX", "Lambda_b0 -> Lambda_c+ mu- nubar_mu X"),
        (r"\LbToLambdaStarMuMu", "Lambda_b0 -> Lambda(1520) mu+ mu-"),
        (r"\OcTopKKpi", "Omega_c0 -> p K- K- pi+"),
        (r"\XicTopKKpi", "Xi_c0 -> p K- K- pi+"),
        (r"\XicTopKpi", "Xi_c+ -> p K- pi+"),
        (r"\XibzToXicpi", "Xi_b0 -> Xi_c+ pi-"),
        (r"\ObToJpsiOmega", "Omega_b- -> J/psi Omega-"),
        (r"\DToKpipi", "D+ -> K- pi+ pi+"),
        (r"\OneSToMuMu", "Upsilon(1S) -> mu+ mu-"),
        (r"\LToppi", "Lambda -> p pi-"),
        (r"\SigmapToPMuMu", "Sigma+ -> p mu+ mu-"),
        (r"\Sigmapmumu", "Sigma+ -> p mu+ mu-"),
        (r"\Wmunu", "W -> mu nu"),
        (r"\WpToMuNu", "W+ -> mu+ nu_mu"),
        (r"\tauTopipipinu", "tau- -> pi- pi- pi+ nu_tau"),
        (r"\BdToKstGee", "B0 -> K*0 gamma"),
        (r"\BuToKPsimm", "B+ -> K+ psi(2S)"),
        (r"\LbToDpK", "Lambda_b0 -> D p K-"),
        (r"\dkpicf", "D0 -> K- pi+"),
        (r"\dpipi", "D0 -> pi+ pi-"),
        (r"\DKPiPi", "D+ -> K- pi+ pi+"),
        (r"\dztokk", "D0 -> K+ K-"),
        (r"\LcTopPimPip", "Lambda_c+ -> p pi- pi+"),
    ],
)
def test_the_name_of_a_macro_spells_a_decay(macro: str, plain: str) -> None:
    assert canonical_decay(macro) == canonical_decay(plain) is not None


@pytest.mark.parametrize(
    "macro",
    [
        r"\belle",
        r"\dphi",
        r"\dpt",
        r"\dkin",
        r"\babar",
        r"\bkg",
        r"\bias",
        r"\bdd",
        r"\XibToXicpi",
        r"\Jpsip",
        r"\KKpi",
        r"\Bdecay",
        r"\LcKpi",
        r"\Dmm",
        r"\Bmm",
        r"\LbToX",
        r"\LbToLcX",
    ],
)
def test_other_names_spell_none(macro: str) -> None:
    assert decay_of_macro(macro) is None


@pytest.mark.parametrize(
    ("one", "other"), [("BdTo", "BdbTo"), ("BsTo", "BsbTo"), ("LbTo", "LbbarTo"), ("BpTo", "BmTo")]
)
@pytest.mark.parametrize(
    "products", ["Kstmm", "JPsiKst", "DsK", "Jpsiphi", "pKmumu", "Lcmunu", "DzK", "JpsiK"]
)
def test_the_macro_of_the_antiparticle_is_the_conjugate(one: str, other: str, products: str) -> None:
    decay, turned = parse_decay(rf"\{one}{products}"), parse_decay(rf"\{other}{products}")
    assert (decay and conjugate_decay(decay)) == turned


def test_the_template_names_excitations_and_optional_bars() -> None:
    assert canonical_particle(r"\chibtwoThreeP") == "chi_b2(3P)"
    assert canonical_particle(r"\Xiresbarz") == "Xibar0"
    assert canonical_particle(r"\optbar{B}") == "B"
    assert canonical_particle("ū") == canonical_particle(r"\bar{u}") == "ubar"
