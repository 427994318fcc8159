"""Observables of title and abstract: enumerations, ratios, symbols, and those without a printed value."""

from __future__ import annotations

import pytest

from extraction.extract import extract_document
from extraction.rules import RuleExtractor
from schemas.documents import Block, BlockKind, Document, DocumentKind, Section, SourceMap
from schemas.graphs import DocumentGraph, Record
from schemas.ids import DocumentKey
from schemas.schema_files import load_schema

PHYSICS = load_schema("particle_physics")


def graph_of(abstract: str) -> DocumentGraph:
    document = Document(
        key=DocumentKey("k"),
        kind=DocumentKind.TEXT,
        title="",
        text=abstract,
        sections=(Section(index=0, parent=None, level=0, title="", start=0, end=len(abstract)),),
        blocks=(Block(kind=BlockKind.ABSTRACT, start=0, end=len(abstract), text=abstract, section=0),),
        source_map=SourceMap(files=("a",), offsets=(0,), file_of=(0,), lines=(1,)),
    )
    return extract_document(document, PHYSICS, [RuleExtractor()])


def paper_of(abstract: str) -> Record:
    return next(r for r in graph_of(abstract).records if r.type == "paper")


def determined(abstract: str) -> dict[str, str | None]:
    """Observable to value as printed."""
    graph = graph_of(abstract)
    names = {r.id: r.name for r in graph.records}
    found: dict[str, str | None] = {}
    for statement in graph.statements:
        if statement.type == "determines":
            value = statement.attributes.get("value_text")
            found[names[statement.object]] = str(value) if value is not None else None
    return found


RATIO = "BR(B_s0 -> J/psi(1S) phi(1020))/BR(B0 -> J/psi(1S) K*(892)0)"


@pytest.mark.parametrize(
    "text",
    [
        "The branching fraction of the decay B^0_s → J/ψ ϕ relative to that of "
        "B^0 → J/ψ K^{*0} is measured to be 0.51 ± 0.10.",
        "We find (ℬ(B^0_s → J/ψ ϕ))/(ℬ(B^0 → J/ψ K^{*0})) = 0.51 ± 0.10.",
        "The ratio R_{ϕ K} ≡ ℬ(B^0_s → J/ψ ϕ)/ℬ(B^0 → J/ψ K^{*0}) is studied. "
        "We obtain R_{ϕ K} = 0.51 ± 0.10.",
    ],
)
def test_a_ratio_is_not_its_denominator(text: str) -> None:
    assert determined(text) == {RATIO: "0.51 ± 0.10"}


def test_values_are_given_respectively() -> None:
    text = (
        "The lifetimes of the Λ_c^+ and Ξ_c^0 baryons are determined to be 211.0 ± 2.0 ± 1.5 fs and "
        "147.0 ± 3.0 ± 2.5 fs, respectively."
    )
    assert determined(text) == {
        "Lambda_c+ mean life": "211.0 ± 2.0 ± 1.5 fs",
        "Xi_c0 mean life": "147.0 ± 3.0 ± 2.5 fs",
    }


def test_values_of_another_number_are_not_shared_out() -> None:
    text = "The lifetimes of the Λ_c^+ , Ξ_c^+ and Ξ_c^0 baryons are found: 211.0 ± 2.0 fs and 154 ± 2 fs."
    assert set(determined(text).values()) == {None}


def test_heads_share_the_particles_that_follow() -> None:
    found = determined("The masses and natural widths of the Ξ_c^+ and Ξ_c^0 baryons are measured.")
    assert found == dict.fromkeys(["Xi_c+ mass", "Xi_c0 mass", "Xi_c+ width", "Xi_c0 width"])


def test_an_observable_without_a_value_is_kept() -> None:
    assert determined("A measurement of the Λ_b^0 lifetime is presented.") == {"Lambda_b0 mean life": None}


def test_a_value_takes_the_place_of_the_announcement() -> None:
    text = "The Λ_b^0 lifetime is measured. The Λ_b^0 lifetime is found to be 1.47 ± 0.02 ps."
    assert determined(text) == {"Lambda_b0 mean life": "1.47 ± 0.02 ps"}


def test_what_was_named_before_completes_an_observable() -> None:
    text = "The decays B^0 → D^- K^+ and B^0_s → D^- K^+ are seen. Their branching fractions are measured."
    assert determined(text) == dict.fromkeys(["BR(B0 -> D- K+)", "BR(B_s0 -> D- K+)"])


@pytest.mark.parametrize(
    "text",
    [
        "The Λ_b^0 lifetime is predicted to be of interest, as measured elsewhere.",
        "Decays of Λ_b^0 baryons are studied. The invariant mass of the pair is large, as measured.",
        "The branching fraction is large.",
        "One has x · τ(B^0_s) = 1.512 ± 0.021 ps.",
    ],
)
def test_what_is_not_determined(text: str) -> None:
    assert determined(text) == {}


def test_a_symbol_that_is_known_stands_for_its_ratio() -> None:
    text = (
        "The ratio of the branching fractions of the B^0 → K^{*0} μ^+ μ^- and B^0 → K^{*0} e^+ e^- decays, "
        "R_{K^{*0}}, is presented."
    )
    assert determined(text) == {"R_K*0": None}


@pytest.mark.parametrize(
    ("text", "attribute", "value"),
    [
        ("Data from p p collisions of 2016 and 2017 are used.", "run_period", "run 2"),
        ("Data of 2011, 2012 and 2016 are used.", "run_period", "run 1 and 2"),
        ("Data of 2011 and 2012 are used.", "run_period", "run 1"),
        ("Fixed-target data with helium are used.", "run_period", "ift"),
        ("Data from p p collisions are used.", "collision_type", "p-p"),
        ("Data from p Pb collisions are used.", "collision_type", "p-Pb"),
    ],
)
def test_when_and_with_what_beams_data_were_taken(text: str, attribute: str, value: str) -> None:
    assert paper_of(text).attributes[attribute] == value


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "A narrow state, X(3960), is observed. Its mass and width are measured to be 3956 ± 5 MeV and "
            "43 ± 13 MeV, respectively.",
            {"X(3960) mass": "3956 ± 5 MeV", "X(3960) width": "43 ± 13 MeV"},
        ),
        (
            "The decay B^+ → K^+ π^0 is studied. Using the known branching fraction of B^+ → J/ψ K^+ decays, "
            "the branching fraction is determined to be (1.2 ± 0.1)×10^{-5}.",
            {"BR(B+ -> K+ pi0)": "(1.2 ± 0.1)×10^{-5}"},
        ),
        (
            "The search for B^0 → ϕ μ^+ μ^- decays yields no signal. An upper limit of 3.2×10^{-9} at 90% "
            "confidence level is set on the branching fraction.",
            {"BR(B0 -> phi(1020) mu+ mu-)": "3.2×10^{-9}"},
        ),
        (
            "The B^0 → K^+ π^- decay is studied. We measure A_{CP}(K^0) = 0.14 ± 0.15 ± 0.10.",
            {"A_{CP}(K^0)": "0.14 ± 0.15 ± 0.10"},
        ),
        ("The ratio f_s/f_d is measured to be 0.25 ± 0.01.", {"ratio f_s/f_d": "0.25 ± 0.01"}),
    ],
)
def test_what_a_value_belongs_to(text: str, expected: dict[str, str]) -> None:
    assert {k: v for k, v in determined(text).items() if v is not None} == expected
