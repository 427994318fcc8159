"""Observables that papers name in ways that were missed: brackets, antecedents, a range beside the value."""

from __future__ import annotations

from pathlib import Path

import pytest

from extraction.extract import extract_document
from extraction.readers.latex import read_latex
from extraction.rules import RuleExtractor
from schemas.graphs import DocumentGraph
from schemas.schema_files import load_schema

PAPER = r"\documentclass{article}\title{%s}\begin{document}\begin{abstract}%s\end{abstract}%s\end{document}"


def _graph(folder: Path, abstract: str, body: str = "Text.", *, title: str = "A study") -> DocumentGraph:
    path = folder / "p.tex"
    path.write_text(PAPER % (title, abstract, body), encoding="utf-8")
    document = read_latex(path, root=folder)
    return extract_document(document, load_schema("particle_physics"), [RuleExtractor()])


def _observables(graph: DocumentGraph) -> set[str]:
    return {r.name for r in graph.records if r.type == "observable"}


def _values(graph: DocumentGraph) -> dict[str, object]:
    names = {r.id: r.name for r in graph.records}
    return {names[s.object]: s.attributes.get("value") for s in graph.statements if s.type == "determines"}


def test_masses_and_widths_in_square_brackets(tmp_path: Path) -> None:
    body = r"""\section{Results} We measure
        \begin{align*} m[\Xi_c(2790)^+] &= 2791.9 \pm 0.2 \pm 0.1~\mathrm{MeV},\\
        \Gamma[\Xi_c(2790)^+] &= 8.9 \pm 0.6 \pm 0.8~\mathrm{MeV}. \end{align*}"""
    found = _values(_graph(tmp_path, "The spectrum is studied.", body))
    assert found == {"Xi_c(2790)+ mass": 2791.9, "Xi_c(2790)+ width": 8.9}


def test_corresponding_branching_fractions_are_of_the_decay_before(tmp_path: Path) -> None:
    abstract = (
        r"The decay $B^+ \to K^+ \pi^+ \pi^- \gamma$ is observed for the first time. The corresponding "
        r"branching fraction is measured relative to the $B^0 \to K^{*0} \gamma$ decay."
    )
    assert _observables(_graph(tmp_path, abstract)) == {"BR(B+ -> K+ pi+ pi- gamma)"}


def test_a_range_beside_the_value_does_not_take_it(tmp_path: Path) -> None:
    abstract = (
        r"The ratio of branching fractions between $B^+ \to K^+ e^+e^-$ and $B^+ \to K^+ \mu^+\mu^-$ decays "
        r"is measured in the dilepton invariant-mass-squared range $1.1 < q^2 < 6.0$ and is found to be "
        r"$R = 0.95^{+0.05}_{-0.04}$."
    )
    found = _values(_graph(tmp_path, abstract))
    assert found == {"BR(B+ -> K+ e+ e-)/BR(B+ -> K+ mu+ mu-)": 0.95}


def test_a_mass_resolution_is_still_no_mass(tmp_path: Path) -> None:
    graph = _graph(tmp_path, r"The $B_s^0$ mass resolution is found to be $8.2 \pm 0.1$ MeV.")
    assert _values(graph) == {}
    assert [r.code for r in graph.rejections] == ["another_quantity"]


@pytest.mark.parametrize("glue", ["", " "])
def test_a_word_glued_to_a_formula_is_no_part_of_its_charge(tmp_path: Path, glue: str) -> None:
    path = tmp_path / "p.tex"
    body = rf"The mode $B^+ \to K^+ \mu^+\mu^-${glue}decays and $10^6${glue}events."
    path.write_text(PAPER % ("A study", "A study.", body), encoding="utf-8")
    assert "μ^- decays and 10^6 events" in read_latex(path, root=tmp_path).text


def test_a_table_whose_only_inner_rule_is_above_the_total_has_a_header(tmp_path: Path) -> None:
    rows = [("Mass model", 0.4), ("Momentum scale", 0.3), ("Energy loss", 0.2), ("Fit range", 0.1)]
    lines = r" \\ ".join(
        f"{name} & {size} & {size + 1}" for name, size in [*rows, ("Trigger efficiency", 0.05)]
    )
    body = (
        r"\begin{table}\caption{Systematic uncertainties on the two observables.}\begin{tabular}{lcc}\hline "
        rf"Source & $S_\phi$ [MeV] & $S_\rho$ [fs] \\ {lines} \\ \hline Total & 0.6 & 2.9 \\ \hline"
        r"\end{tabular}\end{table}"
    )
    graph = _graph(tmp_path, "A study.", body)
    names = {r.id: r.name for r in graph.records}
    found = {
        (names[s.subject], names[s.object], s.attributes["unit"])
        for s in graph.statements
        if s.type == "affects"
    }
    sources = {name for name, _, _ in found}
    assert len(sources) == 5
    assert {("momentum scale", "S_φ", "MeV"), ("momentum scale", "S_ρ", "fs")} <= found


def test_what_a_result_is_compared_with_is_another_s(tmp_path: Path) -> None:
    abstract = (
        r"The branching fraction of the decay $B^+ \to K^+ e^+e^-$ is measured. The results are compared to, "
        r"and found to be consistent with, the branching fraction of the $B^+ \to K^+ \mu^+\mu^-$ decay."
    )
    assert _observables(_graph(tmp_path, abstract)) == {"BR(B+ -> K+ e+ e-)"}


@pytest.mark.parametrize(
    "sentence",
    [
        "The uncertainty from the evaluation of the efficiencies consists of different contributions.",
        "The systematic uncertainty due to recomputing the efficiencies 100 times is small.",
    ],
)
def test_a_clause_is_no_source(tmp_path: Path, sentence: str) -> None:
    graph = _graph(
        tmp_path, r"We measure the $B_s^0$ mass.", rf"\section{{Systematic uncertainties}} {sentence}"
    )
    assert not [r.name for r in graph.records if r.type == "uncertainty_source" and len(r.name.split()) > 3]


@pytest.mark.parametrize("capital", ["Gamma", r"$\Gamma$"])
def test_a_width_is_no_angle(tmp_path: Path, capital: str) -> None:
    body = rf"\section{{Results}} The parameter {capital} = 8.9 $\pm$ 0.6 MeV is a free parameter."
    assert "gamma" not in _observables(_graph(tmp_path, "The spectrum is studied.", body))


def test_an_angle_is_one_by_its_name(tmp_path: Path) -> None:
    assert "gamma" in _observables(_graph(tmp_path, "The CKM angle gamma = (65 +- 4) degrees is measured."))
