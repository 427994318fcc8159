"""What a paper measures itself: own values, tables of results, symbols of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from extraction.extract import extract_document
from extraction.readers.latex import read_latex
from extraction.rules import RuleExtractor
from extraction.rules_unlisted import symbol_start
from schemas.graphs import DocumentGraph, Statement
from schemas.schema_files import load_schema

PHYSICS = load_schema("particle_physics")


def graph_of(folder: Path, body: str, *, title: str = "", abstract: str = "") -> DocumentGraph:
    path = folder / "paper.tex"
    path.write_text(
        r"\documentclass{article}\title{" + title + r"}\begin{document}\maketitle"
        r"\begin{abstract}" + abstract + r"\end{abstract}" + "\n" + body + "\n" + r"\end{document}",
        encoding="utf-8",
    )
    return extract_document(read_latex(path, root=folder), PHYSICS, [RuleExtractor()])


def values(graph: DocumentGraph) -> list[tuple[str, str]]:
    """Observable and value as printed."""
    names = {r.id: r.name for r in graph.records}
    return [
        (names[s.object], str(s.attributes.get("value_text", ""))) for s in graph.statements if determines(s)
    ]


def determines(statement: Statement) -> bool:
    return statement.type == "determines"


@pytest.mark.parametrize(
    "sentence",
    [
        r"The lifetime of the $B^0_s$ meson, $1.52 \pm 0.01$ ps, is taken from Ref. [1].",
        r"The $B^0_s$ lifetime is $1.52 \pm 0.01$ ps from the PDG.",
        r"The Belle collaboration has measured the $B^0_s$ lifetime to be $1.52 \pm 0.01$ ps.",
        r"We use the external input $\tau_{B^0_s} = 1.52 \pm 0.01$ ps.",
        r"The templates are generated with a $B^0_s$ lifetime of $1.52 \pm 0.01$ ps.",
        r"The $B^0_s$ lifetime, $\tau_{B^0_s} = 1.52 \pm 0.01$ ps, enters the acceptance.",
    ],
)
def test_values_from_elsewhere_are_no_results(tmp_path: Path, sentence: str) -> None:
    assert values(graph_of(tmp_path, r"\section{Fit model}" + sentence)) == []


@pytest.mark.parametrize(
    "body",
    [
        r"\section{Fit model} The $B^0_s$ lifetime is measured to be $1.52 \pm 0.01$ ps.",
        r"\section{Results} The $B^0_s$ lifetime is $1.52 \pm 0.01$ ps.",
        r"\section{Results} After multiplication by the known lifetime of the $B^0$ meson, the $B^0_s$ "
        r"lifetime is found to be $1.52 \pm 0.01$ ps.",
    ],
)
def test_own_results_are_kept(tmp_path: Path, body: str) -> None:
    assert values(graph_of(tmp_path, body)) == [("B_s0 mean life", "1.52 ± 0.01 ps")]


@pytest.mark.parametrize(
    "formula",
    [
        r"$f_s/f_d \times \mathcal{B}(B^0_s \to J/\psi \phi) = 0.25 \pm 0.02$",
        r"$\mathcal{B}(B^0_s \to J/\psi \phi) \times f_s/f_d = 0.25 \pm 0.02$",
        r"$m_{B^0_s}^2 = 28.8 \pm 0.1$",
        r"a function of the $B^0_s$ lifetime with $\beta_0 = 0.25 \pm 0.02$",
    ],
)
def test_an_operand_has_not_the_value_of_the_expression(tmp_path: Path, formula: str) -> None:
    names = {name for name, _ in values(graph_of(tmp_path, r"\section{Results} We find " + formula + "."))}
    assert not any("B_s0 " in name and "/" not in name for name in names)


TABLE = r"""
\section{Results}
\begin{table}\caption{%s}
\begin{tabular}{lcc}\hline %s \\ \hline %s \end{tabular}\end{table}
"""


def test_rows_of_decays_below_a_kind(tmp_path: Path) -> None:
    rows = (
        r"$B^0_s \to J/\psi \phi$ & $10.2 \pm 0.3 \pm 0.4$ \\ $B^+ \to J/\psi K^+$ & $9.9 \pm 0.2 \pm 0.3$ \\"
    )
    head = r"Decay & Branching fraction ($10^{-4}$)"
    graph = graph_of(tmp_path, TABLE % ("Measured values.", head, rows))
    assert values(graph) == [
        ("BR(B_s0 -> J/psi(1S) phi(1020))", "10.2 ± 0.3 ± 0.4"),
        ("BR(B+ -> J/psi(1S) K+)", "9.9 ± 0.2 ± 0.3"),
    ]
    assert {s.attributes["unit"] for s in graph.statements if determines(s)} == {"10^-4"}


def test_columns_of_kinds_beside_particles(tmp_path: Path) -> None:
    rows = r"$\Lambda_b^0$ & $5619.5 \pm 0.3$ & $2.1 \pm 0.2$ \\"
    head = r"State & Mass [MeV] & Width [MeV]"
    found = values(graph_of(tmp_path, TABLE % ("Results of the fit.", head, rows)))
    assert found == [("Lambda_b0 mass", "5619.5 ± 0.3"), ("Lambda_b0 width", "2.1 ± 0.2")]


def test_errors_in_columns_of_their_own(tmp_path: Path) -> None:
    head = r"Observable & Value & Stat. & Syst."
    rows = r"$\phi_s$ & $-0.04$ & $0.02$ & $0.01$ \\"
    graph = graph_of(tmp_path, TABLE % ("Results for the observables.", head, rows))
    [statement] = [s for s in graph.statements if determines(s)]
    assert values(graph) == [("phi_s", "-0.04")]
    assert (statement.attributes["stat_plus"], statement.attributes["syst_minus"]) == (0.02, 0.01)


def test_bins_of_one_observable(tmp_path: Path) -> None:
    head = r" & low $q^2$ & high $q^2$"
    rows = r"$R_{K}$ & $0.9 \pm 0.1$ & $0.8 \pm 0.1$ \\"
    graph = graph_of(tmp_path, TABLE % ("Measured ratio.", head, rows))
    assert values(graph) == [("R_K", "0.9 ± 0.1"), ("R_K", "0.8 ± 0.1")]
    assert [s.attributes["comment"] for s in graph.statements if determines(s)] == ["low q^2", "high q^2"]


@pytest.mark.parametrize(
    "caption", ["Signal yields.", "Measured selection efficiencies.", "Values of the inputs used in the fit."]
)
def test_tables_of_inputs_are_no_results(tmp_path: Path, caption: str) -> None:
    head = r"Decay & Branching fraction"
    rows = r"$B^+ \to J/\psi K^+$ & $9.9 \pm 0.2$ \\"
    assert values(graph_of(tmp_path, TABLE % (caption, head, rows))) == []


def test_symbols_of_the_paper_itself(tmp_path: Path) -> None:
    graph = graph_of(
        tmp_path,
        r"\section{Fit} We use $w_{b} = 0.20 \pm 0.01 \pm 0.02$.",
        abstract=r"We find $Q_{X}(4) = 0.31 \pm 0.04 \pm 0.02$ and $\kappa_{f} = 1.1 \pm 0.2 \pm 0.1$.",
    )
    assert sorted(values(graph)) == [("Q_X(4)", "0.31 ± 0.04 ± 0.02"), ("κ_f", "1.1 ± 0.2 ± 0.1")]


def test_a_letter_with_conclusion_but_no_headings(tmp_path: Path) -> None:
    body = r"The cut is $Q_{c} = 3.0 \pm 0.1 \pm 0.1$." + "\n\n"
    body += r"In summary, we obtain $Q_{X} = 0.31 \pm 0.04 \pm 0.02$."
    assert values(graph_of(tmp_path, body)) == [("Q_X", "0.31 ± 0.04 ± 0.02")]


def test_a_noun_phrase_that_is_measured(tmp_path: Path) -> None:
    said = r"The coherence factor of the four-body final state is measured to be $0.43 \pm 0.05 \pm 0.02$."
    assert values(graph_of(tmp_path, "", abstract=said)) == [
        ("coherence factor of the four-body final state", "0.43 ± 0.05 ± 0.02")
    ]


def test_the_title_names_what_is_measured(tmp_path: Path) -> None:
    graph = graph_of(
        tmp_path, "Text.", title="Measurement of the dimuon production rate in sulphur collisions"
    )
    assert values(graph) == [("dimuon production rate", "")]


def test_a_symbol_ends_at_words_and_stops() -> None:
    text = "we obtain, for the ratio, R(Ω_b^- → X)/R_Y"
    assert text[symbol_start(text, len(text)) :].strip() == "R(Ω_b^- → X)/R_Y"


TRANSPOSED = r"""
\section{Systematic uncertainties}
\begin{table}\caption{Systematic uncertainties in per cent.}
\begin{tabular}{lcccc}\hline %s \\ \hline %s \end{tabular}\end{table}
"""


def affected(graph: DocumentGraph) -> list[tuple[str, str, object]]:
    names = {r.id: r.name for r in graph.records}
    return sorted(
        (names[s.subject], names[s.object], s.attributes.get("magnitude", ""))
        for s in graph.statements
        if s.type == "affects"
    )


def test_sources_in_columns(tmp_path: Path) -> None:
    head = r"Observable & Tracking efficiency & Trigger & Luminosity & Total"
    rows = r"$R_{K}$ & 1.0 & 2.0 & -- & 2.2 \\ $\phi_s$ & 0.5 & 0.4 & 3.0 & 3.1 \\"
    graph = graph_of(tmp_path, TRANSPOSED % (head, rows))
    assert affected(graph) == [
        ("luminosity", "phi_s", 3.0),
        ("tracking efficiency", "R_K", 1.0),
        ("tracking efficiency", "phi_s", 0.5),
        ("trigger efficiency", "R_K", 2.0),
        ("trigger efficiency", "phi_s", 0.4),
    ]
    ranked = {s.attributes["magnitude"]: s.attributes["ranking"] for s in graph.statements if s.attributes}
    assert (ranked[2.0], ranked[1.0], ranked[3.0]) == (1, 2, 1)
    for statement in graph.statements:
        assert {"%"} == {str(statement.attributes["unit"])}


def test_heads_that_are_no_sources_are_not_turned(tmp_path: Path) -> None:
    head = r"Source & $R_{K}$ & $\phi_s$"
    rows = r"Tracking efficiency & 1.0 & 2.0 \\ Luminosity & 0.5 & 0.4 \\"
    assert ("luminosity", "R_K", 0.5) in affected(
        graph_of(tmp_path, TRANSPOSED.replace("{lcccc}", "{lcc}") % (head, rows))
    )
