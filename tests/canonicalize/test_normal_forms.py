"""Names of physics that are one concept, and names that only look so; own examples."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from canonicalize.normal_forms import NormalForms, normal_forms
from canonicalize.resolve import resolve
from schemas.canonicalization_rules import Canonicalization
from schemas.errors import SchemaError
from schemas.graph_schema import EntityType, GraphSchema
from schemas.graphs import RecordColumns
from schemas.ids import DocumentKey, RecordId
from schemas.language.terms import plain_symbols, terms
from schemas.schema_diff import diff_schemas
from schemas.schema_files import load_schema, parse_schema

DIFFERENT = {
    "particle": [
        ("Lc+", "Lb0"),
        ("Xi_c+", "Xi_cc++"),
        ("D_s+", "D+"),
        ("D_s*+", "D_s+"),
        ("K_1(1270)+", "K_1(1400)+"),
        ("Upsilon(2S)", "Upsilon(1S)"),
        ("chi_c0", "chi_c1"),
        ("nu_mu", "anti-nu_mu"),
        ("Omega_b-", "Omega_c0"),
        ("B_c+", "B_c-"),
        ("f_0(980)", "f_0(1500)"),
        ("rho0", "rho+"),
        ("eta_c", "eta_b"),
        ("phi", "psi(2S)"),
        ("Z0", "Zc(3900)+"),
        ("electron", "positron"),
        ("charged kaon", "charged pion"),
        ("D*0", "D*+"),
        ("tau-", "tau+"),
        ("pbar", "p"),
    ],
    "decay": [
        ("B0 -> K*0 mu+ mu-", "B0 -> K*0 e+ e-"),
        ("B_s0 -> D_s- pi+", "B_s0 -> D_s- K+"),
        ("D+ -> K- pi+ pi+", "D_s+ -> K- K+ pi+"),
        ("Lambda_b0 -> Lambda_c+ pi-", "Lambda_b0 -> Lambda_c+ K-"),
        ("B0 -> pi+ pi-", "B0 -> pi0 pi0"),
        ("B+ -> Dbar0 pi+", "B- -> D0 pi-"),
        ("B_s0 -> phi phi", "B_s0 -> phi gamma"),
        ("D0 -> K+ K-", "D0 -> pi+ pi-"),
        ("B0 -> J/psi K_S0", "B0 -> psi(2S) K_S0"),
        ("Xi_b- -> J/psi Xi-", "Omega_b- -> J/psi Omega-"),
        ("B0 -> D*- mu+ nu", "B0 -> D- mu+ nu"),
    ],
    "observable": [
        ("A_CP", "S_CP"),
        ("CP asymmetry in B0 -> K+ pi-", "CP asymmetry in B_s0 -> K- pi+"),
        ("cross-section at 7 TeV", "cross-section at 13 TeV"),
        ("branching fraction of B_s0 -> mu+ mu-", "branching fraction of B0 -> mu+ mu-"),
        ("Lambda_b0 lifetime", "B0 lifetime"),
        ("B0 lifetime", "B0 mass"),
        ("F_L", "A_FB"),
        ("S_5", "S_4"),
        ("P_5'", "P_5"),
        ("R_K", "R_K*0"),
        ("R(D)", "R(D*)"),
        ("Delta Gamma_d", "Delta Gamma_s"),
        ("phi_s", "phi_d"),
        ("sin 2beta", "cos 2beta"),
        ("|V_ub|", "|V_cb|"),
        ("x_CP", "y_CP"),
        ("D0 production cross-section", "D+ production cross-section"),
        ("luminosity in 2011", "luminosity in 2012"),
        ("strong phase r_B", "strong phase delta_B"),
        ("direct CP asymmetry", "CP asymmetry"),
        ("polarisation of J/psi", "polarisation of psi(2S)"),
        ("r_B", "delta_B"),
        ("f_s/f_d", "f_Lambda_b/f_d"),
        ("forward-backward asymmetry", "CP asymmetry"),
        ("upper limit on B0 -> tau+ tau-", "branching fraction of B0 -> tau+ tau-"),
        ("width of the Xi_b*0", "mass of the Xi_b*0"),
        ("C_f", "S_f"),
        ("x'", "y'"),
        ("kappa_D", "r_D"),
        ("m_W", "m_Z"),
        ("Gamma_s", "Gamma_d"),
    ],
    "uncertainty_source": [
        ("signal model", "background model"),
        ("signal shape", "partially reconstructed background shape"),
        ("fit range", "fit model"),
        ("decay-time bias", "decay-time resolution"),
        ("tracking efficiency", "tracking asymmetry"),
        ("momentum scale", "length scale"),
        ("momentum resolution", "momentum scale"),
        ("B_s0 production asymmetry", "B0 production asymmetry"),
        ("trigger efficiency", "hardware trigger efficiency"),
        ("muon trigger efficiency", "electron trigger efficiency"),
        ("kaon identification", "pion identification"),
        ("2011 data", "2012 data"),
        ("S-wave", "P-wave"),
        ("angular acceptance", "decay-time acceptance"),
        ("angular resolution", "angular acceptance"),
        ("proton-kaon misidentification", "pion-kaon misidentification"),
        ("simulation sample size", "data sample size"),
        ("statistical", "systematic"),
        ("B -> D** l nu background", "B -> D* l nu background"),
        ("form factors B -> D*", "form factors B -> D"),
        ("magnet polarity up", "magnet polarity down"),
        ("detection asymmetry of kaons", "detection asymmetry of pions"),
        ("vertex resolution", "vertex reconstruction efficiency"),
        ("same-side tagging calibration", "opposite-side tagging calibration"),
        ("luminosity at 7 TeV", "luminosity at 8 TeV"),
        ("peaking background from Lambda_b0", "peaking background from B_s0"),
        ("absolute branching fraction scale", "relative branching fraction scale"),
        ("efficiency ratio", "efficiency"),
        ("fit bias", "selection bias"),
        ("lower mass sideband", "upper mass sideband"),
        ("beauty background", "charm background"),
    ],
    "method": [
        ("GGSZ method", "GLW method"),
        ("tag-and-probe with J/psi", "tag-and-probe with Z"),
        ("bootstrapping", "pseudoexperiments"),
        ("profile likelihood", "CLs method"),
        ("sWeights", "sideband subtraction"),
        ("binned fit", "unbinned fit"),
        ("Gaussian constraint", "Gaussian smearing"),
        ("kernel density estimation", "polynomial parametrisation"),
        ("control sample D*+ -> D0 pi+", "control sample Lambda_c+ -> p K- pi+"),
        ("boosted decision tree", "neural network"),
        ("varying the fit range", "varying the fit model"),
        ("van der Meer scan", "beam-gas imaging"),
        ("isobar model", "K-matrix model"),
        ("Breit-Wigner", "Flatte"),
    ],
}
SAME = {
    "particle": [
        ("\\Bs", "B_s^0"),
        ("anti-B0", "\\overline{B}{}^0"),
        ("D^{*}(2007)^0", "D*0"),
        ("Lambda_c baryon", "Lambda_c"),
        ("K^{0}_{L}", "K_L0"),
        ("Λ_b^0", "\\Lb"),
        ("muon neutrino", "nu_mu"),
        ("X(3872)", "chi_c1(3872)"),
        ("antiproton", "\\overline{p}"),
        ("D_s1(2536)+", "D_{s1}(2536)^+"),
        ("Higgs boson", "H"),
        ("ϕ(1020)", "phi"),
        ("K*0bar", "\\Kstarzb"),
        ("tau lepton", "\\tau"),
    ],
    "decay": [
        ("\\Bs\\to\\mumu", "B_s0 -> mu+ mu-"),
        ("B0 → K*0 μ+ μ−", "B^0 -> K^{*}(892)^0 mu mu"),
        ("B+ meson decaying to J/psi K+", "B^+\\to J/\\psi K^+"),
        ("D^0\\to K^-\\pi^+", "D0 -> pi+ K-"),
        ("\\decay{\\Lb}{\\Lc\\pim}", "Lb0 -> Lc+ pi-"),
        ("Bs -> Ds- pi+", "B_s^0 \\to D_s^-\\pi^+"),
    ],
    "observable": [
        ("A_{CP}", "CP asymmetry"),
        ("forward-backward asymmetry", "$A_{\\rm FB}$"),
        ("B(B_s0 -> mu+ mu-)", "branching fraction of B_s^0 -> mu+ mu-"),
        ("CKM angle $\\beta$", "beta"),
        ("$|V_{cb}|$", "CKM matrix element V_cb"),
        ("sin(2β)", "$\\sin 2\\beta$"),
        ("lifetime of the B_s0", "$B_s^0$ lifetime"),
        ("mass of the Lambda_b0", "$\\Lambda_b^0$ mass"),
        ("longitudinal polarization fraction", "F_L"),
        ("ratio of fragmentation fractions", "f_s/f_d"),
        ("production cross section", "cross-section"),
        ("R(D)", "ratio of B -> D tau nu to B -> D mu nu branching fractions"),
        ("weak phase $\\phi_s$", "phi_s"),
        ("Delta m_d", "B0 oscillation frequency"),
    ],
    "uncertainty_source": [
        ("PID efficiency", "particle identification efficiency"),
        ("MC statistics", "limited size of the simulated sample"),
        ("shape of the signal", "signal model"),
        ("modelling of the combinatorial background", "combinatorial background shape"),
        ("luminosity measurement", "integrated luminosity"),
        ("proper-time resolution", "resolution of the decay time"),
        ("VELO alignment", "alignment of the vertex locator"),
        ("B_s0 production asymmetry", "production asymmetry of the B_s0"),
        ("knowledge of the external branching fractions", "external branching fraction"),
        ("interaction with detector material", "material budget"),
        ("final-state radiation", "FSR"),
        ("multiple candidates", "treatment of multiple candidates"),
        ("kinematic weighting", "kinematic reweighting"),
        ("momentum scale calibration", "momentum scale"),
        ("mis-ID background", "background from misidentification"),
        ("finite MC sample size", "simulation sample size"),
        ("data-MC differences", "data-simulation disagreement"),
    ],
    "method": [
        ("toys", "pseudo-experiments"),
        ("BDT", "boosted decision tree"),
        ("Dalitz-plot analysis", "amplitude analysis"),
        ("sPlot method", "sWeights"),
        ("bootstrap technique", "bootstrapping"),
        ("changing the fit range", "variation of the fit range"),
        ("Feldman-Cousins approach", "unified frequentist method"),
        ("CL_s method", "CLs"),
        ("tag and probe", "tag-and-probe method"),
        ("likelihood profile", "profile likelihood method"),
        ("alternative fit model", "fit with an alternative model"),
    ],
}


def schema() -> GraphSchema:
    shipped = load_schema("particle_physics")
    rules = Canonicalization(threshold=0.8, vetoes=shipped.entity("method").canonicalization.vetoes)
    particle = EntityType(name="particle", label="Particle", notation="particle", canonicalization=rules)
    return shipped.model_copy(update={"entities": (*shipped.entities, particle)})


SCHEMA = schema()


def table(kind: str, names: list[str], descriptions: list[str] | None = None) -> RecordColumns:
    return RecordColumns(
        type=kind,
        ids=tuple(RecordId(f"r{n:03}") for n in range(len(names))),
        documents=tuple(DocumentKey(f"d{n:03}") for n in range(len(names))),
        names=tuple(names),
        descriptions=tuple(descriptions or [""] * len(names)),
        aliases=((),) * len(names),
        keys=((),) * len(names),
    )


def forms(kind: str) -> NormalForms:
    return normal_forms(SCHEMA, SCHEMA.entity(kind), table(kind, []))


FORMS = {kind: forms(kind) for kind in DIFFERENT}


def every(pairs: dict[str, list[tuple[str, str]]]) -> Iterator[tuple[str, str, str]]:
    for kind, found in pairs.items():
        for left, right in found:
            yield kind, left, right


@pytest.mark.parametrize(("kind", "left", "right"), list(every(SAME)))
def test_one_concept_has_one_form_and_no_veto(kind: str, left: str, right: str) -> None:
    assert FORMS[kind].form(left) == FORMS[kind].form(right)
    assert FORMS[kind].veto(left, right) is None


@pytest.mark.parametrize("kind", sorted(DIFFERENT))
def test_two_concepts_never_merge(kind: str) -> None:
    names = sorted({name for pair in DIFFERENT[kind] for name in pair})
    groups = resolve([table(kind, names)], SCHEMA).groups
    entity = {names[int(record[1:])]: group.id for group in groups for record in group.records}
    assert [pair for pair in DIFFERENT[kind] if entity[pair[0]] == entity[pair[1]]] == []


@given(st.sampled_from(sorted(DIFFERENT)), st.data())
def test_vetoes_are_symmetric_and_forms_idempotent(kind: str, data: st.DataObject) -> None:
    names = sorted({name for pairs in (SAME, DIFFERENT) for pair in pairs[kind] for name in pair})
    left, right = data.draw(st.sampled_from(names)), data.draw(st.sampled_from(names))
    found = FORMS[kind]
    assert found.veto(left, right) == found.veto(right, left)
    assert found.veto(left, left) is None
    assert found.form(found.form(left)) == found.form(left)


@example("AABS")
@example("()")
@example("~s!")
@example("_;{ $⟨⟩⟨x⟨}0\\.")
@example("-,^ ,⟨[(;s~")
@given(st.text(max_size=40) | st.text(alphabet="()[]{}.!'’s-_^*+~$\\ aBix0,;:⟨⟩→", max_size=12))
def test_forms_of_any_text_are_idempotent(text: str) -> None:
    found = FORMS["uncertainty_source"]
    assert found.form(found.form(text)) == found.form(text)


@pytest.mark.parametrize(
    ("left", "right", "rule"),
    [
        ("cross-section at 7 TeV", "cross-section at 8 TeV", "numbers"),
        ("resolution in MeV", "resolution in GeV", "antonyms"),
        ("trigger in 2015", "trigger in 2016", "numbers"),
        ("Run 1 tracking", "Run 2 tracking", "numbers"),
        ("A_CP of the B0", "S_CP of the B0", "antonyms"),
        ("D*+ reconstruction", "D** reconstruction", "charge"),
        ("opposite-side tagging", "same-side tagging", "antonyms"),
    ],
)
def test_what_vetoes(left: str, right: str, rule: str) -> None:
    assert FORMS["uncertainty_source"].veto(left, right) == rule


def test_a_documents_own_acronym_counts_for_its_records() -> None:
    names = [
        "MIC efficiency",
        "muon isolation cut efficiency",
        "minimum ionisation cluster efficiency",
        "MIC efficiency",
    ]
    texts = [
        "The muon isolation cut (MIC) is tight.",
        "",
        "",
        "A minimum ionisation cluster (MIC) is asked for.",
    ]
    resolution = resolve([table("uncertainty_source", names, texts)], SCHEMA)
    groups = {frozenset(group.records) for group in resolution.groups}
    assert {frozenset({"r000", "r001"}), frozenset({"r002", "r003"})} == groups


def test_an_acronym_of_one_meaning_counts_for_all_records() -> None:
    names = ["GEC efficiency", "global event cut efficiency", "occupancy"]
    texts = ["", "", "A global event cut (GEC) limits the occupancy."]
    resolution = resolve([table("uncertainty_source", names, texts)], SCHEMA)
    assert {len(group.records) for group in resolution.groups} == {1, 2}


def test_synonyms_are_read_checked_and_compared() -> None:
    source = """
name: toy
version: "1"
synonyms: [[simulation, MC]]
entities:
  - name: method
    label: Method
    canonicalization: {synonyms: [[toy study, pseudoexperiment]], fillers: [technique]}
relations: []
"""
    made = parse_schema(source)
    assert made.synonyms == (("simulation", "MC"),)
    found = normal_forms(made, made.entity("method"), table("method", []))
    assert found.form("MC technique") == found.form("simulation")
    assert found.form("pseudoexperiments") == found.form("toy study")
    changed = parse_schema(source.replace("[simulation, MC]", "[simulation, MC, Monte Carlo]"))
    assert [c.what for c in diff_schemas(made, changed).changes] == ["schema"]
    with pytest.raises(SchemaError, match="stands in synonyms 0 and 1"):
        parse_schema(source.replace("[[simulation, MC]]", "[[simulation, MC], [toy, MC]]"))


def test_names_of_a_type_without_declarations_are_only_tidied() -> None:
    plain = GraphSchema(
        name="toy", version="1", entities=(EntityType(name="thing", label="Thing"),), relations=()
    )
    found = normal_forms(plain, plain.entity("thing"), table("thing", []))
    assert found.form("The  MC Efficiency") == "the mc efficiency"
    assert found.spoken("The  MC") == "The  MC"


@given(st.lists(st.sampled_from(["alpha", "beta", "gap", "fit"]), min_size=1, max_size=5))
def test_a_form_does_not_depend_on_the_order_of_words(words: list[str]) -> None:
    found = terms([])
    assert found.form(" ".join(words)) == found.form(" ".join(reversed(words)))


def test_what_orders_its_words_keeps_their_order() -> None:
    found = terms([])
    assert found.form("ratio of muons to electrons") != found.form("ratio of electrons to muons")
    assert plain_symbols(r"$\mathrm{d}\Gamma/\mathrm{d}q^2$") == "d Gamma /dq^2"


def test_notation_that_is_not_understood_keeps_its_order() -> None:
    schema = load_schema("particle_physics")
    forms = normal_forms(schema, schema.entity("observable"))
    left, right = "BR(B+ -> [ K- pi+ pi+ pi- ](D) pi+)", "BR(B+ -> [ K- pi+ ](D) pi+ pi- pi+)"
    assert forms.form(left) != forms.form(right)


SOURCE = load_schema("particle_physics").entity("uncertainty_source")


@pytest.mark.parametrize(
    ("left", "right", "rule"),
    [
        ("lineshape model", "lineshape model truncation", "words"),
        ("vertex requirement", "displaced vertex requirement", "words"),
        ("external branching fractions", "normalisation branching fraction", "antonyms"),
        ("lineshape model", "choice of the lineshape model", None),
        ("lineshape model", "lineshape modelling", None),
        ("lineshape model", "lineshape fit model", None),
        ("PV position", "PV position (primary vertex)", None),
        ("vertex resolution", "spread of the beam energy", None),
    ],
)
def test_a_word_more_is_another_source(left: str, right: str, rule: str | None) -> None:
    names = normal_forms(load_schema("particle_physics"), SOURCE)
    assert names.veto(left, right) == names.veto(right, left) == rule


def test_a_type_may_have_the_veto_of_words_alone() -> None:
    kind = EntityType(
        name="cause", label="Cause", canonicalization=Canonicalization(vetoes=("words",), fillers=("effect",))
    )
    schema = GraphSchema(name="toy", version="1", entities=(kind,), relations=())
    names = normal_forms(schema, kind)
    assert names.veto("magnet age", "age of the old magnet") == "words"
    assert names.veto("magnet age", "effect of the magnet age") is None
    assert names.veto("charge +1", "charge -1") is None


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("analyses of the vertices", "analysis of vertex"),
        ("shape of the line shape", "line shape"),
        ("Flatté width", "Flatte widths"),
        ("Fisher's criterion", "Fisher criteria"),
        ("gas gain (nominal)", "nominal gas gain"),
        ("neighbor hits", "neighbour hit"),
    ],
)
def test_words_have_one_form(left: str, right: str) -> None:
    table = terms([])
    assert table.form(left) == table.form(right)


def test_synonyms_are_found_in_what_synonyms_gave() -> None:
    table = terms([["magnet current", "coil current"], ["coil", "winding"], ["background", "bkg"]])
    assert table.form("winding current") == table.form("magnet current")
    assert table.form("bkg. winding current") == "background current magnet"


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (r"$A_{\rm side}$", r"$A_{\rm front}$"),
        (r"$\varepsilon_{\mathrm{gas}}$", r"$\varepsilon_{\mathrm{foil}}$"),
        (r"$m_{\text{scaled}}$", "$m$"),
        ("phi phi system", "phi system"),
    ],
)
def test_labels_and_repeated_symbols_are_kept(left: str, right: str) -> None:
    table = terms([])
    assert table.form(left) != table.form(right)


def test_an_acronym_that_an_alias_defines_counts_for_its_document() -> None:
    names = ["MIC efficiency", "muon isolation cut efficiency", "MIC efficiency"]
    made = table("uncertainty_source", names, ["", "", ""])
    told = ("muon isolation cut (MIC) efficiency",)
    other = ("minimum ionisation cluster (MIC) efficiency",)
    resolution = resolve([replace(made, aliases=(told, (), other))], SCHEMA)
    assert {frozenset({"r000", "r001"}), frozenset({"r002"})} == {
        frozenset(group.records) for group in resolution.groups
    }


def _used_for(**rules: object) -> NormalForms:
    kind = EntityType(
        name="method", label="Method", canonicalization=Canonicalization.model_validate({**USES, **rules})
    )
    return normal_forms(GraphSchema(name="toy", version="1", entities=(kind,), relations=()), kind)


USES = {"purposes": ("for",), "fillers": ("method",), "generic": ("fit", "method for fits")}


@pytest.mark.parametrize(
    ("left", "right", "same"),
    [
        ("pulse fitter for timing", "Pulse fitters", True),
        ("pulse fitter FOR timing", "pulse fitter for energies", True),
        ("fit for timing", "fit for energies", False),
        ("method for timing", "method for energies", False),
        ("forward fitter", "fitter", False),
    ],
)
def test_what_a_method_is_for_tells_it_from_no_other(left: str, right: str, same: bool) -> None:
    names = _used_for()
    assert (names.form(left) == names.form(right)) is same
    without = _used_for(purposes=())
    assert without.form(left) != without.form(right)
