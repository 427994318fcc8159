"""LaTeX spellings of particles and decays: groups, fonts, bars, scripts, arrows, and decays in brackets."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.language.decay_products import bracket_at, can_decay, is_cut_short
from schemas.language.latex_groups import flatten_groups
from schemas.language.notation import (
    canonical_decay,
    canonical_particle,
    conjugate_decay,
    decay_aliases,
    find_decays,
    make_decay,
    parse_decay,
)
from schemas.language.notation_fold import plain_latex

SPELLINGS = {
    "B_s0": [
        r"{{B} ^0_{s}}",
        r"\PB{}^0_{\mathrm{s}}",
        r"{\ensuremath{{\PB}{}_{\squark}^{0}}}\xspace",
        r"\Bs{}",
    ],
    "Bbar0": [
        r"{\kern 0.18em \overline{\kern -0.18em {B} } ^0}",
        r"\offsetoverline{B}{}^0",
        r"\offsetoverline[0.1em]{B}{}^0",
        r"\bar B^0",
        r"\overline{B^0}",
    ],
    "Lambda_b0": [r"{{\Lambda} ^0_{b} }", r"\varLambda_b^0", r"\Uplambda^0_b", r"\Lambda{}_{b}^{0}"],
    "K*(892)0": [r"{{K} ^{*0}}", r"K^{\star0}", r"K^{* \, 0}", r"K(892)^{*0}"],
    "J/psi(1S)": [r"{ {J} / {\psi} }", r"{J\mskip -3mu/\mskip -2mu\psi}", r"J{/}\psi", r"J/\uppsi"],
    "psi(2S)": [r"{ {\psi} {(2S)}}", r"\psi({2S})", r"\psi(\mathrm{2S})", r"\psi (2S)"],
    "K0S": [r"K^{0}_{\scriptscriptstyle S}", r"{ {K} ^0_{ \scriptscriptstyle S}}", r"K^0_{\mathrm{\tiny S}}"],
    "nubar_mu": [r"{ {\overline{\nu}} _\mu}", r"\bar{\nu}_{\upmu}", r"\overline{\nu_\mu}"],
    "D_s-": ["{ {D} ^-_s}", r"D^{-}{}_{s}"],
    "pbar": [r"{\overline {p} }", r"\bar p"],
    "chi_c1(1P)": [r"\chi_{\mathrm{c}1}", r"{\chi} _{c1}", r"\chi_{\cquark 1}"],
    "f_0(980)": [r"f_0 (980)", r"{f_0}(980)"],
    "phi(1020)": [r"\upphi", r"\varphi"],
}
ARROWS = [
    r"{\to}",
    r"\!\to\!",
    r"&\to&",
    r"\quad\to\quad",
    r"~\longrightarrow~",
    r"{\ensuremath{\rightarrow}}\xspace",
    r" \\ \to ",
    r"\kern 0.1em\to\kern 0.1em ",
    r"\xrightarrow{}",
]
FRAMES = [r"\decay{{\Bp}}{{\Kp {0}}}", r"B^+ \to {0} K^+", r"{{\ensuremath{{\Bp\to{{{0}}}\Kp}}}}\xspace"]


@pytest.mark.parametrize(("name", "written"), [(n, w) for n, all_ in SPELLINGS.items() for w in all_])
def test_groups_fonts_and_spaces_change_no_particle(name: str, written: str) -> None:
    assert canonical_particle(written) == name
    for frame in FRAMES:
        assert canonical_decay(frame.format(written)) == make_decay("B+", ("K+", name)).name


@pytest.mark.parametrize("arrow", ARROWS)
def test_every_arrow_divides_the_parent_from_its_products(arrow: str) -> None:
    assert canonical_decay(rf"B_s^0{arrow} J/\psi\phi") == "B_s0 -> J/psi(1S) phi(1020)"


@pytest.mark.parametrize(
    ("written", "name"),
    [
        (r"B^+\to K^+\psi(2S)(\to\pi^+\pi^-J/\psi(\to\mu^+\mu^-))", "B+ -> psi(2S) K+"),
        (
            r"\decay{\Bd}{\Dstarm[\decay{}{\Dzb(\decay{}{\Kp\pim})\pim}]\mup\neum}",
            "B0 -> D*(2010)- mu+ nu_mu",
        ),
        (r"B^0\to D^{*-}\bigl(\to\overline{D}^0\pi^-\bigr)\tau^+\nu_\tau", "B0 -> D*(2010)- tau+ nu_tau"),
        (r"B^+\to K_1(1270)^+(\to K^*(892)^0\pi^+)\gamma", "B+ -> K_1(1270)+ gamma"),
        (r"B^0\to J/\psi(\mu^+\mu^-)K^{*0}(K^+\pi^-)", "B0 -> J/psi(1S) K*(892)0"),
        (r"\Lambda_b^0\to\Lambda(p\pi^-)\gamma", "Lambda_b0 -> Lambda gamma"),
        (r"B^+\to K^+(K^+K^-)", None),
        (r"D^0\to K^-\pi^+[e^+e^-]_{\rho^0/\omega}", None),
        (r"\Lambda_b^0\to pJ/\psi K^-", "Lambda_b0 -> J/psi(1S) p K-"),
        (r"\Lambda_b^0\to pD_s^-", "Lambda_b0 -> D_s- p"),
        (r"B\to X_s\gamma", "B -> gamma X_s"),
        (r"D^{*+}\to D^0\pi^+_{\text{tag}}", "D*(2010)+ -> D0 pi+"),
        ("D^{*+} → D^0 π_{soft}^+", "D*(2010)+ -> D0 pi+"),
        (r"B^0 \to K^+\pi^-\,,", "B0 -> K+ pi-"),
    ],
)
def test_decays_in_brackets_belong_to_a_product(written: str, name: str | None) -> None:
    assert canonical_decay(written) == name


def test_a_list_that_goes_on_in_brackets_is_not_cut_short() -> None:
    assert find_decays("the decay τ^- → π^- π^0(π^0) ν_τ is used") == ()
    assert find_decays("the decay D^0 → K^- π^+[e^+ e^-]_{ρ^0/ω} is used") == ()
    assert [d.name for _, _, d in find_decays("B^0 → K^+ π^- (see below)")] == ["B0 -> K+ pi-"]
    assert is_cut_short("π^0(π^0) ν", 3)


def test_a_bracket_without_a_decay_does_not_swallow_the_next_arrow() -> None:
    text = "the ratio of D0 -> K- pi+ pi0 (DCS) to D0 -> phi pi0 (nonresonant) and of D+ -> K+ K0S"
    assert len(find_decays(text)) == 3


def test_products_tell_what_they_can_decay_to() -> None:
    assert can_decay("K*(892)0", ("K+", "pi-"))
    assert not can_decay("pi+", ("pi+", "pi0"))
    assert not can_decay("K*(892)0", ("K", "pi"))
    assert bracket_at("(K^+ π^-)", 0, None) is None


@pytest.mark.parametrize(
    ("written", "name", "children"),
    [
        (r"\decay{\Bm}{[\Km\pip]_{\D}\Km}", "B- -> [K- pi+]_D K-", ("D", "K-")),
        ("B+ --> [ pi+ K- ] _D K+", "B+ -> [K- pi+]_D K+", ("D", "K+")),
        (
            r"B^0\to[K_S^0\pi^+\pi^-]_D[K^+\pi^-]_{K^{*0}}",
            "B0 -> [K0S pi+ pi-]_D [K+ pi-]_{K*(892)0}",
            ("D", "K*(892)0"),
        ),
    ],
)
def test_a_product_known_by_its_own_products_keeps_them_in_the_name(
    written: str, name: str, children: tuple[str, ...]
) -> None:
    decay = parse_decay(written)
    assert decay is not None
    assert (decay.name, decay.children) == (name, children)
    assert parse_decay(name) == decay
    assert conjugate_decay(conjugate_decay(decay)) == decay
    plain = make_decay(decay.parent, decay.children)
    assert {name, *decay_aliases(decay)}.isdisjoint({plain.name, *decay_aliases(plain)})
    assert [d for _, _, d in find_decays(f"in {name} decays")] == [decay]


@pytest.mark.parametrize(
    ("written", "name"),
    [
        (r"\HepAntiParticle{B}{s}{0}\to\HepParticle{K}{}{+}\HepParticle{K}{}{-}", "Bbar_s0 -> K+ K-"),
        (r"\texorpdfstring{\decay{\Bd}{\Kp\pim}}{B0 to K pi}", "B0 -> K+ pi-"),
        ("\\decay{\\Bd}% the signal\n  {\\Kp\\pim}", "B0 -> K+ pi-"),
        (r"B\textsuperscript{0} $\to$ K\textsuperscript{+}$\pi^-$", "B0 -> K+ pi-"),
        (r"\decay{\Bd}{\Kstarz\ll}", "B0 -> K*(892)0 lepton+ lepton-"),
    ],
)
def test_packages_comments_and_text_scripts(written: str, name: str) -> None:
    assert canonical_decay(written) == name


def test_inclusive_states_of_one_flavour_are_not_another() -> None:
    assert len({canonical_decay(rf"B \to X_{q}\ell^+\nu_\ell") for q in "cu"} | {"B -> X"}) == 3


def test_a_role_is_no_particle() -> None:
    assert canonical_particle("B_{tag}") is None
    assert canonical_particle(r"\mu_{\text{tag}}") == canonical_particle(r"\mu")


def test_braces_that_do_not_match_are_left_alone() -> None:
    assert flatten_groups(r"{d}q^2") == "dq^2"
    assert flatten_groups("{B") == "{B"
    assert flatten_groups("B}") == "B}"
    assert flatten_groups(r"\frac{a}{b}{c}") == r"\frac{a}{b}{c}"
    assert flatten_groups("{" * 60 + "B" + "}" * 60).strip("{}") == "B"


@given(st.text(alphabet="{}\\_^ BKpi+-0*()/", max_size=40))
def test_folding_twice_is_folding_once(text: str) -> None:
    once = flatten_groups(text)
    assert flatten_groups(once) == once


@given(
    st.sampled_from(sorted(SPELLINGS)), st.sampled_from(sorted(SPELLINGS)), st.randoms(use_true_random=False)
)
def test_spelling_folding_and_conjugation_agree(one: str, two: str, random: object) -> None:
    written = rf"{random.choice(SPELLINGS[one])} \to {random.choice(SPELLINGS[two])} \gamma"  # type: ignore[attr-defined]
    decay = parse_decay(written)
    assert decay == make_decay(one, (two, "gamma"))
    assert parse_decay(plain_latex(written)) == decay
    assert parse_decay(decay.name) == decay
    assert conjugate_decay(conjugate_decay(decay)) == decay
