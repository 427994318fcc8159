import re
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from particle import Particle

from schemas.language.notation import (
    canonical_decay,
    canonical_particle,
    decay_aliases,
    find_decays,
    make_decay,
    observable_name,
    parse_chain,
    parse_decay,
    short_particle,
)
from schemas.language.particles import particle_table, split_charge

SPELLINGS = {
    "B_s0 -> J/psi(1S) phi(1020)": [
        "B_s()0 --> J/psi phi",
        "B_s0 --> J/psi(1S) phi",
        r"B^0_s \to J/\psi\phi",
        r"$B_s^0\to J/\psi\,\phi$",
        r"\mathrm{B}_{s}^{0} \rightarrow \phi J/\psi",
        "B^0_s → J/ψ ϕ",
        "B0s -> J/psi phi",
        "Bs0→J/ψφ",
        "B_s -> phi(1020) J/psi",
    ],
    "B0 -> K*(892)0 mu+ mu-": [
        "B0 -> K*0 mu+ mu-",
        "B^0 → K^{*0} μ^+ μ^-",
        "B0 --> K^*(892)0 mu- mu+",
        r"B^{0}\to K^{*0}\mu^{+}\mu^{-}",
        "B⁰ → K*⁰ μ⁺ μ⁻",
        "B_d^0 → K^{*}(892)^{0} μ+ μ−",
    ],
    "Lambda_b0 -> Lambda_c+ pi-": [
        "Λ_b^0 → Λ_c^+ π^-",
        r"\Lambda_b^0 \to \Lambda_c^+\pi^-",
        "Lambda_b()0 --> Lambda_c()+ pi-",
    ],
    "Bbar_s0 -> D_s+ pi-": [
        r"\overline{B}{}^0_s \to D^+_s \pi^-",
        "anti-B_s0 -> D_s+ pi-",
        "B̄^0_s → D_s^+ π^-",
    ],
    "D0 -> K- pi+": ["D0 -> pi+ K-", "D^0→K^-π^+", "D0->K-pi+"],
    "eta -> pi0 pi0 pi0": ["eta --> 3pi0", "η → π^0 π^0 π^0"],
    "D*(2010)+ -> D0 pi+": ["D*+ -> D0 pi+", r"D^{*+} \to D^0\pi^+", "D^*(2010)+ --> D0 pi+"],
    "chi_c1(3872) -> J/psi(1S) pi+ pi-": ["X(3872) → J/ψ π^+ π^-", "chi_c1(3872) --> pi+ pi- J/psi(1S)"],
}


@pytest.mark.parametrize(("name", "text"), [(n, t) for n, ts in SPELLINGS.items() for t in ts])
def test_all_notations_of_a_decay_give_one_name(name: str, text: str) -> None:
    decay = parse_decay(text)
    assert decay is not None
    assert decay.name == name
    assert decay.charge_conserved


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("D_s^*()-", "D_s*-"),
        (r"\bar{D}^0", "Dbar0"),
        ("K_S^0", "K0S"),
        (r"K^0_{\rm S}", "K0S"),
        ("KS0", "K0S"),
        ("Λ̄", "Lambdabar"),
        ("Λ^0", "Lambda"),
        ("Λ_c^-", "Lambdabar_c-"),
        (r"\overline{p}", "pbar"),
        (r"\bar{\nu}_\mu", "nubar_mu"),
        ("ψ(2S)", "psi(2S)"),
        ("χ_{c1}", "chi_c1(1P)"),
        ("η′", "eta'(958)"),
        ("f_0", "f_0"),
        ("f_0(980)0", "f_0(980)"),
        ("D_s", "D_s"),
        ("K", "K"),
        ("Kbar", "Kbar"),
        ("B_s", "B_s0"),
        ("Lambda_b", "Lambda_b0"),
        ("Z_c(3900)+", "T_c_cbar_1(3900)+"),
        ("B^0_{(s)}", "B_(s)0"),
        ("rho+", "rho(770)+"),
        ("Xi_c'+", "Xi_c'+"),
        ("K^{*-}", "K*(892)-"),
        ("Delta++", "Delta(1232)++"),
        ("W+", "W+"),
        ("D_0*(2300)", "D_0*(2300)"),
    ],
)
def test_particles(text: str, name: str) -> None:
    assert canonical_particle(text) == name


@pytest.mark.parametrize(
    "text", ["", "tracking", "K-matrix", "LHCb", "a", "B0 B0", "trigger", "pull", "+", "→"]
)
def test_other_words_are_no_particles(text: str) -> None:
    assert canonical_particle(text) is None


def test_every_state_of_the_table_is_its_own_canonical_name() -> None:
    bad = [n for n in particle_table().states if re.match(r"[A-Za-z]", n) and canonical_particle(n) != n]
    # but for gravitons, tetraquarks named by their quarks, and states of unknown mass
    assert {n for n in bad if not n.startswith(("T_", "P_", "graviton")) and "~" not in n} == set()


def test_charges_agree_with_the_particle_package() -> None:
    states = [s for s in particle_table().states.values() if s.mcid is not None]
    known = {p.pdgid: p.three_charge for p in Particle.all()}
    compared = [(s.name, s.thirds, known[s.mcid]) for s in states if s.mcid in known]
    assert len(compared) > 400
    assert [c for c in compared if c[1] != c[2]] == []


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("D0 -> K- pi+", "D0 -> K+ pi-"),
        ("B+ -> K+ mu mu", "B- -> K- mu mu"),
        ("B0 -> K*0 gamma", "B0 -> K0 gamma"),
        ("B0 -> J/psi phi", "B_s0 -> J/psi phi"),
        ("D0 -> K- pi+", "Dbar0 -> K- pi+"),
        ("B0 -> pi+ pi-", "B0 -> pi0 pi0"),
    ],
)
def test_decays_that_must_stay_apart(left: str, right: str) -> None:
    one, two = parse_decay(left), parse_decay(right)
    assert one is not None
    assert two is not None
    assert one.name != two.name
    assert {one.name, *decay_aliases(one)}.isdisjoint({two.name, *decay_aliases(two)})


def test_particles_that_must_stay_apart() -> None:
    names = [
        "B0",
        "B0s",
        "Bbar0",
        "B+",
        "Lambda_b0",
        "Lambda_c+",
        "Lambda_c-",
        "pi+",
        "pi-",
        "K*0",
        "K0",
        "K*bar0",
        "mu+",
        "e+",
    ]
    for one, two in combinations(names, 2):
        assert canonical_particle(one) != canonical_particle(two)


@pytest.mark.parametrize(
    "text",
    [
        "B0 -> K+ pi- (nonresonant)",
        "B0 --> K*0 , K*0 --> K+ pi-",
        "D0 -> K- pi+ + c.c.",
        "W+ --> hadrons",
        "B0 -> K+ pi- and more",
        "B0",
        "",
        "A -> B -> C",
        "the B0 -> K+ pi-",
        "B0 mass",
    ],
)
def test_what_is_not_one_decay(text: str) -> None:
    assert parse_decay(text) is None


def test_charge_conservation() -> None:
    for text, conserved in [("B0 -> K+ pi-", True), ("B0 -> K+ pi+", False), ("B -> K pi", None)]:
        decay = parse_decay(text)
        assert decay is not None
        assert decay.charge_conserved is conserved


def test_opposite_signs_are_one_decay() -> None:
    one, two = parse_decay("B_s0 --> D_s-+ K+-"), parse_decay("B^0_s → D_s^± K^∓")
    assert one == two
    assert one != parse_decay("B_s0 --> D_s+- K+-")


@pytest.mark.parametrize(
    ("text", "spans"),
    [
        ("decays such as B0 -> K*0 mu+ mu- and B+ → K+ μ+ μ−.", ["B0 -> K*0 mu+ mu-", "B+ → K+ μ+ μ−"]),
        (r"the $B^0\to K^{*0}\mu^+\mu^-$ decay", [r"B^0\to K^{*0}\mu^+\mu^-"]),
        ("B0 → K*0(→ K+π−)μ+μ− is seen", ["B0 → K*0(→ K+π−)μ+μ−"]),
        ("B(B0→K+π−)/B(B0→π+π−)", ["B0→K+π−", "B0→π+π−"]),
        ("Λ_b^0 → Λ_c^+ μ^- ν̄_μ is", ["Λ_b^0 → Λ_c^+ μ^- ν̄_μ"]),
        (
            "We see B^0_s → D_s^∓ K^± with D_s^- → K^- K^+ π^-, too",
            ["B^0_s → D_s^∓ K^±", "D_s^- → K^- K^+ π^-"],
        ),
        ("p p -> H X and e+ e- → μ+ μ-", []),
        ("x -> y, A → B C, step 1 -> step 2, B → D transitions, pp → B X", []),
        ("B0 -> D-wave states", []),
        ("no arrows at all", []),
    ],
)
def test_decays_in_sentences(text: str, spans: list[str]) -> None:
    found = find_decays(text)
    assert [text[a:b] for a, b, _ in found] == spans


PARTICLES = [
    "K+",
    "K-",
    "pi+",
    "pi-",
    "pi0",
    "mu+",
    "mu-",
    "J/psi(1S)",
    "phi(1020)",
    "K*(892)0",
    "p",
    "pbar",
    "D0",
]


@given(st.lists(st.sampled_from(PARTICLES), min_size=2, max_size=5), st.randoms(use_true_random=False))
def test_the_order_of_products_does_not_matter(children: list[str], random: object) -> None:
    shuffled = list(children)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    one = make_decay("B0", tuple(children))
    assert make_decay("B0", tuple(shuffled)) == one
    assert parse_decay(one.name) == one
    for alias in decay_aliases(one):
        again = parse_decay(alias)
        assert again is not None
        assert again.name == one.name


@given(st.text(alphabet="BKπμ+-*0→> (){}^_\\s$Λ̄ab,.", max_size=40))
def test_spans_are_in_the_text_and_do_not_overlap(text: str) -> None:
    last = 0
    for start, end, decay in find_decays(text):
        assert last <= start < end <= len(text)
        assert re.search(r"→|>", text[start:end])
        assert parse_decay(decay.name) == decay
        last = end


def test_aliases_and_short_names() -> None:
    decay = parse_decay("B_s0 -> J/psi phi")
    assert decay is not None
    assert {"B_s0 -> J/psi phi", "Bs0 -> J/psi phi", "B0s -> J/psi phi"} <= set(decay_aliases(decay))
    assert short_particle("K*(892)0") == "K*0"
    assert short_particle("f_2(1270)") == "f_2(1270)"
    assert split_charge("K*(892)0") == ("K*(892)", "0")
    assert observable_name(" A(CP)  of B⁰ ") == "A(CP) of B0"


def test_every_decay_of_a_long_text_is_found() -> None:
    text = "decays such as B0 -> K*0 mu+ mu- and B+ → K+ μ+ μ−. The trigger is described elsewhere. " * 1_150
    assert len(find_decays(text)) == 2_300


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        ("B0 -> D*- pi+ , D*- -> Dbar0 pi-", ["B0 -> D*(2010)- pi+", "D*(2010)- -> Dbar0 pi-"]),
        ("D0 -> rho(1700)0 pi0, rho0 -> pi+ pi-", ["D0 -> rho(1700)0 pi0", "rho(1700)0 -> pi+ pi-"]),
        (
            "J/psi -> gamma X(1835) -> gamma p pbar",
            ["J/psi(1S) -> X(1835) gamma", "J/psi(1S) -> p pbar gamma"],
        ),
        ("N(1440) -> N pi", ["N(1440) -> pi N"]),
        ("Z -> q qbar gamma", ["Z0 -> gamma q qbar"]),
        ("B0 -> K+ pi-", ["B0 -> K+ pi-"]),
    ],
)
def test_chains_are_read_step_by_step(text: str, steps: list[str]) -> None:
    chain = parse_chain(text)
    assert chain is not None
    assert [d.name for d in chain] == steps


@pytest.mark.parametrize("text", ["", "B0", "B0 -> K+ pi- , background", "B0 -> hadrons", "B0 -> K pi's"])
def test_what_is_no_chain_of_particles_is_none(text: str) -> None:
    assert parse_chain(text) is None


def test_names_that_mean_other_things_in_prose_count_in_a_whole_decay_only() -> None:
    assert parse_decay("D0 -> sigma pi+ pi-") is not None
    assert find_decays("for N -> U pi the significance is 3 sigma") == ()


def test_two_stars_are_not_one() -> None:
    assert canonical_particle("D**0") != canonical_particle("D*0")


def test_a_letter_after_a_greek_command_and_a_blank_is_a_particle() -> None:
    assert parse_decay(r"D^{+} \to \eta e^{+} \nu_{e}") == parse_decay("D+ -> eta e+ nu_e")


@pytest.mark.parametrize(
    ("written", "plain"),
    [
        (r"B^0 \to \phi[\to K^+K^-] K_S^0", "B0 -> phi K_S0"),
        (r"D^{*-} \to \overline{D}{}^0 \pi^-_s", "D*- -> Dbar0 pi-"),
        (r"\mathrm{B}^{+} \to \mathrm{J}/\psi\mathrm{K}^{+}", "B+ -> J/psi K+"),
        (r"\Upsilon(2\mathrm{S}) \to \tau^+\tau^-", "Upsilon(2S) -> tau+ tau-"),
        (r"H \to ZZ", "H -> Z Z"),
        (r"g \to gg", "g -> g g"),
        (r"D_s^+ \xrightarrow{\text{weak}} K^0_S K^+", "D_s+ -> K_S0 K+"),
        (r"\PBp \to \PJgy \PKp", "B+ -> J/psi K+"),
        (r"\XibToXiJpsi", "Xi_b- -> Xi- J/psi"),
        (r"\LbToLstgamma", "Lambda_b0 -> Lambda(1520) gamma"),
        (r"\BuToKpJpsiee", "B+ -> K+ J/psi"),
        (r"\psitwosee", "psi(2S) -> e+ e-"),
        (r"\tauTommm", "tau- -> mu- mu- mu+"),
        (r"\btoccs", "b -> c cbar s"),
    ],
)
def test_decays_in_further_notations(written: str, plain: str) -> None:
    assert canonical_decay(written) == canonical_decay(plain) is not None


@pytest.mark.parametrize(
    "written",
    [r"\tau^- \to \pi^-\pi^0(\pi^0)\nu_\tau", r"B^- \to [K^-\pi^+] \pi^-", r"\Kstmm", r"\phimumu"],
)
def test_what_could_be_two_things_is_no_decay(written: str) -> None:
    assert canonical_decay(written) is None
