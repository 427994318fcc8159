"""Names of uncertainty sources that a table of systematics would hold, and the methods that estimate them."""

from __future__ import annotations

from pathlib import Path

import pytest

from extraction.extract import extract_document
from extraction.noun_phrases import clause_after, is_vague
from extraction.readers.latex import read_latex
from extraction.rules import RuleExtractor
from schemas.graphs import DocumentGraph
from schemas.schema_files import load_schema

PHYSICS = load_schema("particle_physics")
SECTION = r"\section{Systematic uncertainties}" + "\n"


def graph_of(folder: Path, body: str) -> DocumentGraph:
    path = folder / "paper.tex"
    path.write_text(r"\documentclass{article}\begin{document}" + body + r"\end{document}", encoding="utf-8")
    return extract_document(read_latex(path, root=folder), PHYSICS, [RuleExtractor()])


def names(graph: DocumentGraph, entity_type: str = "uncertainty_source") -> set[str]:
    return {r.name for r in graph.records if r.type == entity_type}


def estimates(graph: DocumentGraph) -> set[tuple[str, str]]:
    named = {r.id: r.name for r in graph.records}
    return {(named[s.subject], named[s.object]) for s in graph.statements if s.type == "estimates"}


@pytest.mark.parametrize(
    "sentence",
    [
        "The uncertainty due to the limited knowledge of the model is small.",
        "A systematic uncertainty is assigned for the choice of the functions.",
        "Systematic uncertainties associated with these efficiencies are small.",
        "The uncertainty due to neglecting those channels is small.",
        "Systematic effects due to the wire-chamber gas largely cancel in the ratio.",
        "The largest systematic uncertainty in the SM prediction is from the charm loops.",
        "Section 7 discusses the systematic uncertainty due to the wire-chamber gas.",
        "The uncertainty is determined from the sum of all parts in quadrature.",
    ],
)
def test_what_names_no_source(tmp_path: Path, sentence: str) -> None:
    assert names(graph_of(tmp_path, SECTION + sentence)) == set()


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        (
            "The uncertainty due to the limited precision of the muon chamber survey is small.",
            {"limited precision of the muon chamber survey"},
        ),
        (
            "A systematic uncertainty is assigned for the shapes of contributions from the decay of heavy "
            "neutral bosons.",
            {"shapes of contributions from the decay of heavy neutral bosons"},
        ),
        ("The effect is evaluated by varying the radius of the sphere.", {"radius of the sphere"}),
        ("The gas gain contributes an uncertainty of 2\\%.", {"gas gain"}),
        ("The dependence of the result on the beam radius is small.", {"beam radius"}),
    ],
)
def test_names_are_complete(tmp_path: Path, sentence: str, expected: set[str]) -> None:
    assert names(graph_of(tmp_path, SECTION + sentence)) == expected


def test_a_list_of_cross_checks_names_no_sources(tmp_path: Path) -> None:
    items = r"\begin{itemize}\item Wire gain: it is stable. \item Gas flow: it is stable.\end{itemize}"
    checks = "Several cross-checks of the systematic uncertainties are listed in the following." + items
    assert names(graph_of(tmp_path, SECTION + checks)) == set()
    sources = "Several sources of systematic uncertainty are listed in the following." + items
    assert names(graph_of(tmp_path, SECTION + sources)) == {"Wire gain", "Gas flow"}


@pytest.mark.parametrize(
    ("sentence", "method"),
    [
        (
            "The uncertainty due to the gas gain is estimated by repeating the fit with a second template.",
            "repeating the fit with a second template",
        ),
        (
            "The uncertainty due to the gas gain is assessed with control samples of cosmic muons.",
            "control channel",
        ),
        (
            "The uncertainty due to the gas gain is evaluated by comparing yields of both runs, which agree.",
            "comparing yields of both runs",
        ),
    ],
)
def test_methods_are_named_by_their_clause(tmp_path: Path, sentence: str, method: str) -> None:
    graph = graph_of(tmp_path, SECTION + sentence)
    assert method in names(graph, "method")
    assert (method, "gas gain") in estimates(graph)


@pytest.mark.parametrize("method", ["simulation", "Ref. [3]", "this method", "the data"])
def test_what_names_no_method(tmp_path: Path, method: str) -> None:
    said = f"The uncertainty due to the gas gain is determined from {method}."
    assert names(graph_of(tmp_path, SECTION + said), "method") == set()


def test_a_method_belongs_to_the_source_that_its_paragraph_is_about(tmp_path: Path) -> None:
    body = (
        "The uncertainty due to the gas gain is small. The gain is stable. "
        "This uncertainty is evaluated using pseudoexperiments."
    )
    assert estimates(graph_of(tmp_path, SECTION + body)) == {("pseudoexperiments", "gas gain")}
    other = "The uncertainty due to the gas gain is small. The ratio is evaluated using pseudoexperiments."
    assert estimates(graph_of(tmp_path, SECTION + other)) == set()


def test_a_method_belongs_to_the_head_of_its_list_item(tmp_path: Path) -> None:
    body = (
        r"The following sources of systematic uncertainty are considered. \begin{itemize}"
        r"\item Gas gain: the gain of the chambers drifts. The shift is small. The chambers are old. "
        r"Two runs exist. This effect is evaluated using pseudoexperiments."
        r"\item Wire sag: it is small.\end{itemize}"
    )
    assert ("pseudoexperiments", "Gas gain") in estimates(graph_of(tmp_path, SECTION + body))


def test_vague_names() -> None:
    assert is_vague("choice of the fit functions")
    assert not is_vague("choice of the Blatt-Weisskopf radius")


def test_a_clause_that_ends_in_an_equation_is_none() -> None:
    assert clause_after("by generating samples with d = 3 and more", 2, 12) is None
