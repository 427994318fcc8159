"""Sentences from which a careless reader takes a wrong fact that looks right."""

from __future__ import annotations

from pathlib import Path

import pytest

from extraction.extract import extract_document
from extraction.readers.latex import read_latex
from extraction.rules import RuleExtractor
from schemas.graphs import DocumentGraph
from schemas.schema_files import load_schema

PHYSICS = load_schema("particle_physics")


def graph_of(folder: Path, body: str, *, abstract: str = "") -> DocumentGraph:
    path = folder / "paper.tex"
    path.write_text(
        r"\documentclass{article}\title{A study}\begin{document}\maketitle\begin{abstract}"
        + abstract
        + r"\end{abstract}\section{Results} "
        + body
        + r"\end{document}",
        encoding="utf-8",
    )
    return extract_document(read_latex(path, root=folder), PHYSICS, [RuleExtractor()])


def facts(graph: DocumentGraph, relation: str = "determines") -> list[tuple[str, dict[str, object]]]:
    names = {r.id: r.name for r in graph.records}
    found = [s for s in graph.statements if s.type == relation]
    return [(names[s.object], dict(s.attributes)) for s in found]


def values(graph: DocumentGraph) -> list[tuple[str, object]]:
    return [(name, said["value"]) for name, said in facts(graph) if "value" in said]


@pytest.mark.parametrize(
    ("clause", "stat", "syst"),
    [
        ("where the first uncertainty is systematic and the second statistical", 0.02, 0.01),
        ("where the first error is statistical and the second is systematic", 0.01, 0.02),
        ("where the uncertainties are systematic and statistical, respectively", 0.02, 0.01),
        ("as the fit shows", 0.01, 0.02),
    ],
)
def test_a_clause_says_which_error_is_which(tmp_path: Path, clause: str, stat: float, syst: float) -> None:
    said = r"We measure $\Delta m_s = 17.70 \pm 0.01 \pm 0.02$ ps$^{-1}$, " + clause + "."
    [(name, found)] = facts(graph_of(tmp_path, said))
    assert (name, found["stat_plus"], found["syst_minus"]) == ("Delta m_s", stat, syst)


def test_labels_say_which_error_is_which(tmp_path: Path) -> None:
    said = r"We measure $\Delta m_s = 17.70 \pm 0.01\,(\text{syst}) \pm 0.02_{\rm stat}$ ps$^{-1}$."
    [(_, found)] = facts(graph_of(tmp_path, said))
    assert (found["stat_plus"], found["syst_plus"], found["unit"]) == (0.02, 0.01, "ps^-1")


@pytest.mark.parametrize(
    "sentence",
    [
        r"For comparison, the BaBar collaboration measured the $B^+$ mass to be $5279.4 \pm 0.3$ MeV.",
        r"In contrast to Belle, who measured the $B^+$ mass to be $5279.4 \pm 0.3$ MeV, we use muons.",
        r"The $B^+$ mass is $5279.4 \pm 0.3$ MeV (PDG).",
        r"The $B^+$ mass of $5279.4 \pm 0.3$ MeV is used as input.",
        r"The $B^+$ mass is $5279.4 \pm 0.3$ MeV, used as an external input.",
        r"The world average of the $B^+$ mass is $5279.4 \pm 0.3$ MeV.",
        r"If the $B^+$ mass were $5279.4 \pm 0.3$ MeV, the decay would be forbidden.",
        r"The $B^+$ mass would be found to be $5279.4 \pm 0.3$ MeV.",
        r"In simulation the $B^+$ mass is $5279.4 \pm 0.3$ MeV.",
        r"In the simulation, the $B^+$ mass is found to be $5279.4 \pm 0.3$ MeV.",
        r"Our toy studies return a $B^+$ mass of $5279.4 \pm 0.3$ MeV.",
        r"The $B^+$ mass is not $5279.4 \pm 0.3$ MeV.",
        r"In this model the $B^+$ mass is $5279.4 \pm 0.3$ MeV.",
        r"In this model, the $B^+$ mass is $5279.4 \pm 0.3$ MeV.",
    ],
)
def test_values_of_others_and_of_no_one_are_refused(tmp_path: Path, sentence: str) -> None:
    for graph in (graph_of(tmp_path, sentence), graph_of(tmp_path, "Text.", abstract=sentence)):
        assert values(graph) == []
        assert "not_own_result" in {r.code for r in graph.rejections}


@pytest.mark.parametrize(
    "sentence",
    [
        r"The $B^+$ mass is measured to be $5279.4 \pm 0.3$ MeV, in agreement with the world average.",
        r"In contrast to Belle, who measured the rate, we find a $B^+$ mass of $5279.4 \pm 0.3$ MeV.",
        r"With efficiencies from simulation, we measure the $B^+$ mass to be $5279.4 \pm 0.3$ MeV.",
        r"If the tracks are refitted, we measure the $B^+$ mass to be $5279.4 \pm 0.3$ MeV.",
    ],
)
def test_own_values_beside_others_are_kept(tmp_path: Path, sentence: str) -> None:
    assert values(graph_of(tmp_path, sentence)) == [("B+ mass", 5279.4)]


@pytest.mark.parametrize(
    "sentence",
    [
        r"The $B_s^0$ mass resolution is measured to be $5.1 \pm 0.2$ MeV.",
        r"The difference between the $B_s^0$ and $B^0$ masses is $87.3 \pm 0.4$ MeV.",
        r"The ratio of the $B_s^0$ and $B^0$ lifetimes is $0.99 \pm 0.01$.",
        r"The $B_s^0$ mass window is $50 \pm 2$ MeV.",
        r"The $B_s^0$ mass cut is found to be $50 \pm 2$ MeV.",
        r"The $B_s^0$ mass scale is found to be $1.01 \pm 0.02$.",
        r"The $B_s^0$ lifetime bias is $0.01 \pm 0.02$ ps.",
        r"The bias on the $B_s^0$ lifetime is $0.01 \pm 0.02$ ps.",
        r"The $B_s^0$ mass shift is $0.3 \pm 0.2$ MeV.",
        r"The $B_s^0$ mass is shifted by $0.3 \pm 0.2$ MeV.",
        r"The $B_s^0$ lifetime is $0.66 \pm 0.02$ ps$^{-1}$.",
    ],
)
def test_another_quantity_is_not_the_mass_or_lifetime(tmp_path: Path, sentence: str) -> None:
    for graph in (graph_of(tmp_path, sentence), graph_of(tmp_path, "Text.", abstract=sentence)):
        assert [name for name, _ in values(graph) if name.startswith("B")] == []
        assert not {name for name, _ in facts(graph)} & {"B_s0 mass", "B_s0 mean life", "B0 mass"}


def test_a_correction_before_does_not_take_the_value_away(tmp_path: Path) -> None:
    said = r"After corrections for acceptance we find a $B_s^0$ lifetime of $1.51 \pm 0.02$ ps."
    assert values(graph_of(tmp_path, said)) == [("B_s0 mean life", 1.51)]


KNOWN = r"We measure the $B_s^0$ lifetime to be $1.51 \pm 0.02$ ps. \section{Systematic uncertainties} "


@pytest.mark.parametrize(
    "sentence",
    [
        "No uncertainty is assigned for the background model.",
        "No systematic uncertainty due to the background model is assigned.",
        r"The uncertainty due to the background model does not affect the $B_s^0$ lifetime.",
        r"The background model does not affect the $B_s^0$ lifetime.",
        r"The $B_s^0$ lifetime is not affected by the background model.",
    ],
)
def test_what_is_denied_affects_nothing(tmp_path: Path, sentence: str) -> None:
    assert facts(graph_of(tmp_path, KNOWN + sentence), "affects") == []
    held = "The uncertainty due to the background model affects the $B_s^0$ lifetime."
    assert [name for name, _ in facts(graph_of(tmp_path, KNOWN + held), "affects")] == ["B_s0 mean life"]


def test_a_row_of_zero_has_no_rank(tmp_path: Path) -> None:
    table = (
        r"\begin{table}\caption{Systematic uncertainties on the $B_s^0$ lifetime.}\begin{tabular}{lc}"
        r"Source & Size [fs] \\ \hline Background model & 0.0 \\ Trigger & 1.5 \\ \end{tabular}\end{table}"
    )
    found = facts(graph_of(tmp_path, KNOWN + table), "affects")
    assert [(said["magnitude"], said.get("ranking")) for _, said in found] == [(0.0, None), (1.5, 1)]


DECAY = r"The decay $B^+ \to J/\psi K^+$ is the reference. "


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        (
            r"The $\Xi_b^-$ mass is $5797.1 \pm 0.6$ MeV and its lifetime is $1.57 \pm 0.04$ ps.",
            [("Xi_b- mass", 5797.1), ("Xi_b- mean life", 1.57)],
        ),
        (
            r"The $\Xi_b^-$ mass is $5797.1 \pm 0.6$ MeV. Its lifetime is $1.57 \pm 0.04$ ps.",
            [("Xi_b- mass", 5797.1), ("Xi_b- mean life", 1.57)],
        ),
        (
            r"The $\Xi_b^-$ is seen in $\Xi_b^- \to J/\psi \Xi^-$ and its mass is $5797.1 \pm 0.6$ MeV.",
            [("Xi_b- mass", 5797.1)],
        ),
        (r"The $\Xi_b^-$ and the $\Xi_b^0$ are seen. Its lifetime is $1.57 \pm 0.04$ ps.", []),
    ],
)
def test_its_is_of_the_clause_before(
    tmp_path: Path, sentence: str, expected: list[tuple[str, float]]
) -> None:
    assert values(graph_of(tmp_path, DECAY + sentence)) == expected
    assert values(graph_of(tmp_path, "Text.", abstract=DECAY + sentence)) == expected


@pytest.mark.parametrize(
    ("value", "plus", "minus", "named"),
    [
        (r"5366.9 \pm 0.2", 0.2, 0.2, False),
        (r"5366.9 {}^{+0.3}_{-0.2}", 0.3, 0.2, False),
        (r"5366.9 \pm 0.3 \pm 0.4 \pm 1.2", 1.3, 1.3, True),
        (r"5366.9 \pm 0.3 \pm 0.4 \pm 1.2\,(\Lambda_c^+)", 1.3, 1.3, True),
        (r"5366.9 \pm 0.3\,(\text{stat}) \pm 0.4\,(\text{syst}) \pm 1.2\,(\Lambda_c)", 1.3, 1.3, True),
        (r"5366.9 \pm 0.3\,(\text{stat}) \pm 1.2\,(\Lambda_c) \pm 0.4\,(\text{syst})", 1.3, 1.3, True),
    ],
)
def test_no_error_is_lost(tmp_path: Path, value: str, plus: float, minus: float, *, named: bool) -> None:
    [(_, said)] = facts(graph_of(tmp_path, rf"We measure the $B_s^0$ mass to be ${value}$ MeV."))
    assert (said["value"], said["total_plus"], said["total_minus"]) == (5366.9, plus, minus)
    assert (said.get("stat_plus"), said.get("syst_plus")) == ((0.3, 0.4) if named else (None, None))
    assert said["unit"] == "MeV"
    assert not named or "1.2" in str(said["value_text"])


def test_two_errors_have_no_total_of_ours(tmp_path: Path) -> None:
    said = facts(graph_of(tmp_path, r"We measure the $B_s^0$ mass to be $5366.9 \pm 0.3 \pm 0.4$ MeV."))
    assert "total_plus" not in said[0][1]


RATES = (
    r"We measure ${\cal B}(B^+ \to J/\psi K^+) = (1.0 \pm 0.1) \times 10^{-3}$. "
    r"We measure ${\cal B}(B^0 \to J/\psi K^{*0}) = (1.3 \pm 0.1) \times 10^{-3}$. "
)


def test_columns_of_decays_go_to_their_own_observable(tmp_path: Path) -> None:
    table = (
        r"\section{Systematic uncertainties}\begin{table}\caption{Systematic uncertainties.}"
        r"\begin{tabular}{lccc}"
        r"Source & $B^+ \to J/\psi K^+$ & $B^0 \to J/\psi K^{*0}$ & $B_s^0 \to J/\psi \phi$ \\ \hline "
        r"Trigger & 1.5 & 2.5 & 3.5 \\ Background model & 0.3 & 0.4 & 0.5 \\ \end{tabular}\end{table}"
    )
    graph = graph_of(tmp_path, RATES + table)
    assert sorted((name, said["magnitude"]) for name, said in facts(graph, "affects")) == [
        ("BR(B+ -> J/psi(1S) K+)", 0.3),
        ("BR(B+ -> J/psi(1S) K+)", 1.5),
        ("BR(B0 -> J/psi(1S) K*(892)0)", 0.4),
        ("BR(B0 -> J/psi(1S) K*(892)0)", 2.5),
    ]
    assert [r.code for r in graph.rejections].count("no_target") == 2


def test_rows_of_others_are_no_results(tmp_path: Path) -> None:
    table = (
        r"\begin{table}\caption{Measured values.}\begin{tabular}{lc}"
        r"Source & $B_s^0$ mass [MeV] \\ \hline "
        r"Belle & $5366.1 \pm 0.4$ \\ World average & $5366.2 \pm 0.3$ \\ "
        r"This work & $5366.9 \pm 0.2$ \\ \end{tabular}\end{table}"
    )
    assert values(graph_of(tmp_path, table)) == [("B_s0 mass", 5366.9)]


@pytest.mark.parametrize(("caption", "sources"), [("Correlation matrix of the", 0), ("Summary of the", 2)])
def test_the_rows_of_a_correlation_matrix_are_no_sources(tmp_path: Path, caption: str, sources: int) -> None:
    graph = graph_of(
        tmp_path,
        r"\begin{table}\caption{" + caption + r" systematic uncertainties on the $B_s^0$ lifetime.}"
        r"\begin{tabular}{lc} Source & Size \\ \hline $A_{\text{low}}$ & 0.4 \\ $A_{\text{high}}$ & 0.2 \\"
        r"\end{tabular}\end{table}",
    )
    assert len([r for r in graph.records if r.type == "uncertainty_source"]) == sources


def test_a_caption_of_one_endless_word_is_read_at_once(tmp_path: Path) -> None:
    """An expression that tries all divisions of a word would not end."""
    graph = graph_of(
        tmp_path,
        r"\begin{table}\caption{" + "A" * 20_000 + r" systematic uncertainties on the $B_s^0$ lifetime.}"
        r"\begin{tabular}{lc} Source & Size \\ \hline Tracking & 0.4 \\ \end{tabular}\end{table}",
    )
    assert [r.name for r in graph.records if r.type == "uncertainty_source"] == ["Tracking"]


def test_a_column_under_a_determined_symbol_is_not_about_the_particle_in_it(tmp_path: Path) -> None:
    graph = graph_of(
        tmp_path,
        r"We measure the ratios $q_{B_s^0} = 0.195 \pm 0.001 \pm 0.002$ and "
        r"$\tau_{B_s^0} = 1.52 \pm 0.01 \pm 0.02$ ps."
        r"\begin{table}\caption{Systematic uncertainties in units of $10^{-4}$.}\begin{tabular}{lc}"
        r"Source & $q_{B_s^0}$ \\ \hline Decay-time acceptance & 6 \\ Fit bias & 4 \\"
        r"\end{tabular}\end{table}",
    )
    assert {name for name, _ in facts(graph, "affects")} == {"q_{B_s^0}"}


@pytest.mark.parametrize(("begin", "own"), [("where", 0), ("where we measure", 1), ("We find", 1)])
def test_what_explains_a_formula_is_an_input(tmp_path: Path, begin: str, own: int) -> None:
    body = (
        r"The yield is \begin{equation} N = L \epsilon \end{equation} "
        + begin
        + r" $\mathcal{B}(B^0 \to K^+ \pi^-) = (1.9 \pm 0.1) \times 10^{-5}$."
    )
    assert len(facts(graph_of(tmp_path, body))) == own
